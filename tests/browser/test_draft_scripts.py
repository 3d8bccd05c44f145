"""The script that saves what is typed and not sent, by itself: what it does before somebody leaves."""

import pytest
from playwright.sync_api import Dialog

from tests.browser.stage import QUESTION, STATIC, Stage, happens, pressed
from tests.browser.watch import dialogs_of

DRAFT = """
<form><input id="field" name="answer"><span class="draft" data-hx-post="/drafts"></span></form>
<a id="on" href="/elsewhere">下一题</a>
"""
SAVES = """
document.querySelector('.draft').addEventListener('save', () => { document.body.dataset.pressed = 'saved'; });
"""


def draft_request(status: int = 0) -> str:
    """What htmx tells of a request of the box that saves."""
    sender = "requestConfig: {elt: document.querySelector('.draft')}, pathInfo: {requestPath: '/drafts'}"
    return f"{{{sender}, xhr: {{status: {status}}}}}"


def test_who_goes_on_with_unsaved_words_waits_until_they_are_saved(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.fill("#field", "3.9")
    page.click("#on")
    assert pressed(page) == ["saved"]
    assert page.url == "http://stage.example/"
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "htmx:afterRequest", ".draft", draft_request(200))
    page.wait_for_url("**/elsewhere")


@pytest.mark.parametrize(("status", "is_asked"), [(404, True), (422, True), (200, False)])
def test_who_leaves_words_that_nobody_may_store_is_asked_first(
    stage: Stage, status: int, is_asked: bool
) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    questions: list[str] = []

    def note(dialog: Dialog) -> None:
        questions.append(dialog.type)
        dialog.accept()

    page.on("dialog", note)
    page.fill("#field", "3.9")
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "htmx:afterRequest", ".draft", draft_request(status))
    page.click("#on")
    page.wait_for_url("**/elsewhere")
    assert questions == (["beforeunload"] if is_asked else [])


def test_a_link_that_waited_for_a_refused_save_leads_nowhere_later(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.fill("#field", "3.9")
    page.click("#on")
    for status in (422, 200):
        happens(page, "htmx:beforeRequest", ".draft", draft_request())
        happens(page, "htmx:afterRequest", ".draft", draft_request(status))
    page.evaluate("fetch('/later')")
    assert page.url == "http://stage.example/"


def test_words_that_are_no_answer_are_saved_before_one_goes_on(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT.replace("<form", '<form class="answer"'), before=SAVES)
    page.fill("#field", "十来颗")
    happens(page, "htmx:afterRequest", "form", draft_request(422).replace(".draft", "form"))
    page.click("#on")
    assert pressed(page) == ["saved"]


COUNTED_SAVES = """
let tries = 0;
document.querySelector('.draft').addEventListener('save', () => {
  document.body.dataset.pressed = `${++tries}`;
});
setInterval = (run) => { document.addEventListener('five-seconds-later', run); };
"""


def test_a_save_on_a_slow_line_is_not_ended_by_the_next_try(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=COUNTED_SAVES)
    page.fill("#field", "3.9")
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "htmx:afterRequest", ".draft", draft_request())
    happens(page, "htmx:sendError", ".draft", draft_request())
    happens(page, "five-seconds-later", "body")
    assert pressed(page) == ["1"]
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "five-seconds-later", "body")
    assert pressed(page) == ["1"]
    happens(page, "htmx:afterRequest", ".draft", draft_request())
    happens(page, "htmx:timeout", ".draft", draft_request())
    happens(page, "five-seconds-later", "body")
    assert pressed(page) == ["2"]


ASKED_OLD_BROWSER = """() => {
  const event = document.createEvent('BeforeUnloadEvent');
  event.initEvent('beforeunload', false, true);
  dispatchEvent(event);
  return event.returnValue;
}"""


@pytest.mark.parametrize("script", ["modules/drafts.js", "modules/unsaved.js"])
def test_a_browser_of_before_2023_asks_too(stage: Stage, script: str) -> None:
    """To it `preventDefault` says nothing."""
    page = stage(script, DRAFT.replace("<form", "<form data-unsaved"))
    page.evaluate("document.querySelector('#field').value = '3.9'")
    page.fill("#field", "3.91")
    happens(page, "htmx:sendError", ".draft", draft_request())
    assert page.evaluate(ASKED_OLD_BROWSER)
    page.evaluate("document.querySelector('form').remove()")


def test_who_changed_nothing_goes_on_at_once(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.click("#on")
    page.wait_for_url("**/elsewhere")


def test_who_leaves_in_another_way_sends_the_words_along(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.fill("#field", "3.9")
    with page.expect_request("**/drafts") as request:
        page.goto("http://stage.example/away")
    assert request.value.post_data == "answer=3.9"


LEAVE_ELSEWHERE = "localStorage.setItem('left', `${localStorage.getItem('left')}1`)"
"""What another tab does when somebody leaves this browser to another."""


def test_words_on_a_page_of_who_has_left_are_not_sent_by_themselves(stage: Stage) -> None:
    page = stage("modules/drafts.js", DRAFT, before=COUNTED_SAVES)
    page.fill("#field", "3.9")
    happens(page, "htmx:beforeRequest", ".draft", draft_request())
    happens(page, "htmx:sendError", ".draft", draft_request())
    happens(page, "htmx:afterRequest", ".draft", draft_request())
    page.evaluate(LEAVE_ELSEWHERE)
    happens(page, "five-seconds-later", "body")
    assert pressed(page) == []
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    dialogs = dialogs_of(page)
    page.click("#on")
    page.wait_for_url("**/elsewhere")
    assert dialogs == ["beforeunload"]
    assert not [url for url in requests if url.endswith("/drafts")]


KEPT_WORDS = """() => sessionStorage.setItem(
  'unsaved-answer', JSON.stringify(['/drafts', 'answer=3.9', Date.now()])
)"""


@pytest.mark.parametrize(("status", "is_kept"), [(503, True), (422, True), (200, False)])
def test_words_that_were_taken_along_are_kept_until_they_are_stored(
    stage: Stage, status: int, is_kept: bool
) -> None:
    page = stage("modules/drafts.js", DRAFT, before=SAVES)
    page.route("**/drafts", lambda route: route.fulfill(status=status))
    page.evaluate(KEPT_WORDS)
    with page.expect_response("**/drafts"):
        page.add_script_tag(content=(STATIC / "modules/drafts.js").read_text("utf-8"))
    page.fill("#field", "3.91")
    page.evaluate("dispatchEvent(new Event('load'))")
    page.evaluate("fetch('/later')")
    is_kept_copy_there = "sessionStorage.getItem('unsaved-answer') !== null"
    assert page.evaluate(is_kept_copy_there) is is_kept


def test_a_page_of_who_has_left_shows_none_of_their_words_again(stage: Stage) -> None:
    page = stage("js/45-typed.js", QUESTION)
    page.fill("#number", "31")
    page.evaluate("document.querySelector('form').reset()")
    happens(page, "htmx:afterSettle", "body")
    assert page.input_value("#number") == "31"
    page.evaluate("document.querySelector('form').reset()")
    page.evaluate(LEAVE_ELSEWHERE)
    happens(page, "htmx:afterSettle", "body")
    assert page.input_value("#number") == ""
