"""The demonstration: a term that could have been, the same at every start, beside the real site."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from PIL import Image

from app.cli.words import PlainError
from app.demo import opening, own_content, timed_quiz
from app.demo.people import PASSWORD, STUDENTS, TEACHER_AND_CLASS_NAMES, TEACHER_NAMES
from app.engine import MISCONCEPTIONS
from app.settings import Settings
from tests.web.cast import browser, opened_site
from tests.web.demo_term import FEW, NOW, filled
from tests.web.school import sign_in

RESPONSES = "SELECT r.item, r.try_number, r.raw, r.verdict, r.created_at FROM response r ORDER BY r.id"


@pytest.fixture(scope="module")
def demo(app: FastAPI, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return filled(tmp_path_factory.mktemp("demo"), app.state.site.course)


def rows(settings: Settings, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(settings.database_path)) as connection:
        return connection.execute(sql).fetchall()


def test_everybody_is_somebody() -> None:
    assert len({student.name for student in STUDENTS}) == len(STUDENTS) == 36
    assert {student.classroom_name for student in STUDENTS} == {name for _, name in TEACHER_AND_CLASS_NAMES}
    assert {student.habitual_misconception_id for student in STUDENTS} - {None} <= set(MISCONCEPTIONS)


def test_what_is_reported_has_been_answered(demo: Settings) -> None:
    reported = {str(item) for (item,) in rows(demo, "SELECT item FROM problem_report")}
    answered = {str(item).partition("#")[0] for (item,) in rows(demo, "SELECT item FROM response")}
    assert reported
    assert reported <= answered


def test_a_mark_set_by_hand_is_another_one(demo: Settings) -> None:
    details = [
        json.loads(str(detail))
        for (detail,) in rows(demo, "SELECT detail FROM audit WHERE action = 'override'")
    ]
    assert details
    assert all(was != becomes for was, becomes in (detail["points"] for detail in details))


def test_the_same_term_at_every_start(demo: Settings, app: FastAPI, tmp_path: Path) -> None:
    again = filled(tmp_path, app.state.site.course)
    assert rows(again, RESPONSES) == rows(demo, RESPONSES)
    assert len(rows(demo, RESPONSES)) > 200


def test_nothing_lies_in_the_future(demo: Settings) -> None:
    for table in ("response", "reveal", "game_move", "sign_in"):
        last = rows(demo, f"SELECT max(created_at) FROM {table}")[0][0]
        assert last is None or str(last) < NOW.strftime("%Y-%m-%d %H:%M:%S"), table


def test_a_habit_shows_in_the_log(demo: Settings) -> None:
    """周雨桐 and 赵梓涵 reckon with ln: no mistake is diagnosed more often."""
    counted = rows(
        demo,
        "SELECT misconception FROM response WHERE misconception IS NOT NULL"
        " GROUP BY misconception ORDER BY count(*) DESC LIMIT 1",
    )
    assert counted == [("natural_log",)]


def test_the_term_reaches_the_last_two_stages(demo: Settings) -> None:
    for exercise in ("sign-test", "kappa-v2"):
        answered = f"SELECT count(*) FROM response WHERE item LIKE '%practice-{exercise}-1%'"
        assert rows(demo, answered)[0][0], exercise


def test_the_term_has_something_for_every_screen(demo: Settings) -> None:
    assert rows(demo, "SELECT count(*), count(share_token) FROM own_course") == [(3, 1)]
    assert rows(demo, "SELECT count(*) FROM re_mark")[0][0]
    hinted = "SELECT count(*) FROM response WHERE try_number = 1 AND hints > 0"
    assert rows(demo, hinted)[0][0]
    assert rows(demo, f"{hinted} AND item LIKE '%#%'")[0][0]
    tests = rows(
        demo, "SELECT DISTINCT form, hints, answers FROM assignment WHERE form IS NOT NULL ORDER BY form"
    )
    assert tests == [("post", 0, "handed_in"), ("pre", 0, "never")]


def test_the_gradebook_of_the_demo_has_all_that_it_can_show(demo: Settings) -> None:
    """Columns of one's own, 免, a category of which the lowest is dropped, comments, and who helps."""
    assert rows(demo, "SELECT title FROM extra_column ORDER BY id") == [("出勤",), ("期中",)]
    assert rows(demo, "SELECT count(*) FROM extra_mark WHERE excused") == [(1,)]
    assert rows(demo, "SELECT name, dropped FROM total_category ORDER BY id") == [("平时", 1), ("期中", 0)]
    assert rows(demo, "SELECT role FROM class_role ORDER BY id") == [("co-teacher",), ("assistant",)]
    assert rows(demo, "SELECT count(*) FROM work_comment")[0][0]
    authors = (
        "SELECT DISTINCT login FROM audit JOIN account ON learner_id = actor_id WHERE action = 'comment'"
    )
    assert rows(demo, authors) == [("陈助教",)]
    assert rows(demo, "SELECT notice FROM classroom WHERE id = 1")[0][0]


def details_of(demo: Settings, action: str) -> list[dict[str, Any]]:
    """What the log of the demo keeps of an action."""
    details = rows(demo, f"SELECT detail FROM audit WHERE action = '{action}' ORDER BY id")
    return [json.loads(str(detail)) for (detail,) in details]


def test_a_question_of_the_demo_was_given_other_points_and_nobody_lost_by_its_regrading(
    demo: Settings, app: FastAPI
) -> None:
    [mark] = details_of(demo, "question-mark")
    assert mark["points"] == [0.0, 1.0]
    assert mark["reason"]
    [regrade] = details_of(demo, "regrade")
    assert regrade["way"] == "up"
    assert all(former < points for _, former, points in regrade["students"])
    [(assignment_id, student_id)] = rows(
        demo, "SELECT assignment_id, enrolment_id FROM audit WHERE action = 'question-mark'"
    )
    with opened_site(app, demo) as client:
        teacher = browser(client)
        sign_in(teacher, TEACHER_NAMES[0], PASSWORD)
        cell = teacher.open(f"/classrooms/1/assignments/{assignment_id}/students/{student_id}").main.text
        assert "老师改成了1分" in cell
        log = teacher.open("/classrooms/1/audit").main.text
        assert mark["reason"] in log
        assert "只升不降" in log


def test_the_timed_quiz_draws_and_is_half_marked(demo: Settings) -> None:
    [(quiz_id,)] = rows(demo, "SELECT id FROM assignment WHERE minutes > 0")
    banks = f"SELECT bank, count FROM assignment_part WHERE assignment_id = {quiz_id} ORDER BY position"
    assert rows(demo, banks) == [(1, 2)] * 4 + [(0, 1)]
    waiting = f"SELECT DISTINCT waiting FROM submission WHERE assignment_id = {quiz_id} ORDER BY waiting"
    assert rows(demo, waiting) == [(0,), (1,)]
    answers = "response JOIN submission USING (attempt_id)"
    query = f"SELECT count(DISTINCT item) FROM {answers} WHERE assignment_id = {quiz_id}"
    assert rows(demo, query) > [(3,)], "not the same two for everybody"


def test_a_question_of_the_demo_has_a_picture(demo: Settings, app: FastAPI) -> None:
    [(name,)] = rows(demo, "SELECT name FROM picture")
    assert rows(demo, f"SELECT title FROM own_course WHERE text LIKE '%{name}%'") == [("说说为什么",)]
    with Image.open(timed_quiz.BLACKBOARD_FILE) as image:
        assert image.size == (timed_quiz.BLACKBOARD_WIDTH, timed_quiz.BLACKBOARD_HEIGHT)
    with opened_site(app, demo) as client:
        assert client.get(f"/pictures/{name}.webp").content == timed_quiz.BLACKBOARD_FILE.read_bytes()


def test_what_the_teacher_of_the_demo_wrote_is_sound(app: FastAPI) -> None:
    for text in (
        own_content.QUEUE_CONTENT,
        own_content.MISTYPED_CONTENT,
        own_content.BREAKFAST_CONTENT,
        timed_quiz.WHY_CONTENT,
    ):
        own_content.parsed_course(text, 1, app.state.site.course)


def test_its_pages_open_for_teacher_and_pupil(demo: Settings, app: FastAPI) -> None:
    with opened_site(app, demo) as client:
        for name, paths in (
            (TEACHER_NAMES[0], ("/classrooms", "/classrooms/1", "/classrooms/1/students/1")),
            (FEW[0].name, ("/", "/progress", "/cards", "/classrooms/1")),
        ):
            reader = browser(client)
            sign_in(reader, name, PASSWORD)
            for path in paths:
                reader.open(path)
        teacher = browser(client)
        sign_in(teacher, TEACHER_NAMES[0], PASSWORD)
        assert FEW[0].name in teacher.open("/classrooms/1").text


def test_it_lies_beside_the_real_data(tmp_path: Path) -> None:
    real = Settings(data=tmp_path)
    demo = opening.demo_settings(real)
    assert demo.database_path == tmp_path / "demo" / "tangxu.db"
    assert real.database_path == tmp_path / "tangxu.db"
    real.make_folders()
    demo.make_folders()
    real.database_path.write_text("work of a year", encoding="utf-8")
    opening.delete_demonstration(demo)
    assert real.database_path.read_text(encoding="utf-8") == "work of a year"
    assert not demo.data.exists()


def test_it_is_reached_at_its_own_address(tmp_path: Path) -> None:
    """The address of the real site was printed above the passwords of the demonstration."""
    real = Settings(
        data=tmp_path,
        public_name="tangxu.example.cn",
        https=True,
        trusted_proxies="127.0.0.1",
        workers=4,
        database_url="postgresql://db/tangxu",
        replica_url="postgresql://copy/tangxu",
        time_zone="Asia/Tokyo",
    )
    demo = opening.demo_settings(real)
    assert (demo.public_name, demo.https, demo.trusted_proxies, demo.workers) == (None, False, "", 1)
    assert (demo.is_on_server, demo.replica_url, demo.time_zone) == (False, "", "Asia/Tokyo")


def test_a_second_one_leaves_the_first_alone(tmp_path: Path) -> None:
    demo = opening.demo_settings(Settings(data=tmp_path / "new"))
    with opening.sole_demonstration(demo):
        demo.make_folders()
        with (
            pytest.raises(PlainError, match=f"{demo.data}里的演示正开着.*TANGXU_DATA"),
            opening.sole_demonstration(demo),
        ):
            opening.delete_demonstration(demo)
        assert demo.data.exists()
    with opening.sole_demonstration(demo):
        opening.delete_demonstration(demo)
    assert not demo.data.exists()
