"""The movable row under a hand: finger, mouse, buttons, keys; its arithmetic held against the engine."""

import random
import re
from collections.abc import Mapping, Sequence
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from app import engine
from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits
from tests.browser.watch import Watch

PHONE = {"width": 360, "height": 780}
LESSON = "/lessons/concepts/which-is-better"
CASES = 3000
GRADES = "items => items.map((item) => item.dataset.grade)"
COMPUTE = """async (cases) => {
  const { trace, range } = await import(document.querySelector('.toy').dataset.script);
  return cases.map(([row, k, gain, pool]) => {
    const now = trace(row, { k, gain, pool });
    const around = range(row, { k, gain, pool });
    return [now.dcg, now.idcg, now.ndcg, around.worst, around.mean, around.best, ...now.terms, ...now.ideal];
  });
}"""
Case = tuple[Sequence[int], int | None, str, Sequence[int] | None]


def some_case(chance: random.Random) -> Case:
    def grades(least: int, most: int) -> list[int]:
        return [chance.randint(0, 5) for _ in range(chance.randint(least, most))]

    row = grades(2, 8)
    k = chance.choice([None, *range(1, 9)])
    pool = chance.choice([None, None, row + grades(1, 4)])
    return row, k, chance.choice(["linear", "exponential"]), pool


def of_engine(case: Case) -> list[float]:
    row, k, gain, pool = case
    trace = engine.trace(row, k, gain, pool=pool)
    around = engine.ndcg_range(row, k, gain, pool=pool)
    sums = [trace.dcg, trace.idcg, trace.ndcg, around.worst, around.mean, around.best]
    return [*sums, *[term.value for term in trace.terms], *[term.value for term in trace.ideal_terms]]


def test_the_browser_computes_what_the_engine_computes(visit: Visit) -> None:
    page = visit()
    page.goto("/play")
    chance = random.Random(20)
    cases = [some_case(chance) for _ in range(CASES)]
    for case, computed in zip(cases, page.evaluate(COMPUTE, cases), strict=True):
        assert computed == pytest.approx(of_engine(case), abs=1e-12), case


def row_of(page: Page) -> list[str]:
    grades: list[str] = page.locator(".toy-row > li").evaluate_all(GRADES)
    return grades


def ndcg(page: Page, value: str) -> None:
    expect(page.locator("[data-out=ndcg]")).to_have_text(value)


def awake(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator(".toy.awake")).to_have_count(1)


def middle(page: Page, index: int) -> Mapping[str, float]:
    box = page.locator(".toy-row > li").nth(index).locator(".toy-candy").bounding_box()
    assert box
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def take_first_candy(page: Page) -> Mapping[str, float]:
    """With the mouse, the first of 0, 3, 2 and 1. Returns where the last one lies."""
    awake(page, "/play?row=0-3-2-1")
    start = middle(page, 0)
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    return middle(page, 3)


def test_a_mouse_drags_a_candy_and_the_address_follows(visit: Visit) -> None:
    page = visit()
    end = take_first_candy(page)
    page.mouse.move(end["x"] + 12, end["y"], steps=12)
    ndcg(page, "1.000")
    page.mouse.up()
    assert row_of(page) == ["3", "2", "1", "0"]
    assert "row=3-2-1-0" in page.url
    page.reload()
    assert row_of(page) == ["3", "2", "1", "0"]
    ndcg(page, "1.000")


def test_what_a_hand_has_moved_stays_when_the_display_is_changed(visit: Visit) -> None:
    page = visit()
    end = take_first_candy(page)
    page.mouse.move(end["x"] + 12, end["y"], steps=12)
    page.mouse.up()
    ndcg(page, "1.000")
    expect(page.get_by_role("link", name="登录", exact=True)).to_have_attribute(
        "href", re.compile("/sign-in\\?next=%2Fplay%3Frow%3D3-2-1-0$")
    )
    page.get_by_text("显示与按键").click()
    page.get_by_label("明暗").select_option("dark")
    page.get_by_role("button", name="就这样").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert row_of(page) == ["3", "2", "1", "0"]
    ndcg(page, "1.000")


def test_a_finger_drags_a_candy_and_still_scrolls_the_page(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True)
    awake(page, "/")
    ndcg(page, "0.634")
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: Mapping[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    start, end = middle(page, 3), middle(page, 0)
    send("touchStart", start)
    for step in range(1, 13):
        x = start["x"] + (end["x"] - 12 - start["x"]) * step / 12
        send("touchMove", {"x": x, "y": start["y"]})
    send("touchEnd")
    assert row_of(page) == ["4", "0", "2", "1", "3"]
    assert (
        page.locator(".toy-candy").first.evaluate("candy => getComputedStyle(candy).touchAction") == "pan-y"
    )
    fits(page)


def test_a_finger_that_scrolls_moves_no_candy(visit: Visit) -> None:
    """The browser takes the finger away: nothing was moved, and nothing is told."""
    page = visit(viewport=PHONE, has_touch=True)
    awake(page, "/")
    row = row_of(page)
    touch = page.context.new_cdp_session(page)
    start = middle(page, 1)
    points = [{"x": start["x"], "y": start["y"] - 12 * step} for step in range(12)]
    page.evaluate("addEventListener('pointercancel', () => { document.title = 'cancelled'; })")
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [start]})
    for point in points:
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    expect(page).to_have_title("cancelled")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert row_of(page) == row
    expect(page.locator("#status-order")).to_have_text("")
    expect(page.locator(".toy-row .drag")).to_have_count(0)


def test_a_mouse_that_lets_go_elsewhere_sweetens_nothing(visit: Visit) -> None:
    page = visit()
    awake(page, "/lessons/definitions/half-way-definitions?step=play-one-grade")
    row = row_of(page)
    candy = middle(page, 0)
    page.mouse.move(candy["x"], candy["y"])
    page.mouse.down()
    page.mouse.move(2, 2)
    page.mouse.up()
    page.locator(".toy-row > li").first.locator(".toy-candy").hover()
    page.locator(".toy-terms").first.dispatch_event("pointerup", {"bubbles": True})
    assert row_of(page) == row


WORK = """(candies) => {
  const toy = document.querySelector('.toy');
  for (const list of toy.querySelectorAll('.toy-row, .toy-terms')) {
    const [first] = list.children;
    while (list.children.length < candies) list.append(first.cloneNode(true));
    [...list.children].forEach((item, index) => { item.dataset.place = index; });
  }
  const work = { layout: 0, logarithms: 0, sorted: 0, queries: 0, written: 0 };
  const counted = (owner, name, kind, cost = () => 1) => {
    const { value, get } = Object.getOwnPropertyDescriptor(owner, name);
    const count = function (...passed) {
      work[kind] += cost(this);
      return (value ?? get).apply(this, passed);
    };
    Object.defineProperty(owner, name, value ? { value: count } : { get: count });
  };
  counted(Element.prototype, 'getBoundingClientRect', 'layout');
  for (const name of ['offsetLeft', 'offsetWidth']) counted(HTMLElement.prototype, name, 'layout');
  counted(Math, 'log2', 'logarithms');
  counted(Array.prototype, 'sort', 'sorted', (list) => list.length);
  counted(Element.prototype, 'querySelectorAll', 'queries');
  counted(Element.prototype, 'querySelector', 'queries');
  const writes = new MutationObserver((records) => { work.written += records.length; });
  writes.observe(toy, { subtree: true, childList: true, attributes: true, characterData: true });
  let before = {};
  window.moves = [];
  const at = () => [...toy.querySelectorAll('.toy-row > li')].map((item) => item.dataset.place).join();
  toy.addEventListener('pointermove', () => {
    before = { ...work, row: at() };
  }, { capture: true });
  document.addEventListener('pointermove', () => {
    if (!toy.querySelector('.drag')) return;
    const spent = Object.entries(work).map(([kind, after]) => [kind, after - before[kind]]);
    window.moves.push({ ...Object.fromEntries(spent), moved: before.row !== at() });
  });
}"""


def work_of(page: Page, candies: int) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The most that a move event costs: one within its place, and one that changes the order."""
    awake(page, "/play?row=0-3-2-1-4")
    page.evaluate(WORK, candies)
    start, end = middle(page, 0), middle(page, candies - 1)
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(end["x"] + 6, end["y"], steps=6 * candies)
    page.mouse.up()
    moves = page.evaluate("window.moves")
    costs = []
    for moved in (False, True):
        of_kind = [move for move in moves if move["moved"] == moved]
        assert of_kind
        costs.append({kind: max(move[kind] for move in of_kind) for kind in of_kind[0]})
    return costs[0], costs[1]


@pytest.mark.long
def test_a_move_costs_little_whatever_the_length(visit: Visit) -> None:
    """No look at the layout under the finger, nothing computed twice; what is drawn grows with the row."""
    page = visit()
    within_five, across_five = work_of(page, 5)
    within_twenty, across_twenty = work_of(page, 20)
    assert within_five == within_twenty
    still = {"layout": 0, "logarithms": 0, "sorted": 0, "written": 1}
    assert {kind: within_five[kind] for kind in still} == still
    for across in (across_five, across_twenty):
        assert across["layout"] == 0
    assert across_five["logarithms"] == 0
    assert across_twenty["logarithms"] <= 20, "that of a rank is computed once"
    for kind in ("sorted", "queries", "written"):
        assert across_twenty[kind] <= 4 * across_five[kind]
    assert across_five["sorted"] <= 4 * 5


SPEECH = """() => {
  window.spoken = [];
  const REGIONS = '[role=status], [role=alert], [aria-live], output';
  const regionOf = ({ target }) => (target.closest ? target : target.parentElement).closest(REGIONS);
  new MutationObserver((records) => {
    const regions = new Set(records.map(regionOf));
    const heard = [...regions].filter((region) => region && !region.closest('[aria-hidden=true]'));
    window.spoken.push(...heard.map((region) => region.textContent));
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Writes down what a screen reader is told of: once for each region and change."""


@pytest.mark.parametrize("path", ["/", "/play?row=2-1-2&beside=3-0-0&k=2"])
def test_a_move_is_told_once(visit: Visit, path: str) -> None:
    """The sums that follow from it are in the sentence, and not one after the other as well."""
    page = visit()
    awake(page, path)
    page.evaluate(SPEECH)
    page.locator(".toy-move.on, button.toy-candy, a.toy-candy").first.press("Enter")
    expect(page.locator("#status-order")).to_contain_text("NDCG是")
    assert page.evaluate("spoken") == [page.locator("#status-order").inner_text()]


PRESS_ANOTHER = """candy => candy.dispatchEvent(
  new PointerEvent('pointerdown', {pointerId: 7, bubbles: true, cancelable: true})
)"""


def test_a_second_finger_takes_no_other_candy_along(visit: Visit) -> None:
    page = visit()
    end = take_first_candy(page)
    page.evaluate("HTMLElement.prototype.setPointerCapture = () => {}")
    page.locator(".toy-candy").nth(2).evaluate(PRESS_ANOTHER)
    page.mouse.move(end["x"] + 12, end["y"], steps=12)
    page.mouse.up()
    assert row_of(page) == ["3", "2", "1", "0"]
    expect(page.locator(".toy-row > .drag")).to_have_count(0)


ANOTHER_FINGER = """(element, kind) => element.dispatchEvent(
  new PointerEvent(kind, {pointerId: 7, bubbles: true})
)"""


def test_a_second_finger_that_goes_drops_no_candy(visit: Visit) -> None:
    """Whether it was beside the row, or outside of the toy."""
    page = visit()
    end = take_first_candy(page)
    page.mouse.move(middle(page, 0)["x"] + 12, end["y"], steps=3)
    places = (page.locator(".toy-candy").nth(2), page.locator("h1"))
    for place, kind in product(places, ("pointerup", "pointercancel", "lostpointercapture")):
        place.evaluate(ANOTHER_FINGER, kind)
        expect(page.locator(".toy-row > .drag")).to_have_count(1)
    page.mouse.move(end["x"] + 12, end["y"], steps=12)
    page.mouse.up()
    assert row_of(page) == ["3", "2", "1", "0"]


def test_the_first_of_two_presses_is_told(visit: Visit) -> None:
    page = visit()
    awake(page, "/lessons/concepts/sweetness?step=play-swap")
    status, candies = page.locator("#status-order"), page.locator(".toy-candy")
    candies.nth(2).press("Enter")
    expect(status).to_have_text("拿起了第3位，甜度0。再按一颗，和它换。")
    expect(candies.nth(2)).to_have_attribute("aria-pressed", "true")
    candies.nth(2).press("Enter")
    expect(status).to_have_text("放回去了。")
    expect(candies.nth(2)).to_have_attribute("aria-pressed", "false")
    candies.nth(2).press("Enter")
    candies.nth(4).press("Enter")
    expect(status).to_contain_text("换了")
    expect(page.locator(".toy-candy[aria-pressed=true]")).to_have_count(0)
    expect(candies.nth(2)).to_be_focused()


def test_a_browser_that_takes_no_more_addresses_still_moves_the_candies(visit: Visit) -> None:
    """Safari counts them: a hundred in half a minute. What it refused it takes later."""
    page = visit()
    awake(page, "/play?row=0-3-2-1")
    page.evaluate(
        "() => { history.replaceState = () => { throw new DOMException('enough', 'SecurityError'); }; }"
    )
    page.locator(".toy-move.on").first.press("Enter")
    expect(page.locator("#status-order")).to_contain_text("甜度0到了第2位")
    page.evaluate("delete history.replaceState")
    page.wait_for_url("**/play?row=3-0-2-1*")


HELD_KEY = """(candy) => {
  window.addresses = [];
  const { replaceState } = history;
  history.replaceState = (...state) => {
    window.addresses.push(state[2].search);
    replaceState.apply(history, state);
  };
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowRight']) {
    candy.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }
}"""


def test_a_key_that_is_held_writes_few_addresses_and_the_last_one(visit: Visit) -> None:
    page = visit()
    awake(page, "/play?row=0-3-2-1")
    page.locator(".toy-row > li[data-grade='0'] .toy-move.on").evaluate(HELD_KEY)
    page.wait_for_url("**/play?row=3-2-1-0*")
    assert page.evaluate("addresses") == ["?row=3-0-2-1", "?row=3-2-1-0"]


GO_ON_AFTER_TWO_MOVES = """(candy) => {
  const waiting = [];
  window.setTimeout = (run) => waiting.push(run);
  for (const key of ['ArrowRight', 'ArrowRight']) {
    candy.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  }
  history.pushState(null, '', '/elsewhere');
  for (const run of waiting) run();
}"""


def test_an_address_that_waits_to_be_written_takes_the_place_of_no_other(visit: Visit) -> None:
    page = visit()
    awake(page, "/play?row=0-3-2-1")
    page.locator(".toy-row > li[data-grade='0'] .toy-move.on").evaluate(GO_ON_AFTER_TWO_MOVES)
    assert page.url.endswith("/elsewhere")


LEAVE_AFTER_TWO_MOVES = """(candy) => {
  for (const key of ['ArrowRight', 'ArrowRight']) {
    candy.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  }
  document.querySelector('a[href="/glossary"]').click();
}"""


def test_who_leaves_at_once_finds_the_last_move_on_the_way_back(visit: Visit) -> None:
    page = visit()
    awake(page, "/play?row=0-3-2-1")
    page.locator(".toy-row > li[data-grade='0'] .toy-move.on").evaluate(LEAVE_AFTER_TWO_MOVES)
    page.wait_for_url("**/glossary")
    page.go_back()
    assert "row=3-2-0-1" in page.url


def test_keys_and_buttons_move_and_say_so(visit: Visit) -> None:
    page = visit()
    awake(page, "/")
    for _ in range(4):
        page.locator(".toy-row > li[data-grade='0'] .on").press("ArrowRight")
    expect(page.locator("#status-order")).to_contain_text("甜度0到了第5位。NDCG是")
    expect(page.locator(".toy-row > li[data-grade='0'] .on")).to_be_focused()
    expect(page.get_by_text("说说为什么")).to_be_hidden()
    for grade in ("4", "4", "3", "3"):
        page.locator(f".toy-row > li[data-grade='{grade}'] .back").click()
    page.locator(".toy-row > li[data-grade='2'] .back").focus()
    assert row_of(page) == ["4", "3", "2", "1", "0"]
    ndcg(page, "1.000")
    page.get_by_role("link", name="说说为什么，去第1课").click()
    page.wait_for_url(f"**{LESSON}*")


@pytest.mark.parametrize("size", [(360, 640), (1280, 720)])
def test_who_gets_there_sees_the_number_and_is_asked_why(visit: Visit, size: tuple[int, int]) -> None:
    """On the first screen of all, without a scroll."""
    page = visit(viewport={"width": size[0], "height": size[1]})
    awake(page, "/")
    for grade in "44433321":
        arrow = page.locator(f".toy-row > li[data-grade='{grade}'] .back")
        assert arrow.evaluate(eyes.IN_REACH)
        arrow.click()
    ndcg(page, "1.000")
    for element in (page.locator("[data-out=ndcg]"), page.get_by_role("link", name="说说为什么")):
        assert element.evaluate(eyes.IN_REACH)
    assert page.evaluate("scrollY") == 0


def test_handles_for_k_gain_and_grade(visit: Visit) -> None:
    page = visit()
    awake(page, "/play?row=2-1-2&beside=3-0-0&pool=3-2-2-1-0-0&k=3")
    ndcg(page, "0.690")
    page.get_by_label("指数").check()
    ndcg(page, f"{engine.ndcg([2, 1, 2], 3, 'exponential', pool=[3, 2, 2, 1, 0, 0]):.3f}")
    assert page.locator(".toy").get_attribute("data-ahead") == "beside"
    page.locator("input[name=k]").press("ArrowLeft")
    ndcg(page, f"{engine.ndcg([2, 1, 2], 2, 'exponential', pool=[3, 2, 2, 1, 0, 0]):.3f}")
    for term in ("k=2", "gain=exponential", "row=2-1-2"):
        page.wait_for_url(re.compile(rf"[?&]{term}(&|#|$)"))
    page.locator(".toy-candy").first.click()
    assert row_of(page) == ["3", "1", "2"]
    expect(page.locator("#status-order")).to_contain_text("第1位的甜度是3")
    page.get_by_role("button", name="从头来").click()
    ndcg(page, f"{engine.ndcg([0, 2, 1, 4, 3]):.3f}")


def test_the_browser_writes_sums_whose_quotient_is_the_printed_one(visit: Visit) -> None:
    page = visit()
    awake(page, "/play?row=3-1-2-0")
    page.get_by_label("第1位，甜度3：往后一位").click()
    ndcg(page, "0.817")
    expect(page.locator("[data-out=dcg]")).to_have_text("3.8928")
    expect(page.locator("[data-out=idcg]")).to_have_text("4.7619")


def test_the_row_beside_is_measured_as_the_moved_one(visit: Visit) -> None:
    page = visit()
    awake(page, "/lessons/definitions/half-way-definitions?step=play-one-grade")
    expect(page.locator("[data-out=beside]")).to_have_text("3.000")
    assert page.locator(".toy").get_attribute("data-ahead") == "beside"
    page.locator(".toy-candy").first.click()
    expect(page.locator("[data-out=dcg]")).to_have_text("3.131")
    assert page.locator(".toy").get_attribute("data-ahead") == "own"
    expect(page.locator("#status-order")).to_contain_text("还剩3.131")


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_a_task_is_done_by_hand_and_explained(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 780})
    awake(page, f"{LESSON}?step=play-order")
    page.get_by_text("3步").click()
    for _ in range(3):
        page.locator(".toy-row > li[data-grade='0'] .on").click()
    page.get_by_role("button", name="好了").click()
    expect(page.locator(".toy-result.is-right")).to_contain_text("最少3步")
    expect(page.locator(".toy-result")).to_contain_text("你猜中了")
    expect(page.locator(".toy.awake")).to_have_count(1)
    page.reload()
    expect(page.locator(".toy-result.is-right")).to_be_visible()
    fits(page)
    assert axe(page) == []


def test_a_task_is_done_by_keys_alone(visit: Visit) -> None:
    """Space and Enter at the candies and at the guess; Enter at the guess says that it is done."""
    page = visit()
    awake(page, "/lessons/concepts/sweetness?step=play-swap")
    for place, key in ((2, "Space"), (4, "Enter")):
        page.locator(".toy-candy").nth(place).press(key)
    assert row_of(page) == ["4", "2", "3", "1", "0"]
    page.locator(".toy-guess input").nth(1).press("Space")
    page.locator(".toy-guess input").nth(1).press("Enter")
    expect(page.locator(".toy-result.is-right")).to_be_focused()


def test_before_its_script_has_come_a_candy_is_moved_by_the_server(visit: Visit, watch: Watch) -> None:
    watch.announce("ERR_FAILED")
    page = visit()
    page.route("**/modules/toy*.js", lambda route: route.abort())
    page.goto(f"{LESSON}?step=play-order")
    page.locator(".toy-row > li[data-grade='0'] .on").click()
    expect(page.locator(".toy-row > li").first).to_have_attribute("data-grade", "3")


def test_two_candies_are_exchanged_by_two_presses_or_by_a_drag(visit: Visit) -> None:
    page = visit()
    awake(page, "/lessons/concepts/sweetness?step=play-swap")
    page.locator(".toy-candy").nth(2).click()
    page.locator(".toy-candy").nth(4).click()
    assert row_of(page) == ["4", "2", "3", "1", "0"]
    start, end = middle(page, 0), middle(page, 1)
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(end["x"], end["y"], steps=6)
    page.mouse.up()
    assert row_of(page) == ["2", "4", "3", "1", "0"]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
@pytest.mark.parametrize("path", ["/", "/play?row=5-4-3-2-1-0-3-2&k=4&gain=exponential&beside=3-2-1", LESSON])
def test_the_toy_can_be_read_by_everybody(visit: Visit, scheme: str, path: str) -> None:
    page = visit(viewport={"width": 320, "height": 640}, color_scheme=scheme)
    page.goto(path)
    fits(page)
    assert axe(page) == []


def test_a_sweeter_candy_takes_its_pool_along_and_stays_so_after_a_reload(visit: Visit) -> None:
    page = visit()
    awake(page, "/play?row=2-3-0&pool=3-2-0-0")
    page.locator(".toy-candy").first.click()
    share = f"{engine.ndcg([3, 3, 0], pool=[3, 3, 0, 0]):.3f}"
    ndcg(page, share)
    expect(page).to_have_url(re.compile("row=3-3-0&pool=3-3-0-0"))
    page.reload()
    ndcg(page, share)


def test_a_ticked_guess_is_there_after_a_reload(visit: Visit) -> None:
    page = visit()
    awake(page, "/lessons/concepts/which-is-better?step=play-order")
    guess = page.locator("[name=guess][value='2']")
    guess.check()
    page.locator(".toy-move.on").first.click()
    expect(page).to_have_url(re.compile("guess=2"))
    page.reload()
    expect(guess).to_be_checked()
