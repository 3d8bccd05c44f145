"""Plays of games, move by move: what is on a board follows from its seed and these."""

from datetime import datetime

from sqlalchemy import and_, bindparam, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.games.tables import GameMove
from app.records.games.values import Judge, Move, MoveRow, Play, PlayData, PlayRow, RecentPlays

LISTED = 24
"""As many plays as a list shows at most."""

made = table(GameMove).c
mine = and_(made.learner_id == bindparam("learner"), made.position > 0)  # what a merge set aside lies below
here = (made.game == bindparam("game"), made.level == bindparam("level"), made.seed == bindparam("seed"))

MOVES = Prepared(select(*[made[name] for name in MoveRow._fields]).where(mine, *here).order_by(made.position))
played_at = func.max(made.created_at, type_=made.created_at.type)
PLAYS = Prepared(
    select(
        made.game,
        made.level,
        made.seed,
        func.max(made.position),
        func.max(made.outcome),
        func.max(made.score),
        func.max(made.total),
        played_at,
    )
    .where(mine)
    .group_by(made.game, made.level, made.seed)
    .order_by(func.max(made.id).desc())
    .limit(LISTED)
)
ADD = adding(GameMove)


def move(session: VerbSession, who: Caller, play: Play, sent: Move, judge: Judge, now: datetime) -> PlayData:
    """Make a move, if it is the next one and may be made; any other changes nothing.

    What the judge cannot read raises what the judge raises, and nothing is written.
    """
    arrival = learners.arrive(session, who, now)
    before = of(session, arrival.learner_id, play)
    look = PlayData(before, arrival.learner_id, arrival.token)
    if sent.position != len(before) + 1:
        return look
    judged = judge.judge(before, sent.move, sent.raw)
    if judged is None:
        return look
    row = MoveRow(
        position=sent.position,
        move=sent.move,
        raw=sent.raw,
        step=judged.step,
        verdict=judged.verdict,
        value=judged.value,
        misconception=judged.misconception,
        outcome=judged.outcome,
        score=judged.score,
        total=judged.total,
        created_at=now,
    )
    values = {"game": play.game, "level": play.level, "seed": play.seed, **row._asdict()}
    session.run(ADD, learner_id=arrival.learner_id, **values)
    return PlayData((*before, row), arrival.learner_id, arrival.token)


def load_play(session: VerbSession, who: Caller, play: Play) -> PlayData:
    """A play as far as this learner has come; changes nothing."""
    learner_id = learners.load_visitor(session, who)
    return PlayData() if learner_id is None else PlayData(of(session, learner_id, play), learner_id)


def plays(session: VerbSession, who: Caller) -> RecentPlays:
    """The last plays with their results."""
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return RecentPlays()
    return RecentPlays(learner_id, tuple(PlayRow(*row) for row in session.all(PLAYS, learner=learner_id)))


def of(session: VerbSession, learner_id: int, play: Play) -> tuple[MoveRow, ...]:
    rows = session.all(MOVES, learner=learner_id, game=play.game, level=play.level, seed=play.seed)
    return tuple([MoveRow(*row) for row in rows])
