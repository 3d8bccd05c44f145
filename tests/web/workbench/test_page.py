"""The workbench without scripts: the address says all of it, forms move it on, nothing is recorded."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from app.course.workbench.pasting import MOST_DOCUMENTS
from app.course.workbench.state import read_state
from app.engine import CONVENTIONS, ndcg
from app.engine.signatures import signature
from app.engine.terms import DISCOUNTS, GAINS
from app.records.accounts import throttle
from app.web.qr_codes import qr_code_svg
from tests.tables import each
from tests.web.cast import FORM, Ledger, Page, Reader
from tests.web.pages import Element, filled

WORKBENCH = "/workbench"
TIED = "list=3+1%0A0+1%0A2+1%0A0+1"
LONG = "\n".join(f"文档{place}号，一个不短的标题\t{place % 4}\t{1000 - place}" for place in range(200))


def figure(page: Page) -> str:
    return page.by_id("result-title").one("data").text


def card(page: Page) -> dict[str, str]:
    """Library → the figure beside it."""
    figures = {}
    for row in page.main.one("table", class_="convention-card").one("tbody").all("tr"):
        for library in row.all("span", class_="library"):
            figures[library.text] = row.one("th").text
    return figures


def cells(row: Element) -> list[str]:
    return [cell.text for cell in row.all("td")]


@each(
    ("query", "expected"),
    [
        ("", "0.961"),
        ("list=3+2+3+0+1+2", "0.961"),
        ("list=3+2+3+0+1+2&gain=exponential", "0.949"),
        ("list=3+2+3+0+1+2&discount=reciprocal", "0.943"),
        ("list=1+0&pool=3+2", "0.210"),
        (f"{TIED}&convention=NDCG|ties:avg", "0.751"),
        (f"{TIED}&convention=NDCG%7Cties:docno-", "0.599"),
        ("list=3+2+3+0+1+2&convention=NDCG@2|gain:2^g-1", "0.779"),
        ("row=0-3&list=3+0", "0.631"),
        ("list=0+0", "0.000"),
    ],
)
def test_the_page_shows_what_the_address_says(guest: Reader, query: str, expected: str) -> None:
    assert figure(guest.open(f"{WORKBENCH}?{query}")) == expected


def test_every_gain_and_discount_of_the_engine_is_offered(guest: Reader) -> None:
    page = guest.open(WORKBENCH)
    for name, table in (("gain", GAINS), ("discount", DISCOUNTS)):
        options = page.by_id(f"workbench-{name}").all("option")
        assert {option["value"] for option in options} == set(table)
        assert all(option.text for option in options)


def test_every_term_and_the_ideal_stand_there(guest: Reader) -> None:
    page = guest.open(f"{WORKBENCH}?list=3+-+2&k=2&pool=1")
    own, ideal = page.main.all("table", class_="ledger")
    rows = own.one("tbody").all("tr")
    assert [cells(row)[2] for row in rows] == ["3.000", "0.000"]
    assert [cells(row)[3] for row in ideal.one("tbody").all("tr")] == ["3.000", "4.262"]
    assert "第3位起不算" in page.main.text


def test_the_card_says_who_prints_what_and_why(guest: Reader) -> None:
    figures = card(guest.open(f"{WORKBENCH}?{TIED}"))
    assert (figures["scikit-learn"], figures["trec_eval"], figures["ranx"]) == ("0.7513", "0.5992", "0.9386")
    assert figures["CatBoost"] == "0.5378"
    page = guest.open(f"{WORKBENCH}?{TIED}&versus=catboost")
    way = page.by_id("way")
    assert "CatBoost" in way.one("h3").text
    steps = [step.text for step in way.one("ol").all("li")]
    assert "−0.401" in steps[1]
    assert len(steps) == 2
    for link in way.all("a"):
        assert guest.open(link["href"]).status == 200


def test_a_refusal_is_told_in_words(guest: Reader) -> None:
    figures = card(guest.open(f"{WORKBENCH}?list=72+2.5+0"))
    assert figures["LightGBM"] == figures["XGBoost"] == "不收"
    page = guest.open(f"{WORKBENCH}?list=3&convention={signature('scikit-learn').replace('+', '%2B')}")
    assert "至少要2篇" in page.main.text
    assert not page.has("terms-title")


def test_a_swap_leads_to_the_list_after_it(guest: Reader) -> None:
    page = guest.open(f"{WORKBENCH}?list=0+3+2")
    row = page.main.one("table", class_="swaps").one("tbody").all("tr")[0]
    assert "(0−3)×(0.631−1.000)＝ +1.107" in cells(row)[0]
    after = guest.submit(page.by_id("workbench-form"), row.one("button").text)
    assert figure(after) == f"{ndcg([3, 0, 2]):.3f}"


def test_a_swap_of_parted_ties_brings_what_its_row_says(guest: Reader) -> None:
    query = urlencode({"convention": signature("scikit-learn"), "list": "3 1\n0 1\n2 0.5"})
    page = guest.open(f"{WORKBENCH}?{query}")
    swaps_section = page.main.one("section", class_="workbench-swaps")
    row = swaps_section.one("tbody").all("tr")[0]
    assert "×" not in cells(row)[0]
    assert "也不再取平均：这一变也算在里面。" in swaps_section.text
    after = guest.submit(page.by_id("workbench-form"), row.one("button").text)
    assert (figure(page), cells(row)[1], figure(after)) == ("0.809", "+0.191", "1.000")


@each(
    ("button", "text"),
    [
        ({"swap": "1-3"}, "2 3 0"),
        ({"move": "3-1"}, "2 0 3"),
        ({"move": "1-9"}, "0 3 2"),
        ({"swap": "0-2"}, "0 3 2"),
        ({"swap": "x"}, "0 3 2"),
    ],
)
def test_buttons_move_documents(guest: Reader, button: dict[str, str], text: str) -> None:
    answer = guest.client.post(
        WORKBENCH, data={"list": "0 3 2", **button}, headers=FORM, follow_redirects=False
    )
    assert answer.status_code == 303
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    assert query["list"] == [text]


@pytest.mark.both_databases
def test_what_was_pasted_comes_to_its_address_and_back(guest: Reader, ledger: Ledger) -> None:
    page = guest.open(WORKBENCH)
    form = page.by_id("workbench-form")
    answer_page = guest.submit(form, list="火锅\t３\t0.9\r\n串串\t-\t0.8", k="５", pool="2 1x3")
    assert answer_page.path.startswith(f"{WORKBENCH}?list=title%09grade")
    assert answer_page.by_id("workbench-k")["value"] == "5"
    assert answer_page.by_id("workbench-pool")["value"] == "2 1x3"
    again = guest.open(answer_page.path)
    assert again.by_id("result-title").text == answer_page.by_id("result-title").text
    assert ledger.rows("SELECT count(*) FROM learner") == [(0,)]
    assert ledger.rows("SELECT count(*) FROM throttle") == [(0,)]


def test_a_signature_is_read_back(guest: Reader) -> None:
    page = guest.open(f"{WORKBENCH}?{TIED}")
    line = signature("gdeval", 3)
    answer_page = guest.submit(page.by_id("workbench-form"), signature=line)
    assert answer_page.by_id("signature-line")["value"] == line
    assert read_state(parse_qs(urlsplit(answer_page.path).query)).state.convention == CONVENTIONS["gdeval"]
    bad = guest.submit(page.by_id("workbench-form"), signature="BLEU|c:mixed", status=422)
    assert "看不懂" in bad.main.text
    assert bad.by_id("workbench-signature")["value"] == "BLEU|c:mixed"


def test_unreadable_lines_are_named_and_the_others_computed(guest: Reader) -> None:
    page = guest.open(f"{WORKBENCH}?list=3%0A%E5%BE%88%E7%94%9C%0A2", status=422)
    faults = page.main.one("div", class_="workbench-faults")
    assert "第2行：甜度“很甜”不是数" in faults.text
    assert "读懂了2篇" in faults.text
    assert figure(page) == "1.000"
    assert "很甜" in page.by_id("workbench-list").text


@each("query", ["k=0", "gain=ln", "pool=x", "convention=x", "versus=x", "row=x", "list=", "discount=9"])
def test_an_unreadable_field_is_said(guest: Reader, query: str) -> None:
    page = guest.open(f"{WORKBENCH}?{query}", status=422)
    assert page.main.all("span", class_="error") or page.main.one("div", class_="workbench-faults").text


def pressed(guest: Reader, page: Page, button: Element, **typed: str) -> Page:
    """A press on the movable row, with what is typed into the form of the list."""
    form = page.by_id("workbench-form")
    assert button["form"] == form["id"]
    fields = [*filled(form, None, **typed), (button["name"], button["value"])]
    return Page(guest.post(WORKBENCH, fields))


def test_a_press_on_the_row_takes_along_what_is_typed(guest: Reader) -> None:
    """It was a link, and the list that stood in the field was gone."""
    page = guest.open(f"{WORKBENCH}?list=3+0+2")
    second_candy = page.main.one("ol", class_="toy-row").all("li")[1]
    sweeter, back, _ = second_candy.all("button")
    moved = pressed(guest, page, back, list="火锅 3\n串串 1", k="1")
    assert moved.by_id("workbench-list").text.split() == ["title", "grade", "串串", "1", "火锅", "3"]
    assert moved.by_id("workbench-k")["value"] == "1"
    sweetened = pressed(guest, page, sweeter, list="5 9 1")
    assert sweetened.by_id("workbench-list").text.split() == ["5", "0", "1"]


def test_the_row_of_a_list_that_was_not_read_wholly_is_moved_by_links(guest: Reader) -> None:
    page = guest.open(f"{WORKBENCH}?list=3%0A%E5%BE%88%E7%94%9C%0A2", status=422)
    [_, back, _] = page.main.one("ol", class_="toy-row").all("li")[1].all("a")
    assert guest.open(back["href"]).by_id("workbench-list").text.split() == ["2", "3"]


def test_a_long_list_is_shown_at_once_in_folds(guest: Reader, ledger: Ledger) -> None:
    page = guest.submit(guest.open(WORKBENCH).by_id("workbench-form"), list=LONG)
    assert page.status == 200
    assert page.path == WORKBENCH
    assert "后面180位" in page.main.text
    assert "地址里放不下" in page.main.text
    swap = page.main.all("table", class_="swaps")[0].all("button")[0]
    moved = guest.submit(page.by_id("state-form"), swap.text)
    assert moved.status == 200
    assert figure(moved) != figure(page)
    assert ledger.rows("SELECT key, count FROM throttle") == [("workbench:testclient", 2)]


@each("document_count", [3, 300])
def test_what_was_not_retrieved_is_counted_once_however_often_it_is_sent(
    guest: Reader, document_count: int
) -> None:
    """The text still says it, so the field of the pool does not."""
    run = [f"q1 Q0 document-{place:03} {place + 1} {1000 - place} tag" for place in range(document_count)]
    qrels = [f"q1 0 document-{place:03} {place % 4}" for place in range(document_count)]
    text = "\n".join([*run, *qrels, "q1 0 unlisted-a 3", "q1 0 unlisted-b 2", "很甜"])
    page = guest.submit(guest.open(WORKBENCH).by_id("workbench-form"), list=text, status=422)
    again = guest.submit(page.by_id("workbench-form"), pool="1", status=422)
    once_more = guest.submit(again.by_id("workbench-form"), status=422)
    assert [answer.by_id("workbench-pool")["value"] for answer in (page, again, once_more)] == ["", "1", "1"]
    assert figure(once_more) == figure(again)


def test_long_lists_are_limited_and_short_ones_are_not(
    guest: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "WORKBENCH_LIMIT", throttle.WORKBENCH_LIMIT._replace(most_tries=1))
    form = guest.open(WORKBENCH).by_id("workbench-form")
    guest.submit(form, list=LONG)
    assert "试得太多了" in guest.submit(form, list=LONG, status=429).text
    assert guest.submit(form, list="3 2").status == 200


def test_masses_are_met_by_a_sentence(guest: Reader) -> None:
    page = guest.submit(
        guest.open(WORKBENCH).by_id("workbench-form"), list="1\n" * (MOST_DOCUMENTS + 1), status=422
    )
    assert f"最多{MOST_DOCUMENTS}篇" in page.main.text
    assert "太长了" in guest.open(f"{WORKBENCH}?list={'3+' * 5000}3", status=422).text
    answer = guest.client.post(WORKBENCH, data={"list": "9" * 500_000}, headers=FORM)
    assert answer.status_code == 413


def test_tasks_are_judged_from_the_address(guest: Reader) -> None:
    page = guest.open(f"{WORKBENCH}?list=0+3+2+1")
    reach, worsen = (link["href"] for link in page.by_id("result").all("a") if "task=" in link["href"])
    page = guest.open(reach)
    assert "还差" in page.main.one("div", class_="workbench-task").text
    done = guest.open(reach.replace("list=0+3+2+1", "list=3+2+0+1").replace("#result", ""))
    assert "只换2次，没有更省的" in done.main.one("div", class_="is-done").text
    assert "第1位换人了" in guest.open(worsen.replace("list=0+3+2+1", "list=3+0+2+1")).main.text
    worse = guest.open(worsen.replace("list=0+3+2+1", "list=0+1+2+3"))
    assert "变差了" in worse.main.one("div", class_="is-done").text
    assert "没有变差" in guest.open(worsen).main.text


@each("path", [WORKBENCH, f"{WORKBENCH}?list=3+2"])
def test_no_crawler_goes_in_and_no_cache_keeps_it(guest: Reader, path: str) -> None:
    headers = guest.client.get(path).headers
    assert headers["x-robots-tag"] == "noindex, nofollow"
    assert headers["cache-control"] == "no-store"
    assert "Disallow: /workbench\n" in guest.client.get("/robots.txt").text
    page = guest.open(path)
    links = [link for link in page.main.all("a") if link["href"].startswith(f"{WORKBENCH}?")]
    assert links
    assert all(link.get("rel") == "nofollow" for link in links)


def test_the_lesson_leads_to_the_page(guest: Reader) -> None:
    page = guest.open("/lessons/code/torn-off?step=9")
    lab = page.by_id("lab-on-the-workbench")
    assert "scikit-learn" in lab.text
    answer_page = guest.submit(lab.one("form"), k="2", gain="exponential")
    assert answer_page.path.startswith(f"{WORKBENCH}?")
    assert "NDCG@2" in answer_page.by_id("result-title").text
    assert "指数增益" in answer_page.by_id("result").text


def test_the_search_finds_it(guest: Reader) -> None:
    for word in ("实验台", "LightGBM", "约定串"):
        page = guest.open(f"/search?q={word}")
        assert WORKBENCH in [link["href"] for link in page.main.all("a")]


def test_the_page_folds_a_qr_code_of_its_address_away(guest: Reader, ledger: Ledger) -> None:
    query = f"{TIED}&k=3&convention=NDCG|ties:avg&versus=catboost"
    page = guest.open(f"{WORKBENCH}?{query}")
    fold = page.main.one("details", class_="workbench-qr")
    assert "open" not in fold.attributes
    picture = fold.one("img")
    assert picture["loading"] == "lazy"
    answer = guest.client.get(picture["src"])
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    shared_address = page.by_id("shared-address")["value"]
    assert answer.text == qr_code_svg(shared_address, "实验台这一页的二维码", error_correction="l")
    assert ledger.count("learner") == 0


def test_signature_and_address_stand_in_fields_to_copy(guest: Reader) -> None:
    page = guest.open(f"{WORKBENCH}?list=3+0&k=1")
    assert page.by_id("signature-line")["value"].startswith("NDCG@1|")
    shared_address = page.by_id("shared-address")["value"]
    assert shared_address == "http://testserver/workbench?list=3+0&k=1"
    assert figure(guest.open(shared_address.removeprefix("http://testserver"))) == figure(page)
    for field in ("signature-line", "shared-address"):
        assert "readonly" in page.by_id(field).attributes
    copies = [button for button in page.by_id("sent-on").all("button") if "data-copy" in button.attributes]
    assert ["hidden" in button.attributes for button in copies] == [True, True], "scripts show them"


@each("query", ["", "list=3+x+1", "list=3+0&k=zero", "list=" + "3+" * 1100, "list=" + "3+" * 5000])
def test_what_has_no_address_has_no_qr_code(guest: Reader, query: str) -> None:
    status = 404
    if not query:
        status = 200
    assert guest.client.get(f"{WORKBENCH}/qr?{query}").status_code == status


def test_a_list_too_long_for_an_address_has_no_qr_code(guest: Reader) -> None:
    page = guest.client.post(WORKBENCH, data={"list": LONG}, headers=FORM)
    assert "workbench-qr" not in page.text


@each(
    ("field", "typed", "refused"),
    [
        ("list", "很甜", "workbench-faults"),
        ("k", "前三", "workbench-k-error"),
        ("pool", "很多", "workbench-pool-error"),
    ],
)
def test_what_was_refused_is_said_once_and_of_its_field(
    guest: Reader, field: str, typed: str, refused: str
) -> None:
    form = guest.open("/workbench").form("/workbench", "算")
    page = guest.submit(form, status=422, **{field: typed})  # type: ignore[arg-type]
    [alert] = page.main.all(role="alert")
    assert alert["id"] == refused
    assert alert.text
    element = page.by_id(f"workbench-{field}")
    assert element["aria-invalid"] == "true"
    assert refused in element["aria-describedby"].split()


@each("convention", ["course", "torchmetrics", "tf-ranking", "scikit-learn", "catboost-exp"])
def test_below_zero_the_card_says_what_each_library_does(guest: Reader, convention: str) -> None:
    page = guest.open(f"{WORKBENCH}?{urlencode({'list': '3 -1 2 0', 'convention': signature(convention)})}")
    assert "小于0的甜度（-1），这里算未标注" in page.main.text
    rows = card(page)
    assert rows["LightGBM"] == rows["scikit-learn"] == "不收"
    assert rows["Elasticsearch"] == rows["Quepid"] == "不知道"
    assert rows["糖序"] == rows["trec_eval"] == f"{ndcg([3, None, 2, 0]):.4f}"
    assert float(rows["CatBoost"]) < float(rows["糖序"]) < float(rows["TF-Ranking"]) == 1


QRELS_ALONE = "q1 0 d1 3\nq1 0 d2 1"
TWO_QUERIES = "q1 Q0 d1 1 9 x\nq2 Q0 d3 1 9 x\nq2 Q0 d4 2 7 x\nq1 0 d1 2\nq2 0 d3 2"


@each(
    ("text", "words", "is_refused"),
    [
        (QRELS_ALONE, "读懂了2篇，还要说一声：", False),
        (TWO_QUERIES, "读懂了1篇，还要说一声：", False),
        ("火锅 3\n串串 很甜", "读懂了1篇；这些没读懂：", True),
    ],
)
def test_what_is_only_to_be_said_is_no_mistake(
    guest: Reader, text: str, words: str, is_refused: bool
) -> None:
    """How a text was taken stood in a red box, under a heading that nothing could be read."""
    guest.open(WORKBENCH)
    page = guest.submit(guest.page.form(WORKBENCH, "算"), "算", list=text, status=422)
    box = page.by_id("workbench-faults")
    assert words in box.text
    assert (box.get("role") == "alert") == is_refused
    assert bool(page.by_id("workbench-list").get("aria-invalid")) == is_refused


def test_the_whole_address_and_the_day_are_there_for_the_printer(guest: Reader) -> None:
    """Inputs are cut on paper where their box ends."""
    page = guest.open(f"{WORKBENCH}?list=3+2+3+0+1+2&gain=exponential")
    [signature_line, address] = [code.text for code in page.by_id("sent-on").all("code", class_="on-paper")]
    assert signature_line == page.by_id("signature-line")["value"]
    assert address == page.by_id("shared-address")["value"]
    assert page.main.one("p", class_="on-paper").text[:2] == "20"
