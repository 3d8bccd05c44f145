"""When the time for an attempt is up is decided in one file: there the rule is changed."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.source_tree import modules

ROOT = Path(__file__).resolve().parents[3]
RULE = "app/records/assignments/time_limits.py"


def decisions(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Where code reckons by itself until when an attempt lasts: it names the grace, or adds to a beginning.

    >>> lines = ["time_up = row.started_at + limit", "now >= ends_at + HAND_IN_GRACE", "now - started_at"]
    >>> [line for line, _ in decisions(ast.parse("\\n".join(lines)))]
    [1, 2]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.alias) and name_of(node) == "HAND_IN_GRACE":
            yield node.lineno, "names the grace"
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
            continue
        if "started_at" in (name_of(node.left), name_of(node.right)):
            yield node.lineno, "adds to a beginning"


def name_of(node: ast.AST) -> str:
    """The last name of what is asked or imported: `started_at` of `attempt.started_at`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.alias):
        return node.name
    return getattr(node, "id", "")


def test_when_time_is_up_is_decided_in_one_file() -> None:
    for path, tree in modules("", ROOT, "started_at", "HAND_IN_GRACE"):
        if path.as_posix() != RULE:
            assert not list(decisions(tree)), f"{path}: let {RULE} say it"


def test_the_rule_itself_is_seen() -> None:
    tree = ast.parse((ROOT / RULE).read_text("utf-8"))
    assert {decision for _, decision in decisions(tree)} == {"names the grace", "adds to a beginning"}
