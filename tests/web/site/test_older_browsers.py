"""What browsers other than that of these tests make of the style sheets and the scripts.

Tried by hand: Chromium 80 and 85, Firefox 153, WebKitGTK 2.50.
"""

import re
from pathlib import Path

import pytest

from app.settings import root
from app.web.site.assets import LAYER_PATTERN, ONLY_WITHOUT_LAYERS, Assets

STATIC = root() / "static"
SHEETS = sorted([*STATIC.glob("css/*.css"), *STATIC.glob("modules/*.css")])
SCRIPTS = sorted([*STATIC.glob("js/*.js"), *STATIC.glob("modules/*.js")])
AFTER_2020 = re.compile(
    r"(\?\?|\|\||&&)=|[ (]\d+_\d|^(await\b|export \* as)|\bstatic\s*\{|this\.#|\(\?<[=!]"
    r"|\.(at|replaceAll|findLast|toSorted|replaceChildren|requestSubmit)\(|['\"][^'\"\n]*:(is|where|has)\(",
    re.MULTILINE,
)
"""What Chromium 80 and Safari 13.1 cannot read, or have not; a selector that they do not know is an error."""


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_read_by_browsers_of_2020(path: Path) -> None:
    """Of a file with one sign that cannot be read nothing is done."""
    lines = [line.partition("// ")[0] for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if AFTER_2020.search(line)] == []


def test_a_browser_without_layers_is_given_the_same_rules() -> None:
    """How it looks: `tests/browser/test_older_browsers.py`."""
    assets = Assets(STATIC)
    for name in ["tangxu.css", *(f"modules/{path.name}" for path in STATIC.glob("modules/*.css"))]:
        asset = assets.asset_of({"type": "http", "method": "GET", "path": assets.url(name)})
        assert asset, name
        body = asset.plain_form.body
        assert len(LAYER_PATTERN.findall(body)) == body.count(ONLY_WITHOUT_LAYERS) > 0, name


def test_no_script_of_all_pages_has_a_text_of_several_lines() -> None:
    """Their indents are left out."""
    for path in STATIC.glob("js/*.js"):
        assert all(line.count("`") % 2 == 0 for line in path.read_text("utf-8").splitlines()), path.name


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_nothing_is_asked_by_is_within_has(path: Path) -> None:
    """Firefox 153 goes on painting as if such a selector held when it no longer does: a list does as well."""
    selectors = re.findall(r"[^{};]+(?=\{)", path.read_text("utf-8"))
    asked = [has for selector in selectors for has in contents_of_has(selector) if ":is(" in has]
    assert asked == []


def contents_of_has(selector: str) -> list[str]:
    """What stands in the brackets of each `:has(…)`.

    >>> contents_of_has("a:has(> :is(b, i)) :is(u)")
    ['> :is(b, i)']
    """
    contents = []
    for match in re.finditer(r":has\(", selector):
        depth = 1
        end = match.end()
        while depth and end < len(selector):
            depth += {"(": 1, ")": -1}.get(selector[end], 0)
            end += 1
        contents.append(selector[match.end() : end - 1])
    return contents
