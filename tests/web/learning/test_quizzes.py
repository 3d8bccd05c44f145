"""The 小测 of a stage: one question at a time, and at the end what to look at again."""

import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from app.course import Course
from app.settings import root
from tests.web.cast import Ledger, Reader, browser, right_answer, settings_at, site_with, wrong_answer

QUIZ = ["gain-of-grade", "discount-at-15", "term-at-fourth", "dcg-by-hand", "idcg-by-hand", "ndcg-by-hand"]
URL = "/lessons/concepts/concepts-quiz"


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Reader]:
    """小糖, at a course whose first stage asks six questions of the second one at its end."""
    content = tmp_path / "content"
    copytree(root() / "content", content)
    lesson = content / "01-concepts/lesson.yaml"
    text = lesson.read_text(encoding="utf-8")
    changed = re.sub(r"^quiz:\n(  - .*\n)+", f"quiz: [{', '.join(QUIZ)}]\n", text, flags=re.MULTILINE)
    assert changed != text
    lesson.write_text(changed, encoding="utf-8")
    with site_with(settings_at(tmp_path / "data", content=content)) as client:
        yield browser(client)


@pytest.fixture
def course(guest: Reader) -> Course:
    loaded: Course = guest.client.app.state.site.course  # type: ignore[attr-defined]
    return loaded


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(settings_at(tmp_path / "data").database_url)


def answer_all(guest: Reader, course: Course, wrong: frozenset[str] = frozenset()) -> None:
    """Answer every question in its turn, then 看看结果."""
    guest.open(URL)
    for item in QUIZ:
        answer = (wrong_answer if item in wrong else right_answer)(course.items[item])
        guest.answer(item, *answer)
        guest.go_on()


def test_the_quiz_stands_last_in_the_list_of_sections(guest: Reader) -> None:
    page = guest.open("/lessons/concepts")
    titles = [link.text for link in page.main.all("span", class_="section-title")]
    assert titles[-1] == "小测"


def test_one_question_at_a_time(guest: Reader, course: Course) -> None:
    page = guest.open(URL)
    assert len(page.main.all("li", class_="step")) == 1
    assert "第1题，共6题" in page.text
    guest.answer(QUIZ[0], *right_answer(course.items[QUIZ[0]]))
    page = guest.go_on()
    assert len(page.main.all("li", class_="step")) == 2
    assert "第2题，共6题" in page.text


def test_all_right(guest: Reader, course: Course, ledger: Ledger) -> None:
    answer_all(guest, course)
    assert guest.page.by_id("quiz-result").text == "一共6题，一次就对 6题 ，一颗都没掉。"
    assert not guest.page.main.all("ul", class_="look-again")
    assert ledger.rows("SELECT done FROM lesson_place WHERE section = 'concepts-quiz'") == [(1,)]


def test_what_was_missed_leads_to_where_it_is_taught(guest: Reader, course: Course) -> None:
    answer_all(guest, course, frozenset({"discount-at-15", "ndcg-by-hand"}))
    assert "一次就对 4题" in guest.page.by_id("quiz-result").text
    again = guest.page.main.one("ul", class_="look-again")
    assert [(link.text, link["href"]) for link in again.all("a")] == [
        ("折损", "/lessons/definitions/gain-and-discount"),
        ("归一化与NDCG", "/lessons/definitions/normalise"),
    ]


def test_a_mended_answer_is_still_worth_another_look(guest: Reader, course: Course) -> None:
    guest.open(URL)
    first = course.items[QUIZ[0]]
    guest.answer(QUIZ[0], *wrong_answer(first))
    guest.answer(QUIZ[0], *right_answer(first))
    page = guest.open(f"{URL}?step=7")
    assert "一次就对 0题 ，还有5题没答" in page.by_id("quiz-result").text
    assert "增益" in page.main.one("ul", class_="look-again").text


def test_nothing_answered_is_nothing_wrong(guest: Reader, ledger: Ledger) -> None:
    page = guest.open(f"{URL}?step=7")
    assert "还有6题没答" in page.by_id("quiz-result").text
    assert not page.main.all("ul", class_="look-again")
    assert ledger.count("learner") == 0, "who only looks leaves no trace"


def test_the_result_of_the_fragment_is_the_result_of_the_page(guest: Reader, course: Course) -> None:
    answer_all(guest, course, frozenset({"dcg-by-hand"}))
    page = guest.open(f"{URL}?step=6")
    fragment = guest.go_on(htmx=True)
    page = guest.open(f"{URL}?step=7")
    assert fragment.by_id("moves").one("section").html == page.by_id("moves").one("section").html


def test_another_learner_has_a_result_of_their_own(guest: Reader, course: Course) -> None:
    answer_all(guest, course)
    second_guest = browser(guest.client)
    assert "还有6题没答" in second_guest.open(f"{URL}?step=7").text
    assert "一颗都没掉" in guest.open(f"{URL}?step=7").text


def test_at_its_end_the_cards_of_the_stage_are_offered_once(guest: Reader, course: Course) -> None:
    answer_all(guest, course)
    form = guest.page.form("/cards/collected")
    cards = course.card_ids_by_stage_id["concepts"]
    assert [field["value"] for field in form.all("input") if field["name"] == "card"] == list(cards)
    guest.submit(form)
    assert guest.page.path.startswith(URL)
    assert [field for field in guest.page.root.all("form") if field["action"] == "/cards/collected"] == []
    assert f"{len(cards)}张" in guest.open("/cards").main.text
