"""A guest's plays move into an account. Of a play that both began, the one that came further is shown."""

from sqlalchemy import ColumnElement, func, select, update

from app.records.db.metadata import table
from app.records.db.session import Row, VerbSession
from app.records.games.tables import GameMove

moves = table(GameMove)
board = (moves.c.game, moves.c.level, moves.c.seed)
Board = tuple[str, int, int]


def merge_games(session: VerbSession, guest: int, into: int) -> None:
    """All moves of the guest. The shorter of two plays is kept at positions below 0, which no board shows."""
    ours, theirs = lengths(session, into), lengths(session, guest)
    for play in ours.keys() & theirs.keys():
        set_aside(session, guest if ours[play] >= theirs[play] else into, play, lowest(session, into, play))
    session.execute(update(moves).where(moves.c.learner_id == guest).values(learner_id=into))


def lengths(session: VerbSession, learner_id: int) -> dict[Board, int]:
    """How many moves each play has."""
    mine = (moves.c.learner_id == learner_id, moves.c.position > 0)
    found = select(*board, func.max(moves.c.position)).where(*mine).group_by(*board)
    rows: list[Row] = [tuple(row) for row in session.execute(found)]
    return {(game, level, seed): length for game, level, seed, length in rows}


def lowest(session: VerbSession, learner_id: int, play: Board) -> int:
    """Where the plays set aside before end; 0 where there are none."""
    found = select(func.min(moves.c.position)).where(moves.c.learner_id == learner_id, *here(play))
    return min(0, session.execute(found).scalar() or 0)


def set_aside(session: VerbSession, learner_id: int, play: Board, below: int) -> None:
    shown = (moves.c.learner_id == learner_id, moves.c.position > 0, *here(play))
    session.execute(update(moves).where(*shown).values(position=below - moves.c.position))


def here(play: Board) -> list[ColumnElement[bool]]:
    return [column == value for column, value in zip(board, play, strict=True)]
