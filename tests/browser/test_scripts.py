"""Each script by itself, on a page with no more than it speaks to: what it does, and what it leaves alone."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Route, expect

STATIC = Path(__file__).resolve().parents[2] / "static"
Stage = Callable[..., Page]

PRESSED = "() => document.body.dataset.pressed ?? ''"
RECORD_PRESSES = """
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) document.body.dataset.pressed = (document.body.dataset.pressed ?? '') + button.id + ' ';
});
"""
QUESTION = """
<form class="answer" onsubmit="return false"><div class="options">
  <input type="radio" name="answer" id="first">
  <input type="radio" name="answer" id="second">
  <input type="radio" name="answer" id="closed" disabled></div>
  <input type="text" id="number">
  <button type="button" id="answer" data-answer>答</button>
  <button type="button" id="hint" data-hint>提示</button>
</form><button type="button" id="next" data-next>下一步</button>
"""
RANKING = """
<p id="status-order"></p><ol class="ranking">{rows}</ol>
"""
ROW = '<li data-label="{0}" id="{0}"><b class="grip">⠿</b><button class="move" value="up:{0}">↑</button>\
<button class="move" value="down:{0}">↓</button></li>'


@pytest.fixture(scope="module")
def blank_context(browser: Browser) -> Iterator[BrowserContext]:
    """One for all of these pages: none of them keeps anything."""
    opened = browser.new_context()
    yield opened
    opened.close()


@pytest.fixture
def stage(blank_context: BrowserContext) -> Iterator[Stage]:
    """A page with this body, on which this script has run, after what it shares with others."""

    def play(script: str, body: str, root: str = "", before: str = RECORD_PRESSES) -> Page:
        page = blank_context.new_page()
        html = f"<!doctype html><html {root}><meta charset=utf-8><body>{body}"
        page.route("**/*", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.goto("http://stage.example/")
        page.evaluate(before)
        for path in ("js/05-words.js", script):
            page.add_script_tag(content=(STATIC / path).read_text("utf-8"))
        return page

    yield play
    for page in blank_context.pages:
        page.close()


def pressed(page: Page) -> list[str]:
    """The buttons that were pressed, in order."""
    names: str = page.evaluate(PRESSED)
    return names.split()


def happens(page: Page, name: str, on: str, detail: str = "{}") -> None:
    """An event of htmx."""
    event = f"new CustomEvent('{name}', {{bubbles: true, detail: {detail}}})"
    page.evaluate(f"document.querySelector('{on}').dispatchEvent({event})")


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


DRAFT = """
<form><input id="field" name="answer"><span class="draft" data-hx-post="/drafts"></span></form>
<a id="on" href="/elsewhere">下一题</a>
"""
SAVES = """
document.querySelector('.draft').addEventListener('save', () => { document.body.dataset.pressed = 'saved'; });
"""


def draft_request(status: int = 0) -> str:
    """What htmx tells of a request of the box that saves."""
    sender = "requestConfig: {elt: document.querySelector('.draft')}, pathInfo: {requestPath: '/drafts'}"
    return f"{{{sender}, xhr: {{status: {status}}}}}"


def test_who_goes_on_with_unsaved_words_waits_until_they_are_saved(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.fill("#field", "3.9")
    page.click("#on")
    assert pressed(page) == ["saved"]
    assert page.url == "http://stage.example/"
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "htmx:afterRequest", ".draft", draft_request(200))
    page.wait_for_url("**/elsewhere")


@pytest.mark.parametrize(("status", "is_asked"), [(404, True), (422, True), (200, False)])
def test_who_leaves_words_that_nobody_may_store_is_asked_first(
    stage: Stage, status: int, is_asked: bool
) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    questions: list[str] = []

    def note(dialog: Dialog) -> None:
        questions.append(dialog.type)
        dialog.accept()

    page.on("dialog", note)
    page.fill("#field", "3.9")
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "htmx:afterRequest", ".draft", draft_request(status))
    page.click("#on")
    page.wait_for_url("**/elsewhere")
    assert questions == (["beforeunload"] if is_asked else [])


def test_a_link_that_waited_for_a_refused_save_leads_nowhere_later(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.fill("#field", "3.9")
    page.click("#on")
    for status in (422, 200):
        happens(page, "htmx:beforeRequest", ".draft", draft_request())
        happens(page, "htmx:afterRequest", ".draft", draft_request(status))
    page.evaluate("fetch('/later')")
    assert page.url == "http://stage.example/"


def test_words_that_are_no_answer_are_saved_before_one_goes_on(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT.replace("<form", '<form class="answer"'), before=SAVES)
    page.fill("#field", "十来颗")
    happens(page, "htmx:afterRequest", "form", draft_request(422).replace(".draft", "form"))
    page.click("#on")
    assert pressed(page) == ["saved"]


COUNTED_SAVES = """
let tries = 0;
document.querySelector('.draft').addEventListener('save', () => {
  document.body.dataset.pressed = `${++tries}`;
});
setInterval = (run) => { document.addEventListener('five-seconds-later', run); };
"""


def test_a_save_on_a_slow_line_is_not_ended_by_the_next_try(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=COUNTED_SAVES)
    page.fill("#field", "3.9")
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "htmx:afterRequest", ".draft", draft_request())
    happens(page, "htmx:sendError", ".draft", draft_request())
    happens(page, "five-seconds-later", "body")
    assert pressed(page) == ["1"]
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "five-seconds-later", "body")
    assert pressed(page) == ["1"]
    happens(page, "htmx:afterRequest", ".draft", draft_request())
    happens(page, "htmx:timeout", ".draft", draft_request())
    happens(page, "five-seconds-later", "body")
    assert pressed(page) == ["2"]


ASKED_OLD_BROWSER = """() => {
  const event = document.createEvent('BeforeUnloadEvent');
  event.initEvent('beforeunload', false, true);
  dispatchEvent(event);
  return event.returnValue;
}"""


@pytest.mark.parametrize("script", ["modules/drafts.js", "modules/unsaved.js"])
def test_a_browser_of_before_2023_asks_too(stage: Stage, script: str) -> None:
    """To it `preventDefault` says nothing."""
    page = stage(script, DRAFT.replace("<form", "<form data-unsaved"))
    page.evaluate("document.querySelector('#field').value = '3.9'")
    page.fill("#field", "3.91")
    happens(page, "htmx:sendError", ".draft", draft_request())
    assert page.evaluate(ASKED_OLD_BROWSER)
    page.evaluate("document.querySelector('form').remove()")


SHOWN_AGAIN = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"


def test_a_page_that_comes_back_after_somebody_left_is_asked_for_again(stage: Stage) -> None:
    page = stage("js/45-typed.js", "<form></form>")
    page.evaluate(SHOWN_AGAIN)
    page.evaluate("fetch('/later')")
    page.evaluate("localStorage.setItem('left', '1')")
    with page.expect_navigation():
        page.evaluate(SHOWN_AGAIN)
    page.evaluate("localStorage.clear()")


def test_who_changed_nothing_goes_on_at_once(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.click("#on")
    page.wait_for_url("**/elsewhere")


def test_who_leaves_in_another_way_sends_the_words_along(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.fill("#field", "3.9")
    with page.expect_request("**/drafts") as request:
        page.goto("http://stage.example/away")
    assert request.value.post_data == "answer=3.9"


OWN = """
<form id="editor"><textarea id="own-text" rows="3">一\n二二\n三</textarea></form>
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


@pytest.mark.parametrize(
    ("seconds", "text", "spoken"),
    [(1500, "还剩25分钟。", ""), (300, "还剩5分钟。", "还剩5分钟"), (0, "时间到了。", "时间到了")],
)
def test_the_time_that_is_left_is_shown_and_spoken_at_few_moments(
    stage: Stage, seconds: int, text: str, spoken: str
) -> None:
    line = f'<p class="time-left" data-left="{seconds}"><span class="left"></span><i role="status"></i></p>'
    page = stage("modules/countdown.js", line)
    assert page.inner_text(".left") == text
    assert page.inner_text("i").startswith(spoken)
    assert bool(page.inner_text("i")) == bool(spoken)


@pytest.mark.parametrize("seconds", [0, 300])
def test_a_question_whose_time_is_up_takes_nothing_more(stage: Stage, seconds: int) -> None:
    line = f'<p class="time-left" data-left="{seconds}"><span class="left"></span><i role="status"></i>'
    page = stage(
        "modules/countdown.js",
        f'{line}<a class="after" href="/" hidden>看看存下的</a></p><div class="question">{QUESTION}</div>',
    )
    is_up = not seconds
    assert page.locator(".after").is_visible() == is_up
    page.evaluate("document.querySelector('#number').focus()")
    assert page.evaluate("document.activeElement.id === 'number'") != is_up


TIME_LEFT = '<p class="time-left" data-left="{0}"><span class="left"></span><i role="status"></i></p>'
LATE_SCRIPT = "performance.getEntriesByType = () => [{ responseStart: performance.now() - 120_000 }]"


def test_what_a_slow_line_took_until_the_script_came_counts(stage: Stage) -> None:
    page = stage("modules/countdown.js", TIME_LEFT.format(1500), before=LATE_SCRIPT)
    expect(page.locator(".left")).to_have_text(re.compile("还剩23分|还剩22分59秒"))


CLOCK_TEN_MINUTES_ON = "const now = Date.now.bind(Date); Date.now = () => now() + 600_000"
LED_ELSEWHERE = "Object.defineProperty(Response.prototype, 'redirected', { value: true })"
ONLINE = "dispatchEvent(new Event('online'))"
SECONDS_LATER = """for (const clock of [Date, performance]) {
  const read = clock.now.bind(clock);
  clock.now = () => read() + 20_000;
}"""


def test_a_clock_that_is_set_meanwhile_takes_no_time_away(stage: Stage) -> None:
    page = stage("modules/countdown.js", TIME_LEFT.format(1500))
    page.unroute("**/*")
    page.route("**/*", lambda route: route.abort())
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".left")).to_contain_text("还剩24分")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (TIME_LEFT.format(90), "还剩1分"),
        ('<p class="late-words">时间到了，存好的已经交了。</p>', "时间到了。"),
    ],
)
def test_where_the_clocks_part_as_after_a_sleep_the_server_is_asked(
    stage: Stage, body: str, text: str
) -> None:
    page = stage("modules/countdown.js", TIME_LEFT.format(1500))
    answer_with(page, f'{body}<div class="question"></div>')
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".left")).to_contain_text(text)


def answer_with(page: Page, body: str, status: int = 200) -> None:
    """What the server says from now on."""
    page.unroute("**/*")
    page.route("**/*", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))


def test_whose_question_was_handed_in_during_a_sleep_has_no_time_left(stage: Stage) -> None:
    """Its address leads to the result."""
    page = stage("modules/countdown.js", TIME_LEFT.format(1500), before=LED_ELSEWHERE)
    answer_with(page, "<h1>得分</h1>")
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".left")).to_have_text("时间到了。")


def test_whose_time_was_given_free_during_a_sleep_goes_on_without_a_clock(stage: Stage) -> None:
    page = stage("modules/countdown.js", f'{TIME_LEFT.format(1500)}<div class="question">{QUESTION}</div>')
    answer_with(page, '<div class="question"></div>')
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".time-left")).to_have_count(0)
    page.evaluate(ONLINE)
    page.focus("#number")
    assert page.evaluate("document.activeElement.id") == "number"


@pytest.mark.parametrize(("status", "later"), [(0, ONLINE), (503, SECONDS_LATER), (200, ONLINE)])
def test_who_wakes_without_a_network_hears_the_time_when_it_is_back(
    stage: Stage, status: int, later: str
) -> None:
    """Nor is it an answer when a wireless network asks to be agreed to."""
    page = stage("modules/countdown.js", TIME_LEFT.format(1500))

    def answer_without_time(route: Route) -> None:
        if status:
            route.fulfill(status=status, body="<h1>欢迎使用无线网络</h1>", content_type="text/html")
        else:
            route.abort()

    page.unroute("**/*")
    page.route("**/*", answer_without_time)
    with page.expect_request("**/*"):
        page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".left")).to_contain_text("还剩24分")
    answer_with(page, f'{TIME_LEFT.format(90)}<div class="question"></div>')
    page.evaluate(later)
    expect(page.locator(".left")).to_contain_text(re.compile("还剩(1分|[1-5][0-9]秒)"))


NOTE_END = "clearInterval = () => { document.body.dataset.pressed = 'ended '; }"


def test_a_question_that_can_no_longer_be_opened_is_not_asked_for_again(stage: Stage) -> None:
    """As after its student was taken out of the class: nobody knows how much time is left."""
    page = stage("modules/countdown.js", TIME_LEFT.format(1500), before=NOTE_END)
    answer_with(page, '<body class="page-error"><h1>没有这一页</h1>', 404)
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".left")).to_have_text("这道题打不开了，还剩多久问不到。")
    assert pressed(page) == ["ended"]


def test_who_wakes_on_a_slow_line_asks_once_at_a_time(stage: Stage) -> None:
    page = stage("modules/countdown.js", TIME_LEFT.format(1500))
    held_routes: list[Route] = []

    def hold(route: Route) -> None:
        held_routes.append(route)

    page.unroute("**/*")
    page.route("**/*", hold)
    with page.expect_request("**/*"):
        page.evaluate(CLOCK_TEN_MINUTES_ON)
    page.evaluate(SECONDS_LATER)
    page.evaluate(ONLINE)
    expect(page.locator(".left")).to_have_text(re.compile("还剩24分[1-3][0-9]秒"))
    assert len(held_routes) == 1
