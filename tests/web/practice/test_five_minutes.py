"""今天的五分钟: a page that ticks what is done, and ends."""

import pytest

from app.course import Course
from tests.web.cast import Ledger, Page, Reader, right_answer, wrong_answer
from tests.web.learning.nights import sleep
from tests.web.pages import Element
from tests.web.practice.answering_variants import answer_variant

URL = "/five-minutes"


def parts(page: Page) -> list[Element]:
    return page.main.one("ol", class_="daily").all("li")


def ways(page: Page) -> list[str]:
    return [part.one("a")["href"] for part in parts(page) if part.all("a")]


def test_a_stranger_is_offered_a_case_and_a_round(guest: Reader, ledger: Ledger) -> None:
    page = guest.open(URL)
    case, duel = ways(page)
    assert case.startswith("/errata/")
    assert duel in [link["href"] for link in guest.open("/games").main.all("a")], "the play of the day"
    assert "2件小事，约2分钟，做完就收工" in page.text
    assert ledger.count("learner") == 0


@pytest.mark.both_databases
def test_it_stays_all_day_ticks_what_is_done_and_ends(guest: Reader, course: Course, ledger: Ledger) -> None:
    for exercise in ("cg", "dcg"):
        answer_variant(guest, course, exercise, 1, 5, right=False)
    sleep(ledger)
    page = guest.open(URL)
    first_ways = ways(page)
    assert [way.partition("?")[0].rpartition("/")[0] for way in first_ways[:2]] == ["/practice", "/practice"]
    assert page.main.one("a", class_="primary")["href"] == first_ways[0]
    for number, way in enumerate(first_ways[:2], 1):
        answer_form = guest.open(way).main.one("form", class_="answer")
        item = answer_form.one("input", name="item")["value"]
        seed = int(answer_form.one("input", name="seed")["value"])
        answer = wrong_answer if number == 1 else right_answer
        guest.answer(item, *answer(course.variant(item, seed)))
        page = guest.open(URL)
        assert ways(page) == first_ways[number:], "what is done is ticked, what is left stays"
        assert f"做完{number}件" in page.text
    case = first_ways[2].rpartition("/")[2]
    guest.open(first_ways[2])
    guest.answer(f"errata-{case}", *right_answer(course.variant(f"errata-{case}", 0)))
    assert ways(guest.open(URL)) == first_ways[3:]
    page = guest.open(first_ways[3])
    form = page.main.all("form")[0]
    button = form.all("button")[0]
    guest.submit(form, button.text)
    page = guest.open(URL)
    assert ways(page) == []
    assert "做完了，收工" in page.text
    assert "今天这罐糖盖上盖子" in page.text


def test_looking_records_nothing(guest: Reader, course: Course, ledger: Ledger) -> None:
    answer_variant(guest, course, "cg", 1, 5, right=False)
    before = ledger.everything()
    guest.open(URL)
    assert ledger.everything() == before


def test_who_has_a_record_finds_it_on_the_home_page(guest: Reader, course: Course) -> None:
    assert URL not in guest.open("/").html
    answer_variant(guest, course, "cg", 1, 5, right=False)
    assert guest.open("/").main.all("a", href=URL)
