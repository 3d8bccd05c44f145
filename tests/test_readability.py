"""How the code reads, kept where it is good: figures of `tools/readability.py`, and that it counts right."""

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = '''"""A module."""
found = 1


def packed(rows, one):
    """Prose is no code."""
    return [row for row in rows] if one else None


class Row:
    """A row."""
'''


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("readability", ROOT / "tools/readability.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_counter_counts(tool: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    for name in ("a.py", "b.py"):
        (folder / name).write_text(SAMPLE, encoding="utf-8")
    figures = tool.measured(folder)
    assert figures.pronouns == [
        "app/a.py: found",
        "app/a.py:5 packed: one",
        "app/b.py: found",
        "app/b.py:5 packed: one",
    ]
    assert figures.doubled_classes == ["Row"]
    assert (figures.conditionals, figures.comprehensions) == (2, 2)
    assert (figures.statements, figures.modules_by_folder["app"]) == (8, 2)
    assert figures.tokens == 2 * (3 + 8 + 12 + 3)


def test_the_code_reads_as_it_should(tool: ModuleType) -> None:
    figures = tool.measured(ROOT / "app")
    assert figures.doubled_classes == []
    assert figures.pronoun_share < LIMITS["pronouns"]
    assert figures.tokens_a_statement <= LIMITS["statement"]
    assert figures.large_function <= LIMITS["function"]
    assert figures.per_10_000(figures.conditionals) <= LIMITS["conditionals"]
    assert figures.per_10_000(figures.comprehensions) <= LIMITS["comprehensions"]
    assert max(figures.modules_by_folder.values()) <= LIMITS["modules"]
    assert max(figures.lines_by_file.values()) <= LIMITS["lines"]


@pytest.mark.parametrize("folder", ["bench", "tools"])
def test_measurements_and_tools_read_as_the_rest(tool: ModuleType, folder: str) -> None:
    figures = tool.measured(ROOT / folder)
    assert figures.names > 200
    assert figures.doubled_classes == []
    assert figures.pronoun_share < LIMITS["pronouns"], "\n".join(figures.pronouns)
    assert figures.tokens_a_statement <= LIMITS["statement of bench and tools"]
    assert figures.large_function <= LIMITS["function"]


def test_tests_name_what_they_hold(tool: ModuleType) -> None:
    """A reader of one test sees its locals alone."""
    figures = tool.Figures()
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}"
                tool.count_names(figures, name, tool.function_names(node))
    assert figures.names > 10_000
    assert figures.pronoun_share < LIMITS["pronouns"], "\n".join(figures.pronouns)


LIMITS = {
    "pronouns": 0.1,
    "statement": 11.8,
    "statement of bench and tools": 11,
    "function": 140,
    "conditionals": 10,
    "comprehensions": 30,
    "modules": 16,
    "lines": 350,
}
"""None of them is ever raised."""
