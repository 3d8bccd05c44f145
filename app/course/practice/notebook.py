"""错题本: every wrong answer by its kind, until three of that kind were right at once; and 我常犯的错.

A kind is an exercise, with all its variants; or, for the items of the lessons, their skill.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from itertools import chain, takewhile
from typing import Any, NamedTuple

from app import engine
from app.course.content.course import Course
from app.course.exercises.exercises import newest_exercise_id
from app.course.items.kinds import Generated
from app.course.practice.item_mistakes import (
    MOST_CLEAN_RESPONSES,
    MOST_WRONG_RESPONSES,
    ItemMistakes,
    LearnerDay,
    Mistake,
    MistakeElsewhere,
    WrongResponse,
)
from app.course.practice.mastery import FEWEST_RIGHT_TO_CLEAR
from app.course.practice.skill_states import BEFORE_ALL_ANSWERS, AnswerMoment
from app.engine.misconceptions.misconception import STEPS_OF_NDCG


class MistakeKind(NamedTuple):
    """What belongs together: `exercise_id` is None for the items of a skill."""

    skill_id: str
    exercise_id: str | None = None

    @property
    def id(self) -> str:
        """How an address names it."""
        return self.exercise_id or f"point-{self.skill_id}"


class CleanResponses(NamedTuple):
    """When something was right at once in a kind: of each item the newest ones, the newest first, each as the
    fields of an `AnswerMoment`."""

    moment_lists: Sequence[Sequence[Sequence[Any]]] = ()

    def count_after(self, moment: AnswerMoment) -> int:
        """How many came later, as far as they are known.

        >>> clean_responses = CleanResponses([[["2026-09-08", 3], ["2026-09-07", 4]], [["2026-09-08", 5]]])
        >>> clean_responses.count_after(AnswerMoment("2026-09-07", 8))
        2
        """
        later_count = 0
        for moments in self.moment_lists:
            later_count += len(list(takewhile(lambda fields: tuple(fields) > moment, moments)))
        return later_count

    def may_be_more_after(self, moment: AnswerMoment) -> bool:
        """Whether more may have come later."""
        return any(
            len(moments) >= MOST_CLEAN_RESPONSES and tuple(moments[-1]) > moment
            for moments in self.moment_lists
        )


CleanResponsesByKind = Mapping[MistakeKind, CleanResponses]
NO_CLEAN_RESPONSES = CleanResponses()


@dataclass(frozen=True)
class NotebookEntry:
    """The mistakes of a kind; `mistake_count`: how many there are; `clean_count`: right answers at once since
    the newest one, as far as they are known.
    """

    kind: MistakeKind
    title: str
    item_mistakes: Sequence[ItemMistakes]
    newest_mistake_moment: AnswerMoment
    mistake_count: int
    clean_count: int

    @cached_property
    def wrong_responses(self) -> Sequence[WrongResponse]:
        """The mistakes, the newest first. Of eighty kinds a page shows those of twelve."""
        all_wrong_responses = chain.from_iterable(
            mistakes_of_item.read_wrong_responses() for mistakes_of_item in self.item_mistakes
        )
        return sorted(all_wrong_responses, reverse=True)[:MOST_WRONG_RESPONSES]

    @property
    def is_cleared(self) -> bool:
        return self.clean_count >= FEWEST_RIGHT_TO_CLEAR

    @property
    def remaining_count(self) -> int:
        return max(0, FEWEST_RIGHT_TO_CLEAR - self.clean_count)


class LearnerMisconception(NamedTuple):
    """What a learner was diagnosed with: how often, where, on which day last, and in which answer last.
    `formula_step`: where in the formula it is made; `mistake_count_by_source`: "questions", "cards", "games".
    `clean_responses`: what was right at once in those kinds of questions; none after a last one made
    elsewhere.
    """

    id: str
    name: str
    formula_step: str
    hint: str
    mistake_count_by_source: Mapping[str, int]
    last_day: date
    last_moment: AnswerMoment
    clean_responses: Sequence[CleanResponses]

    @property
    def mistake_count(self) -> int:
        return sum(self.mistake_count_by_source.values())

    @property
    def clean_count(self) -> int:
        """How many were right since then, as far as they are known: of a hundred six are asked."""
        return sum(clean_responses.count_after(self.last_moment) for clean_responses in self.clean_responses)

    @property
    def may_have_more_clean(self) -> bool:
        """Whether more may have been right since then."""
        return any(
            clean_responses.may_be_more_after(self.last_moment) for clean_responses in self.clean_responses
        )


class Notebook(NamedTuple):
    """`mistake_count_by_step_name`: how many diagnosed mistakes sit in each step of the formula, in its
    order; then those of the measures beside it, where there are any.
    """

    entries: Sequence[NotebookEntry]
    misconceptions: Sequence[LearnerMisconception]
    mistake_count_by_step_name: Mapping[str, int]

    @property
    def open_entries(self) -> Sequence[NotebookEntry]:
        return [notebook_entry for notebook_entry in self.entries if not notebook_entry.is_cleared]

    @property
    def cleared_entries(self) -> Sequence[NotebookEntry]:
        return [notebook_entry for notebook_entry in self.entries if notebook_entry.is_cleared]


def notebook_of_answers(
    course: Course,
    item_mistakes: Iterable[ItemMistakes],
    day_of_moment: LearnerDay,
    mistakes_elsewhere: Iterable[MistakeElsewhere] = (),
) -> Notebook:
    """The mistakes and what was right since, from the log; the kind of the newest mistake comes first.

    `day_of_moment`: by the learner's clock. Only questions can be asked again, so `mistakes_elsewhere` are
    misconceptions and no entries.
    """
    item_mistakes_by_kind: dict[MistakeKind, list[ItemMistakes]] = defaultdict(list)
    clean_moment_lists_by_kind: dict[MistakeKind, list[Sequence[Sequence[Any]]]] = defaultdict(list)
    kind_by_item_id: dict[str, MistakeKind | None] = {}
    for mistakes_of_item in item_mistakes:
        if mistakes_of_item.item_id not in kind_by_item_id:  # it may be several questions of assignments
            kind_by_item_id[mistakes_of_item.item_id] = mistake_kind_of(course, mistakes_of_item.item_id)
        kind = kind_by_item_id[mistakes_of_item.item_id]
        if kind is None:
            continue
        if mistakes_of_item.wrong_count:
            item_mistakes_by_kind[kind].append(mistakes_of_item)
        if mistakes_of_item.clean_moments and mistakes_of_item.item_id not in course.item_id_by_twin_id:
            # An answer to a variant counts for its exercise and for its skill.
            for counted_kind in {kind, MistakeKind(kind.skill_id)}:
                clean_moment_lists_by_kind[counted_kind].append(mistakes_of_item.clean_moments)
    clean_responses_by_kind = {
        kind: CleanResponses(moment_lists) for kind, moment_lists in clean_moment_lists_by_kind.items()
    }
    entries = [
        _entry(course, kind, item_mistakes_by_kind[kind], clean_responses_by_kind)
        for kind in item_mistakes_by_kind
    ]
    entries.sort(key=lambda notebook_entry: notebook_entry.newest_mistake_moment, reverse=True)
    learner_misconceptions = _learner_misconceptions(
        item_mistakes_by_kind, clean_responses_by_kind, day_of_moment, mistakes_elsewhere
    )
    mistake_count_by_step_name = Counter(dict.fromkeys(STEPS_OF_NDCG, 0))
    for learner_misconception in learner_misconceptions:
        mistake_count_by_step_name[learner_misconception.formula_step] += learner_misconception.mistake_count
    return Notebook(entries, learner_misconceptions, dict(mistake_count_by_step_name))


def _entry(
    course: Course,
    kind: MistakeKind,
    item_mistakes: Sequence[ItemMistakes],
    clean_responses_by_kind: CleanResponsesByKind,
) -> NotebookEntry:
    """All mistakes of a kind."""
    newest_mistake_moment = max(mistakes_of_item.newest_mistake_moment for mistakes_of_item in item_mistakes)
    clean_count = clean_responses_by_kind.get(kind, NO_CLEAN_RESPONSES).count_after(newest_mistake_moment)
    mistake_count = sum(mistakes_of_item.wrong_count for mistakes_of_item in item_mistakes)
    return NotebookEntry(
        kind, title_of_kind(course, kind), item_mistakes, newest_mistake_moment, mistake_count, clean_count
    )


def mistake_kind_of(course: Course, item_id: str) -> MistakeKind | None:
    """The kind of an item; a twin is of its item's kind, what never counts has none."""
    item_id = course.item_id_by_twin_id.get(item_id, item_id)
    item = course.items.get(item_id)
    if item is None or item_id in course.unscored_item_ids:
        return None
    if isinstance(item, Generated):
        exercise_id = newest_exercise_id(course.exercises, item.exercise)
        return MistakeKind(course.exercises[exercise_id].skill, exercise_id)
    if item.skill in course.practised_skills:
        return MistakeKind(item.skill)
    return None


def title_of_kind(course: Course, kind: MistakeKind) -> str:
    if kind.exercise_id:
        return course.exercises[kind.exercise_id].title
    return course.practised_skills[kind.skill_id].name


NO_MISTAKE = Mistake(*BEFORE_ALL_ANSWERS, 0)


@dataclass(slots=True)
class MisconceptionEvidence:
    """Where a misconception was seen: so many times at questions of these kinds, and elsewhere.

    `newest_mistake_totals`: the figures of the last `Mistake`.
    """

    mistake_count: int = 0
    newest_mistake_totals: tuple[Any, ...] = NO_MISTAKE
    kinds: list[MistakeKind] = field(default_factory=list)
    mistakes_elsewhere: list[MistakeElsewhere] = field(default_factory=list)

    def add(self, kind: MistakeKind, mistake_totals: Sequence[Any]) -> None:
        """Take along what was seen at an item of this kind; the items of a kind come one after the other."""
        *_, mistake_count = mistake_totals
        self.mistake_count += mistake_count
        self.newest_mistake_totals = max(self.newest_mistake_totals, tuple(mistake_totals))
        if kind not in self.kinds[-1:]:
            self.kinds.append(kind)


def _learner_misconceptions(
    item_mistakes_by_kind: Mapping[MistakeKind, Sequence[ItemMistakes]],
    clean_responses_by_kind: CleanResponsesByKind,
    day_of_moment: LearnerDay,
    mistakes_elsewhere: Iterable[MistakeElsewhere],
) -> list[LearnerMisconception]:
    """Every diagnosed mistake, the commonest first; where several were possible, none is named."""
    evidence_by_misconception_id = _evidence_by_misconception_id(item_mistakes_by_kind)
    for mistake_elsewhere in mistakes_elsewhere:
        for misconception_id in certain_misconception_ids(mistake_elsewhere.misconception_code):
            evidence_by_misconception_id[misconception_id].mistakes_elsewhere.append(mistake_elsewhere)
    misconceptions = []
    for misconception_id, evidence in evidence_by_misconception_id.items():
        misconceptions.append(
            _learner_misconception(misconception_id, evidence, clean_responses_by_kind, day_of_moment)
        )
    return sorted(misconceptions, key=lambda misconception: (-misconception.mistake_count, misconception.id))


def _evidence_by_misconception_id(
    item_mistakes_by_kind: Mapping[MistakeKind, Sequence[ItemMistakes]],
) -> defaultdict[str, MisconceptionEvidence]:
    """By misconception, what was seen of it in answers."""
    evidence_by_misconception_id = defaultdict[str, MisconceptionEvidence](MisconceptionEvidence)
    for kind, item_mistakes in item_mistakes_by_kind.items():
        for mistakes_of_item in item_mistakes:
            for (
                misconception_code,
                mistake_totals,
            ) in mistakes_of_item.mistake_totals_by_misconception_code.items():
                for misconception_id in certain_misconception_ids(misconception_code):
                    evidence_by_misconception_id[misconception_id].add(kind, mistake_totals)
    return evidence_by_misconception_id


def _learner_misconception(
    misconception_id: str,
    evidence: MisconceptionEvidence,
    clean_responses_by_kind: CleanResponsesByKind,
    day_of_moment: LearnerDay,
) -> LearnerMisconception:
    misconception = engine.MISCONCEPTIONS[misconception_id]
    mistake_count_by_source = Counter[str]()
    last_made_at = ""
    for mistake_elsewhere in evidence.mistakes_elsewhere:
        mistake_count_by_source[mistake_elsewhere.source] += mistake_elsewhere.mistake_count
        last_made_at = max(last_made_at, mistake_elsewhere.made_at)
    last_moment = BEFORE_ALL_ANSWERS
    clean_responses: list[CleanResponses] = []
    if evidence.kinds:
        mistake_count_by_source["questions"] = evidence.mistake_count
        newest_mistake = Mistake(*evidence.newest_mistake_totals)
        if newest_mistake.answered_at >= last_made_at:
            last_made_at = newest_mistake.answered_at
            last_moment = newest_mistake.moment
            clean_responses = [
                clean_responses_by_kind[kind] for kind in evidence.kinds if kind in clean_responses_by_kind
            ]
    return LearnerMisconception(
        misconception_id,
        misconception.name,
        misconception.step,
        misconception.hint,
        mistake_count_by_source,
        day_of_moment(last_made_at),
        last_moment,
        clean_responses,
    )


@lru_cache(4096)
def certain_misconception_ids(misconception_code: str | None) -> tuple[str, ...]:
    """The misconceptions that a diagnosis names for sure; diagnoses are few, and come often.

    >>> certain_misconception_ids("natural_log+k_ignored")
    ('natural_log', 'k_ignored')
    >>> certain_misconception_ids("natural_log|k_ignored"), certain_misconception_ids("truncated")
    ((), ())
    """
    misconception_ids = (misconception_code or "").split("+")
    return tuple(filter(engine.MISCONCEPTIONS.__contains__, misconception_ids))
