"""Tables: what learners do in lessons."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field

from app.records.db.metadata import IdentifiedRow, StoredRow, column_named, owner_key


class LessonPlace(IdentifiedRow, table=True):
    """The furthest step opened in a section. 重学 begins a new round and leaves the old one as it was.

    `step_id` says which step that is, whatever is put in before it; `step_number` is its number then, for a
    step that is gone from the course, and for places of before, where nobody could say the id. At a merge the
    later place in the order of the course stays; the export names both; both go with their learner; a backup
    of before gets the ids when it is restored.
    """

    __tablename__ = "lesson_place"
    __table_args__ = (
        UniqueConstraint("learner_id", "stage_ref", "section_id", "round"),
        Index(None, "learner_id", "updated_at"),  # where somebody was last
    )

    learner_id: int = owner_key("learner.id")
    stage_ref: str = column_named("stage")
    section_id: str = column_named("section")
    round: int
    step_number: int = column_named("step")
    step_id: str | None = None
    is_done: bool = column_named("done")
    updated_at: datetime


class LessonVisit(IdentifiedRow, table=True):
    """When a place was reached that moved on, or became one with another; or went on after its section was
    done.

    A place says only when it was reached last; days and time of learning count every moment. At a merge
    visits go to the account; they are exported, and go with their learner; a backup of before has none.
    """

    __tablename__ = "lesson_visit"

    learner_id: int = owner_key("learner.id", index=True)
    visited_at: datetime


class Bookmark(IdentifiedRow, table=True):
    """书签: a step of a section (`ref` is its stage) or an example, and what its learner noted there.

    `step_id` is the id that the step had then. At a merge two at one place become one with both notes; the
    export names all; they go with their learner, and with their account; a backup of before has none.
    """

    __table_args__ = (UniqueConstraint("learner_id", "source", "ref", "section_id", "step_id"),)

    learner_id: int = owner_key("learner.id")
    source: str  # lesson | example
    ref: str
    section_id: str = column_named("section")  # empty for an example, like the next
    step_id: str
    note: str
    created_at: datetime


class Attempt(IdentifiedRow, table=True):
    """One pass of a learner through the items of a lesson, of an assignment, or of practice: an exercise, an
    example, a warm-up, the placement. `seed` makes its variants.
    """

    __table_args__ = (
        UniqueConstraint("learner_id", "source", "ref", "round"),
        Index(None, "learner_id", "id", "source"),  # the log of a learner is read in the order of time
    )

    learner_id: int = owner_key("learner.id")
    source: str
    ref: str
    round: int
    seed: int
    created_at: datetime
    shown_from: datetime | None = None  # until then nothing tells the learner how it went; None: no secret


class ItemVersion(StoredRow, table=True):
    """The body of an item as it was when somebody first answered it, by its content hash."""

    __tablename__ = "item_version"

    hash: str = Field(primary_key=True)
    item_ref: str = column_named("item")
    body: str
    created_at: datetime


class Response(IdentifiedRow, table=True):
    """One answer to one item. The first one for a try number stands."""

    __table_args__ = (
        UniqueConstraint("attempt_id", "item_ref", "try_number"),
        Index(None, "learner_id", "created_at"),  # what a class did lately begins here
        Index(  # pages of a class read the first tries of everybody from here alone
            "ix_response_first_tries",
            *("attempt_id", "try_number", "item_ref", "verdict", "hint_count", "created_at"),
            *("seconds", "misconception_code", "value", "score"),
            sqlite_where=text("try_number = 1"),
        ),
        Index(  # and the mistakes of everybody from here
            "ix_response_mistakes",
            *("learner_id", "created_at", "misconception_code", "attempt_id"),
            sqlite_where=text("misconception IS NOT NULL"),
        ),
    )

    attempt_id: int = owner_key("attempt.id")
    item_ref: str = column_named("item")
    try_number: int
    raw: str  # JSON list of strings, as they came
    value: str | None = None  # what was understood
    verdict: str  # right | wrong | shown
    score: float
    misconception_code: str | None = column_named("misconception", default=None)
    hint_count: int = column_named("hints")  # how many were open when it was answered
    seconds: int | None = None
    item_version_hash: str = column_named("item_version", foreign_key="item_version.hash")
    created_at: datetime
    learner_id: int | None = None  # that of the attempt, never null; with the attempt it goes and moves


class FirstTryCount(IdentifiedRow, table=True):
    """How often a learner tried an item for the first time, and how often that was right without a hint.

    Apart for each class that assigned it; `classroom_id` is null for what nobody assigned. It follows from
    the responses: `app.records.learning.first_tries` keeps it and makes it anew.
    """

    __tablename__ = "first_try_count"
    __table_args__ = (
        Index(  # the page of a class reads from here alone
            "ix_first_try_count_all",
            *("learner_id", "classroom_id", "item_ref", "try_count", "clean_count", "last_at"),
        ),
    )

    learner_id: int = owner_key("learner.id")
    classroom_id: int | None = owner_key("classroom.id", default=None, index=True)
    # content:dcg-at-3, whichever question of an assignment it was
    item_ref: str = column_named("item")
    try_count: int = column_named("tried")
    clean_count: int = column_named("clean")
    last_at: datetime


class ItemSum(StoredRow, table=True):
    """What a learner's answers to one item come to: a sum of the log, made again from it at any time.

    Answers whose learner will never know how they went are not in it. Lists are JSON, the newest first: each
    answer begins with its time and its number. `mistake_totals_by_misconception_code`: code of a
    misconception -> [time, number, times] of the last answer with it; "" for none.
    """

    __tablename__ = "item_sum"
    __table_args__ = (
        Index(  # what practice has earned is read from here alone
            "ix_item_sum_practised",
            *("learner_id", "item_ref", "clean_count", "right_later_count"),
            sqlite_where=text("clean > 0 OR later > 0"),
        ),
        Index(  # and until when results are to come from here
            "ix_item_sum_sealed",
            *("learner_id", "sealed_until"),
            sqlite_where=text("sealed_until IS NOT NULL"),
        ),
        {"sqlite_with_rowid": False},  # the items of a learner lie side by side
    )

    learner_id: int = owner_key("learner.id", primary_key=True)
    item_ref: str = column_named("item", primary_key=True)
    # The last first answers without hints, as [time, number, clean]: those that decide on mastery.
    first_answers: str = column_named("recent")
    first_clean_at: datetime | None = None
    clean_count: int = column_named("clean")  # right in practice at once, without help
    right_later_count: int = column_named("later")  # and otherwise
    # Those of the answers that were right at once, without help, as [time, number].
    clean_moments: str = column_named("cleans")
    sealed_until: datetime | None = None  # before that the log says less than this row
    wrong_count: int = column_named("wrong")
    mistake_totals_by_misconception_code: str = column_named("mistakes")
    # Each as [time, number, misconception code], one a line.
    wrong_answers: str = column_named("wrongs")


class Hint(IdentifiedRow, table=True):
    """A hint that was opened in an attempt."""

    __table_args__ = (UniqueConstraint("attempt_id", "item_ref", "position"),)

    attempt_id: int = owner_key("attempt.id")
    item_ref: str = column_named("item")
    position: int
    created_at: datetime


class Reveal(IdentifiedRow, table=True):
    """One opened position of an example. Position 0 says only that a new round was begun."""

    __table_args__ = (UniqueConstraint("learner_id", "ref", "round", "position"),)

    learner_id: int = owner_key("learner.id")
    ref: str
    round: int
    position: int
    guess: str | None = None
    is_right: bool | None = column_named("right", default=None)
    misconception_code: str | None = column_named("misconception", default=None)
    created_at: datetime
