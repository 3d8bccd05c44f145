"""Which work is late, and what that costs, is decided in one file: there the rule is changed."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.source_tree import modules
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
RULE = "app/records/assignments/deadlines.py"
CHECKS = "app/records/assignments/checked_settings.py"
"""Refuses times that do not hold together, before there is any work."""
TIMES_OF_ASSIGNMENTS = {"due_at", "late_until", "taken_until"}
CARDS = ("app/records/cards", "app/course/cards", "app/web/cards")
"""A card is due as well, and never late."""
CARD_ROWS = {"memory"}
ORDERS = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def decisions(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Where code decides about lateness by itself: it asks whether a due time comes before another time, what
    a late factor is, or whether a moment was late, whoever handed in.

    >>> lines = ["is_late = rules.due_at < now", "row.late_factor != 1", "due_at", "times.is_late(moment)"]
    >>> [line for line, _ in decisions(ast.parse("\\n".join(lines)))]
    [1, 2, 4]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) == "is_late":
            yield node.lineno, "asks is_late"
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        names = {name_of(side) for side in sides if owner_of(side) not in CARD_ROWS}
        if names & TIMES_OF_ASSIGNMENTS and any(isinstance(order, ORDERS) for order in node.ops):
            yield node.lineno, "compares a time of an assignment"
        if "late_factor" in names and any(isinstance(side, ast.Constant) for side in sides):
            yield node.lineno, "says what a late factor means"


def name_of(expression: ast.expr) -> str:
    """The last name of what is asked: `due_at` of `task.assignment.due_at`."""
    return getattr(expression, "attr", getattr(expression, "id", ""))


def owner_of(expression: ast.expr) -> str:
    return name_of(expression.value) if isinstance(expression, ast.Attribute) else ""


def test_lateness_is_decided_in_one_file() -> None:
    for path, tree in modules("", ROOT, *TIMES_OF_ASSIGNMENTS, "late_factor", "is_late"):
        name = path.as_posix()
        if name == RULE or name.startswith(CARDS):
            continue
        for line, decision in decisions(tree):
            assert name == CHECKS, f"{name}:{line} {decision}: let {RULE} say it"


@each("path", sorted((ROOT / "templates").rglob("*.html")))
def test_no_template_decides_what_is_late(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"(due_at|late_until|taken_until|late_factor) *([<>]|[!=]=)", text), RULE
    assert not re.search(r"late_percent[^}]*'\d+'", text), f"the usual share of late work: {RULE}"
    rule_words = re.search(r"份都?算迟交|迟交[^，。；<]*算|%算|得分按", text)
    assert rule_words is None, f"what is late, and its cost: {RULE}"


def test_the_rule_itself_is_seen() -> None:
    tree = ast.parse((ROOT / RULE).read_text("utf-8"))
    assert {decision for _, decision in decisions(tree)} == {
        "asks is_late",
        "compares a time of an assignment",
        "says what a late factor means",
    }
