"""贴题目 in a browser: fates follow what is pasted, ten questions come into an assignment in few actions."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits
from tests.browser.school import new_class
from tests.web.authoring.pasting import TEN, TWO_BAD


@pytest.fixture
def draft(visit: Visit, invitations: list[str]) -> Iterator[Visit]:
    """A teacher's browser with a new draft of an assignment; options are those of a Playwright context."""

    def make(**options: object) -> Page:
        page = visit(**options)
        new_class(page, invitations)
        classroom = page.url.partition("/classrooms/")[2].partition("/")[0]
        page.goto(f"/classrooms/{classroom}/assignments")
        page.fill("#title", "第三章")
        page.get_by_role("button", name="先建草稿").click()
        return page

    return make  # type: ignore[return-value]


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_ten_questions_come_into_a_draft_in_three_actions(draft: Visit, width: int) -> None:
    """贴题目, paste, 放进作业: with a script nobody has to ask for a look."""
    page = draft(viewport={"width": width, "height": 800})
    page.get_by_role("link", name="贴题目").click()
    page.locator("#paste-text").fill(TEN)
    fates = page.locator("#paste-fates")
    expect(fates).to_contain_text("10道可以放进来")
    expect(page.locator("#paste-text")).to_be_focused()
    page.locator(".paste-one > summary").click()
    fits(page)
    assert axe(page) == []
    page.get_by_role("button", name="放进作业（10道）").click()
    expect(page.locator("#parts-title")).to_contain_text("10题，满分10分")


@pytest.mark.long
def test_what_is_not_read_can_be_mended_by_keys_alone(draft: Visit) -> None:
    page = draft(viewport={"width": 360, "height": 780}, color_scheme="dark")
    page.get_by_role("link", name="贴题目").click()
    box = page.locator("#paste-text")
    box.fill(TWO_BAD)
    fates = page.locator("#paste-fates")
    expect(fates).to_contain_text("1道可以放进来，2处还读不懂")
    expect(fates).to_contain_text("第4行")
    fits(page)
    assert axe(page) == []
    button = page.get_by_role("button", name="放进作业（1道）")
    for _ in range(14):
        page.keyboard.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("放进了1道")
    expect(box).to_have_value("2. 哪个是分母？\nA. DCG\nC. IDCG\n答案：C\n\n3. 没写答案的题。")
    box.fill("哪个是分母？ A. DCG B. IDCG 答案：B")
    expect(fates).to_contain_text("1道可以放进来。")
    file = FilePayload(name="题.txt", mimeType="text/plain", buffer="1. 名次从0数起。（×）".encode())
    page.locator("#paste-file").set_input_files(file)
    page.get_by_role("button", name="放进框里").click()
    expect(box).to_have_value("哪个是分母？ A. DCG B. IDCG 答案：B\n\n综合题\n1. 名次从0数起。（×）")
    expect(fates).to_contain_text("2道可以放进来。")
    page.keyboard.press("Control+Home")
    page.get_by_role("button", name="放进作业（2道）").press("Enter")
    expect(page.locator("#parts-title")).to_contain_text("3题，满分3分")


def test_enter_in_a_field_of_the_one_question_loses_nothing(draft: Visit) -> None:
    page = draft(java_script_enabled=False)
    page.get_by_role("link", name="贴题目").click()
    page.locator(".paste-one > summary").click()
    page.fill("#one-stem", "第3位打几折？")
    page.fill("#one-A", "五折")
    with page.expect_navigation():
        page.press("#one-A", "Enter")
    expect(page.locator("#one-stem")).to_have_value("第3位打几折？")
    expect(page.locator("#one-A")).to_have_value("五折")
