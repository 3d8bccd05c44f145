"""Who leaves a long form by mistake is asked first, whatever was written, ticked or chosen in it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.assigned import posted_draft
from tests.browser.conftest import Visit
from tests.browser.school import DESK, new_class, posted
from tests.browser.stage import STATIC, Stage, happens
from tests.browser.watch import Watch, dialogs_of


@pytest.fixture
def teacher(visit: Visit, invitations: list[str]) -> Page:
    """A teacher with a class."""
    return new_class(visit(viewport=DESK), invitations)


def write(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).press_sequentially("糖糖")


def tick(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.check()


def choose_rule(selector: str, value: str) -> Callable[[Page], None]:
    def press_and_choose(page: Page) -> None:
        page.locator(".more-rules summary").click()
        page.locator(selector).click()  # a browser asks nobody who has not touched a page
        page.keyboard.press("Escape")
        page.locator(selector).select_option(value)

    return press_and_choose


def long(place: str, change: Callable[[Page], None]) -> Any:
    """Another form that is watched by the same script: by `make test-all`."""
    return pytest.param(place, change, marks=pytest.mark.long)


@pytest.mark.parametrize(
    ("place", "change"),
    [
        long("/roster", write("#text")),  # as the note of a bookmark
        ("/gradebook/total", tick("[name=missing]:not(:checked)")),
        ("settings", choose_rule("#s-tries", "3")),
        long("settings", write("#s-note")),
        long("/own/new", write("#own-text")),  # `test_own.py` writes in its form each time
        long("/cards/new", write("#back")),
        long("/cards/files", write("#text")),
        ("/bookmarks/new?step=concepts.which-is-better.probe", write("#note")),
    ],
)
def test_who_leaves_a_long_form_by_mistake_is_asked(
    teacher: Page, place: str, change: Callable[[Page], None]
) -> None:
    page = teacher
    class_url = re.sub("/projector$", "", page.url)
    if place == "settings":
        posted_draft(page, "cg-chengdu")
        place = page.url
    elif place in ("/roster", "/gradebook/total"):
        place = f"{class_url}{place}"
    dialogs = dialogs_of(page)
    page.goto(place)
    page.goto(class_url)
    assert dialogs == [], "who wrote nothing is not asked"
    page.goto(place)
    change(page)
    page.goto(class_url)
    assert dialogs == ["beforeunload"]


LONG_FORM = '<form data-unsaved><input id="field"><button>存下</button></form>'
SEND = "document.querySelector('form').dispatchEvent(new Event('submit', { bubbles: true }))"
IS_ASKED = """() => {
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
}"""


def test_who_writes_on_after_a_form_was_sent_in_vain_is_asked(stage: Stage) -> None:
    """Its navigation was stopped."""
    page = stage("modules/unsaved.js", LONG_FORM)
    page.fill("#field", "糖")
    page.evaluate(SEND)
    assert not page.evaluate(IS_ASKED)
    page.fill("#field", "糖糖")
    assert page.evaluate(IS_ASKED)
    page.fill("#field", "")


def test_what_is_sent_without_a_network_stays_on_its_page(stage: Stage) -> None:
    """It led to an error of the browser, and who came back found a page without what they had written."""
    page = stage("modules/unsaved.js", f'<p id="offline" hidden></p>{LONG_FORM}')
    page.fill("#field", "糖")
    address = page.url
    page.context.set_offline(True)
    page.get_by_role("button", name="存下").click()
    expect(page.locator("#offline")).to_contain_text("写的都在这里")
    assert (page.url, page.input_value("#field")) == (address, "糖")
    assert page.evaluate(IS_ASKED), "it is not sent yet"
    page.context.set_offline(False)
    page.fill("#field", "")


def test_who_sends_what_a_page_shows_by_another_form_is_not_asked(stage: Stage) -> None:
    """Unless there is more to it by now."""
    shown_form = LONG_FORM.replace("data-unsaved", 'data-unsaved="yes"')
    page = stage("modules/unsaved.js", f"<form data-carries></form>{shown_form}")
    assert page.evaluate(IS_ASKED)
    page.evaluate(SEND)
    assert not page.evaluate(IS_ASKED)
    page.fill("#field", "糖")
    page.evaluate(SEND)
    assert page.evaluate(IS_ASKED)
    page.fill("#field", "")
    assert page.evaluate(IS_ASKED)
    page.evaluate(SEND)


@pytest.mark.parametrize(
    ("status", "is_asked"), [(413, True), (422, True), (429, True), (500, True), (200, False)]
)
def test_who_leaves_a_form_that_was_refused_is_asked(stage: Stage, status: int, is_asked: bool) -> None:
    page = stage("modules/unsaved.js", LONG_FORM)
    page.fill("#field", "糖")
    page.evaluate(SEND)
    happens(page, "htmx:afterRequest", "form", f"{{xhr: {{status: {status}}}}}")
    assert page.evaluate(IS_ASKED) == is_asked
    page.fill("#field", "")


@pytest.mark.parametrize("failure", ["htmx:sendError", "htmx:timeout"])
def test_who_leaves_a_form_that_did_not_arrive_is_asked(stage: Stage, failure: str) -> None:
    page = stage("modules/unsaved.js", LONG_FORM)
    page.fill("#field", "糖")
    page.evaluate(SEND)
    happens(page, failure, "form")
    assert page.evaluate(IS_ASKED)
    page.fill("#field", "")


PROXY_PAGE = "<!doctype html><html><title>502</title><body><h1>502 Bad Gateway</h1>"
SAID_AGAIN = "上次按了没有送到，写的放回来了"


def lose_next_post(page: Page, path_pattern: str, status: int) -> None:
    """The server behind the proxy is gone, or the proxy refuses; 0: nobody answers at all."""

    def refuse(route: Route) -> None:
        if status:
            route.fulfill(status=status, body=PROXY_PAGE, content_type="text/html")
        else:
            route.abort("connectionrefused")

    page.route(path_pattern, refuse, times=1)


@pytest.mark.parametrize("status", [0, 502, pytest.param(413, marks=pytest.mark.long)])
def test_settings_that_did_not_arrive_are_there_again(teacher: Page, watch: Watch, status: int) -> None:
    """The way back, and the next visit; what is sent then arrives, and is kept no longer."""
    watch.announce("status of|ERR_")
    page = teacher
    posted_draft(page, "cg-chengdu")
    settings_url = page.url
    page.goto(settings_url)
    page.fill("#s-note", "带草稿纸")
    page.locator(".more-rules summary").click()
    page.locator("#s-tries").select_option("3")
    lose_next_post(page, "**/settings", status)
    page.get_by_role("button", name="存下时间和规矩").click()
    page.wait_for_function("() => !document.getElementById('s-note')")
    page.goto("about:blank")
    page.goto(settings_url)
    expect(page.locator("#s-note")).to_have_value("带草稿纸")
    expect(page.locator("#s-tries")).to_have_value("3")
    expect(page.locator("#s-tries")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=SAID_AGAIN)).to_be_in_viewport()
    page.get_by_role("button", name="存下时间和规矩").click()
    expect(page.get_by_text("改好了。")).to_be_visible()
    page.goto(settings_url)
    expect(page.locator("#s-note")).to_have_value("带草稿纸")
    expect(page.get_by_text(SAID_AGAIN)).to_have_count(0)


def test_own_content_that_did_not_arrive_can_be_dropped(teacher: Page, watch: Watch) -> None:
    watch.announce("status of")
    page = teacher
    page.goto("/own/new")
    page.fill("#own-text", "title: 糖\n")
    lose_next_post(page, "**/own", 503)
    page.get_by_role("button", name="存下来").click()
    expect(page.locator("h1")).to_have_text("502 Bad Gateway")
    page.go_back()
    expect(page.locator("#own-text")).to_have_value("title: 糖\n")
    expect(page.get_by_role("status").filter(has_text=SAID_AGAIN)).to_be_in_viewport()
    page.get_by_role("button", name="不要了").click()
    expect(page.get_by_text(SAID_AGAIN)).to_have_count(0)
    expect(page.locator("#own-text")).not_to_have_value("title: 糖\n")
    page.goto("/own/new")
    expect(page.locator("#own-text")).not_to_have_value("title: 糖\n")


def test_what_comes_back_replaces_nothing_unseen(teacher: Page, watch: Watch) -> None:
    """It says which text it was begun from: a colleague, or another tab, may have saved another since."""
    watch.announce("status of")
    page = teacher
    page.goto("/own/new")
    page.fill("#own-text", "title: 第一稿\n")
    page.get_by_role("button", name="存下来").click()
    page.wait_for_url("**/own/*?kept=1")
    own_url = page.url.partition("?")[0]
    begun_fields = {
        name: page.locator(f"#own-write [name={name}]").input_value() for name in ("own", "begun")
    }
    page.fill("#own-text", "title: 我的\n")
    lose_next_post(page, own_url, 502)
    page.get_by_role("button", name="存下来").click()
    expect(page.locator("h1")).to_have_text("502 Bad Gateway")
    posted(page, own_url, begun_fields | {"text": "title: 别处的\n"})
    page.goto(own_url)
    expect(page.locator("#own-text")).to_have_value("title: 我的\n")
    page.get_by_role("button", name="存下来").click()
    expect(page.get_by_role("alert")).to_contain_text("别处")
    expect(page.locator("#own-text")).to_have_value("title: 我的\n")


def form_about(name: str, value: str, seal: str = "") -> str:
    """A form of an address that many share, which names in a hidden field what it is about."""
    return (
        f'<form data-unsaved action="/comments" id="form-{value}"><input type="hidden" name="{name}"'
        f' value="{value}"><input type="hidden" name="seal" value="{seal}"><textarea name="words"></textarea>'
        "</form>"
    )


def lose_words(page: Page, form: str) -> None:
    page.fill(f"{form} textarea", "糖")
    page.evaluate(SEND.replace("'form'", f"'{form}'"))


def come_back(page: Page, body: str) -> None:
    page.unroute("**/*")
    page.route(
        "**/*", lambda route: route.fulfill(body=f"<!doctype html><body>{body}", content_type="text/html")
    )
    page.reload()
    for path in ("js/05-unsent.js", "modules/unsaved.js"):
        page.add_script_tag(content=(STATIC / path).read_text("utf-8"))


VALUES_OF_FIELDS = "(fields) => fields.map((field) => field.value)"
NOTICE_PLACE = '<p id="offline" hidden></p>'


def shown_values(page: Page) -> list[str]:
    values: list[str] = page.locator("form :is(input, textarea)").evaluate_all(VALUES_OF_FIELDS)
    return values


def test_of_two_forms_of_a_page_the_one_that_was_sent_has_its_words_back(stage: Stage) -> None:
    """As the comments of a student: each says in a hidden field of which question it is."""
    body = NOTICE_PLACE + form_about("question", "1") + form_about("question", "2")
    page = stage("modules/unsaved.js", body)
    lose_words(page, "#form-2")
    come_back(page, body)
    assert shown_values(page) == ["1", "", "", "2", "", "糖"]
    page.evaluate(SEND.replace("'form'", "'#form-2'"))


def test_two_forms_that_nothing_tells_apart_have_nothing_back(stage: Stage) -> None:
    body = NOTICE_PLACE + 2 * form_about("question", "1")
    page = stage("modules/unsaved.js", body)
    page.locator("textarea").first.fill("糖")
    page.evaluate(SEND)
    come_back(page, body)
    assert shown_values(page) == ["1", "", ""] * 2


@pytest.mark.parametrize("name", ["answer", "step", "example", "text", "pass"])
def test_words_about_one_thing_come_back_at_no_other(stage: Stage, name: str) -> None:
    """The next answer of the page of marking, another place of a bookmark, another list of marks on paper."""
    page = stage("modules/unsaved.js", NOTICE_PLACE + form_about(name, "a1", "old"))
    lose_words(page, "#form-a1")
    come_back(page, NOTICE_PLACE + form_about(name, "b2", "new"))
    assert shown_values(page) == ["b2", "new", ""]
    come_back(page, NOTICE_PLACE + form_about(name, "a1", "new"))
    assert shown_values(page) == ["a1", "old", "糖"], "with what they were begun from"
    page.evaluate(SEND)


def test_the_note_of_a_bookmark_that_did_not_arrive_is_there_again_at_its_place(
    teacher: Page, watch: Watch
) -> None:
    watch.announce("status of")
    page = teacher
    place_url, other_url = (
        f"/bookmarks/new?step=concepts.which-is-better.{step_id}" for step_id in ("probe", "noodle-order")
    )
    page.goto(place_url)
    page.fill("#note", "糖")
    lose_next_post(page, "**/bookmarks", 502)
    page.get_by_role("button", name="夹在这里").click()
    expect(page.locator("h1")).to_have_text("502 Bad Gateway")
    page.goto(other_url)
    expect(page.locator("#note")).to_have_value("")
    page.goto(place_url)
    expect(page.locator("#note")).to_have_value("糖")
    page.get_by_role("button", name="夹在这里").click()
    page.wait_for_url(lambda url: "/bookmarks/new" not in url)
