"""What goes into the verbs and what comes out: frozen values, never live rows. A row is a NamedTuple.

`ref`, `stage`, `item` are qualified names of content (`content:concepts`); times are aware UTC; `position`,
`step`, `round` and `try_number` count from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple, Protocol

from app.course.asking import stopped
from app.course.mastery import Standing
from app.course.notebook import Notebook
from app.course.recommending import Advice
from app.course.scoring import Score

Source = Literal["lesson", "practice", "assignment"]
Verdict = Literal["right", "wrong", "shown"]


# Who asks, and what they send.


@dataclass(frozen=True, slots=True)
class Who:
    """Who is asking: the sign-in token of the cookie, and the one that the form proposes to a newcomer.

    >>> Who.known("abc")
    Who(token='abc', proposal=None)
    """

    token: str | None = None
    proposal: str | None = None

    @classmethod
    def known(cls, token: str) -> "Who":
        return cls(token=token)


@dataclass(frozen=True, slots=True)
class Target:
    """Which attempt is meant: one by its id, or the present round of a lesson or of an example.

    `seed` (0 .. 2**31 - 1) is kept when the attempt has to be made, and ignored when it is there.
    """

    attempt_id: int | None = None
    source: Source = "lesson"
    ref: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What was typed or chosen, as it came. `try_number` makes a double click harmless."""

    item: str
    try_number: int
    raw: tuple[str, ...]
    seconds: int | None = None


# What the course must be able to do: mark an answer, and give the body of an item to be frozen.


class Mark(Protocol):
    @property
    def verdict(self) -> Literal["right", "wrong"]: ...
    @property
    def score(self) -> float: ...
    @property
    def value(self) -> str | None: ...
    @property
    def misconception(self) -> str | None: ...


class Marker(Protocol):
    def mark(
        self, item: str, seed: int, raw: tuple[str, ...], tries: int, before: tuple[str, ...], /
    ) -> Mark:
        """`tries`: 1 for the first answer; `before`: the one before, empty where there is none.

        Raises what it likes when the answer is unreadable.
        """
        ...

    def version(self, item: str, seed: int, /) -> tuple[str, str]:
        """The hash of the item's body (the variant's, where a seed makes one); the body as JSON text."""
        ...


# What comes back.


@dataclass(frozen=True, slots=True)
class Arrival:
    """A learner who is known now, and the token that proves it (the web sets the cookie when it differs)."""

    learner_id: int
    token: str


@dataclass(frozen=True, slots=True)
class Code:
    token: str
    code: str


class AccountRow(NamedTuple):
    """An account without its secret."""

    learner_id: int
    login: str
    teacher: bool
    created_at: datetime
    disabled_at: datetime | None


class Device(NamedTuple):
    """A browser that is signed in; `id` 0 is never one."""

    id: int
    device: str | None
    created_at: datetime
    here: bool = False


@dataclass(frozen=True, slots=True)
class Present:
    """Who is here: nobody (`learner_id` None), a guest (`account` None), or an account."""

    learner_id: int | None = None
    account: AccountRow | None = None

    @property
    def guest(self) -> bool:
        return self.learner_id is not None and self.account is None

    @property
    def teacher(self) -> bool:
        return self.account is not None and self.account.teacher


class OwnCourseRow(NamedTuple):
    """What a teacher wrote. `share_token` is that of its link, where there is one."""

    id: int
    title: str
    text: str
    share_token: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class OwnLook:
    """Own content as somebody reaches it: `mine`, or that of `author`."""

    row: OwnCourseRow
    mine: bool
    author: str


class ClassRow(NamedTuple):
    """A class. `code` opens joining until `code_until`."""

    id: int
    name: str
    created_at: datetime
    archived_at: datetime | None
    code: str
    code_until: datetime | None

    def is_open(self, now: datetime) -> bool:
        """Whether its code lets people in."""
        return self.archived_at is None and self.code_until is not None and now < self.code_until


class Student(NamedTuple):
    """A place in a class; `login` is None once the account was deleted."""

    id: int
    learner_id: int
    name: str
    number: str
    joined_at: datetime
    removed_at: datetime | None
    login: str | None


class Taught(NamedTuple):
    """A class in the list of its teacher."""

    id: int
    name: str
    archived_at: datetime | None
    students: int


class Joined(NamedTuple):
    """A class in the list of a student; once it is archived, only its own page is left."""

    id: int
    name: str
    teacher: str
    archived_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of who is here."""

    present: Present
    taught: tuple[Taught, ...] = ()
    joined: tuple[Joined, ...] = ()


class Last(NamedTuple):
    """How far a learner is in the stage worked at last."""

    stage: str
    section: str
    done: bool
    at: datetime


Firsts = Mapping[str, int]
"""How often each item was met by a first try: `+content:x` right and without a hint, `-content:x` not."""


@dataclass(frozen=True, slots=True)
class ClassLook:
    """A class with its students, the removed ones apart; `last` and `firsts` by learner."""

    row: ClassRow
    students: tuple[Student, ...] = ()
    removed: tuple[Student, ...] = ()
    last: Mapping[int, Last] = field(default_factory=dict)
    seen: Mapping[int, datetime] = field(default_factory=dict)
    firsts: Mapping[int, Firsts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Door:
    """A class as somebody sees it who comes with its code; `enrolled`: the name of who is here in it.

    `removed`: that was so, until the teacher took them out.
    """

    row: ClassRow
    teacher: str
    present: Present
    enrolled: str | None = None
    removed: bool = False


class PieceOfWork(NamedTuple):
    """An attempt in the list of what a student did."""

    id: int
    source: Source
    ref: str
    round: int
    created_at: datetime
    last_at: datetime
    items: int
    right: int


@dataclass(frozen=True, slots=True)
class StudentLook:
    """A student as the teacher sees them. `assignments`: titles of those of the class, by number."""

    row: ClassRow
    student: Student
    progress: "ProgressLook"
    works: tuple[PieceOfWork, ...] = ()
    firsts: Firsts = field(default_factory=dict)
    assignments: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mine:
    """What the page 我的 shows."""

    present: Present
    resume_code: str | None = None
    devices: tuple[Device, ...] = ()


class ResponseRow(NamedTuple):
    item: str
    try_number: int
    raw: tuple[str, ...]
    value: str | None
    verdict: Verdict
    score: float
    misconception: str | None
    hints: int
    seconds: int | None
    item_version: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ItemLog:
    """All that happened to an item (and its family) in one attempt. `hints`: item -> how many are open.

    `ref` is that of the attempt, once there is one. `learner_id` is None where a mere look found nobody.
    """

    token: str
    attempt_id: int
    seed: int
    round: int
    item: str
    responses: tuple[ResponseRow, ...] = ()
    hints: Mapping[str, int] = field(default_factory=dict)
    learner_id: int | None = None
    ref: str = ""

    def of(self, item: str) -> tuple[ResponseRow, ...]:
        """The responses to one item, oldest first."""
        return tuple(row for row in self.responses if row.item == item)

    def last(self, item: str) -> tuple[str, ...]:
        """The last answer to one item, as it came; empty while there is none."""
        here = self.of(item)
        return here[-1].raw if here else ()

    def takes(self, try_number: int) -> bool:
        """Whether this is the try that comes next: no repetition, not after the end, not after guesses."""
        here = self.of(self.item)
        ended = any(row.verdict != "wrong" for row in here) or stopped(self.ref, here)
        return try_number == len(here) + 1 and not ended


class AttemptRow(NamedTuple):
    id: int
    source: Source
    ref: str
    round: int
    seed: int
    created_at: datetime
    shown_from: datetime | None = None

    def is_sealed(self, now: datetime) -> bool:
        """Whether the learner may not see yet how it went."""
        return self.shown_from is not None and now < self.shown_from


@dataclass(frozen=True, slots=True)
class AttemptLook:
    """An attempt as it was: `versions` holds the frozen body (JSON text) of every item answered, by hash."""

    attempt: AttemptRow
    responses: tuple[ResponseRow, ...]
    hints: Mapping[str, int]
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PractisedLook:
    """Verdicts by item, in the order of the answers. `learner_id` is None for a reader who is not known."""

    learner_id: int | None = None
    verdicts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Guessed(NamedTuple):
    """A question that was guessed at, and the attempt in which it was."""

    item: str
    seed: int
    attempt_id: int


@dataclass(frozen=True, slots=True)
class PracticeLook:
    """Where a learner stands with every knowledge point, what comes next, what practice has earned.

    `guessed`: what was merely guessed at a moment ago.
    """

    today: date
    standings: Mapping[str, Standing]
    advice: Advice | None
    learner_id: int | None = None
    score: Score = field(default_factory=Score)
    guessed: Guessed | None = None


class WrongAnswer(NamedTuple):
    """A wrong answer as it was given, to the variant of a seed."""

    item: str
    attempt_id: int
    seed: int
    raw: tuple[str, ...]
    tries: int


@dataclass(frozen=True, slots=True)
class MistakesLook:
    """错题本: its entries, and by number those answers that are shown; None where its question is gone."""

    learner_id: int | None = None
    notebook: Notebook = field(default_factory=lambda: Notebook((), (), {}))
    answers: Mapping[int, WrongAnswer | None] = field(default_factory=dict)


class Guess(NamedTuple):
    """What was guessed before a position was opened; no `guess` is 直接看."""

    position: int
    guess: str | None = None
    right: bool | None = None
    misconception: str | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """How far an opening sequence has come in its present round. `shown` 0: nothing is open yet."""

    round: int = 1
    shown: int = 0
    guesses: tuple[Guess, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened(Opening):
    token: str = ""


class PlaceRow(NamedTuple):
    """The furthest step opened in a section, in one round."""

    stage: str
    section: str
    round: int
    step: int
    done: bool
    updated_at: datetime


class Place(NamedTuple):
    """What `keep` and `again` return: the row as it is now, and the token."""

    stage: str
    section: str
    round: int
    step: int
    done: bool
    updated_at: datetime
    token: str


@dataclass(frozen=True, slots=True)
class LessonLook:
    """All that a page of a lesson must know about its reader, for the present round."""

    learner_id: int | None = None
    round: int = 1
    places: tuple[PlaceRow, ...] = ()
    attempt: AttemptRow | None = None
    responses: tuple[ResponseRow, ...] = ()
    hints: Mapping[str, int] = field(default_factory=dict)
    reveals: Mapping[str, Opening] = field(default_factory=dict)
    collected: frozenset[str] = frozenset()

    def place(self, section: str) -> PlaceRow | None:
        return next((row for row in self.places if row.section == section), None)

    def of(self, item: str) -> tuple[ResponseRow, ...]:
        """The responses to one item, oldest first."""
        return tuple(row for row in self.responses if row.item == item)


@dataclass(frozen=True, slots=True)
class ExampleLook:
    learner_id: int | None = None
    round: int = 1
    shown: int = 0
    guesses: tuple[Guess, ...] = ()
    attempt: AttemptRow | None = None
    responses: tuple[ResponseRow, ...] = ()
    hints: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WarmUpLook:
    """The warm-up of a `day`: item and verdict of all `answers` on the last day of learning before it."""

    learner_id: int | None = None
    day: date | None = None
    answers: tuple[tuple[str, str], ...] = ()
    attempt: AttemptRow | None = None
    responses: tuple[ResponseRow, ...] = ()
    hints: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StageCount:
    """Items of one stage in its present round: right at the first try, right later, or not right (yet)."""

    stage: str
    right: int = 0
    corrected: int = 0
    wrong: int = 0

    @property
    def answered(self) -> int:
        return self.right + self.corrected + self.wrong


@dataclass(frozen=True, slots=True)
class ProgressLook:
    """What a learner has done so far. `places`: the last one is where they were last, in any course; `days`:
    the learner's own days with something done; `learning`: the time between one action and the next.
    """

    learner_id: int | None = None
    places: tuple[PlaceRow, ...] = ()
    stages: tuple[StageCount, ...] = ()
    days: tuple[date, ...] = ()
    learning: timedelta = timedelta()


# Games.

Game = Literal["duel", "monster"]


@dataclass(frozen=True, slots=True)
class Play:
    """Which play of which game: `level` is 0 where a game has none."""

    game: Game
    level: int
    seed: int


@dataclass(frozen=True, slots=True)
class Move:
    """A move as it came. `position` makes a double click harmless."""

    position: int
    move: str
    raw: str = ""


class Judged(Protocol):
    @property
    def step(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def value(self) -> str | None: ...
    @property
    def misconception(self) -> str | None: ...
    @property
    def outcome(self) -> str | None: ...
    @property
    def score(self) -> int | None: ...
    @property
    def total(self) -> int | None: ...


class MoveRow(NamedTuple):
    position: int
    move: str
    raw: str
    step: str
    verdict: str
    value: str | None
    misconception: str | None
    outcome: str | None
    score: int | None
    total: int | None
    created_at: datetime


class Judge(Protocol):
    def judge(self, moves: tuple[MoveRow, ...], move: str, raw: str, /) -> Judged | None:
        """What a further move comes to; None: not to be made now. Raises what it likes if unreadable."""
        ...


@dataclass(frozen=True, slots=True)
class PlayLook:
    """A play as far as it has come. `learner_id` is told by mere looks, `token` by moves."""

    moves: tuple[MoveRow, ...] = ()
    learner_id: int | None = None
    token: str = ""


class PlayRow(NamedTuple):
    """A play in a list: how many moves it has, and its result once it has ended."""

    game: Game
    level: int
    seed: int
    moves: int
    outcome: str | None
    score: int | None
    total: int | None
    played_at: datetime


@dataclass(frozen=True, slots=True)
class PlaysLook:
    """The last plays of a learner, the latest first."""

    learner_id: int | None = None
    plays: tuple[PlayRow, ...] = ()


class Report(NamedTuple):
    id: int
    learner_id: int | None
    item: str
    text: str
    page: str
    created_at: datetime
