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
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True)
class PairView:
    """A pair with the rows of the class. `gain` is of those who did both."""

    pair: TestPair
    rows: Sequence[TestRow]
    gain: Gain | None


def pairs(look: PrePostData) -> list[PairView]:
    return [view(look, one) for one in look.pairs]


def view(look: PrePostData, pair: TestPair) -> PairView:
    rows = [TestRow(one, pair.before.get(one.id), pair.after.get(one.id)) for one in look.students]
    both = [(one.before, one.after) for one in rows if one.before is not None and one.after is not None]
    return PairView(pair, [one for one in rows if (one.before, one.after) != (None, None)], gain(both))
