"""The clock of a timed assignment, by itself: when it speaks, and whom it believes."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.stage import QUESTION, Stage, pressed

Countdown = Callable[..., Page]
TICK_OFTEN = "const plain = setInterval; setInterval = (tick, wait) => plain(tick, wait / 20);"
"""It looks at the time twenty times a second, not once: nobody waits for it."""


@pytest.fixture
def countdown(stage: Stage) -> Countdown:
    """Opens bare pages with the clock of a timed assignment."""

    def open_page(body: str, before: str = "") -> Page:
        return stage("modules/countdown.js", body, before=TICK_OFTEN + before)

    return open_page


@pytest.mark.parametrize(
    ("seconds", "text", "spoken"),
    [(1500, "还剩25分钟。", ""), (300, "还剩5分钟。", "还剩5分钟"), (0, "时间到了。", "时间到了")],
)
def test_the_time_that_is_left_is_shown_and_spoken_at_few_moments(
    countdown: Countdown, seconds: int, text: str, spoken: str
) -> None:
    line = f'<p class="time-left" data-left="{seconds}"><span class="left"></span><i role="status"></i></p>'
    page = countdown(line)
    assert page.inner_text(".left") == text
    assert page.inner_text("i").startswith(spoken)
    assert bool(page.inner_text("i")) == bool(spoken)


@pytest.mark.parametrize("seconds", [0, 300])
def test_a_question_whose_time_is_up_takes_nothing_more(countdown: Countdown, seconds: int) -> None:
    line = f'<p class="time-left" data-left="{seconds}"><span class="left"></span><i role="status"></i>'
    page = countdown(
        f'{line}<a class="after" href="/" hidden>看看存下的</a></p><div class="question">{QUESTION}</div>',
    )
    is_up = not seconds
    assert page.locator(".after").is_visible() == is_up
    page.evaluate("document.querySelector('#number').focus()")
    assert page.evaluate("document.activeElement.id === 'number'") != is_up


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ('<p class="time-left" data-left="600">20:49。</p><div class="question"></div>', "还剩(10分钟|9分)"),
        ('<p class="time-left" data-left="0">20:39。</p><div class="question"></div>', "时间到了。"),
        ('<p class="late-words">时间到了</p><div class="question"></div>', "时间到了。"),
        ("<h1>欢迎使用无线网络</h1>", "时间到了。"),
        ("", "时间到了。"),
    ],
)
def test_before_time_is_up_the_server_is_asked_once_whether_it_gave_more(
    countdown: Countdown, answer: str, text: str
) -> None:
    """Where it gave none, or is not heard, nothing more is taken."""
    page = countdown(f'{TIME_LEFT.format(1)}<div class="question">{QUESTION}</div>')
    asked_urls: list[str] = []

    def answer_once(route: Route) -> None:
        asked_urls.append(route.request.url)
        if answer:
            route.fulfill(body=answer, content_type="text/html")
        else:
            route.abort()

    page.unroute("**/*")
    page.route("**/*", answer_once)
    expect(page.locator(".left")).to_have_text(re.compile(text))
    is_up = text == "时间到了。"
    expect(page.locator(".time-left")).to_contain_text("20:39。" if is_up else "20:49。")
    expect(page.locator(".question[inert]")).to_have_count(int(is_up))
    page.wait_for_timeout(200)
    assert len(asked_urls) == 1


TIME_LEFT = '<p class="time-left" data-left="{0}">20:39。<span class="left"></span><i role="status"></i></p>'
LATE_SCRIPT = "performance.getEntriesByType = () => [{ responseStart: performance.now() - 120_000 }]"


def test_what_a_slow_line_took_until_the_script_came_counts(countdown: Countdown) -> None:
    page = countdown(TIME_LEFT.format(1500), before=LATE_SCRIPT)
    expect(page.locator(".left")).to_have_text(re.compile("还剩23分|还剩22分59秒"))


CLOCK_TEN_MINUTES_ON = "const now = Date.now.bind(Date); Date.now = () => now() + 600_000"
LED_ELSEWHERE = "Object.defineProperty(Response.prototype, 'redirected', { value: true })"
ONLINE = "dispatchEvent(new Event('online'))"
SECONDS_LATER = """for (const clock of [Date, performance]) {
  const read = clock.now.bind(clock);
  clock.now = () => read() + 20_000;
}"""


def test_a_clock_that_is_set_meanwhile_takes_no_time_away(countdown: Countdown) -> None:
    page = countdown(TIME_LEFT.format(1500))
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
    countdown: Countdown, body: str, text: str
) -> None:
    page = countdown(TIME_LEFT.format(1500))
    answer_with(page, f'{body}<div class="question"></div>')
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".left")).to_contain_text(text)


def answer_with(page: Page, body: str, status: int = 200) -> None:
    """What the server says from now on."""
    page.unroute("**/*")
    page.route("**/*", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))


def test_whose_question_was_handed_in_during_a_sleep_has_no_time_left(countdown: Countdown) -> None:
    """Its address leads to the result."""
    page = countdown(TIME_LEFT.format(1500), before=LED_ELSEWHERE)
    answer_with(page, "<h1>得分</h1>")
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".left")).to_have_text("时间到了。")


def test_whose_time_was_given_free_during_a_sleep_goes_on_without_a_clock(countdown: Countdown) -> None:
    page = countdown(f'{TIME_LEFT.format(1500)}<div class="question">{QUESTION}</div>')
    answer_with(page, '<div class="question"></div>')
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".time-left")).to_have_count(0)
    page.evaluate(ONLINE)
    page.focus("#number")
    assert page.evaluate("document.activeElement.id") == "number"


@pytest.mark.parametrize(
    ("status", "later"),
    [
        (0, ONLINE),
        pytest.param(503, SECONDS_LATER, marks=pytest.mark.long),
        pytest.param(200, ONLINE, marks=pytest.mark.long),
    ],
)
def test_who_wakes_without_a_network_hears_the_time_when_it_is_back(
    countdown: Countdown, status: int, later: str
) -> None:
    """Nor is it an answer when a wireless network asks to be agreed to."""
    page = countdown(TIME_LEFT.format(1500))

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


def test_a_question_that_can_no_longer_be_opened_is_not_asked_for_again(countdown: Countdown) -> None:
    """As after its student was taken out of the class: nobody knows how much time is left."""
    page = countdown(TIME_LEFT.format(1500), before=NOTE_END)
    answer_with(page, '<body class="page-error"><h1>没有这一页</h1>', 404)
    page.evaluate(CLOCK_TEN_MINUTES_ON)
    expect(page.locator(".left")).to_have_text("这道题打不开了，不知道还剩多久。")
    assert pressed(page) == ["ended"]


def test_who_wakes_on_a_slow_line_asks_once_at_a_time(countdown: Countdown) -> None:
    page = countdown(TIME_LEFT.format(1500))
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
