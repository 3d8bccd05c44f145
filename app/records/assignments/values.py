"""What the verbs of assignments take and give: frozen values. A row is a NamedTuple of columns."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from app.records.classes.values import ClassRow, Student, TaughtClass
from app.records.learning.values import ResponseRow

Answers = Literal["at_once", "handed_in", "due", "never"]
Counts = Literal["best", "last", "first"]


class AssignmentRow(NamedTuple):
    """An assignment; what the columns mean stands with the table.

    The defaults are those of a new draft: one attempt, marked when it is handed in.
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
    answers: Answers = "handed_in"
    counts: Counts = "best"
    form: Literal["pre", "post"] | None = None
    pair: int | None = None
    created_at: datetime = datetime.min.replace(tzinfo=UTC)
    published_at: datetime | None = None
    closed_at: datetime | None = None

    @property
    def rules(self) -> "AssignmentRules":
        """What its teacher set."""
        return AssignmentRules(*[getattr(self, name) for name in AssignmentRules._fields])


class TaughtAssignment(NamedTuple):
    """An assignment and its class, as their teacher found them."""

    classroom: ClassRow
    assignment: AssignmentRow


@dataclass(frozen=True, slots=True)
class NewPart:
    """A part as a teacher asks for it."""

    kind: str
    ref: str
    level: int = 0
    count: int = 1
    same: bool = False
    points: float = 1.0


@dataclass(frozen=True, slots=True)
class PartRow:
    """What is to be done, in the order of `position`."""

    id: int
    position: int
    kind: str
    ref: str
    level: int
    count: int
    same: bool
    points: float
    assignment_id: int = 0

    @property
    def content(self) -> NewPart:
        """What it asks for, wherever it stands."""
        return NewPart(self.kind, self.ref, self.level, self.count, self.same, self.points)


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
    answers: Answers
    counts: Counts


class Audience(NamedTuple):
    """Whom it is for: everyone, or the students with these enrolments."""

    everyone: bool
    places: Collection[int] = ()


class ExtensionRow(NamedTuple):
    """Another due time for one student; `due_at` None: the extension was taken back."""

    enrolment_id: int
    due_at: datetime | None
    note: str
    created_at: datetime
    assignment_id: int = 0


class SubmissionRow(NamedTuple):
    """One attempt. `parts` is JSON: part id to points."""

    attempt_id: int
    enrolment_id: int
    number: int
    started_at: datetime
    handed_in_at: datetime | None = None
    collected: bool = False
    points: float | None = None
    total: float | None = None
    factor: float = 1.0
    parts: str = "{}"
    assignment_id: int = 0


class SavedRow(NamedTuple):
    """What stands in a question that is not handed in."""

    item: str
    raw: tuple[str, ...]
    seconds: int | None
    saved_at: datetime


class ListedAssignment(NamedTuple):
    """An assignment in the list of its teacher: for how many it is, who has begun, who has handed in."""

    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    students: int
    begun: int
    handed_in: int


class TestTwin(NamedTuple):
    """前测 or 后测 beside this one."""

    id: int
    title: str
    form: str


@dataclass(frozen=True, slots=True)
class StudentAssignment:
    """An assignment as one student has it. `by_hand`: the mark that the teacher set, where one did.

    `live`: it is still theirs to do; a student who left, or is no longer chosen, only sees what they did.
    """

    assignment: AssignmentRow
    classroom: str
    enrolment_id: int
    learner_id: int
    joined_at: datetime
    extension: ExtensionRow | None = None
    parts: tuple[PartRow, ...] = ()
    submissions: tuple[SubmissionRow, ...] = ()
    by_hand: float | None = None
    live: bool = True

    def submission(self, number: int) -> SubmissionRow | None:
        """The attempt with this number."""
        return next((attempt for attempt in self.submissions if attempt.number == number), None)

    @property
    def begun(self) -> SubmissionRow | None:
        """The attempt that is not handed in."""
        return next((attempt for attempt in self.submissions if attempt.handed_in_at is None), None)

    @property
    def used(self) -> int:
        """How many attempts are used up: what the teacher collected is none of them."""
        return sum(not attempt.collected for attempt in self.submissions)

    @property
    def left(self) -> int | None:
        """How many attempts are left; None: as many as one likes."""
        if self.assignment.passes == 0:
            return None
        return max(0, self.assignment.passes - self.used)


@dataclass(frozen=True, slots=True)
class AttemptWork:
    """An attempt with what was done in it; `saved` and `hints` by question, `content:dcg-at-3#1`.

    `again`: what a question earns since a 重新评分, 0..1, for those that had one; `why`: what was said of it.
    """

    given: StudentAssignment
    submission: SubmissionRow
    saved: Mapping[str, SavedRow]
    responses: tuple[ResponseRow, ...]
    hints: Mapping[str, int]
    versions: Mapping[str, str]
    shown_from: datetime | None
    again: Mapping[str, float] = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)

    def of(self, ref: str) -> tuple[ResponseRow, ...]:
        """The responses to one question, oldest first."""
        return tuple(row for row in self.responses if row.item == ref)

    def share(self, ref: str) -> float:
        """What a question earns, 0..1: its best try, as it counts now."""
        return self.again.get(ref, max((row.score for row in self.of(ref)), default=0.0))

    def is_shown(self, now: datetime) -> bool:
        """Whether the learner may see how it went."""
        return self.shown_from is None or self.shown_from <= now


@dataclass(frozen=True, slots=True)
class AssignmentPage:
    """An assignment as its teacher opens it. `students` are those of the class now."""

    row: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    students: tuple[Student, ...]
    assignees: frozenset[int]
    extensions: Mapping[int, ExtensionRow]
    submissions: tuple[SubmissionRow, ...]
    classes: tuple[TaughtClass, ...]
    pair: tuple[TestTwin, ...]
    by_hand: Mapping[int, float | None]
    """The mark that the teacher set last, by enrolment."""
    receivers: tuple[Student, ...]
    """Whom it is for, and who has worked at it."""

    @property
    def newest(self) -> int:
        """The part that was put in last; 0 while there is none."""
        return max((part.id for part in self.parts), default=0)

    @property
    def begun(self) -> bool:
        """Whether a student has begun it: then its content stays as it is."""
        return bool(self.submissions)

    def of(self, enrolment_id: int) -> tuple[SubmissionRow, ...]:
        """The attempts of one student."""
        return tuple(attempt for attempt in self.submissions if attempt.enrolment_id == enrolment_id)
