"""Kinds that need a page of their own to be understood: the slip on a sheet, a few words of one's own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.course.small import small_content
from tests.web.cast import Ledger, Page, Reader, settings_at, site_with

SECOND = "/lessons/first/cards?step=3"
BOTH_NUMBERS = "".join(
    f"{name}:\n  kind: numeric\n  skill: dcg\n  stem: 甜度3、2、1，DCG是多少？\n"
    "  question: {quantity: dcg, grades: [3, 2, 1], k: 3}\n  hints: [先写三项。]\n"
    for name in ("find", "why")
)
WORDS = '<script>alert("糖")</script> & 位置'


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A site with the small course, which has one of every kind."""
    content = small_content(tmp_path / "content")
    with site_with(settings_at(tmp_path / "data", content=content)) as opened:
        yield opened


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(settings_at(tmp_path / "data").database_url)


def classes(page: Page, item: str) -> list[str]:
    """How the lines of a sheet stand, in order."""
    return [
        entry.get("class")
        for entry in page.item(item).one("ol", class_="lines").all("li", class_="calc-line")
    ]


def test_a_sound_line_says_why_it_is_in_order_and_one_may_look_again(guest: Reader) -> None:
    guest.open(SECOND)
    page = guest.answer("find", "first")
    assert page.by_id("item-find-say-1").text == "第1位不打折。"
    assert "没写错" in page.item("find").one("li", class_="tried").text
    assert "应当是" not in page.item("find").text
    assert "小笔记" not in page.item("find").text
    page = guest.answer("find", "second")
    assert "改对了" in page.item("find").text


def test_the_slip_is_marked_with_what_it_should_be_and_whose_it_was(guest: Reader) -> None:
    guest.open(SECOND)
    page = guest.answer("find", "second")
    assert "slip" in classes(page, "find")[2]
    slip = page.item("find").one("li", class_="slip")
    assert slip.one(class_="correction").text.startswith("应当是 第2项是")
    assert "写错了 · 你选的" in slip.text
    assert page.item("find").one("p", class_="source").text == "出处：小笔记 · DCG发表为5.5"


def test_the_answer_shown_is_the_same_sheet(guest: Reader) -> None:
    guest.open(SECOND)
    guest.submit(guest.page.answering("find"), "提示")
    page = guest.submit(guest.page.answering("find"), "看答案", htmx=True)
    assert classes(page, "find") == [
        "option calc-line",
        "option calc-line",
        "option calc-line slip",
        "option calc-line",
    ]
    assert "写错的是第3行" in page.by_id("item-find-worked").text


def test_a_sheet_without_a_pick_is_unreadable(guest: Reader, ledger: Ledger) -> None:
    guest.open(SECOND)
    page = guest.submit(guest.page.answering("find"), htmx=True, status=422, answer=[])
    assert "哪一行" in page.by_id("item-find-error").text
    assert ledger.count("response") == 0


@pytest.mark.parametrize("htmx", [True, False])
def test_own_words_come_back_as_they_were_written_with_what_to_hold_them_against(
    guest: Reader, ledger: Ledger, htmx: bool
) -> None:
    guest.open(SECOND)
    page = guest.submit(guest.page.answering("why"), htmx=htmx, answer=WORDS)
    item = page.item("why")
    assert item.one("blockquote").text == WORDS
    assert not item.all("script")
    ticks = item.all("input", type="checkbox")
    assert [tick.get("name") for tick in ticks] == ["", ""], "ticks are sent nowhere"
    assert "人从上往下看，越往下看的人越少。" in item.one("details", class_="model-answer").text
    assert "写下来了" in item.text
    [(raw, verdict, score)] = ledger.rows("SELECT raw, verdict, score FROM response")
    assert (json.loads(raw), verdict, score) == ([WORDS], "right", 0.0)


@pytest.mark.parametrize("typed", ["", "   "])
def test_an_empty_page_is_met_kindly_and_costs_nothing(guest: Reader, ledger: Ledger, typed: str) -> None:
    guest.open(SECOND)
    page = guest.submit(guest.page.answering("why"), htmx=True, status=422, answer=typed)
    assert "写几个字就行" in page.by_id("item-why-error").text
    assert page.by_id("item-why-answer")["aria-invalid"] == "true"
    assert ledger.count("learner") == 0


def test_the_model_answer_can_be_read_without_writing(guest: Reader) -> None:
    guest.open(SECOND)
    page = guest.submit(guest.page.answering("why"), "看参考回答")
    assert "看过参考回答" in page.item("why").text
    assert "人从上往下看，越往下看的人越少。" in page.by_id("item-why-worked").text


def test_own_words_earn_and_cost_nothing(guest: Reader) -> None:
    """But in an assignment whoever writes some has the points: one sentence is true in both."""
    how = guest.open(SECOND).by_id("item-why-how").text
    assert how == "没有标准答案，写了就算数；写完给你几点来对照。"
    guest.answer("why", "因为")
    assert not guest.open("/progress").root.all("p", class_="tally")
    guest.open(SECOND)
    guest.answer("find", "second")
    assert "做过1题" in guest.open("/progress").root.one("p", class_="tally").text


def test_an_answer_from_before_the_question_became_a_number_is_no_fault_of_the_page(tmp_path: Path) -> None:
    content = small_content(tmp_path / "content")
    settings = settings_at(tmp_path / "data", content=content)
    with site_with(settings) as client:
        guest = Reader(client)
        guest.open(SECOND)
        guest.answer("find", "first")
        guest.answer("why", "因为先看到")
        cookies = client.cookies
    items = content / "01-first/items.yaml"
    before, text_after = items.read_text("utf-8").split("find:\n")
    after = text_after.partition("table:\n")[2]
    items.write_text(f"{before}{BOTH_NUMBERS}table:\n{after}", "utf-8")
    with site_with(settings) as client:
        client.cookies = cookies
        page = Reader(client).open(SECOND)
        for item in ("find", "why"):
            assert page.item(item).one("p", class_="heard").text == "这道题换过了，上次的回答读不出来。"
        assert page.item("find").all("form", class_="answer"), "what was wrong may be answered again"
