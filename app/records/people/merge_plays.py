"""A guest's plays of the games move into an account."""

from sqlalchemy import and_, func, select, tuple_

from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.games.plays import GAME_MOVE
from app.records.games.tables import GameMove
from app.records.people.bulk_changes import Condition, change_rows

GAME_MOVE_TABLE = table(GameMove)
PLAY_KEY = (GAME_MOVE.game, GAME_MOVE.level, GAME_MOVE.seed)
PlayKey = tuple[str, int, int]
"""Game, level and seed of a play."""


def merge_plays(session: VerbSession, guest_id: int, account_id: int) -> None:
    """All moves of the guest. The shorter of two plays is kept at positions below 0, which no page shows."""
    account_count_by_play = move_count_by_play(session, account_id)
    guest_count_by_play = move_count_by_play(session, guest_id)
    for play_key, guest_move_count in guest_count_by_play.items():
        if play_key not in account_count_by_play:
            continue
        shorter_owner_id = guest_id
        if account_count_by_play[play_key] < guest_move_count:
            shorter_owner_id = account_id
        lowest_of_account = lowest_position(session, account_id, play_key)
        put_shown_moves_below(session, shorter_owner_id, play_key, lowest_of_account)
    change_rows(session, GAME_MOVE_TABLE, GAME_MOVE.learner_id == guest_id, learner_id=account_id)


def move_count_by_play(session: VerbSession, learner_id: int) -> dict[PlayKey, int]:
    """How many moves each play of a learner has, by play."""
    move_count = func.max(GAME_MOVE.position).label("move_count")
    is_of_learner = and_(GAME_MOVE.learner_id == learner_id, GAME_MOVE.position > 0)
    shown_moves_query = select(*PLAY_KEY, move_count).where(is_of_learner)
    count_by_play: dict[PlayKey, int] = {}
    move_counts_query = shown_moves_query.group_by(*PLAY_KEY)
    for play_row in session.execute(move_counts_query):
        play_key = (play_row.game, play_row.level, play_row.seed)
        count_by_play[play_key] = play_row.move_count
    return count_by_play


def lowest_position(session: VerbSession, learner_id: int, play_key: PlayKey) -> int:
    """Where the plays set aside before end; 0 where there are none."""
    is_of_play = and_(GAME_MOVE.learner_id == learner_id, is_move_of_play(play_key))
    lowest_position_query = select(func.min(GAME_MOVE.position)).where(is_of_play)
    position = session.execute(lowest_position_query).scalar() or 0
    return min(0, position)


def put_shown_moves_below(
    session: VerbSession, learner_id: int, play_key: PlayKey, lowest_used_position: int
) -> None:
    """Put the shown moves of a play below this position, in their order downwards."""
    is_shown_move = and_(
        GAME_MOVE.learner_id == learner_id, GAME_MOVE.position > 0, is_move_of_play(play_key)
    )
    positions_below = lowest_used_position - GAME_MOVE.position
    change_rows(session, GAME_MOVE_TABLE, is_shown_move, position=positions_below)


def is_move_of_play(play_key: PlayKey) -> Condition:
    return tuple_(*PLAY_KEY) == play_key
