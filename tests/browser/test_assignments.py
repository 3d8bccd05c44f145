"""An assignment in two browsers: a teacher gives it, a student of 360 px does it with a mistake."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page, Route, expect

from app.course import Course
from tests.browser.assigned import begin, join, posted_draft, publish
from tests.browser.conftest import Visit, scripts_late
from tests.browser.learner import right_answer, wrong_answer
from tests.browser.looking import axe, fits, look_at
from tests.browser.records import Records
from tests.browser.school import DESK, new_class, new_teacher
from tests.browser.watch import OFFLINE, UNREADABLE, Watch


@pytest.fixture
def items(course: Course) -> tuple[str, str]:
    """An item that asks for a number, and one to choose from."""
    kinds: dict[str, str] = {}
    for name, item in course.items.items():
        if not name.startswith("practice-") and name not in course.probe_ids:
            kinds.setdefault(item.kind, name)
    return kinds["numeric"], kinds["single"]


def classroom_of(visit: Visit, invitations: list[str]) -> Page:
    return new_class(visit(viewport=DESK), invitations)


def draft(teacher: Page, course: Course, *items: str) -> str:
    """The path of a draft with these items, picked by hand."""
    teacher.goto(re.sub("/projector$", "/assignments", teacher.url))
    teacher.fill("#title", "第一周")
    teacher.get_by_role("button", name="先建草稿").click()
    class_url = re.sub(r"^https?://[^/]+", "", teacher.url)
    for item in items:
        teacher.get_by_role("link", name="挑题目").click()
        teacher.select_option("#skill", course.items[item].skill)
        teacher.get_by_role("button", name="找").click()
        teacher.locator(f'input[value="content:{item}"]').check()
        teacher.get_by_role("button", name="加进作业").click()
        expect(teacher.locator("#parts")).to_be_visible()
    teacher.wait_for_load_state()
    return class_url


def test_assigned_done_with_a_mistake_handed_in_and_seen(
    visit: Visit,
    invitations: list[str],
    course: Course,
    items: tuple[str, str],
) -> None:
    numeric, choice = items
    teacher = classroom_of(visit, invitations)
    student = join(visit, course, teacher, "小糖", has_touch=True, is_mobile=True)
    assignment_url = draft(teacher, course, numeric, choice)
    teacher.get_by_role("button", name="第2题往前移").click()
    expect(teacher.locator(".part").first).to_contain_text("单选")
    expect(teacher.locator(".part").first).to_be_focused()
    publish(teacher)
    page = student.page
    student.go("/")
    student.press(page.locator(".due-line a").first)
    student.press(student.button("开始做"))
    expect(page.locator("#rail .bead")).to_have_count(2)
    option = page.locator(f'.option input[value="{wrong_answer(course, choice)[0]}"]')
    student.press(option)
    expect(page.locator(".draft")).to_contain_text("存好了")
    expect(page.locator(".bead.saved")).to_have_count(1)
    page.reload()
    expect(option).to_be_checked()
    student.press(page.locator("[data-answer]"))
    page.wait_for_url("**/questions/2")
    page.locator("[name=answer]").fill(right_answer(course, numeric)[0])
    fits(page)
    assert axe(page) == []
    student.press(page.locator("[data-answer]"))
    page.wait_for_url("**/hand-in")
    fits(page)
    assert axe(page) == []
    student.press(student.button("交卷"))
    expect(page.locator("h1")).to_have_text("交上去了")
    expect(page.locator(".score")).to_have_text("1分，满分2分")
    expect(page.locator("#question-1 .bubble")).to_be_visible()
    fits(page)
    assert axe(page) == []
    teacher.goto(assignment_url)
    expect(teacher.locator(".doing tbody tr")).to_contain_text("1/2")


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.long)])
def test_what_is_ticked_stays_while_one_looks_for_more(
    visit: Visit, invitations: list[str], items: tuple[str, str], script: bool
) -> None:
    teacher = new_class(visit(java_script_enabled=script), invitations)
    assignment_url = posted_draft(teacher)
    teacher.goto(f"{assignment_url}/items?skill=dcg")
    boxes = teacher.locator(".pick-list input")
    boxes.nth(1).check()
    ticked = boxes.nth(1).get_attribute("value")
    teacher.fill("#pick-q", "NDCG")
    with teacher.expect_navigation():
        teacher.press("#pick-q", "Enter")
    expect(teacher.locator("#pick-q")).to_have_value("NDCG")
    teacher.set_viewport_size({"width": 1280, "height": 800})
    expect(teacher.locator(f".pick-list input[value='{ticked}']")).to_be_checked()
    fits(teacher)
    expect(teacher.locator(".pick-count")).to_be_visible()
    teacher.locator(f".pick-list input[value='{ticked}']").uncheck()
    expect(teacher.locator(".pick-count")).to_be_hidden()
    teacher.locator(f".pick-list input[value='{ticked}']").check()
    teacher.get_by_role("button", name="加进作业").click()
    expect(teacher.locator(".part")).to_have_count(1)


def test_a_list_in_a_question_is_no_row_to_tick(visit: Visit, invitations: list[str]) -> None:
    teacher = new_class(visit(), invitations)
    assignment_url = posted_draft(teacher)
    teacher.goto(f"{assignment_url}/items?q=牛肉面")
    line = teacher.locator(".pick-list .part-stem li").first
    expect(line).to_have_css("border-bottom-width", "0px")
    expect(line).to_have_css("display", "list-item")


class Hand:
    """What a teacher does by hand, each action counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def press(self, role: Literal["button", "link"], name: str) -> None:
        self.page.get_by_role(role, name=name).click()
        self.actions += 1

    def tick(self, selector: str) -> None:
        self.page.locator(selector).check()
        self.actions += 1

    def choose(self, selector: str, value: str) -> None:
        self.page.select_option(selector, value)
        self.actions += 1

    def write(self, selector: str, text: str) -> None:
        self.page.fill(selector, text)
        self.actions += 1


@pytest.mark.long
def test_four_classes_have_their_first_assignment_within_fourteen_actions(
    visit: Visit, invitations: list[str], course: Course, items: tuple[str, str]
) -> None:
    """From the page that follows signing in; each class with a due time of its own."""
    teacher = visit(viewport=DESK)
    new_teacher(teacher, invitations)
    for letter in "甲乙丙丁":
        response = teacher.request.post("/classrooms", form={"name": f"{letter}班"}, max_redirects=0)
        assert response.status == 303
    look_at(teacher, "/classrooms")
    teacher.set_viewport_size({"width": 1280, "height": 900})
    teacher.goto("/classrooms")
    hand = Hand(teacher)
    hand.write("#wish", "第一周")
    hand.press("button", "先建草稿")
    hand.press("link", "挑题目")
    hand.choose("#skill", course.items[items[0]].skill)
    hand.press("button", "找")
    for place in range(2):
        teacher.locator("input[name=ref]").nth(place).check()
        hand.actions += 1
    hand.press("button", "加进作业")
    hand.write("#s-due", "2099-09-01T23:59")
    fields = teacher.locator(".series-list input[type=datetime-local]")
    expect(fields).to_have_count(3)
    for field in fields.all():
        field.fill("2099-09-02T23:59")
        hand.actions += 1
    hand.press("button", "发布给")
    expect(teacher.locator("p.done")).to_contain_text("同时发布的还有")
    assert hand.actions <= 14
    teacher.locator(".set-up > summary").click()
    expect(teacher.locator("[name=due_all]")).to_be_visible()
    look_at(teacher, teacher.url)
    teacher.fill("#due-all", "2099-09-09T23:59")
    teacher.get_by_role("button", name="存下各班的时间").click()
    expect(fields).to_have_count(4)
    for field in fields.all():
        expect(field).to_have_value("2099-09-09T23:59")


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.long)])
def test_why_an_assignment_was_not_published_is_brought_into_view(
    visit: Visit, invitations: list[str], watch: Watch, script: bool
) -> None:
    """The form stands far below the head of the page."""
    watch.announce(UNREADABLE)
    teacher = new_class(visit(java_script_enabled=script), invitations)
    posted_draft(teacher)
    teacher.get_by_role("button", name="发布给").click()
    refusal = teacher.get_by_role("alert")
    expect(refusal).to_contain_text("先加几道题")
    expect(refusal).to_be_in_viewport()
    expect(refusal).to_be_focused()
    if script:
        assert axe(teacher) == []


def test_at_once_a_mistake_is_told_and_mended(
    visit: Visit,
    invitations: list[str],
    course: Course,
    items: tuple[str, str],
    watch: Watch,
) -> None:
    watch.announce(UNREADABLE)
    numeric = items[0]
    teacher = classroom_of(visit, invitations)
    student = join(visit, course, teacher, "小序")
    posted_draft(teacher, numeric)
    teacher.locator(".more-rules summary").click()
    teacher.select_option("#s-answers", "at_once")
    teacher.select_option("#s-tries", "3")
    teacher.get_by_role("button", name="存下时间和规矩").click()
    publish(teacher)
    page = student.page
    begin(student)
    for text, message in (("十来颗", "认不出"), (wrong_answer(course, numeric)[0], "再答一次")):
        page.locator("[name=answer]").fill(text)
        student.press(page.locator("[data-answer]"))
        expect(page.locator("#question-1")).to_contain_text(message)
        student.expect_focus_in("#question-1")
    student.settle()
    page.locator("[name=answer]").fill(right_answer(course, numeric)[0])
    student.press(page.locator("[data-answer]"))
    expect(page.locator("#question-1")).to_have_class(re.compile("is-corrected"))
    expect(page.locator(".bead.right")).to_have_count(1)
    fits(page)
    assert axe(page) == []


def test_the_two_arrows_of_a_question_stay_beside_each_other(
    visit: Visit, invitations: list[str], items: tuple[str, str]
) -> None:
    teacher = classroom_of(visit, invitations)
    posted_draft(teacher, *items)
    for width in (360, 320):
        teacher.set_viewport_size({"width": width, "height": 780})
        arrows = teacher.locator(".part").first.get_by_role("button", name=re.compile("移$")).all()
        tops = [arrow.evaluate("button => button.getBoundingClientRect().top") for arrow in arrows]
        assert tops[0] == tops[1]


@pytest.mark.long
def test_without_a_script(
    visit: Visit,
    invitations: list[str],
    course: Course,
    items: tuple[str, str],
) -> None:
    teacher = classroom_of(visit, invitations)
    student = join(visit, course, teacher, "小甜", java_script_enabled=False)
    posted_draft(teacher, *items)
    publish(teacher)
    begin(student)
    page, typed = student.page, student.page.locator("[name=answer]")
    expect(student.link("去交卷")).to_have_count(0)
    typed.fill("3")
    student.press(student.button("去交卷"))
    student.press(page.locator("a.bead.saved"))
    expect(typed).to_have_value("3")
    fits(page)
    typed.fill("4")
    typed.press("Enter")
    expect(page.locator("h1")).to_contain_text("第2题")
    student.press(page.locator("button.bead.saved"))
    expect(typed).to_have_value("4")
    student.press(student.button("去交卷"))
    student.press(student.button("交卷"))
    expect(student.page.locator("h1")).to_have_text("交上去了")


def test_what_was_written_without_a_network_is_saved_later(
    visit: Visit,
    invitations: list[str],
    course: Course,
    items: tuple[str, str],
    watch: Watch,
) -> None:
    watch.announce(OFFLINE)
    numeric, choice = items
    teacher = classroom_of(visit, invitations)
    student = join(visit, course, teacher, "小圆")
    posted_draft(teacher, choice, numeric)
    publish(teacher)
    page = student.page
    begin(student)
    with scripts_late(page):
        page.goto(page.url, wait_until="commit")
        page.locator(f'.option input[value="{right_answer(course, choice)[0]}"]').check()
    expect(page.locator(".draft")).to_contain_text("存好了")
    page.context.set_offline(True)
    page.locator(f'.option input[value="{wrong_answer(course, choice)[0]}"]').check()
    expect(page.locator("#offline")).to_contain_text("还没存上")
    expect(page.locator(".draft")).to_have_text("刚写的还没存上。")
    page.locator(".question-ways a", has_text="下一题").click()
    expect(page.locator("#offline")).to_contain_text("还没存上")
    expect(page.locator("h1")).to_contain_text("第1题")
    page.context.set_offline(False)
    expect(page.locator(".draft")).to_contain_text("存好了")
    expect(page.locator("#offline")).to_be_hidden()
    page.locator(".question-ways a", has_text="下一题").click()
    page.wait_for_url("**/questions/2")
    expect(page.locator(".bead.saved")).to_have_count(1)
    page.locator("[name=answer]").fill("3")
    page.locator(".question-ways a", has_text="去交卷").click()
    page.wait_for_url("**/hand-in")
    expect(page.locator(".bead.saved")).to_have_count(2)


def begun_question(
    visit: Visit, invitations: list[str], course: Course, item_id: str, student_name: str
) -> Page:
    """The first question of an assignment, before a student who has just begun it."""
    teacher = classroom_of(visit, invitations)
    student = join(visit, course, teacher, student_name)
    posted_draft(teacher, item_id)
    publish(teacher)
    begin(student)
    return student.page


def test_a_save_leaves_the_focus_on_the_number_of_a_question(
    visit: Visit, invitations: list[str], course: Course, items: tuple[str, str]
) -> None:
    page = begun_question(visit, invitations, course, items[0], "小键")

    def focus_and_go_on(route: Route) -> None:
        page.locator("#rail .bead").first.focus()
        route.continue_()

    page.route("**/drafts*", focus_and_go_on)
    page.locator("[name=answer]").fill("3")
    expect(page.locator(".draft")).to_contain_text("存好了")
    expect(page.locator("#rail .bead.saved")).to_have_count(1)
    expect(page.locator("#rail .bead").first).to_be_focused()


def test_what_was_just_typed_goes_along_with_who_leaves(
    visit: Visit,
    invitations: list[str],
    course: Course,
    items: tuple[str, str],
) -> None:
    page = begun_question(visit, invitations, course, items[0], "小快")
    page_url = page.url
    ways: dict[str, Callable[[], object]] = {
        "3": lambda: page.goto("/assignments"),
        "4": page.go_back,
        "5": page.reload,
    }
    for typed, leave in ways.items():
        page.locator("[name=answer]").fill(typed)
        leave()
        if page.url != page_url:
            page.goto(page_url)
        page.wait_for_load_state("networkidle")  # a page that brings words back is asked for once more
        expect(page.locator("[name=answer]")).to_have_value(typed)


@pytest.mark.long
def test_what_was_just_typed_comes_back_however_late_it_was_saved(
    visit: Visit,
    invitations: list[str],
    course: Course,
    items: tuple[str, str],
    records: Records,
) -> None:
    page = begun_question(visit, invitations, course, items[0], "小慢")
    page_url = page.url
    typed = page.locator("[name=answer]")
    with records.writes_held():
        typed.fill("4")
        page.goto("/assignments")
        page.goto(page_url)
        expect(typed).to_have_value("")
        page.reload()
        page.goto("/assignments")
        page.goto(page_url)
        expect(typed).to_have_value("")
    expect(typed).to_have_value("4")


@pytest.mark.long
def test_an_old_page_takes_back_what_a_newer_one_saved_only_where_it_was_written_in(
    visit: Visit,
    invitations: list[str],
    course: Course,
    items: tuple[str, str],
) -> None:
    page = begun_question(visit, invitations, course, items[0], "小双")
    page_url = page.url
    old_page = page.context.new_page()
    old_page.goto(page_url)
    page.locator("[name=answer]").fill("5")
    expect(page.locator(".draft")).to_contain_text("存好了")
    old_page.get_by_role("button", name="存下").click()
    old_page.wait_for_url("**/hand-in")
    old_page.go_back()
    expect(old_page.locator("[name=answer]")).to_have_value("5")
    old_page.locator("[name=answer]").fill("6")
    expect(old_page.locator("[name=seen]")).to_have_count(1)  # saved, and what it holds is known again
    page.locator("[name=answer]").fill("7")
    expect(page.locator("[name=seen]")).to_have_count(1)
    old_page.locator("[name=answer]").fill("8")
    old_page.locator("[name=answer]").fill("6")
    old_page.get_by_role("button", name="存下").click()
    old_page.wait_for_url("**/hand-in")
    old_page.goto(page_url)
    expect(old_page.locator("[name=answer]")).to_have_value("6")


@pytest.mark.long
def test_every_page_fits_and_is_accessible(
    visit: Visit, invitations: list[str], course: Course, items: tuple[str, str]
) -> None:
    teacher = classroom_of(visit, invitations)
    room = re.sub("/projector$", "", teacher.url)
    student = join(visit, course, teacher, "小糖")
    assignment_url = posted_draft(teacher, *items)
    for panel, button in (("practice", "加出题器的题"), ("section", "加课文"), ("game", "加游戏")):
        teacher.locator(f"#add-{panel} summary").click()
        teacher.get_by_role("button", name=button).click()
    teacher.goto(room.rpartition("/")[0])
    teacher.fill("#class-name", "长" * 40)
    teacher.get_by_role("button", name="建好，去投影").click()
    paths = (
        assignment_url,
        f"{assignment_url}/items",
        f"{assignment_url}/items?skill=ndcg",
        f"{assignment_url}/preview",
        f"{assignment_url}/preview?question=2",
        f"{assignment_url}/paper?versions=own",
    )
    for path in (*paths, f"{room}/assignments"):
        look_at(teacher, path)
    teacher.goto(assignment_url)
    publish(teacher)
    task = f"/assignments/{assignment_url.rpartition('/')[2]}"
    page = student.page
    student.go(task)
    student.press(student.button("开始做"))
    page.locator("[data-answer]").click()
    page.wait_for_url("**/questions/2")
    for path in ("/assignments", task, f"{task}/questions/1", f"{task}/questions/3", f"{task}/hand-in", "/"):
        look_at(page, path)
    student.go(f"{task}/hand-in")
    student.press(student.button("交卷"))
    expect(page.locator("h1")).to_have_text("交上去了")
    for path in (f"{task}/passes/1", task, "/assignments"):
        look_at(page, path)
    look_at(teacher, assignment_url)
