"""Plays of games, move by move: how one stands follows from its seed and these."""

from datetime import datetime

from sqlalchemy import and_, bindparam, case, func, or_, select

from app.course.games.days import day_of_seed, seed_of_day
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.activity import learning_days
from app.records.db.days import day_of
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery, columns_of, prepared_insert
from app.records.games.tables import GameMove
from app.records.games.values import Judge, Move, MoveRow, Play, PlayData, PlayRow, RecentPlays

MOST_LISTED_PLAYS = 24
"""So many of the last plays a list has, beside those that stand out."""

GAME_MOVE = table(GameMove).c
IS_MOVE_OF_LEARNER = and_(GAME_MOVE.learner_id == bindparam("learner"), GAME_MOVE.position > 0)
"""The moves of a learner; what a merge of two accounts set aside lies below position 1."""


ADD_MOVE = prepared_insert(GameMove)


def make_move(
    session: VerbSession, caller: Caller, play: Play, sent_move: Move, judge: Judge, now: datetime
) -> PlayData:
    """Make a move, if it is the next one and may be made; any other changes nothing.

    What the judge cannot read raises what the judge raises, and nothing is written.
    """
    known_learner = learners.find_or_add_learner(session, caller, now)
    moves = moves_of(session, known_learner.learner_id, play)
    judged_move = None
    if sent_move.position == len(moves) + 1:
        judged_move = judge.judge(moves, sent_move.move, sent_move.raw)
    if judged_move is not None:
        move_row = MoveRow(**sent_move._asdict(), **judged_move._asdict(), created_at=now)
        session.run(ADD_MOVE, learner_id=known_learner.learner_id, **play._asdict(), **move_row._asdict())
        learning_days.record_activity(session, known_learner.learner_id, now, caller)
        moves = (*moves, move_row)
    is_of_today = is_play_of_today(session, known_learner.learner_id, play, now)
    return PlayData(moves, known_learner.learner_id, known_learner.token, is_of_today)


def load_play(session: VerbSession, caller: Caller, play: Play, now: datetime) -> PlayData:
    """A play as far as this learner has come; changes nothing."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return PlayData()
    is_of_today = is_play_of_today(session, learner_id, play, now)
    return PlayData(moves_of(session, learner_id, play), learner_id, is_of_today=is_of_today)


def is_play_of_today(session: VerbSession, learner_id: int, play: Play, now: datetime) -> bool:
    """Whether it is the play of the learner's day; of a seed that is no date nothing is asked."""
    day_of_play = day_of_seed(play.seed)
    if day_of_play is None:
        return False
    return day_of_play == day_of(now, learners.time_zone_of(session, learner_id))


MOVES_OF_PLAY = RowQuery(
    MoveRow,
    select(*columns_of(GameMove, MoveRow))
    .where(
        IS_MOVE_OF_LEARNER,
        GAME_MOVE.game == bindparam("game"),
        GAME_MOVE.level == bindparam("level"),
        GAME_MOVE.seed == bindparam("seed"),
    )
    .order_by(GAME_MOVE.position),
)


def moves_of(session: VerbSession, learner_id: int, play: Play) -> tuple[MoveRow, ...]:
    return tuple(session.all(MOVES_OF_PLAY, learner=learner_id, **play._asdict()))


PLAY_COLUMNS = (
    GAME_MOVE.game,
    GAME_MOVE.level,
    GAME_MOVE.seed,
    func.max(GAME_MOVE.position).label("move_count"),
    func.max(GAME_MOVE.outcome).label("outcome"),
    func.max(GAME_MOVE.score).label("score"),
    func.max(GAME_MOVE.total).label("total"),
)
PLAY = (
    select(*PLAY_COLUMNS, func.max(GAME_MOVE.id).label("last_move_id"))
    .where(IS_MOVE_OF_LEARNER)
    .group_by(GAME_MOVE.game, GAME_MOVE.level, GAME_MOVE.seed)
    .subquery()
)
BEST_FIRST = (case((PLAY.c.outcome == "won", 1), else_=0).desc(), func.coalesce(PLAY.c.score, -1).desc())
LATEST_FIRST = PLAY.c.last_move_id.desc()
RANKED_PLAY = select(
    PLAY,
    func.row_number().over(order_by=LATEST_FIRST).label("recency"),
    func.row_number().over(partition_by=PLAY.c.game, order_by=LATEST_FIRST).label("recency_in_game"),
    func.row_number().over(partition_by=(PLAY.c.game, PLAY.c.level), order_by=BEST_FIRST).label("place"),
).subquery()
RECENT_PLAYS = RowQuery(
    PlayRow,
    select(*(RANKED_PLAY.c[column.name] for column in PLAY_COLUMNS))
    .where(
        or_(
            RANKED_PLAY.c.recency <= MOST_LISTED_PLAYS,
            RANKED_PLAY.c.recency_in_game == 1,
            and_(RANKED_PLAY.c.place == 1, RANKED_PLAY.c.outcome.is_not(None)),
            RANKED_PLAY.c.seed == bindparam("seed_of_today"),
        )
    )
    .order_by(RANKED_PLAY.c.last_move_id.desc()),
)


def load_recent_plays(session: VerbSession, caller: Caller, now: datetime) -> RecentPlays:
    """The last plays with their results; and of whichever age the last of each game, the best of each level,
    and those of today's seed."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return RecentPlays(learners.day_of_newcomer(now))
    today = day_of(now, learners.time_zone_of(session, learner_id))
    play_rows = session.all(RECENT_PLAYS, learner=learner_id, seed_of_today=seed_of_day(today))
    return RecentPlays(today, learner_id, tuple(play_rows))
