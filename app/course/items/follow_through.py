"""Follow-through: the table of a calculation, each cell judged on the learner's own numbers before it.

Columns, in the order in which they are worked out: gain, discount and term of each rank, their sum `dcg`;
the grade of each rank of the ideal order, its term, their sum `idcg`; and the ratio `ndcg`.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from app import engine
from app.course.items import rounding
from app.engine.terms import FLOAT_NOISE

COLUMNS = ("gain", "discount", "term", "dcg", "ideal", "ideal-term", "idcg", "ndcg")
COLUMNS_BY_RANK = frozenset({"gain", "discount", "term", "ideal", "ideal-term"})
WHOLE_NUMBER_COLUMNS = frozenset({"gain", "ideal"})
"""Columns of whole numbers; the others are rounded."""
CellVerdict = Literal["right", "wrong", "given", "left"]
NumberByCellName = Mapping[str, float]


class TableCell(NamedTuple):
    """One cell. Its name is its column, with the rank where there is one for each.

    >>> TableCell("term", 2).name, TableCell("dcg").name
    ('term-2', 'dcg')
    """

    column: str
    rank: int = 0

    @property
    def name(self) -> str:
        return f"{self.column}-{self.rank}" if self.rank else self.column


class JudgedCell(NamedTuple):
    """A cell with the learner's number (None: not filled), the tutor's, and how it was judged.

    `expected_number`: what was to be found, from the learner's own numbers before. `follows_own_number`:
    right by these alone.
    """

    cell: TableCell
    verdict: CellVerdict
    expected_number: float
    typed_number: float | None = None
    follows_own_number: bool = False

    @property
    def shown_number(self) -> float:
        """What stands in the cell from now on."""
        return self.expected_number if self.typed_number is None else self.typed_number


class Table:
    """The table of one question.

    >>> table = Table(engine.Question("dcg", [3, 2], k=2))
    >>> [cell.name for cell in table.cells]
    ['gain-1', 'discount-1', 'term-1', 'gain-2', 'discount-2', 'term-2', 'dcg']
    >>> own = dict(zip([cell.name for cell in table.cells], [3, 1, 3, 2, 0.5, 1, 4]))
    >>> [judged.cell.name for judged in table.judge(own, 3) if judged.verdict == "wrong"]
    ['discount-2']
    """

    def __init__(self, question: engine.Question) -> None:
        self.question = question
        self.trace = engine.trace(question.grades, question.k, question.gain, pool=question.pool)
        self.cells = tuple(_table_cells(self.trace, question.quantity))

    def judge(
        self,
        own_number_by_cell_name: NumberByCellName,
        decimals: int,
        cell_names_left_to_tutor: Collection[str] = (),
        carried_cell_names: Collection[str] = (),
    ) -> tuple[JudgedCell, ...]:
        """Judge what was filled. What is not in `own_number_by_cell_name` is the tutor's: given, or asked and
        left to it (`cell_names_left_to_tutor`).

        `carried_cell_names` were right by the learner's numbers of an earlier try: they follow the present
        ones.
        """
        typed_number_by_cell_name: dict[str, float] = {}
        # The same chain, unrounded where the learner was right.
        unrounded_value_by_cell_name: dict[str, float] = {}
        judged_cells = []
        for table_cell in self.cells:
            cell_name = table_cell.name
            expected_value = self._value_of_cell(table_cell, unrounded_value_by_cell_name)
            if cell_name in carried_cell_names:
                judged_cell = JudgedCell(table_cell, "right", expected_value, expected_value)
            elif cell_name in own_number_by_cell_name:
                judged_cell = self._judged_cell(
                    table_cell,
                    own_number_by_cell_name[cell_name],
                    expected_value,
                    typed_number_by_cell_name,
                    decimals,
                )
            elif cell_name in cell_names_left_to_tutor:
                judged_cell = JudgedCell(table_cell, "left", expected_value)
            else:
                judged_cell = JudgedCell(table_cell, "given", expected_value)
            typed_number_by_cell_name[cell_name] = judged_cell.shown_number
            unrounded_value_by_cell_name[cell_name] = judged_cell.expected_number
            if judged_cell.verdict == "wrong":
                unrounded_value_by_cell_name[cell_name] = judged_cell.shown_number
            judged_cells.append(judged_cell)
        return tuple(judged_cells)

    def true_value_by_cell_name(self) -> dict[str, float]:
        """The right number of every cell."""
        return {judged_cell.cell.name: judged_cell.expected_number for judged_cell in self.judge({}, 3)}

    def question_of(self, table_cell: TableCell) -> engine.Question | None:
        """What a cell asks, as a question of its own; None for those that no question asks."""
        match table_cell.column:
            case "gain" | "discount" | "term":
                return replace(self.question, quantity=table_cell.column, k=None, rank=table_cell.rank)
            case "dcg" | "idcg" | "ndcg":
                return replace(self.question, quantity=table_cell.column)
            case "ideal-term":
                ideal_grades = [term.grade for term in self.trace.ideal_terms]
                return engine.Question("term", ideal_grades, None, self.question.gain, None, table_cell.rank)
        return None

    def _judged_cell(
        self,
        table_cell: TableCell,
        typed_number: float,
        expected_value: float,
        typed_number_by_cell_name: NumberByCellName,
        decimals: int,
    ) -> JudgedCell:
        """Right in itself, right by the learner's own numbers, or wrong."""
        lowest_accepted_value, highest_accepted_value = self._accepted_range(table_cell, decimals)
        if lowest_accepted_value - FLOAT_NOISE <= typed_number <= highest_accepted_value + FLOAT_NOISE:
            return JudgedCell(table_cell, "right", self._true_value(table_cell), typed_number)
        own_value = self._value_of_cell(table_cell, typed_number_by_cell_name)
        tolerance = FLOAT_NOISE
        if table_cell.column not in WHOLE_NUMBER_COLUMNS:
            tolerance += 0.5 * 10**-decimals
        # Rounded on the way or not, a number lies between the two; by another gain it is another number.
        follows_numbers = (
            min(expected_value, own_value) - tolerance
            <= typed_number
            <= max(expected_value, own_value) + tolerance
        )
        if follows_numbers or any(
            abs(typed_number - value_of_gain) <= tolerance
            for value_of_gain in self._values_of_gain(table_cell, typed_number_by_cell_name)
        ):
            return JudgedCell(table_cell, "right", typed_number, typed_number, follows_own_number=True)
        return JudgedCell(table_cell, "wrong", expected_value, typed_number)

    def _true_value(self, table_cell: TableCell) -> float:
        trace = self.trace
        match table_cell.column:
            case "gain" | "discount":
                term = trace.terms[table_cell.rank - 1]
                return float(getattr(term, table_cell.column))
            case "term":
                return trace.terms[table_cell.rank - 1].value
            case "ideal":
                return float(trace.ideal_terms[table_cell.rank - 1].grade or 0)
            case "ideal-term":
                return trace.ideal_terms[table_cell.rank - 1].value
        return float(getattr(trace, table_cell.column))

    def _value_of_cell(self, table_cell: TableCell, number_by_cell_name: NumberByCellName) -> float:
        """The cell, from the numbers before it."""
        match table_cell.column:
            case "term":
                return (
                    number_by_cell_name[f"gain-{table_cell.rank}"]
                    * number_by_cell_name[f"discount-{table_cell.rank}"]
                )
            case "dcg":
                return sum(number_by_cell_name[f"term-{term.rank}"] for term in self.trace.terms)
            case "ideal-term":
                ideal_gain = self._ideal_gain(
                    table_cell.rank, number_by_cell_name[f"ideal-{table_cell.rank}"]
                )
                return ideal_gain * self._discount(table_cell.rank, number_by_cell_name)
            case "idcg":
                return sum(number_by_cell_name[f"ideal-term-{term.rank}"] for term in self.trace.ideal_terms)
            case "ndcg":
                ideal_dcg = number_by_cell_name["idcg"]
                if not ideal_dcg:
                    return 0.0
                return number_by_cell_name["dcg"] / ideal_dcg
        return self._true_value(table_cell)

    def _ideal_gain(self, rank: int, own_grade: float) -> float:
        """The gain of a grade of the ideal list; of a number that can be no grade, that of the true one."""
        try:
            [term] = engine.trace([own_grade], gain=self.question.gain).terms
        except ValueError:
            return self.trace.ideal_terms[rank - 1].gain
        return term.gain

    def _values_of_gain(
        self, table_cell: TableCell, typed_number_by_cell_name: NumberByCellName
    ) -> Iterator[float]:
        """An ideal term with the gain that the learner gave the same grade further up."""
        if table_cell.column == "ideal-term":
            for term in self.trace.terms:
                if (term.grade or 0) == typed_number_by_cell_name[f"ideal-{table_cell.rank}"]:
                    yield typed_number_by_cell_name[f"gain-{term.rank}"] * self._discount(
                        table_cell.rank, typed_number_by_cell_name
                    )

    def _discount(self, rank: int, number_by_cell_name: NumberByCellName) -> float:
        """The learner's own, where the list is as long as the ideal one."""
        return number_by_cell_name.get(f"discount-{rank}", engine.discount_weight(rank))

    def _accepted_range(self, table_cell: TableCell, decimals: int) -> tuple[float, float]:
        """Lowest and highest number that is right in itself; a gain or a grade is exact."""
        question = self.question_of(table_cell)
        if question is None or table_cell.column in WHOLE_NUMBER_COLUMNS:
            exact_value = self._true_value(table_cell)
            return exact_value, exact_value
        return rounding.accepted_range(question, decimals)


def _table_cells(trace: engine.Trace, quantity: str) -> Iterator[TableCell]:
    for term in trace.terms:
        for column in ("gain", "discount", "term"):
            yield TableCell(column, term.rank)
    yield TableCell("dcg")
    if quantity == "ndcg":
        for term in trace.ideal_terms:
            yield TableCell("ideal", term.rank)
            yield TableCell("ideal-term", term.rank)
        yield TableCell("idcg")
        yield TableCell("ndcg")
