"""The bar at the thumb, and the keys over the number pad: in reach, and never upon a field or the focus."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from app.course import Course
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.learner import PHONE, Learner
from tests.browser.looking import in_the_long_run

ASKING = "/lessons/definitions/dcg-by-hand?step=2"
TABLE = "/practice/steps-dcg?level=1&seed=5"
LOW: dict[str, dict[str, Any]] = {
    "on its side": {"viewport": {"width": 780, "height": 360}},
    "enlarged four times": {"viewport": {"width": 320, "height": 200}},
}


def field_of(page: Page) -> Locator:
    return page.locator("main input[name=answer]:not([type=hidden])").first


def key(page: Page, text: str) -> Locator:
    return page.locator(f'.number-key[value="{text}"]')


def test_an_expression_is_typed_with_the_thumb(visit: Visit, course: Course) -> None:
    """Signs and logarithms go where the cursor is; the field keeps the focus, and the answer is read."""
    learner = Learner(visit(**PHONE), course, touch=True)
    page = learner.page
    learner.go(ASKING)
    field = field_of(page)
    field.tap()
    page.keyboard.type("2")
    for text in ("÷", "1.585", "+"):
        key(page, text).first.tap()
    page.keyboard.type("3")
    expect(field).to_have_value("2÷1.585+3")
    expect(field).to_be_focused()
    page.locator("[data-answer]").last.tap()
    expect(learner.item("dcg-by-hand")).to_contain_text("已识别为")
    expect(page.locator(".number-keys")).to_be_hidden()


@pytest.mark.parametrize(
    "path", [TABLE, pytest.param("/games/monster?level=2&seed=7", marks=pytest.mark.long), ASKING]
)
def test_keys_stand_over_the_pad_and_hide_no_field(visit: Visit, path: str) -> None:
    page = visit(**PHONE)
    page.goto(path)
    for field in page.locator("main input[name=answer]:not([type=hidden])").all()[:4]:
        field.tap()
        expect(page.locator(".number-key").last).to_be_in_viewport(ratio=1)
        page.wait_for_function(eyes.STILL)
        assert field.evaluate(eyes.IN_REACH)
        sizes = page.locator(".number-key").evaluate_all(eyes.SIZES)
        assert min(side for size in sizes for side in size) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("path", [TABLE, ASKING])
def test_the_keyboard_of_the_phone_leaves_the_field_in_sight(visit: Visit, path: str) -> None:
    """It comes up after the focus, and takes the lower half of the screen."""
    page = visit(**PHONE | {"viewport": {"width": 360, "height": 780}})
    page.goto(path)
    field = field_of(page)
    field.tap()
    expect(page.locator(".number-key").last).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 440})
    page.wait_for_function(eyes.STILL)
    assert field.evaluate(eyes.IN_REACH)
    expect(page.locator(".number-key").last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("path", "height"), [("/practice/dcg?level=1&seed=5501", 640), ("/games/monster?level=1&seed=7", 440)]
)
def test_the_keys_lie_on_no_button_of_the_form(visit: Visit, path: str, height: int) -> None:
    """回答 floats no higher than its box, and what a game offers beside a number does not float at all."""
    page = visit(**PHONE | {"viewport": {"width": 360, "height": height}})
    page.goto(path)
    field_of(page).tap()
    expect(page.locator(".number-key").last).to_be_visible()
    page.wait_for_function(eyes.STILL)
    keys, actions = (page.locator(css).first.bounding_box() for css in (".number-keys", "form .actions"))
    assert keys
    assert actions
    assert actions["y"] + actions["height"] <= keys["y"] + 1
    assert field_of(page).evaluate(eyes.IN_REACH)


def test_on_its_side_the_keys_take_one_row(visit: Visit) -> None:
    """The keyboard leaves some 160 px: one row of keys, and the field above it."""
    page = visit(**PHONE | {"viewport": {"width": 780, "height": 360}})
    page.goto(ASKING)
    field = field_of(page)
    field.tap()
    keys = page.locator(".number-keys")
    expect(keys.locator(".number-key").last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 780, "height": 160})
    page.wait_for_function(eyes.STILL)
    box = keys.bounding_box()
    assert box
    assert box["height"] < 2 * 44
    assert field.evaluate(eyes.IN_REACH)
    page.locator("main h1").click()
    expect(keys).to_be_hidden()


def test_the_keys_go_with_the_field_that_is_taken_away(visit: Visit) -> None:
    """Where the browser says nothing of it."""
    page = visit(**PHONE)
    page.goto(ASKING)
    field = field_of(page)
    field.tap()
    keys = page.locator(".number-keys")
    expect(keys).to_be_visible()
    page.evaluate("addEventListener('focusout', (event) => event.stopImmediatePropagation(), true)")
    field.evaluate("field => field.form.remove()")
    page.evaluate("document.body.dispatchEvent(new Event('htmx:afterSwap', { bubbles: true }))")
    expect(keys).to_be_hidden()


def test_who_has_a_keyboard_needs_no_keys(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 800})
    page.goto(ASKING)
    field_of(page).focus()
    expect(page.locator(".number-keys")).to_be_hidden()


@pytest.mark.parametrize("script", [True, False])
def test_the_bar_is_seen_wherever_one_reads(visit: Visit, script: bool) -> None:
    """By the style sheet alone."""
    page = visit(**PHONE, java_script_enabled=script)
    page.goto("/lessons/concepts/which-is-better")
    expect(page.locator("[data-answer]")).to_be_in_viewport(ratio=1)
    page.locator(".option label").first.tap()
    page.locator("[data-answer]").tap()
    expect(page.locator(".bubble.pleased")).to_be_visible()
    expect(page.locator(".next [data-next]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("height", [640, *map(in_the_long_run, (700, 780))])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_bar_lies_on_no_field_at_first_sight(visit: Visit, height: int, level: int) -> None:
    """Wherever the field of a number comes to lie on the screen, as the page opens and a little further."""
    page = visit(**PHONE | {"viewport": {"width": 360, "height": height}})
    page.goto(f"/practice/dcg?level={level}&seed=61")
    bar = page.locator(".answer .actions")
    for scrolled in (0, 40, 80):
        page.evaluate(f"scrollTo(0, {scrolled})")
        field_box = field_of(page).bounding_box()
        bar_box = bar.bounding_box()
        assert field_box
        assert bar_box
        assert field_box["y"] + field_box["height"] <= bar_box["y"]


def test_a_question_of_four_rows_and_its_field_fit_a_phone(visit: Visit) -> None:
    page = visit(**PHONE | {"viewport": {"width": 360, "height": 640}})
    page.goto("/practice/dcg?level=1&seed=61")
    expect(page.locator("main .levels")).to_be_in_viewport(ratio=1)
    expect(field_of(page)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("shape", LOW)
def test_on_a_low_screen_the_bar_lies_in_the_text(visit: Visit, shape: str) -> None:
    page = visit(**LOW[shape])
    page.goto("/lessons/concepts/which-is-better?step=2")
    for bar in page.locator(".moves, .answer .actions").all():
        assert bar.evaluate("(bar) => getComputedStyle(bar).position") != "sticky"


@pytest.mark.parametrize(
    "size", [(360, 440), (1280, 720), *map(in_the_long_run, ((360, 640), (780, 360), (320, 256)))]
)
def test_the_focus_is_never_under_the_bar(visit: Visit, size: tuple[int, int]) -> None:
    """WCAG 2.4.11, at every stop of Tab through a section."""
    page = visit(viewport={"width": size[0], "height": size[1]})
    page.goto("/lessons/definitions/dcg-by-hand?step=3")
    for _ in range(40):
        page.keyboard.press("Tab")
        assert page.evaluate(eyes.FOCUS_HIDDEN) == ""


@pytest.mark.parametrize(
    "path",
    [
        *("/lessons/definitions/dcg-by-hand?step=6", "/lessons/definitions/definitions-quiz?step=10"),
        in_the_long_run("/lessons/definitions/dcg-by-hand?step=2"),
        in_the_long_run("/lessons/definitions/definitions-quiz?step=9"),
    ],
)
def test_the_bar_of_a_phone_is_one_line_high(visit: Visit, path: str) -> None:
    """A second line would hide what it says about the answer."""
    page = visit(**PHONE)
    page.goto(path)
    parts = page.locator(".moves > :is(.jump, .skewer, .next):visible")
    edges = parts.evaluate_all(
        "parts => parts.map((part) => part.getBoundingClientRect()).map((box) => [box.top, box.bottom])"
    )
    assert len(edges) == 3
    assert max(top for top, _ in edges) < min(bottom for _, bottom in edges)


def test_the_way_on_stays_at_the_foot_of_the_screen(visit: Visit, course: Course) -> None:
    """A step without a question fills the screen: the thumb finds what comes next where it was before."""
    learner = Learner(visit(**PHONE | {"viewport": {"width": 360, "height": 780}}), course, touch=True)
    page = learner.page
    learner.go("/lessons/concepts/which-is-better?step=2")
    learner.answer_rightly("two-systems-why")
    ends = [end_of(page.locator(".next [data-next]"))]
    learner.next_step()
    page.wait_for_function(eyes.STILL)
    ends.append(end_of(page.locator(".next [data-next]")))
    assert ends[0] == pytest.approx(ends[1], abs=2)
    assert 780 - ends[1] < 24
    step = learner.steps().last.bounding_box()
    assert step
    assert 0 <= step["y"] < 48


def end_of(button: Locator) -> float:
    """Where a button ends, from the top of the screen."""
    box = button.bounding_box()
    assert box
    return box["y"] + box["height"]


def test_a_mistake_leaves_the_bar_one_line_high(visit: Visit) -> None:
    """再答一次, 提示 and 算给我看 beside each other."""
    page = visit(**PHONE)
    page.goto("/practice/dcg?level=1&seed=61")
    page.locator("main [name=answer]:not([type=hidden])").fill("1.234")
    page.locator("[data-answer]").tap()
    expect(page.get_by_role("button", name="算给我看")).to_be_visible()
    bar = page.locator(".answer .actions").bounding_box()
    assert bar
    assert bar["height"] < 2 * 44


def test_a_lesson_has_one_way_on(visit: Visit, course: Course) -> None:
    """Once a generated question is solved, another one of its kind is offered, but does not call."""
    learner = Learner(visit(**PHONE), course, touch=True)
    learner.go("/lessons/concepts/concepts-quiz?step=6")
    learner.answer_rightly("cg-of-your-own")
    colour = "button => getComputedStyle(button).backgroundColor"
    colour_of_another = learner.page.get_by_role("link", name="再来一道").evaluate(colour)
    onward = learner.page.locator(".next [data-next]").evaluate(colour)
    assert colour_of_another != onward
    assert colour_of_another == "rgba(0, 0, 0, 0)"
