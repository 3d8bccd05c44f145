"""What a teacher sees of a class, as a browser without a script meets it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
from starlette.testclient import TestClient

from app import engine
from app.course import Course
from app.course.insight.advising import ObservedQuestion, advice_on_question
from app.course.insight.item_analysis import FirstResponse, figures_by_item_ref
from app.course.items.kinds import Numeric, SingleChoice, Steps
from app.course.items.kinds.steps import cell_label
from app.settings import Settings
from app.web.insight.item_stats import figures_with_worded_answers, without_unclear_answers
from app.web.insight.question_words import wrong_answer_words
from app.web.items.answered import cell_htmls
from app.web.site import clock
from tests.records.term import Term, term
from tests.web.cast import HTMX, Ledger, Page, Reader, browser, right_answer
from tests.web.insight.seat_groups import group
from tests.web.school import sign_in

PRACTICE = [("practice", "content:dcg", 2, 1), ("item", "content:lucky-questions", 0, 1)]
FIRST, SECOND = "content:practice-dcg-2#1", "content:lucky-questions#2"
SEED = 7


@pytest.fixture
def class_url(classroom: int) -> str:
    return f"/classrooms/{classroom}"


class Class:
    """A class with what it did; every `with` is one moment in which something happens."""

    def __init__(self, settings: Settings, course: Course, classroom: int) -> None:
        self.settings, self.course, self.classroom = settings, course, classroom

    @contextmanager
    def writes(self) -> Iterator[Term]:
        with term(self.settings.database_url, self.classroom, clock.now()) as write:
            yield write

    def number(self, model: str | None = None) -> str:
        """What somebody answers to the first question: rightly, or as a misconception has it."""
        item = self.course.variant("practice-dcg-2", SEED)
        assert isinstance(item, Numeric)
        question = item.question.engine_question
        value = item.answer if model is None else engine.predictions(question)[model]
        return f"{value:.3f}"

    def body(self, bare: str) -> str:
        return self.course.version_hash_and_body(self.course.ref(bare), SEED)[1]

    def options(self) -> tuple[str, str]:
        """The right option of the second question, and a wrong one."""
        item = self.course.items["lucky-questions"]
        assert isinstance(item, SingleChoice)
        return item.right_options[0].id, next(option.id for option in item.options if not option.right)

    def did(self, write: Term, attempt: int, right: bool) -> None:
        """Both questions, at once."""
        model = None if right else "natural_log"
        verdict = "right" if right else "wrong"
        number, option = self.number(model), self.options()[0 if right else 1]
        write.answer(attempt, FIRST, -3, verdict, (number,), self.body("practice-dcg-2"), misconception=model)
        write.answer(attempt, SECOND, -2, verdict, (option,), self.body("lucky-questions"))
        write.hand_in(attempt, -1, 2.0 * right, 2.0)


@pytest.fixture
def taught_class(settings: Settings, course: Course, classroom: int) -> Class:
    return Class(settings, course, classroom)


# 今天.


def test_today_shows_everybody_once(
    teacher: Reader, taught_class: Class, class_url: str, ledger: Ledger
) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE, title="第二周")
        stuck, new, done = (write.student(name) for name in ("卡卡", "新新", "好好"))
        attempt = write.begin(work, stuck, -8)
        for minute in range(4):
            write.answer(attempt, FIRST, minute - 6, misconception="natural_log")
        taught_class.did(write, write.begin(work, done, -9), right=True)
        write.student("迟迟", joined=-5)
        write.student("早早", joined=-90)
    before = ledger.everything()
    page = teacher.open(f"{class_url}/today")
    assert group(page, "stuck") == "卡住了 1 卡卡 ，在学 第1题错4次，用了自然对数"
    assert "新新 还没做过题" in group(page, "new"), "a pupil who sits in the room has come"
    assert "迟迟 刚进班" in group(page, "new")
    assert "早早 刚进班" in group(page, "new"), "also who came before it was given"
    assert "好好" in group(page, "done")
    assert all(page.main.text.count(name) == 1 for name in ("卡卡", "新新", "好好", "迟迟", "早早"))
    assert f'"{class_url}/assignments/{work}/students/{stuck}"' in page.html
    assert f'/students/{new}"' in page.html
    assert ledger.everything() == before


def test_two_of_one_name_are_told_apart_wherever_the_class_stands_in_a_list(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        for name in ("李四", "李四", "小糖"):
            enrolment_id = write.student(name)
            sql = "UPDATE enrolment SET number = ? WHERE id = ?"
            write.connection.execute(sql, (f"20260100{enrolment_id}", enrolment_id))
    groups_form = teacher.open(f"{class_url}/groups").form(f"{class_url}/groups")
    teacher.submit(groups_form, name="第一组")
    paths = [f"{class_url}/today", f"{class_url}/assignments/{work}", f"{class_url}/groups"]
    check_namesakes_are_told_apart(teacher, paths)
    namesake_id = enrolment_id - 1
    work_text = teacher.open(f"{class_url}/assignments/{work}/students/{namesake_id}").main.text
    assert f"20260100{namesake_id}" in work_text
    with taught_class.writes() as write:
        for student_id in (namesake_id - 1, namesake_id):
            taught_class.did(write, write.begin(work, student_id, -8), right=False)
    check_namesakes_are_told_apart(
        teacher, [f"{class_url}/mistakes?assignment=all", f"{class_url}/map?skill=content:dcg"]
    )


def check_namesakes_are_told_apart(teacher: Reader, paths: Sequence[str]) -> None:
    for path in paths:
        page_text = teacher.open(path).main.text
        assert len(set(re.findall(r"李四（20260100\d+）", page_text))) == 2, path
        assert page_text.count("李四") == page_text.count("李四（"), "also where they are ticked"
        assert "小糖（" not in page_text, "there is one"


def test_today_without_a_script_and_with_one(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        write.student("小糖")
    page = teacher.open(f"{class_url}/today?assignment={work}")
    section = page.by_id("today")
    assert section["data-hx-get"] == f"{class_url}/today/live?assignment={work}"
    assert section["data-hx-trigger"] == "again", "no filter: nothing may be evaluated"
    assert page.by_id("again")["href"] == f"{class_url}/today?assignment={work}"
    fragment = Page(teacher.client.get(section["data-hx-get"], headers=HTMX))
    assert fragment.by_id("today").html == section.html


def test_a_link_to_a_group_keeps_the_assignment_and_what_is_hidden(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    with taught_class.writes() as write:
        works = [write.assignment(PRACTICE, title=title) for title in ("第一周", "第二周")]
        write.student("小糖")
    groups_url = f"{class_url}/groups"
    page = teacher.submit(teacher.open(groups_url).form(groups_url), name="第一组")
    teacher.submit(page.form(f"{groups_url}/members"), names="小糖")
    for work in works:
        page = teacher.open(f"{class_url}/today?assignment={work}&names=no")
        chosen_query = f"assignment={work}&names=no"
        assert page.by_id("group-all")["href"] == f"{class_url}/today?{chosen_query}"
        page = teacher.open(page.by_id("group-1")["href"])
        assert page.by_id("again")["href"] == f"{class_url}/today?assignment={work}&group=1&names=no"


def test_a_wall_that_the_class_reads_has_counts_and_no_names(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    """Also when it is asked for again; nothing on it opens the page of a student."""
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE, title="第二周", answers="handed_in")
        seated, _ = write.student("卡卡"), write.student("新新")
        write.connection.execute(f"UPDATE enrolment SET seat = 12 WHERE id = {seated}")
        for name in ("糊糊", "昏昏"):
            taught_class.did(write, write.begin(work, write.student(name), -9), right=False)
    page = teacher.open(teacher.open(f"{class_url}/today?assignment={work}").by_id("names")["href"])
    section = page.by_id("today")
    live = Page(teacher.client.get(section["data-hx-get"], headers=HTMX))
    for page_part in (section, live.by_id("today")):
        assert not any(name in page_part.text for name in ("卡卡", "新新", "糊糊", "12号"))
        assert [link["id"] for link in page_part.all("a")] == ["again", "names"]
        assert [bar.text for bar in page_part.all("li", class_="wall-bar")] == [
            "交了没过 2位",
            "没开始 2位",
            "用了自然对数 2位",
        ]
    assert "names=no" in page.by_id("again")["href"]
    assert "卡卡" in teacher.open(page.by_id("names")["href"]).main.text


def test_a_wall_goes_to_another_group_and_another_assignment_with_names_hidden(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    """Else whoever changed the one or the other before the class had to show all names first."""
    groups_form = teacher.open(f"{class_url}/groups").form(f"{class_url}/groups")
    teacher.submit(groups_form, name="第一组")
    with taught_class.writes() as write:
        write.student("卡卡")
        works = [write.assignment(PRACTICE, title=f"作业{number}", due_at=write.at(100 + number))
                 for number in range(6)]  # fmt: skip
    page = teacher.open(f"{class_url}/today?names=no&assignment={works[0]}")
    links = {link.text: link["href"] for link in page.by_id("today").all("a")}
    assert [*links] == ["刷新", "显示名字", "全班", "第一组", *(f"作业{number}" for number in range(6))]
    assert all("names=no" in href for words, href in links.items() if words != "显示名字")
    page = teacher.open(links["作业5"])
    assert page.main.one("h2", class_="wall-title").text == "作业5"
    assert "卡卡" not in page.main.text
    page = teacher.open(links["第一组"])
    assert page.main.one("nav", class_="group-links").one("a", aria_current="true").text == "第一组"
    assert page.by_id("names").text == "显示名字"


def test_a_wall_whose_teacher_was_signed_out_says_so_once(
    teacher: Reader, guest: Reader, class_url: str
) -> None:
    response = guest.client.get(f"{class_url}/today/live", headers=HTMX)
    assert response.status_code == 404
    assert "hx-retarget" not in response.headers
    line = Page(response).by_id("today")
    assert "登录过期了" in line.text
    assert line.one("a", href="/sign-in").text == "重新登录"
    assert "data-hx-trigger" not in line.attributes, "nothing is asked for any more"


def test_many_open_assignments_stay_in_one_row(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        write.student("小糖")
        works = [write.assignment(PRACTICE, title=f"作业{number}", due_at=write.at(100 + number))
                 for number in range(7)]  # fmt: skip
    page = teacher.open(f"{class_url}/today?assignment={works[6]}")
    cards = page.main.one("ul", class_="today-cards").all("a")
    assert [card.text for card in cards] == ["作业0", "作业1", "作业2", "作业6"]
    more_links = page.main.one("p", class_="today-rest").all("a")
    assert [card.text for card in more_links] == ["作业3", "作业4", "作业5"]
    assert more_links[0]["href"] == f"{class_url}/today?assignment={works[3]}"


def test_which_assignment_stands_in_the_address(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        assignment, other_assignment = (
            write.assignment(PRACTICE, title="甲"),
            write.assignment(PRACTICE, title="乙"),
        )
        write.begin(assignment, write.student("小糖"), -1)
    assert "小糖" in group(teacher.open(f"{class_url}/today"), "working"), "what most are at"
    page = teacher.open(f"{class_url}/today?assignment={other_assignment}")
    assert "小糖" in group(page, "new")
    assert page.main.one("a", aria_current="true").text == "乙"
    assert "小糖" in group(teacher.open(f"{class_url}/today?assignment=999"), "working")
    with taught_class.writes() as write:
        for name in ("昨天一", "昨天二"):
            write.begin(other_assignment, write.student(name), -1500)
    assert "小糖" in group(teacher.open(f"{class_url}/today"), "working"), (
        "who left it yesterday is not at it"
    )


def test_stuck_elsewhere_is_stuck_here(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        write.assignment(PRACTICE)
        attempt = write.practise(write.student("小糖"), "content:dcg-2-7", -5)
        for minute in range(4):
            write.answer(attempt, "content:practice-dcg-2", minute - 5)
    page = teacher.open(f"{class_url}/today")
    assert "算DCG · 中错4次" in group(page, "stuck")
    assert group(page, "new") == ""


def test_silence_in_another_assignment_is_nothing_here(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    with taught_class.writes() as write:
        other_assignment, work = (
            write.assignment(PRACTICE, title="甲"),
            write.assignment(PRACTICE, title="乙"),
        )
        student, busy = write.student("小糖"), write.student("小序")
        write.begin(other_assignment, student, -30)
        write.answer(write.begin(other_assignment, busy, -30), FIRST, -1, "right")
    assert group(teacher.open(f"{class_url}/today?assignment={work}"), "stuck") == ""
    assert "30分钟没动" in group(teacher.open(f"{class_url}/today?assignment={other_assignment}"), "stuck")


def test_who_was_stuck_some_time_ago_says_when(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        attempt = write.begin(write.assignment(PRACTICE), write.student("小糖"), -3000)
        for minute in range(4):
            write.answer(attempt, FIRST, minute - 2900)
    page = teacher.open(f"{class_url}/today")
    stuck_words = group(page, "stuck")
    assert re.search(r"第1题错4次（(昨天|昨晚|[0-9]{2}-[0-9]{2} )[0-9]{1,2}:[0-9]{2}）", stuck_words)


def test_today_without_open_work_says_who_comes(teacher: Reader, taught_class: Class, class_url: str) -> None:
    text = teacher.open(f"{class_url}/today").main.text
    assert "这个班还没有人" in text
    assert "什么时候学过" not in text
    with taught_class.writes() as write:
        write.student("小糖")
        write.student("小序", joined=-5)
        write.assignment(PRACTICE, title="下周的", opens_at=write.at(600))
    page = teacher.open(f"{class_url}/today")
    assert "没有开着的作业" in page.main.text
    assert "还没开：下周的" in page.main.text
    assert group(page, "away") == "今天还没学 2 小糖 还没做过题 小序 刚进班"


@pytest.mark.parametrize(
    ("hour", "minutes", "name"),
    [(8, -15 * 60, "away"), (8, -7 * 60, "today"), (23, -22 * 60, "today")],
    ids=["17:00 of the day before", "1:00 of the morning", "1:00 of a long day"],
)
def test_who_came_today_came_on_this_day(
    teacher: Reader,
    taught_class: Class,
    class_url: str,
    midday: datetime,
    monkeypatch: pytest.MonkeyPatch,
    hour: int,
    minutes: int,
    name: str,
) -> None:
    """By the calendar of the place, not so many hours ago."""
    now = midday + timedelta(hours=hour - 12)
    monkeypatch.setattr(clock, "time_source", lambda: now)
    with taught_class.writes() as write:
        attempt = write.practise(write.student("小糖"), "content:dcg-2-7", minutes)
        write.answer(attempt, "content:practice-dcg-2", minutes, "right")
    assert "小糖" in group(teacher.open(f"{class_url}/today"), name)


def test_a_class_opens_at_today_while_work_is_open(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    assert teacher.open("/classrooms").main.one("a", href=class_url).text == "高一3班"
    with taught_class.writes() as write:
        write.assignment(PRACTICE)
    page = teacher.open("/classrooms")
    assert page.main.one("a", href=f"{class_url}/today").text == "高一3班"
    assert "还没有人进班" in page.main.text, "nobody has done anything"
    assert "都交了" not in page.main.text
    with taught_class.writes() as write:
        attempt = write.begin(write.assignment(PRACTICE), write.student("小糖"), -5)
        write.hand_in(attempt, -1)
    assert "没交1" in teacher.open("/classrooms").main.text, "of the first assignment"


def test_who_failed_is_one_click_from_signing_in(
    client: TestClient, teacher: Reader, taught_class: Class, class_url: str
) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE, title="第二周", answers="handed_in")
        failed, done = write.student("糊糊"), write.student("好好")
        write.student("新新")
        taught_class.did(write, write.begin(work, failed, -9), right=False)
        taught_class.did(write, write.begin(work, done, -9), right=True)
    entry = browser(client)
    home = sign_in(entry, "王")
    assert home.path == "/classrooms"
    line = home.main.one("span", class_="class-now").text
    assert "交了没过1" in line
    assert "没交1" in line
    assert "卡住了" not in line
    page = teacher.open(str(home.main.one("a", href=f"{class_url}/today")["href"]))
    assert group(page, "failed") == "交了没过 1 糊糊 ，在学 0/2，用了自然对数"
    assert "好好" in group(page, "done")
    assert f'"{class_url}/assignments/{work}/students/{failed}"' in page.html
    with taught_class.writes() as write:
        other_assignment = write.assignment(PRACTICE, title="第三周")
    page = teacher.open(f"{class_url}/today?assignment={other_assignment}")
    assert group(page, "elsewhere") == "别的没过 1位，1份 糊糊 ，在学 《第二周》0/2，用了自然对数"
    assert "糊糊" in group(page, "new"), "and stands where they stand in this one"
    with taught_class.writes() as write:
        further_work = write.assignment(PRACTICE, title="第四周", answers="handed_in")
        taught_class.did(write, write.begin(further_work, failed, -9), right=False)
    page = teacher.open(f"{class_url}/today?assignment={other_assignment}")
    assert group(page, "elsewhere").startswith("别的没过 1位，2份 ")
    assert "交了没过1" in teacher.open("/classrooms").main.text, "as many people"


def test_tabs_say_where_one_is(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        write.student("小糖")
    for path, word in (("", "同学"), ("/today", "今天"), ("/mistakes", "误区"), ("/items", "题目"),
                       ("/map", "知识点"), ("/tests", "前后测")):  # fmt: skip
        tabs = teacher.open(class_url + path).main.one("nav", class_="tabs")
        assert tabs.one("a", aria_current="page").text == word
        assert {link["href"] for link in tabs.all("a")} >= {
            class_url,
            f"{class_url}/today",
            f"{class_url}/tests",
        }


# 误区分布.


@pytest.mark.both_databases
def test_mistakes_by_step_with_names_on_a_click(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE, title="第二周")
        for name in ("小糖", "小序"):
            taught_class.did(write, write.begin(work, write.student(name), -9), right=False)
        left_student = write.student("走走")
        taught_class.did(write, write.begin(work, left_student, -9), right=False)
        write.connection.execute(
            "UPDATE enrolment SET removed_at = ? WHERE id = ?", (write.at(0), left_student)
        )
        taught_class.did(write, write.begin(work, write.student("好好"), -9), right=True)
    page = teacher.open(f"{class_url}/mistakes?assignment={work}")
    [step] = page.main.all("details", class_="mistake-step")
    assert "open" in step.attributes
    assert step.all("summary")[0].text == "折损 2个人，1种"
    mistake = step.one("article")
    assert "用了自然对数" in mistake.one("h3").text
    assert "2 个人，共2次" in mistake.one("p", class_="mistake-share").text
    names, example = mistake.all("details")
    assert "小糖" in names.text
    assert "走走" not in page.main.text
    assert page.main.text.count("小糖") == 1, "only behind the click"
    assert f"有人答： {taught_class.number('natural_log')}" in example.text
    assert "DCG" in example.text


def test_practice_against_a_mistake_becomes_a_draft(
    teacher: Reader, taught_class: Class, class_url: str, ledger: Ledger
) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        student = write.student("小糖")
        taught_class.did(write, write.begin(work, student, -9), right=False)
        taught_class.did(write, write.begin(work, write.student("好好"), -9), right=True)
    form = teacher.open(f"{class_url}/mistakes").main.one("form", class_="mistake-do")
    assert "给1位" in form.text
    fields = [(field["name"], field["value"]) for field in form.all("input")]
    response = teacher.client.post(form["action"], data=dict(fields), follow_redirects=False)
    draft_id = int(response.headers["location"].removeprefix(f"{class_url}/assignments/"))
    assert ledger.rows("SELECT enrolment_id FROM assignee WHERE assignment_id = ?", draft_id) == [(student,)]
    [(title, published)] = ledger.rows("SELECT title, published_at FROM assignment WHERE id = ?", draft_id)
    assert (title, published) == ("针对练习：用了自然对数", None)
    parts = ledger.rows("SELECT ref FROM assignment_part WHERE assignment_id = ?", draft_id)
    practices = [
        engine.misconception_ids_told_apart(
            taught_class.course.exercises[ref.removeprefix("content:")].generator
        )
        for (ref,) in parts
    ]
    assert parts
    assert all("natural_log" in models for models in practices)
    again = teacher.open(f"{class_url}/mistakes").main.one("form", class_="mistake-do")
    assert again.one("a", href=f"{class_url}/assignments/{draft_id}").text == "草稿"
    refused = teacher.client.post(form["action"], data={"mistake": "log10"})
    assert refused.status_code == 422
    assert "没有人犯过" in Page(refused).main.one("p", class_="error").text


def test_mistakes_of_the_last_two_weeks_or_of_all_time(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    with taught_class.writes() as write:
        attempt = write.begin(write.assignment(PRACTICE), write.student("小糖"), -40_000)
        write.answer(attempt, FIRST, -30_000, misconception="natural_log+ideal_not_sorted")
    page = teacher.open(f"{class_url}/mistakes")
    assert "最近两周还没有人答过题" in page.main.text
    [option] = [
        option_of_page
        for option_of_page in page.by_id("chooser").all("option")
        if option_of_page["value"] == "all"
    ]
    page = teacher.open(f"{class_url}/mistakes?assignment={option['value']}")
    assert [option_of_page.text for option_of_page in page.main.all("h3")] == [
        "用了自然对数",
        "理想排序没有重排",
    ]


def test_no_mistakes_yet(teacher: Reader, taught_class: Class, class_url: str) -> None:
    assert "还没有人答过题" in teacher.open(f"{class_url}/mistakes").main.text
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        taught_class.did(write, write.begin(work, write.student("好好"), -9), right=True)
    page = teacher.open(f"{class_url}/mistakes?assignment={work}")
    assert "1个人答过题" in page.main.text
    assert f"{class_url}/items?assignment={work}" in page.html
    teacher.open(f"{class_url}/mistakes?assignment=999", status=404)
    teacher.open(f"{class_url}/mistakes?assignment=abc")


def test_an_archived_class_is_only_looked_at(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        taught_class.did(write, write.begin(work, write.student("小糖"), -9), right=False)
    teacher.client.post(f"{class_url}/archivings")
    assert not teacher.open(f"{class_url}/mistakes").main.all("form", class_="mistake-do")
    assert not teacher.open(f"{class_url}/tests").main.all("form")
    assert teacher.client.post(f"{class_url}/remedies", data={"mistake": "natural_log"}).status_code == 422
    assert teacher.client.post(f"{class_url}/tests", data={"stage": "definitions"}).status_code == 422


# 题目分析.


def test_questions_with_how_sure_one_may_be(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        for number in range(12):
            attempt = write.begin(work, write.student(f"同学{number}"), -9)
            taught_class.did(write, attempt, right=number < 4)
        few = write.assignment(PRACTICE)
        taught_class.did(write, write.begin(few, write.student("又一位"), -9), right=True)
    first, second = teacher.open(f"{class_url}/items?assignment={work}").main.all("article")
    assert "第1题 算DCG · 中" in first.one("h2").text
    assert "33% （14%–61%，12人）" in first.text
    assert "平均试几次 1.0 （1.0–1.0）" in first.text
    assert "先看提示的 0% （0%–24%）" in first.text
    assert "用了自然对数 ， 8人" in first.one("p", class_="item-wrong").text
    assert "错的8人里，8人都是：用了自然对数" in first.one("p", class_="item-advice").text
    assert first.one("a", class_="item-talk")["href"] == f"{class_url}/assignments/{work}/review?question=1"
    wrong = taught_class.course.items["lucky-questions"]
    assert isinstance(wrong, SingleChoice)
    text = next(article.text for article in wrong.options if article.id == taught_class.options()[1])
    assert f"{text} ， 8人" in second.one("p", class_="item-wrong").text
    for article in teacher.open(f"{class_url}/items?assignment={few}").main.all("article"):
        assert "样本太少，先别下结论。" in article.text
        assert len(article.all("p", class_="item-advice")) == 1
    assert (
        "还没有人交过答案"
        in teacher.open(f"{class_url}/items?assignment={write_empty(taught_class)}").main.text
    )


def test_a_wrong_table_is_told_by_the_step_that_went_wrong(course: Course) -> None:
    """Others that follow from it are right by these numbers; cells are named as learners see them."""
    name, item = next(
        (name, candidate) for name, candidate in course.items.items() if isinstance(candidate, Steps)
    )
    numbers = dict(zip([cell.name for cell in item.blanks], map(float, right_answer(item)), strict=True))
    slip = next(cell for cell in item.blanks if cell.column == "term")
    own = numbers | {slip.name: 77.0}
    typed_cells = "=" + " ".join(f"{cell}={value:.6g}" for cell, value in own.items())
    wrong_words = wrong_answer_words({"content": course}, course.ref(name), typed_cells)
    assert wrong_words.startswith(f"第{slip.rank}项写成77")
    assert not re.search("[a-z]", wrong_words)
    assert wrong_answer_words({"content": course}, course.ref(name), "=old-3=1 new=x=y") == "表里有格算岔了"
    assert (
        wrong_answer_words({"content": course}, "content:practice-steps-ndcg-2#1", typed_cells)
        == "表里有格算岔了"
    )
    assert all(
        cell_label(cell) in candidate
        for cell, candidate in zip(item.blanks, cell_htmls(item, ["1"] * 99), strict=True)
    )


def test_tables_that_went_wrong_in_the_same_cell_are_counted_together(course: Course) -> None:
    """Their other cells differ, so that no two of the answers are the same."""
    item_ref = course.ref("market-table")
    item = course.items["market-table"]
    assert isinstance(item, Steps)
    numbers = dict(zip([cell.name for cell in item.blanks], map(float, right_answer(item)), strict=True))
    *_, last_cell = item.blanks
    responses = [FirstResponse(learner_id, item_ref, True, False, None, None) for learner_id in range(8)]
    for learner_id in range(8, 20):
        typed_numbers = numbers | {"term-2": 77.0, last_cell.name: learner_id * 10.0}
        typed_cells = "=" + " ".join(f"{cell}={number:.6g}" for cell, number in typed_numbers.items())
        responses.append(FirstResponse(learner_id, item_ref, False, False, None, typed_cells))
    figures = figures_with_worded_answers({"content": course}, figures_by_item_ref(responses)[item_ref])
    assert figures.wrong_answers_with_counts == [("第2项写成77", 12)]


def test_drawn_tables_that_went_wrong_have_no_mistake_in_common(course: Course) -> None:
    """Everybody has numbers of their own there, and where they went wrong is not told."""
    item_ref = course.ref("practice-steps-ndcg-2")
    responses = [
        FirstResponse(learner_id, item_ref, False, False, None, f"=term-1={learner_id}")
        for learner_id in range(12)
    ]
    [figures] = figures_by_item_ref(responses).values()
    figures = figures_with_worded_answers({"content": course}, figures)
    assert figures.wrong_answers_with_counts == [("表里有格算岔了", 12)]
    advice = advice_on_question(ObservedQuestion(without_unclear_answers(figures), 2, 0))
    assert advice.action_words == "课上重讲这一步，再布置几道变式。"


def write_empty(taught_class: Class) -> int:
    with taught_class.writes() as write:
        return write.assignment(PRACTICE)


def test_reports_stand_beside_their_question(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        places = [write.student(f"同学{number}") for number in range(10)]
        for place in places:
            taught_class.did(write, write.begin(work, place, -9), right=True)
        write.report(places[0], "content:lucky-questions", "<b>少了一个条件")
    second = teacher.open(f"{class_url}/items?assignment={work}").main.all("article")[1]
    assert "先读同学的报告" in second.one("p", class_="item-advice").text
    assert "<b>少了一个条件" in second.text
    assert "同学0" not in second.text


# 知识点, 前后测.


def test_the_map_says_what_comes_next(teacher: Reader, taught_class: Class, class_url: str) -> None:
    assert "班里还没有人" in teacher.open(f"{class_url}/map").main.text
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        for number in range(4):
            taught_class.did(write, write.begin(work, write.student(f"同学{number}"), -9), right=number == 0)
    page = teacher.open(f"{class_url}/map")
    assert "4个人做过，只有1个人站得住" in page.main.one("p", class_="map-next").text
    assert "1/4人站得住，做过的4人" in page.main.text
    assert "多半会和很稳算站得住" in page.main.text, "one of the bands has the name 多半会"
    assert "85%起很稳，65%起多半会，40%起一半一半" in page.main.text
    assert "先要会：一项的值、累计增益CG" in page.main.text


def test_a_skill_says_who_and_becomes_practice_for_those_who_need_it(
    teacher: Reader, taught_class: Class, class_url: str, ledger: Ledger
) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        students = [write.student(f"同学{number}") for number in range(4)]
        for number, student in enumerate(students):
            taught_class.did(write, write.begin(work, student, -9), right=number == 0)
        write.student("没来的")
    page = teacher.open(f"{class_url}/map")
    link = page.main.one("p", class_="map-next").one("a")["href"]
    skill_id = link.partition("#")[0].partition("content:")[2]
    skill = taught_class.course.skills[skill_id]
    page = teacher.open(link)
    name_list = page.by_id("opened").one("div", class_="map-who")
    assert [line.text for line in name_list.all("p")] == [
        "刚起步 同学1 同学2 同学3",
        "很稳 同学0",
        "没做过 没来的",
    ]
    assert "给还没站稳的3位" in name_list.text
    for _ in range(2):  # and a double click
        teacher.submit(page.form(f"{class_url}/map/drafts"))
    [(draft_id, title)] = ledger.rows("SELECT id, title FROM assignment WHERE published_at IS NULL")
    assert title == f"再练练：{skill.name}"
    assignees = ledger.rows("SELECT enrolment_id FROM assignee WHERE assignment_id = ?", draft_id)
    assert [student for (student,) in assignees] == students[1:]
    refs = ledger.rows("SELECT ref FROM assignment_part WHERE assignment_id = ?", draft_id)
    practised = taught_class.course.practised_skills[skill_id]
    assert [ref.removeprefix("content:") for (ref,) in refs] == list(practised.exercise_ids)
    assert teacher.open(f"{class_url}/map?skill=content:nothing").status == 200
    assert teacher.client.post(f"{class_url}/map/drafts", data={"skill": "x"}).status_code == 404
    firm = teacher.client.post(f"{class_url}/map/drafts", data={"skill": "content:gain"})
    assert firm.status_code == 422
    assert "没有还站不稳的同学" in firm.text


def test_pages_of_a_class_begin_with_what_asks_for_something(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    """Questions that few have answered, skills that few have met, and what is long ago are folded, or a tap
    away."""
    single_choices = [item for item in taught_class.course.items.values() if isinstance(item, SingleChoice)]
    with taught_class.writes() as write:
        student = write.student("小糖")
        for _ in range(3):
            write.student("没来的")
        for day, item in enumerate(single_choices[:12]):
            ref = f"content:{item.id}"
            attempt = write.begin(write.assignment([("item", ref, 0, 1)]), student, day - 300)
            option = item.right_options[0].id
            write.answer(attempt, f"{ref}#1", day - 290, "right", (option,), taught_class.body(item.id))
            write.hand_in(attempt, day - 280)
    questions = teacher.open(f"{class_url}/items").main
    assert len(questions.all("article", class_="item-row")) == 6
    assert "还有6道，全部列出来" in questions.text
    assert len(teacher.open(f"{class_url}/items?all=yes").main.all("article", class_="item-row")) == 12
    folds = teacher.open(f"{class_url}/map").main.all("details")
    links = [link["href"] for fold in folds for link in fold.all("a")]
    assert links
    opened_page = teacher.open(links[0])
    assert "details" not in [element.tag for element in opened_page.by_id("opened").around]
    works = teacher.open(f"{class_url}/students/{student}").main
    first_works, older_works = works.all("ol", class_="works")
    assert [len(first_works.all("li")), len(older_works.all("li"))] == [8, 4]
    assert "更早的4样" in works.text
    strong_fold = works.one("section", aria_labelledby="skills").one("details")
    assert "很稳的" in strong_fold.one("summary").text


def test_before_and_after(teacher: Reader, taught_class: Class, class_url: str, ledger: Ledger) -> None:
    page = teacher.open(f"{class_url}/tests")
    assert "教之前考一次" in page.main.text
    form = page.form(f"{class_url}/tests")
    response = teacher.client.post(form["action"], data={"stage": "definitions"}, follow_redirects=False)
    pre = int(response.headers["location"].rpartition("/")[2])
    rows = ledger.rows("SELECT id, form, pair, hints FROM assignment ORDER BY id")
    assert rows == [(pre, "pre", pre, 0), (pre + 1, "post", pre, 0)]
    parts = [
        ledger.rows("SELECT ref, level, count, same FROM assignment_part WHERE assignment_id = ?", test_id)
        for test_id in (pre, pre + 1)
    ]
    assert parts[0] == parts[1]
    assert len(parts[0]) > 2
    assert all(same for *_, same in parts[0])
    with taught_class.writes() as write:
        for number in range(10):
            place = write.student(f"同学{number}")
            write.hand_in(write.begin(pre, place, -90), -80, 2 + number % 2, 8)
            write.hand_in(write.begin(pre + 1, place, -9), -8, 6 + number % 3, 8)
    page = teacher.open(f"{class_url}/tests")
    assert "不像是碰巧" in page.main.text
    assert "10个人两次都交了" in page.main.text
    assert "个百分点，把握范围" in page.main.text.replace(" ", ""), "two bare numbers say nothing"
    assert "同学9" in page.main.one("table").text
    with taught_class.writes() as write:
        [(part_id,)] = ledger.rows("SELECT MAX(id) FROM assignment_part")
        write.insert("part_grant", part_id=part_id, granted=True, reason="印错了", created_at=write.at(0))
    granted = teacher.open(f"{class_url}/tests").main.text
    assert "《后测：数学定义》有题全员给了满分。送的分不是学来的" in granted
    assert "不像是碰巧" not in granted
    refused = teacher.client.post(form["action"], data={"stage": "nonsense"})
    assert refused.status_code == 422
    assert "先挑一段" in Page(refused).by_id("stage-error").text
    assert Page(refused).by_id("stage")["aria-invalid"] == "true"


def test_no_form_of_fewer_than_four_questions_is_offered(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    options = teacher.open(f"{class_url}/tests").by_id("stage").all("option")
    assert options
    for option in options:
        match = re.search(r"（([0-9]+)题）", option.text)
        assert match
        assert 4 <= int(match[1]) <= 8
        response = teacher.client.post(
            f"{class_url}/tests", data={"stage": option["value"]}, follow_redirects=False
        )
        new_url = response.headers["location"]
        assert f"{match[1]}题" in teacher.open(new_url).main.text


def test_few_who_did_both_prove_nothing(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        pre = write.assignment(PRACTICE, form="pre", title="前测")
        write.connection.execute("UPDATE assignment SET pair = id")
        post = write.assignment(PRACTICE[:1], form="post", title="后测", pair=pre)
        student = write.student("小糖")
        write.hand_in(write.begin(pre, student, -90), -80, 0, 2)
        write.hand_in(write.begin(post, student, -9), -8, 2, 2)
    page = teacher.open(f"{class_url}/tests")
    assert "样本太少，先别下结论" in page.main.text
    assert "不是同一套题型" in page.main.text


def test_what_was_gained_is_the_difference_of_what_is_shown(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    with taught_class.writes() as write:
        pre = write.assignment(PRACTICE, form="pre", title="前测")
        post = write.assignment(PRACTICE, form="post", title="后测", pair=pre)
        student = write.student("小糖")
        write.hand_in(write.begin(pre, student, -90), -80, 3, 8)
        write.hand_in(write.begin(post, student, -9), -8, 4, 5)
    page = teacher.open(f"{class_url}/tests")
    assert [figure.text for figure in page.main.all("dd")][:2] == ["37.5%", "80.0%"]
    assert page.main.all("dd")[2].text.startswith("+42.5")
    assert [cell.text for cell in page.main.one("tbody").all("td")] == ["38%", "80%", "+42"]


def test_who_did_one_test_or_the_first_too_late_is_told_and_left_out(
    teacher: Reader, taught_class: Class, class_url: str
) -> None:
    with taught_class.writes() as write:
        pre = write.assignment(PRACTICE, form="pre", title="前测")
        post = write.assignment(PRACTICE, form="post", title="后测", pair=pre)
        for name, minutes_before, minutes_after in (("小糖", -80, -8), ("小序", -80, None), ("小补", -5, -8)):
            student = write.student(name)
            write.hand_in(write.begin(pre, student, -90), minutes_before, 1, 2)
            if minutes_after:
                write.hand_in(write.begin(post, student, -9), minutes_after, 1, 2)
    page = teacher.open(f"{class_url}/tests")
    assert "1个人两次都交了，另外2人没算进来" in page.main.text
    rows = [[cell.text for cell in row.all("td")] for row in page.main.one("tbody").all("tr")]
    assert rows == [["50%", "50%", "0"], ["50%", "没做", "—"], ["50%", "50%", "前测更晚"]]
    assert "前测交得比后测晚（老师收的，看最后一次写），量的不是教以前" in page.main.text


# 讲评.


def test_one_question_on_the_wall_without_names(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE, title="第二周")
        for number in range(5):
            attempt = write.begin(work, write.student(f"同学{number}"), -9)
            taught_class.did(write, attempt, right=number < 3)
        write.begin(work, write.student("没交"), -9)
    page = teacher.open(f"{class_url}/assignments/{work}/review")
    assert "5个人的第一次回答" in page.main.text
    assert "还有1个人这题没有回答" in page.main.text
    assert [entry.text for entry in page.main.all("li", class_="wall-bar")] == [
        "对了 3人",
        "用了自然对数 2人",
    ]
    assert "同学" not in page.main.text
    assert taught_class.number() not in page.main.text, "not told yet"
    wall = teacher.open(page.main.one("a", class_="primary")["href"])
    assert wall.path == f"{class_url}/assignments/{work}/review?question=1&shown=1"
    assert wall.main.one("section", class_="wall-question").all("div", class_="wall-solution")
    bar = wall.main.one("li", class_="is-right")
    assert taught_class.number() in bar.text
    assert "同学" not in wall.main.text
    wall = teacher.open(wall.main.one("a", rel="next")["href"])
    assert "圈出来的6道" in wall.main.text
    assert wall.main.all("li", class_="is-right") == []
    assert not wall.main.all("a", rel="next")
    teacher.open(f"{class_url}/assignments/{work}/review?question=3", status=404)
    right = teacher.open(f"{class_url}/assignments/{work}/review?question=2&shown=1").main.one(
        "li", class_="is-right"
    )
    assert "3人" in right.text


def test_what_went_with_an_account_is_no_part_of_the_whole(
    teacher: Reader, taught_class: Class, class_url: str, ledger: Ledger
) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        for number in range(4):
            attempt = write.begin(work, write.student(f"同学{number}"), -9)
            taught_class.did(write, attempt, right=number < 2)
    with ledger.other_program() as connection:  # as the deletion of one who was right, and of one who was not
        connection.execute("UPDATE response SET raw = '[]', value = NULL WHERE attempt_id IN (1, 3)")
    page = teacher.open(f"{class_url}/assignments/{work}/review?question=2")
    bars = page.main.all("rect", class_="on")
    assert sorted(bar["width"] for bar in bars if bar["width"] != "0.0%") == ["50.0%", "50.0%"]


@pytest.mark.parametrize("is_regraded", [False, True])
def test_no_value_of_another_variant_stands_beside_the_question(
    teacher: Reader, taught_class: Class, class_url: str, *, is_regraded: bool
) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        shown_item, other_item = (
            taught_class.course.version_hash_and_body("content:practice-dcg-2", seed)[1]
            for seed in (SEED, 99)
        )
        for number in range(3):
            attempt = write.begin(work, write.student(f"同学{number}"), -9)
            write.answer(attempt, FIRST, -3, "right", (taught_class.number(),), shown_item)
        attempt = write.begin(work, write.student("别的数"), -9)
        answer_id = write.answer(
            attempt, FIRST, -3, "wrong", ("77.123",), other_item, misconception="natural_log"
        )
        if is_regraded:  # what it is regraded by has the numbers of one student
            write.insert(
                "re_mark",
                response_id=answer_id,
                verdict="wrong",
                score=0.0,
                misconception="natural_log",
                item_version=write.version(other_item),
                created_at=write.at(-2),
            )
    page = teacher.open(f"{class_url}/assignments/{work}/review?question=1&shown=1")
    assert taught_class.number() in page.main.one("li", class_="is-right").text
    assert "用了自然对数 1人" in page.main.text
    assert "77.123" not in page.main.text


def test_a_question_that_nobody_has_answered(teacher: Reader, taught_class: Class, class_url: str) -> None:
    with taught_class.writes() as write:
        work = write.assignment(PRACTICE)
        game = write.assignment([("game", "duel", 0, 1)])
        strange = write.assignment([("item", "own-9:x", 0, 1)])
    page = teacher.open(f"{class_url}/assignments/{work}/review?question=1&shown=1")
    assert "还没有回答" in page.main.text
    assert "每个人的数不一样" in page.main.text
    assert "没有题目可讲" in teacher.open(f"{class_url}/assignments/{game}/review").main.text
    assert "读不出来" in teacher.open(f"{class_url}/assignments/{strange}/review").main.text


def test_what_the_teacher_wrote_is_named_too(teacher: Reader, taught_class: Class, class_url: str) -> None:
    teacher.open("/own/new?template=section")
    path = teacher.submit(teacher.page.form("/own", "存")).path
    own = f"own-{path.removeprefix('/own/').partition('?')[0]}:guess-first"
    with taught_class.writes() as write:
        work = write.assignment([("item", own, 0, 1)])
        attempt = write.begin(work, write.student("小糖"), -9)
        write.answer(attempt, f"{own}#1", -8)
    [row] = teacher.open(f"{class_url}/items?assignment={work}").main.all("article")
    assert "一道旧题" not in row.text
    wall = teacher.open(f"{class_url}/assignments/{write_own(taught_class, own)}/review")
    assert wall.main.one("div", class_="stem").text


def write_own(taught_class: Class, own: str) -> int:
    """The same, which nobody has answered yet."""
    with taught_class.writes() as write:
        return write.assignment([("item", own, 0, 1)])
