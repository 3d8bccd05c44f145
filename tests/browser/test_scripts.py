"""Each script by itself, on a page with no more than it speaks to: what it does, and what it leaves alone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import QUESTION, Stage, happens, pressed

RANKING = """
<p id="status-order"></p><ol class="ranking">{rows}</ol>
"""
ROW = '<li data-label="{0}" id="{0}"><b class="grip">⠿</b><button class="move" value="up:{0}">↑</button>\
<button class="move" value="down:{0}">↓</button></li>'


def test_keys_choose_answer_ask_and_go_on(stage: Stage) -> None:
    page = stage("js/30-keys.js", QUESTION, 'data-keys="on"')
    page.keyboard.press("2")
    assert page.evaluate("document.activeElement.id") == "second"
    assert page.evaluate("document.getElementById('second').checked")
    for key in ("3", "Enter", "h", "n"):
        page.keyboard.press(key)
    assert page.evaluate("document.getElementById('second').checked"), "a closed option is not chosen"
    assert pressed(page) == ["answer", "hint", "next"]


def test_a_key_that_is_held_presses_once(stage: Stage) -> None:
    """The next step, the next card and the review before the last one were not meant."""
    lesson = stage("js/30-keys.js", QUESTION, 'data-keys="on"')
    hold(lesson, "h", "n")
    assert pressed(lesson) == ["hint", "next"]
    review = stage("modules/cards.js", CARD, 'data-keys="on"')
    review.evaluate("document.activeElement.blur()")
    hold(review, "Space")
    assert review.evaluate("document.querySelector('.flip').open")
    hold(review, "2", "U")
    assert pressed(review) == ["good", "undo"]


def hold(page: Page, *keys: str) -> None:
    """Each key until it has repeated itself twice."""
    for key in keys:
        for _ in range(3):
            page.keyboard.down(key)
        page.keyboard.up(key)


@pytest.mark.parametrize("keys", ['data-keys="off"', 'data-keys="on"'])
def test_keys_rest_while_somebody_types_and_when_they_are_off(stage: Stage, keys: str) -> None:
    page = stage("js/30-keys.js", QUESTION, keys)
    if "on" in keys:
        page.focus("#number")
    for key in ("1", "h", "n"):
        page.keyboard.press(key)
    page.keyboard.press("Control+n")
    assert pressed(page) == []
    assert page.evaluate("document.getElementById('first').checked") is False


def order_of(page: Page) -> list[str]:
    rows: list[str] = page.evaluate("[...document.querySelectorAll('.ranking li')].map((row) => row.id)")
    return rows


def test_a_row_moves_by_its_buttons_and_by_keys(stage: Stage) -> None:
    page = stage("js/40-order.js", RANKING.format(rows="".join(map(ROW.format, "abc"))))
    page.click("#b .move[value='up:b']")
    assert order_of(page) == ["b", "a", "c"]
    assert page.inner_text("#status-order") == "b，第1位，共3位"
    assert page.is_disabled("#b .move[value='up:b']")
    assert page.evaluate("document.activeElement.value") == "down:b", (
        "the focus leaves the button that closed"
    )
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("ArrowDown")
    assert order_of(page) == ["a", "b", "c"]


FINGER = """([name, row, pointerId, clientY]) => {
  const grip = document.querySelector(`#${row} .grip`);
  grip.setPointerCapture = () => {};
  grip.dispatchEvent(new PointerEvent(name, {pointerId, clientY, bubbles: true}));
}"""


def test_a_second_finger_takes_no_other_row_along(stage: Stage) -> None:
    page = stage("js/40-order.js", RANKING.format(rows="".join(map(ROW.format, "abc"))))
    page.evaluate(FINGER, ["pointerdown", "a", 1, 20])
    page.evaluate(FINGER, ["pointerdown", "c", 2, 90])
    page.evaluate(FINGER, ["pointerup", "c", 2, 90])
    expect(page.locator("#a")).to_have_class("drag")
    expect(page.locator("#c")).not_to_have_class("drag")
    page.evaluate(FINGER, ["pointerup", "a", 1, 20])
    expect(page.locator(".drag")).to_have_count(0)


def test_the_focus_goes_to_what_is_new(stage: Stage) -> None:
    page = stage("js/10-focus.js", '<p id="old" data-focus tabindex="-1">旧</p><div id="target"></div>')
    happens(page, "htmx:beforeSwap", "#target")
    page.evaluate(
        "document.getElementById('target').innerHTML = '<p id=\"new\" data-focus tabindex=\"-1\">新</p>'"
    )
    happens(page, "htmx:afterSettle", "#target", "{elt: document.body}")
    assert page.evaluate("document.activeElement.id") == "new"


@pytest.mark.parametrize(
    ("event", "words"),
    [("sendError", "没发出去"), ("timeout", "没发出去"), ("responseError", "服务器没接住")],
)
def test_a_lost_answer_is_said_until_one_arrives(stage: Stage, event: str, words: str) -> None:
    page = stage("js/20-network.js", '<p id="offline" hidden></p><p id="status">旧</p><form></form>')
    happens(page, f"htmx:{event}", "form")
    assert words in page.inner_text("#offline")
    happens(page, "htmx:afterRequest", "form", "{xhr: {status: 503}}")
    assert page.is_visible("#offline")
    happens(page, "htmx:afterRequest", "form", "{xhr: {status: 422}}")
    assert page.is_hidden("#offline")
    assert page.inner_text("#status") == "旧"
    happens(page, "htmx:afterRequest", "form", "{xhr: {status: 200}}")
    assert page.inner_text("#status") == ""


CARD = """
<div id="review"><details class="flip"><summary data-focus tabindex="0">正面</summary></details>
<button id="again" data-rate>重来</button><button id="good" data-rate>良好</button>
<button id="undo" data-undo>撤回</button></div>
"""


def test_a_card_is_rated_only_after_it_was_turned(stage: Stage) -> None:
    page = stage("modules/cards.js", CARD, 'data-keys="on"')
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("2")
    assert pressed(page) == []
    page.keyboard.press("Space")
    assert page.evaluate("document.querySelector('.flip').open")
    for key in ("2", "U"):
        page.keyboard.press(key)
    assert pressed(page) == ["good", "undo"]


SHOWN_AGAIN = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"


def test_a_page_that_comes_back_after_somebody_left_is_asked_for_again(stage: Stage) -> None:
    page = stage("js/45-typed.js", "<form></form>")
    page.evaluate(SHOWN_AGAIN)
    page.evaluate("fetch('/later')")
    page.evaluate("localStorage.setItem('left', '1')")
    with page.expect_navigation():
        page.evaluate(SHOWN_AGAIN)
    page.evaluate("localStorage.clear()")


OWN = """
<form id="editor"><textarea id="own-text" rows="3">一\n二二\n三</textarea><button>存下来</button></form>
<p id="own-faults"><a href="#" data-line="2">第2行</a></p><a href="#" id="other" data-line="1">别处</a>
"""


def test_a_fault_puts_the_caret_into_its_line(stage: Stage) -> None:
    page = stage("modules/own.js", OWN)
    page.click("#other")
    assert page.evaluate("document.activeElement.id") == "other"
    page.click("#own-faults a")
    selection = page.eval_on_selector("#own-text", "(t) => t.value.slice(t.selectionStart, t.selectionEnd)")
    assert selection == "二二"


def test_control_s_keeps_the_text(stage: Stage) -> None:
    page = stage("modules/own.js", OWN)
    page.evaluate(
        "document.getElementById('editor').addEventListener('submit', (event) => { event.preventDefault();"
        " document.body.dataset.pressed = 'kept'; })"
    )
    page.focus("#own-text")
    page.keyboard.press("Control+s")
    assert pressed(page) == ["kept"]


EARLY = """
<main><input id="text" value="1"><textarea id="long">a</textarea><input type="radio" id="radio">
<select id="list"><option>a<option selected>b</select><select id="first"><option>a<option>b</select></main>
"""
RECORD_INPUT = """
document.addEventListener('input', (event) => {
  document.body.dataset.pressed = (document.body.dataset.pressed ?? '') + event.target.id + ' ';
});
"""


@pytest.mark.parametrize(
    ("changes", "counted"),
    [
        ("", []),
        ("text.value = '2'", ["text"]),
        ("long.value = 'b'; radio.checked = true", ["long", "radio"]),
        ("list.selectedIndex = 0", ["list"]),
        ("first.selectedIndex = 1", ["first"]),
    ],
)
def test_what_was_written_before_the_script_came_counts(
    stage: Stage, changes: str, counted: list[str]
) -> None:
    page = stage("modules/early.js", EARLY, before=RECORD_INPUT + changes)
    page.evaluate("dispatchEvent(new Event('load'))")
    assert pressed(page) == counted


def test_what_asks_again_asks_when_the_page_is_seen_again(stage: Stage) -> None:
    page = stage(
        "modules/today.js",
        '<p id="live" data-hx-trigger="again"></p><p id="still"></p>',
        before="for (const one of document.querySelectorAll('p')) one.addEventListener('again', () => {"
        " document.body.dataset.pressed = (document.body.dataset.pressed ?? '') + one.id + ' '; });",
    )
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert pressed(page) == ["live"]
