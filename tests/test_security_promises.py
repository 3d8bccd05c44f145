"""What SECURITY.md promises, a test holds: each of those it names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINE = re.compile(
    r"^\| (?P<promise>[^|]+) \| `(?P<file>tests/[\w/]+\.py)::(?P<name>test_\w+)` \|$", re.MULTILINE
)
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
PROMISES = [(line["promise"], line["file"], line["name"]) for line in LINE.finditer(TEXT)]


@pytest.mark.parametrize(("promise", "file", "name"), PROMISES)
def test_a_promise_is_held_by_a_test(promise: str, file: str, name: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert re.search(rf"^(async )?def {name}\(", text, re.MULTILINE), promise


def test_every_line_of_the_table_is_read() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| ")]
    assert len(PROMISES) == len(rows) - 1 >= 30, "one is its head"
    assert len({name for _, _, name in PROMISES}) == len(PROMISES)
