"""A thousand random gradebooks against a teacher with paper and pencil: from what was handed in to 总评.

Groups that have an assignment alone, extensions, 免, marks by hand, late work, several attempts, columns of
one's own: the teacher of the test reckons each case by itself, in fractions.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import floor
from random import Random

from app.records.assignments.assigned import AssignedTask
from app.records.assignments.values import AssignmentRow, CountingRule, ExtensionRow, MarkByHand, PartRow
from app.records.classes.values import ClassRow
from app.records.grading import gradebook
from app.records.grading.extra_marks import ExtraMarkValue
from app.records.grading.gradebook import GradebookWork
from app.records.grading.marks import HandedInAttempt
from app.records.grading.totals import gradebook_totals
from app.records.grading.totals.weighted_marks import ColumnRule, TotalMark, TotalRules
from app.records.grading.values import ExtraColumnRow, Gradebook, GradebookStudent
from tests.records.grading.random_rows import by_hand, random_row

BEGIN = datetime(2026, 9, 1, tzinfo=UTC)
NOW = BEGIN + timedelta(days=60)
DAY = timedelta(days=1)
COUNTS: list[CountingRule] = ["best", "last", "first"]
CLASS = ClassRow(1, "高一3班", BEGIN, None, "ABCDEF", None)
Cell = tuple[int, int]


@dataclass
class RandomClass:
    """A class as it was drawn. By cell: what was handed in, what the teacher decided, who has more time."""

    random: Random
    students: list[int] = field(default_factory=list)
    groups: dict[int, str] = field(default_factory=dict)
    tasks: list[AssignedTask] = field(default_factory=list)
    handed: dict[Cell, list[HandedInAttempt]] = field(default_factory=dict)
    decided: dict[Cell, MarkByHand] = field(default_factory=dict)
    rules: TotalRules = field(default_factory=TotalRules)
    column_rules: dict[int, ColumnRule] = field(default_factory=dict)
    extra: dict[int, str] = field(default_factory=dict)

    def draw(self) -> "RandomClass":
        self.students = list(range(1, self.random.randint(2, 6)))
        self.groups = {student: self.random.choice(["第一组", "第二组", ""]) for student in self.students}
        self.rules, _ = random_row(self.random)
        for number in range(1, self.random.randint(2, 7)):
            self.tasks.append(self.task(number))
            rule = ColumnRule(self.chance(0.8), self.random.choice([0.5, 1.0, 2.0]), self.category())
            self.column_rules[number] = rule
        for student in self.students:
            self.extra[student] = self.random.choice(["", "7.5", "10", "缺"])
        return self

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def category(self) -> str:
        return self.random.choice(["", *self.rules.categories])

    def task(self, number: int) -> AssignedTask:
        due_at = self.random.choice([None, NOW - 20 * DAY, NOW + 20 * DAY])
        counts: CountingRule = self.random.choice(COUNTS)
        title = f"第{number}周"
        row = AssignmentRow(number, title=title, counts=counts, due_at=due_at, published_at=BEGIN)
        parts = [PartRow("item", "content:dcg", points=float(self.random.choice([0, 5, 8, 12.5])))]
        group = self.random.choice(["", "第一组"])
        only = None
        if group:
            only = frozenset(member for member in self.students if self.groups[member] == group)
        extensions = {}
        for student in self.students:
            cell = (number, student)
            self.work(cell, parts[0].points)
            if due_at and self.chance(0.2):
                extended_to = due_at + self.random.choice([10, 40]) * DAY
                extensions[student] = ExtensionRow(student, extended_to, "病了", BEGIN, number)
        return AssignedTask(row, parts, only, extensions)

    def work(self, cell: Cell, full: float) -> None:
        attempts = []
        for number in range(1, self.random.choice([1, 1, 2, 2, 4])):
            points = round(self.random.uniform(0, full), 1)
            factor = self.random.choice([1.0, 0.8, 0.5])
            attempts.append(HandedInAttempt(number, points, factor, NOW - 30 * DAY, self.chance(0.2)))
        if attempts:
            self.handed[cell] = attempts
        if self.chance(0.15):
            self.decided[cell] = MarkByHand(None, excused=True)
        elif self.chance(0.15):
            self.decided[cell] = MarkByHand(round(self.random.uniform(0, full), 1))

    @property
    def column(self) -> ExtraColumnRow:
        return ExtraColumnRow(1, "出勤", 10.0, True, 1.0, next(iter(self.rules.categories)))

    def book(self) -> Gradebook:
        """What the site makes of it."""
        students = [
            GradebookStudent(student, student, f"同学{student}", "", BEGIN, "here")
            for student in self.students
        ]
        work = GradebookWork(self.handed, {}, self.decided)
        extras = [(self.column, {student: extra_mark(text) for student, text in self.extra.items() if text})]
        book = gradebook.gradebook_of(CLASS, self.tasks, students, work, NOW, extras)
        return gradebook_totals.with_totals(book, self.rules, self.column_rules)

    def on_paper(self, student: int) -> Fraction | None:
        """总评 of a student as their teacher reckons it."""
        row = [self.mark_on_paper(task, student) for task in self.tasks]
        text = self.extra[student]
        points = None
        if text not in ("", "缺"):
            points = float(text)
        row.append(TotalMark(points, 10.0, self.column.rule, is_absent=text == "缺"))
        return by_hand(self.rules, row)

    def mark_on_paper(self, task: AssignedTask, student: int) -> TotalMark:
        full, rule = task.parts[0].points, self.column_rules[task.id]
        hand_mark = self.decided.get((task.id, student), MarkByHand())
        attempts = self.handed.get((task.id, student), [])
        if hand_mark.excused:
            return TotalMark(None, full, rule)
        if hand_mark.points is not None:
            return TotalMark(hand_mark.points, full, rule)
        if attempts:
            worths = [
                Fraction(str(attempt.points)) * Fraction(str(attempt.late_factor)) for attempt in attempts
            ]
            own = [worth for worth, attempt in zip(worths, attempts, strict=True) if not attempt.is_collected]
            worked_at = [
                worth
                for worth, attempt in zip(worths, attempts, strict=True)
                if attempt.points or not attempt.is_collected
            ]
            choices = {"best": max(worths), "last": (worked_at or worths)[-1], "first": (own or worths)[0]}
            return TotalMark(one_decimal(choices[task.assignment.counts]), full, rule)
        due_at = task.assignment.due_at
        if due_at and student in task.extension_by_enrolment_id:
            due_at = task.extension_by_enrolment_id[student].due_at
        has_it = task.assignee_ids is None or student in task.assignee_ids
        return TotalMark(None, full, rule, is_absent=has_it and due_at is not None and due_at < NOW)


def one_decimal(worth: Fraction) -> float:
    """Half up, as people round; marks are added up as they are shown."""
    return floor(worth * 10 + Fraction(1, 2)) / 10


def extra_mark(text: str) -> ExtraMarkValue:
    if text == "缺":
        return ExtraMarkValue()
    return ExtraMarkValue(float(text))


def test_a_thousand_random_gradebooks_with_groups_and_what_was_handed_in() -> None:
    random = Random(2026)
    counted = 0
    for _ in range(1000):
        drawn = RandomClass(random).draw()
        for row in drawn.book().rows:
            expected = drawn.on_paper(row.student.id)
            if expected is None:
                assert row.total_of_hundred is None
                continue
            counted += 1
            assert row.total_of_hundred is not None
            assert abs(row.total_of_hundred - 100 * float(expected)) <= 0.05 + 1e-6
    assert counted > 2000
