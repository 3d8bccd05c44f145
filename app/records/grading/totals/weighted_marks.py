"""总评: what the marks of a student come to, by the rules of the class. Pure arithmetic.

A share is 0..1. What is not counted, worth nothing or without a mark is left out; what was due and never
handed in is left out or 0, as the class has it.
"""

from collections.abc import Mapping, Sequence
from functools import cmp_to_key
from typing import Literal, NamedTuple

from app.records.grading.marks import ROUNDING_SLACK

Weighing = Literal["points", "assignments", "categories"]
"""By the full marks, by a weight of each assignment, or by the weights of categories."""
MissingRule = Literal["left_out", "zero"]


class ColumnRule(NamedTuple):
    """How an assignment enters the total: `weight` among assignments, `category` among categories."""

    counted: bool = True
    weight: float = 1.0
    category: str = ""


class TotalRules(NamedTuple):
    """How a class computes its total; `categories`: the weight of each; `drops`: how many of the lowest marks
    of a student are left out of each, where categories are weighed."""

    weighing: Weighing = "points"
    missing: MissingRule = "left_out"
    categories: Mapping[str, float] = {}
    drops: Mapping[str, int] = {}

    def drop_count_of(self, mark_group: str) -> int:
        """How many of the lowest marks of a group are left out."""
        if self.weighing == "categories":
            return self.drops.get(mark_group, 0)
        return 0

    def weight_of(self, column_rule: ColumnRule, full_marks: float) -> float:
        """What an assignment of these full marks weighs beside those of its group; 0: it is not counted."""
        if not column_rule.counted or not full_marks:
            return 0.0
        if self.weighing == "assignments":
            return column_rule.weight
        if self.weighing == "categories" and not self.categories.get(column_rule.category):
            return 0.0
        return full_marks

    def mark_group_of(self, column_rule: ColumnRule) -> str:
        """Assignments of one group are weighed against each other; without categories all are one group."""
        if self.weighing == "categories":
            return column_rule.category
        return ""

    def weight_of_group(self, mark_group: str) -> float:
        if self.weighing == "categories":
            return self.categories[mark_group]
        return 1.0


class TotalMark(NamedTuple):
    """A mark as the total sees it: `points` of `full_marks`; None where there is none; `is_absent`: it was
    due.
    """

    points: float | None
    full_marks: float
    rule: ColumnRule
    is_absent: bool = False


def counted_points(total_mark: TotalMark, total_rules: TotalRules) -> float | None:
    """The points that count; None for what is left out.

    >>> absent = TotalMark(None, 10, ColumnRule(), is_absent=True)
    >>> counted_points(absent, TotalRules()), counted_points(absent, TotalRules(missing="zero"))
    (None, 0.0)
    """
    if total_mark.points is None and total_mark.is_absent and total_rules.missing == "zero":
        return 0.0
    return total_mark.points


class CountedMark(NamedTuple):
    """A mark that counts, the index of its column, and what it weighs beside those of its group."""

    column_index: int
    points: float
    full_marks: float
    weight: float = 1.0


def counted_mark(column_index: int, total_mark: TotalMark, total_rules: TotalRules) -> CountedMark | None:
    """A mark as it counts; None for what is left out, is not counted or worth nothing."""
    points = counted_points(total_mark, total_rules)
    weight = total_rules.weight_of(total_mark.rule, total_mark.full_marks)
    if points is None or not weight:
        return None
    return CountedMark(column_index, points, total_mark.full_marks, weight)


def is_lower_mark(points: float, full_marks: float, other_points: float, other_full_marks: float) -> bool:
    """Whether a mark is left out before another: the lower share, and of equal ones that of more full marks,
    which leaves the student with more.

    Products instead of shares: a spreadsheet computes the same, to the last bit.

    >>> is_lower_mark(5, 10, 6, 10), is_lower_mark(5, 10, 10, 20)
    (True, False)
    >>> is_lower_mark(10, 20, 5, 10), is_lower_mark(5, 10, 5, 10)
    (True, False)
    """
    scaled_points, other_scaled_points = points * other_full_marks, other_points * full_marks
    return scaled_points < other_scaled_points or (
        scaled_points == other_scaled_points and full_marks > other_full_marks
    )


def without_lowest(marks: Sequence[CountedMark], drop_count: int) -> Sequence[CountedMark]:
    """The marks of a group without so many of the lowest; one is always left.

    >>> marks = [CountedMark(0, 2, 10), CountedMark(1, 8, 10), CountedMark(2, 1, 10)]
    >>> [mark.points for mark in without_lowest(marks, 1)], [mark.points for mark in without_lowest(marks, 9)]
    ([2, 8], [8])
    """
    if not drop_count:
        return marks
    marks_lowest_first = sorted(marks, key=cmp_to_key(compare_lower_first))  # equal ones stay in their order
    kept_marks = marks_lowest_first[min(drop_count, len(marks) - 1) :]
    return sorted(kept_marks)


def compare_lower_first(counted_mark: CountedMark, other_mark: CountedMark) -> int:
    """The order in which marks are left out, for sorting.

    >>> compare_lower_first(CountedMark(0, 2, 10), CountedMark(1, 8, 10))
    -1
    """
    if is_lower_mark(counted_mark.points, counted_mark.full_marks, other_mark.points, other_mark.full_marks):
        return -1
    return int(
        is_lower_mark(other_mark.points, other_mark.full_marks, counted_mark.points, counted_mark.full_marks)
    )


def counted_marks_by_mark_group(
    total_marks: Sequence[TotalMark], total_rules: TotalRules
) -> dict[str, Sequence[CountedMark]]:
    """The marks that count, by group; those that are left out as the lowest are not among them.

    >>> marks = [TotalMark(5, 10, ColumnRule()), TotalMark(None, 10, ColumnRule())]
    >>> counted_marks_by_mark_group(marks, TotalRules())
    {'': [CountedMark(column_index=0, points=5, full_marks=10, weight=10)]}
    """
    marks_by_mark_group: dict[str, list[CountedMark]] = {}
    for column_index, total_mark in enumerate(total_marks):
        mark_that_counts = counted_mark(column_index, total_mark, total_rules)
        if mark_that_counts is not None:
            marks_of_group = marks_by_mark_group.setdefault(total_rules.mark_group_of(total_mark.rule), [])
            marks_of_group.append(mark_that_counts)
    kept_marks_by_mark_group: dict[str, Sequence[CountedMark]] = {}
    for mark_group, marks_of_group in marks_by_mark_group.items():
        kept_marks_by_mark_group[mark_group] = without_lowest(
            marks_of_group, total_rules.drop_count_of(mark_group)
        )
    return kept_marks_by_mark_group


def counted_weights(total_marks: Sequence[TotalMark], total_rules: TotalRules) -> list[float]:
    """What each mark weighs beside those of its group; 0 where it does not count.

    >>> absent = TotalMark(None, 10, ColumnRule(), is_absent=True)
    >>> counted_weights([TotalMark(5, 10, ColumnRule()), absent], TotalRules())
    [10, 0.0]
    """
    weights = [0.0] * len(total_marks)
    for counted_marks in counted_marks_by_mark_group(total_marks, total_rules).values():
        for mark in counted_marks:
            weights[mark.column_index] = mark.weight
    return weights


def share_of_mark_groups(
    marks_by_mark_group: Mapping[str, Sequence[CountedMark]], total_rules: TotalRules
) -> float | None:
    """The total as a share of what could be reached, from the marks that count; None where none does.

    >>> marks = [TotalMark(5, 10, ColumnRule()), TotalMark(30, 30, ColumnRule())]
    >>> rules = TotalRules()
    >>> share_of_mark_groups(counted_marks_by_mark_group(marks, rules), rules)
    0.875
    >>> share_of_mark_groups({}, rules) is None
    True
    """
    sum_of_weighted_shares = sum_of_weights = 0.0
    for mark_group, counted_marks in marks_by_mark_group.items():
        earned_weight = possible_weight = 0.0
        for _, points, full_marks, weight in counted_marks:
            earned_weight += weight * points / full_marks
            possible_weight += weight
        weight_of_group = total_rules.weight_of_group(mark_group)
        sum_of_weighted_shares += weight_of_group * earned_weight / possible_weight
        sum_of_weights += weight_of_group
    if not sum_of_weights:
        return None
    return sum_of_weighted_shares / sum_of_weights


def out_of_hundred(total_share: float | None) -> float | None:
    """A total as it is handed in: 0 to 100 and above, with one decimal, rounded half up.

    >>> out_of_hundred(0.87245), out_of_hundred(0.0005), out_of_hundred(None)
    (87.2, 0.1, None)
    """
    if total_share is None:
        return None
    return int(1000 * total_share + 0.5 + ROUNDING_SLACK) / 10
