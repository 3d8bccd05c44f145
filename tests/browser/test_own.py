"""我的内容 in a browser: a fault and its mending, the preview that follows, with and without a script."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from app.course.authoring.pictures import MOST_UPLOAD_BYTES
from app.course.cards.card_files import MOST_FILE_BYTES
from tests.browser.conftest import Visit, scripts_late
from tests.browser.looking import axe, fits, look_at
from tests.browser.school import new_teacher
from tests.browser.watch import NOT_FOUND, UNREADABLE, Watch, dialogs_of

SMALL = """\
title: 小练习
skill: dcg
items:
  q1:
    stem: 越甜越靠前，对吗？
    answer: true
"""
BROKEN = SMALL.replace("answer: true", "answer: 5")
CARET = """() => {
  const area = document.activeElement;
  return [area.id, area.value.slice(area.selectionStart, area.selectionEnd)];
}"""


@pytest.fixture
def enter(visit: Visit, invitations: list[str]) -> Iterator[Visit]:
    """A teacher's browser; options are those of a Playwright context."""

    def make(**options: object) -> Page:
        page = visit(**options)
        new_teacher(page, invitations, "写题的")
        return page

    return make  # type: ignore[return-value]


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_a_fault_is_found_and_mended(enter: Visit, width: int) -> None:
    page = enter(viewport={"width": width, "height": 800})
    page.goto("/me")
    page.get_by_role("link", name="去看看，或者写一份").click()
    page.get_by_text("写原文；").click()
    page.get_by_role("link", name=re.compile("^判断题 ?，写原文")).click()
    area, faults, preview = (
        page.locator("#own-text"),
        page.locator("#own-faults"),
        page.locator("#own-preview"),
    )
    expect(preview).to_contain_text("NDCG可以大于1。")
    area.fill(SMALL)
    expect(preview).to_contain_text("越甜越靠前，对吗？")
    expect(area).to_be_focused()
    area.fill(BROKEN)
    expect(faults).to_contain_text("这里要写true或false")
    expect(preview).to_contain_text("越甜越靠前，对吗？")
    fits(page)
    assert axe(page) == []
    faults.get_by_role("link", name="第6行").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(CARET) == ["own-text", "    answer: 5"]
    page.keyboard.type("    answer: false")
    expect(faults).to_contain_text("没有错，可以用了")
    assert page.evaluate("document.activeElement.id") == "own-text", "nothing takes the caret away"
    page.keyboard.press("Control+s")
    expect(page.get_by_text("存好了。")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("小练习")
    page.get_by_role("link", name="练一练").click()
    page.locator(".item").get_by_text("这句话不对").click()
    page.get_by_role("button", name="回答").click()
    expect(page.locator(".item")).to_contain_text("判断得对。")


@pytest.mark.parametrize(
    ("width", "script"),
    [
        (360, True),
        pytest.param(1280, True, marks=pytest.mark.long),
        pytest.param(360, False, marks=pytest.mark.long),
    ],
)
def test_a_question_is_written_in_its_form(enter: Visit, width: int, script: bool) -> None:
    page = enter(viewport={"width": width, "height": 800}, java_script_enabled=script)
    page.goto("/own")
    page.get_by_role("link", name=re.compile("排序题.+填表单")).click()
    faults, preview = page.locator("#own-faults"), page.locator("#own-preview")
    page.locator("#f-documents-2-grade").fill("很多")
    if not script:
        page.get_by_role("button", name="预览").click()
    expect(faults).to_contain_text("这里要写数")
    page.locator("#f-documents-2-grade").fill("2")
    page.locator("#f-stem").fill("排一排：")
    if not script:
        page.get_by_role("button", name="预览").click()
    expect(preview).to_contain_text("排一排：")
    expect(faults).to_contain_text("没有错，可以用了")
    fits(page)
    if script:
        assert axe(page) == []
    page.get_by_role("button", name="看原文").click()
    assert "stem: 排一排：\n" in page.locator("#own-text").input_value()
    page.get_by_role("button", name="改第1题").click()
    page.get_by_role("button", name="存下来").click()
    expect(page.get_by_text("存好了。")).to_be_visible()
    expect(page.locator("#f-stem")).to_have_value("排一排：")


@pytest.mark.parametrize(
    ("path", "field", "words", "fault"),
    [
        ("/own/new?template=order&view=form", "#f-documents-2-grade", "很多", "这里要写数"),
        ("/own/new", "#own-text", BROKEN, "这里要写true或false"),
    ],
    ids=["form", "text"],
)
def test_what_is_written_before_the_page_listens_is_checked(
    enter: Visit, path: str, field: str, words: str, fault: str
) -> None:
    page = enter()
    with scripts_late(page):
        page.goto(path, wait_until="commit")
        page.locator(field).fill(words)
    expect(page.locator("#own-faults")).to_contain_text(fault)


def test_why_a_picture_was_refused_is_said_where_it_was_sent(enter: Visit, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    page = enter()
    page.goto("/own/new?template=rubric&view=form")
    page.get_by_text("放一张图").click()
    page.set_input_files("#picture-file", {"name": "a.png", "mimeType": "image/png", "buffer": b"?"})
    page.fill("#picture-alt", "一条线")
    page.get_by_role("button", name="传上来").click()
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("只收png")
    expect(refusal).to_be_in_viewport()


@pytest.mark.long
@pytest.mark.parametrize(
    ("address", "field", "most_bytes"),
    [
        ("/own/new", "#picture-file", MOST_UPLOAD_BYTES),
        ("/own/pastes", "#paste-file", MOST_UPLOAD_BYTES),
        ("/cards/files", "#file", MOST_FILE_BYTES),
    ],
)
def test_a_file_that_is_too_large_is_said_before_it_is_sent(
    enter: Visit, address: str, field: str, most_bytes: int
) -> None:
    """A proxy would cut it off, and what is typed beside it would be gone with the page."""
    page = enter()
    page.goto(address)
    if page.locator("#own-picture").count():
        page.click("#own-picture > summary")
    largest, larger = (
        FilePayload(name="a.png", mimeType="image/png", buffer=b"?" * byte_count)
        for byte_count in (most_bytes, most_bytes + 1)
    )
    warning = page.locator("[id$='-too-large']")
    page.set_input_files(field, larger)
    expect(warning).to_be_visible()
    assert page.locator(field).input_value() == ""
    page.set_input_files(field, largest)
    expect(warning).to_be_hidden()
    assert page.locator(field).input_value().endswith("a.png")


def test_enter_in_the_words_of_a_picture_does_not_lose_the_picture(enter: Visit) -> None:
    page = enter(java_script_enabled=False)
    page.goto("/own/new?template=rubric&view=form")
    page.get_by_text("放一张图").click()
    page.set_input_files("#picture-file", {"name": "a.png", "mimeType": "image/png", "buffer": b"?"})
    page.fill("#picture-alt", "一条线")
    page.press("#picture-alt", "Enter")
    assert page.locator("#picture-file").input_value().endswith("a.png")
    assert "/own/new" in page.url


@pytest.mark.parametrize(
    ("path", "field", "look"),
    [
        ("/own/new?template=rubric&view=form", "#own-write textarea", "再多几行"),
        ("/own/pastes", "#paste-text", "看一看"),
    ],
    ids=["form", "paste"],
)
def test_what_was_typed_into_a_form_or_pasted_is_asked_for_before_leaving(
    enter: Visit, path: str, field: str, look: str
) -> None:
    page = enter()
    dialogs = dialogs_of(page)
    page.goto(path)
    page.goto("/own")
    assert dialogs == [], "who wrote nothing is not asked"
    page.goto(path)
    page.locator(field).first.press_sequentially("1. 甜")
    with page.expect_navigation():
        page.get_by_role("button", name=look).click()
    page.locator(field).first.press("End")  # a browser asks nobody who has not touched a page
    assert dialogs == [], "to look at it is not to leave it"
    page.goto("/own")
    assert dialogs == ["beforeunload"]


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize(
    ("path", "button", "place"),
    [
        ("/own/new", "预览", "#own-beside"),
        ("/own/new?template=rubric&view=form", "预览", "#own-beside"),
        ("/own/new?template=rubric&view=form", "再多几行", "#own-item"),
    ],
    ids=["text", "form", "rows"],
)
def test_a_telephone_goes_on_where_one_asked_to(
    enter: Visit, script: bool, path: str, button: str, place: str
) -> None:
    """To the verdict and the look, or to the rows that were added; a keyboard goes on from there too."""
    page = enter(java_script_enabled=script, viewport={"width": 360, "height": 640})
    page.goto(path)
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_url("**/own/previews#*")
    expect(page.locator(place)).to_be_focused()
    top = page.locator(place).bounding_box()
    assert top is not None
    assert -1 < top["y"] < 200


def test_what_cannot_be_put_into_the_text_is_said_and_not_scrolled_past(enter: Visit, watch: Watch) -> None:
    watch.announce(UNREADABLE)
    page = enter(java_script_enabled=False, viewport={"width": 360, "height": 640})
    page.goto("/own/new?template=rubric&view=form")
    page.evaluate("document.querySelector('[name=text]').value = 'items: 3'")
    page.get_by_role("button", name="预览", exact=True).click()
    expect(page.locator("#own-error")).to_be_focused()
    expect(page.locator("#own-error")).to_be_in_viewport()


def test_what_is_not_kept_is_asked_for_before_leaving(enter: Visit) -> None:
    page = enter()
    page.goto("/own/new")
    messages = dialogs_of(page)
    page.locator("#own-text").press_sequentially("# 甜")
    page.goto("/own")
    assert messages == ["beforeunload"]
    page.goto("/own/new")
    page.goto("/own")
    assert len(messages) == 1, "who wrote nothing is not asked"


@pytest.mark.long
def test_every_page_fits_and_is_accessible(enter: Visit, visit: Visit) -> None:
    page, colleague, student = enter(), enter(), visit()
    page.goto("/own/new?template=section")
    page.get_by_role("button", name="存下来").click()
    page.get_by_role("button", name="开一个链接").click()
    address = page.url.partition("#")[0]
    link = page.locator(".own-link a").get_attribute("href") or ""
    for path in ("/own", address, "/own/new?template=steps", "/own/new?template=order", "/me"):
        look_at(page, path)
    look_at(colleague, link)
    for path in (link, f"{link}/lessons/first?step=6", f"{link}/items/guess-first"):
        look_at(student, path)
    colleague.goto(link)
    colleague.get_by_role("button", name="抄一份到我的内容").click()
    expect(colleague.get_by_text("抄好了，这一份是你的。")).to_be_visible()


@pytest.mark.long
def test_a_movable_row_of_a_teacher_moves_and_is_checked(enter: Visit, visit: Visit) -> None:
    teacher, student = enter(), visit(has_touch=True)
    teacher.goto("/own/new?template=play")
    teacher.get_by_role("button", name="存下来").click()
    teacher.get_by_role("button", name="开一个链接").click()
    link = teacher.locator(".own-link a").get_attribute("href") or ""
    student.goto(f"{link}/lessons/first")
    expect(student.locator(".toy.awake")).to_have_count(1)
    student.get_by_label("4步").check()
    for grade in "0001":
        student.locator(f".toy-row > li[data-grade='{grade}'] .on").tap()
    student.get_by_role("button", name="好了").tap()
    expect(student.locator(".toy-result.is-right")).to_contain_text("最少4步")
    assert f"{link}/lessons/first?step=step-1&toy=step-1&row=3-2-1-0" in student.url
    fits(student)
    assert axe(student) == []


@pytest.mark.long
def test_all_of_it_works_without_a_script(enter: Visit, visit: Visit, watch: Watch, tmp_path: Path) -> None:
    watch.announce(UNREADABLE)
    watch.announce(NOT_FOUND)
    page = enter(java_script_enabled=False)
    page.goto("/own/new")
    page.fill("#own-text", BROKEN)
    page.get_by_role("button", name="预览").click()
    expect(page.locator("#own-faults li")).to_contain_text("这里要写true或false")
    expect(page.locator("#own-faults code.fault-there")).to_have_text("answer: 5")
    page.fill("#own-text", SMALL)
    page.get_by_role("button", name="预览").click()
    expect(page.locator("#own-preview")).to_contain_text("越甜越靠前，对吗？")
    page.get_by_role("button", name="存下来").click()
    with page.expect_download() as down:
        page.get_by_role("link", name="下载").click()
    assert down.value.suggested_filename == "小练习.yaml"
    file = tmp_path / "我的.yaml"
    down.value.save_as(file)
    assert file.read_text("utf-8") == SMALL
    file.write_text(SMALL.replace("小练习", "小练习二"), "utf-8")
    page.goto("/own")
    page.set_input_files("#file", file)
    page.get_by_role("button", name="传上来").click()
    expect(page.get_by_text("存好了。")).to_be_visible()
    page.get_by_role("button", name="开一个链接").click()
    link = page.locator(".own-link a").get_attribute("href") or ""
    student = visit(java_script_enabled=False)
    student.goto(link)
    student.get_by_role("link", name="练一练").click()
    student.get_by_label("这句话对").check()
    student.get_by_role("button", name="回答").click()
    expect(student.locator(".item")).to_contain_text("判断得对。")
    file.write_text("title: &a 甲\n", "utf-8")
    page.goto("/own")
    page.set_input_files("#file", file)
    page.get_by_role("button", name="传上来").click()
    expect(page.locator("#own-faults li")).to_contain_text("这里不能用“&”起名")
    page.goto(link.partition("-")[0])
    page.get_by_text("不要这一份了").click()
    page.get_by_role("button", name="删掉").click()
    expect(page.locator(".own-list li")).to_have_count(1)
    student.goto(link)
    expect(student.get_by_role("heading", level=1)).to_have_text("这里没有糖")
