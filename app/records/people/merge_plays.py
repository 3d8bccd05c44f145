"""A guest's plays move into an account. Of a play that both began, the one that came further is shown."""

from sqlalchemy import ColumnElement, func, select, tuple_, update

from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.games.tables import GameMove

MOVE = table(GameMove)
BOARD = (MOVE.c.game, MOVE.c.level, MOVE.c.seed)
Board = tuple[str, int, int]
"""Game, level and seed of a play."""


def merge_plays(session: VerbSession, guest: int, account: int) -> None:
    """All moves of the guest. The shorter of two plays is kept at positions below 0, which no board shows."""
    lengths_of_account = lengths(session, account)
    for board, length in lengths(session, guest).items():
        if board not in lengths_of_account:
            continue
        shorter = guest
        if lengths_of_account[board] < length:
            shorter = account
        set_aside(session, shorter, board, lowest_position(session, account, board))
    session.execute(update(MOVE).where(MOVE.c.learner_id == guest).values(learner_id=account))


def lengths(session: VerbSession, learner_id: int) -> dict[Board, int]:
    """How many moves each play has."""
    moves = (MOVE.c.learner_id == learner_id, MOVE.c.position > 0)
    length = func.max(MOVE.c.position).label("length")
    rows = session.execute(select(*BOARD, length).where(*moves).group_by(*BOARD))
    return {(row.game, row.level, row.seed): row.length for row in rows}


def lowest_position(session: VerbSession, learner_id: int, board: Board) -> int:
    """Where the plays set aside before end; 0 where there are none."""
    moves = (MOVE.c.learner_id == learner_id, is_on(board))
    lowest = session.execute(select(func.min(MOVE.c.position)).where(*moves)).scalar()
    return min(0, lowest or 0)


def set_aside(session: VerbSession, learner_id: int, board: Board, below: int) -> None:
    moves = (MOVE.c.learner_id == learner_id, MOVE.c.position > 0, is_on(board))
    session.execute(update(MOVE).where(*moves).values(position=below - MOVE.c.position))


def is_on(board: Board) -> ColumnElement[bool]:
    return tuple_(*BOARD) == board
