"""Scripts are off: every action is a form, every state a page.

What only a browser can tell is asked each time, the walks by `make test-all`: the guests of `tests/web`
walk all these ways each time, and they are browsers without scripts.
"""

import re

import pytest
from playwright.sync_api import Locator, expect

from app.course import Course
from app.course.items.your_turn import turn_item_id
from tests.browser.conftest import Visit
from tests.browser.learner import Learner, right_answer
from tests.browser.records import Records


@pytest.fixture
def learner(visit: Visit, course: Course) -> Learner:
    return Learner(visit(java_script_enabled=False), course)


def has_state(learner: Learner, item: str, state: str) -> None:
    expect(learner.item(item)).to_have_class(re.compile(rf"\bis-{state}\b"))


def send(learner: Learner, button: Locator) -> None:
    """Press a button and wait for the page that it leads to."""
    with learner.page.expect_navigation():
        button.click()


@pytest.mark.long
def test_first_answer_next_steps_and_the_end(learner: Learner) -> None:
    learner.go("/lessons/concepts/which-is-better")
    learner.tick("two-systems-probe", ["b"])
    send(learner, learner.button("我猜这个"))
    has_state(learner, "two-systems-probe", "ended")
    for count in range(2, 7):
        send(learner, learner.button("下一步"))
        expect(learner.steps()).to_have_count(count)
        assert f"step={count}#step-" in learner.page.url
    send(learner, learner.button("这一节学完了"))
    expect(learner.page.locator("#moves-finish")).to_be_visible()
    learner.go("/")
    expect(learner.page.locator(".resume")).to_be_visible()


@pytest.mark.long
def test_hint_and_solution(learner: Learner, course: Course) -> None:
    learner.go("/lessons/definitions/dcg-by-hand?step=2")
    learner.form("dcg-by-hand").locator("[name=answer]").fill("3.1")
    send(learner, learner.form("dcg-by-hand").locator("[data-hint]"))
    expect(learner.page.locator("#item-dcg-by-hand-hint-1")).to_be_visible()
    expect(learner.form("dcg-by-hand").locator("[name=answer]")).to_have_value("3.1")
    send(learner, learner.button("算给我看"))
    has_state(learner, "dcg-by-hand", "shown")
    expect(learner.page.locator("#item-dcg-by-hand-worked")).to_be_visible()
    turn = course.items["dcg-by-hand"].twin
    assert turn
    learner.fill(turn, right_answer(course, turn))
    send(learner, learner.form(turn).locator("[data-answer]"))
    has_state(learner, turn, "right")


def test_what_only_a_script_does_is_not_offered(learner: Learner, visit: Visit) -> None:
    """A grip to drag, the keys of options, whether they work, and on 我的 the list of keys."""
    scripted = Learner(visit(), learner.course)
    for somebody, is_offered in ((learner, False), (scripted, True)):
        somebody.go("/lessons/concepts/which-is-better?step=5")
        somebody.page.locator(".settings summary").click()
        for offer in (".ranking .grip", ".settings [name=keys]", ".how .by-script"):
            expect(somebody.page.locator(offer).first).to_be_visible(visible=is_offered)
        somebody.go("/me")
        expect(somebody.page.locator(".keys-help")).to_be_visible(visible=is_offered)
        for path in ("/", "/lessons/concepts/which-is-better?step=play-order"):
            somebody.go(path)
            expect(somebody.page.get_by_text("拖").first).to_be_visible(visible=is_offered)
            expect(somebody.page.get_by_text("按‹ ›").first).to_be_visible()


@pytest.mark.long
def test_order_by_buttons(learner: Learner, course: Course) -> None:
    learner.go("/lessons/concepts/which-is-better?step=5")
    order = right_answer(course, "noodle-order")
    for place, document in enumerate(order):
        for _ in range(learner.order("noodle-order").index(document) - place):
            send(learner, learner.form("noodle-order").locator(f'.move[value="up:{document}"]'))
    assert learner.order("noodle-order") == order
    send(learner, learner.form("noodle-order").locator("[data-answer]"))
    has_state(learner, "noodle-order", "right")


def test_a_ticked_guess_stays_while_candies_move(learner: Learner) -> None:
    learner.go("/lessons/concepts/which-is-better?step=play-order")
    toy = learner.page.locator("#toy-play-order")
    toy.get_by_label("3步").check()
    for _ in range(3):
        send(learner, toy.locator("li[data-grade='0'] .on"))
        expect(toy.get_by_label("3步")).to_be_checked()
    send(learner, toy.get_by_role("button", name="好了"))
    expect(toy.locator(".toy-result.is-right")).to_contain_text("你猜中了")


def test_unreadable_number_stays(learner: Learner) -> None:
    learner.go("/lessons/concepts/sweetness?step=5")
    learner.form("cg-chengdu").locator("[name=answer]").fill("十 & 几")
    send(learner, learner.form("cg-chengdu").locator("[data-answer]"))
    expect(learner.form("cg-chengdu").locator("[name=answer]")).to_have_value("十 & 几")
    expect(learner.item("cg-chengdu").get_by_role("alert")).to_be_visible()
    expect(learner.item("cg-chengdu").locator(".bubble")).to_have_count(0)


def test_an_answer_that_is_not_given_yet_goes_along_to_the_next_step(learner: Learner) -> None:
    learner.go("/lessons/definitions/dcg-by-hand?step=2")
    answer_field = learner.form("dcg-by-hand").locator("[name=answer]")
    answer_field.fill("3.1 & 4")
    send(learner, learner.button("下一步"))
    expect(learner.steps()).to_have_count(3)
    expect(answer_field).to_have_value("3.1 & 4")
    expect(learner.item("dcg-by-hand").get_by_role("alert")).to_have_count(0)
    answer_field.fill("")
    learner.go("/lessons/definitions/dcg-by-hand?step=2")
    send(learner, learner.button("下一步"))
    assert "typed" not in learner.page.url
    learner.go("/lessons/concepts/which-is-better?step=5")
    order = learner.order("noodle-order")
    send(learner, learner.form("noodle-order").locator(f'.move[value="up:{order[1]}"]'))
    send(learner, learner.button("下一步"))
    assert learner.order("noodle-order")[:2] == [order[1], order[0]]


def test_what_is_typed_goes_along_whatever_is_pressed_on_the_page(learner: Learner) -> None:
    """Every form sends on what the page brought: a second 下一步, a move of a toy and the settings too."""
    page, toy = learner.page, learner.page.locator("#toy-play-trip")
    learner.go("/lessons/definitions/dcg-by-hand?step=2")
    first, second = (
        learner.form(item_id).locator("[name=answer]") for item_id in ("dcg-by-hand", "term-of-movie")
    )
    first.fill("3.1 & 4")
    expect(learner.button("暂存")).to_have_text("暂存")
    for _ in range(2):
        send(learner, learner.button("下一步"))
        expect(first).to_have_value("3.1 & 4")
    expect(learner.button("暂存")).to_have_text("暂存最后一题")
    second.fill("糖")
    send(learner, learner.button("下一步"))
    send(learner, toy.locator(".toy-move.on").first)
    send(learner, toy.get_by_role("button", name="好了"))
    page.locator(".settings summary").click()
    send(learner, learner.button("就这样"))
    page.locator(".step .jot summary").last.click()
    for text in ("糖", "3"):
        second.fill(text)
        send(learner, learner.form("term-of-movie").locator("[data-answer]"))
        expect(first).to_have_value("3.1 & 4")
        assert page.url.count("typed-term-of-movie") == 0
    expect(learner.item("dcg-by-hand").get_by_role("alert")).to_have_count(0)


def test_what_is_typed_may_be_kept_before_a_lab_is_moved(learner: Learner) -> None:
    lab = learner.page.locator("#lab-lambda-lab")
    learner.go("/lessons/optimisation/one-step-at-a-time?step=3")
    learner.tick("ltr-next-push", ["ba"])
    send(learner, learner.button("暂存"))
    expect(learner.steps()).to_have_count(3)
    for press in (lab.get_by_role("button", name="走一步"), lab.get_by_role("button", name="按这套设置走")):
        send(learner, press)
        expect(learner.form("ltr-next-push").locator("[value=ba]")).to_be_checked()
    expect(lab.locator(".lab-now")).to_contain_text("走了1步")


def test_why_an_answer_could_not_be_read_is_in_sight(learner: Learner) -> None:
    """On a phone the reason stands a screen below the question, and below what was said to a wrong answer."""
    learner.go("/practice/ndcg?level=2&seed=5")
    for typed in ("1", "啊"):
        learner.form("practice-ndcg-2").locator("[name=answer]").fill(typed)
        send(learner, learner.form("practice-ndcg-2").locator("[data-answer]"))
    expect(learner.item("practice-ndcg-2").get_by_role("alert")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("text", ["1", "0.9"])
def test_what_is_said_to_an_answer_is_in_sight_on_a_small_phone(
    visit: Visit, course: Course, text: str
) -> None:
    """The longest words, and a hint: below the list of the question, above the bar for the thumb."""
    learner = Learner(visit(java_script_enabled=False, viewport={"width": 360, "height": 640}), course)
    item_id = "practice-ndcg-2"
    learner.go("/practice/ndcg?level=2&seed=5")
    learner.form(item_id).locator("[name=answer]").fill(text)
    send(learner, learner.form(item_id).locator("[data-answer]"))
    bar, bubble = learner.form(item_id).locator(".actions"), learner.item(item_id).locator(".bubble").last
    for words in (bubble, learner.item(item_id).locator(".hints li").last):
        expect(words).to_be_in_viewport(ratio=0.95)
        send(learner, learner.form(item_id).locator("[data-hint]"))
    expect(bar).to_be_in_viewport(ratio=1)


def test_what_a_card_says_to_an_answer_is_in_sight(learner: Learner) -> None:
    learner.go("/cards/practice-dcg-1")
    send(learner, learner.button("收进闪卡"))
    learner.go("/cards/review?card=practice-dcg-1")
    for typed, words in (("啊", ".error"), ("1", "#flash-said")):
        learner.page.locator(".drill [name=answer]").fill(typed)
        send(learner, learner.button("对一对"))
        expect(learner.page.locator(f"#review {words}")).to_be_in_viewport(ratio=1)


@pytest.mark.long
def test_reveal(learner: Learner, course: Course) -> None:
    learner.go("/examples/chengdu-3-days")
    example = learner.page.locator("#example-chengdu-3-days")
    send(learner, example.locator(".opening button.primary"))
    send(
        learner,
        example.locator(f'.guess[value="{course.reveal_positions("chengdu-3-days")[1].right_guess}"]'),
    )
    expect(example.locator(".bubble.pleased")).to_be_visible()
    expect(example.locator(".term.open")).to_have_count(2)
    send(learner, example.get_by_role("button", name="算给我看"))
    expect(example.locator(".ratio")).to_be_visible()
    turn = turn_item_id("chengdu-3-days")
    learner.fill(turn, right_answer(course, turn))
    send(learner, learner.form(turn).locator("[data-answer]"))
    has_state(learner, turn, "right")


def test_enter_in_the_stakes_of_a_duel_guesses_nothing(learner: Learner) -> None:
    page = learner.page
    learner.go("/games/duel?seed=7")
    page.get_by_label("3颗").check()
    with page.expect_navigation():
        page.get_by_label("3颗").press("Enter")
    expect(page.locator(".bet")).to_have_count(0)
    expect(page.get_by_label("3颗")).to_be_checked()
    send(learner, page.locator("button[value=tie]"))
    expect(page.locator(".bet")).to_contain_text("你猜打平，押3颗")


@pytest.mark.long
def test_resume_code_elsewhere_and_leaving(learner: Learner, visit: Visit) -> None:
    learner.go("/lessons/concepts/which-is-better")
    send(learner, learner.button("下一步"))
    learner.go("/me")
    send(learner, learner.button("给我一个续学码"))
    code = learner.page.locator(".code").inner_text().strip()
    elsewhere = Learner(visit(java_script_enabled=False), learner.course)
    elsewhere.go("/me")
    elsewhere.page.locator("#code").fill(code.lower().replace("-", " "))
    send(elsewhere, elsewhere.button("接着学"))
    expect(elsewhere.page.locator(".resume")).to_contain_text("第2步")
    elsewhere.leave_browser()
    expect(elsewhere.page.locator(".resume")).to_have_count(0)
    learner.go("/")
    expect(learner.page.locator(".resume")).to_be_visible()


@pytest.mark.long
def test_preferences(learner: Learner) -> None:
    learner.go("/glossary")
    learner.page.locator(".settings summary").click()
    learner.page.locator("select[name=theme]").select_option("dark")
    learner.page.locator("select[name=size]").select_option("large")
    send(learner, learner.button("就这样"))
    assert learner.page.url.endswith("/glossary")
    learner.go("/course")
    html = learner.page.locator("html")
    expect(html).to_have_attribute("data-theme", "dark")
    expect(html).to_have_attribute("data-size", "large")


@pytest.mark.long
def test_report(learner: Learner, records: Records) -> None:
    learner.go("/lessons/concepts/which-is-better")
    report = learner.page.locator("#item-two-systems-probe-report summary")
    expect(report).to_be_hidden()
    learner.page.locator(".step .jot summary").first.click()
    report.click()
    learner.page.get_by_label("哪里不对").fill("没有脚本也能说")
    thanks = learner.page.get_by_text("收到了，谢谢")
    expect(thanks.first).to_be_hidden()
    send(learner, learner.button("告诉老师"))
    expect(thanks.first).to_be_in_viewport(ratio=1)
    assert records.count("problem_report", "text = '没有脚本也能说'") == 1
