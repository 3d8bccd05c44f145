"""起点测试, 热热身, the 小测 at the end of a stage, 指标段位: by finger; by `make test-all` without scripts.

What the pages say to a browser without scripts is asked of the site itself, in `tests/web/learning`.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.course import Course
from tests.browser.conftest import Visit
from tests.browser.learner import Learner, right_answer, wrong_answer
from tests.browser.looking import axe, fits
from tests.browser.watch import UNREADABLE, Watch

YESTERDAY = "UPDATE {} SET {} = datetime({}, '-1 days') || '.000000'"


@pytest.fixture(
    params=[True, pytest.param(False, marks=pytest.mark.long)], ids=["by finger", "without a script"]
)
def learner(request: pytest.FixtureRequest, visit: Visit, course: Course) -> Learner:
    """Somebody with a phone of 360 px."""
    if request.param:
        return Learner(visit(has_touch=True, is_mobile=True), course, touch=True)
    return Learner(visit(java_script_enabled=False), course)


def test_a_refused_form_begins_where_it_has_to_be_put_right(visit: Visit, watch: Watch) -> None:
    """The page comes anew, so nothing is read aloud by itself: the field is in sight, with its sentence."""
    watch.announce(UNREADABLE)
    page = visit(has_touch=True, is_mobile=True)
    page.goto("/sign-up")
    page.locator("#login").fill("小满的手机")
    page.locator("#password").fill("更甜就更靠前")
    page.get_by_role("button", name="注册").tap()
    page.get_by_text("换密码", exact=True).tap()
    page.locator("#old").fill("记错了的密码")
    page.locator("#new").fill("更甜就更靠前吧")
    page.get_by_role("button", name="换密码，别的设备都退出").tap()
    expect(page.locator("#old")).to_be_focused()
    expect(page.locator("#old")).to_be_in_viewport(ratio=1)
    expect(page.locator("#password-error")).to_be_in_viewport(ratio=1)
    page.goto("/cards/new")
    page.locator("#front").fill("几位打对折？")
    page.get_by_role("button", name="记下来").tap()
    expect(page.locator("#back")).to_be_focused()
    expect(page.locator("#own-error")).to_be_in_viewport(ratio=1)


def answer(learner: Learner, item: str, right: bool) -> None:
    """Answer, and wait until the page says how it went."""
    seed = learner.seed(item)
    learner.fill(item, (right_answer if right else wrong_answer)(learner.course, item, seed))
    learner.press(learner.form(item).locator("[data-answer]"))
    expect(learner.item(item).locator(".bubble, .feedback").first).to_be_visible()


@pytest.mark.long
def test_six_questions_recommend_where_to_begin(learner: Learner, course: Course) -> None:
    learner.go("/")
    learner.press(learner.link("答六题，看看从哪里开始"))
    for number, entry in enumerate(course.placement, 1):
        expect(learner.page.locator(".skewer-words")).to_have_text(f"第{number}题，共6题")
        skip = learner.link("跳过")
        expect(skip).to_be_in_viewport(ratio=1)
        if number != 3:
            answer(learner, entry.item, right=True)
            expect(skip).to_have_count(0)
        fits(learner.page) if learner.touch else None
        learner.press(skip if number == 3 else learner.page.locator(".placement-ways [data-next]"))
    expect(learner.page.locator("h2").first).to_have_text("推荐你从《举例练习》开始")
    learner.press(learner.link("就从这里开始"))
    expect(learner.page.locator("#dialogue")).to_be_visible()


@pytest.mark.long
def test_a_quiz_says_what_to_look_at_again(learner: Learner, course: Course) -> None:
    stage = course.stages[0]
    assert stage.quiz
    learner.go(f"/lessons/{stage.id}/{stage.quiz.id}")
    items = stage.quiz.item_ids
    for item in items:
        answer(learner, item, right=item != "rental-rates")
        if learner.touch:
            learner.settle()
        learner.press(learner.page.locator(".next [data-next]:visible"))
    expect(learner.page.locator("#quiz-result")).to_contain_text(f"一次就对{len(items) - 1}题")
    again = learner.page.locator(".look-again a")
    expect(again).to_have_text(["准确率、精确率、召回率"])
    learner.press(again)
    expect(learner.page.locator("h1")).to_have_text("是非题为什么不够用")


def test_another_day_opens_with_three_questions(learner: Learner, course: Course, data: Path) -> None:
    for section, item in (
        ("sweetness", "cg-chengdu"),
        ("sweetness", "beijing-zero"),
        ("binary-rulers", "move-useless-first"),
    ):
        learner.go(f"/lessons/concepts/{section}?step=6")
        answer(learner, item, right=item != "beijing-zero")
    learner.press(learner.page.locator(".next [data-next]:visible"))
    expect(learner.page.locator("#moves-finish")).to_be_visible()
    with closing(sqlite3.connect(data / "tangxu.db", timeout=20)) as database:
        for table, column in (("response", "created_at"), ("lesson_place", "updated_at")):
            database.execute(YESTERDAY.format(table, column, column))
        database.commit()
    learner.go("/lessons/concepts")
    learner.press(learner.link("先热热身"))
    expect(learner.page.locator("form.answer [name=item]").first).to_have_value("beijing-zero")
    shown_questions = learner.page.locator(".warm-up > li:visible")
    expect(shown_questions).to_have_count(3 if learner.touch else 1)
    answer(learner, "beijing-zero", right=True)
    expect(learner.item("beijing-zero")).to_contain_text("一次就对")
    expect(shown_questions).to_have_count(3 if learner.touch else 2)
    expect(learner.page.locator("#warmed-up")).to_be_visible()


def test_one_s_own_list_is_measured(learner: Learner, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    learner.go("/bands")
    learner.page.get_by_label("甜度，从第1位写起").fill("４、1、3、四、0")
    learner.press(learner.button("量一量"))
    expect(learner.page.locator("#measure-error")).to_contain_text("认不出“四”")
    field = learner.page.get_by_label("甜度，从第1位写起")
    expect(field).to_have_value("４、1、3、四、0")
    field.fill("４、1、3、4、0")
    learner.press(learner.button("量一量"))
    expect(learner.page.locator("#measured .own td")).to_have_text("0.929")
    expect(learner.page.locator("#measured svg.chart")).to_be_visible()
    if learner.touch:
        fits(learner.page)
        assert axe(learner.page) == []


def test_a_link_into_the_glossary_stays_in_its_line(learner: Learner) -> None:
    learner.go("/lessons/concepts/sweetness?step=4")
    link = learner.page.locator("a.term-link", has_text="累计增益").first
    box = link.bounding_box()
    assert box
    assert box["height"] < 40, "one line of text"
    learner.press(link)
    if learner.touch:  # the word is explained beside the lesson, with the way on to the glossary
        learner.press(learner.page.locator(".term-note").get_by_role("link", name="术语表"))
    expect(learner.page.locator("#cg")).to_be_visible()
    assert learner.page.url.endswith("/glossary#cg")


def test_work_of_before_comes_along_from_a_shared_computer_only_when_ticked_again(
    visit: Visit, course: Course
) -> None:
    learner = Learner(visit(), course)
    learner.go("/lessons/concepts/which-is-better")
    learner.next_step()
    learner.go("/sign-up")
    bring, shared = learner.page.locator("[name=bring]"), learner.page.get_by_label("这是公用电脑")
    expect(bring).to_be_checked()
    shared.check()
    expect(bring).not_to_be_checked()
    bring.check()
    expect(shared).to_be_checked()
    bring.uncheck()
    shared.uncheck()
    expect(bring).to_be_checked()
    bring.uncheck()
    shared.check()
    shared.uncheck()
    expect(bring).not_to_be_checked()


def test_the_tick_that_ends_a_code_is_left_as_it_was_set(visit: Visit, course: Course) -> None:
    """It was set for it: a shared computer says nothing more about it."""
    learner = Learner(visit(), course)
    learner.go("/lessons/concepts/which-is-better")
    learner.next_step()
    learner.go("/me")
    learner.press(learner.button("给我一个续学码"))
    expect(learner.page.locator("output")).to_be_visible()
    learner.go("/sign-up")
    bring, shared = learner.page.locator("[name=bring]"), learner.page.get_by_label("这是公用电脑")
    bring.check()
    shared.check()
    expect(bring).to_be_checked()
    shared.uncheck()
    expect(bring).to_be_checked()
