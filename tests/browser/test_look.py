"""What the eye sees: dark, projector, large letters, paper, stillness, formulas; and how little is loaded."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.looking import fits, in_the_long_run, printed_pages
from tests.browser.scenes import Cookies
from tests.browser.watch import into

ASKING = "/lessons/concepts/which-is-better?step=6"
LESSON = "/lessons/definitions/normalise?step=5"
EXAMPLE = "/examples/chengdu-food"
TELLING_EDGES = {
    "wide": ("/course", "/games"),
    "column": ("/practice", "/cards", "/glossary", "/me", "/join"),
}
TWO_EDGES = {
    "wide": ("/course", "/examples", "/games", "/errata", "/practice/map"),
    "column": (
        *("/practice", "/practice/dcg", "/mistakes", "/five-minutes", "/placement", "/progress"),
        *("/cards", "/cards/all", "/cards/files", "/cards/stats", "/cards/settings"),
        *("/glossary", "/search", "/privacy", "/me", "/me/data", "/sign-in", "/sign-up", "/join", "/play"),
    ),
}


def is_dark(page: Page) -> bool:
    paper = page.evaluate(eyes.BRIGHTNESS, ["body", "backgroundColor"])
    ink = page.evaluate(eyes.BRIGHTNESS, ["body", "color"])
    assert abs(paper - ink) > 120
    return bool(paper < 60 < ink)


def prefer(page: Page, **choices: str) -> None:
    page.locator(".settings summary").click()
    for name, value in choices.items():
        page.locator(f"select[name={name}]").select_option(value)
    with page.expect_navigation():
        page.get_by_role("button", name="就这样").click()


def test_dark_by_the_system_and_by_choice(visit: Visit) -> None:
    """The learner's own choice wins over the system."""
    page = visit(color_scheme="dark")
    page.goto(LESSON)
    assert is_dark(page)
    assert page.evaluate(eyes.BRIGHTNESS, [".item", "backgroundColor"]) < 80
    prefer(page, theme="light")
    assert not is_dark(page)
    page.emulate_media(color_scheme="light")
    prefer(page, theme="dark")
    assert is_dark(page)
    prefer(page, theme="auto")
    assert not is_dark(page)


@pytest.mark.parametrize(
    "path",
    [
        *(ASKING, "/bands?grades=4+1+3+4+0&k=5&more=4+3"),
        *map(in_the_long_run, ("/", "/practice", "/cards/all", "/games", "/games/duel", "/workbench")),
    ],
)
def test_letters_twice_as_large_stay_on_a_phone(visit: Visit, path: str) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    page.goto(path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    fits(page)


@pytest.mark.parametrize(
    "path",
    [
        *(f"{EXAMPLE}?shown=4", "/workbench"),
        *map(in_the_long_run, ("/course", "/games", "/mistakes", "/practice/term", "/me")),
    ],
)
def test_letters_twice_as_large_stay_on_an_old_phone(visit: Visit, busy: Cookies, path: str) -> None:
    """Nothing to scroll sideways: a title may end in dots, and a table has its own scroller."""
    page = visit(storage_state=busy, viewport={"width": 320, "height": 640})
    page.goto(path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_projector_letters(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 720})
    page.goto(LESSON)
    before = page.evaluate(eyes.LETTERS)
    prefer(page, size="projector")
    assert page.evaluate(eyes.LETTERS) >= 1.4 * before
    fits(page)
    page.set_viewport_size({"width": 360, "height": 740})
    fits(page)


def test_a_section_that_is_done_stands_in_its_list_like_the_others(visit: Visit) -> None:
    """It wears the name of the message that something is done, and not its box."""
    page = visit()
    page.goto("/course")
    line = page.locator(".sections .new").first
    before = line.bounding_box()
    line.evaluate("one => { one.className = 'done'; }")
    assert page.locator(".sections .done").bounding_box() == before


def test_a_finger_leaves_no_button_in_the_look_of_a_mouse(visit: Visit) -> None:
    """The button of an empty form stays where it is."""
    page = visit(is_mobile=True, has_touch=True)
    page.goto("/sign-in")
    button = page.locator("main form .primary")
    colour = button.evaluate("button => getComputedStyle(button).backgroundColor")
    button.tap()
    expect(page.locator("#login")).to_be_focused()
    expect(button).to_have_css("background-color", colour)


def test_a_word_of_the_glossary_stands_in_its_line(visit: Visit) -> None:
    """It is a link in a sentence, not a row of a worked example."""
    page = visit()
    page.goto(LESSON)
    word = page.locator(".say a.term-link").first
    assert word.evaluate("element => getComputedStyle(element).display") == "inline"


@pytest.mark.parametrize("path", [ASKING, EXAMPLE, *map(in_the_long_run, ("/", LESSON))])
def test_twice_as_large_and_nothing_lost(visit: Visit, busy: Cookies, path: str) -> None:
    """The whole page at 200 %, then the letters alone: all that can be pressed stays in reach."""
    page = visit(storage_state=busy, viewport={"width": 640, "height": 740})
    page.goto(path)
    for name, value in (("zoom", "2"), ("fontSize", "200%")):
        page.evaluate("([name, value]) => { document.documentElement.style[name] = value; }", [name, value])
        fits(page)
        assert page.evaluate(eyes.UNREACHABLE) == []
        page.evaluate("name => { document.documentElement.style[name] = ''; }", name)


def test_paper(visit: Visit, busy: Cookies) -> None:
    """Printed: the content with all its details, nothing to press, dark letters on white."""
    page = visit(storage_state=busy, color_scheme="dark")
    page.goto("/lessons/concepts/binary-rulers?step=6")
    page.emulate_media(media="print")
    hidden_parts = ".site-header, .site-footer, #moves, .answer .actions, .report, .rail, .skip"
    assert page.locator(hidden_parts).count() >= 6
    for element in page.locator(hidden_parts).all():
        expect(element).to_be_hidden()
    expect(page.locator(".another-way .prose").first).to_be_visible()
    expect(page.locator(".stem").first).to_be_visible()
    assert not is_dark(page)
    assert page.pdf().startswith(b"%PDF")


def test_on_paper_what_is_learnt_is_unfolded_and_progress_is_not(visit: Visit, busy: Cookies) -> None:
    page = visit(storage_state=busy)
    page.emulate_media(media="print")
    page.goto("/glossary")
    expect(page.locator(".fold dd").last).to_be_visible()
    page.goto("/progress")
    expect(page.locator(".fold:not([open]) summary").first).to_be_visible()
    expect(page.locator(".fold:not([open]) .sections").first).to_be_hidden()


def test_an_example_begins_on_the_page_of_its_title(visit: Visit, busy: Cookies) -> None:
    """It may be longer than a page: kept in one piece, it would leave the first one empty."""
    page = visit(storage_state=busy)
    page.goto(EXAMPLE)
    page.emulate_media(media="print")
    page.locator("h1").evaluate("one => { one.style.height = '100mm'; }")
    page.locator(".example").evaluate("one => { one.style.height = '400mm'; }")
    assert len(printed_pages(page)) == 2


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_opened_term_moves_unless_it_may_not(visit: Visit, motion: str, moves: bool) -> None:
    page = visit(reduced_motion=motion)
    page.goto(EXAMPLE)
    page.locator(".opening button.primary").click()
    expect(page.locator(".term.open")).to_have_count(1)
    assert (page.evaluate("document.getAnimations().length") > 0) == moves


@pytest.mark.parametrize("path", [LESSON, *map(in_the_long_run, ("/", "/examples/chengdu-3-days"))])
def test_nothing_moves_for_who_prefers_stillness(visit: Visit, busy: Cookies, path: str) -> None:
    page = visit(storage_state=busy)
    page.goto(path)
    assert page.evaluate(eyes.MOVING) == []


@pytest.mark.parametrize(
    "path", ["/lessons/definitions/one-term?step=5", *map(in_the_long_run, ("/glossary", LESSON))]
)
def test_formulas_are_drawn_and_written(visit: Visit, path: str) -> None:
    """Each formula has a box, its letters come from the site, and a line of text stands beside it."""
    page, loaded = visit(), list[Request]()
    page.on("requestfinished", into(loaded))
    page.goto(path)
    page.evaluate("document.fonts.ready.then(() => true)")
    sizes = page.locator("math").evaluate_all(eyes.SIZES)
    assert sizes
    assert all(width > 4 and height > 8 for width, height in sizes)
    page.wait_for_function("name => document.fonts.check(`20px ${name}`)", arg='"Lesson Math"')
    assert any(urlsplit(request.url).path.startswith("/static/fonts/") for request in loaded)
    assert page.evaluate(eyes.UNWRITTEN) == []


@pytest.mark.parametrize("path", ["/", "/lessons/concepts/which-is-better"])
def test_first_page_asks_for_little(visit: Visit, base_url: str, path: str) -> None:
    """At most eight requests, all to this site, and 50 KB in all, with what a movable row needs."""
    page, page_requests = visit(), list[Request]()
    page.on("request", into(page_requests))
    page.goto(path, wait_until="networkidle")
    requests = [request for request in page_requests if not request.url.startswith("data:")]
    urls = [request.url for request in requests]
    assert 3 <= len(urls) <= 8, urls
    assert [url for url in urls if not url.startswith(base_url)] == []
    loaded = [request.sizes() for request in requests]
    weight = sum(size["responseHeadersSize"] + size["responseBodySize"] for size in loaded)
    assert weight <= 50 * 1024, (weight, loaded)


def test_sections_stand_beside_the_text_on_a_desk(visit: Visit, busy: Cookies) -> None:
    page = visit(storage_state=busy, viewport={"width": 1280, "height": 800})
    page.goto(LESSON)
    expect(page.locator(".rail")).to_be_visible()
    fits(page)


@pytest.mark.parametrize("pages", [TELLING_EDGES, in_the_long_run(TWO_EDGES)])
def test_pages_of_a_desk_begin_at_one_of_two_edges(visit: Visit, pages: dict[str, tuple[str, ...]]) -> None:
    """What is read or filled in stands in the column, what is looked over across the page."""
    page = visit(viewport={"width": 1280, "height": 720})
    edges: dict[str, set[int]] = {}
    for kind, paths in pages.items():
        for path in paths:
            page.goto(path)
            left = page.locator("h1").first.evaluate("heading => heading.getBoundingClientRect().left")
            edges.setdefault(kind, set()).add(round(left))
    assert [len(places) for places in edges.values()] == [1, 1], edges


RANKING_SHAPE = """(ranking) => {
  const [list, row] = ["ol", "li"].map((part) => getComputedStyle(ranking.querySelector(part)));
  const head = getComputedStyle(ranking.querySelector('figcaption'));
  return [list.rowGap, list.marginTop, row.paddingTop, head.display];
}"""
"""What makes a ranked list taller or lower."""


def test_a_ranked_list_has_one_shape_in_practice_and_on_cards(visit: Visit) -> None:
    page = visit()
    shapes = []
    for path in ("/practice/dcg?level=1&seed=3", "/cards/practice-ndcg-1"):
        page.goto(path)
        shapes.append(page.locator(".ranking-shown").first.evaluate(RANKING_SHAPE))
    assert shapes[0] == shapes[1] == ["4px", "4px", "0px", "flex"]
