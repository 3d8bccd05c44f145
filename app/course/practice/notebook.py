"""错题本: every wrong answer by its kind, until three of that kind were right at once; and 我常犯的错.

A kind is an exercise, with all its variants; or, for the items of the lessons, their knowledge point.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from app import engine
from app.course.content.course import Course
from app.course.items.kinds import Generated
from app.course.practice.mastery import CLEARS


class WrongResponse(NamedTuple):
    """A wrong answer. `number` says what came first."""

    number: int
    item: str
    day: date
    misconception: str | None = None


class CleanResponse(NamedTuple):
    """An answer that was right at once and without hints."""

    number: int
    item: str


class MistakeElsewhere(NamedTuple):
    """A mistake made elsewhere than at a question: on `cards` or in `games`."""

    place: str
    day: date
    misconception: str | None


class MistakeKind(NamedTuple):
    """What belongs together: `exercise` is None for the items of a knowledge point."""

    point: str
    exercise: str | None = None

    @property
    def id(self) -> str:
        """How an address names it."""
        return self.exercise or f"point-{self.point}"


@dataclass(frozen=True)
class NotebookEntry:
    """The mistakes of a kind, the newest first; `clean`: right answers at once since then."""

    kind: MistakeKind
    title: str
    wrongs: Sequence[WrongResponse]
    clean: int

    @property
    def cleared(self) -> bool:
        return self.clean >= CLEARS

    @property
    def to_go(self) -> int:
        return max(0, CLEARS - self.clean)


@dataclass(frozen=True)
class Habit:
    """A mistake that came back: how often, where, when last.

    `clean`: right answers of those kinds of questions since then; none after a last one made elsewhere.
    """

    id: str
    name: str
    step: str
    hint: str
    places: Mapping[str, int]
    last: date
    clean: int

    @property
    def times(self) -> int:
        return sum(self.places.values())


@dataclass(frozen=True)
class Notebook:
    """`steps`: how many diagnosed mistakes sit in each step of the formula, in its order."""

    entries: Sequence[NotebookEntry]
    habits: Sequence[Habit]
    steps: Mapping[str, int]

    @property
    def open(self) -> Sequence[NotebookEntry]:
        return [entry for entry in self.entries if not entry.cleared]

    @property
    def cleared(self) -> Sequence[NotebookEntry]:
        return [entry for entry in self.entries if entry.cleared]


def notebook(
    course: Course,
    wrongs: Iterable[WrongResponse],
    cleans: Iterable[CleanResponse],
    slips: Iterable[MistakeElsewhere] = (),
) -> Notebook:
    """The mistakes and what was right since, from the log; the kind of the newest mistake comes first.

    Only questions can be asked again, so `slips` are habits and no entries.
    """
    by_kind: dict[MistakeKind, list[WrongResponse]] = {}
    for wrong in sorted(wrongs, reverse=True):
        kind = kind_of(course, wrong.item)
        if kind is not None:
            by_kind.setdefault(kind, []).append(wrong)
    clean_numbers = _clean_numbers(course, cleans)
    entries = []
    for kind, wrongs_of_kind in by_kind.items():
        clean = _after(clean_numbers.get(kind, ()), wrongs_of_kind[0].number)
        entries.append(NotebookEntry(kind, title(course, kind), wrongs_of_kind, clean))
    habits = _habits(by_kind, clean_numbers, slips)
    steps = Counter(dict.fromkeys(engine.STEPS, 0))
    for habit in habits:
        steps[habit.step] += habit.times
    return Notebook(entries, habits, dict(steps))


def kind_of(course: Course, item: str) -> MistakeKind | None:
    """The kind of an item; a twin is of its item's kind, what never counts has none."""
    item = course.twin_of.get(item, item)
    source = course.items.get(item)
    if source is None or item in course.unscored:
        return None
    if isinstance(source, Generated):
        return MistakeKind(course.exercises[source.exercise].skill, source.exercise)
    if source.skill in course.points:
        return MistakeKind(source.skill)
    return None


def title(course: Course, kind: MistakeKind) -> str:
    if kind.exercise:
        return course.exercises[kind.exercise].title
    return course.points[kind.point].name


def _clean_numbers(course: Course, cleans: Iterable[CleanResponse]) -> Mapping[MistakeKind, list[int]]:
    """The right answers of each kind. One to a variant counts for its exercise and for its skill."""
    by_item: dict[str, list[int]] = {}
    for clean in cleans:
        by_item.setdefault(clean.item, []).append(clean.number)
    by_kind: dict[MistakeKind, list[int]] = {}
    for item, numbers in by_item.items():
        kind = kind_of(course, item)
        if kind is None or item in course.twin_of:
            continue
        for wider in {kind, MistakeKind(kind.point)}:
            by_kind.setdefault(wider, []).extend(numbers)
    return by_kind


def _after(numbers: Iterable[int], last: int) -> int:
    return sum(number > last for number in numbers)


def _habits(
    by_kind: Mapping[MistakeKind, Sequence[WrongResponse]],
    clean_numbers: Mapping[MistakeKind, Sequence[int]],
    slips: Iterable[MistakeElsewhere],
) -> list[Habit]:
    """Every diagnosed mistake, the commonest first; where several were possible, none is named."""
    wrongs_of: dict[str, list[tuple[WrongResponse, MistakeKind]]] = {}
    slips_of: dict[str, list[MistakeElsewhere]] = {}
    for kind, wrongs in by_kind.items():
        for wrong in wrongs:
            for name in certain(wrong.misconception):
                wrongs_of.setdefault(name, []).append((wrong, kind))
    for slip in slips:
        for name in certain(slip.misconception):
            slips_of.setdefault(name, []).append(slip)
    names = wrongs_of.keys() | slips_of.keys()
    habits = [_habit(name, wrongs_of.get(name, []), slips_of.get(name, []), clean_numbers) for name in names]
    return sorted(habits, key=lambda habit: (-habit.times, habit.id))


def _habit(
    name: str,
    wrongs: Sequence[tuple[WrongResponse, MistakeKind]],
    slips: Sequence[MistakeElsewhere],
    clean_numbers: Mapping[MistakeKind, Sequence[int]],
) -> Habit:
    model = engine.MISCONCEPTIONS[name]
    places = Counter(slip.place for slip in slips)
    last = max((slip.day for slip in slips), default=date.min)
    clean = 0
    if wrongs:
        places["questions"] = len(wrongs)
        newest, _ = max(wrongs)
        if newest.day >= last:
            last = newest.day
            kinds = {kind for _, kind in wrongs}
            clean = sum(_after(clean_numbers.get(kind, ()), newest.number) for kind in kinds)
    return Habit(name, model.name, model.step, model.hint, places, last, clean)


def certain(code: str | None) -> list[str]:
    """The misconceptions that a diagnosis names for sure.

    >>> certain("natural_log+k_ignored"), certain("natural_log|k_ignored"), certain("truncated")
    (['natural_log', 'k_ignored'], [], [])
    """
    return [name for name in (code or "").split("+") if name in engine.MISCONCEPTIONS]
