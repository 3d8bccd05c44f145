"""Opening an example, position by position: DCG terms, ideal order, IDCG terms, ratio."""

from datetime import datetime

from sqlalchemy import bindparam, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.activity import learning_days
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, columns_of, prepared_insert
from app.records.learning.rows import REVEAL
from app.records.learning.tables import Reveal
from app.records.learning.values import Guess, OpenedReveal, RevealState

REVEAL_TABLE = table(Reveal)
IS_OF_EXAMPLE = (REVEAL.learner_id == bindparam("learner"), REVEAL.ref == bindparam("ref"))


@learners.changes_own_rows
def open_position(
    session: VerbSession,
    caller: Caller,
    example_ref: str,
    guess: Guess,
    now: datetime,
    end_position: int | None = None,
    first_guessed_position: int | None = None,
) -> OpenedReveal:
    """Open the next position, for which the guess was made. Any other position changes nothing.

    `end_position` (算给我看) opens all positions up to that one instead, without a guess.
    `first_guessed_position`: where the guess was about several positions, the first of them. Those that are
    still shut open with it, each by itself.
    """
    known_learner = learners.find_or_add_learner(session, caller, now)
    pending_zone_and_day_rows = session.send(
        learning_days.ZONES_AND_NEWEST_DAY, learner=known_learner.learner_id
    )
    reveal_state = load_reveal(session, known_learner.learner_id, example_ref)
    guesses: list[Guess] = []
    next_position = reveal_state.opened_count + 1
    first_position = first_guessed_position or guess.position
    if end_position is not None:
        positions_to_open = range(next_position, end_position + 1)
        guesses = [Guess(position) for position in positions_to_open]
    elif first_position <= next_position <= guess.position:
        skipped_positions = range(next_position, guess.position)
        guesses = [Guess(position) for position in skipped_positions]
        guesses.append(guess)
    for new_guess in guesses:
        add_position(
            session, known_learner.learner_id, example_ref, reveal_state.round_number, new_guess, now
        )
    if guesses:
        zone_and_day_rows = pending_zone_and_day_rows.fetch()
        learning_days.record_activity_after(
            session, known_learner.learner_id, now, zone_and_day_rows, len(guesses), caller=caller
        )
    all_guesses = (*reveal_state.guesses, *guesses)
    return OpenedReveal(reveal_state.round_number, len(all_guesses), all_guesses, known_learner.token)


@learners.changes_own_rows
def begin_reveal_again(session: VerbSession, caller: Caller, example_ref: str, now: datetime) -> OpenedReveal:
    """Close everything and begin a new round. A round with nothing open is not begun twice."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    reveal_state = load_reveal(session, known_learner.learner_id, example_ref)
    present_round_number = reveal_state.round_number
    if reveal_state.opened_count:
        present_round_number += 1
        empty_guess = Guess(0)
        add_position(session, known_learner.learner_id, example_ref, present_round_number, empty_guess, now)
        learning_days.record_activity(session, known_learner.learner_id, now, caller)
    return OpenedReveal(present_round_number, token=known_learner.token)


LATER_REVEAL = REVEAL_TABLE.alias("later").c
PRESENT_ROUND = (
    select(func.max(LATER_REVEAL.round))
    .where(LATER_REVEAL.learner_id == bindparam("learner"), LATER_REVEAL.ref == bindparam("ref"))
    .scalar_subquery()
)
OPEN_POSITIONS = PreparedStatement(
    select(REVEAL.round, *columns_of(Reveal, Guess))
    .where(*IS_OF_EXAMPLE, REVEAL.round == PRESENT_ROUND)
    .order_by(REVEAL.position)
)


def load_reveal(session: VerbSession, learner_id: int, example_ref: str) -> RevealState:
    """How far an example is open in its present round."""
    position_rows = session.all(OPEN_POSITIONS, learner=learner_id, ref=example_ref)
    if not position_rows:
        return RevealState()
    present_round_number, *_ = position_rows[0]
    # Position 0 only says that the round was begun.
    guesses = tuple([Guess(*guess_fields) for _, *guess_fields in position_rows if guess_fields[0]])
    return RevealState(present_round_number, len(guesses), guesses)


LATEST_ROUND = PreparedStatement(select(func.max(REVEAL.round)).where(*IS_OF_EXAMPLE))


def present_round_number(session: VerbSession, learner_id: int, example_ref: str) -> int:
    """The present round of an example; 1 before anything was opened."""
    [(latest_round_number,)] = session.all(LATEST_ROUND, learner=learner_id, ref=example_ref)
    return latest_round_number or 1


ADD_REVEAL = prepared_insert(Reveal)


def add_position(
    session: VerbSession, learner_id: int, example_ref: str, round_number: int, guess: Guess, now: datetime
) -> None:
    """Write down an opened position."""
    guess_columns = guess._asdict()
    session.run(
        ADD_REVEAL,
        learner_id=learner_id,
        ref=example_ref,
        round=round_number,
        created_at=now,
        **guess_columns,
    )
