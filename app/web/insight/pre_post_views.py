"""前测与后测 as a page shows them: who went from where to where, and what that says of the class."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.course.insight.item_analysis import Gain, gain
from app.records.classes.values import Student
from app.records.insight.pre_post import PrePostData, TestPair


@dataclass(frozen=True)
class TestRow:
    """A student: the share reached before and after, None where a test was not done."""

    student: Student
    before: float | None
    after: float | None

    @property
    def difference(self) -> float | None:
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


@dataclass(frozen=True)
class PairView:
    """A pair with the rows of the class. `gain` is of those who did both."""

    pair: TestPair
    rows: Sequence[TestRow]
    gain: Gain | None


def pair_views(data: PrePostData) -> list[PairView]:
    return [pair_view(data.students, pair) for pair in data.pairs]


def pair_view(students: Sequence[Student], pair: TestPair) -> PairView:
    rows = []
    shares = []
    for student in students:
        row = TestRow(student, pair.before.get(student.id), pair.after.get(student.id))
        if row.before is not None or row.after is not None:
            rows.append(row)
        if row.before is not None and row.after is not None:
            shares.append((row.before, row.after))
    return PairView(pair, rows, gain(shares))
