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
