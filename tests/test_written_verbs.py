"""What the site writes, tests of records write on both databases.

A verb is what somebody calls `write` with. Tests of records run on an SQLite file, on PostgreSQL, and with
every verb begun anew, unless they are marked to need one file, or stand in `db` and choose for themselves.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ON_ONE_DATABASE = "one_file"
WRITES_NOTHING = {"app.records.db.revision.expect_writable"}
"""It goes the way of those that write, to see whether it is open: the tests of `/readyz` ask it."""


class Names:
    """What a module imports from the records, and what it calls by a name of its own."""

    def __init__(self, tree: ast.Module) -> None:
        self._imported: dict[str, str] = {}
        self._own: dict[str, set[str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("app.records."):
                for alias in node.names:
                    self._imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self._own.setdefault(node.targets[0].id, set()).update(self.verbs(node.value))

    def verbs(self, node: ast.expr) -> set[str]:
        """The full names of what an expression may be; none where it is nothing of the records."""
        if isinstance(node, ast.Name):
            imported = self._imported.get(node.id)
            return {imported} if imported else self._own.get(node.id, set())
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = self._imported.get(node.value.id)
            return {f"{module}.{node.attr}"} if module else set()
        return set()


def modules(folder: str) -> Iterator[ast.Module]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path.parent != ROOT / "tests/records/db":
            yield ast.parse(path.read_text("utf-8"))


def written_by_site() -> set[str]:
    """The verbs of all calls of `write` in pages."""
    verbs: set[str] = set()
    for tree in modules("app/web"):
        names = Names(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr == "write" and node.args:
                verbs |= names.verbs(node.args[0])
    return verbs


def named_by_tests() -> set[str]:
    """What tests of records name that run on both databases, to write it or to hand it to who does."""
    verbs: set[str] = set()
    for tree in modules("tests/records"):
        names = Names(tree)
        for statement in tree.body:
            if not is_on_one_database(statement):
                for node in ast.walk(statement):
                    if isinstance(node, ast.expr):
                        verbs |= names.verbs(node)
    return verbs


def is_on_one_database(statement: ast.stmt) -> bool:
    """Whether a test is marked to need a file."""
    if not isinstance(statement, ast.FunctionDef):
        return False
    marks = [ast.unparse(decorator) for decorator in statement.decorator_list]
    return any(ON_ONE_DATABASE in mark for mark in marks)


def test_what_the_site_writes_is_written_on_both_databases() -> None:
    verbs = written_by_site() - WRITES_NOTHING
    assert len(verbs) > 100, "the pages are not read as they are written"
    assert verbs - named_by_tests() == set(), "write a test with `desk` for it in tests/records"
