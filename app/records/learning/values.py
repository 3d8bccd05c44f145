"""Learning: the frozen values that the verbs take and give. A row is a NamedTuple."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from app.course.content.model import Section
from app.course.content.refs import is_practice_attempt
from app.course.content.skills import RowOfItems
from app.course.items.marks import is_on_pause

AnswerSource = Literal["lesson", "practice", "assignment"]
Verdict = Literal["right", "wrong", "shown"]
FAR_FUTURE = datetime(9999, 1, 1, tzinfo=UTC)
"""Never, as a moment: results of which nobody knows yet when they are shown."""
RawAnswer = tuple[str, ...]
"""An answer as it came: what was typed or chosen, field by field."""


class AttemptKey(NamedTuple):
    """Which attempt is meant: one by its id, or the present round of a lesson or of an example.

    `seed` (0 .. 2**31 - 1) is kept when the attempt has to be made, and ignored when it is there.
    """

    attempt_id: int | None = None
    source: AnswerSource = "lesson"
    ref: str = ""
    seed: int = 0


class Answer(NamedTuple):
    """What was typed or chosen, as it came. `try_number` makes a double click harmless."""

    item_ref: str
    try_number: int
    raw: RawAnswer
    seconds_spent: int | None = None


class AnswerMark(Protocol):
    """What a course says of an answer."""

    @property
    def verdict(self) -> Verdict: ...
    @property
    def score(self) -> float: ...
    @property
    def understood_answer(self) -> str | None: ...
    @property
    def misconception_code(self) -> str | None: ...


class ShownSolution(NamedTuple):
    """Stands for the mark of an answer when the tutor gave it."""

    verdict: Verdict = "shown"
    score: float = 0.0
    understood_answer: str | None = None
    misconception_code: str | None = None


class ItemMarker(Protocol):
    """What the course must be able to do: mark an answer, and give the body of an item to be frozen."""

    def mark(
        self, item_ref: str, seed: int, raw_answer: RawAnswer, try_number: int, previous_raw: RawAnswer, /
    ) -> AnswerMark:
        """Judge an answer. `try_number`: from 1; `previous_raw`: the one before, empty where there is none.

        Raises what it likes when the answer is unreadable.
        """
        ...

    def version_hash_and_body(self, item_ref: str, seed: int, /) -> tuple[str, str]:
        """The hash of the item's body (the variant's, where a seed makes one); the body as JSON text."""
        ...


class ItemMarkerWithSections(ItemMarker, Protocol):
    """A course that also knows the order of the steps in its sections."""

    def section_of(self, stage_ref: str, section_id: str, /) -> Section | None:
        """A section of the course, by the ref of its stage; None for what it does not have."""
        ...


TRIED_UNIT = 1_000_000
"""What a first try adds to a figure of `FirstTries`; one that was right without a hint adds 1 more."""


class FirstTries(NamedTuple):
    """Items, and for each a figure: how often it was tried for the first time, how often that was right.

    Joined with commas as the database gives them: a class has them by the ten thousand, and two counts in
    one number are read and added up at once.

    >>> from app.course.content.skills import SkillPositions
    >>> places = SkillPositions({"content:a": "dcg", "content:b": "dcg"})
    >>> first_tries = FirstTries("content:a,content:b", "3000002,1000000")
    >>> first_tries.tried_and_right_by_skill_id(places.row("content:a,content:b"))
    {'dcg': (4, 2)}
    """

    joined_items: str = ""
    joined_figures: str = ""

    def tried_and_right_by_skill_id(self, row_of_items: RowOfItems) -> Mapping[str, tuple[int, int]]:
        """First tries and right ones, by skill; what has none is left out. `row_of_items`: its items'."""
        if not self.joined_items:
            return {}
        packed_counts = list(map(int, self.joined_figures.split(",")))
        packed_sum_by_skill_id = row_of_items.sum_by_skill_id(packed_counts)
        return {
            skill_id: divmod(packed_sum, TRIED_UNIT)
            for skill_id, packed_sum in packed_sum_by_skill_id.items()
        }


def seconds_within_attempt(seconds_spent: int | None, begun_at: datetime, now: datetime) -> int | None:
    """What a form says of its time, as far as it can be: no longer than the attempt has been open.

    >>> begun_at, now = datetime(2026, 9, 1, 8, 0), datetime(2026, 9, 1, 8, 1)
    >>> [seconds_within_attempt(seconds, begun_at, now) for seconds in (30, 9999, -5, None)]
    [30, 60, 0, None]
    """
    if seconds_spent is None:
        return None
    open_seconds = int((now - begun_at).total_seconds())
    return max(0, min(seconds_spent, open_seconds))


class ResponseRow(NamedTuple):
    """One answer to an item; `raw` as it came, `value` as it was understood, `hint_count`: of open hints."""

    item_ref: str
    try_number: int
    raw: RawAnswer
    value: str | None
    verdict: Verdict
    score: float
    misconception_code: str | None
    hint_count: int
    seconds: int | None
    item_version_hash: str
    created_at: datetime


Responses = tuple[ResponseRow, ...]


NO_HINTS: Mapping[str, int] = MappingProxyType({})


class ItemLog(NamedTuple):
    """All that happened to an item (and its family) in one attempt. `hint_count_by_item_ref`: how many are
    open.

    `ref`, `source` and `shown_from` are those of the attempt, once there is one. `learner_id` is None for an
    unknown visitor.
    """

    token: str
    attempt_id: int
    seed: int
    round_number: int
    item_ref: str
    responses: Responses = ()
    hint_count_by_item_ref: Mapping[str, int] = NO_HINTS
    learner_id: int | None = None
    ref: str = ""
    source: AnswerSource = "lesson"
    shown_from: datetime | None = None

    def responses_to_item(self, item_ref: str) -> Responses:
        """The responses to one item, oldest first."""
        return tuple(response for response in self.responses if response.item_ref == item_ref)

    def last_answer_to(self, item_ref: str) -> RawAnswer:
        """The last answer to one item, as it came; empty while there is none."""
        responses = self.responses_to_item(item_ref)
        return responses[-1].raw if responses else ()

    def accepts_try(self, try_number: int, now: datetime) -> bool:
        """Whether an answer is taken as this try: the one that comes next, and not right after guesses."""
        if is_practice_attempt(self.ref) and is_on_pause(self.responses_to_item(self.item_ref), now):
            return False
        return self.is_next_try(try_number)

    def is_next_try(self, try_number: int) -> bool:
        """Whether this is the try that comes next: no repetition, not after the end."""
        responses = self.responses_to_item(self.item_ref)
        if try_number != len(responses) + 1:
            return False
        return all(response.verdict == "wrong" for response in responses)


class AttemptRow(NamedTuple):
    """An attempt; until `shown_from` nothing tells the learner how it went (None: no secret)."""

    id: int
    source: AnswerSource
    ref: str
    round: int
    seed: int
    created_at: datetime
    shown_from: datetime | None = None

    def is_sealed(self, now: datetime) -> bool:
        """Whether the learner may not see yet how it went."""
        return self.shown_from is not None and now < self.shown_from


@dataclass(frozen=True, slots=True)
class AttemptAnswers:
    """An attempt with its answers and opened hints; the base of the data of every page that asks items."""

    attempt: AttemptRow | None = None
    responses: Responses = ()
    hint_count_by_item_ref: Mapping[str, int] = field(default_factory=dict)


class AttemptData(NamedTuple):
    """An attempt as it was. `body_by_hash`: of every answered item the frozen body (JSON) by its hash."""

    attempt: AttemptRow
    responses: Responses
    hint_count_by_item_ref: Mapping[str, int]
    body_by_hash: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PractisedItems:
    """Verdicts by item, in the order of the answers. `learner_id` is None for a reader who is not known."""

    learner_id: int | None = None
    verdicts_by_item_ref: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Guess(NamedTuple):
    """What was guessed before a position was opened; no `guess` is 直接看."""

    position: int
    guess: str | None = None
    is_right: bool | None = None
    misconception_code: str | None = None


@dataclass(frozen=True, slots=True)
class RevealState:
    """How far an opening sequence has come in its present round. `opened_count` 0: nothing is open yet."""

    round_number: int = 1
    opened_count: int = 0
    guesses: tuple[Guess, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenedReveal(RevealState):
    """A sequence after a verb opened or closed it; `token` is that of its learner."""

    token: str = ""


class LessonPlaceRow(NamedTuple):
    """The furthest step opened in a section, in one round: by its id, and by the number that it had then."""

    stage_ref: str
    section_id: str
    round: int
    step_number: int
    step_id: str | None
    is_done: bool
    updated_at: datetime

    @property
    def stage_and_section(self) -> tuple[str, str]:
        """The section that it is in, by the ref of its stage and its id."""
        return self.stage_ref, self.section_id


class SavedLessonPlace(NamedTuple):
    """The place as it is now, and the token of its learner: what those who save or move a place return."""

    place: LessonPlaceRow
    token: str


@dataclass(frozen=True, slots=True)
class LessonPageData(AttemptAnswers):
    """All that a page of a lesson must know about its reader, for the present round."""

    learner_id: int | None = None
    round_number: int = 1
    places: tuple[LessonPlaceRow, ...] = ()
    reveal_by_example_ref: Mapping[str, RevealState] = field(default_factory=dict)
    collected_card_refs: frozenset[str] = frozenset()

    def place_of_section(self, section_id: str) -> LessonPlaceRow | None:
        return next((place for place in self.places if place.section_id == section_id), None)

    def responses_to_item(self, item_ref: str) -> Responses:
        """The responses to one item, oldest first."""
        return tuple(response for response in self.responses if response.item_ref == item_ref)


@dataclass(frozen=True, slots=True)
class ExamplePageData(AttemptAnswers):
    """All that a page of an example must know about its reader, for the present round."""

    learner_id: int | None = None
    reveal_state: RevealState = RevealState()


@dataclass(frozen=True, slots=True)
class WarmUpData(AttemptAnswers):
    """The warm-up of a `day`. `refs_with_verdicts`: item and verdict of all answers on the last day of
    learning before it."""

    learner_id: int | None = None
    day: date | None = None
    refs_with_verdicts: tuple[tuple[str, str], ...] = ()


class StageTally(NamedTuple):
    """Items of one stage, in all its rounds: right at the first try, right later, or not right (yet)."""

    stage_ref: str
    right_count: int = 0
    corrected_count: int = 0
    wrong_count: int = 0

    @property
    def answered_count(self) -> int:
        return self.right_count + self.corrected_count + self.wrong_count


class ProgressData(NamedTuple):
    """What a learner has done so far. `reached_places`: by `lesson_progress.reached_places_of_learner`;
    `day_count`: how many of the learner's own days had something done; `learning_time`: the time between one
    action and the next.
    """

    learner_id: int | None = None
    reached_places: tuple[LessonPlaceRow, ...] = ()
    stage_tallies: tuple[StageTally, ...] = ()
    day_count: int = 0
    learning_time: timedelta = timedelta()
