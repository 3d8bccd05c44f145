"""A guest's plays of the games move into an account."""

from sqlalchemy import and_, func, select, tuple_

from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.games.tables import GameMove
from app.records.people.bulk_changes import Condition, change

MOVES = table(GameMove)
MOVE = MOVES.c
BOARD = (MOVE.game, MOVE.level, MOVE.seed)
Board = tuple[str, int, int]
"""Game, level and seed of a play."""


def merge_plays(session: VerbSession, guest_id: int, account_id: int) -> None:
    """All moves of the guest. The shorter of two plays is kept at positions below 0, which no board shows."""
    lengths_of_account = lengths(session, account_id)
    lengths_of_guest = lengths(session, guest_id)
    for board, length in lengths_of_guest.items():
        if board not in lengths_of_account:
            continue
        owner_of_shorter = guest_id
        if lengths_of_account[board] < length:
            owner_of_shorter = account_id
        first_free_position = lowest_position(session, account_id, board)
        set_aside(session, owner_of_shorter, board, first_free_position)
    change(session, MOVES, MOVE.learner_id == guest_id, learner_id=account_id)


def lengths(session: VerbSession, learner_id: int) -> dict[Board, int]:
    """How many moves each play has."""
    length = func.max(MOVE.position).label("length")
    is_of_learner = and_(MOVE.learner_id == learner_id, MOVE.position > 0)
    shown_moves = select(*BOARD, length).where(is_of_learner)
    lengths_by_board: dict[Board, int] = {}
    moves_by_board = shown_moves.group_by(*BOARD)
    for play in session.execute(moves_by_board):
        board = (play.game, play.level, play.seed)
        lengths_by_board[board] = play.length
    return lengths_by_board


def lowest_position(session: VerbSession, learner_id: int, board: Board) -> int:
    """Where the plays set aside before end; 0 where there are none."""
    on_board = and_(MOVE.learner_id == learner_id, is_on(board))
    lowest_on_board = func.min(MOVE.position)
    lowest = select(lowest_on_board).where(on_board)
    position = session.execute(lowest).scalar() or 0
    return min(0, position)


def set_aside(session: VerbSession, learner_id: int, board: Board, lowest: int) -> None:
    is_shown_move = and_(MOVE.learner_id == learner_id, MOVE.position > 0, is_on(board))
    positions_below = lowest - MOVE.position
    change(session, MOVES, is_shown_move, position=positions_below)


def is_on(board: Board) -> Condition:
    return tuple_(*BOARD) == board
