"""Tables: what learners do in lessons."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field

from app.records.db.metadata import StoredRow


class LessonPlace(StoredRow, table=True):
    """The furthest step opened in a section. 重学 begins a new round and leaves the old one as it was.

    `step_id` says which step that is, whatever is put in before it; `step` is its number then, for a step
    that is gone from the course, and for places of before, where nobody could say the id. At a merge the
    later place in the order of the course stays; the export names both; both go with their learner; a backup
    of before gets the ids when it is restored.
    """

    __tablename__ = "lesson_place"
    __table_args__ = (
        UniqueConstraint("learner_id", "stage", "section", "round"),
        Index(None, "learner_id", "updated_at"),  # where somebody was last
    )

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
    stage: str
    section: str
    round: int
    step: int
    step_id: str | None = None
    done: bool
    updated_at: datetime


class Bookmark(StoredRow, table=True):
    """书签: a step of a section (`ref` is its stage) or an example, and what its learner noted there.

    `step_id` is the id that the step had then. At a merge two at one place become one with both notes; the
    export names all; they go with their learner, and with their account; a backup of before has none.
    """

    __table_args__ = (UniqueConstraint("learner_id", "source", "ref", "section", "step_id"),)

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
    source: str  # lesson | example
    ref: str
    section: str  # empty for an example, like the next
    step_id: str
    note: str
    created_at: datetime


class Attempt(StoredRow, table=True):
    """One pass of a learner through the items of a lesson, of an assignment, or of practice: an exercise, an
    example, a warm-up, the placement. `seed` makes its variants.
    """

    __table_args__ = (
        UniqueConstraint("learner_id", "source", "ref", "round"),
        Index(None, "learner_id", "id", "source"),  # the log of a learner is read in the order of time
    )

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
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
    item: str
    body: str
    created_at: datetime


class Response(StoredRow, table=True):
    """One answer to one item. The first one for a try number stands."""

    __table_args__ = (
        UniqueConstraint("attempt_id", "item", "try_number"),
        Index(None, "learner_id", "created_at"),  # what a class did lately begins here
        Index(  # pages of a class read the first tries of everybody from here alone
            "ix_response_first_tries",
            *("attempt_id", "try_number", "item", "verdict", "hints", "created_at"),
            *("seconds", "misconception", "value", "score"),
            sqlite_where=text("try_number = 1"),
        ),
        Index(  # and the mistakes of everybody from here
            "ix_response_mistakes",
            *("learner_id", "created_at", "misconception", "attempt_id"),
            sqlite_where=text("misconception IS NOT NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    attempt_id: int = Field(foreign_key="attempt.id", ondelete="CASCADE")
    item: str
    try_number: int
    raw: str  # JSON list of strings, as they came
    value: str | None = None  # what was understood
    verdict: str  # right | wrong | shown
    score: float
    misconception: str | None = None
    hints: int  # how many were open when it was answered
    seconds: int | None = None
    item_version: str = Field(foreign_key="item_version.hash")
    created_at: datetime
    learner_id: int | None = None  # that of the attempt, never null; with the attempt it goes and moves


class FirstTryCount(StoredRow, table=True):
    """How often a learner tried an item for the first time, and how often that was right without a hint.

    Apart for each class that assigned it; `classroom_id` is null for what nobody assigned. It follows from
    the responses: `app.records.learning.first_tries` keeps it and makes it anew.
    """

    __tablename__ = "first_try_count"
    __table_args__ = (
        Index(  # the page of a class reads from here alone
            "ix_first_try_count_all",
            *("learner_id", "classroom_id", "item", "tried", "clean", "last_at"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
    classroom_id: int | None = Field(default=None, foreign_key="classroom.id", ondelete="CASCADE", index=True)
    item: str  # content:dcg-at-3, whichever question of an assignment it was
    tried: int
    clean: int
    last_at: datetime


class ItemSum(StoredRow, table=True):
    """What a learner's answers to one item come to: a sum of the log, made again from it at any time.

    Answers whose learner will never know how they went are not in it. Lists are JSON, the newest
    first. `mistakes`: misconception -> [times, number, time] of the last answer with it; "" for none.
    """

    __tablename__ = "item_sum"
    __table_args__ = ({"sqlite_with_rowid": False},)  # the items of a learner lie side by side

    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE", primary_key=True)
    item: str = Field(primary_key=True)
    recent: str  # first answers without hints, as [number, clean, time]
    first_clean_at: datetime | None = None
    clean: int  # right in practice at once, without help
    later: int  # and otherwise
    cleans: str  # the numbers of answers that were right at once, without help
    sealed_until: datetime | None = None  # before that the log says less than this row
    wrong: int
    mistakes: str
    wrongs: str  # wrong answers as [number, time, misconception], one a line


class Hint(StoredRow, table=True):
    """A hint that was opened in an attempt."""

    __table_args__ = (UniqueConstraint("attempt_id", "item", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    attempt_id: int = Field(foreign_key="attempt.id", ondelete="CASCADE")
    item: str
    position: int
    created_at: datetime


class Reveal(StoredRow, table=True):
    """One opened position of an example. Position 0 says only that a new round was begun."""

    __table_args__ = (UniqueConstraint("learner_id", "ref", "round", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
    ref: str
    round: int
    position: int
    guess: str | None = None
    right: bool | None = None
    misconception: str | None = None
    created_at: datetime
