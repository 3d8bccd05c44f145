"""指标段位: one's own list between its worst and its best order, and what sources say of bands."""

from urllib.parse import urlencode

import pytest

from app import engine
from app.course import Course
from tests.web.cast import Ledger, Page, Reader


def measured(guest: Reader, status: int = 200, **typed: str) -> Page:
    return guest.open(f"/bands?{urlencode(typed)}", status=status)


def test_the_tables_of_the_sources_are_named(guest: Reader, course: Course) -> None:
    text = guest.open("/bands").main.text
    assert len(course.bands) == 2
    for table in course.bands:
        assert f"{table.source}：{table.measure}" in text
    assert "0.9–1.0" in text
    assert "5颗星" in text


def test_the_form_sends_a_list_and_gets_four_numbers(guest: Reader) -> None:
    form = guest.open("/bands").form("/bands")
    assert form["method"] == "get"
    page = measured(guest, grades="4 1 3 4 0", k="5", gain="linear", more="")
    room, own = engine.ndcg_range([4, 1, 3, 4, 0], 5), engine.ndcg([4, 1, 3, 4, 0], 5)
    cells = [cell.text for cell in page.by_id("measured").one("table").all("td")]
    assert cells == [f"{value:.3f}" for value in (room.worst, room.mean, own, room.best)]
    assert f"{own:.3f}" in page.by_id("measured").one("desc").text
    assert "截断k=5" in page.by_id("measured").text


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"grades": "4 1 3 4 0", "k": "5"}, "它是5颗星；可同样这些糖排到最差，也有2颗星"),
        ({"grades": "4 1 3 4 0", "k": "5"}, "照学习笔记的表（那张表说的是NDCG@10），"),
        ({"grades": "4 1 3 4 0", "k": "10"}, "照学习笔记的表，它是"),
        ({"grades": "4 1 3 4 0"}, "从乱排的平均到最好"),
        ({"grades": "1 3 2 0"}, "几乎就是闭眼乱排的平均"),
        ({"grades": "0 1 2 3"}, "这个顺序在帮倒忙"),
        ({"grades": "3 2 1"}, "已经排得不能更好了"),
        ({"grades": "2 2 2"}, "几乎没有余地"),
        ({"grades": "0 0"}, "一颗甜的都没有"),
        ({"grades": "2 1", "more": "3 3"}, "评判池里更甜的糖没端上来"),
        ({"grades": "3 ? 1", "gain": "exponential"}, "指数增益"),
    ],
)
def test_it_is_read_against_its_own_list(guest: Reader, typed: dict[str, str], message: str) -> None:
    assert message in measured(guest, 200, **typed).by_id("measured").text


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"grades": "4 甜 3", "k": "5", "more": "2"}, "grades"),
        ({"grades": "4 3", "k": "零", "more": "2"}, "k"),
        ({"grades": "4 3", "k": "2", "more": "<b>"}, "more"),
        ({"grades": "", "k": ""}, "grades"),
    ],
)
def test_bad_input_is_told_in_a_sentence_and_kept(guest: Reader, typed: dict[str, str], field: str) -> None:
    page = measured(guest, 422, **typed)
    assert page.by_id("measure-error").text
    assert page.by_id(field)["aria-invalid"] == "true"
    for name, value in typed.items():
        assert page.by_id(name)["value"] == value
    assert not page.has("measured")


def test_the_gain_that_was_chosen_stays_chosen(guest: Reader) -> None:
    page = measured(guest, grades="3 1", gain="exponential")
    assert [option.text for option in page.by_id("gain").all("option", selected="")] == ["指数"]


def test_examples_are_measured_by_a_click(guest: Reader) -> None:
    samples = [
        anchor for anchor in guest.open("/bands").main.all("a") if anchor["href"].startswith("/bands?")
    ]
    assert samples
    assert guest.open(samples[0]["href"].partition("#")[0]).has("measured")


def test_the_lesson_on_reading_a_score_leads_here(guest: Reader) -> None:
    page = guest.open("/lessons/definitions/read-the-score?step=4")
    assert page.main.all("a", href="/bands")


def test_measuring_records_nothing(guest: Reader, ledger: Ledger) -> None:
    measured(guest, grades="3 1")
    assert ledger.count("learner") == 0
