"""Before the results of a test are out, nothing differs between who was right and who was wrong."""

import re

import pytest

from app.course import Course
from app.web.site import clock
from tests.web.assignments.drafting import FUTURE, NUMERIC
from tests.web.cast import Reader, browser, right_answer, wrong_answer
from tests.web.school import code_of, join_new
from tests.web.taught import Term

PAGES = (
    *("/", "/course", "/progress", "/progress/certificate", "/practice", "/practice/map", "/practice/next"),
    *("/mistakes", "/cards", "/cards/all", "/cards/stats", "/cards/review", "/warm-ups"),
    *("/me", "/me/data", "/games", "/assignments", "/assignments/1", "/assignments/1/passes/1"),
    *("/classrooms/1", "/lessons/concepts", "/lessons/definitions", "/placement", "/code"),
)


def seen_by(reader: Reader, login: str) -> dict[str, str]:
    """The pages of a student, without what is their own: a name, a key, seeds, what a form proposes."""
    text_by_page = {}
    for page_path in PAGES:
        reader.open(page_path)
        text = reader.page.root.html.replace(login, "谁")
        text_by_page[page_path] = re.sub(
            r'seed=[0-9]+|name="(guest|learner|seed)" type="hidden" value="[^"]*"', "", text
        )
    return text_by_page


@pytest.mark.parametrize("answers", ["due", "never", "handed_in"])
def test_right_and_wrong_look_alike_before_the_results(
    term: Term, course: Course, monkeypatch: pytest.MonkeyPatch, answers: str
) -> None:
    moment = clock.now()  # pages say to the minute when something was handed in
    monkeypatch.setattr(clock, "time_source", lambda: moment)
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, answers=answers, due=FUTURE)
    code = code_of(term.teacher, term.classroom)
    path = term.publish(draft_path)
    item = course.items[NUMERIC]
    pages_by_login = {}
    for login, answer in (("小糖", wrong_answer(item)), ("小序", right_answer(item))):
        if login == "小序":
            term.student = browser(term.client)
            join_new(term.student, code, login)
        term.begin(path)
        term.answer(path, 1, answer)
        term.hand_in(path)
        pages_by_login[login] = seen_by(term.student, login)
    wrong_pages, right_pages = pages_by_login.values()
    differing_pages = [page for page in PAGES if wrong_pages[page] != right_pages[page]]
    assert bool(differing_pages) == (answers == "handed_in"), differing_pages
