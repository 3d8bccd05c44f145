"""The ring around every kind of control, measured where it is painted: three to one in both themes."""

from collections import defaultdict
from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.scenes import Cookies

PAGES = (
    *("/", "/lessons/concepts/which-is-better?step=5", "/lessons/definitions/dcg-by-hand?step=2"),
    *("/examples/chengdu-food", "/practice", "/practice/dcg?level=1&seed=5", "/play?row=0-3-2-1"),
    *("/cards", "/cards/new", "/glossary", "/me", "/progress", "/games/duel?seed=7", "/workbench"),
    "/bookmarks/new?example=chengdu-food",
)
TELLING = (
    *("/lessons/definitions/dcg-by-hand?step=2", "/practice/dcg?level=1&seed=5", "/cards/new", "/me"),
    *("/examples/chengdu-food", "/play?row=0-3-2-1", "/games/duel?seed=7", "/workbench"),
)
"""Each kind of control stands on one of them."""
KINDS = {"a", "button", "summary", "input text", "input radio", "input range", "select", "textarea"}

RINGS = """() => {
  const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const clear = (colour) => colour === 'transparent' || parts(colour)[3] === 0;
  const light = (colour) => {
    const [red, green, blue] = parts(colour).map((part) => {
      const share = part / 255;
      return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4;
    });
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const behind = (one) => {
    for (let box = one; box; box = box.parentElement) {
      const colour = getComputedStyle(box).backgroundColor;
      if (!clear(colour)) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const ringed = (one) => [one, one.closest('.option')?.querySelector('label'), one.closest('label')]
    .find((box) => box && getComputedStyle(box).outlineStyle !== 'none');
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const pressed = 'a[href], button, summary, input, select, textarea, [tabindex="0"]';
  const controls = document.querySelectorAll(pressed);
  const rings = [];
  for (const one of controls) {
    if (one.disabled || one.type === 'hidden' || !one.checkVisibility({ visibilityProperty: true })) continue;
    one.focus({ preventScroll: true });
    if (document.activeElement !== one) continue;
    const kind = one.tagName.toLowerCase() + (one.tagName === 'INPUT' ? ` ${one.type}` : '');
    const box = ringed(one);
    if (!box) { rings.push({ kind, name: one.outerHTML.slice(0, 90), width: 0, ratio: 0 }); continue; }
    const look = getComputedStyle(box);
    const outside = parseFloat(look.outlineOffset) >= 0 ? box.parentElement : box;
    const pair = [light(look.outlineColor), light(behind(outside))].sort((a, b) => b - a);
    const ratio = (pair[0] + .05) / (pair[1] + .05);
    rings.push({ kind, name: one.outerHTML.slice(0, 90), width: parseFloat(look.outlineWidth), ratio });
  }
  return rings;
}"""
"""Each control in turn gets the focus, as by the keyboard: its ring, and how far that stands out from what
lies around it, by the formula of WCAG."""


@pytest.mark.parametrize(
    ("scheme", "paths"),
    [
        ("light", TELLING),
        *(pytest.param(scheme, PAGES, marks=pytest.mark.long) for scheme in ("light", "dark")),
    ],
)
def test_every_ring_stands_out_from_what_it_is_painted_on(
    visit: Visit, busy: Cookies, scheme: str, paths: tuple[str, ...]
) -> None:
    page = visit(storage_state=busy, color_scheme=scheme)
    rings: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in paths:
        page.goto(path)
        page.keyboard.press("Tab")
        for ring in page.evaluate(RINGS):
            rings[ring["kind"]].append(ring | {"path": path})
    faint = [ring for group in rings.values() for ring in group if ring["ratio"] < 3 or ring["width"] < 2]
    assert faint == []
    assert set(rings) >= KINDS


def test_a_faint_ring_would_be_seen(visit: Visit) -> None:
    page = visit(color_scheme="light")
    page.goto("/me")
    page.evaluate("document.documentElement.style.setProperty('--ring', '#d8d0c4')")
    page.keyboard.press("Tab")
    ratios = [ring["ratio"] for ring in page.evaluate(RINGS)]
    assert ratios
    assert max(ratios) < 3
