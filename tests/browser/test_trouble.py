"""A lost network, an impatient finger, two tabs: one answer, and never a lost one."""

import re

from playwright.sync_api import expect

from app.course import Course
from tests.browser.conftest import Visit
from tests.browser.learner import PHONE, Learner, right_answer
from tests.browser.looking import axe, fits
from tests.browser.records import Records
from tests.browser.school import NUMBERS, PASSWORD
from tests.browser.watch import NOT_FOUND, OFFLINE, STALE, Watch

NUMERIC = "/lessons/concepts/sweetness?step=5"


def test_lost_network_keeps_the_answer(visit: Visit, course: Course, records: Records, watch: Watch) -> None:
    watch.announce(OFFLINE)
    learner, before = Learner(visit(), course), records.count("response")
    learner.go(NUMERIC)
    learner.fill("cg-chengdu", right_answer(course, "cg-chengdu"))
    answer = learner.form("cg-chengdu").locator("[data-answer]")
    learner.page.context.set_offline(True)
    answer.click()
    notice = learner.page.get_by_role("alert")
    expect(notice).to_contain_text("没发出去，答案还在")
    expect(notice).to_be_in_viewport()
    expect(learner.form("cg-chengdu").locator("[name=answer]")).to_have_value(
        right_answer(course, "cg-chengdu")[0]
    )
    learner.page.context.set_offline(False)
    answer.click()
    learner.expect_state("cg-chengdu", "right")
    expect(learner.page.locator("#offline")).to_be_hidden()
    assert records.count("response") == before + 1


def test_lost_network_at_the_next_step(visit: Visit, course: Course, watch: Watch) -> None:
    watch.announce(OFFLINE)
    learner = Learner(visit(), course)
    learner.go("/lessons/concepts/which-is-better")
    learner.page.context.set_offline(True)
    learner.button("下一步").click()
    expect(learner.page.get_by_role("alert")).to_have_text("没发出去。再点一次就好。")
    learner.page.context.set_offline(False)
    learner.next_step()


LARGE = "糖" * 30_000
"""More bytes than an answer may have."""


def test_an_answer_that_is_too_large_is_refused_aloud(visit: Visit, course: Course, watch: Watch) -> None:
    watch.announce("status of 413")
    learner = Learner(visit(), course)
    learner.go(NUMERIC)
    typed = learner.form("cg-chengdu").locator("[name=answer]")
    typed.evaluate("(field) => field.removeAttribute('maxlength')")
    typed.fill(LARGE)
    learner.form("cg-chengdu").locator("[data-answer]").click()
    expect(learner.page.locator("#status")).to_contain_text("太大了")
    expect(learner.page.locator("#status")).to_be_in_viewport()
    expect(typed).to_have_value(LARGE)


def test_a_proxy_that_refuses_takes_no_form_away(visit: Visit, course: Course, watch: Watch) -> None:
    """It knows nothing of where its words belong."""
    watch.announce("status of 429")
    learner = Learner(visit(), course)
    learner.go(NUMERIC)
    learner.page.route("**/responses", lambda route: route.fulfill(status=429, body="<h1>429</h1>"))
    learner.fill("cg-chengdu", ["10"])
    learner.form("cg-chengdu").locator("[data-answer]").click()
    expect(learner.page.locator("#status")).to_have_text("429")
    expect(learner.form("cg-chengdu").locator("[name=answer]")).to_have_value("10")


def test_double_click_answers_once(visit: Visit, course: Course, records: Records) -> None:
    learner, before = Learner(visit(), course), records.count("response")
    learners = records.count("learner")
    learner.go("/lessons/concepts/which-is-better")
    learner.tick("two-systems-probe", ["b"])
    learner.button("我猜这个").dblclick()
    learner.expect_state("two-systems-probe", "ended")
    learner.page.wait_for_load_state("networkidle")
    assert records.count("response") == before + 1
    assert records.count("learner") == learners + 1


def test_double_click_on_next_is_one_step(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    learner.go("/lessons/concepts/binary-rulers")
    learner.button("下一步").dblclick()
    learner.page.wait_for_load_state("networkidle")
    steps = learner.steps()
    expect(steps.nth(1)).to_be_visible()
    ids = steps.evaluate_all("all => all.map((one) => one.id)")
    assert len(ids) == len(set(ids))
    learner.page.reload()
    expect(steps).to_have_count(len(ids))


def test_the_second_half_of_a_double_tap_guesses_nothing(visit: Visit, course: Course) -> None:
    """Where a guess was tapped there stands the next one at once; when the tap is over, it can be made."""
    learner = Learner(visit(**PHONE, pauses_after_press=True), course, touch=True)
    page = learner.page
    opened = page.locator(".skewer-words")
    page.clock.install()
    learner.go("/examples/chengdu-food")
    learner.press(learner.button("翻开第1项"))
    expect(opened).to_have_text("翻开了1 / 12")
    page.clock.run_for(1000)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    guess = page.locator(".guess").first
    with page.expect_request("**/reveals"):
        guess.tap()
    expect(opened).to_have_text("翻开了2 / 12")
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url))
    guess.tap(force=True)
    page.clock.run_for(1000)
    guess.tap()
    expect(opened).to_have_text("翻开了3 / 12")
    assert len(posted) == 1


def test_double_click_without_script(visit: Visit, course: Course, records: Records) -> None:
    learner, before = Learner(visit(java_script_enabled=False), course), records.count("response")
    learner.go("/lessons/concepts/which-is-better")
    learner.tick("two-systems-probe", ["b"])
    learner.button("我猜这个").dblclick()
    expect(learner.item("two-systems-probe")).to_have_class(re.compile(r"\bis-ended\b"))
    assert records.count("response") == before + 1


def test_another_person_in_another_tab(visit: Visit, course: Course, records: Records, watch: Watch) -> None:
    """换个人用 in one tab: the other one says so kindly and keeps what was typed."""
    watch.announce(STALE)
    guest = Learner(visit(), course)
    guest.go("/lessons/concepts/which-is-better")
    guest.next_step()
    guest.go(NUMERIC)
    stranger = Learner(guest.page.context.new_page(), course)
    stranger.leave_browser()
    expect(stranger.page.locator(".leave")).to_have_count(0)
    before = records.count("response")
    guest.fill("cg-chengdu", ["10"])
    guest.form("cg-chengdu").locator("[data-answer]").click()
    expect(guest.page.locator("#status")).to_contain_text("这一页放得太久了")
    expect(guest.page.locator("#status")).to_be_in_viewport()
    guest.expect_focus_in("#status")
    expect(guest.form("cg-chengdu").locator("[name=answer]")).to_have_value("10")
    assert records.count("response") == before


def test_same_item_answered_in_two_tabs(visit: Visit, course: Course) -> None:
    """The first answer stands; the second tab is told what it was."""
    first = Learner(visit(), course)
    first.go("/lessons/concepts/which-is-better")
    first.next_step()
    first.go(NUMERIC)
    second = Learner(first.page.context.new_page(), course)
    second.go(NUMERIC)
    first.answer_rightly("cg-chengdu")
    second.answer("cg-chengdu", ["3"], "right")
    expect(second.item("cg-chengdu").locator(".answered")).to_contain_text(
        right_answer(course, "cg-chengdu")[0]
    )


def test_attempt_of_somebody_else_is_not_there(visit: Visit, course: Course, watch: Watch) -> None:
    watch.announce(NOT_FOUND)
    stranger = Learner(visit(), course)
    stranger.go("/attempts/1")
    expect(stranger.page.locator("h1")).to_have_text("这里没有糖")
    stranger.page.get_by_role("main").get_by_role("link", name="回首页").click()
    expect(stranger.page.locator("h1")).to_have_text("越甜，越靠前")


def test_words_written_while_the_sign_in_ended_are_seen_and_sent_again(
    visit: Visit, records: Records, watch: Watch
) -> None:
    watch.announce(STALE)
    page, login = visit(), f"小糖{next(NUMBERS)}"
    page.goto("/sign-up")
    page.fill("#login", login)
    page.fill("#password", PASSWORD)
    page.locator("main form button").click()
    page.goto("/cards/new")
    page.fill("#front", "折损是什么？")
    page.fill("#back", "越靠后\n越少")
    page.context.clear_cookies()
    page.get_by_role("button", name="记下来").click()
    expect(page.locator("pre").last).to_have_text("越靠后\n越少")
    expect(page.locator("pre").last).to_be_visible()
    fits(page)
    assert axe(page) == []
    with page.expect_popup() as popup_info:
        page.get_by_role("main").get_by_role("link", name="登录").click()
    sign_in_page = popup_info.value
    sign_in_page.fill("#login", login)
    sign_in_page.fill("#password", PASSWORD)
    sign_in_page.locator("main form button").click()
    expect(sign_in_page.get_by_role("heading", level=1)).to_have_text("写一张卡片")
    before = records.count("own_card")
    page.get_by_role("button", name="再交一次").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("一张卡片")
    assert records.count("own_card") == before + 1
