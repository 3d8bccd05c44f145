"""Worked solutions, reckoned again with the figures that are printed: what comes out stands there."""

import ast
import operator
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.course.exercises.exercises import practice_item_id
from app.course.items.kinds import Numeric
from app.course.items.printed_figures import SUMMED_FIRST_NOTE, WORKED_FIRST_NOTE
from app.course.items.solutions import solution_lines
from app.course.text.speech import formula_line
from app.course.text.text_fields import texts_with_paths
from app.engine import Agreement, Clicks, Position
from tests.published import published

COURSE = published()

SEEDS, SEEDS_OF_A_LONG_RUN = range(1000, 1012), range(500)
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


def is_off(line: str) -> bool:
    """Whether a calculation in a line comes to something else than what is printed behind it."""
    for calculation, result in calculations(line):
        figure = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*", result)
        value = reckoned(calculation)
        if figure and value is not None and printed(value, figure[1]) != figure[1]:
            return True
    return False


def wrong_lines(lines: Iterable[str]) -> list[str]:
    """The lines whose figures miss the result and that do not say why, and those that say so without need."""
    wrong = []
    for line in lines:
        plain_line = line.replace(SUMMED_FIRST_NOTE, "").replace(WORKED_FIRST_NOTE, "")
        if is_off(plain_line) != (plain_line != line):
            wrong.append(line)
    return wrong


def wrong_lines_of_exercise(exercise_id: str, seeds: Iterable[int], decimals: int | None = None) -> list[str]:
    """Those of its solutions, to as many places as it asks for or to others."""
    wrong = []
    for level, seed in product((1, 2, 3), seeds):
        item_id = practice_item_id(exercise_id, level)
        if item_id not in COURSE.items:
            continue
        variant = COURSE.variant(item_id, seed)
        if decimals is None:
            wrong += wrong_lines(variant.solution())
        elif isinstance(variant, Numeric):
            wrong += wrong_lines(solution_lines(variant.question.engine_question, decimals))
    return wrong


def test_a_wrong_figure_is_seen() -> None:
    assert wrong_lines(["7÷log₂(3)=7÷1.585≈4.417"])
    assert not wrong_lines(["7÷log₂(3)=7÷1.585≈4.417（先算完，再收小数）"])
    assert wrong_lines(["IPS=(95+20)÷400≈**0.288**（先算完，再收小数）"])
    assert not wrong_lines(["IPS=(95+20)÷400≈**0.288**"])
    assert wrong_lines(["IPS=(95+20)÷400≈**0.287**"])


@pytest.mark.parametrize("exercise_id", COURSE.exercises)
def test_whoever_reckons_with_the_printed_figures_gets_what_is_printed(exercise_id: str) -> None:
    assert wrong_lines_of_exercise(exercise_id, SEEDS) == []


@pytest.mark.long
@pytest.mark.parametrize("exercise_id", COURSE.exercises)
def test_with_every_seed_the_printed_figures_lead_to_what_is_printed(exercise_id: str) -> None:
    assert wrong_lines_of_exercise(exercise_id, SEEDS_OF_A_LONG_RUN) == []


def refused_results(exercise_id: str, seeds: Iterable[int]) -> list[str]:
    """What the figures of a last line come to, by the variant in which it is not right."""
    refused = []
    for level, seed in product((1, 2, 3), seeds):
        item_id = practice_item_id(exercise_id, level)
        variant = COURSE.variant(item_id, seed) if item_id in COURSE.items else None
        if not isinstance(variant, Numeric):
            continue
        last_line = variant.solution()[-1].replace(SUMMED_FIRST_NOTE, "").replace(WORKED_FIRST_NOTE, "")
        for calculation, figure in calculations(last_line):
            value = reckoned(calculation)
            if value is not None and variant.mark([printed(value, figure)]).verdict != "right":
                refused.append(f"{item_id} {seed}: {last_line}")
    return refused


@pytest.mark.parametrize("exercise_id", COURSE.exercises)
def test_whoever_types_what_the_figures_of_the_last_line_come_to_is_right(exercise_id: str) -> None:
    """With its rounded terms, too: a sum that has a note beside it is no mistake."""
    assert refused_results(exercise_id, SEEDS) == []


@pytest.mark.long
@pytest.mark.parametrize("exercise_id", COURSE.exercises)
def test_with_every_seed_what_the_figures_of_the_last_line_come_to_is_right(exercise_id: str) -> None:
    assert refused_results(exercise_id, SEEDS_OF_A_LONG_RUN) == []


@pytest.mark.parametrize("decimals", range(7))
def test_however_many_places_a_teacher_asks_for_the_figures_lead_to_them(decimals: int) -> None:
    wrong = []
    for exercise_id in COURSE.exercises:
        wrong += wrong_lines_of_exercise(exercise_id, SEEDS[:2], decimals)
    assert wrong == []


COUNTS = st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=3, max_size=3)
POSITIONS = st.lists(
    st.builds(Position, st.integers(12, 700), st.integers(0, 12), st.sampled_from([0.15, 0.3, 0.35, 0.7, 1]))
)


@given(COUNTS, st.integers(0, 6))
def test_shares_without_an_end_lead_to_the_kappa_that_is_printed(
    counts: list[list[int]], places: int
) -> None:
    with suppress(ValueError):  # of judges who never differ, say
        # A figure in between has no zeros at its end: whether a note there has a need is not seen in it.
        assert not any(map(is_off, solution_lines(Agreement(counts), places)))


@given(POSITIONS.filter(bool), st.integers(0, 6))
def test_quotients_without_an_end_lead_to_the_ips_that_is_printed(
    positions: list[Position], places: int
) -> None:
    assert wrong_lines(solution_lines(Clicks(positions[:4]), places)) == []


OPERATION = "[+*/×÷−-]"
CALCULATION_IN_TEXT = re.compile(
    rf"(?<![A-Za-z\d_₂.)×÷*/+−-])([\d(][\d.()]*{OPERATION}[\d.()+*/×÷−-]*[\d)])"
    r"[=≈](\d+(?:\.\d+)?)(?![\d.()]*[/÷×+%成])"
)
IN_HALF_WIDTH = str.maketrans("（）＋＝", "()+=")
SUMMED_FIRST = "先加"
"""Where the terms are added before they are rounded, a text says so: its last place may differ by one."""


def read_by_a_learner(text: str) -> str:
    """A text with its figures in it, its formulas in one line, no marks of Markdown."""
    filled = re.sub(r"\{\{.*?\}\}", lambda figure: COURSE.line_html(figure[0]), text)
    in_one_line = re.sub(r"\$+(.+?)\$+", lambda formula: formula_line(formula[1]), filled)
    return in_one_line.replace("**", "").replace(" ", "").translate(IN_HALF_WIDTH)


def wrong_sentences(text: str) -> list[str]:
    """The sentences in which a calculation with the printed figures comes to something else."""
    wrong: list[str] = []
    if SUMMED_FIRST in text:
        return wrong
    for sentence in re.split("[。；！？\n]", read_by_a_learner(text)):
        for calculation, result in CALCULATION_IN_TEXT.findall(sentence):
            is_whole = calculation.count("(") == calculation.count(")")
            value = reckoned(calculation) if is_whole else None
            if value is not None and printed(value, result) != result:
                wrong.append(sentence)
    return wrong


def test_a_wrong_figure_in_a_sentence_is_seen() -> None:
    assert wrong_sentences("它挣到$4\\times 0.431\\approx 1.723$，不多。")
    assert not wrong_sentences("它挣到$4\\times 0.431\\approx 1.724$；$\\frac{1}{2}+0.5=1$。")
    assert not wrong_sentences("第2位是1÷log₂(2+1)≈0.631，3÷5=60%。")


def test_whoever_reckons_after_a_text_gets_its_figures() -> None:
    items = [item for item_id, item in COURSE.items.items() if not item_id.startswith("practice-")]
    sections = [section for stage in COURSE.stages for section in stage.sections]
    parts = [*items, *sections, *COURSE.errata.values(), *COURSE.cards.values()]
    wrong = [
        fault for part in parts for _, text, _ in texts_with_paths(part) for fault in wrong_sentences(text)
    ]
    assert wrong == []


def test_who_types_the_sum_of_a_hint_is_right() -> None:
    sums = 0
    for item_id, item in COURSE.items.items():
        for hint in item.hints if isinstance(item, Numeric) else ():
            told_sum = re.search("算式是([^，。]+)", read_by_a_learner(hint))
            if told_sum and not item_id.startswith("practice-"):
                sums += 1
                assert item.mark((told_sum[1],)).verdict == "right", (item_id, told_sum[1])
    assert sums > 15
