"""Break the rules that stand beside the functions, one by one, and look whether a test of their room notices.

mutmut breaks what functions do. A limit, a period, a condition of a statement, the right that a verb asks for
when nothing is said stand outside of their bodies: `python tools/rule_mutants.py FILE …` breaks these. A
number is four times as large and a quarter as large, each condition of a `where`, or of a tuple that it is
given, is left out, and each side of `&` and `|`, `<` takes its limit in and `<=` leaves it out, another right
suffices. Each is tried in a process of its own, which imports the broken source in place of the file.

Exit code 1 where fewer than nine of ten are caught.
"""

import ast
import importlib.machinery
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.abc import MetaPathFinder
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEAST_SHARE = 0.9
MOST_SECONDS = 300
"""Whoever needs longer is in a loop that the right rule ends."""
PRELOADED = ["pytest", "sqlmodel", "yaml"]
PLUGINS_LEFT_OUT = ["-p", "no:cacheprovider", "-p", "no:xdist"]
TRIED_ELSEWHERE_TOO = {
    "assignments": ["grading"],
    "grading": ["marking", "assignments"],
    "marking": ["grading"],
    "classes": ["people"],
}
"""A room, and those whose tests try it too."""
RIGHTS = ("READ", "MARK", "TEACH", "OWN")
OTHER_LIMITS: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}


class Mutant(NamedTuple):
    """A module in which one rule is another; `change` says which, as it is printed."""

    module_name: str
    change: str
    source: str


class Replacement(NamedTuple):
    """What stands in place of an expression."""

    expression: ast.expr
    text: str


def main(paths: Sequence[str]) -> int:
    mutants: list[Mutant] = []
    for path in map(Path, paths):
        module_name = ".".join(path.with_suffix("").parts)
        mutants += mutants_of(module_name, (ROOT / path).read_text("utf-8"))
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    caught_counts, tried_count_by_item_ref = Counter[str](), Counter[str]()
    workers = ProcessPoolExecutor(os.cpu_count(), context, max_tasks_per_child=1)
    with workers:
        for mutant, is_caught in zip(mutants, workers.map(is_noticed, mutants), strict=True):
            tried_count_by_item_ref[mutant.module_name] += 1
            caught_counts[mutant.module_name] += is_caught
            if not is_caught:
                print(f"{mutant.module_name}: {mutant.change}", flush=True)
    for module_name, tried_count in tried_count_by_item_ref.items():
        print(f"{module_name}: {caught_counts[module_name]} of {tried_count}")
    print(f"caught: {caught_counts.total()} of {tried_count_by_item_ref.total()}")
    return (
        0
        if tried_count_by_item_ref and caught_counts.total() >= LEAST_SHARE * tried_count_by_item_ref.total()
        else 1
    )


# What is broken.


def mutants_of(module_name: str, source: str) -> Iterator[Mutant]:
    """A module with one of its rules broken, for each rule and each way."""
    for expression in rules_of(ast.parse(source)):
        for replacement in replacements_of(expression, source):
            replaced = ast.get_source_segment(source, replacement.expression)
            change = f"{replacement.expression.lineno}: {replaced} → {replacement.text}"
            yield Mutant(module_name, " ".join(change.split()), with_replacement(source, replacement))


def rules_of(tree: ast.Module) -> Iterator[ast.expr]:
    """What is assigned outside of functions, and the right that a function asks for by default."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    for statement in (statement for body in bodies for statement in body):
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield statement.value
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (default for default in node.args.defaults if right_of(default))


def right_of(expression: ast.AST) -> str | None:
    """The name of a right of `Right`; None for anything else."""
    if not isinstance(expression, ast.Attribute) or not isinstance(expression.value, ast.Name):
        return None
    return expression.attr if expression.value.id == "Right" and expression.attr in RIGHTS else None


def replacements_of(rule: ast.expr, source: str) -> Iterator[Replacement]:
    for expression in ast.walk(rule):
        if isinstance(expression, ast.Constant):
            yield from other_numbers(expression)
        elif isinstance(expression, ast.Call) and is_condition(expression):
            yield from fewer_conditions(expression, source)
        elif isinstance(expression, ast.Tuple):
            yield from shorter_tuples(expression, source)
        elif isinstance(expression, ast.BinOp) and is_joined_condition(expression):
            yield from single_sides(expression, source)
        elif isinstance(expression, ast.Compare) and type(expression.ops[0]) in OTHER_LIMITS:
            yield other_limit(expression, source)
        elif isinstance(expression, ast.Attribute) and (right := right_of(expression)):
            yield from (Replacement(expression, f"Right.{name}") for name in RIGHTS if name != right)


def other_numbers(constant: ast.Constant) -> Iterator[Replacement]:
    """Four times as much, and a quarter; 0 and 1 are rather words than numbers."""
    number = constant.value
    if isinstance(number, int | float) and number > 1:
        quarter = number / 4 if isinstance(number, float) else max(1, number // 4)
        yield Replacement(constant, repr(4 * number))
        yield Replacement(constant, repr(quarter))


def is_condition(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr == "where"
    return isinstance(call.func, ast.Name) and call.func.id in ("and_", "or_")


def is_joined_condition(expression: ast.expr) -> bool:
    """Whether conditions of a statement are joined here; a union of types is written with the same sign."""
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.BitAnd | ast.BitOr):
        return is_joined_condition(expression.left) and is_joined_condition(expression.right)
    if isinstance(expression, ast.Name):
        return expression.id.isupper()
    return isinstance(expression, ast.Call | ast.Compare | ast.UnaryOp)


def single_sides(expression: ast.BinOp, source: str) -> Iterator[Replacement]:
    for side in (expression.left, expression.right):
        yield Replacement(expression, f"({ast.get_source_segment(source, side)})")


def other_limit(comparison: ast.Compare, source: str) -> Replacement:
    """The same comparison, with its limit where it was without, or without it."""
    left_text = ast.get_source_segment(source, comparison.left)
    right_text = ast.get_source_segment(source, comparison.comparators[0])
    return Replacement(comparison, f"{left_text} {OTHER_LIMITS[type(comparison.ops[0])]} {right_text}")


def fewer_conditions(call: ast.Call, source: str) -> Iterator[Replacement]:
    """The call without each of its conditions; without the last one a `where` goes too."""
    condition_texts = [ast.get_source_segment(source, argument) or "" for argument in call.args]
    function_text = ast.get_source_segment(source, call.func)
    for left_out in range(len(call.args)):
        kept_texts = [*condition_texts[:left_out], *condition_texts[left_out + 1 :]]
        if kept_texts:
            yield Replacement(call, f"{function_text}({', '.join(kept_texts)})")
        elif isinstance(call.func, ast.Attribute):
            yield Replacement(call, ast.get_source_segment(source, call.func.value) or "")


def shorter_tuples(values: ast.Tuple, source: str) -> Iterator[Replacement]:
    """Conditions that are handed to a `where` together, `where(*IS_OF_CLASS)`, without each of them."""
    are_expressions = all(
        isinstance(value, ast.Compare | ast.Call | ast.UnaryOp | ast.Starred) for value in values.elts
    )
    if not are_expressions or not any(isinstance(value, ast.Compare) for value in values.elts):
        return
    condition_texts = [ast.get_source_segment(source, value) or "" for value in values.elts]
    for left_out in range(len(condition_texts)):
        kept_texts = [*condition_texts[:left_out], *condition_texts[left_out + 1 :]]
        yield Replacement(values, f"({', '.join(kept_texts)},)")


def with_replacement(source: str, replacement: Replacement) -> str:
    """A source with another expression in place of one of its own."""
    expression = replacement.expression
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    assert expression.end_lineno is not None
    assert expression.end_col_offset is not None
    before = b"".join(lines[: expression.lineno - 1]) + lines[expression.lineno - 1][: expression.col_offset]
    after = lines[expression.end_lineno - 1][expression.end_col_offset :] + b"".join(
        lines[expression.end_lineno :]
    )
    return (before + replacement.text.encode() + after).decode()


# Whether it is noticed.


def is_noticed(mutant: Mutant) -> bool:
    """Whether a test of its room fails; asked once in a process, which then is of no use."""
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    sys.meta_path.insert(0, BrokenModule(mutant))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    signal.alarm(MOST_SECONDS)
    exit_code = pytest.main(
        ["-x", "-q", "-m", "not long", *PLUGINS_LEFT_OUT, *paths_of_tests(mutant.module_name)]
    )
    # Any other end says nothing of the rule.
    assert exit_code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED), (
        mutant.change
    )
    return exit_code != pytest.ExitCode.OK


def paths_of_tests(module_name: str) -> list[str]:
    """The tests of a module, if it has any of its own, then all of its room."""
    _, floor, room, *inner_folders, name = module_name.split(".")
    room_names = [room, *TRIED_ELSEWHERE_TOO.get(room, [])]
    rooms = [Path("tests", floor, room_name) for room_name in room_names]
    paths = [rooms[0].joinpath(*inner_folders, f"test_{name}.py"), *rooms]
    return [str(path) for path in paths if (ROOT / path).exists()]


class BrokenModule(MetaPathFinder):
    """Finds a module where it stands, with another source."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.mutant.module_name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = BrokenLoader(fullname, spec.origin, self.mutant.source)
        return spec


class BrokenLoader(importlib.machinery.SourceFileLoader):
    """Runs this source in place of what the file has."""

    def __init__(self, fullname: str, path: str, source: str) -> None:
        super().__init__(fullname, path)
        self.source = source

    def get_code(self, _fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
