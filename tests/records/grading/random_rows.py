"""Random rows of a gradebook, and their totals by hand."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from app.records.grading.totals.weighted_marks import (
    ColumnRule,
    TotalMark,
    TotalRules,
    counted_marks_by_mark_group,
    share_of_mark_groups,
)


def total_share(row: Sequence[TotalMark], rules: TotalRules) -> float | None:
    return share_of_mark_groups(counted_marks_by_mark_group(row, rules), rules)


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
