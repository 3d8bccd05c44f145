"""对账: what prints a figure elsewhere, in an address that anybody can be sent."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from app.engine import CONVENTIONS, scored_ndcg
from tests.web.cast import Ledger, Page, Reader

PATH = "/workbench/reconcile"
HTMX = {"HX-Request": "true"}


def reconciliation_of(guest: Reader, status: int = 200, **typed: str) -> Page:
    return guest.open(f"{PATH}?{urlencode(typed)}", status=status)


def headings(page: Page) -> list[str]:
    return [heading.text for heading in page.by_id("reconciled").all("h3")]


def test_libraries_that_print_the_figure_are_named_with_what_differs(guest: Reader) -> None:
    page = reconciliation_of(guest, list="3 2 3 0 1 2", printed="0.9488")
    assert headings(page)[0].startswith("LightGBM、XGBoost、")
    text = page.by_id("reconciled").text
    assert "0.9488：有库印得出它" in text
    assert "指数（2^甜度−1）" in text
    assert "糖序：线性" in text
    assert "NDCG|gain:2^g-1|disc:log2|pool:list|cut:k|ties:input|zero:1" in text
    assert "要是手算的" in text


def test_a_convention_of_no_library_is_told_with_its_signature(guest: Reader) -> None:
    page = reconciliation_of(guest, list="10 1\n0 1\n0 1\n1 0.5\n5 0.5", printed="0.918386")
    text = page.by_id("reconciled").text
    assert "没有一家库，可有约定印得出它" in text
    assert "甜的在前" in text
    assert "ties:best" in text


def test_what_nothing_prints_is_said_with_what_could_be_wrong(guest: Reader) -> None:
    text = reconciliation_of(guest, list="3 2 3 0 1 2", k="4", printed="0.78514").by_id("reconciled").text
    assert "没有哪种约定印得出它" in text
    assert "560种约定" in text
    for doubt in ("k抄对了吗", "却没返回的文档", "几个查询的平均"):
        assert doubt in text


def test_a_suspicion_is_a_link_to_the_list_that_explains_the_figure(guest: Reader) -> None:
    page = reconciliation_of(guest, list="doc grade\nx 3", k="10", printed="0.2201")
    text = page.by_id("reconciled").text
    assert "要是评判池里还有9篇甜度3的没写上" in text
    link = next(link for link in page.by_id("reconciled").all("a") if link.text == "照这样再对")
    explained = guest.open(link["href"])
    assert "有库印得出它" in explained.by_id("reconciled").text


def test_a_mistake_is_named_where_no_convention_prints_it(guest: Reader) -> None:
    text = reconciliation_of(guest, list="3 2 3 0 1 2", printed="6.861").by_id("reconciled").text
    assert "要是手算的" in text
    assert "上面那个错倒算得出" in text


def test_a_further_list_tells_more(guest: Reader) -> None:
    page = reconciliation_of(guest, list="3 2 3 0 1 2", printed="0.9488")
    (form,) = [form for form in page.main.all("form") if "再对一次" in form.text]
    fields = [(field["name"], field["value"]) for field in form.all("input", type="hidden")]
    value = scored_ndcg([2, 4, 1], [1, 1, 1], "lightgbm", 2, [2, 4, 1, 3, 2], list("gac"))
    narrowed = guest.open(f"{PATH}?{urlencode([*fields, ('again', f'{value:.4f}')])}")
    text = narrowed.by_id("reconciled").text
    assert "LightGBM" in text
    assert "CatBoost" not in text
    assert "又跑过1列" in text
    wrong = guest.open(f"{PATH}?{urlencode([*fields, ('again', '0.1234')])}")
    assert "加上后来跑的就对不上了" in wrong.by_id("reconciled").text


def test_a_further_figure_in_percent_keeps_its_sign(guest: Reader) -> None:
    page = reconciliation_of(guest, list="3 2 3 0 1 2", printed="94.88%", again="64.19%")
    assert "又跑过1列" in page.by_id("reconciled").text
    kept_fields = [(field["name"], field["value"]) for field in page.main.all("input", type="hidden")]
    assert {("printed", "94.88%"), ("again", "64.19%")} <= set(kept_fields)


def test_a_suspicion_of_a_figure_in_percent_keeps_its_sign(guest: Reader) -> None:
    """Without it, 0.8% would be a figure of 0.8."""
    page = reconciliation_of(guest, list="0.04 5", k="2", printed="0.8%")
    assert "要是别处的k是1" in page.by_id("reconciled").text
    link = next(link for link in page.by_id("reconciled").all("a") if link.text == "照这样再对")
    assert parse_qs(urlsplit(link["href"]).query)["printed"] == ["0.8%"]


def test_a_share_in_percent_is_read(guest: Reader) -> None:
    text = reconciliation_of(guest, list="3 2 3 0 1 2", printed="96.08%").by_id("reconciled").text
    assert "当成百分数读的：0.9608" in text


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"list": "3 2", "printed": "abc"}, "比如0.9488"),
        ({"list": "3 2", "printed": ""}, "比如0.9488"),
        ({"list": "", "printed": "0.5"}, "先贴一列甜度"),
        ({"list": "3 2", "k": "零", "printed": "0.5"}, "k是1到1000的整数"),
        ({"list": "3 2", "pool": "3x", "printed": "0.5"}, "3x"),
    ],
)
def test_what_cannot_be_read_is_told_and_nothing_is_lost(
    guest: Reader, typed: dict[str, str], words: str
) -> None:
    page = reconciliation_of(guest, 422, **typed)
    assert words in page.main.text
    assert page.main.all("input", name="printed")[0].get("value") == typed["printed"]
    assert typed["list"] in page.main.one("textarea").text
    assert not page.has("reconciled")


def test_a_figure_brings_its_cutoff_where_none_was_typed(guest: Reader) -> None:
    page = reconciliation_of(guest, list="3 2 3 0 1 2", k="", printed="ndcg@4: 0.8531")
    assert page.main.one("input", id="reconcile-k")["value"] == "4"
    assert ("k", "4") in [(field["name"], field["value"]) for field in page.main.all("input", type="hidden")]
    same_page = reconciliation_of(guest, list="3 2 3 0 1 2", k="4", printed="0.8531")
    assert headings(page) == headings(same_page)


def test_two_cutoffs_are_refused(guest: Reader) -> None:
    page = reconciliation_of(guest, 422, list="3 2 3 0 1 2", k="5", printed="ndcg@4: 0.8531")
    assert "抄来的数写着@4，和这里的k不一样：看看哪个对。" in page.main.text
    assert page.main.one("input", id="reconcile-k")["aria-invalid"] == "true"
    assert reconciliation_of(guest, list="3 2 3 0 1 2", k="4", printed="ndcg@4: 0.8531").has("reconciled")


def test_a_line_that_cannot_be_read_is_named_and_the_others_count(guest: Reader) -> None:
    page = reconciliation_of(guest, list="3\n2\n很甜\n1", printed="1.0")
    assert "第3行" in page.main.text
    assert "印得出它" in page.by_id("reconciled").text


def test_a_further_figure_that_is_none_is_told(guest: Reader) -> None:
    page = reconciliation_of(guest, 422, list="3 2 3 0 1 2", printed="0.9488", again="x")
    assert page.main.all("input", name="again")[-1].get("aria-invalid") == "true"


def test_it_is_a_part_of_a_page_for_htmx_and_the_same_page_without(guest: Reader) -> None:
    url = f"{PATH}?{urlencode({'list': '3 2 3 0 1 2', 'printed': '0.9488'})}"
    part = guest.client.get(url, headers=HTMX)
    assert part.status_code == 200
    assert part.text.lstrip().startswith('<section class="reconcile"')
    assert part.text.strip() in guest.client.get(url).text


def test_a_list_that_no_address_holds_is_posted(guest: Reader) -> None:
    grades = " ".join("3210" * 250)
    value = scored_ndcg([3, 2, 1, 0] * 250, list(range(1000, 0, -1)), "scikit-learn", 10)
    answer = guest.client.post(PATH, data={"list": grades, "k": "10", "printed": f"{value:.6f}"})
    assert answer.status_code == 200
    assert "有库印得出它" in answer.text


def test_it_is_for_no_crawler_and_records_nothing(guest: Reader, ledger: Ledger) -> None:
    before = ledger.everything()
    url = f"{PATH}?{urlencode({'list': '3 2', 'printed': '1.0'})}"
    for headers in ({}, HTMX):
        assert guest.client.get(url, headers=headers).headers["x-robots-tag"] == "noindex, nofollow"
    guest.client.post(PATH, data={"list": "3 2", "printed": "1.0"})
    assert ledger.everything() == before


def test_every_library_of_ours_is_named_somewhere_in_words(guest: Reader) -> None:
    text = reconciliation_of(guest, list="1 1", printed="1").by_id("reconciled").text
    for convention in CONVENTIONS.values():
        assert convention.library in text


@pytest.mark.parametrize("printed", ["1e5", "-3", "0", "1e-300", ".", "9" * 39, "1" * 500, "½", "0.5\x00"])
@pytest.mark.parametrize("listed", ["0 0 0", "- - -", "100 100", "3 1e12\n2 -1e12", "0.5 2.5", "x" * 3000])
def test_odd_input_is_answered(guest: Reader, printed: str, listed: str) -> None:
    answer = guest.client.get(f"{PATH}?{urlencode({'list': listed, 'printed': printed, 'pool': '1x1000'})}")
    assert answer.status_code in (200, 422)


def test_the_workbench_asks_for_the_figure_of_its_list(guest: Reader) -> None:
    page = guest.open(f"/workbench?{urlencode({'list': '3 2 3 0 1 2', 'k': '5', 'pool': '3'})}")
    entry = page.by_id("reconcile").one("form")
    fields = {field["name"]: field.get("value") for field in entry.all("input")}
    assert fields == {"list": "3 2 3 0 1 2", "k": "5", "pool": "3", "printed": ""}
    answer = guest.submit(entry, printed="0.9488")
    fields_of_address = parse_qs(urlsplit(answer.path).query)
    assert fields_of_address == {"list": ["3 2 3 0 1 2"], "k": ["5"], "pool": ["3"], "printed": ["0.9488"]}


@pytest.mark.parametrize("start", [PATH, f"{PATH}?list=3+2&printed=1.0"])
def test_a_longer_list_is_taken_whatever_stood_there_before(guest: Reader, start: str) -> None:
    lines = "".join(f"doc{rank} {rank % 4} {1 - rank / 1000:.3f}\r\n" for rank in range(600))
    (form,) = guest.open(start).main.all("form", class_="reconcile-form")
    page = guest.submit(form, list=lines, printed="0.9")
    assert page.path == PATH
    assert page.has("reconciled")
    assert page.main.one("form", class_="reconcile-form")["data-unsaved"] == "yes"
    assert "doc599 3 0.401" in page.main.one("textarea").text
    (form,) = page.main.all("form", class_="reconcile-form")
    page = guest.submit(form, list="3 2 3 0 1 2", printed="0.9488")
    assert page.path == f"{PATH}?list=3+2+3+0+1+2&printed=0.9488"
    assert page.main.one("form", class_="reconcile-form")["data-unsaved"] == ""


def test_what_an_address_holds_is_given_one(guest: Reader) -> None:
    """Also what cannot be read: it stands in the form of the address, with its fault."""
    for typed, status in (
        ({"list": "3 2 3 0 1 2", "printed": "0.9488", "again": "0.6419"}, 200),
        ({"list": "3 2\r\n很甜", "printed": "1.0"}, 200),
        ({"list": "", "printed": "0.5"}, 422),
    ):
        url = f"{PATH}?{urlencode(typed)}"
        answer = guest.client.post(PATH, data=typed, follow_redirects=False)
        assert answer.status_code == 303
        assert answer.headers["location"] == f"{url}#reconciled"
        part = guest.client.post(PATH, data=typed, headers=HTMX, follow_redirects=False)
        assert part.status_code == status
        assert part.headers["hx-push-url"] == url
        assert part.text.strip() in guest.open(url, status=status).html


def test_a_list_that_no_address_holds_leaves_the_address_as_it_is(guest: Reader) -> None:
    part = guest.client.post(PATH, data={"list": "3 2 1 0 " * 250, "printed": "0.95"}, headers=HTMX)
    assert "hx-push-url" not in part.headers
    assert 'data-hx-push-url="true"' not in part.text


def test_an_address_that_is_too_long_is_refused_in_words(guest: Reader) -> None:
    answer = guest.client.get(f"{PATH}?list={'3+' * 5000}&printed=1")
    assert answer.status_code in (400, 403, 409, 422)
    assert "太长" in answer.text


def test_a_library_of_which_only_the_source_was_read_says_so_in_chinese(guest: Reader) -> None:
    page = guest.open("/workbench/reconcile?list=3+2+3+0+1+2&printed=0.9488")
    assert "读的是源码，2026年7月" in page.text
    assert "read in the source" not in page.text


def test_the_cutoff_of_a_pasted_script_stands_in_its_field(guest: Reader) -> None:
    script = "y_true = [[3, 2, 3, 0]]\ny_score = [[.9, .8, .7, .6]]\nprint(ndcg_score(y_true, y_score, k=2))"
    page = reconciliation_of(guest, list=script, printed="0.877", k="")
    assert page.by_id("reconcile-k").attributes["value"] == "2"
