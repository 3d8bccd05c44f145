"""The work of a student as their teacher opens it, beside the page of the student."""

from app.course import Course
from tests.web.cast import right_answer
from tests.web.pages import Element
from tests.web.taught import Term

NUMERIC, STEPS = "cg-chengdu", "market-table"


def states_in(rail: Element) -> list[tuple[str, str]]:
    """How each question stands: by its shape, and in a word."""
    return [(link["class"].split()[-1], link.text.rpartition("，")[2]) for link in rail.all("a")]


def test_a_question_stands_with_its_teacher_as_with_its_student(term: Term, course: Course) -> None:
    """What cannot be read, has an empty cell, is blank, was not touched: open and handed in."""
    draft_path = term.draft(NUMERIC, STEPS, STEPS, NUMERIC)
    term.set_up(draft_path, answers="handed_in")
    path = term.publish(draft_path)
    term.begin(path)
    right_cells = right_answer(course.items[STEPS])
    term.answer(path, 1, ["我不会"])
    term.answer(path, 2, ["", *right_cells[1:]])
    term.answer(path, 3, ["" for _ in right_cells])
    [(enrolment_id,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小糖'")
    cell_path = f"{draft_path}/students/{enrolment_id}"
    states = states_in(term.student.open(f"{path}/hand-in").by_id("rail"))
    assert [word for _, word in states] == ["看不懂", "有空着的", "没答", "没答"]
    page = term.teacher.open(cell_path)
    assert states_in(page.by_id("p1-rail")) == states
    assert "存着，没有交：我不会" in page.by_id("p1-q1").text
    assert "没有答" in page.by_id("p1-q3").text
    term.hand_in(path)
    states = states_in(term.student.open(f"{path}/passes/1").by_id("rail"))
    assert [word for _, word in states] == ["看不懂", "对了一部分", "没答", "没答"]
    page = term.teacher.open(cell_path)
    assert states_in(page.by_id("p1-rail")) == states
    assert "没有判：我不会" in page.by_id("p1-q1").text
    assert "没有答" in page.by_id("p1-q3").text
