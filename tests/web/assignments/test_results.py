"""What a student reads of work that was handed in, and when."""

import re

import pytest
from starlette.testclient import TestClient

from app.course import Course
from app.course.items.kinds import MultipleChoice
from tests.web.assignments.drafting import FUTURE, NUMERIC, PAST, in_rows
from tests.web.cast import right_answer, wrong_answer
from tests.web.school import PASSWORD
from tests.web.taught import Term

SECRETS = ("verdict", "score", "misconception", "points")


@pytest.mark.parametrize("answers", ["due", "never"])
def test_sealed_results_are_told_nowhere(term: Term, course: Course, answers: str) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, answers=answers, due=FUTURE)
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, wrong_answer(course.items[NUMERIC]))
    page = term.hand_in(path)
    assert not page.main.all("div", class_="item")
    assert "以后，这里能看结果" in page.main.text if answers == "due" else "老师来讲" in page.main.text
    [(attempt,)] = term.ledger.rows("SELECT id FROM attempt WHERE source = 'assignment'")
    assert "还没有公布" in term.student.open(f"/attempts/{attempt}", status=404).text
    export = term.student.client.get("/me/data.json").json()
    assert export["response"][0]["raw"]
    for row in (*export["response"], *export["submission"]):
        assert not set(row) & set(SECRETS)
    for where in ("/", "/progress", "/assignments", path, "/cards", "/practice"):
        text = term.student.open(where).text
        assert not re.search("(?<![0-9])0分(?!钟)", text), where
        assert "不对" not in text, where
    assert not term.student.open("/mistakes").main.all("a", href=f"/attempts/{attempt}#item-{NUMERIC}")
    term.teacher.open(draft_path)
    term.teacher.submit(term.teacher.page.form(f"{draft_path}/collections"))
    page = term.student.open(f"{path}/passes/1")
    assert bool(page.main.all("div", class_="item")) == (answers == "due")
    links = term.student.open("/mistakes").main.all("a", href=f"/attempts/{attempt}#item-{NUMERIC}")
    assert bool(links) == (answers == "due")
    if answers == "due":
        assert term.student.open(f"/attempts/{attempt}").path == f"{path}/passes/1"
        assert term.student.client.get("/me/data.json").json()["response"][0]["verdict"] == "wrong"


def test_results_show_the_question_as_it_was(term: Term, course: Course, client: TestClient) -> None:
    """Also after its text has changed."""
    path = term.publish(term.draft(NUMERIC))
    term.begin(path)
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    before = term.hand_in(path).by_id("question-1-stem").text
    changed = course.items[NUMERIC].model_copy(update={"stem": "换了一个问法。"})
    other_course = course.with_items({**course.items, NUMERIC: changed})
    site = client.app.state.site  # type: ignore[attr-defined]
    site.course_source.course = other_course
    try:
        assert term.student.open(f"{path}/passes/1").by_id("question-1-stem").text == before
    finally:
        site.course_source.course = course


def test_practice_again_is_offered_after_the_deadline(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    path = term.publish(draft_path)
    assert not term.student.open(path).has("again")
    term.set_up(draft_path, due=PAST)
    page = term.student.open(path)
    link = page.main.one("ul", class_="elsewhere").one("a")
    assert link["href"] == f"/items/{NUMERIC}"
    term.student.open(link["href"])
    assert "老师在你的页上看得到" in page.main.one("section", aria_labelledby="again").text
    assert "出题器" not in page.main.one("section", aria_labelledby="again").text
    term.set_up(draft_path, answers="never")
    assert not term.student.open(path).has("again"), "what is kept secret is not given away by practice"


def test_other_numbers_are_offered_for_practice_also_where_results_are_secret(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.teacher.submit(term.teacher.open(draft_path).by_id("add-practice").one("form"), ref="content:dcg")
    path = term.publish(draft_path)
    term.set_up(draft_path, answers="never", due=PAST)
    page = term.student.open(path)
    assert "出题器的题每次都换新的数" in page.main.one("section", aria_labelledby="again").text
    assert [element["href"] for element in page.main.one("section", aria_labelledby="again").all("a")] == [
        "/practice/dcg?level=1"
    ]


def words(term: Term) -> list[str]:
    return [
        element.text for element in term.student.open("/assignments").main.all("span", class_="task-word")
    ]


def test_the_list_of_what_is_handed_in_says_the_mark(term: Term, course: Course) -> None:
    for answers in ("handed_in", "due", "never"):
        draft_path = term.draft(NUMERIC, NUMERIC, title=answers)
        term.set_up(draft_path, answers=answers, due=FUTURE)
        path = term.publish(draft_path)
        term.begin(path)
        term.answer(path, 1, right_answer(course.items[NUMERIC]))
        term.hand_in(path)
    assert words(term) == ["结果老师来讲", "结果还没公布", "2/4分"]
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    for number in (1, 3):
        cell = f"{term.all}/{number}/students/{place}"
        term.teacher.open(cell)
        term.teacher.submit(term.teacher.page.form(f"{cell}/overrides"), points="3.5", reason="口头补答")
    assert words(term) == ["结果老师来讲", "结果还没公布", "3.5/4分 改过分"]
    assert "改成了3.5分，满分4分。理由：口头补答" in term.student.open("/assignments/1").main.text
    cell = f"{term.all}/1/students/{place}"
    for fields in ([("text", "写得清楚。")], [("pass", "1"), ("question", "1"), ("text", "单位呢？")]):
        term.teacher.post(f"{cell}/comments", fields)
    assert "老师的评语 写得清楚。" in term.student.open("/assignments/1").main.text
    result = term.student.open("/assignments/1/passes/1")
    assert "老师的评语 写得清楚。" in result.main.text
    assert "老师的评语： 单位呢？" in result.by_id("q1").text
    assert "单位呢" not in result.by_id("q2").text
    term.teacher.submit(term.teacher.open(cell).form(f"{cell}/excuses"), reason="病假")
    assert words(term) == ["结果老师来讲", "结果还没公布", "免做"]
    assert "不算进总评。理由：病假" in term.student.open("/assignments/1").main.text
    page = term.student.open("/assignments/3").main.text
    assert "3.5" not in page
    assert "口头补答" not in page
    assert "结果老师来讲" in page
    assert "还没公布" not in page, "it will not be"


def mark_questions(term: Term, number: str, points_by_question_number: dict[int, str]) -> str:
    """The path of the cell where the teacher gave questions of the first attempt other points."""
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    cell = f"{term.all}/{number}/students/{place}"
    for question_number, points in points_by_question_number.items():
        fields = [("pass", "1"), ("question", str(question_number)), ("points", points), ("reason", "过程对")]
        assert term.teacher.post(f"{cell}/question-marks", fields).status_code == 200
    return cell


def test_the_list_says_that_points_were_changed_until_they_are_not(term: Term, course: Course) -> None:
    path = term.publish(term.draft(NUMERIC, NUMERIC))
    term.begin(path)
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    term.hand_in(path)
    assert words(term) == ["2/4分"]
    cell = mark_questions(term, path.rpartition("/")[2], {1: "1.5"})
    assert words(term) == ["1.5/4分 改过分"]
    term.teacher.post(f"{cell}/question-marks", [("pass", "1"), ("question", "1"), ("back", "yes")])
    assert words(term) == ["2/4分"]


def test_the_list_says_nothing_of_a_grant_to_whom_it_gave_nothing(term: Term, course: Course) -> None:
    draft_path = term.draft(NUMERIC, "lucky-questions")
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    term.answer(path, 2, wrong_answer(course.items["lucky-questions"]))
    term.hand_in(path)
    links = term.teacher.open(f"{draft_path}/regrades").main.one("ol", class_="regrade-parts").all("a")
    grants = [link["href"] for link in links if "way=full" in link["href"]]
    for grant, shown_words in zip(grants, (["2/4分"], ["4/4分 改过分"]), strict=True):
        form = term.teacher.open(grant).form(f"{draft_path}/regrades")
        term.teacher.submit(form, reason="题目印错了")
        assert words(term) == shown_words


def test_the_points_of_questions_add_up_to_those_of_the_whole(term: Term, course: Course) -> None:
    path = term.publish(term.draft(NUMERIC, NUMERIC, NUMERIC))
    term.begin(path)
    for question_number in (1, 2, 3):
        term.answer(path, question_number, right_answer(course.items[NUMERIC]))
    term.hand_in(path)
    cell = mark_questions(term, path.rpartition("/")[2], {1: "0.67", 2: "1", 3: "0.75"})
    result = term.student.open(f"{path}/passes/1").main
    assert result.one("p", class_="score").text == "2.4分，满分6分"
    assert re.findall(r"2分里得([\d.]+)分", result.text) == ["0.7", "1", "0.7"]
    cell_page = term.teacher.open(cell).main
    points_of_questions = cell_page.all("span", class_="question-points")
    assert [element.text for element in points_of_questions] == ["0.7/2分", "1/2分", "0.7/2分"]
    changes = [element.text for element in cell_page.all("p", class_="second-mark")]
    assert changes == ["老师改成了0.7分。", "老师改成了1分。", "老师改成了0.7分。"]


def test_a_mark_without_an_attempt_leaves_nothing_to_be_done(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=FUTURE)
    path = term.publish(draft_path)
    assert "要做的" in term.student.open("/assignments").main.text
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    cell = f"{term.all}/1/students/{place}"
    term.teacher.submit(term.teacher.open(cell).form(f"{cell}/overrides"), points="1.5", reason="纸上做的")
    assert term.student.open("/assignments").main.one("h2").text == "交了的"
    assert words(term) == ["老师给了1.5分"]
    assert "老师给了1.5分，满分2分。理由：纸上做的" in term.student.open(path).main.text
    assert "1.5 给的" in term.teacher.open(term.all.replace("/assignments", "/gradebook")).main.text
    cell_text = term.teacher.open(cell).main.text
    assert "给分的理由：纸上做的" in cell_text
    assert "改过分" not in cell_text
    assert not term.student.open("/").main.all("p", class_="due-line")
    term.begin(path)
    assert term.student.open("/assignments").main.one("h2").text == "要做的", "begun all the same"


def test_the_marks_of_a_class_that_has_ended_are_still_read_together(term: Term, course: Course) -> None:
    for title in ("做了", "没做", "纸上做的", "课上讲"):
        draft_path = term.draft(NUMERIC, title=title)
        answers = "never" if title == "课上讲" else "handed_in"
        term.set_up(draft_path, due=FUTURE, answers=answers)
        path = term.publish(draft_path)
        if title in ("做了", "课上讲"):
            term.begin(path)
            term.answer(path, 1, right_answer(course.items[NUMERIC]))
            term.hand_in(path)
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    cell = f"{term.all}/3/students/{place}"
    term.teacher.submit(term.teacher.open(cell).form(f"{cell}/overrides"), points="1.5", reason="纸上做的")
    class_url = term.all.removesuffix("/assignments")
    term.teacher.submit(term.teacher.open(class_url).form(f"{class_url}/archivings"))
    page = term.student.open("/assignments").main
    assert [title.text for title in page.all("h2")] == ["以前的，只能看"]
    assert words(term) == ["结果老师来讲", "2/2分", "老师给了1.5分"], "what was handed in last comes first"
    assert page.text.count("交的") == 2, "when it was handed in is said beside the mark"


def test_a_quarter_of_a_point_is_the_same_to_student_and_teacher(term: Term, course: Course) -> None:
    item = next(
        option
        for option in course.items.values()
        if isinstance(option, MultipleChoice) and len(option.options) == 4
    )
    all_but_the_first = [
        option.id for place, option in enumerate(item.options) if (place == 0) == option.right
    ]
    draft_path = term.draft(item.id)
    term.teacher.submit(
        term.teacher.open(draft_path).form(f"{draft_path}/parts/settings", "改好"), **in_rows(points_1="1")
    )
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, all_but_the_first)
    page = term.hand_in(path)
    assert "0.3分，满分1分" in page.main.one("p", class_="score").text
    assert "1分里得0.3分" in page.by_id("question-1").text
    progress = term.teacher.open(draft_path).by_id("progress")
    assert "0.3/1" in progress.text
    work = term.teacher.open(progress.one("table").one("a")["href"])
    assert "0.3" in work.main.text


def test_a_mistake_in_an_assignment_stands_in_the_notebook_with_its_own_numbers(term: Term) -> None:
    draft_path = term.draft()
    fields = [("kind", "practice"), ("ref", "content:dcg"), ("count", "1"), ("points", "1"), ("level", "1")]
    term.teacher.post(f"{draft_path}/parts", fields)
    term.set_up(draft_path, answers="at_once")
    path = term.publish(draft_path)
    term.begin(path)
    answer = wrong_answer(term.question(path, 1))
    term.answer(path, 1, answer)
    page = term.student.open("/mistakes")
    assert answer[0] in page.main.text
    [link] = [element["href"] for element in page.main.all("a") if element["href"].startswith("/attempts/")]
    assert term.student.open(link).path == path, "it is not handed in yet"
    term.hand_in(path)
    assert term.student.open(link).path == f"{path}/passes/1"


def test_a_mistake_outlives_the_assignment_it_was_made_in(term: Term, course: Course) -> None:
    """The account of a teacher takes the classes along, with every question that was asked there."""
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, answers="at_once")
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, wrong_answer(course.items[NUMERIC]))
    links = term.student.open("/mistakes").main.all("a")
    [link] = [anchor["href"] for anchor in links if anchor["href"].startswith("/attempts/")]
    term.teacher.open(f"/classrooms/{term.classroom}")
    term.teacher.submit(term.teacher.page.form(f"/classrooms/{term.classroom}/archivings"))
    term.teacher.submit(term.teacher.open("/me/data").form("/me/deletions"), password=PASSWORD, sure="yes")
    assert term.ledger.count("submission") == 0
    for address in ("/mistakes", f"/mistakes?kind=point-{course.items[NUMERIC].skill}"):
        entry = term.student.open(address).main.one("li", class_="mistake")
        assert "已经删掉了" in entry.text
        assert "更早的" not in entry.text
        assert entry.one("a", class_="button").text.startswith("再来一道同类")
    term.student.open(link, status=404)
    for elsewhere in ("/", "/progress", "/practice", "/me/data.json"):
        assert term.student.client.get(elsewhere).status_code == 200, elsewhere
