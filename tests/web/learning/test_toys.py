"""The movable row without scripts: its form and links move it, the address says all, nothing is recorded."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import permutations
from urllib.parse import urlencode

import pytest

from tests.tables import each
from tests.web.cast import HTMX, Ledger, Page, Reader
from tests.web.pages import Element, filled

PLAY = "/play"
STEP = "/lessons/concepts/which-is-better?step=play-order&toy=play-order"


def ndcg(page: Page) -> str:
    return page.main.one("span", **{"data-out": "ndcg"}).text


def candies(page: Page) -> list[str]:
    return [item["data-grade"] for item in page.main.one("ol", class_="toy-row").all("li")]


def links(page: Page) -> Iterator[Element]:
    yield from page.main.one("article", class_="toy").all("a")


def test_buttons_move_a_candy_and_the_address_says_so(guest: Reader) -> None:
    page = guest.open(f"{PLAY}?row=0-3-2-1")
    assert (candies(page), ndcg(page)) == (["0", "3", "2", "1"], "0.698")
    page = guest.open(moved_url(page))
    assert (candies(page), ndcg(page)) == (["3", "0", "2", "1"], "0.930")
    assert all(link["rel"] == "nofollow" for link in links(page))


def moved_url(page: Page, **typed: str) -> str:
    """The page after a first press on ›."""
    form = page.main.one("form", class_="toy-form")
    on = page.main.all("button", class_="on")[0]
    assert form["action"] == f"{PLAY}#toy-row", "a small screen begins at the row again"
    return f"{PLAY}?{urlencode(filled(form, on, **typed))}"


def test_a_move_takes_along_what_is_set_and_not_counted_yet(guest: Reader) -> None:
    page = guest.open(moved_url(guest.open(f"{PLAY}?row=0-3-2-1"), k="2", gain="exponential"))
    assert (candies(page), ndcg(page)) == (["3", "0", "2", "1"], "0.787")
    assert page.main.one("input", name="k")["value"] == "2"


def printed_sum(page: Page, name: str) -> str:
    return page.main.one("span", **{"data-out": name}).text


def test_a_calculator_gives_the_printed_ratio(guest: Reader) -> None:
    for row in permutations([3, 2, 1, 0]):
        page = guest.open(f"{PLAY}?row={'-'.join(map(str, row))}")
        quotient = Decimal(printed_sum(page, "dcg")) / Decimal(printed_sum(page, "idcg"))
        assert f"{quotient.quantize(Decimal('.001'))}" == ndcg(page)
    page = guest.open(f"{PLAY}?row=1-3-2-0")
    assert (printed_sum(page, "dcg"), printed_sum(page, "idcg")) == ("3.8928", "4.7619")
    page = guest.open(f"{PLAY}?row=0-0")
    assert (printed_sum(page, "dcg"), printed_sum(page, "idcg")) == ("0.000", "0.000")


@each(
    ("query", "expected"),
    [
        ("row=3-2-1", "1.000"),
        ("row=0-0", "0.000"),
        ("row=0-3-2-1&k=2", "0.444"),
        ("row=0-3-2-1&gain=exponential", "0.676"),
        ("row=3-0-0&k=3&pool=3-2-2-1-0-0", "0.570"),
    ],
)
def test_the_page_shows_what_the_address_says(guest: Reader, query: str, expected: str) -> None:
    assert ndcg(guest.open(f"{PLAY}?{query}")) == expected


@each("query", ["row=9-9", "row=3", "k=12&row=3-2", "gain=loud", f"row={'1-' * 3000}1"])
def test_an_unreadable_address_says_how_to_write_it(guest: Reader, query: str) -> None:
    page = guest.open(f"{PLAY}?{query}", status=422)
    assert page.main.one("p", class_="error").text
    assert candies(page)


@each("path", [PLAY, f"{PLAY}?row=3-2", "/play/board?row=3-2", f"{STEP}&row=3-0-2-1"])
def test_no_crawler_goes_in(guest: Reader, path: str) -> None:
    assert guest.client.get(path).headers["x-robots-tag"] == "noindex, nofollow"


def test_crawlers_are_told_where_there_is_no_end(guest: Reader) -> None:
    text = guest.client.get("/robots.txt").text
    assert "Disallow: /play\n" in text
    assert "x-robots-tag" not in guest.client.get("/lessons/concepts/which-is-better").headers


def task(guest: Reader, row: str, guess: str | None = "2") -> Page:
    more = f"&guess={guess}" if guess else ""
    return guest.open(f"{STEP}&row={row}{more}&done=1")


def test_a_task_is_checked_when_it_is_said_to_be_done(guest: Reader, ledger: Ledger) -> None:
    assert not guest.open(f"{STEP}&row=3-2-1-0").main.all("div", class_="toy-result")
    assert "先猜一个" in task(guest, "3-2-1-0", None).main.one("div", class_="toy-result").text
    assert "先猜一个" in task(guest, "3-2-1-0", "9").main.one("div", class_="toy-result").text
    wrong = task(guest, "3-0-2-1").main.one("div", class_="toy-result")
    assert "is-wrong" in wrong["class"]
    assert "还差0.331" in wrong.text
    right = task(guest, "3-2-1-0").main.one("div", class_="toy-result")
    assert "is-right" in right["class"]
    assert "你猜中了：3步" in right.text
    second_result = task(guest, "3-2-1-0", "1").main.one("div", class_="toy-result")
    assert "答案是：3步" in second_result.text
    assert ledger.rows("SELECT count(*) FROM learner") == [(0,)]


def test_a_row_of_other_candies_is_not_that_of_the_lesson(guest: Reader) -> None:
    page = guest.open(f"{STEP}&row=5-4-3-2")
    assert candies(page) == ["0", "3", "2", "1"]


def test_two_candies_are_exchanged_by_two_links(guest: Reader) -> None:
    page = guest.open("/lessons/concepts/sweetness?step=play-swap")
    page = press(guest, page, 2)
    assert [
        item["data-grade"] for item in page.main.one("ol", class_="toy-row").all("li", class_="picked")
    ] == ["0"]
    assert candies(press(guest, page, 4)) == ["4", "2", "3", "1", "0"]


def press(guest: Reader, page: Page, index: int) -> Page:
    """After a press on a candy, with nothing else set."""
    form = page.main.one("form", class_="toy-form")
    button = page.main.all("button", class_="toy-candy")[index]
    fields = {field["name"]: field["value"] for field in form.all("input", type="hidden")}
    query = urlencode({**fields, button["name"]: button["value"]})
    return guest.open(f"{form['action'].partition('#')[0]}?{query}")


def test_a_guess_that_is_ticked_stays_when_a_candy_moves(guest: Reader) -> None:
    """The buttons of a row belong to its form: what is ticked goes along, and 好了 needs no second guess."""
    page = guest.open(STEP)
    on = page.main.all("button", class_="on")[0]
    assert on["form"] == "toy-play-order-form"
    page = guest.open(f"{STEP}&row=0-3-2-1&guess=2&{on['name']}={on['value']}")
    assert candies(page) == ["3", "0", "2", "1"]
    [ticked] = [radio for radio in page.main.all("input", name="guess") if "checked" in radio.attributes]
    assert ticked["value"] == "2"
    assert page.main.one("input", name="row")["value"] == "3-0-2-1"


def test_the_board_is_part_of_the_page_and_names_it(guest: Reader) -> None:
    query = "at=concepts.which-is-better&step=play-order&toy=play-order&row=3-2-1-0&guess=2&done=1"
    answer = guest.client.get(f"/play/board?{query}", headers=HTMX)
    assert answer.status_code == 200
    url = answer.headers["hx-replace-url"]
    assert url.startswith("/lessons/concepts/which-is-better?step=play-order&toy=play-order&row=3-2-1-0")
    assert 'class="toy-result is-right"' in answer.text
    assert 'class="toy-result is-right"' in guest.client.get(url).text
    assert guest.client.get("/play/board?at=concepts.which-is-better&toy=probe").status_code == 404
    assert guest.client.get("/play/board?at=nothing.here&toy=probe").status_code == 404


def test_the_board_keeps_what_the_address_carries_of_questions(guest: Reader) -> None:
    carried_words = "typed-two-systems-why=%E7%B3%96&typed-two-systems-why="
    query = f"step=play-order&toy=play-order&{carried_words}&row=3-2-1-0"
    board = guest.client.get(f"/play/board?at=concepts.which-is-better&{query}", headers=HTMX)
    url = board.headers["hx-replace-url"]
    assert f"&{carried_words}&" in url
    assert board.text in guest.client.get(url).text


def test_former_steps_lead_to_those_in_their_place(guest: Reader) -> None:
    """Links of before: by the number, by the anchor, by the id."""
    page = guest.open("/lessons/concepts/which-is-better?step=hidden-sweetness")
    item = page.main.one("li", id="step-play-order")
    assert item.one("span", id="step-hidden-sweetness")
    assert len(guest.open("/lessons/concepts/which-is-better?step=4").main.all("li", class_="step")) == 4
    assert len(page.main.all("li", class_="step")) >= 4


@pytest.mark.parametrize("path", ["/"])
def test_the_home_page_dares_a_newcomer(guest: Reader, path: str) -> None:
    page = guest.open(path)
    assert "把它排到1" in page.main.text
    assert page.main.one("article", class_="toy")
    assert all(
        link["href"].startswith("/play?") for link in links(page) if link["class"].startswith("toy-move")
    )
    guest.open("/lessons/concepts/which-is-better")
    guest.go_on()
    assert not guest.open(path).main.all("article", class_="toy"), "who has begun goes on"
