"""What was typed and not sent is still there, whatever else was pressed on the page."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from app.course import Course
from tests.browser.assigned import begin, join, posted_draft, publish
from tests.browser.conftest import Visit
from tests.browser.learner import Learner, wrong_answer
from tests.browser.school import new_account, new_class, posted_account
from tests.browser.watch import UNREADABLE, Watch

NUMERIC = "cg-chengdu"
LESSON_URL = "/lessons/concepts/sweetness?step=5"
ORDER_URL = "/lessons/concepts/which-is-better?step=5"
PRACTICE_URL = "/practice/ndcg?level=2&seed=5"
FILL_DEVICE = """(name) => {
  for (let size = 2 ** 23; size >= 1; size /= 2) {
    try { localStorage.setItem(`${name} ${size}`, 'x'.repeat(size)); } catch { /* less is free */ }
  }
}"""
"""Until not one more letter finds room, all under names that begin so."""
LEARNER_KEY = "document.cookie.match(/learner=([^;]+)/)[1]"


def expect_nothing_kept(page: Page) -> None:
    """What was typed is forgotten a moment after its answer is shown."""
    page.wait_for_function("Object.keys(sessionStorage).every((key) => !key.startsWith('typed '))")


def begun_at_once(visit: Visit, invitations: list[str], course: Course, item_id: str, script: bool) -> Page:
    """The first of two questions that are marked at once."""
    teacher = new_class(visit(), invitations)
    student = join(visit, course, teacher, "小留", java_script_enabled=script)
    posted_draft(teacher, item_id, item_id)
    teacher.locator(".more-rules summary").click()
    teacher.select_option("#s-answers", "at_once")
    teacher.select_option("#s-tries", "3")
    teacher.get_by_role("button", name="存下时间和规矩").click()
    publish(teacher)
    begin(student)
    return student.page


@pytest.mark.long
@pytest.mark.parametrize("script", [True, False])
def test_a_question_marked_at_once_keeps_what_was_not_sent(
    visit: Visit, invitations: list[str], course: Course, script: bool
) -> None:
    page = begun_at_once(visit, invitations, course, NUMERIC, script)
    typed = page.locator("[name=answer]")
    number_links = page.locator("#rail a.bead" if script else "button.bead")
    role: Literal["link", "button"] = "link" if script else "button"
    ways = [page.get_by_role(role, name="下一题"), number_links.nth(1)]
    for text, way in enumerate(ways, 31):
        typed.fill(str(text))
        way.click()
        page.wait_for_url("**/questions/2")
        expect(page.locator(".bead.unsent")).not_to_have_count(0)
        expect(typed).to_have_value("")
        page.get_by_role(role, name="上一题").click()
        page.wait_for_url("**/questions/1")
        expect(typed).to_have_value(str(text))
        expect(page.locator(".error")).to_have_count(0)


@pytest.mark.long
def test_a_try_that_was_refused_or_wrong_is_left_with_what_was_typed_since(
    visit: Visit, invitations: list[str], course: Course, watch: Watch
) -> None:
    watch.announce(UNREADABLE)
    page = begun_at_once(visit, invitations, course, NUMERIC, True)
    question_url = page.url
    typed = page.locator("[name=answer]")
    for text, message in (("十来颗", "认不出"), (wrong_answer(course, NUMERIC)[0], "再答一次")):
        typed.fill(text)
        page.locator("[data-answer]").click()
        expect(page.locator("#question-1")).to_contain_text(message)
        page.get_by_text("去交卷").click()
        page.wait_for_url("**/hand-in")
        page.goto(question_url)
        expect(typed).to_have_value(text)
    typed.fill("5")
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(typed).to_have_value("5")
    expect(page.locator("#question-1 .hints, #question-1 .bubble").first).to_be_visible()


def test_a_question_of_a_lesson_is_found_again_as_it_was_left(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    page, typed = learner.page, learner.form(NUMERIC).locator("[name=answer]")

    def settle_for_large_letters() -> None:
        page.locator(".settings summary").click()
        page.locator("select[name=size]").select_option("large")
        learner.button("就这样").click()
        expect(page.locator("html")).to_have_attribute("data-size", "large")

    ways: dict[str, Callable[[], object]] = {
        "31": page.reload,
        "32": lambda: learner.link("术语").click(),
        "33": settle_for_large_letters,
    }
    learner.go(LESSON_URL)
    for text, leave in ways.items():
        typed.fill(text)
        leave()
        learner.go(LESSON_URL)
        expect(typed).to_have_value(text)
    typed.fill(wrong_answer(course, NUMERIC)[0])
    report = learner.item(NUMERIC).locator(".report")
    page.locator(".step .jot summary").last.click()
    report.locator("summary").click()
    report.locator("textarea").fill("题目里少了一颗糖")
    learner.form(NUMERIC).locator("[data-answer]").click()
    expect(learner.item(NUMERIC).locator(".bubble").first).to_be_visible()
    expect(report.locator("textarea")).to_have_value("题目里少了一颗糖")
    learner.go(LESSON_URL)
    learner.leave_browser()
    learner.go(LESSON_URL)
    expect(typed).to_have_value("")
    expect(report.locator("textarea")).to_have_value("")


def test_what_a_full_device_does_not_take_waits_in_its_tab(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    learner.go(PRACTICE_URL)
    typed = learner.page.locator("form.answer [name=answer]")
    typed.fill("31")
    learner.page.evaluate(FILL_DEVICE, "somebody-else typed /old")
    new_account(learner.page)
    learner.go(PRACTICE_URL)
    learner.page.evaluate("localStorage.clear()")
    learner.go(PRACTICE_URL)
    expect(typed).to_have_value("31")


def test_words_of_abandoned_questions_make_room_for_new_ones(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    posted_account(learner.page)
    learner.go(PRACTICE_URL)
    typed = learner.page.locator("form.answer [name=answer]")
    learner.page.evaluate(FILL_DEVICE, f"{learner.page.evaluate(LEARNER_KEY)} typed /old")
    typed.fill("31")
    learner.go(PRACTICE_URL)
    expect(typed).to_have_value("31")


@pytest.mark.parametrize("trouble", ["refused", "offline"])
def test_who_did_not_come_in_or_did_not_go_keeps_the_words(
    visit: Visit, course: Course, watch: Watch, trouble: str
) -> None:
    """A wrong password ends nothing, nor does a line that is away."""
    watch.announce(f"net::ERR_|{UNREADABLE}")
    learner = Learner(visit(), course)
    page, typed = learner.page, learner.page.locator("form.answer [name=answer]")
    posted_account(learner.page)
    learner.go(PRACTICE_URL)
    typed.fill("31")
    if trouble == "offline":
        page.route(re.compile("/(sign-ins|deletions)$"), lambda route: route.abort())
    for form_url, button in (("/sign-in", "登录"), ("/me/data", "全部删掉")):
        learner.go(form_url)
        if form_url == "/sign-in":
            page.fill("#login", "没有这个人")
        else:
            page.get_by_label("我想好了").check()
        page.fill("#password", "wrong-password")
        page.get_by_role("main").get_by_role("button", name=button).click()
        if trouble == "offline":
            page.wait_for_url(re.compile("chrome-error"))
            page.go_back()
        else:
            expect(page.locator("main .error")).to_be_visible()
        learner.go(PRACTICE_URL)
        expect(typed).to_have_value("31")


def test_what_was_sent_does_not_come_back(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    learner.go(PRACTICE_URL)
    item_id = "practice-ndcg-2"
    learner.answer_rightly(item_id)
    expect_nothing_kept(learner.page)


def test_a_moved_order_is_found_again_as_it_was_left(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    learner.go(ORDER_URL)
    served_order = learner.order("noodle-order")
    moved_order = [*served_order[1:], served_order[0]]
    learner.arrange("noodle-order", moved_order)
    learner.link("术语").click()
    learner.go(ORDER_URL)
    assert learner.order("noodle-order") == moved_order
    moves = learner.form("noodle-order").locator(".move")
    expect(moves.first).to_be_disabled()
    expect(learner.form("noodle-order").locator(".move:disabled")).to_have_count(2)
    learner.form("noodle-order").locator("[data-answer]").click()
    expect(learner.item("noodle-order").locator(".bubble").first).to_be_visible()
    expect_nothing_kept(learner.page)


def test_a_guess_in_an_example_is_found_again_as_it_was_left(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    page, guess = learner.page, learner.page.locator(".opening [name=guess][type=text]")
    learner.go("/examples/movies-at-3")
    page.locator(".opening button.primary").click()
    guess.fill("1.2")
    page.reload()
    expect(guess).to_have_value("1.2")
    page.locator(".opening button.primary").click()
    expect(page.locator(".bubble")).to_be_visible()
    expect_nothing_kept(page)


def test_what_a_plain_form_could_not_send_is_still_there(visit: Visit, course: Course, watch: Watch) -> None:
    watch.announce("net::ERR_")
    learner = Learner(visit(), course)
    page, typed = learner.page, learner.form(NUMERIC).locator("[name=answer]")
    page.route("**/htmx*", lambda route: route.abort())
    learner.go(LESSON_URL)
    text = wrong_answer(course, NUMERIC)[0]
    typed.fill(text)
    page.route("**/responses", lambda route: route.abort())
    learner.form(NUMERIC).locator("[data-answer]").click()
    page.wait_for_url(re.compile("chrome-error"))
    for come_back in (page.go_back, lambda: learner.go(LESSON_URL)):
        come_back()
        expect(typed).to_have_value(text)
    page.unroute("**/responses")
    with page.expect_navigation():
        learner.form(NUMERIC).locator("[data-answer]").click()
    expect_nothing_kept(page)


def test_a_number_typed_into_a_card_is_there_after_a_reload(visit: Visit) -> None:
    """Of this card alone: the next one that computes is empty, and so is the same one another time."""
    page = visit()
    for name in ("practice-dcg-1", "practice-term-2"):
        page.goto(f"/cards/{name}")
        page.get_by_role("button", name="收进闪卡").click()
        expect(page.get_by_text("收好了1张")).to_be_visible()
    page.goto("/cards/review")
    typed = page.locator(".drill [name=answer]")
    typed.press_sequentially("2/1+3/1.585")
    page.reload()
    expect(typed).to_have_value("2/1+3/1.585")
    page.goto("/cards/review?card=practice-term-2")
    expect(typed).to_have_value("")
    page.goto("/cards/review?card=practice-dcg-1")
    expect(typed).to_have_value("2/1+3/1.585")
    page.get_by_role("button", name="忘了，给我看").click()
    expect(page.locator("#flash-said")).to_be_visible()
    expect_nothing_kept(page)
    page.goto("/cards/review?card=practice-dcg-1")
    expect(typed).to_have_value("")


def test_a_number_typed_in_a_battle_stands_in_no_other(visit: Visit) -> None:
    page = visit()
    typed = page.locator("#stroke-answer")
    page.goto("/games/monster?level=1&seed=7")
    typed.press_sequentially("0.431")
    for other_battle in ("level=1&seed=8", "level=2&seed=7"):
        page.goto(f"/games/monster?{other_battle}")
        expect(typed).to_have_value("")
    page.goto("/games/monster?level=1&seed=7")
    expect(typed).to_have_value("0.431")
