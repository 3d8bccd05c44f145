"""Worked solutions, reckoned again with the figures that are printed: what comes out stands there."""

import ast
import operator
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest

from app.course.exercises.exercises import offered_exercises, practice_item_id
from app.course.items.numbers import SUMMED_FIRST_NOTE, WORKED_FIRST_NOTE
from tests.published import published

COURSE = published()

SEEDS = range(1000, 1012)
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
IN_PYTHON = str.maketrans("×÷−", "*/-")


def reckoned(text: str) -> Fraction | None:
    """What a calculation of plain figures comes to; None for any other text."""
    if not re.fullmatch(r"[\d.+*/() -]+", text.translate(IN_PYTHON)):
        return None

    def value(node: ast.expr) -> Fraction:
        match node:
            case ast.BinOp():
                return OPERATIONS[type(node.op)](value(node.left), value(node.right))  # type: ignore[no-any-return]
            case ast.UnaryOp(op=ast.USub()):
                return -value(node.operand)
        assert isinstance(node, ast.Constant)
        return Fraction(str(node.value))

    return value(ast.parse(text.translate(IN_PYTHON).strip(), mode="eval").body)


def calculations(line: str) -> Iterator[tuple[str, str]]:
    """What stands before and behind each sign of equality."""
    for sentence in re.split("[，。：；]", line.replace("**", "")):
        sides = re.split("[=≈]", sentence)
        yield from pairwise(sides)


def printed(value: Fraction, figure: str) -> str:
    """The value with as many decimals as the figure, an exact half rounded up."""
    decimals = len(figure.partition(".")[2])
    units = (value * 10**decimals + Fraction(1, 2)).__floor__()
    return f"{Fraction(units, 10**decimals).__float__():.{decimals}f}"


def wrong_lines(line: str) -> list[str]:
    if SUMMED_FIRST_NOTE in line or WORKED_FIRST_NOTE in line:
        return []
    wrong = []
    for calculation, result in calculations(line):
        figure = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*", result)
        value = reckoned(calculation)
        if figure and value is not None and printed(value, figure[1]) != figure[1]:
            wrong.append(line)
    return wrong


def test_a_wrong_figure_is_seen() -> None:
    assert wrong_lines("7÷log₂(3)=7÷1.585≈4.417")
    assert not wrong_lines("7÷log₂(3)=7÷1.585≈4.417（先算完，再收小数）")
    assert not wrong_lines("IPS=(95+20)÷400≈**0.288**")
    assert wrong_lines("IPS=(95+20)÷400≈**0.287**")


@pytest.mark.parametrize("exercise_id", list(offered_exercises(COURSE.exercises)))
def test_whoever_reckons_with_the_printed_figures_gets_what_is_printed(exercise_id: str) -> None:
    wrong = []
    for level in (1, 2, 3):
        item_id = practice_item_id(exercise_id, level)
        if item_id not in COURSE.items:
            continue
        for seed in SEEDS:
            for line in COURSE.variant(item_id, seed).solution():
                wrong += wrong_lines(line)
    assert wrong == []
