"""Tables: assignments."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field

from app.records.db.metadata import IdentifiedRow, StoredRow, column_named, owner_key


class Assignment(IdentifiedRow, table=True):
    """作业. A draft until `published_at`, closed from `closed_at` on.

    `pair` names the 前测 that a 后测 belongs to (the 前测 itself names its own id), `form` says which it is.
    Attempts outlive it and name it: its number never comes again.
    """

    __table_args__ = (Index(None, "classroom_id", "id"), {"sqlite_autoincrement": True})

    classroom_id: int = owner_key("classroom.id")
    title: str
    note: str = ""  # what the teacher wants to say to it
    seed: int
    everyone: bool = True  # else only whom `assignee` names
    opens_at: datetime | None = None
    due_at: datetime | None = None
    late_until: datetime | None = None  # None: nothing is taken after `due_at`
    late_factor: float = 1.0  # what a late mark is multiplied with
    passes: int = 1  # how often it may be handed in; 0: as often as one likes
    tries: int = 1  # at a question within one attempt, while answers are shown at once; 0: no limit
    minutes: int = 0  # for an attempt, from its beginning, by the clock of the server; 0: without a limit
    hints: bool = True
    answers: str = "handed_in"  # when they are shown: at_once | handed_in | due | never
    counts: str = "best"  # which submission: best | last | first
    form: str | None = None  # pre | post
    pair: int | None = Field(default=None, index=True)
    created_at: datetime
    published_at: datetime | None = None
    closed_at: datetime | None = None
    series: int | None = Field(default=None, index=True)  # given together to several classes; drawn at random
    version: int = 3  # 1: numbers without the secret of the site; 2: drills that are not drawn evenly


class AssignmentPart(IdentifiedRow, table=True):
    """What is to be done, in order. `ref` by kind: `item` content:dcg-at-3 or own-42:dcg; `practice` the
    exercise, content:dcg; `section` content:concepts/sweetness; `cards` the stage, content:concepts; `game`
    duel or monster. `count`: variants, reviews; of an item in a bank, how many of the bank each student gets;
    `same`: one variant for all."""

    __tablename__ = "assignment_part"
    __table_args__ = (Index(None, "assignment_id", "position"),)

    assignment_id: int = owner_key("assignment.id")
    position: int
    kind: str  # item | practice | section | cards | game
    ref: str
    level: int = 0
    count: int = 1
    same: bool = False
    points: float = 1.0  # for each question
    bank: int = 0  # items with the same number are drawn from, for each student; 0: asked of everybody


class Assignee(IdentifiedRow, table=True):
    """Who is to do an assignment that is not for everyone."""

    __table_args__ = (UniqueConstraint("assignment_id", "enrolment_id"),)

    assignment_id: int = owner_key("assignment.id")
    enrolment_id: int = owner_key("enrolment.id", index=True)


class Submission(StoredRow, table=True):
    """One attempt at an assignment: begun with it, handed in once. `points` of `full_marks` then.

    `last_work_at`: when something was last done in it that was handed in, None where nothing was; of what was
    handed in before this was kept, when that was, if it was or might be late by that. `late_factor`: what
    being late costs. `parts` is JSON, part id to points. Points follow from the responses and from `re_mark`;
    they are kept here because a gradebook reads thousands of them.
    """

    __table_args__ = (
        UniqueConstraint("assignment_id", "enrolment_id", "number"),
        Index(  # what waits to be collected is counted from here
            "ix_submission_open",
            *("assignment_id", "enrolment_id"),
            sqlite_where=text("handed_in_at IS NULL"),
        ),
    )

    attempt_id: int = owner_key("attempt.id", primary_key=True)
    assignment_id: int = owner_key("assignment.id")
    enrolment_id: int = owner_key("enrolment.id", index=True)
    number: int
    started_at: datetime
    handed_in_at: datetime | None = None
    last_work_at: datetime | None = None
    # By the teacher, at the end.
    is_collected: bool = column_named("collected", default=False)
    points: float | None = None
    full_marks: float | None = column_named("total", default=None)
    late_factor: float = column_named("factor", default=1.0)
    points_json: str = column_named("parts", default="{}")  # part id to points
    # Number of a question to its seed, where these were drawn at the beginning.
    seeds_json: str = column_named("seeds", default="{}")
    waiting_count: int = column_named("waiting", default=0)  # words to be marked
    open_points: float = 0.0  # what these can still earn
    # When the program handed in what had ended at `handed_in_at`; NULL where a person handed it in.
    marked_at: datetime | None = None


class SavedAnswer(IdentifiedRow, table=True):
    """What stands in a question that is not handed in yet. Replaced at each save; marked at hand-in.

    Where answers are marked at once, it is what was typed and not sent: no answer, as its `question_ref`
    begins.
    """

    __tablename__ = "saved_answer"
    __table_args__ = (UniqueConstraint("attempt_id", "question_ref"),)

    attempt_id: int = owner_key("attempt.id")
    question_ref: str = column_named("item")
    raw: str  # JSON list of strings, as they came
    seconds: int | None = None
    saved_at: datetime


class Extension(IdentifiedRow, table=True):
    """Another time for one student; the latest row counts."""

    __table_args__ = (Index(None, "assignment_id", "enrolment_id"),)

    assignment_id: int = owner_key("assignment.id")
    enrolment_id: int = owner_key("enrolment.id", index=True)
    due_at: datetime | None  # None: the extension was taken back
    note: str
    created_at: datetime


class MarkOverride(IdentifiedRow, table=True):
    """A mark that the teacher set by hand, or 免; the latest row counts."""

    __tablename__ = "mark_override"
    __table_args__ = (Index(None, "assignment_id", "enrolment_id"),)

    assignment_id: int = owner_key("assignment.id")
    enrolment_id: int = owner_key("enrolment.id", index=True)
    points: float | None  # None: the computed mark counts again, unless it is excused
    reason: str
    created_at: datetime
    excused: bool = False  # 免: it does not enter 总评
    told: bool = False  # whether the student reads the reason; those of before were written for the log
