"""Follow-through: the table of a calculation, each cell judged on the learner's own numbers before it.

Columns, in the order in which they are worked out: gain, discount and term of each rank, their sum `dcg`;
the grade of each rank of the ideal order, its term, their sum `idcg`; and the ratio `ndcg`.

A cell is right by every number that a careful learner may have gone on with: the one typed before it, that
one before it was rounded, the one printed beside it. Marks that were stored under a narrower rule stay;
regrading marks them by this one.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, Self

from app import engine
from app.course.items import rounding
from app.engine.rounding import FLOAT_NOISE, figure_as_noted, weight_of_noted_divisor

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


class NumberRange(NamedTuple):
    """The numbers that a learner may honestly go on with after a cell: what is typed in it is rounded, what
    they reckon with need not be.
    """

    lowest: float
    highest: float

    @classmethod
    def around(cls, *numbers: float) -> Self:
        return cls(min(numbers), max(numbers))

    @classmethod
    def of_typed_number(cls, typed_number: float, half_unit: float) -> Self:
        """What comes out as this number when it is rounded; nothing but 0 as 0, and it keeps its sign: the
        next cell may divide by it.
        """
        half_width = min(half_unit, abs(typed_number) / 2)
        return cls(typed_number - half_width, typed_number + half_width)

    def has(self, number: float, half_unit: float) -> bool:
        """Whether one of them comes out as this number when it is rounded."""
        tolerance = half_unit + FLOAT_NOISE
        return self.lowest - tolerance <= number <= self.highest + tolerance


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
        # What the next cells go on with: the tutor's chain, and how low and how high the learner's may be.
        tutor_number_by_cell_name: dict[str, float] = {}
        lowest_number_by_cell_name: dict[str, float] = {}
        highest_number_by_cell_name: dict[str, float] = {}
        gain_misconception_ids = self._gain_misconception_ids(own_number_by_cell_name)
        judged_cells = []
        for table_cell in self.cells:
            cell_name = table_cell.name
            mistaken_gains: Sequence[float] = ()
            if table_cell.column == "ideal-term" and gain_misconception_ids:
                own_grade = tutor_number_by_cell_name[f"ideal-{table_cell.rank}"]
                mistaken_gains = self._mistaken_gains(table_cell.rank, own_grade, gain_misconception_ids)
            expected_values, lowest_values, highest_values = (
                self._values_of_cell(table_cell, number_by_cell_name, divisor_by_cell_name, mistaken_gains)
                for number_by_cell_name, divisor_by_cell_name in (
                    (tutor_number_by_cell_name, tutor_number_by_cell_name),
                    (lowest_number_by_cell_name, highest_number_by_cell_name),
                    (highest_number_by_cell_name, lowest_number_by_cell_name),
                )
            )
            number_ranges = list(map(NumberRange.around, lowest_values, highest_values))
            if cell_name in carried_cell_names:
                judged_cell = JudgedCell(table_cell, "right", expected_values[0], expected_values[0])
            elif cell_name in own_number_by_cell_name:
                judged_cell = self._judged_cell(
                    table_cell, own_number_by_cell_name[cell_name], expected_values, number_ranges, decimals
                )
            elif cell_name in cell_names_left_to_tutor:
                judged_cell = JudgedCell(table_cell, "left", expected_values[0])
            else:
                judged_cell = JudgedCell(table_cell, "given", expected_values[0])
            held_range = _held_range(judged_cell, number_ranges[0], decimals)
            lowest_number_by_cell_name[cell_name] = held_range.lowest
            highest_number_by_cell_name[cell_name] = held_range.highest
            tutor_number_by_cell_name[cell_name] = judged_cell.expected_number
            if judged_cell.verdict == "wrong":
                tutor_number_by_cell_name[cell_name] = judged_cell.shown_number
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
        expected_values: Sequence[float],
        number_ranges: Sequence[NumberRange],
        decimals: int,
    ) -> JudgedCell:
        """Right in itself, right by the learner's own numbers, or wrong."""
        lowest_accepted_value, highest_accepted_value = self._accepted_range(table_cell, decimals)
        if lowest_accepted_value - FLOAT_NOISE <= typed_number <= highest_accepted_value + FLOAT_NOISE:
            return JudgedCell(table_cell, "right", self._true_value(table_cell), typed_number)
        half_unit = _half_unit(table_cell, decimals)
        for expected_value, number_range in zip(expected_values, number_ranges, strict=True):
            if number_range.has(typed_number, half_unit):
                return JudgedCell(table_cell, "right", expected_value, typed_number, follows_own_number=True)
        return JudgedCell(table_cell, "wrong", expected_values[0], typed_number)

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

    def _values_of_cell(
        self,
        table_cell: TableCell,
        number_by_cell_name: NumberByCellName,
        divisor_by_cell_name: NumberByCellName,
        mistaken_gains: Sequence[float],
    ) -> Sequence[float]:
        """The cell, from the numbers before it; of an ideal term also by each gain of the learner's own, and
        by those of their mistake."""
        rank = table_cell.rank
        match table_cell.column:
            case "term":
                return [number_by_cell_name[f"gain-{rank}"] * number_by_cell_name[f"discount-{rank}"]]
            case "dcg":
                return [sum(number_by_cell_name[f"term-{term.rank}"] for term in self.trace.terms)]
            case "ideal-term":
                # The learner's own discount, where the list is as long as the ideal one.
                discount = number_by_cell_name.get(f"discount-{rank}", engine.discount_weight(rank))
                own_gains = [*self._ideal_gains(rank, number_by_cell_name), *mistaken_gains]
                return [gain * discount for gain in own_gains]
            case "idcg":
                ideal_ranks = [term.rank for term in self.trace.ideal_terms]
                return [sum(number_by_cell_name[f"ideal-term-{rank}"] for rank in ideal_ranks)]
            case "ndcg":
                ideal_dcg = divisor_by_cell_name["idcg"]
                if not ideal_dcg:
                    return [0.0]
                return [number_by_cell_name["dcg"] / ideal_dcg]
        return [self._true_value(table_cell)]

    def _ideal_gains(self, rank: int, number_by_cell_name: NumberByCellName) -> Iterator[float]:
        """The gain of a grade of the ideal list; then those that the learner gave that grade further up."""
        own_grade = number_by_cell_name[f"ideal-{rank}"]
        yield self._ideal_gain(rank, own_grade)
        for term in self.trace.terms:
            if (term.grade or 0) == own_grade:
                yield number_by_cell_name[f"gain-{term.rank}"]

    def _gain_misconception_ids(self, own_number_by_cell_name: NumberByCellName) -> Collection[str]:
        """The misconceptions that explain all gains of the learner's; none where the gains are right, or no
        ideal term was typed that could follow them."""
        typed_column_names = {
            table_cell.column for table_cell in self.cells if table_cell.name in own_number_by_cell_name
        }
        if "ideal-term" not in typed_column_names:
            return ()
        right_gain_triples: list[tuple[TableCell, float, float]] = []
        wrong_gain_triples: list[tuple[TableCell, float, float]] = []
        for table_cell in self.cells:
            if table_cell.column == "gain":
                true_gain = self._true_value(table_cell)
                own_gain = own_number_by_cell_name.get(table_cell.name, true_gain)
                gain_triples = right_gain_triples if _is_same(own_gain, true_gain) else wrong_gain_triples
                gain_triples.append((table_cell, own_gain, true_gain))
        if not wrong_gain_triples:
            return ()
        misconception_ids: Collection[str] = engine.MISCONCEPTIONS
        # Every rank is asked, for some mistakes go by it; the wrong gains first, for they rule out most.
        for table_cell, own_gain, true_gain in wrong_gain_triples + right_gain_triples:
            question = self.question_of(table_cell)
            if not misconception_ids or question is None:
                break
            wrong_gain_by_misconception_id = engine.predictions(question)
            misconception_ids = [
                misconception_id
                for misconception_id in misconception_ids
                if _is_same(wrong_gain_by_misconception_id.get(misconception_id, true_gain), own_gain)
            ]
        return misconception_ids

    def _mistaken_gains(
        self, rank: int, own_grade: float, misconception_ids: Collection[str]
    ) -> Sequence[float]:
        """What these misconceptions make of a grade of the ideal list: it may not stand further up."""
        if own_grade not in (self.question.pool or self.question.grades):
            return ()
        ideal_question = engine.Question("gain", [own_grade] * rank, None, self.question.gain, None, rank)
        gain_by_misconception_id = engine.predictions(ideal_question)
        return [
            gain
            for misconception_id, gain in gain_by_misconception_id.items()
            if misconception_id in misconception_ids
        ]

    def _ideal_gain(self, rank: int, own_grade: float) -> float:
        """The gain of a grade of the ideal list; of a number that can be no grade, that of the true one."""
        try:
            [term] = engine.trace([own_grade], gain=self.question.gain).terms
        except ValueError:
            return self.trace.ideal_terms[rank - 1].gain
        return term.gain

    def _accepted_range(self, table_cell: TableCell, decimals: int) -> tuple[float, float]:
        """Lowest and highest number that is right in itself; a gain or a grade is exact."""
        question = self.question_of(table_cell)
        if question is None or table_cell.column in WHOLE_NUMBER_COLUMNS:
            exact_value = self._true_value(table_cell)
            return exact_value, exact_value
        return rounding.accepted_range(question, decimals)


def _is_same(number: float, other_number: float) -> bool:
    """Whether two numbers differ by float noise alone."""
    return abs(number - other_number) <= FLOAT_NOISE


def _half_unit(table_cell: TableCell, decimals: int) -> float:
    """How far rounding may carry what is typed into a cell; a gain or a grade is not rounded."""
    if table_cell.column in WHOLE_NUMBER_COLUMNS:
        return 0.0
    return 0.5 * 10.0**-decimals


def _held_range(judged_cell: JudgedCell, number_range: NumberRange, decimals: int) -> NumberRange:
    """What a learner may go on with after a cell, rounded or not.

    number_range: what the cell comes to by the numbers before it. What is right in itself may lie outside.
    """
    half_unit = _half_unit(judged_cell.cell, decimals)
    if judged_cell.verdict == "wrong" or judged_cell.follows_own_number:
        return NumberRange.of_typed_number(judged_cell.shown_number, half_unit)
    if judged_cell.cell.column in WHOLE_NUMBER_COLUMNS:  # whatever float noise was typed with it
        return NumberRange.around(judged_cell.expected_number)
    possible_numbers = [
        judged_cell.expected_number,
        judged_cell.shown_number,
        figure_as_noted(judged_cell.expected_number),
        round(judged_cell.expected_number, decimals),
    ]
    if judged_cell.cell.column == "discount":
        possible_numbers.append(weight_of_noted_divisor(judged_cell.expected_number))
    if number_range.has(judged_cell.shown_number, half_unit):
        possible_numbers += number_range
    return NumberRange.around(*possible_numbers)


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
