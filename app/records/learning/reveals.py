"""Opening an example, position by position: DCG terms, ideal order, IDCG terms, ratio."""

from datetime import datetime

from sqlalchemy import bindparam, func, select

from app.records.accounts import learners
from app.records.accounts.values import Arrival, Caller
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.learning.tables import Reveal
from app.records.learning.values import Guess, OpenedReveal, RevealState

reveals = table(Reveal)
reveal, later = reveals.c, reveals.alias("later").c
mine = reveal.learner_id == bindparam("learner")

present_round = (
    select(func.max(later.round))
    .where(later.learner_id == bindparam("learner"), later.ref == bindparam("ref"))
    .scalar_subquery()
)
OPEN = Prepared(
    select(reveal.round, *[reveal[name] for name in Guess._fields])
    .where(mine, reveal.ref == bindparam("ref"), reveal.round == present_round)
    .order_by(reveal.position)
)
ROUND = Prepared(select(func.max(reveal.round)).where(mine, reveal.ref == bindparam("ref")))
ADD = adding(Reveal)


def open(  # noqa: A001  reads as reveals.open
    session: VerbSession,
    who: Caller,
    ref: str,
    guess: Guess,
    now: datetime,
    upto: int | None = None,
) -> OpenedReveal:
    """Open the next position, the one of the guess that was made. Any other position changes nothing.

    `upto` (你算一下) opens all positions up to that one instead, without a guess.
    """
    arrival = learners.arrive(session, who, now)
    opening = load_reveal(session, arrival.learner_id, ref)
    if upto is not None:
        guesses = [Guess(each) for each in range(opening.shown + 1, upto + 1)]
    else:
        guesses = [guess] if guess.position == opening.shown + 1 else []
    for each in guesses:
        add(session, arrival, ref, opening.round, each, now)
    shown = opening.shown + len(guesses)
    return OpenedReveal(opening.round, shown, (*opening.guesses, *guesses), arrival.token)


def again(session: VerbSession, who: Caller, ref: str, now: datetime) -> OpenedReveal:
    """Close everything and begin a new round. A round with nothing open is not begun twice."""
    arrival = learners.arrive(session, who, now)
    opening = load_reveal(session, arrival.learner_id, ref)
    if not opening.shown:
        return OpenedReveal(opening.round, token=arrival.token)
    add(session, arrival, ref, opening.round + 1, Guess(0), now)
    return OpenedReveal(opening.round + 1, token=arrival.token)


def load_reveal(session: VerbSession, learner_id: int, ref: str) -> RevealState:
    """How far an example is open. Position 0 only says that its round was begun."""
    rows = session.all(OPEN, learner=learner_id, ref=ref)
    guesses = tuple([Guess(*row[1:]) for row in rows if row[1]])
    return RevealState(rows[0][0], len(guesses), guesses) if rows else RevealState()


def round_of(session: VerbSession, learner_id: int, ref: str) -> int:
    """The present round of an example; 1 before anything was opened."""
    row = session.first(ROUND, learner=learner_id, ref=ref)
    return (row and row[0]) or 1


def add(session: VerbSession, arrival: Arrival, ref: str, current: int, guess: Guess, now: datetime) -> None:
    session.run(ADD, learner_id=arrival.learner_id, ref=ref, round=current, created_at=now, **guess._asdict())
