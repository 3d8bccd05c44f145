"""What the workbench says of one list on one screen is one figure, as its convention counts and prints it."""

from urllib.parse import quote

from tests.tables import each
from tests.web.cast import Page, Reader

WORKBENCH = "/workbench"
TIED = "3 0.9\n0 0.9\n0 0.9"


def page_of(guest: Reader, list_text: str, signature: str = "") -> Page:
    return guest.open(f"{WORKBENCH}?list={quote(list_text)}&convention={quote(signature)}")


def figures(page: Page) -> list[str]:
    """The NDCG of the heading, and of the movable row where there is one."""
    heading_text = page.by_id("result-title").text.partition("＝")[2].strip()
    row_figures = [element.text for element in page.main.all("span") if element.get("data-out") == "ndcg"]
    return [heading_text, *row_figures]


@each(
    ("list_text", "signature", "expected"),
    [
        ("3 2 0", "", ["1.000", "1.000"]),
        (TIED, "", ["1.000", "1.000"]),
        (TIED, "NDCG|ties:worst", ["0.500", "0.500"]),
        (TIED, "NDCG|ties:avg", ["0.710"]),
        ("3 0.9\n0 0.8\n0 0.7", "NDCG|ties:avg", ["1.000", "1.000"]),
        ("0 0 0", "", ["0.000", "0.000"]),
        ("0 0 0", "NDCG|zero:1", ["1.000"]),
        ("0 0 0", "NDCG|zero:skip", ["跳过"]),
        ("0 3 0", "NDCG|zero:1", ["0.631", "0.631"]),
    ],
)
def test_no_row_shows_another_figure_than_the_heading(
    guest: Reader, list_text: str, signature: str, expected: list[str]
) -> None:
    assert figures(page_of(guest, list_text, signature)) == expected


def task_urls(page: Page) -> list[str]:
    return [link["href"] for link in page.by_id("result").all("a") if "task=" in link["href"]]


def test_no_task_is_given_for_a_list_that_is_not_counted_in_one_order(guest: Reader) -> None:
    tied = "2 0.9\n3 0.9\n0 0.9\n1 0.5"
    assert not task_urls(page_of(guest, tied, "NDCG|ties:avg"))
    assert task_urls(page_of(guest, tied))
    task_fields = "&task=worsen&start=2+3+0+1"
    for signature, has_task in (("NDCG|ties:avg", False), ("", True)):
        address = f"{WORKBENCH}?list={quote(tied)}&convention={quote(signature)}{task_fields}"
        assert bool(guest.open(address).main.all("div", class_="workbench-task")) == has_task


def sums(page: Page) -> str:
    return page.main.one("p", class_="workbench-sums").text


def test_a_calculator_gives_the_ratio_of_the_heading(guest: Reader) -> None:
    assert "DCG 3.8928 ÷ 理想 4.7619" in sums(page_of(guest, "1 3 2 0"))
    assert "DCG 3.893 ÷ 理想 4.262" in sums(page_of(guest, "2 3 0"))


@each(("signature", "expected"), [("NDCG|dec:2", "0.95"), ("NDCG|dec:5", "0.949"), ("NDCG", "0.949")])
def test_the_heading_has_no_more_decimals_than_the_library_prints(
    guest: Reader, signature: str, expected: str
) -> None:
    page = page_of(guest, "3 2 3 0 1 2", signature.replace("NDCG", "NDCG|gain:2^g-1"))
    assert figures(page)[0] == expected


@each(
    ("list_text", "ndcg", "sentence"),
    [
        ("-2 -1", "1.000", "一颗甜的都没有，理想是-2.262，不大于0：不相除，按约定记1。"),
        ("0 0", "1.000", "一颗甜的都没有，理想是0：没法相除，按约定记1。"),
    ],
)
def test_an_ideal_of_losses_alone_is_not_divided_by(
    guest: Reader, list_text: str, ndcg: str, sentence: str
) -> None:
    page = page_of(guest, list_text, "NDCG|zero:1|neg:kept")
    assert (figures(page)[0], sums(page)) == (ndcg, sentence)
    assert not page.main.all("p", class_="toy-ends")


def test_a_convention_that_divides_by_losses_does(guest: Reader) -> None:
    page = page_of(guest, "-2 -1", "NDCG|zero:0|neg:kept")
    assert "÷ 理想 -2.262" in sums(page)
    assert figures(page)[0] == "1.163"


@each(("preset", "to"), [("scikit-learn", "0.0000"), ("lightgbm", "1.0000")])
def test_a_query_that_is_left_out_has_no_figure_and_no_change(guest: Reader, preset: str, to: str) -> None:
    page = guest.open(f"{WORKBENCH}?list=0+0&convention={quote('NDCG|zero:skip')}&versus={preset}")
    steps = page.by_id("way").one("ol", class_="axis-steps").all("li")
    assert steps[0].text.endswith("跳过")
    assert steps[-1].one("p", class_="axis-change").text == f"＝ {to}"
    card = page.main.one("table", class_="convention-card").text
    assert "−" not in card
    assert "+" not in card
