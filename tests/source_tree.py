"""The source as it stands: modules, parsed, and what they import."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path


def modules(floor: str, root: Path, *words: str) -> Iterator[tuple[Path, ast.Module]]:
    """Every module of a floor, parsed; where words are given, those alone that hold one of them."""
    for path in sorted((root / "app" / floor).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not words or any(word in source for word in words):
            yield path.relative_to(root), ast.parse(source)


@lru_cache(maxsize=1)  # one rule after the other asks it of the same module
def imports(path: Path, tree: ast.AST) -> list[str]:
    """The full names of everything a module imports, wherever in it: `from a import b` is `a.b`.

    >>> imports(Path("app/web/pages.py"), ast.parse("from ..records import verbs, errors"))
    ['app.records.verbs', 'app.records.errors']
    """
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = path.parts[: -node.level] if node.level else ()
            origin = ".".join([*home, *([node.module] if node.module else [])])
            names += [f"{origin}.{alias.name}" for alias in node.names]
    return names
