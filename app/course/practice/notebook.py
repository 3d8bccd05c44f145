"""错题本: every wrong answer by its kind, until three of that kind were right at once; and 我常犯的错.

A kind is an exercise, with all its variants; or, for the items of the lessons, their knowledge point.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import NamedTuple

from app import engine
from app.course.content.course import Course
from app.course.items.kinds import Generated

CLEARS = 3
"""So many right at once, without hints, after the last mistake."""


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
    kinds = cache(partial(kind_of, course))
    for wrong in sorted(wrongs, reverse=True):
        if kind := kinds(wrong.item):
            by_kind.setdefault(kind, []).append(wrong)
    since = _since(course, cleans)
    entries = [
        NotebookEntry(kind, title(course, kind), found, _after(since.get(kind, ()), found[0].number))
        for kind, found in by_kind.items()
    ]
    habits = sorted(_habits(by_kind, since, slips), key=lambda one: (-one.times, one.id))
    steps = Counter(dict.fromkeys(engine.STEPS, 0))
    for habit in habits:
        steps[habit.step] += habit.times
    return Notebook(entries, habits, dict(steps))


def kind_of(course: Course, item: str) -> MistakeKind | None:
    """The kind of an item; a twin is of its item's kind, what never counts has none."""
    item = course.twin_of.get(item, item)
    found = course.items.get(item)
    if found is None or item in course.unscored:
        return None
    if isinstance(found, Generated):
        return MistakeKind(course.exercises[found.exercise].skill, found.exercise)
    return MistakeKind(found.skill) if found.skill in course.points else None


def title(course: Course, kind: MistakeKind) -> str:
    return course.exercises[kind.exercise].title if kind.exercise else course.points[kind.point].name


def _since(course: Course, cleans: Iterable[CleanResponse]) -> Mapping[MistakeKind, list[int]]:
    """The right answers of each kind. One to a variant counts for its exercise and for its point."""
    by_item: dict[str, list[int]] = {}
    for clean in cleans:
        by_item.setdefault(clean.item, []).append(clean.number)
    found: dict[MistakeKind, list[int]] = {}
    for item, numbers in by_item.items():
        if item not in course.twin_of and (kind := kind_of(course, item)):
            for one in {kind, MistakeKind(kind.point)}:
                found.setdefault(one, []).extend(numbers)
    return found


def _after(numbers: Iterable[int], last: int) -> int:
    return sum(number > last for number in numbers)


def _habits(
    by_kind: Mapping[MistakeKind, Sequence[WrongResponse]],
    since: Mapping[MistakeKind, Sequence[int]],
    slips: Iterable[MistakeElsewhere],
) -> Iterator[Habit]:
    """Every diagnosed mistake; where several were possible, none is named."""
    met: dict[str, list[tuple[WrongResponse, MistakeKind]]] = {}
    elsewhere: dict[str, list[MistakeElsewhere]] = {}
    for kind, wrongs in by_kind.items():
        for wrong in wrongs:
            for name in certain(wrong.misconception):
                met.setdefault(name, []).append((wrong, kind))
    for slip in slips:
        for name in certain(slip.misconception):
            elsewhere.setdefault(name, []).append(slip)
    for name in met.keys() | elsewhere.keys():
        yield _habit(name, met.get(name, []), elsewhere.get(name, []), since)


def _habit(
    name: str,
    found: Sequence[tuple[WrongResponse, MistakeKind]],
    slips: Sequence[MistakeElsewhere],
    since: Mapping[MistakeKind, Sequence[int]],
) -> Habit:
    model, places = engine.MISCONCEPTIONS[name], Counter(slip.place for slip in slips)
    last, clean = max((slip.day for slip in slips), default=date.min), 0
    if found:
        places["questions"] = len(found)
        wrong = max(wrong for wrong, _ in found)
        if wrong.day >= last:
            last = wrong.day
            clean = sum(_after(since.get(kind, ()), wrong.number) for kind in {kind for _, kind in found})
    return Habit(name, model.name, model.step, model.hint, places, last, clean)


def certain(code: str | None) -> list[str]:
    """The misconceptions that a diagnosis names for sure.

    >>> certain("natural_log+k_ignored"), certain("natural_log|k_ignored"), certain("truncated")
    (['natural_log', 'k_ignored'], [], [])
    """
    return [name for name in (code or "").split("+") if name in engine.MISCONCEPTIONS]
