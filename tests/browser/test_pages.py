"""One address for each route and kind of content: axe, and nothing runs off a phone.

A newcomer's pages are looked at in light, a busy learner's in dark; by `make test-all` in both colours.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.looking import AXE, axe, fits
from tests.browser.scenes import Cookies
from tests.browser.watch import NOT_FOUND, Watch

NEW = [
    "/practice",
    "/practice/map",
    "/mistakes",
    "/items/noodle-order?seed=1234",
    "/practice/steps-ndcg-pool?level=3&seed=5",
    "/practice/ndcg-pool?level=3&seed=5",
    "/practice/ideal-order?level=3&seed=5",
    "/practice/steps-ndcg/print?n=2&seed=5&level=3",
    "/",
    "/course",
    "/errata",
    "/errata/three-times",
    "/lessons/concepts",
    "/lessons/concepts/which-is-better?step=6",
    "/lessons/concepts/binary-rulers?step=6",
    "/lessons/concepts/first-whole?step=2",
    "/lessons/definitions/dcg-by-hand?step=6",
    "/lessons/definitions/normalise?step=5",
    "/lessons/concepts/sweetness?step=5&item=cg-chengdu&typed=十来颗",
    "/examples",
    "/examples/chengdu-food",
    "/examples/short-video",
    "/glossary",
    "/bookmarks",
    "/bookmarks/new?example=chengdu-food",
    "/search?q=NDCG",
    "/five-minutes",
    "/placement",
    "/placement?step=7",
    "/warm-ups",
    "/workbench",
    "/workbench?list=3+0.5%0A0+0.5%0A2+0.5%0A0+0.4%0A1+0.4%0A3+0.2%0A2+0.1%0A2+0.1%0A0+0.05&k=5&pool=3x2",
    "/games/pushing?seed=7",
    "/games/judging?seed=7",
    "/games/interleaving?seed=7",
    "/lessons/code/torn-off?step=4",
    "/bands?grades=4+1+3+4+0&k=5&more=4+3",
    "/workbench/reconcile?list=3+2+3+0+1+2&printed=0.9488",
    "/workbench/probe?a=0.544&b=0.528&c=0",
    "/lessons/concepts/concepts-quiz?step=9",
    "/cards",
    "/cards/review",
    "/cards/all?stage=definitions",
    "/cards/gain-when-moved",
    "/cards/practice-ndcg-1",
    "/cards/settings",
    "/cards/files",
    "/cards/new?card=gain-when-moved",
    "/cards/stats",
    "/progress",
    "/progress/certificate",
    "/privacy",
    "/me",
    "/nowhere",
]
BUSY = [
    "/",
    "/practice",
    "/practice/map",
    "/mistakes",
    "/mistakes?kind=point-ndcg",
    "/course",
    "/errata",
    "/errata/three-times",
    "/lessons/concepts",
    "/lessons/concepts/which-is-better",
    "/lessons/concepts/which-is-better?step=6",
    "/lessons/concepts/binary-rulers?step=6",
    "/lessons/concepts/sweetness?step=6",
    "/lessons/concepts/first-whole?step=2",
    "/lessons/definitions/gain-and-discount?step=6",
    "/lessons/definitions/one-term?step=5",
    "/lessons/definitions/half-way-definitions?step=4",
    "/lessons/definitions/dcg-by-hand?step=6",
    "/lessons/definitions/half-way-ideal?step=4",
    "/lessons/definitions/normalise?step=5",
    "/lessons/definitions/lowest-score?step=4",
    "/lessons/definitions/conventions?step=6",
    "/lessons/definitions/definitions-quiz?step=11",
    "/placement?step=2",
    "/warm-ups",
    "/examples",
    "/examples/chengdu-3-days",
    "/examples/two-systems-a",
    "/progress",
    "/progress/certificate",
    "/me",
    "/attempts/mine",
]

MET_FULLER = {
    *("/", "/practice", "/practice/map", "/course", "/errata", "/errata/three-times", "/examples"),
    "/lessons/concepts",
}
"""Pages of a newcomer that the busy learner sees with all that stands on them and more."""
MET_IN_OTHERS = {
    "new": {
        "/lessons/concepts/which-is-better?step=6",
        "/lessons/concepts/binary-rulers?step=6",
        "/lessons/concepts/first-whole?step=2",
        "/lessons/definitions/dcg-by-hand?step=6",
        "/lessons/definitions/normalise?step=5",
        *("/bookmarks", "/cards/stats", "/mistakes"),
    },
    "busy": {
        "/lessons/concepts/which-is-better",
        "/lessons/definitions/gain-and-discount?step=6",
        "/lessons/definitions/lowest-score?step=4",
        "/lessons/definitions/one-term?step=5",
        "/mistakes?kind=point-ndcg",
    },
}
"""Lessons whose every kind of step, and every kind of item in the same state, stands on another of these
pages: what is open in the two quizzes, and what is answered, shown or hinted in the other lessons. And pages
whose every element stands on another one, with the same classes and within the same element."""


MET_IN_KIND = {
    "new": {
        *("/practice/steps-ndcg-pool?level=3&seed=5", "/practice/ideal-order?level=3&seed=5"),
        *("/examples/short-video", "/workbench", "/placement", "/cards/practice-ndcg-1", "/cards/files"),
        *("/lessons/concepts/concepts-quiz?step=9", "/workbench/reconcile?list=3+2+3+0+1+2&printed=0.9488"),
        *("/progress", "/progress/certificate"),
    },
    "busy": {
        *("/lessons/definitions/half-way-ideal?step=4", "/lessons/definitions/conventions?step=6"),
        *("/lessons/concepts/sweetness?step=6", "/examples/two-systems-a", "/placement?step=2"),
    },
}
"""Pages built from the same pieces as another one here: its items, tables, bars, fields and lists."""

SCHEMES = {"new": ("light", "dark"), "busy": ("dark", "light")}
"""In which colours the pages of a visitor are looked at each time, and in which by `make test-all`."""


@pytest.fixture(scope="module")
def followed(browser: Browser, phone: dict[str, Any], busy: Cookies) -> Iterator[dict[str, Any]]:
    """Two browsers for all these pages: a newcomer's, and that of the busy learner."""
    watch = Watch()
    contexts = {
        "new": browser.new_context(**phone),
        "busy": browser.new_context(**phone, storage_state=busy),
    }
    for context in contexts.values():
        context.add_init_script(path=AXE)  # half a megabyte, sent once and not with every page
    yield {name: (new_page(context, watch), watch) for name, context in contexts.items()}
    for context in contexts.values():
        context.close()


def new_page(context: BrowserContext, watch: Watch) -> Page:
    watch.follow(context)
    return context.new_page()


def looks() -> Iterator[Any]:
    """Every page with its visitor; what another page shows as well is looked at by `make test-all`."""
    repeated = {visitor: MET_IN_OTHERS[visitor] | MET_IN_KIND[visitor] for visitor in SCHEMES}
    repeated["new"] |= MET_FULLER
    for visitor, paths in (("new", NEW), ("busy", BUSY)):
        for path, scheme in product(paths, SCHEMES[visitor]):
            is_long = path in repeated[visitor] or scheme != SCHEMES[visitor][0]
            marks = [pytest.mark.long] if is_long else []
            yield pytest.param(visitor, path, scheme, id=f"{visitor} {path} {scheme}", marks=marks)


@pytest.mark.parametrize(("visitor", "path", "scheme"), list(looks()))
def test_page_is_accessible_and_fits(
    followed: dict[str, Any], visitor: str, path: str, scheme: Literal["light", "dark"]
) -> None:
    page, watch = followed[visitor]
    watch.seen.clear()
    watch.announced[:] = [NOT_FOUND] if path == "/nowhere" else []
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme=scheme)
    page.goto(own_attempt(page) if path == "/attempts/mine" else path)
    assert page.evaluate("document.querySelectorAll('h1').length") == 1
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    fits(page)
    assert axe(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    fits(page)
    assert watch.unexpected() == []


def own_attempt(page: Page) -> str:
    """Where the answers of the first stage are: its lesson sends them there."""
    page.goto("/lessons/concepts/binary-rulers?step=6")
    return (page.locator("form.answer").first.get_attribute("action") or "").removesuffix("/responses")
