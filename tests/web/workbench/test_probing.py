"""体检: three lists with snippets, and the library that printed three figures."""

from html import unescape
from urllib.parse import urlencode

import pytest

from app.course.workbench.snippets import snippets
from tests.web.cast import Ledger, Page, Reader

PATH = "/workbench/probe"


def checked(guest: Reader, status: int = 200, **typed: str) -> Page:
    return guest.open(f"{PATH}?{urlencode(typed)}", status=status)


def test_every_snippet_stands_on_the_page_as_it_is(guest: Reader) -> None:
    page = guest.open(PATH)
    for snippet in snippets():
        assert unescape(page.by_id(f"snippet-{snippet.id}").one("code").html).count("LISTS") == 2
        assert snippet.code.strip() in unescape(guest.client.get(PATH).text)
    assert not page.has("checkup")


def test_a_library_is_named_with_its_twins_and_its_answers(guest: Reader) -> None:
    page = checked(guest, a="0.544", b="0.528", c="0")
    part = page.by_id("checkup")
    assert part.one("h2").text == "和trec_eval、pytrec_eval、ir_measures一样"
    assert "文档名大的在前" in part.text
    assert "单精度" in part.text
    assert "10.0-rc3版，2026年11月跑过" in part.text
    rows = part.one("table").all("tr")
    assert len(rows) == 7


def test_a_convention_of_no_library_is_told_by_axis(guest: Reader) -> None:
    text = checked(guest, a="0.682", b="0.897", c="0").by_id("checkup").text
    assert "认不出来" in text or "没有一家库这样算" in text


def test_the_figure_that_keeps_a_library_from_being_known_is_named(guest: Reader) -> None:
    text = checked(guest, a="0.544", b="0.9", c="0").by_id("checkup").text
    assert "认不出来" in text
    assert "只有第2列对不上：要是那里印的是0.528" in text


def test_few_decimals_leave_several(guest: Reader) -> None:
    text = checked(guest, a="0.3", b="0.6", c="0").by_id("checkup").text
    assert "小数位太少" in text


def test_who_prints_nothing_for_an_empty_query_is_told_so(guest: Reader) -> None:
    text = checked(guest, a="0.544", b="0.528", c="nan").by_id("checkup").text
    assert "不给数" in text
    assert "要另外问" in text


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"a": "", "b": "", "c": ""}, "要3个数"),
        ({"a": "0.5", "b": "x", "c": "0"}, "第2列的“x”不是数"),
        ({"a": "9" * 5000}, "要3个数"),
        ({"b": "<script>"}, "要3个数"),
    ],
)
def test_what_cannot_be_read_is_told(guest: Reader, typed: dict[str, str], words: str) -> None:
    page = checked(guest, 422, **typed)
    assert words in page.by_id("probe-fault").text
    assert not page.has("checkup")


def test_it_is_for_no_crawler_and_records_nothing(guest: Reader, ledger: Ledger) -> None:
    before = ledger.everything()
    assert guest.client.get(f"{PATH}?a=1&b=1&c=1").headers["x-robots-tag"] == "noindex, nofollow"
    assert ledger.everything() == before
