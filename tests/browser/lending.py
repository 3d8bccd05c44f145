"""Browsers that are lent to one visitor after another: what a first page costs is paid once for many tests.

A new browser draws its first page in a new process, which reads fonts, styles and scripts anew: half of what
a short walk costs. In a browser that is lent a first tab stays open, and those of visitors find its process
at work. They find nothing else: no cookie, no word, no route.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.watch import Watch, prepare

MOST_WAITING = 4
"""Browsers that wait for a visitor, each with a process of its own."""
WITHOUT_SCRIPT = "/healthz"
OF_A_TAB = ("viewport", "color_scheme", "forced_colors", "reduced_motion")
"""Options that are set for one tab of a browser."""
OPEN_TAB = "() => { open('about:blank'); }"
FORGET_WORDS = "() => localStorage.clear()"
HAS_TRUE_CLOCK = "() => [Date, setTimeout].every((part) => `${part}`.includes('[native code]'))"
PRESS_AT_ONCE = """
  addEventListener('htmx:afterSwap', () => document.documentElement.classList.remove('double-tap'));
"""


def tab_beside(page: Page) -> Page:
    """A new tab that is drawn by the process of this page, as long as it shows pages of the same site."""
    with page.context.expect_page() as opened:
        page.evaluate(OPEN_TAB)
    return opened.value


@dataclass
class Lent:
    """A browser, and its tab that is never closed."""

    options_text: str
    context: BrowserContext
    first_tab: Page

    def new_tab(self, viewport: Any, **media: Any) -> Page:
        tab = tab_beside(self.first_tab)
        tab.set_viewport_size(viewport)
        tab.emulate_media(**media)
        return tab

    def forget(self) -> None:
        """As if nobody had been here."""
        assert self.first_tab.evaluate(HAS_TRUE_CLOCK), "who sets the clock visits alone"
        for page in self.context.pages:
            if page != self.first_tab:
                page.close()
        self.context.unroute_all()
        self.context.set_offline(False)
        self.context.clear_permissions()
        self.context.clear_cookies()
        self.first_tab.evaluate(FORGET_WORDS)


class Lender:
    """Lends browsers, and takes them back."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._waiting: list[Lent] = []

    @contextmanager
    def alone(self, watch: Watch, pauses_after_press: bool, **options: Any) -> Iterator[Page]:
        """A browser that nobody had before and nobody gets later."""
        with self._new_context(pauses_after_press, **options) as context:
            watch.listen(context)
            yield context.new_page()

    @contextmanager
    def shared(self, watch: Watch, pauses_after_press: bool, **options: Any) -> Iterator[Page]:
        """A tab in a browser that is given back; of a storage state only the cookies are taken over."""
        state = options.pop("storage_state", {"cookies": []})
        tab_options = {name: options.pop(name) for name in OF_A_TAB if name in options}
        lent = self._lend(pauses_after_press, options)
        lent.context.add_cookies(state["cookies"])
        watch.listen(lent.context)
        yield lent.new_tab(**tab_options)
        watch.leave(lent.context)
        if lent.context in self._browser.contexts:  # nobody closed it
            self._take_back(lent)

    def _new_context(self, pauses_after_press: bool, **options: Any) -> BrowserContext:
        context = self._browser.new_context(**options)
        prepare(context)
        if not pauses_after_press:
            context.add_init_script(PRESS_AT_ONCE)
        return context

    def _lend(self, pauses_after_press: bool, options: dict[str, Any]) -> Lent:
        options_text = json.dumps([pauses_after_press, options], sort_keys=True)
        for lent in self._waiting:
            if lent.options_text == options_text:
                self._waiting.remove(lent)
                return lent
        context = self._new_context(pauses_after_press, **options)
        first_tab = context.new_page()
        first_tab.goto(WITHOUT_SCRIPT)
        return Lent(options_text, context, first_tab)

    def _take_back(self, lent: Lent) -> None:
        lent.forget()
        self._waiting.append(lent)
        if len(self._waiting) > MOST_WAITING:
            self._waiting.pop(0).context.close()
