"""What the verbs of assignments take and give: frozen values. A row is a NamedTuple of columns."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from app.course.assignments.question_sets import hmac_key_of, question_count
from app.records.classes.values import ClassRow
from app.records.learning.values import ResponseRow

NEWEST_VERSION = 3
"""1: published before there was a secret; numbers and outside work go by the rules of then. 2: before the
numbers of drills were drawn to be as much work for everybody."""
FIRST_VERSION_WITH_SECRET = 2
FIRST_EVENLY_DRAWN_VERSION = 3
AnswersShown = Literal["at_once", "handed_in", "due", "never"]
CountingRule = Literal["best", "last", "first"]


class AssignmentRow(NamedTuple):
    """An assignment; what the columns mean stands with the table.

    The defaults are those of a new draft: one attempt, marked when it is handed in. `secret`: that of the
    site; empty for an assignment whose numbers are older than it.
    """

    id: int = 0
    classroom_id: int = 0
    title: str = ""
    note: str = ""
    seed: int = 0
    everyone: bool = True
    opens_at: datetime | None = None
    due_at: datetime | None = None
    late_until: datetime | None = None
    late_factor: float = 1.0
    passes: int = 1
    tries: int = 1
    hints: bool = True
    answers: AnswersShown = "handed_in"
    counts: CountingRule = "best"
    minutes: int = 0
    form: Literal["pre", "post"] | None = None
    pair: int | None = None
    created_at: datetime = datetime.min.replace(tzinfo=UTC)
    published_at: datetime | None = None
    closed_at: datetime | None = None
    series: int | None = None
    version: int = NEWEST_VERSION
    secret: str = ""

    @property
    def hmac_key(self) -> bytes:
        """What the numbers of its questions come from, beside its seed."""
        return hmac_key_of(self.secret, self.id)

    @property
    def checks_outside_work(self) -> bool:
        """Whether what is done outside of its questions is held against what happened there."""
        return self.version >= FIRST_VERSION_WITH_SECRET

    @property
    def is_drawn_evenly(self) -> bool:
        """Whether the drills of an attempt are drawn to be as much work for everybody."""
        return self.version >= FIRST_EVENLY_DRAWN_VERSION

    @property
    def rules(self) -> "AssignmentRules":
        """What its teacher set."""
        return AssignmentRules(*[getattr(self, field_name) for field_name in AssignmentRules._fields])


class AssignmentKey(NamedTuple):
    """An assignment of a class, as its teacher comes to it."""

    classroom_id: int
    assignment_id: int


class TaughtAssignment(NamedTuple):
    """An assignment and its class, as their teacher found them."""

    classroom: ClassRow
    assignment: AssignmentRow

    @property
    def key(self) -> AssignmentKey:
        """The ids of both."""
        return AssignmentKey(self.classroom.id, self.assignment.id)


@dataclass(frozen=True, slots=True)
class NewPart:
    """A part as a teacher asks for it. `bank`: of an item, the bank that each student gets `count` of; 0
    where it is asked of everybody."""

    kind: str
    ref: str
    level: int = 0
    count: int = 1
    same: bool = False
    points: float = 1.0
    bank: int = 0


@dataclass(frozen=True, slots=True)
class PartRow(NewPart):
    """What is to be done, in the order of `position`."""

    id: int = 0
    position: int = 0
    assignment_id: int = 0

    @property
    def content(self) -> NewPart:
        """What it asks for, wherever it stands."""
        return NewPart(self.kind, self.ref, self.level, self.count, self.same, self.points, self.bank)


class AssignmentRules(NamedTuple):
    """What a teacher sets, beside the parts and whom it is for."""

    title: str
    note: str
    opens_at: datetime | None
    due_at: datetime | None
    late_until: datetime | None
    late_factor: float
    passes: int
    tries: int
    hints: bool
    answers: AnswersShown
    counts: CountingRule
    minutes: int


class Audience(NamedTuple):
    """Whom it is for: everyone, or the students with these enrolments, and those who are in these groups
    now."""

    everyone: bool
    enrolment_ids: Collection[int]
    group_ids: Collection[int] = ()


class AssignmentSettings(NamedTuple):
    """Everything that the form of settings says; None: that stays as it is. `former_rules`: as they stood in
    the form when it was opened."""

    rules: AssignmentRules
    is_pre_test: bool | None = None
    audience: Audience | None = None
    former_rules: AssignmentRules | None = None


class ExtensionRow(NamedTuple):
    """Another due time for one student; `due_at` None: the extension was taken back."""

    enrolment_id: int
    due_at: datetime | None
    note: str
    created_at: datetime
    assignment_id: int = 0


class MarkByHand(NamedTuple):
    """What the teacher decided about a student at an assignment: a mark, 免 (`excused`), or nothing.

    `reason`: why, as far as the student is to read it.
    """

    points: float | None = None
    excused: bool = False
    reason: str = ""

    @property
    def is_set(self) -> bool:
        """Whether it counts before what was computed."""
        return self.excused or self.points is not None


NOTHING_BY_HAND = MarkByHand()


class OverrideRow(NamedTuple):
    """A mark that was set by hand, 免 (`excused`), or taken back (neither). `told`: the student reads why."""

    points: float | None
    reason: str
    created_at: datetime
    excused: bool = False
    told: bool = False

    @property
    def hand_mark(self) -> MarkByHand:
        """What holds by it; with the reason, where the student is to read it."""
        reason = ""
        if self.told:
            reason = self.reason
        return MarkByHand(self.points, self.excused, reason)


class AssignmentAttempt(NamedTuple):
    """One attempt at an assignment. `points_json`: part id to points; `seeds_json`: number of a question to
    its seed. `is_collected`, `marked_at`, `last_work_at`: see `Submission`. `waiting_count`: how many of its
    answers the teacher has still to mark, and `open_points`: what these can still earn."""

    attempt_id: int
    enrolment_id: int
    number: int
    started_at: datetime
    handed_in_at: datetime | None = None
    is_collected: bool = False
    points: float | None = None
    full_marks: float | None = None
    late_factor: float = 1.0
    points_json: str = "{}"
    assignment_id: int = 0
    seeds_json: str = "{}"
    waiting_count: int = 0
    open_points: float = 0.0
    marked_at: datetime | None = None
    last_work_at: datetime | None = None


class SavedAnswerRow(NamedTuple):
    """What stands in a question that is not handed in."""

    question_ref: str
    raw: tuple[str, ...]
    seconds: int | None
    saved_at: datetime


class ListedAssignment(NamedTuple):
    """An assignment in the list of its teacher: for how many it is, who has begun, who has handed in."""

    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    student_count: int
    starter_count: int
    handed_in_count: int

    @property
    def question_count(self) -> int:
        """How many questions it asks."""
        return question_count(self.parts)


class StudentAssignment(NamedTuple):
    """An assignment as one student has it. `hand_mark`: what the teacher decided about their mark; `comment`:
    what they wrote about the whole, where it was asked for.

    `is_still_given`: it is still theirs to do; a student who left, or is no longer chosen, only sees what
    they did. `time_factor`: how much longer than the others they have. `is_mark_changed`: in a list
    of all assignments, whether the mark is another than when it was handed in.
    """

    assignment: AssignmentRow
    class_name: str
    enrolment_id: int
    learner_id: int
    joined_at: datetime
    extension: ExtensionRow | None = None
    parts: tuple[PartRow, ...] = ()
    attempts: tuple[AssignmentAttempt, ...] = ()
    hand_mark: MarkByHand = NOTHING_BY_HAND
    is_still_given: bool = True
    comment: str = ""
    time_factor: float = 1.0
    is_mark_changed: bool = False
    absences: str | None = None

    @property
    def minutes(self) -> float:
        """How long this student has for an attempt; 0: as long as they like."""
        return self.assignment.minutes * self.time_factor

    def attempt_with_number(self, attempt_number: int) -> AssignmentAttempt | None:
        """The attempt with this number."""
        return next((attempt for attempt in self.attempts if attempt.number == attempt_number), None)

    @property
    def open_attempt(self) -> AssignmentAttempt | None:
        """The attempt that is not handed in."""
        return next((attempt for attempt in self.attempts if attempt.handed_in_at is None), None)

    @property
    def used_attempt_count(self) -> int:
        return used_attempt_count_of(self.attempts)

    @property
    def remaining_attempt_count(self) -> int | None:
        """How many attempts are left; None: as many as one likes."""
        if self.assignment.passes == 0:
            return None
        return max(0, self.assignment.passes - self.used_attempt_count)


def used_attempt_count_of(attempts: Iterable[AssignmentAttempt]) -> int:
    """How many attempts are used up: what the teacher collected is none of them."""
    return sum(not attempt.is_collected for attempt in attempts)


@dataclass(frozen=True, slots=True)
class AttemptWork:
    """An attempt with what was done in it; a question is named as `content:cg#1`.

    `new_share_by_question_ref`: what a question earns since a 重新评分, 0..1, where it had one;
    `former_share_by_question_ref`: what it earned when it was handed in; `reason_by_question_ref`: why.
    `comment_by_place`: what the teacher wrote, by attempt and question. `ticks_by_question_ref`: the lines of
    the rubric that the teacher ticked, where they have marked by it; `hand_marked_refs`: the questions that
    they gave other points; `granted_refs`: those that count in full for everybody.
    `unsent_answer_by_question_ref`: no answers.
    """

    student_assignment: StudentAssignment
    attempt: AssignmentAttempt
    saved_answer_by_question_ref: Mapping[str, SavedAnswerRow]
    responses: tuple[ResponseRow, ...]
    hint_count_by_question_ref: Mapping[str, int]
    body_json_by_version_hash: Mapping[str, str]
    shown_from: datetime | None
    new_share_by_question_ref: Mapping[str, float] = field(default_factory=dict)
    former_share_by_question_ref: Mapping[str, float] = field(default_factory=dict)
    reason_by_question_ref: Mapping[str, str] = field(default_factory=dict)
    comment_by_place: Mapping[tuple[int, str], str] = field(default_factory=dict)
    ticks_by_question_ref: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    hand_marked_refs: Collection[str] = frozenset()
    granted_refs: Collection[str] = frozenset()
    unsent_answer_by_question_ref: Mapping[str, SavedAnswerRow] = field(default_factory=dict)

    def responses_to_question(self, question_ref: str) -> tuple[ResponseRow, ...]:
        """The responses to one question, oldest first."""
        return tuple(response for response in self.responses if response.item_ref == question_ref)

    def earned_share(self, question_ref: str) -> float:
        """What a question earns, 0..1: its best try, as it counts now."""
        scores = [response.score for response in self.responses_to_question(question_ref)]
        return self.new_share_by_question_ref.get(question_ref, max(scores, default=0.0))

    def is_settled_by_teacher(self, question_ref: str) -> bool:
        """Whether words have the points that a teacher gave them: no 重新评分 reads them."""
        settled_ref_sets = (self.ticks_by_question_ref, self.hand_marked_refs, self.granted_refs)
        return any(question_ref in settled_refs for settled_refs in settled_ref_sets)

    def is_shown(self, now: datetime) -> bool:
        """Whether the learner may see how it went."""
        return self.shown_from is None or self.shown_from <= now
