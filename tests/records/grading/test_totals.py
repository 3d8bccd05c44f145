"""总评: every rule in both branches, and against plain arithmetic on a thousand random gradebooks."""

from random import Random

import pytest

from app.records.assignments.values import AssignmentRow
from app.records.grading.totals import gradebook_totals
from app.records.grading.totals.weighted_marks import (
    ColumnRule,
    CountedMark,
    TotalMark,
    TotalRules,
    counted_mark,
    out_of_hundred,
)
from app.records.grading.values import GradebookCell, GradebookColumn, MarkSum
from tests.records.grading.random_rows import by_hand, random_row, total_share

PLAIN = ColumnRule()
OUT = ColumnRule(counted=False)


def marks(*pairs: tuple[float | None, float], rule: ColumnRule = PLAIN) -> list[TotalMark]:
    return [TotalMark(points, full, rule, is_absent=points is None) for points, full in pairs]


def test_what_is_not_counted_changes_nothing() -> None:
    counted = marks((69, 71))
    assert total_share([*counted, *marks((4, 8), rule=OUT)], TotalRules()) == 69 / 71
    assert total_share([*counted, *marks((4, 8))], TotalRules()) == 73 / 79
    assert total_share(marks((4, 8), rule=OUT), TotalRules()) is None


@pytest.mark.parametrize(("missing", "share"), [("left_out", 0.8), ("zero", 0.4)])
def test_what_was_not_handed_in_is_left_out_or_nothing(missing: str, share: float) -> None:
    rules = TotalRules(missing=missing)  # type: ignore[arg-type]
    assert total_share(marks((8, 10), (None, 10)), rules) == share
    still_open = TotalMark(None, 10, PLAIN, is_absent=False)
    assert total_share([*marks((8, 10)), still_open], rules) == 0.8, (
        "there is time yet, or it is not for them"
    )
    by_hand = TotalMark(6, 10, PLAIN, is_absent=True)
    assert total_share([*marks((8, 10)), by_hand], rules) == 0.7, "what the teacher set counts"


def test_weights_of_assignments_and_of_categories() -> None:
    light, heavy = ColumnRule(weight=1, category="平时"), ColumnRule(weight=3, category="期末")
    both = [*marks((10, 10), rule=light), *marks((10, 20), rule=heavy)]
    assert total_share(both, TotalRules("assignments")) == (1 + 3 / 2) / 4
    assert total_share(both, TotalRules("points")) == 20 / 30
    by_category = TotalRules("categories", categories={"平时": 40, "期末": 60})
    assert total_share(both, by_category) == pytest.approx((40 + 60 / 2) / 100)
    assert total_share(both[:1], by_category) == 1.0, "a category without a mark is left out"
    nowhere = marks((0, 10), rule=ColumnRule(category="附加"))
    assert total_share([*both, *nowhere], by_category) == pytest.approx(0.7)
    assert total_share([*both, *marks((0, 0))], TotalRules("points")) == 20 / 30, "worth nothing"


def test_a_thousand_random_gradebooks_come_to_what_plain_arithmetic_says() -> None:
    random = Random(18)
    for _ in range(1000):
        rules, row = random_row(random)
        share = total_share(row, rules)
        expected = by_hand(rules, row)
        if expected is None:
            assert share is None
        else:
            assert share == pytest.approx(float(expected), abs=1e-12)
            total = out_of_hundred(share)
            assert total is not None
            assert abs(total - 100 * float(expected)) <= 0.05 + 1e-6


def test_the_lowest_of_a_category_are_left_out_and_one_always_stays() -> None:
    week = ColumnRule(category="平时")
    rules = TotalRules("categories", categories={"平时": 1.0}, drops={"平时": 1})
    assert total_share(marks((2, 10), (8, 10), rule=week), rules) == 0.8
    assert total_share(marks((2, 10), rule=week), rules) == 0.2, "one stays"
    assert total_share(marks((5, 10), (10, 20), (10, 10), rule=week), rules) == 0.75, "of equals the larger"
    assert total_share(marks((None, 10), (8, 10), rule=week), rules) == 0.8, "what is left out is no mark"
    rules = rules._replace(missing="zero")
    assert total_share(marks((None, 10), (2, 10), (8, 10), rule=week), rules) == 0.5, "缺交 is the lowest"
    for weighing in ("points", "assignments"):
        by_other = rules._replace(weighing=weighing)
        assert total_share(marks((2, 10), (8, 10), rule=week), by_other) == 0.5, "without categories none"


@pytest.mark.parametrize("student_count", [20, 200])
def test_a_mark_that_many_have_is_worked_out_once(
    monkeypatch: pytest.MonkeyPatch, student_count: int
) -> None:
    marks_worked_out: list[TotalMark] = []

    def noted(place: int, mark: TotalMark, rules: TotalRules) -> CountedMark | None:
        marks_worked_out.append(mark)
        return counted_mark(place, mark, rules)

    monkeypatch.setattr(gradebook_totals, "counted_mark", noted)
    columns = [PLAIN, PLAIN, OUT]
    counters = gradebook_totals.counters_by_mark_group(
        [GradebookColumn(AssignmentRow(), 10, 1, MarkSum(), rule) for rule in columns], TotalRules()
    )
    for student in range(student_count):
        cells = [GradebookCell("done", float(student % 5)), GradebookCell("missing", is_absent=True)]
        counted = gradebook_totals.row_marks_by_mark_group([*cells, cells[0]], counters, TotalRules())
        assert counted == {"": [CountedMark(0, float(student % 5), 10, 10)]}
    assert len(marks_worked_out) == 5 + 1, "of two columns that count, and of the third nothing"
