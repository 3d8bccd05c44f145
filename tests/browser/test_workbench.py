"""The workbench under a hand: the row moves, what follows from it comes along; by keyboard, by links."""

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser import eyes
from tests.browser.conftest import Visit
from tests.browser.looking import axe, fits
from tests.browser.watch import UNREADABLE, Watch, dialogs_of

PHONE = {"width": 360, "height": 780}
WORKBENCH = "/workbench"
TIED = f"{WORKBENCH}?list=3+1%0A0+1%0A2+1%0A0+1"
LONGER = f"{WORKBENCH}?list=3+0+2+1+0+3+1+2+0+1+3+2&k=10"


def figure(page: Page, value: str) -> None:
    expect(page.locator("#result-title data")).to_have_text(value)


def first_term(page: Page, value: str) -> None:
    expect(page.locator("#workbench-more .ledger").first.locator("tbody tr").first).to_contain_text(value)


def test_a_list_from_a_thread_is_explained_and_sent_on(visit: Visit) -> None:
    """Paste, read which axis differs, hand the address to a colleague: the same page."""
    page = visit(viewport=PHONE)
    page.goto(WORKBENCH)
    page.get_by_label("甜度，从第1位写起").fill("[3, 0, 2, 0]\n[1, 1, 1, 1]")
    page.get_by_role("button", name="算", exact=True).click()
    figure(page, "0.939")
    row = page.locator(".convention-card tbody tr").filter(has_text="scikit-learn、")
    expect(row).to_contain_text("0.7513")
    expect(row).to_contain_text("同分谁在前 −0.187")
    expect(page.locator("#way h3")).to_have_text("从你的约定，到scikit-learn")
    expect(page.locator("#way li").nth(1)).to_contain_text("照给的先后 → 各种排法取平均")
    fits(page)
    colleague = visit(viewport=PHONE)
    colleague.goto(page.url)
    figure(colleague, "0.939")
    assert colleague.locator("main").text_content() == page.locator("main").text_content()
    page.reload()
    figure(page, "0.939")


def test_on_a_small_phone_the_button_lies_in_the_first_screen(visit: Visit) -> None:
    """Where nobody changes the discount or names a pool; who did sees both."""
    page = visit(viewport={"width": 360, "height": 640})
    page.goto(WORKBENCH)
    expect(page.get_by_role("button", name="算", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("评判池里还有")).to_be_hidden()
    page.goto(f"{WORKBENCH}?list=3+0&pool=2")
    expect(page.get_by_label("评判池里还有")).to_have_value("2")
    expect(page.get_by_label("评判池里还有")).to_be_visible()
    page.goto(f"{WORKBENCH}?list=3+0&discount=reciprocal")
    expect(page.get_by_label("折损", exact=True)).to_be_visible()


STRAYED = """() => [...document.querySelectorAll('.convention-card .library')].filter((library) => {
  const comma = document.createRange();
  if (!library.nextSibling) return false;
  comma.selectNode(library.nextSibling);
  const name = library.lastElementChild.getBoundingClientRect();
  return comma.getBoundingClientRect().left < name.left;
}).map((library) => library.textContent)"""
"""The libraries whose 、 begins a line of its own."""


def test_no_line_of_libraries_begins_with_a_comma(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.goto(WORKBENCH)
    assert page.evaluate(STRAYED) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(STRAYED) == []
    fits(page)


def test_a_hand_moves_the_row_and_the_page_follows(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2+1")
    page.locator(".toy.awake").wait_for()
    figure(page, "0.698")
    page.locator(".toy-row > li").nth(1).locator(".toy-move.back").click()
    expect(page.locator('.toy [data-out="ndcg"]')).to_have_text("0.930")
    figure(page, "0.930")
    first_term(page, "3.000")
    expect(page.get_by_label("甜度，从第1位写起")).to_have_value("3 0 2 1")
    page.reload()
    figure(page, "0.930")
    page.keyboard.press("Tab")
    page.locator(".toy-row > li").nth(2).locator(".toy-candy").focus()
    page.keyboard.press("ArrowLeft")
    figure(page, "0.985")
    assert axe(page) == []


def test_a_candy_that_becomes_sweeter_does_so_in_the_pool_too(visit: Visit) -> None:
    """Beside the figure of the page, the row said 0.950, and 1.095 at best."""
    page = visit(viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=3+0+2+1&k=3&pool=2+2")
    page.locator(".toy-candy").first.click()
    figure(page, "0.798")
    expect(page.locator('.toy [data-out="ndcg"]')).to_have_text("0.798")
    expect(page.locator('.toy [data-out="at-best"]')).to_have_text("0.920")
    page.locator(".toy-again").click()
    expect(page.locator('.toy [data-out="ndcg"]')).to_have_text("0.760")


def test_what_is_sent_on_and_reconciled_is_the_row_that_the_hand_left(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2+1")
    page.locator(".toy.awake").wait_for()
    page.locator(".toy-row > li").nth(1).locator(".toy-move.back").click()
    figure(page, "0.930")
    address = page.get_by_label("这一页的地址，发给谁看都一样")
    expect(address).to_have_value(re.compile(r"/workbench\?list=3(\+|%20)0(\+|%20)2(\+|%20)1"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name, field in (("复制地址", address), ("复制约定串", page.get_by_label("这一页的约定串"))):
        page.get_by_role("button", name=name).press("Enter")
        expect(page.locator("#sent-on .copied").filter(has_text="已复制")).not_to_have_count(0)
        assert page.evaluate("navigator.clipboard.readText()") == field.input_value()
    page.get_by_label("别处印出来的数").fill("0.9305")
    page.get_by_role("button", name="对一对").click()
    expect(page.locator("#reconciled-title")).to_have_text("0.9305：有库印得出它")


def test_back_and_forward_show_whole_pages(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2+1")
    for printed_text in ("0.6979", "0.9"):
        page.locator("#reconcile-printed").fill(printed_text)
        page.get_by_role("button", name="对一对").click()
        expect(page.locator("#reconciled-title")).to_contain_text(f"{printed_text}：")
    for turn, title in ((page.go_back, "别处算出的数，怎么来的"), (page.go_back, "实验台")):
        turn()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.locator(".site-header")).to_be_visible()
    page.go_forward()
    expect(page.locator("#reconciled-title")).to_contain_text("0.6979：")
    expect(page.locator(".site-header")).to_be_visible()
    page.go_back()
    page.locator(".toy.awake").wait_for()
    page.locator(".toy-row > li").nth(1).locator(".toy-move.back").click()
    figure(page, "0.930")


def test_on_a_desk_the_answer_stands_beside_what_was_pasted(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 800})
    page.goto(TIED)
    expect(page.locator("#result .toy")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="算", exact=True)).to_be_in_viewport(ratio=1)
    form, result = (page.locator(part).bounding_box() for part in ("#workbench-form", "#result"))
    assert form
    assert result
    assert result["x"] > form["x"] + form["width"]


def test_a_task_follows_the_hand(visit: Visit) -> None:
    page = visit()
    page.goto(f"{WORKBENCH}?list=0+3+2+1")
    page.get_by_role("link", name=re.compile("最少几次")).click()
    expect(page.locator(".workbench-task")).to_contain_text("还差")
    page.locator(".toy.awake").wait_for()
    for place in (1, 2, 3):
        page.locator(".toy-row > li").nth(place).locator(".toy-move.back").click()
    expect(page.locator(".workbench-task")).to_contain_text("到了")


@pytest.mark.long
def test_without_scripts_buttons_and_links_do_the_same(visit: Visit) -> None:
    page = visit(java_script_enabled=False, viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2+1")
    page.locator(".toy-row > li").nth(1).locator(".toy-move.back").click()
    figure(page, "0.930")
    page.goto(LONGER)
    fits(page)
    page.get_by_role("button", name="第2位往前一位").click()
    assert "list=0+3+2+1" in page.url
    page.locator(".swaps button").first.click()
    expect(page.locator("#result-title")).to_contain_text("NDCG@10")
    expect(page.get_by_label("这一页的地址，发给谁看都一样")).to_be_editable(editable=False)
    expect(page.get_by_role("button", name="复制")).to_have_count(0)
    page.get_by_text("别人给了一串").click()
    page.get_by_label("约定串", exact=True).fill("NDCG@3|gain:2^g-1|pool:list")
    page.get_by_role("button", name="照它算").click()
    expect(page.locator("#result-title")).to_contain_text("NDCG@3")
    expect(page.locator("#result .convention")).to_contain_text("指数增益")


@pytest.mark.parametrize("script", [True, False])
def test_a_list_that_was_just_typed_is_what_is_compared_and_swapped(
    visit: Visit, watch: Watch, script: bool
) -> None:
    watch.announce(UNREADABLE)
    page = visit(java_script_enabled=script, viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2&k=2")
    typed = page.get_by_label("甜度，从第1位写起")
    typed.fill("1 2 3 0")
    page.locator(".convention-card").get_by_role("button", name="CatBoost", exact=True).click()
    expect(page).to_have_url(re.compile("list=1.2.3.0&k=2&versus=catboost#way"))
    typed.fill("3 1 2 0")
    page.locator(".swaps button").first.click()
    expect(page).to_have_url(re.compile(r"list=[0-3.+]{7}&k=2&versus=catboost#result"))
    typed.fill("3\n很甜")
    page.locator(".swaps button").first.click()
    expect(page.get_by_role("alert")).to_contain_text("第2行：甜度“很甜”不是数")
    expect(typed).to_have_value("3\n很甜")


def test_who_leaves_a_list_that_was_just_typed_is_asked(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    dialogs = dialogs_of(page)
    page.goto(WORKBENCH)
    page.get_by_label("甜度，从第1位写起").press_sequentially("1")
    page.get_by_role("link", name="换回例子").click()
    page.wait_for_url(f"**{WORKBENCH}")
    assert dialogs == ["beforeunload"]


@pytest.mark.parametrize("script", [True, False])
def test_a_convention_that_is_read_back_counts_the_list_that_was_just_typed(
    visit: Visit, script: bool
) -> None:
    page = visit(java_script_enabled=script, viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2+1&k=2")
    page.get_by_label("甜度，从第1位写起").fill("3\n0\n2")
    page.get_by_text("别人给了一串").click()
    page.get_by_label("约定串", exact=True).fill("NDCG@3|gain:2^g-1|pool:list")
    page.get_by_role("button", name="照它算").click()
    expect(page.locator("#result-title")).to_contain_text("NDCG@3")
    assert "list=3+0+2" in page.url


def test_a_row_that_only_wakes_up_asks_for_nothing(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    fetched: list[str] = []

    def note(request: Request) -> None:
        if request.resource_type == "fetch":
            fetched.append(request.url)

    page.on("request", note)
    page.goto(WORKBENCH)
    page.locator(".toy.awake").wait_for()
    page.wait_for_load_state("networkidle")
    assert fetched == []


MOVE_ON_THREE_TIMES = """(button) => {
  for (let times = 0; times < 3; times += 1) {
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  }
}"""


def test_of_a_key_that_is_held_the_page_follows_the_last_move(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2+1")
    page.locator(".toy.awake").wait_for()
    page.locator(".toy-row > li").first.locator(".toy-move.on").evaluate(MOVE_ON_THREE_TIMES)
    figure(page, "1.000")
    page.reload()
    figure(page, "1.000")


EXCHANGED = "addEventListener('part:exchanged', () => { document.body.dataset.exchanged = 'yes'; })"


@pytest.mark.parametrize("is_typing", [True, False])
def test_the_list_follows_the_row_unless_somebody_types_it(visit: Visit, is_typing: bool) -> None:
    page = visit(viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2+1")
    page.locator(".toy.awake").wait_for()
    page.evaluate(EXCHANGED)
    field = page.get_by_label("甜度，从第1位写起")

    def follow(route: Route) -> None:
        if is_typing:
            field.fill("3\n2")
        route.continue_()

    page.route("**/workbench?*", follow)
    page.locator(".toy-row > li").nth(1).locator(".toy-move.back").click()
    expect(page.locator("body[data-exchanged]")).to_be_attached()
    if is_typing:
        expect(field).to_have_value("3\n2")
    else:
        expect(field).to_have_value(re.compile(r"^3\s0\s2\s1"))


def test_sums_that_could_not_be_fetched_are_told_and_fetched_with_the_network(
    visit: Visit, watch: Watch
) -> None:
    watch.announce("ERR_INTERNET_DISCONNECTED")
    page = visit(viewport=PHONE)
    page.goto(f"{WORKBENCH}?list=0+3+2+1")
    page.locator(".toy.awake").wait_for()
    page.context.set_offline(True)
    page.locator(".toy-row > li").nth(1).locator(".toy-move.back").click()
    expect(page.locator("#offline")).to_contain_text("下面的数还是挪动以前的")
    figure(page, "0.698")
    page.context.set_offline(False)
    figure(page, "0.930")
    expect(page.locator("#offline")).to_be_hidden()


def test_what_cannot_be_read_is_told_beside_the_box(visit: Visit, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    page = visit(viewport=PHONE)
    page.goto(WORKBENCH)
    page.get_by_label("甜度，从第1位写起").fill("3\n很甜\n2")
    page.get_by_label("只看前k位").fill("零")
    page.get_by_role("button", name="算", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("第2行：甜度“很甜”不是数")
    expect(page.get_by_label("甜度，从第1位写起")).to_be_focused()
    expect(page.get_by_label("只看前k位")).to_have_value("零")
    figure(page, "1.000")
    fits(page)
    assert axe(page) == []


def test_fingers_and_keys_reach_everything(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    for path in (TIED, LONGER):
        page.goto(path)
        assert page.evaluate(eyes.SMALL_TARGETS) == []
    page.locator(".swaps button").first.focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("#result")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_fields_of_a_signature_are_words_on_one_line(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 800})
    page.goto(WORKBENCH)
    page.get_by_text("约定串的写法").click()
    fields = page.locator(".grammar th code")
    expect(fields.first).to_have_text("gain")
    line_counts = "all => all.map((one) => one.getClientRects().length)"
    assert set(fields.evaluate_all(line_counts)) == {1}
    fits(page)


def test_the_workbench_is_printed_without_what_is_to_be_filled_in(visit: Visit) -> None:
    """What is folded stays folded: whoever wants the ideal order on paper opens it."""
    page = visit(viewport={"width": 703, "height": 1032})
    page.goto(LONGER)
    page.get_by_text("理想排序，一项一项").click()
    page.emulate_media(media="print")
    assert (
        page.locator(".workbench-form, .reconcile-form, .term-moves, .toy-moves").filter(visible=True).count()
        == 0
    )
    expect(page.locator(".ledger").first).to_be_visible()
    expect(page.get_by_label("理想，一项一项")).to_be_visible()
    expect(page.locator(".grammar")).to_be_hidden()
