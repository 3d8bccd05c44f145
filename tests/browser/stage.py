"""Bare pages: each with one script, and no more than that speaks to."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

STATIC = Path(__file__).resolve().parents[2] / "static"
Stage = Callable[..., Page]

PRESSED = "() => document.body.dataset.pressed ?? ''"
RECORD_PRESSES = """
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) document.body.dataset.pressed = (document.body.dataset.pressed ?? '') + button.id + ' ';
});
"""
QUESTION = """
<form class="answer" onsubmit="return false"><div class="options">
  <input type="radio" name="answer" id="first">
  <input type="radio" name="answer" id="second">
  <input type="radio" name="answer" id="closed" disabled></div>
  <input type="text" id="number">
  <button type="button" id="answer" data-answer>答</button>
  <button type="button" id="hint" data-hint>提示</button>
</form><button type="button" id="next" data-next>下一步</button>
"""


def staged(
    context: BrowserContext, script: str, body: str, root: str = "", before: str = RECORD_PRESSES
) -> Page:
    """A page with this body, on which this script has run, after what it shares with others."""
    page = context.new_page()
    html = f"<!doctype html><html {root}><meta charset=utf-8><body>{body}"
    page.route("**/*", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("http://stage.example/")
    page.evaluate(before)
    for path in ("js/05-unsent.js", script):
        page.add_script_tag(content=(STATIC / path).read_text("utf-8"))
    return page


def pressed(page: Page) -> list[str]:
    """The buttons that were pressed, in order."""
    names: str = page.evaluate(PRESSED)
    return names.split()


def happens(page: Page, name: str, on: str, detail: str = "{}") -> None:
    """An event of htmx."""
    event = f"new CustomEvent('{name}', {{bubbles: true, detail: {detail}}})"
    page.evaluate(f"document.querySelector('{on}').dispatchEvent({event})")
