"""错题本: every wrong answer by its kind, until three of that kind were right at once; and 我常犯的错.

A kind is an exercise, with all its variants; or, for the items of the lessons, their skill.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple

from app import engine
from app.course.content.course import Course
from app.course.exercises.exercises import newest_exercise_id
from app.course.items.kinds import Generated
from app.course.practice.item_mistakes import (
    MOST_CLEANS,
    MOST_WRONGS,
    ItemMistakes,
    LearnerDay,
    Mistake,
    MistakeElsewhere,
    WrongResponse,
)
from app.course.practice.mastery import RIGHT_TO_CLEAR
from app.engine.misconceptions.misconception import STEPS_OF_NDCG


class MistakeKind(NamedTuple):
    """What belongs together: `exercise` is None for the items of a skill."""

    skill: str
    exercise: str | None = None

    @property
    def id(self) -> str:
        """How an address names it."""
        return self.exercise or f"point-{self.skill}"


@dataclass(frozen=True)
class CleanNumbers:
    """The numbers of what was right at once in a kind, the smallest first; a larger one came later.

    `known_after`: so far back all of them are known.
    """

    numbers: Sequence[int] = ()
    known_after: int = 0

    def after(self, number: int) -> int:
        """How many came later.

        >>> CleanNumbers((3, 5, 8)).after(5)
        1
        """
        return len(self.numbers) - bisect_right(self.numbers, number)


CleansByKind = Mapping[MistakeKind, CleanNumbers]
NO_CLEANS = CleanNumbers()


@dataclass(frozen=True)
class NotebookEntry:
    """The mistakes of a kind; `times`: how many there are; `clean`: right answers at once since the newest
    one, as far as they are known.
    """

    kind: MistakeKind
    title: str
    items: Sequence[ItemMistakes]
    newest_number: int
    times: int
    clean: int

    @cached_property
    def wrongs(self) -> Sequence[WrongResponse]:
        """The mistakes, the newest first. Of eighty kinds a page shows those of twelve."""
        wrong_answers = chain.from_iterable(mistakes.read_wrongs() for mistakes in self.items)
        return sorted(wrong_answers, reverse=True)[:MOST_WRONGS]

    @property
    def is_cleared(self) -> bool:
        return self.clean >= RIGHT_TO_CLEAR

    @property
    def to_go(self) -> int:
        return max(0, RIGHT_TO_CLEAR - self.clean)


@dataclass(frozen=True)
class Habit:
    """A mistake that came back: how often, where, when last; the answer with it that came `last_number`.

    `cleans`: what was right at once in those kinds of questions; none after a last one made elsewhere.
    """

    id: str
    name: str
    step: str
    hint: str
    places: Mapping[str, int]
    last: date
    last_number: int = 0
    cleans: Sequence[CleanNumbers] = ()

    @property
    def times(self) -> int:
        return sum(self.places.values())

    @property
    def clean(self) -> int:
        """How many were right since then, as far as they are known: of a hundred habits six are asked."""
        return sum(numbers.after(self.last_number) for numbers in self.cleans)

    @property
    def clean_or_more(self) -> bool:
        """Whether more may have been right since then."""
        return any(numbers.known_after > self.last_number for numbers in self.cleans)


@dataclass(frozen=True)
class Notebook:
    """`steps`: how many diagnosed mistakes sit in each step of the formula, in its order; then those of the
    measures beside it, where there are any.
    """

    entries: Sequence[NotebookEntry]
    habits: Sequence[Habit]
    steps: Mapping[str, int]

    @property
    def open(self) -> Sequence[NotebookEntry]:
        return [entry for entry in self.entries if not entry.is_cleared]

    @property
    def cleared(self) -> Sequence[NotebookEntry]:
        return [entry for entry in self.entries if entry.is_cleared]


def notebook(
    course: Course,
    item_mistakes: Iterable[ItemMistakes],
    day_of: LearnerDay,
    slips: Iterable[MistakeElsewhere] = (),
) -> Notebook:
    """The mistakes and what was right since, from the log; the kind of the newest mistake comes first.

    `day_of`: the learner's day of a moment. Only questions can be asked again, so `slips` are habits and no
    entries.
    """
    items_by_kind: dict[MistakeKind, list[ItemMistakes]] = defaultdict(list)
    numbers_by_kind: dict[MistakeKind, list[Sequence[int]]] = defaultdict(list)
    kind_by_item: dict[str, MistakeKind | None] = {}
    for mistakes in item_mistakes:
        if mistakes.item not in kind_by_item:  # it may be several questions of assignments
            kind_by_item[mistakes.item] = kind_of(course, mistakes.item)
        kind = kind_by_item[mistakes.item]
        if kind is None:
            continue
        if mistakes.times:
            items_by_kind[kind].append(mistakes)
        if mistakes.cleans and mistakes.item not in course.item_id_by_twin_id:
            # An answer to a variant counts for its exercise and for its skill.
            for counted_kind in {kind, MistakeKind(kind.skill)}:
                numbers_by_kind[counted_kind].append(mistakes.cleans)
    cleans_by_kind = {kind: clean_numbers(numbers) for kind, numbers in numbers_by_kind.items()}
    entries = [_entry(course, kind, items_by_kind[kind], cleans_by_kind) for kind in items_by_kind]
    entries.sort(key=lambda entry: entry.newest_number, reverse=True)
    habits = _habits(items_by_kind, cleans_by_kind, day_of, slips)
    steps = Counter(dict.fromkeys(STEPS_OF_NDCG, 0))
    for habit in habits:
        steps[habit.step] += habit.times
    return Notebook(entries, habits, dict(steps))


def _entry(
    course: Course,
    kind: MistakeKind,
    item_mistakes: Sequence[ItemMistakes],
    cleans_by_kind: CleansByKind,
) -> NotebookEntry:
    """All mistakes of a kind."""
    newest_number = max(mistakes.newest_number for mistakes in item_mistakes)
    right_count = cleans_by_kind.get(kind, NO_CLEANS).after(newest_number)
    mistake_count = sum(mistakes.times for mistakes in item_mistakes)
    return NotebookEntry(kind, title(course, kind), item_mistakes, newest_number, mistake_count, right_count)


def kind_of(course: Course, item_id: str) -> MistakeKind | None:
    """The kind of an item; a twin is of its item's kind, what never counts has none."""
    item_id = course.item_id_by_twin_id.get(item_id, item_id)
    source = course.items.get(item_id)
    if source is None or item_id in course.unscored_ids:
        return None
    if isinstance(source, Generated):
        exercise_id = newest_exercise_id(course.exercises, source.exercise)
        return MistakeKind(course.exercises[exercise_id].skill, exercise_id)
    if source.skill in course.practised_skills:
        return MistakeKind(source.skill)
    return None


def title(course: Course, kind: MistakeKind) -> str:
    if kind.exercise:
        return course.exercises[kind.exercise].title
    return course.practised_skills[kind.skill].name


def clean_numbers(numbers_by_item: Iterable[Sequence[int]]) -> CleanNumbers:
    """What was right at once in several items; of each the newest are known, the newest first.

    >>> clean_numbers([[8, 3], [5]])
    CleanNumbers(numbers=[3, 5, 8], known_after=0)
    """
    numbers_by_item = list(numbers_by_item)
    oldest_of_full = [numbers[-1] for numbers in numbers_by_item if len(numbers) >= MOST_CLEANS]
    return CleanNumbers(sorted(chain.from_iterable(numbers_by_item)), max(oldest_of_full, default=0))


NO_MISTAKE = Mistake(0, 0, "")


@dataclass(slots=True)
class HabitEvidence:
    """Where a misconception was seen: so many times at questions of these kinds, and elsewhere.

    `newest`: the figures of the `Mistake` with the largest number.
    """

    times: int = 0
    newest: Sequence[Any] = NO_MISTAKE
    kinds: list[MistakeKind] = field(default_factory=list)
    slips: list[MistakeElsewhere] = field(default_factory=list)

    def add(self, kind: MistakeKind, mistake: Sequence[Any]) -> None:
        """Take along what was seen at an item of this kind; the items of a kind come one after the other."""
        times, number, _ = mistake
        self.times += times
        if number > self.newest[1]:
            self.newest = mistake
        if kind not in self.kinds[-1:]:
            self.kinds.append(kind)


def _habits(
    items_by_kind: Mapping[MistakeKind, Sequence[ItemMistakes]],
    cleans_by_kind: CleansByKind,
    day_of: LearnerDay,
    slips: Iterable[MistakeElsewhere],
) -> list[Habit]:
    """Every diagnosed mistake, the commonest first; where several were possible, none is named."""
    evidence_by_id = _evidence_at_questions(items_by_kind)
    for slip in slips:
        for misconception_id in certain_mistakes(slip.misconception):
            evidence_by_id[misconception_id].slips.append(slip)
    habits = []
    for misconception_id, evidence in evidence_by_id.items():
        habits.append(_habit(misconception_id, evidence, cleans_by_kind, day_of))
    return sorted(habits, key=lambda habit: (-habit.times, habit.id))


def _evidence_at_questions(
    items_by_kind: Mapping[MistakeKind, Sequence[ItemMistakes]],
) -> defaultdict[str, HabitEvidence]:
    """By misconception, what was seen of it in answers."""
    evidence_by_id = defaultdict[str, HabitEvidence](HabitEvidence)
    for kind, item_mistakes in items_by_kind.items():
        for mistakes_of_item in item_mistakes:
            for misconception_code, mistake in mistakes_of_item.mistakes.items():
                for misconception_id in certain_mistakes(misconception_code):
                    evidence_by_id[misconception_id].add(kind, mistake)
    return evidence_by_id


def _habit(
    misconception_id: str, evidence: HabitEvidence, cleans_by_kind: CleansByKind, day_of: LearnerDay
) -> Habit:
    model = engine.MISCONCEPTIONS[misconception_id]
    times_by_place = Counter[str]()
    for slip in evidence.slips:
        times_by_place[slip.place] += slip.times
    last_day = max((slip.day for slip in evidence.slips), default=date.min)
    last_number = 0
    cleans: list[CleanNumbers] = []
    if evidence.kinds:
        times_by_place["questions"] = evidence.times
        newest = Mistake(*evidence.newest)
        day_of_mistake = day_of(newest.answered_at)
        if day_of_mistake >= last_day:
            last_day = day_of_mistake
            last_number = newest.number
            cleans = [cleans_by_kind[kind] for kind in evidence.kinds if kind in cleans_by_kind]
    return Habit(
        misconception_id, model.name, model.step, model.hint, times_by_place, last_day, last_number, cleans
    )


@lru_cache(4096)
def certain_mistakes(misconception_code: str | None) -> tuple[str, ...]:
    """The misconceptions that a diagnosis names for sure; diagnoses are few, and come often.

    >>> certain_mistakes("natural_log+k_ignored")
    ('natural_log', 'k_ignored')
    >>> certain_mistakes("natural_log|k_ignored"), certain_mistakes("truncated")
    ((), ())
    """
    misconception_ids = (misconception_code or "").split("+")
    return tuple(filter(engine.MISCONCEPTIONS.__contains__, misconception_ids))
