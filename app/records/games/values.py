"""What the verbs on plays take and give: frozen values. A row is a NamedTuple."""

from datetime import date, datetime
from typing import Literal, NamedTuple, Protocol

from app.course.games.moves import JudgedMove

Game = Literal["duel", "monster", "judging", "interleaving", "pushing"]


class Play(NamedTuple):
    """Which play of which game: `level` is 0 where a game has none."""

    game: Game
    level: int
    seed: int


class Move(NamedTuple):
    """A move as it came. `position` makes a double click harmless."""

    position: int
    move: str
    raw: str = ""


class MoveRow(NamedTuple):
    """A move as it came, and what it came to."""

    position: int
    move: str
    raw: str
    step: str
    verdict: str
    value: str | None
    misconception_code: str | None
    outcome: str | None
    score: int | None
    total: int | None
    created_at: datetime


class Judge(Protocol):
    def judge(self, moves: tuple[MoveRow, ...], move: str, raw_answer: str, /) -> JudgedMove | None:
        """What a further move comes to; None: not to be made now. Raises what it likes if unreadable."""
        ...


class PlayData(NamedTuple):
    """A play as far as it has come. `token` is that of the sign-in a move was made with; `is_of_today`:
    whether it is the one of the learner's day."""

    moves: tuple[MoveRow, ...] = ()
    learner_id: int | None = None
    token: str = ""
    is_of_today: bool = False


class PlayRow(NamedTuple):
    """A play in a list: how many moves it has, and its result once it has ended."""

    game: Game
    level: int
    seed: int
    move_count: int
    outcome: str | None
    score: int | None
    total: int | None


class RecentPlays(NamedTuple):
    """The last plays of a learner and those that stand out, the latest first; and the learner's day."""

    today: date
    learner_id: int | None = None
    plays: tuple[PlayRow, ...] = ()
