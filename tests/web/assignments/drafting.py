"""What tests of assignments share: an item, times, the list of parts of a draft, a section learnt."""

from typing import Any

from app.course import Course
from app.course.content.model import Section
from tests.web.cast import Page, wrong_answer
from tests.web.pages import filled
from tests.web.taught import Term

NUMERIC = "cg-chengdu"
"""An item with one number for an answer, for two points."""
FUTURE, PAST = "2099-09-01T23:59", "2020-09-01T23:59"
"""Times as forms have them."""


def in_rows(**typed: str) -> dict[str, Any]:
    """Fields of rows, named as in the form: `points_2` is `points-2`."""
    return {name.replace("_", "-"): text for name, text in typed.items()}


def press(
    term: Term, page: Page, action: str, label: str = "", status: int = 200, htmx: bool = False, **typed: str
) -> Page:
    """Press the button of the list of parts that goes there; what is typed in any row goes along."""
    form = page.by_id("parts").one("form")
    [button] = [
        element for element in form.all("button", formaction=action) if element.text.startswith(label)
    ]
    fields = filled(form, button, **in_rows(**typed))
    answer_page = Page(term.teacher.post(action, fields, htmx))
    assert answer_page.status == status, answer_page.text[:300]
    if not htmx:
        term.teacher.page = answer_page
    return answer_page


def learn(term: Term, course: Course, section: Section) -> None:
    """The student answers what a section of the first stage asks, and goes through it."""
    stage = course.stages[0].id
    for ref in course.refs_asked_in_section(stage, section.id):
        item = course.items[course.bare_id(ref)]
        answers = [("answer", text) for text in wrong_answer(item)]
        fields = [("item", item.id), ("try", "1"), ("seed", "1"), *answers]
        assert term.student.post(f"/lessons/{stage}/responses", fields).status_code == 200
    for step in range(2, len(section.steps) + 2):
        term.student.post(f"/lessons/{stage}/{section.id}/places", [("step", str(step))])


def draft_of_own_cards(term: Term) -> str:
    """A draft with a goal of the cards of own content, from when such a goal was still taken."""
    assignment_url = term.draft()
    with term.ledger.other_program() as connection:
        connection.execute(
            "INSERT INTO assignment_part"
            " (assignment_id, position, kind, ref, level, count, same, points, bank)"
            " VALUES (1, 1, 'cards', 'own-1:own', 0, 3, FALSE, 2.0, 0)"
        )
    return assignment_url
