"""批改 in a browser: answers in words are marked by keys alone, one after the other."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits
from tests.browser.school import DESK, code, new_class, posted
from tests.browser.watch import dialogs_of
from tests.web.marking.worded_answers import WHY


def handed_in(visit: Visit, page: Page, *names: str) -> str:
    """The path of an assignment that these students have handed in; `page`: of its teacher."""
    join_code, classroom = code(page), page.url.rpartition("/")[0]
    page.goto("/own/new")
    page.fill("#own-text", WHY)
    page.get_by_role("button", name="存下来").click()
    own = page.url.rpartition("/own/")[2].partition("?")[0]
    page.goto(f"{classroom}/assignments")
    page.get_by_role("textbox").first.fill("写话")
    page.get_by_role("button", name="先建草稿").click()
    address = page.url
    form: dict[str, str | float | bool] = {"kind": "item", "ref": f"own-{own}:why", "points": "6"}
    page.request.post(f"{address}/parts", form=form, headers={"Origin": address.partition("/classrooms")[0]})
    page.goto(address)
    page.get_by_role("button", name="发布给").click()
    path = f"/assignments/{address.rpartition('/')[2]}"
    student = visit(viewport={"width": 360, "height": 780})
    for name in names:
        student.context.clear_cookies()
        assert student.request.post(f"/join/{join_code}/accounts", form={"name": name}).ok
        student.goto(posted(student, f"{path}/passes", {}))
        student.fill("textarea[name=answer]", f"{name}：一屏只有几条")
        with student.expect_navigation():
            student.locator("[data-answer]").click()
        posted(student, f"{path}/hand-ins", {"sitting": "1"})
    return address


def test_two_answers_are_marked_by_keys(visit: Visit, invitations: list[str]) -> None:
    page = new_class(visit(viewport=DESK), invitations)
    address = handed_in(visit, page, "小糖", "小序")
    page.goto(address)
    expect(page.locator(".button .count")).to_have_text("还有2份")
    assert axe(page) == []
    page.goto(f"{address}/marking")
    assert axe(page) == []
    title = page.locator("#answer-title")
    expect(title).to_have_text("小糖")
    dialogs = dialogs_of(page)
    page.locator("#comment").press_sequentially("说说为什么")
    page.locator("input[name=tick]").first.check()
    page.get_by_role("link", name="先跳过").click()
    expect(title).to_have_text("小序")
    assert dialogs == ["beforeunload"], "a comment that was not sent"
    page.wait_for_load_state("networkidle")
    expect(page.locator("#comment")).to_have_value("")
    expect(page.locator("input[name=tick]:checked")).to_have_count(0)
    page.go_back()
    expect(title).to_have_text("小糖")
    page.reload()
    dialogs.clear()
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("2")
    expect(page.locator("input[name=tick]:checked")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(title).to_have_text("小序")
    expect(title).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("input[name=tick]").first).to_be_focused()
    assert dialogs == [], "what is sent is not left behind"
    page.locator("#comment").press("1")
    expect(page.locator("input[name=tick]:checked")).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 780})
    fits(page)
    page.evaluate("scrollTo(0, 0)")
    expect(page.get_by_role("button", name="存好")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="存好").click()
    expect(page.locator(".done")).to_have_text("第1题都批完了。")
    expect(page.locator(".done")).to_be_focused()
    expect(page.locator(".marking-all li")).to_contain_text(["小糖4分", "小序0分"])
