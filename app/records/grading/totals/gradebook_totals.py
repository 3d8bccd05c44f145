"""总评 in the gradebook: the marks of every row by the rules of the class.

What a mark counts is worked out once a column for all who have it: two hundred students have some thirty
different ones. For each cell anew it was a fifth of reading 200 × 60, and is a tenth.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from app.records.grading import marks
from app.records.grading.totals.total_rules import default_rule
from app.records.grading.totals.weighted_marks import (
    ColumnRule,
    CountedMark,
    TotalMark,
    TotalRules,
    counted_mark,
    out_of_hundred,
    share_of_mark_groups,
    without_lowest,
)
from app.records.grading.values import Gradebook, GradebookCell, GradebookColumn


def with_totals(
    gradebook: Gradebook, total_rules: TotalRules, rule_by_assignment_id: Mapping[int, ColumnRule]
) -> Gradebook:
    """The gradebook with 总评 in every row."""
    columns_with_rules = []
    for column in gradebook.columns:
        column_rule = default_rule(column.assignment_or_extra)
        if column.assignment:
            column_rule = rule_by_assignment_id.get(column.assignment.id, column_rule)
        columns_with_rules.append(column._replace(rule=column_rule))
    column_counters_by_mark_group = counters_by_mark_group(columns_with_rules, total_rules)
    gradebook_rows = []
    for gradebook_row in gradebook.rows:
        counted_share = share_of_mark_groups(
            row_marks_by_mark_group(gradebook_row.cells, column_counters_by_mark_group, total_rules),
            total_rules,
        )
        gradebook_rows.append(gradebook_row._replace(total_of_hundred=out_of_hundred(counted_share)))
    return gradebook._replace(
        columns=tuple(columns_with_rules), rows=tuple(gradebook_rows), total_rules=total_rules
    )


class ColumnCounter(NamedTuple):
    """A column that counts: its index in a row, and what a mark in it counts, by points and absence."""

    column_index: int
    counted_mark_of: Callable[[float | None, bool], CountedMark | None]


CountersByMarkGroup = Mapping[str, Sequence[ColumnCounter]]


def counters_by_mark_group(
    columns: Sequence[GradebookColumn], total_rules: TotalRules
) -> CountersByMarkGroup:
    """The columns that count, by the group in which they are weighed against each other."""
    column_counters_by_mark_group = defaultdict[str, list[ColumnCounter]](list)
    for column_index, column in enumerate(columns):
        if total_rules.weight_of(column.rule, column.full_marks):
            column_counters_by_mark_group[total_rules.mark_group_of(column.rule)].append(
                column_counter(column_index, column, total_rules)
            )
    return column_counters_by_mark_group


def column_counter(column_index: int, column: GradebookColumn, total_rules: TotalRules) -> ColumnCounter:
    """What a mark in a column counts, worked out once for all who have it."""

    @cache
    def counted_mark_of_cell(points: float | None, is_absent: bool) -> CountedMark | None:
        return counted_mark(column_index, total_mark(points, is_absent, column), total_rules)

    return ColumnCounter(column_index, counted_mark_of_cell)


def row_marks_by_mark_group(
    cells: Sequence[GradebookCell], counters_by_weighed_group: CountersByMarkGroup, total_rules: TotalRules
) -> dict[str, Sequence[CountedMark]]:
    """The marks of a row that count, by group, without those that are left out as the lowest."""
    marks_by_mark_group: dict[str, Sequence[CountedMark]] = {}
    for mark_group, group_counters in counters_by_weighed_group.items():
        counted_marks = []
        for column_index, counted_mark_of in group_counters:
            cell = cells[column_index]
            mark = counted_mark_of(cell.points, cell.is_absent)
            if mark is not None:
                counted_marks.append(mark)
        if counted_marks:
            marks_by_mark_group[mark_group] = without_lowest(
                counted_marks, total_rules.drop_count_of(mark_group)
            )
    return marks_by_mark_group


def total_marks(cells: Iterable[GradebookCell], columns: Iterable[GradebookColumn]) -> list[TotalMark]:
    """The cells of a row as the total sees them: marks as they are shown, so that people can add them up.
    Those that a teacher typed are shown as they are."""
    marks_of_row = []
    for cell, column in zip(cells, columns, strict=True):
        marks_of_row.append(total_mark(cell.points, cell.is_absent, column))
    return marks_of_row


def total_mark(points: float | None, is_absent: bool, column: GradebookColumn) -> TotalMark:
    """A mark of a column as the total sees it."""
    if points is not None and column.assignment:
        points = marks.number_as_shown(points)
    return TotalMark(points, column.full_marks, column.rule, is_absent)
