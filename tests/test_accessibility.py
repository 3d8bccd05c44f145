"""ACCESSIBILITY.md names a test for each criterion of WCAG 2.2 AA: each of these exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TABLE = (ROOT / "ACCESSIBILITY.md").read_text("utf-8")
ROWS = [line for line in TABLE.splitlines() if re.match(r"\| \d", line)]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TABLE)
NEEDLESS = "用不着"

CRITERIA = re.findall(
    r"[\d.]+",
    """
    1.1.1 1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.3.3 1.3.4 1.3.5 1.4.1 1.4.2 1.4.3 1.4.4 1.4.5
    1.4.10 1.4.11 1.4.12 1.4.13 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4 2.4.5
    2.4.6 2.4.7 2.4.11 2.5.1 2.5.2 2.5.3 2.5.4 2.5.7 2.5.8 3.1.1 3.1.2 3.2.1 3.2.2 3.2.3 3.2.4
    3.2.6 3.3.1 3.3.2 3.3.3 3.3.4 3.3.7 3.3.8 4.1.2 4.1.3
    """,
)
"""Levels A and AA of WCAG 2.2."""


def criteria_of(row: str) -> list[str]:
    """The criteria of a row, which may name a range of them."""
    first, _, last = row.split("|")[1].split(maxsplit=1)[0].partition("–")
    if not last:
        return [first]
    group, _, number = first.rpartition(".")
    return [f"{group}.{place}" for place in range(int(number), int(last.rpartition(".")[2]) + 1)]


def test_every_criterion_stands_in_the_table_once() -> None:
    assert [criterion for row in ROWS for criterion in criteria_of(row)] == CRITERIA


@pytest.mark.parametrize("row", ROWS)
def test_a_row_names_a_test_or_says_that_none_is_needed(row: str) -> None:
    assert NEEDLESS in row or re.search(r"`tests/[\w/]+\.py::\w+`", row)


@pytest.mark.parametrize(("path", "name"), sorted(set(NAMED)))
def test_each_named_test_exists(path: str, name: str) -> None:
    assert f"\ndef {name}(" in (ROOT / path).read_text("utf-8")


TABLE_TAG = re.compile(r"<table\b(?P<attributes>(?:[^>{]|\{\{.*?\}\}|\{)*)>\s*(?P<caption><caption)?")
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def test_every_table_says_what_it_is_a_table_of() -> None:
    """Where somebody goes from table to table, the name is all they hear."""
    nameless_tables = [
        f"{path.relative_to(ROOT)}: {tag[0][:60]}"
        for path in TEMPLATES
        for tag in TABLE_TAG.finditer(path.read_text("utf-8"))
        if "aria-label" not in tag["attributes"] and not tag["caption"]
    ]
    assert nameless_tables == []
