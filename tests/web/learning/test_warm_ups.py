"""热热身: another day opens with three questions from last time, answered in place."""

from datetime import UTC, datetime

import pytest

from app.course import Course
from app.course.items.kinds import Numeric
from app.records.db.days import day_of
from tests.web.cast import Ledger, Reader, browser, right_answer, steps, wrong_answer
from tests.web.learning.nights import sleep

STAGE = "definitions"


def learn(guest: Reader, course: Course, wrong: int = 1, count: int = 4) -> list[str]:
    """Answer `count` questions for a number, the last `wrong` of them wrongly; their ids."""
    places = [place for place, step in steps(course) if place.stage == STAGE and place.name in course.items]
    numeric = [place for place in places if isinstance(course.items[place.name], Numeric)][:count]
    for number, place in enumerate(numeric):
        guest.open(place.url)
        answer = wrong_answer if number >= count - wrong else right_answer
        guest.answer(place.name, *answer(course.items[place.name]))
    return [place.name for place in numeric]


@pytest.fixture
def returning(guest: Reader, course: Course, ledger: Ledger) -> Reader:
    """小糖, who comes back after a day: four questions answered, the last one wrongly."""
    learn(guest, course)
    guest.go_on()
    sleep(ledger)
    return guest


def test_the_stage_offers_it_on_another_day(returning: Reader) -> None:
    """And goes on all the same: the home page has 今天的五分钟 for what was learnt."""
    page = returning.open(f"/lessons/{STAGE}")
    assert page.main.one("p", class_="warm-up-offer").one("a")["href"] == "/warm-ups"
    assert "又是新的一天" in page.text  # be it the next one, or one two months later
    assert "上次的3道题" in page.text
    assert page.main.one("a", class_="primary").text == "接着学"
    assert not returning.open("/").main.all("a", href="/warm-ups")


def test_a_section_that_is_opened_again_offers_it_above_its_first_step(returning: Reader) -> None:
    page = returning.open(f"/lessons/{STAGE}/one-term")
    assert page.main.one("p", class_="warm-up-offer").one("a")["href"] == "/warm-ups"
    assert page.main.html.index("warm-up-offer") < page.main.html.index('id="dialogue"')


def test_a_section_offers_it_no_more_to_who_has_gone_on(returning: Reader, course: Course) -> None:
    [*_, (place, _)] = [
        step for step in steps(course) if step[0].stage == STAGE and step[0].name in course.items
    ]
    returning.open(place.url)
    returning.answer(place.name, *right_answer(course.items[place.name]))
    assert not returning.open(f"/lessons/{STAGE}/one-term").main.all("a", href="/warm-ups")


def test_a_section_offers_nothing_to_newcomers(guest: Reader) -> None:
    assert not guest.open(f"/lessons/{STAGE}/one-term").main.all("a", href="/warm-ups")


def test_the_same_day_offers_nothing(guest: Reader, course: Course) -> None:
    learn(guest, course)
    guest.go_on()
    assert not guest.open(f"/lessons/{STAGE}").main.all("a", href="/warm-ups")
    assert "今天没有要热身的题" in guest.open("/warm-ups").text


def test_three_questions_the_missed_one_first(guest: Reader, course: Course, ledger: Ledger) -> None:
    names = learn(guest, course)
    sleep(ledger)
    page = guest.open("/warm-ups")
    items = [form.one("input", name="item")["value"] for form in page.main.all("form", class_="answer")]
    assert items == [names[3], names[0], names[1]]


def test_answered_in_place_and_kept_apart_from_the_lesson(
    returning: Reader, course: Course, ledger: Ledger
) -> None:
    page = returning.open("/warm-ups")
    first = page.main.all("form", class_="answer")[0].one("input", name="item")["value"]
    page = returning.answer(first, *right_answer(course.items[first]))
    today = day_of(datetime.now(UTC), "Asia/Shanghai")
    assert page.path == f"/warm-ups/{today}"
    assert "一次就对" in page.item(first).text
    rows = ledger.rows("SELECT source, ref FROM attempt ORDER BY id")
    assert rows[-1] == ("practice", f"content:warm-up-{today}")
    assert "热热身" in returning.open(f"/attempts/{len(rows)}").text


def test_done_for_today(returning: Reader, course: Course) -> None:
    page = returning.open("/warm-ups")
    for form in page.main.all("form", class_="answer"):
        item = form.one("input", name="item")["value"]
        returning.answer(item, *wrong_answer(course.items[item]))
    assert not returning.open(f"/lessons/{STAGE}").main.all("a", href="/warm-ups")


def test_each_question_names_where_it_comes_from(returning: Reader, course: Course) -> None:
    links = [note.one("a") for note in returning.open("/warm-ups").main.one("ol").all("p", class_="note")]
    assert len(links) == 3
    assert all(course.stages[1].section(link["href"].rpartition("/")[2]) for link in links)


def test_it_leads_back_to_the_lesson(returning: Reader) -> None:
    link = returning.open("/warm-ups").main.all("a", class_="primary")[-1]
    assert link["href"].startswith(f"/lessons/{STAGE}/")


def test_the_fragment_is_part_of_the_page(returning: Reader, course: Course) -> None:
    page = returning.open("/warm-ups")
    item = page.main.all("form", class_="answer")[0].one("input", name="item")["value"]
    fragment = returning.answer(item, *right_answer(course.items[item]), htmx=True)
    assert fragment.item(item).html == returning.open("/warm-ups").item(item).html


def test_what_cannot_be_read_stays_where_it_was_typed(returning: Reader) -> None:
    page = returning.open("/warm-ups")
    item = page.main.all("form", class_="answer")[0].one("input", name="item")["value"]
    page = returning.answer(item, "三点几")
    assert page.item(item).one("input", type="text")["value"] == "三点几"
    assert "认不出" in page.item(item).text


def test_looking_records_nothing(returning: Reader, ledger: Ledger) -> None:
    before = ledger.everything()
    for path in ("/", "/warm-ups", "/warm-ups/2026-01-01", f"/lessons/{STAGE}"):
        returning.open(path)
    assert ledger.everything() == before


def test_a_newcomer_finds_the_page_and_no_questions(guest: Reader) -> None:
    page = browser(guest.client).open("/warm-ups")
    assert "今天没有要热身的题" in page.text


@pytest.mark.parametrize("day", ["tomorrow", "2026-13-01", "20260901x", "0001-01-01", "9999-12-31"])
def test_a_day_that_is_none_is_not_found(returning: Reader, day: str) -> None:
    assert "地址里的日子不对" in returning.open(f"/warm-ups/{day}", status=404).text
