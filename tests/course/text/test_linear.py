"""Regular expressions take time in step with what they read, also where somebody wrote it to slow us down.

Every pattern of the program is fed 400 KB of what is worst for patterns: one piece, again and again. One that
looks ahead from each place to the end takes 80,000,000,000 steps, far more than its ration of processor time;
one that is linear takes a hundredth of it.
"""

import ast
import json
import re
from collections.abc import Iterator

import pytest

from tests.rationed import ROOT, rationed

FUNCTIONS = {"compile", "sub", "match", "fullmatch", "search", "findall", "finditer", "split", "subn"}
PIECES = [
    " ", "a", "0", ".", "1.", "<", "<b ", "<br ", "&a", "\\", "\\(", "\\\\ ", "\\frac{", "\\text{", "_{", "{",
    "{{", "{{ a", "[", "[[a|", "$", ' style="', "/", "/*", "https://a", "a=", "a=1", "¼", "1¼", "⁰", "\n",
    ",", "#tags:", "-1", "a-", "terms[1", "：", "- a", "é", "甜",
]  # fmt: skip
BOUNDED = {r"\{\{.*?\}\}": 4000}
"""Patterns that take the square of what they read, with the most they get: `yaml_reader.LONGEST_TEXT`."""
LENGTH = 400_000
PROGRAM = """
import json, re, signal, sys
uses, pieces = json.load(sys.stdin)
for source, function, most in uses:
    pattern = re.compile(source, re.MULTILINE if source.startswith("^") else 0)
    for piece in pieces:
        print(function, repr(source), repr(piece), flush=True)
        text = piece * (most // len(piece)) + "\\x00"
        signal.setitimer(signal.ITIMER_VIRTUAL, 1)
        if function in ("match", "fullmatch"):
            getattr(pattern, function)(text)
        else:
            pattern.findall("x" + text)
"""


def text_of(node: ast.expr) -> str | None:
    """The pattern that a call names; of one in pieces the fixed ones, and `a` for the others."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(text_of(part) or "a" for part in parts)
    return None


def uses() -> Iterator[tuple[str, str]]:
    """Every pattern of the program, and the functions that read with it."""
    for path in (ROOT / "app").rglob("*.py"):
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        names: dict[ast.expr, str] = {}
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    names[value] = name
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=function), args=[first, *_]):
                    text = text_of(first)
                    if function not in FUNCTIONS or text is None:
                        continue
                    called = [function]
                    if function == "compile":
                        called = re.findall(rf"\b{names.get(node, '-')}\.(\w+)\(", source) or ["findall"]
                    for name in called:
                        yield text, name


@pytest.mark.long  # half a minute of processor
def test_no_pattern_is_slow() -> None:
    patterns = {(text, function) for text, function in uses() if compiles(text)}
    assert len(patterns) > 60
    assert set(BOUNDED) <= {text for text, _ in patterns}
    rations = [(text, function, BOUNDED.get(text, LENGTH)) for text, function in sorted(patterns)]
    # Each piece has a second of its own; all of them together take what a slow machine needs for so many.
    rationed(PROGRAM, json.dumps([rations, PIECES]), seconds=len(rations))


@pytest.mark.parametrize(
    ("pattern", "function"), [(r"<(br|/p)\b[^>]*>", "sub"), (r"(?:\d+(?:\.\d*)?|lb)+", "fullmatch")]
)
def test_a_slow_one_is_found(pattern: str, function: str) -> None:
    with pytest.raises(AssertionError, match=r"br|lb"):
        rationed(PROGRAM, json.dumps([[(pattern, function, LENGTH)], PIECES]))


def compiles(source: str) -> bool:
    try:
        re.compile(source)
    except re.error:
        return False
    return True
