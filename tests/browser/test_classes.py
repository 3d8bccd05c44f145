"""A class in two browsers at once: a teacher projects, a student of 360 px joins with a guest's work."""

import io
import re
from pathlib import Path

import pytest
import xlsxwriter  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, expect

from app.course import Course
from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.looking import axe, fits, in_the_long_run, look_at
from tests.browser.school import DESK, NUMBERS, PASSWORD, code, new_class, new_teacher, posted
from tests.browser.watch import NOT_FOUND, UNREADABLE, Watch, dialogs_of


@pytest.fixture
def classroom(visit: Visit, invitations: list[str]) -> Page:
    """The projector page of a new class, in its teacher's browser."""
    return new_class(visit(viewport=DESK), invitations)


def class_by_hand(page: Page, invitations: list[str]) -> Page:
    """As `new_class` makes one, by typing into the forms and pressing their buttons."""
    number = next(NUMBERS)
    page.goto(f"/invitations/{invitations.pop()}")
    page.fill("#login", f"王{number}")
    page.fill("#password", PASSWORD)
    page.get_by_role("button", name="注册，开始").click()
    page.wait_for_url("**/classrooms")
    page.fill("#class-name", f"高一{number}班")
    page.get_by_role("button", name="建好，去投影").click()
    expect(page.locator(".join-code")).to_be_visible()
    return page


def test_a_guest_joins_while_the_teacher_projects(
    visit: Visit, invitations: list[str], course: Course
) -> None:
    classroom = class_by_hand(visit(viewport=DESK), invitations)
    student = Learner(visit(has_touch=True, is_mobile=True), course, touch=True)
    student.go("/lessons/concepts/which-is-better?step=2")
    student.next_step()
    fits(classroom)
    assert axe(classroom) == []
    student.go(f"/join/{code(classroom)}")
    fits(student.page)
    assert axe(student.page) == []
    student.page.fill("#name", "小糖")
    student.press(student.page.get_by_role("button", name="加入"))
    expect(student.page.locator(".secret")).to_have_count(2)
    fits(student.page)
    assert axe(student.page) == []
    expect(classroom.locator(".arrived li")).to_have_text(["小糖"], timeout=9000)
    student.page.reload()
    expect(
        student.page.locator(".secret"), "the password of one who did not write it down yet"
    ).to_have_count(2)
    student.press(student.link("记好了，进班"))
    expect(student.page.locator(".secret")).to_have_count(0)
    assert axe(student.page) == []
    student.go("/progress")
    expect(student.page.locator(".stage-progress").first).to_contain_text("第2步")
    classroom.get_by_role("button", name="人齐了，关门").click()
    expect(classroom.locator("#arrivals")).not_to_have_attribute("data-hx-trigger", "every 3s")


def test_the_card_of_a_closed_door_has_everything_in_its_middle(classroom: Page) -> None:
    assert distances_from_middle(classroom, ".qr")[0] > 50, "beside it stands how to come in"
    classroom.get_by_role("button", name="人齐了，关门").click()
    expect(classroom.locator(".projector-how")).to_have_text("现在没有开门。")
    distances = distances_from_middle(classroom, ".projector-how, form")
    assert [distance < 2 for distance in distances] == [True, True], distances


def distances_from_middle(classroom: Page, selector: str) -> list[float]:
    """How far from the middle of the projected card parts of it stand, in pixels."""
    card = classroom.locator(".projector-code")
    script = """(parts, card) => parts.map((part) => {
      const middle = (box) => box.left + box.width / 2;
      return Math.abs(middle(part.getBoundingClientRect()) - middle(card.getBoundingClientRect()));
    })"""
    distances: list[float] = card.locator(selector).evaluate_all(script, card.element_handle())
    return distances


def test_a_notice_shows_its_whole_sentence_in_a_panel_of_a_readable_width(classroom: Page) -> None:
    page = classroom
    page.goto(page.url.replace("/projector", ""))
    page.fill("#notice-text", "周五带草稿纸：课上做一份限时小测，可以看折损表。")
    assert page.locator("#notice-text").evaluate("one => one.scrollWidth <= one.clientWidth")
    widths = page.locator("#notice, #notice-days").evaluate_all("all => all.map((one) => one.clientWidth)")
    assert widths[0] < 900 < DESK["width"]
    assert widths[1] < 200


def test_a_roster_from_excel_becomes_slips_on_paper(classroom: Page, visit: Visit, tmp_path: Path) -> None:
    page = classroom
    page.goto(page.url.replace("/projector", "/roster"))
    page.set_input_files("#file", files={"name": "名单.xlsx", "mimeType": "", "buffer": roster()})
    page.get_by_role("button", name="先核对一遍").click()
    expect(page.locator("table.roster tbody tr")).to_have_count(24)
    assert axe(page) == []
    page.get_by_role("button", name="建24个账号").first.click()
    expect(page.locator(".slip")).to_have_count(24)
    fits(page)
    assert axe(page) == []
    printed = page.pdf(path=tmp_path / "slips.pdf", prefer_css_page_size=True)
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") in (2, 3)
    page.emulate_media(media="print")
    assert page.locator(".slips-head, .site-header, .actions").filter(visible=True).count() == 0
    login, password = page.locator(".slip").first.locator(".secret").all_inner_texts()
    student = visit()
    student.goto("/sign-in")
    student.fill("#login", login)
    student.fill("#password", password)
    student.get_by_role("button", name="登录").click()
    student.goto("/classrooms")
    expect(student.locator(".class-list")).to_be_visible()
    page.emulate_media(media="screen")


def test_passwords_that_are_shown_once_are_printed_before_one_leaves(classroom: Page) -> None:
    page = classroom
    dialogs = dialogs_of(page)
    class_url = page.url.replace("/projector", "")
    for name, expected_dialogs in (("问问", ["beforeunload"]), ("印印", []), ("好好", [])):
        page.goto(f"{class_url}/roster")
        page.fill("#text", name)
        page.get_by_role("button", name="先核对一遍").click()
        page.get_by_role("button", name="建1个账号").click()
        expect(page.locator(".slip")).to_have_count(1)
        if name == "印印":
            page.get_by_role("button", name="打印").click()
        elif name == "好好":
            page.get_by_role("link", name="打印好了").click()
            page.wait_for_url(class_url)
        page.goto(class_url)
        assert dialogs == expected_dialogs, name
        dialogs.clear()


@pytest.mark.parametrize("way", ["back", "reload"])
def test_a_page_of_passwords_makes_no_others_when_it_is_asked_for_again(classroom: Page, way: str) -> None:
    """It answers a form: the way back to it ended at an error, and a reload reset what was just printed."""
    page = classroom
    class_url = page.url.replace("/projector", "")
    assert page.request.post(f"{class_url}/roster", form={"rows": "姓名\n忘忘"}).ok
    page.goto(class_url)
    page.get_by_text("给几位同学换新密码").click()
    page.get_by_label("忘忘").check()
    page.get_by_role("button", name="换新密码，出密码条").click()
    expect(page.locator(".slip")).to_have_count(1)
    assert dialogs_of(page) == []
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    if way == "back":
        page.get_by_role("link", name="打印好了").click()
        expect(page.locator("#notice")).to_be_visible()
        page.go_back()
    else:
        page.reload()
    expect(page.locator("#notice, .slips")).to_be_visible()
    assert posts == []


LINES_OF_LINKS = """(links) => links.map((link) => {
  const style = getComputedStyle(link);
  const paper = getComputedStyle(document.body).backgroundColor;
  const isEdged = style.borderBottomWidth !== '0px' && style.borderBottomColor !== paper;
  return [link.hasAttribute('aria-current'), style.textDecorationLine === 'underline' || isEdged];
})"""


@pytest.mark.parametrize("way", [".site-nav", ".tabs"])
def test_where_one_is_can_be_told_in_the_colours_of_the_reader(
    visit: Visit, invitations: list[str], way: str
) -> None:
    """There every edge has the same colour, and backgrounds and shades are gone."""
    page = new_class(visit(), invitations)
    page.goto(page.url.replace("/projector", "/gradebook"))
    page.emulate_media(forced_colors="active")
    lines = page.locator(f"{way} a").evaluate_all(LINES_OF_LINKS)
    assert [is_current for is_current, _ in lines].count(True) == 1
    assert [is_marked for _, is_marked in lines] == [is_current for is_current, _ in lines]


def test_whose_account_a_name_gets_is_chosen_on_a_phone_without_scrolling_sideways(
    visit: Visit, invitations: list[str]
) -> None:
    """A name from another class, and one whose number has changed."""
    page = new_class(visit(), invitations)
    first_class = page.url.replace("/projector", "/roster")

    def preview(address: str, text: str) -> None:
        page.goto(address)
        page.fill("#text", text)
        page.get_by_role("button", name="核对").click()
        page.wait_for_url("**/roster-previews")

    preview(first_class, "姓名,学号\n欧阳糖糖,7")
    page.get_by_role("button", name="出密码条").click()
    expect(page.locator(".slip")).to_have_count(1)
    page.get_by_role("link", name="打印好了").click()
    preview(first_class, "姓名,学号\n欧阳糖糖,8")
    expect_in_sight(page.get_by_label("欧阳糖糖是谁"))
    second_class = posted(page, "/classrooms", {"name": "高二5班"})
    preview(second_class.replace("/projector", "/roster"), "姓名\n欧阳糖糖")
    expect_in_sight(page.get_by_label("欧阳糖糖的账号"))


def expect_in_sight(choice: Locator) -> None:
    """From the left edge of the phone to the right one."""
    box = choice.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


def roster() -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("花名册")
        sheet.write_row(0, 0, ["学号", "姓名"])
        for line in range(1, 25):
            sheet.write_row(line, 0, [20260000 + line, f"同学{line}号"])
    return out.getvalue()


@pytest.mark.long
def test_every_page_of_a_class_fits_and_is_accessible(classroom: Page, visit: Visit, course: Course) -> None:
    student = Learner(visit(), course)
    student.go("/lessons/concepts/sweetness?step=5")
    student.answer_rightly("cg-chengdu")
    student.go(f"/join/{code(classroom)}")
    student.page.fill("#name", "小糖")
    student.press(student.button("加入"))
    expect(student.page.locator(".secret").first).to_be_visible()
    page, address = classroom, classroom.url.removesuffix("/projector")
    page.goto(address)
    of_student = page.locator(".heat-table tbody a").get_attribute("href") or ""
    page.goto(of_student)
    work = page.locator(".works a").get_attribute("href") or ""
    for path in (address, of_student, work, f"{address}/projector", f"{address}/roster", f"{address}/preview",
                 "/classrooms", "/me", "/me/data", "/join"):  # fmt: skip
        look_at(page, path)


@pytest.mark.parametrize(
    "path",
    ["/sign-up", "/join/ZZZZZZ", *map(in_the_long_run, ("/sign-in", "/join", "/classrooms", "/me/data"))],
)
def test_the_doors_are_accessible_to_a_newcomer(visit: Visit, watch: Watch, path: str) -> None:
    if path == "/join/ZZZZZZ":
        watch.announce(NOT_FOUND)
    look_at(visit(), path, [360])


@pytest.mark.long
def test_everything_works_without_a_script(visit: Visit, invitations: list[str], course: Course) -> None:
    """Also on plain http from another address than the server's own."""
    teacher = class_by_hand(visit(java_script_enabled=False, viewport=DESK), invitations)
    student = Learner(visit(java_script_enabled=False), course)
    student.go(f"/join?code={code(teacher).lower()}")
    student.page.fill("#name", "小序")
    student.press(student.button("加入"))
    expect(student.page.locator(".secret").first).to_have_text(re.compile("^小序"))  # others may be called so
    teacher.get_by_role("link", name="刷新名单").click()
    expect(teacher.locator(".arrived li")).to_have_text(["小序"])
    student.go("/me")
    student.press(student.page.get_by_role("region", name="退出登录").get_by_role("button"))
    student.go("/me")
    expect(student.page.locator(".devices")).to_have_count(0)


def test_a_wrong_password_keeps_the_name(visit: Visit, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    page = visit()
    page.goto("/sign-in")
    page.fill("#login", "小糖")
    page.fill("#password", "不是这个密码")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="登录名或密码不对")).to_be_visible()
    expect(page.locator("#login")).to_have_value("小糖")
    assert axe(page) == []


@pytest.mark.long
def test_a_class_is_taught_with_somebody_else(visit: Visit, invitations: list[str]) -> None:
    """Invited by a link; what a reader may not do is not offered."""
    teacher = new_class(visit(viewport=DESK), invitations)
    room = re.sub("/projector$", "", teacher.url)
    teacher.goto(f"{room}/staff")
    teacher.get_by_role("radio", name="只看的人").check()
    teacher.get_by_role("button", name="出一个链接").click()
    link = teacher.locator("#staff-link").inner_text()
    assistant = visit(viewport=DESK)
    new_teacher(assistant, invitations, "周")
    look_at(assistant, link)
    assistant.get_by_role("button", name="这个账号来").click()
    expect(assistant.locator(".tabs + .note")).to_contain_text("你在这个班是只看的人")
    assert assistant.locator("main button").count() == 0
    look_at(assistant, "/classrooms")
    look_at(teacher, f"{room}/staff")
    teacher.get_by_role("button", name="请走").click()
    expect(teacher.locator("main")).to_contain_text("现在只有你一个人")
    look_at(teacher, room)
