"""The source as it stands: modules, parsed, and what they import."""

import ast
from collections.abc import Iterator
from pathlib import Path


def modules(floor: str, root: Path, *words: str) -> Iterator[tuple[Path, ast.Module]]:
    """Every module of a floor, parsed; where words are given, those alone that hold one of them."""
    for path in sorted((root / "app" / floor).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not words or any(word in source for word in words):
            yield path.relative_to(root), ast.parse(source)


def imports(path: Path, tree: ast.AST) -> Iterator[str]:
    """The full names of everything a module imports, wherever in it: `from a import b` is `a.b`.

    >>> list(imports(Path("app/web/pages.py"), ast.parse("from ..records import verbs, errors")))
    ['app.records.verbs', 'app.records.errors']
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = path.parts[: -node.level] if node.level else ()
            origin = ".".join([*home, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)
