"""总评: every rule in both branches, and against plain arithmetic on a thousand random gradebooks."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from app.records.assignments.values import AssignmentRow
from app.records.grading.totals import gradebook_totals
from app.records.grading.totals.weighted_marks import (
    ColumnRule,
    CountedMark,
    TotalMark,
    TotalRules,
    counted_by_group,
    counted_mark,
    out_of_hundred,
    share_of_groups,
)
from app.records.grading.values import GradebookCell, GradebookColumn, MarkSum

PLAIN = ColumnRule()
OUT = ColumnRule(counted=False)


def marks(*pairs: tuple[float | None, float], rule: ColumnRule = PLAIN) -> list[TotalMark]:
    return [TotalMark(points, full, rule, is_absent=points is None) for points, full in pairs]


def total_share(row: Sequence[TotalMark], rules: TotalRules) -> float | None:
    return share_of_groups(counted_by_group(row, rules), rules)


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


def random_row(random: Random) -> tuple[TotalRules, list[TotalMark]]:
    """One student with up to twelve assignments, under rules of any kind."""
    names = ["平时", "期中", "期末"][: random.randint(1, 3)]
    categories = {name: float(random.choice([0, 20, 30, 50])) for name in names}
    rules = TotalRules(
        random.choice(["points", "assignments", "categories"]),
        random.choice(["left_out", "zero"]),
        categories,
        {name: random.randint(0, 3) for name in names if random.random() < 0.5},
    )
    row = []
    for _ in range(random.randint(0, 12)):
        full = float(random.choice([0, 1, 8, 10, 12.5, 100]))
        points: float | None = round(random.uniform(0, full * 1.1), 1)
        if random.random() < 0.3:
            points = None
        weight = float(random.choice([0, 0.5, 1, 2, 3]))
        rule = ColumnRule(random.random() < 0.8, weight, random.choice(["", *names]))
        row.append(TotalMark(points, full, rule, is_absent=random.random() < 0.5))
    return rules, row


def by_hand(rules: TotalRules, row: list[TotalMark]) -> Fraction | None:
    """The total once more, in fractions, as a teacher would do it on paper: case by case."""
    counting = []
    for mark in row:
        points = mark.points
        if points is None and mark.is_absent and rules.missing == "zero":
            points = 0
        if points is not None and mark.full_marks > 0 and mark.rule.counted:
            counting.append((Fraction(points), Fraction(mark.full_marks), mark.rule))
    if rules.weighing == "points":
        return ratio(sum(points for points, _, _ in counting), sum(full for _, full, _ in counting))
    if rules.weighing == "assignments":
        weighted = sum(Fraction(rule.weight) * points / full for points, full, rule in counting)
        return ratio(weighted, sum(Fraction(rule.weight) for _, _, rule in counting))
    return by_categories(rules, counting)


Counting = list[tuple[Fraction, Fraction, ColumnRule]]


def by_categories(rules: TotalRules, counting: Counting) -> Fraction | None:
    """The same where categories are weighed: each without its lowest marks."""
    above, below = Fraction(0), Fraction(0)
    for name, weight in rules.categories.items():
        inside = [(points, full) for points, full, rule in counting if rule.category == name]
        dropped = min(rules.drops.get(name, 0), max(len(inside) - 1, 0))
        inside = sorted(inside, key=lambda mark: (mark[0] / mark[1], -mark[1]))[dropped:]
        if inside and weight:
            share = Fraction(sum(points for points, _ in inside), sum(full for _, full in inside))
            above += Fraction(weight) * share
            below += Fraction(weight)
    return ratio(above, below)


def ratio(above: Fraction | int, below: Fraction | int) -> Fraction | None:
    return Fraction(above) / Fraction(below) if below else None


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
    counters = gradebook_totals.counters_by_group(
        [GradebookColumn(AssignmentRow(), 10, 1, MarkSum(), rule) for rule in columns], TotalRules()
    )
    for student in range(student_count):
        cells = [GradebookCell("done", float(student % 5)), GradebookCell("missing", is_absent=True)]
        counted = gradebook_totals.counted_cells([*cells, cells[0]], counters, TotalRules())
        assert counted == {"": [CountedMark(0, float(student % 5), 10, 10)]}
    assert len(marks_worked_out) == 5 + 1, "of two columns that count, and of the third nothing"
