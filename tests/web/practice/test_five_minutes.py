"""今天的五分钟: a page that ticks what is done, and ends."""

import pytest

from app.course import Course
from app.course.learning.steps import Ask
from tests.web.cast import Ledger, Page, Reader, right_answer, wrong_answer
from tests.web.learning.nights import sleep
from tests.web.learning.walking import walk
from tests.web.pages import Element
from tests.web.practice.answering_variants import answer_variant

URL = "/five-minutes"


def parts(page: Page) -> list[Element]:
    """Those of the five minutes, then those beyond them."""
    return [part for daily_list in page.main.all("ol", class_="daily") for part in daily_list.all("li")]


def ways(page: Page) -> list[str]:
    return [part.one("a")["href"] for part in parts(page) if part.all("a")]


def test_a_stranger_is_offered_a_round_and_no_case_of_what_nobody_taught(
    guest: Reader, ledger: Ledger
) -> None:
    page = guest.open(URL)
    [duel] = ways(page)
    assert duel in [link["href"] for link in guest.open("/games").main.all("a")], "the play of the day"
    assert "1件小事，约1分钟，做完就收工" in page.text
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
        assert leads_back(guest)
        page = guest.open(URL)
        assert ways(page) == first_ways[number:], "what is done is ticked, what is left stays"
        assert f"做完{number}件" in page.text
    case = first_ways[2].rpartition("/")[2]
    guest.open(first_ways[2])
    guest.answer(f"errata-{case}", *right_answer(course.variant(f"errata-{case}", 0)))
    assert leads_back(guest)
    page = guest.open(URL)
    assert ways(page) == first_ways[3:], "a game is what five minutes have no room for"
    assert "做完了，收工" in page.text
    assert "今天这罐糖盖上盖子" in page.text
    assert "五分钟之外" in page.text
    guest.open(first_ways[3])
    guess_round(guest)
    assert not leads_back(guest), "the first round is the same every day"
    assert ways(guest.open(URL)) == first_ways[3:]
    guest.open(first_ways[3])
    guest.submit(guest.page.main.all("form")[0], "下一回合")
    guess_round(guest)
    assert leads_back(guest)
    page = guest.open(URL)
    assert ways(page) == []


def guess_round(reader: Reader) -> None:
    """On the open page of a duel: a guess, and all terms."""
    [guess_form, *_] = reader.page.main.all("form")
    reader.submit(guess_form, guess_form.all("button", name="answer")[0].text)
    assert not leads_back(reader), "the round is not over"
    reader.submit(reader.page.main.all("form")[1], "一口气翻完")


def test_the_duel_of_another_day_does_not_lead_back(guest: Reader) -> None:
    """It is none of today's."""
    guest.open("/games/duel?seed=20200101")
    guess_round(guest)
    guest.submit(guest.page.main.all("form")[0], "下一回合")
    guess_round(guest)
    assert not leads_back(guest)


def test_a_fixed_item_that_was_answered_in_a_lesson_today_is_ticked(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    """The lesson asks it with the very same numbers."""
    stage = course.stages[0]
    item_ids = course.practised_skills["order-matters"].item_ids
    guest.open(f"/items/{item_ids[0]}?seed=4")
    guest.answer(item_ids[0], *wrong_answer(course.variant(item_ids[0], 4)))
    for section in stage.sections[:2]:
        walk(guest, stage.id, section.id, len(section.steps))
    sleep(ledger)
    [way] = [way for way in ways(guest.open(URL)) if way.startswith("/items/")]
    item_id = way.removeprefix("/items/").partition("?")[0]
    section = course.section_by_item_id[item_id].section
    asking = [isinstance(step, Ask) and step.item == item_id for step in section.steps]
    step_number = 1 + asking.index(True)
    walk(guest, stage.id, section.id, step_number - 1)
    guest.open(f"/lessons/{stage.id}/{section.id}?step={step_number}")
    guest.answer(item_id, *right_answer(course.variant(item_id, 0)))
    page = guest.open(URL)
    assert way not in ways(page)
    assert "做完1件" in page.text


def test_what_was_done_today_stays_ticked_when_a_lesson_of_its_stage_is_opened(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    item_ids = course.practised_skills["order-matters"].item_ids
    guest.open(f"/items/{item_ids[0]}?seed=4")
    guest.answer(item_ids[0], *wrong_answer(course.variant(item_ids[0], 4)))
    sleep(ledger)
    [way] = [way for way in ways(guest.open(URL)) if way.startswith("/items/")]
    item_id, _, seed = way.removeprefix("/items/").partition("?seed=")
    guest.open(way)
    guest.answer(item_id, *right_answer(course.variant(item_id, int(seed))))
    ways_left = ways(guest.open(URL))
    assert "做完1件" in guest.page.text
    walk(guest, course.stages[0].id, course.stages[0].sections[0].id, 1)
    assert ways(guest.open(URL)) == ways_left
    assert "做完1件" in guest.page.text


def leads_back(reader: Reader) -> bool:
    """Whether the page on which something was just done has a way back to what the day still offers."""
    return bool(reader.page.main.all("a", href=URL))


def test_nothing_of_the_day_changes_what_it_offers(guest: Reader, course: Course, ledger: Ledger) -> None:
    """Neither much practice of the same kind, nor what is answered or learnt for the first time today."""
    for seed, is_right in enumerate([True, True, False, True, True, False], 1):
        answer_variant(guest, course, "cg", 2, seed, right=is_right)
    answer_variant(guest, course, "dcg", 1, 5, right=False)
    sleep(ledger)
    planned_ways = ways(guest.open(URL))
    for seed in range(10, 20):
        answer_variant(guest, course, "cg", 2, seed, right=True)
    answer_variant(guest, course, "gain", 1, 7, right=False)
    guest.open("/items/noodle-order?seed=4")
    guest.answer("noodle-order", *wrong_answer(course.variant("noodle-order", 4)))
    assert ways(guest.open(URL)) == planned_ways
    sleep(ledger)
    assert ways(guest.open(URL)) != planned_ways


def rate(reader: Reader, rating: str, card_count: int) -> None:
    """Turn so many cards that come, and rate each the same."""
    page = reader.open("/cards/review")
    for _ in range(card_count):
        page = reader.submit(page.main.one("form", class_="ratings"), rating)


def test_cards_that_were_never_learnt_come_too_and_are_ticked(guest: Reader) -> None:
    page = guest.open("/cards")
    guest.submit(next(form for form in page.main.all("form") if form["action"] == "/cards/collected"))
    page = guest.open(URL)
    assert "今天有10张，先翻5张" in page.text
    assert ways(page)[0] == "/cards/review"
    rate(guest, "记得", 2)
    assert not leads_back(guest)
    assert "翻过2张了，再翻3张" in guest.open(URL).text
    rate(guest, "记得", 3)
    assert "翻了5张了" in guest.page.text
    assert leads_back(guest)
    page = guest.open(URL)
    assert "翻了5张" in page.text
    assert "/cards/review" not in ways(page)
    assert "做完1件，共2件" in page.text


def test_looking_records_nothing(guest: Reader, course: Course, ledger: Ledger) -> None:
    answer_variant(guest, course, "cg", 1, 5, right=False)
    before = ledger.everything()
    guest.open(URL)
    assert ledger.everything() == before


def test_who_has_a_record_finds_it_on_the_home_page(guest: Reader, course: Course) -> None:
    assert URL not in guest.open("/").html
    answer_variant(guest, course, "cg", 1, 5, right=False)
    assert guest.open("/").main.all("a", href=URL)
