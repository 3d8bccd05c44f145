"""What the browser complains about: console errors and warnings, uncaught errors, policy violations."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Request, WebError

VIOLATIONS = """
addEventListener('securitypolicyviolation', (event) =>
  console.error(`securitypolicyviolation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
UNREADABLE = r"status of 422"
STALE = r"status of 409"
NOT_FOUND = r"status of 404"
OFFLINE = r"ERR_INTERNET_DISCONNECTED|htmx:sendError|htmx:afterRequest"

PATIENCE = 10_000
"""Milliseconds that a click or an address may take."""


class Watch:
    """Collects complaints of the contexts that it follows."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.announced: list[str] = []

    def follow(self, context: BrowserContext) -> None:
        """Listen, and lend the pages some patience: machines that run tests can be slow."""
        context.set_default_timeout(PATIENCE)
        context.add_init_script(VIOLATIONS)
        context.on("console", self._hear)
        context.on("weberror", self._fall)

    def announce(self, pattern: str) -> None:
        """What the test is going to provoke."""
        self.announced.append(pattern)

    def unexpected(self) -> list[str]:
        return [text for text in self.seen if not any(re.search(pattern, text) for pattern in self.announced)]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.seen.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _fall(self, error: WebError) -> None:
        self.seen.append(f"uncaught: {error.error}")


def into(requests: list[Request]) -> Callable[[Request], None]:
    """Playwright wants a function, and a method of a list is none to it."""

    def keep(request: Request) -> None:
        requests.append(request)

    return keep


def dialogs_of(page: Page) -> list[str]:
    """The kinds of the dialogs that open from now on; each is agreed to."""
    kinds: list[str] = []

    def agree(dialog: Dialog) -> None:
        kinds.append(dialog.type)
        dialog.accept()

    page.on("dialog", agree)
    return kinds
