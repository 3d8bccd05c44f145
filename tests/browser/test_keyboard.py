"""Without a mouse: Tab, Enter, Space, the shortcuts; where the focus is, and that it can be seen."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from app.course.items.kinds import SingleChoice
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.learner import Learner, right_answer, wrong_answer
from tests.browser.looking import in_the_long_run
from tests.browser.school import new_class
from tests.browser.watch import UNREADABLE, Watch

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def learner(visit: Visit, course: Course) -> Learner:
    return Learner(visit(**DESK), course)


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def test_skip_link_leads_to_the_text(learner: Learner) -> None:
    learner.go("/lessons/concepts/which-is-better")
    keys(learner.page, "Tab")
    skip = learner.link("跳到正文")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    keys(learner.page, "Enter")
    expect(learner.page.locator("main")).to_be_focused()


def test_shortcuts_go_through_a_section(learner: Learner) -> None:
    page = learner.page
    learner.go("/lessons/concepts/which-is-better")
    first = learner.form("two-systems-probe").locator(".option input").nth(1)
    keys(page, "2")
    expect(first).to_be_focused()
    expect(first).to_be_checked()
    keys(page, "Enter")
    learner.expect_state("two-systems-probe", "ended")
    keys(page, "n")
    expect(learner.steps()).to_have_count(2)
    expect(learner.steps().last).to_be_focused()
    keys(page, place_of_right(learner, "two-systems-why"), "Enter")
    learner.expect_state("two-systems-why", "right")
    for count in (3, 4, 5):
        keys(page, "n")
        expect(learner.steps()).to_have_count(count)
        expect(learner.steps().last).to_be_focused()
    keys(page, "h")
    expect(page.locator("#item-noodle-order-hint-1")).to_be_focused()
    keys(page, "Enter")
    learner.expect_state("noodle-order", "open")
    expect(learner.item("noodle-order").locator(".bubble.puzzled")).to_be_focused()
    keys(page, "n")
    expect(page.locator("#step-play-order")).to_be_focused()
    keys(page, "n")
    expect(page.locator("#moves-finish")).to_be_focused()


def place_of_right(learner: Learner, item_id: str) -> str:
    """The key of the right option, where this learner sees it."""
    assert isinstance(learner.course.items[item_id], SingleChoice)
    inputs = learner.form(item_id).locator(".option input").all()
    values = [field.get_attribute("value") for field in inputs]
    return str(1 + values.index(right_answer(learner.course, item_id)[0]))


def test_order_is_made_with_alt_and_arrows_or_buttons(learner: Learner) -> None:
    learner.go("/lessons/concepts/which-is-better?step=5")
    first, second, *further_names = learner.order("noodle-order")
    learner.form("noodle-order").locator(f'.move[value="down:{first}"]').focus()
    keys(learner.page, "Enter")
    assert learner.order("noodle-order") == [second, first, *further_names]
    keys(learner.page, "Alt+ArrowUp")
    assert learner.order("noodle-order") == [first, second, *further_names]
    learner.expect_focus_in(f'#item-noodle-order li[data-id="{first}"]')
    expect(learner.page.locator("#status-order")).to_contain_text("第1位")


def test_tab_enter_and_space_are_enough(learner: Learner) -> None:
    """A wrong answer, then the twin, then 下一步; and every stop on the way can be seen."""
    page = learner.page
    learner.go("/lessons/definitions/normalise?step=4")
    wrong = wrong_answer(learner.course, "perfect-means-sweet")[0]
    page.locator(".lesson-head a").focus()
    tab_to(page, "#item-perfect-means-sweet input")
    for _ in range(9):
        keys(page, "ArrowDown")
        if page.locator(f'input[value="{wrong}"]:focus:checked').count():
            break
    tab_to(page, "#item-perfect-means-sweet [data-answer]")
    keys(page, "Enter")
    learner.expect_state("perfect-means-sweet", "ended")
    tab_to(page, "#item-parrot-is-perfect input")
    keys(page, "Space")
    tab_to(page, "#item-parrot-is-perfect [data-answer]")
    keys(page, "Space")
    expect(learner.form("parrot-is-perfect")).to_have_count(0)
    learner.expect_focus_in("#item-parrot-is-perfect")
    tab_to(page, ".next [data-next]")
    keys(page, "Enter")
    expect(learner.steps().last).to_be_focused()


def tab_to(page: Page, selector: str) -> None:
    """Tab until there; each stop on the way has a ring around it."""
    for _ in range(60):
        keys(page, "Tab")
        figures = page.evaluate(eyes.FOCUS)
        assert figures["seen"], f"no ring around {figures['name']}"
        if page.locator(f"{selector}:focus").count():
            return
    pytest.fail(f"Tab does not lead to {selector}")


@pytest.mark.parametrize(
    "path",
    ["/", "/examples/chengdu-food", "/me", *map(in_the_long_run, ("/course", "/glossary", "/progress"))],
)
def test_every_stop_is_seen(learner: Learner, path: str) -> None:
    learner.go(path)
    stops = 0
    for _ in range(80):
        keys(learner.page, "Tab")
        figures = learner.page.evaluate(eyes.FOCUS)
        if figures["body"]:
            break
        stops += 1
        assert figures["seen"], f"no ring around {figures['name']}"
    assert stops > 8


def test_shortcuts_are_off_while_typing(learner: Learner) -> None:
    learner.go("/lessons/concepts/sweetness?step=5")
    field = learner.form("cg-chengdu").locator("[name=answer]")
    field.focus()
    keys(learner.page, "n", "h", "1")
    expect(field).to_have_value("nh1")
    expect(learner.steps()).to_have_count(5)
    expect(learner.item("cg-chengdu").locator(".hints")).to_have_count(0)
    field.fill(right_answer(learner.course, "cg-chengdu")[0])
    keys(learner.page, "Enter")
    learner.expect_state("cg-chengdu", "right")


def test_shortcuts_can_be_switched_off(learner: Learner) -> None:
    page = learner.page
    learner.go("/lessons/concepts/which-is-better")
    page.locator(".settings summary").focus()
    keys(page, "Enter")
    page.locator("select[name=keys]").select_option("off")
    page.locator(".settings button").focus()
    with page.expect_navigation():
        keys(page, "Enter")
    keys(page, "n", "2", "h", "Enter")
    learner.settle()
    expect(learner.steps()).to_have_count(1)
    expect(learner.form("two-systems-probe").locator("input:checked")).to_have_count(0)


def test_enter_in_the_stakes_of_a_duel_guesses_nothing(learner: Learner) -> None:
    """The first button of the form is 系统X高; whoever chose with the arrows has not said so."""
    page = learner.page
    learner.go("/games/duel?seed=7")
    page.get_by_label("1颗").focus()
    keys(page, "ArrowDown", "Enter")
    learner.settle()
    expect(page.get_by_label("2颗")).to_be_checked()
    expect(page.locator(".bet")).to_have_count(0)
    tab_to(page, "button[value=tie]")
    keys(page, "Enter")
    expect(page.locator(".bet")).to_contain_text("你猜打平，押2颗")


def test_the_focus_is_in_the_field_that_has_to_be_put_right(
    visit: Visit, invitations: list[str], watch: Watch
) -> None:
    """Of the long form of an assignment, its reason beside it; and of a row in the list of its parts."""
    watch.announce(UNREADABLE)
    page = new_class(visit(), invitations)
    page.goto(page.url.replace("/projector", "/assignments"))
    page.fill("#title", "第四周")
    keys(page, "Enter")
    page.locator(".more-rules summary").press("Enter")
    page.fill("#s-minutes", "一会儿")
    page.press("#s-minutes", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("做题时间写整数分钟")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(page.locator("#s-minutes")).to_be_focused()
    expect(page.locator("#s-minutes")).to_be_in_viewport(ratio=1)
    page.locator("#add-practice summary").click()
    page.press("#practice-points", "Enter")
    page.wait_for_url("**#parts")
    points = page.locator(".part-list").get_by_label("每题分值")
    points.fill("一分")
    points.press("Enter")
    expect(page.locator("#parts-error")).to_be_visible()
    expect(points).to_be_focused()


def test_the_focus_goes_to_the_neighbour_of_what_is_taken_out(visit: Visit, invitations: list[str]) -> None:
    """Of the two parts of a draft first the one, then the other; then to what says that it is empty."""
    page = new_class(visit(**DESK), invitations)
    page.goto(page.url.replace("/projector", "/assignments"))
    page.fill("#title", "第三周")
    keys(page, "Enter")
    for _ in range(2):
        page.locator("#add-practice summary").click()
        page.press("#practice-points", "Enter")
        page.wait_for_url("**#parts")
    parts = page.locator(".part-list > li")
    expect(parts).to_have_count(2)
    parts.first.get_by_role("button", name="移走").press("Enter")
    expect(parts).to_have_count(1)
    expect(parts.first).to_be_focused()
    parts.first.get_by_role("button", name="移走").press("Enter")
    expect(page.get_by_text("还是空的。")).to_be_focused()
