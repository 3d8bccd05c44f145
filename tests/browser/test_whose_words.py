"""Who signs in finds their own unsent words, and nobody else's."""

import pytest
from playwright.sync_api import Locator, expect

from app.course import Course
from tests.browser.assigned import begin, join, posted_draft, publish
from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.school import (
    NUMBERS,
    PASSWORD,
    code,
    new_account,
    new_class,
    posted,
    posted_account,
    send_account,
)
from tests.browser.watch import STALE, Watch

PRACTICE_URL = "/practice/ndcg?level=2&seed=5"


def come_in(learner: Learner, login: str) -> Locator:
    """The field of a question, after this account has signed in."""
    learner.go("/sign-in")
    send_account(learner.page, login, "登录")
    learner.go(PRACTICE_URL)
    return learner.page.locator("form.answer [name=answer]")


def end_elsewhere(elsewhere: Learner, login: str) -> None:
    """End the sign-ins of this account in all other browsers, as by a new password."""
    posted(elsewhere.page, "/accounts/sign-ins", {"login": login, "password": PASSWORD})
    posted(elsewhere.page, "/me/devices/endings", {})


def test_who_signs_in_over_somebody_else_finds_none_of_their_words(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    page, typed = learner.page, learner.page.locator("form.answer [name=answer]")
    logins = [posted_account(visit()), posted_account(page)]
    learner.go(PRACTICE_URL)
    typed.fill("31")
    learner.go("/sign-in")
    send_account(learner.page, logins[0], "登录")
    learner.go(PRACTICE_URL)
    expect(typed).to_have_value("")
    typed.fill("32")
    other_tab = Learner(page.context.new_page(), course)
    other_tab.go("/me/data")
    other_tab.page.fill("#password", PASSWORD)
    other_tab.page.get_by_label("我想好了").check()
    other_tab.button("全部删掉").click()
    expect(other_tab.page.locator(".done")).to_contain_text("都删掉了")
    learner.go(PRACTICE_URL)
    expect(typed).to_have_value("")


def test_who_signs_in_after_a_sign_in_that_has_ended_finds_only_their_own_words(
    visit: Visit, course: Course
) -> None:
    """It was ended elsewhere: nobody has pressed 退出登录 here."""
    learner, elsewhere = Learner(visit(), course), Learner(visit(), course)
    first_login, next_login = posted_account(elsewhere.page), posted_account(elsewhere.page)

    def end(login: str) -> None:
        end_elsewhere(elsewhere, login)
        learner.go(PRACTICE_URL)
        expect(learner.page.locator(".leave")).to_have_count(0)

    typed = come_in(learner, first_login)
    typed.fill("31")
    end(first_login)
    expect(typed).to_have_value("")
    expect(come_in(learner, next_login)).to_have_value("")
    end(next_login)
    expect(come_in(learner, first_login)).to_have_value("31")


@pytest.mark.parametrize("is_left", [True, False])
def test_what_is_typed_on_a_page_of_who_has_gone_does_not_come_to_them(
    visit: Visit, course: Course, is_left: bool
) -> None:
    """Another tab shows that they have gone; this page still shows their name."""
    learner, elsewhere = Learner(visit(), course), Learner(visit(), course)
    first_login, next_login = posted_account(elsewhere.page), posted_account(elsewhere.page)
    typed = come_in(learner, first_login)
    other_tab = Learner(learner.page.context.new_page(), course)
    if is_left:
        other_tab.go("/")
        other_tab.page.get_by_role("contentinfo").get_by_role("button", name="退出登录").click()
        expect(other_tab.page.locator(".leave")).to_have_count(0)
    else:
        end_elsewhere(elsewhere, first_login)
        come_in(other_tab, next_login)
    typed.fill("31")
    if not is_left:
        end_elsewhere(elsewhere, next_login)
    expect(come_in(other_tab, first_login)).to_have_value("")


def test_who_registers_over_somebody_else_finds_none_of_their_words(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    typed = learner.page.locator("form.answer [name=answer]")
    for text in ("31", "32"):
        learner.go("/sign-up")
        send_account(learner.page, f"小册{next(NUMBERS)}", "注册")
        learner.go(PRACTICE_URL)
        expect(typed).to_have_value("")
        typed.fill(text)


@pytest.mark.long
def test_a_guest_who_signs_in_finds_their_own_words_again(visit: Visit, course: Course) -> None:
    learner = Learner(visit(), course)
    login, typed = f"小糖{next(NUMBERS)}", learner.page.locator("form.answer [name=answer]")
    learner.go("/sign-up")
    send_account(learner.page, login, "注册")
    for brings_words in (True, False):
        learner.go("/")
        learner.page.get_by_role("contentinfo").get_by_role("button", name="退出登录").click()
        learner.go("/lessons/concepts/which-is-better")
        learner.next_step()
        learner.go(PRACTICE_URL)
        typed.fill("31")
        learner.go("/sign-in")
        learner.page.locator("[name=bring]").set_checked(brings_words)
        send_account(learner.page, login, "登录")
        learner.go(PRACTICE_URL)
        expect(typed).to_have_value("31" if brings_words else "")


@pytest.mark.parametrize(
    ("is_by_class", "brings_words"),
    [
        (False, True),
        (True, False),
        pytest.param(False, False, marks=pytest.mark.long),
        pytest.param(True, True, marks=pytest.mark.long),
    ],
)
def test_who_comes_in_over_a_guest_with_a_code_finds_only_words_that_were_brought(
    visit: Visit, course: Course, invitations: list[str], is_by_class: bool, brings_words: bool
) -> None:
    """Also by the door of a class, where the page that follows stands at the address of the form."""
    join_url = f"/join/{code(new_class(visit(), invitations))}" if is_by_class else ""
    learner = Learner(visit(), course)
    learner.go("/lessons/concepts/which-is-better")
    learner.next_step()
    learner.go("/me")
    learner.button("给我一个续学码").click()
    learner.go(PRACTICE_URL)
    typed = learner.page.locator("form.answer [name=answer]")
    typed.fill("31")
    learner.go(join_url or "/sign-up")
    learner.page.locator("[name=bring]").set_checked(brings_words)
    if is_by_class:
        learner.page.fill("#name", f"小班{next(NUMBERS)}")
        learner.button("加入").click()
        expect(learner.page.locator(".secret")).to_have_count(2)
    else:
        send_account(learner.page, f"小码{next(NUMBERS)}", "注册")
    learner.go(PRACTICE_URL)
    expect(typed).to_have_value("31" if brings_words else "")


def test_who_becomes_a_teacher_over_somebody_else_finds_none_of_their_words(
    visit: Visit, course: Course, invitations: list[str]
) -> None:
    """The page of the invitation was open before somebody signed in beside it."""
    learner = Learner(visit(), course)
    invitation = learner.page.context.new_page()
    invitation.goto(f"/invitations/{invitations.pop()}")
    new_account(learner.page)
    learner.go(PRACTICE_URL)
    typed = learner.page.locator("form.answer [name=answer]")
    typed.fill("31")
    invitation.fill("#login", f"王{next(NUMBERS)}")
    invitation.fill("#password", PASSWORD)
    invitation.get_by_role("button", name="注册，开始").click()
    invitation.wait_for_url("**/classrooms")
    learner.go(PRACTICE_URL)
    expect(typed).to_have_value("")


def test_who_does_not_get_away_keeps_their_words(visit: Visit, course: Course) -> None:
    """The network is away, or they stay where they are asked about something else on the page."""
    learner = Learner(visit(), course)
    typed = come_in(learner, posted_account(learner.page))
    typed.fill("31")
    learner.page.route("**/sign-outs", lambda route: route.fulfill(status=204))
    learner.page.get_by_role("contentinfo").get_by_role("button", name="退出登录").click()
    learner.go(PRACTICE_URL)
    expect(typed).to_have_value("31")
    learner.page.unroute("**/sign-outs")
    learner.page.get_by_role("contentinfo").get_by_role("button", name="退出登录").click()
    expect(learner.page.locator(".leave")).to_have_count(0)
    learner.go(PRACTICE_URL)
    expect(typed).to_have_value("")


def test_an_old_tab_of_an_assignment_saves_nothing_for_who_has_come(
    visit: Visit, invitations: list[str], course: Course, watch: Watch
) -> None:
    teacher = new_class(visit(), invitations)
    join_code = code(teacher)
    first_student = join(visit, course, teacher, "小前")
    posted_draft(teacher, "cg-chengdu", "cg-chengdu")
    publish(teacher)
    begin(first_student)
    question_url = first_student.page.url
    other_tab = Learner(first_student.page.context.new_page(), course)
    other_tab.go("/")
    other_tab.page.get_by_role("contentinfo").get_by_role("button", name="退出登录").click()
    expect(other_tab.page.locator(".leave")).to_have_count(0)
    joined = other_tab.page.request.post(f"/join/{join_code}/accounts", form={"name": "小后"})
    assert joined.ok
    begin(other_tab)
    watch.announce(STALE)
    typed = first_student.page.locator("[name=answer]")
    typed.fill("31")
    expect(first_student.page.locator("#status")).to_contain_text("这一页是换人以前打开的")
    other_tab.go(question_url)
    expect(other_tab.page.locator("[name=answer]")).to_have_value("")
