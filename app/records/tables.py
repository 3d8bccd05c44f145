"""The tables. Everything hangs on a learner; the logs (response, reveal, hint, review_log) are only added to.

`ref`, `stage` and `item` are qualified names of content (`content:concepts`), not keys: content is in files.
Every constraint is named by the convention, so that a later migration can find it by name.
"""

from datetime import date, datetime

from sqlalchemy import Index, Table, UniqueConstraint, text
from sqlmodel import Field, SQLModel

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Learner(SQLModel, table=True):
    """A person: made by the first POST, so that mere readers leave no row; a guest without an account."""

    id: int | None = Field(default=None, primary_key=True)
    created_at: datetime
    time_zone: str = "Asia/Shanghai"
    resume_code: str | None = Field(default=None, unique=True)


class SignIn(SQLModel, table=True):
    """A browser that is this learner. Only the sha256 of its token is kept."""

    __tablename__ = "sign_in"

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE", index=True)
    token_hash: str = Field(unique=True)
    created_at: datetime
    ended_at: datetime | None = None
    device: str | None = None  # as its owner would call it: 安卓手机 · Chrome


class Account(SQLModel, table=True):
    """A learner who has a name and a password. The log of a guest who signs up stays where it is."""

    learner_id: int = Field(primary_key=True, foreign_key="learner.id", ondelete="CASCADE")
    login: str
    login_key: str = Field(unique=True)  # how names are compared: 小 糖 and 小糖 are one
    password_hash: str
    teacher: bool = False
    created_at: datetime
    disabled_at: datetime | None = None


class Throttle(SQLModel, table=True):
    """How often something was tried since a moment: `sign-in:小糖`, `address:192.168.1.7`."""

    key: str = Field(primary_key=True)
    since: datetime
    count: int


class Invitation(SQLModel, table=True):
    """A link that makes one teacher. Only the sha256 of its token is kept."""

    token_hash: str = Field(primary_key=True)
    created_at: datetime
    until: datetime
    used_at: datetime | None = None


class Classroom(SQLModel, table=True):
    """班级. Its code opens joining until `code_until`; archived ones are only looked at."""

    id: int | None = Field(default=None, primary_key=True)
    teacher_id: int = Field(foreign_key="learner.id", ondelete="CASCADE", index=True)
    name: str
    created_at: datetime
    archived_at: datetime | None = None
    code: str = Field(unique=True)
    code_until: datetime | None = None


class Enrolment(SQLModel, table=True):
    """A student of a class, under the name that this class knows. Whoever is removed can be put back.

    An account that was deleted leaves its place here without a name, so that results of the class stand.
    """

    __table_args__ = (UniqueConstraint("classroom_id", "learner_id"),)

    id: int | None = Field(default=None, primary_key=True)
    classroom_id: int = Field(foreign_key="classroom.id", ondelete="CASCADE")
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE", index=True)
    name: str
    name_key: str
    number: str = ""
    joined_at: datetime
    removed_at: datetime | None = None


class LessonPlace(SQLModel, table=True):
    """The furthest step opened in a section. 重学 begins a new round and leaves the old one as it was."""

    __tablename__ = "lesson_place"
    __table_args__ = (UniqueConstraint("learner_id", "stage", "section", "round"),)

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
    stage: str
    section: str
    round: int
    step: int
    done: bool
    updated_at: datetime


class Attempt(SQLModel, table=True):
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


class ItemVersion(SQLModel, table=True):
    """The body of an item as it was when somebody first answered it, by its content hash."""

    __tablename__ = "item_version"

    hash: str = Field(primary_key=True)
    item: str
    body: str
    created_at: datetime


class Response(SQLModel, table=True):
    """One answer to one item. The first one for a try number stands."""

    __table_args__ = (
        UniqueConstraint("attempt_id", "item", "try_number"),
        Index(  # pages of a class read the first tries of everybody from here alone
            "ix_response_first_tries",
            *("attempt_id", "try_number", "item", "verdict", "hints", "created_at"),
            *("seconds", "misconception", "value", "score"),
            sqlite_where=text("try_number = 1"),
            postgresql_where=text("try_number = 1"),
        ),
        Index(  # and the mistakes of everybody from here
            "ix_response_mistakes",
            *("attempt_id", "misconception"),
            sqlite_where=text("misconception IS NOT NULL"),
            postgresql_where=text("misconception IS NOT NULL"),
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


class Hint(SQLModel, table=True):
    """A hint that was opened in an attempt."""

    __table_args__ = (UniqueConstraint("attempt_id", "item", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    attempt_id: int = Field(foreign_key="attempt.id", ondelete="CASCADE")
    item: str
    position: int
    created_at: datetime


class Reveal(SQLModel, table=True):
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


class GameMove(SQLModel, table=True):
    """One move in a play of a game. A play is a game with a level and a seed; the first move stands.

    `outcome`, `score`, `total` stand with the move that ended the play: its kept result.
    """

    __tablename__ = "game_move"
    __table_args__ = (UniqueConstraint("learner_id", "game", "level", "seed", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
    game: str  # duel | monster
    level: int  # 0 for a game without levels
    seed: int
    position: int
    move: str  # guess | open | all | on | answer | potion | help
    raw: str  # as it came
    step: str  # what it was about: 3.1, term-2
    verdict: str  # right | wrong | graze | hint | shown | open | all | on
    value: str | None = None  # what was understood
    misconception: str | None = None
    outcome: str | None = None  # done | won | retreat
    score: int | None = None
    total: int | None = None
    created_at: datetime


class ProblemReport(SQLModel, table=True):
    """这题有问题: what somebody found wrong. Kept without the learner when the learner goes."""

    __tablename__ = "problem_report"

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int | None = Field(default=None, foreign_key="learner.id", ondelete="SET NULL", index=True)
    item: str
    text: str
    page: str
    created_at: datetime


class Deck(SQLModel, table=True):
    """How somebody wants to review; no row while everything is as we set it. `less_on`: 今天少一点."""

    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE", primary_key=True)
    retention: float
    new_a_day: int
    due_a_day: int
    buttons: int
    less_on: date | None = None


class SchedulerVersion(SQLModel, table=True):
    """The library and the parameters that made a date, by the hash of both."""

    __tablename__ = "scheduler_version"

    hash: str = Field(primary_key=True)
    version: str
    parameters: str
    created_at: datetime


class CardMemory(SQLModel, table=True):
    """A card in somebody's deck, and how well it sits: all but `status` and `family` comes from the log."""

    __tablename__ = "card_memory"
    __table_args__ = (
        UniqueConstraint("learner_id", "card"),
        Index(None, "learner_id", "status", "state", "due_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
    card: str
    family: str  # cards of one family are kept apart
    added_at: datetime
    status: str  # active | suspended | leech | retired
    state: str  # new | learning | review | relearning
    step: int | None = None
    stability: float | None = None
    difficulty: float | None = None
    due_at: datetime | None = None
    last_review_at: datetime | None = None
    reps: int
    lapses: int
    streak: int  # reviews since the last 忘了
    scheduler: str | None = Field(default=None, foreign_key="scheduler_version.hash")


TOLD = ("undone_at", "rating", "seconds", "state", "first", "interval_days")


class ReviewLog(SQLModel, table=True):
    """One review. `before` and `after` are the memory as JSON; an undone review stays, and counts no more."""

    __tablename__ = "review_log"
    __table_args__ = (
        UniqueConstraint("learner_id", "card", "number"),
        Index("ix_review_log_told", "learner_id", "day", *TOLD),  # what is counted, without the rows
        Index(None, "learner_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE")
    card: str
    number: int
    rating: int  # 1 again, 2 hard, 3 good, 4 easy
    reviewed_at: datetime
    day: date  # the learner's own
    seconds: float | None = None
    raw: str | None = None  # what was typed, where a card asks for a number
    misconception: str | None = None
    state: str  # before
    interval_days: int  # how long it was to be kept, before
    first: bool  # the first review of this card on that day
    retention: float
    scheduler: str = Field(foreign_key="scheduler_version.hash")
    before: str
    after: str
    undone_at: datetime | None = None


class OwnCard(SQLModel, table=True):
    """A card that somebody wrote; in the deck it is `own:<id>`. `source`: the page it was made from.

    A deleted one loses its words but keeps its row: ids in the log may never name another card.
    """

    __tablename__ = "own_card"

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE", index=True)
    front: str
    back: str
    tags: str  # in order, with single spaces between
    source: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


class OwnCourse(SQLModel, table=True):
    """Items and small lessons that a teacher wrote, as one YAML text; its ids are `own-<id>:…`.

    `share_token` stands in the link for other teachers. A deleted one keeps its row: results name it.
    """

    __tablename__ = "own_course"

    id: int | None = Field(default=None, primary_key=True)
    learner_id: int = Field(foreign_key="learner.id", ondelete="CASCADE", index=True)
    title: str
    text: str
    share_token: str | None = Field(default=None, unique=True)
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


class Assignment(SQLModel, table=True):
    """作业. A draft until `published_at`, closed from `closed_at` on.

    `pair` names the 前测 that a 后测 belongs to (the 前测 itself names its own id), `form` says which it is.
    """

    __table_args__ = (Index(None, "classroom_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    classroom_id: int = Field(foreign_key="classroom.id", ondelete="CASCADE")
    title: str
    note: str = ""  # what the teacher wants to say to it
    seed: int
    everyone: bool = True  # else only whom `assignee` names
    opens_at: datetime | None = None
    due_at: datetime | None = None
    late_until: datetime | None = None  # None: nothing is taken after `due_at`
    late_factor: float = 1.0  # what a late mark is multiplied with
    passes: int = 1  # how often it may be handed in; 0: as often as one likes
    tries: int = 1  # at a question within one pass, while answers are shown at once; 0: no limit
    hints: bool = True
    answers: str = "handed_in"  # when they are shown: at_once | handed_in | due | never
    counts: str = "best"  # which submission: best | last | first
    form: str | None = None  # pre | post
    pair: int | None = Field(default=None, index=True)
    created_at: datetime
    published_at: datetime | None = None
    closed_at: datetime | None = None


class AssignmentPart(SQLModel, table=True):
    """What is to be done, in order. `ref` by kind: `item` content:dcg-at-3 or own-42:dcg; `practice` the
    exercise, content:dcg; `section` content:concepts/sweetness; `cards` the stage, content:concepts; `game`
    duel or monster. `count`: variants, reviews; `same`: one variant for all."""

    __tablename__ = "assignment_part"
    __table_args__ = (Index(None, "assignment_id", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignment.id", ondelete="CASCADE")
    position: int
    kind: str  # item | practice | section | cards | game
    ref: str
    level: int = 0
    count: int = 1
    same: bool = False
    points: float = 1.0  # for each question


class Assignee(SQLModel, table=True):
    """Who is to do an assignment that is not for everyone."""

    __table_args__ = (UniqueConstraint("assignment_id", "enrolment_id"),)

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignment.id", ondelete="CASCADE")
    enrolment_id: int = Field(foreign_key="enrolment.id", ondelete="CASCADE", index=True)


class Submission(SQLModel, table=True):
    """One pass through an assignment: begun with its attempt, handed in once. `points` of `total` then.

    `factor`: what being late costs. `parts` is JSON, part id to points. Points follow from the responses and
    from `re_mark`; they are kept here because a gradebook reads thousands of them.
    """

    __table_args__ = (UniqueConstraint("assignment_id", "enrolment_id", "number"),)

    attempt_id: int = Field(primary_key=True, foreign_key="attempt.id", ondelete="CASCADE")
    assignment_id: int = Field(foreign_key="assignment.id", ondelete="CASCADE")
    enrolment_id: int = Field(foreign_key="enrolment.id", ondelete="CASCADE", index=True)
    number: int
    started_at: datetime
    handed_in_at: datetime | None = None
    collected: bool = False  # handed in by the teacher, when time was up
    points: float | None = None
    total: float | None = None
    factor: float = 1.0
    parts: str = "{}"


class SavedAnswer(SQLModel, table=True):
    """What stands in a question that is not handed in yet. Replaced at each save; marked at hand-in."""

    __tablename__ = "saved_answer"
    __table_args__ = (UniqueConstraint("attempt_id", "item"),)

    id: int | None = Field(default=None, primary_key=True)
    attempt_id: int = Field(foreign_key="attempt.id", ondelete="CASCADE")
    item: str
    raw: str  # JSON list of strings, as they came
    seconds: int | None = None
    saved_at: datetime


class Extension(SQLModel, table=True):
    """Another time for one student; the latest row counts."""

    __table_args__ = (Index(None, "assignment_id", "enrolment_id"),)

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignment.id", ondelete="CASCADE")
    enrolment_id: int = Field(foreign_key="enrolment.id", ondelete="CASCADE")
    due_at: datetime | None  # None: the extension was taken back
    note: str
    created_at: datetime


class MarkOverride(SQLModel, table=True):
    """A mark that the teacher set by hand; the latest row counts."""

    __tablename__ = "mark_override"
    __table_args__ = (Index(None, "assignment_id", "enrolment_id"),)

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignment.id", ondelete="CASCADE")
    enrolment_id: int = Field(foreign_key="enrolment.id", ondelete="CASCADE")
    points: float | None  # None: the computed mark counts again
    reason: str
    created_at: datetime


class ReMark(SQLModel, table=True):
    """重新评分: how a response is judged since an item was corrected. The response itself stays as it was."""

    __tablename__ = "re_mark"

    id: int | None = Field(default=None, primary_key=True)
    response_id: int = Field(foreign_key="response.id", ondelete="CASCADE", index=True)
    verdict: str
    score: float
    misconception: str | None = None
    item_version: str = Field(foreign_key="item_version.hash")
    created_at: datetime


class PartGrant(SQLModel, table=True):
    """全员给分: a part of an assignment that was faulty counts in full for everybody; the latest row counts.

    It holds also for who left a question blank, and for who hands in later.
    """

    __tablename__ = "part_grant"

    id: int | None = Field(default=None, primary_key=True)
    part_id: int = Field(foreign_key="assignment_part.id", ondelete="CASCADE", index=True)
    granted: bool  # False: taken back
    reason: str
    created_at: datetime


class Audit(SQLModel, table=True):
    """What a teacher did to marks and times. Only added to; of a student who goes, `detail` is emptied."""

    __table_args__ = (Index(None, "classroom_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    classroom_id: int = Field(foreign_key="classroom.id", ondelete="CASCADE")
    assignment_id: int | None = Field(default=None, foreign_key="assignment.id", ondelete="CASCADE")
    enrolment_id: int | None = Field(default=None, foreign_key="enrolment.id", ondelete="CASCADE")
    actor_id: int | None = Field(default=None, foreign_key="learner.id", ondelete="SET NULL", index=True)
    action: str  # publish | close | collect | due | extension | override | regrade | …
    detail: str  # JSON: what it was, what it became, why
    created_at: datetime


def table(model: type[SQLModel]) -> Table:
    """The SQLAlchemy table of a model: verbs write their statements on its columns, `table(Learner).c.id`."""
    found: Table = model.__table__  # type: ignore[attr-defined]
    return found
