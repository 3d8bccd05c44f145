"""What an assignment asks for outside of its questions: sections, cards, games. Read from their own logs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from sqlalchemy import bindparam, or_, select

from app.records.assignments.values import PartRow
from app.records.cards.tables import ReviewLog
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.games.tables import GameMove
from app.records.learning.tables import LessonPlace

place, log, move = table(LessonPlace).c, table(ReviewLog).c, table(GameMove).c

DONE = Prepared(
    select(place.stage, place.section).where(
        place.learner_id == bindparam("learner"), place.done, place.updated_at <= bindparam("until")
    )
)
REVIEWED = Prepared(
    select(log.card).where(
        log.learner_id == bindparam("learner"),
        log.undone_at.is_(None),
        log.reviewed_at >= bindparam("since"),
        log.reviewed_at <= bindparam("until"),
    )
)
PLAYED = Prepared(
    select(move.game, move.level).where(
        move.learner_id == bindparam("learner"),
        or_(move.outcome == "done", move.outcome == "won"),
        move.created_at >= bindparam("since"),
        move.created_at <= bindparam("until"),
    )
)


@runtime_checkable
class CardSource(Protocol):
    """A course that knows which cards a stage has."""

    @property
    def card_sets(self) -> Mapping[str, tuple[str, ...]]: ...


def shares(
    session: VerbSession,
    learner_id: int,
    parts: Sequence[PartRow],
    courses: Mapping[str, object],
    since: datetime,
    until: datetime,
) -> dict[int, float]:
    """How much of each part that makes no questions was done by `until`, 0..1, by its id: at most three
    queries.

    A section counts once it has been learnt, even before it was assigned: nobody is sent through it twice.
    """
    kinds = {part.kind for part in parts}
    between = {"learner": learner_id, "since": since, "until": until}
    learnt = session.all(DONE, learner=learner_id, until=until) if "section" in kinds else ()
    done = {tuple(row) for row in learnt}
    reviewed = [card for (card,) in session.all(REVIEWED, **between)] if "cards" in kinds else []
    played = session.all(PLAYED, **between) if "game" in kinds else []
    found: dict[int, float] = {}
    for part in parts:
        match part.kind:
            case "section":
                found[part.id] = float(tuple(part.ref.split("/", 1)) in done)
            case "cards":
                cards = cards_of(courses, part.ref)
                found[part.id] = min(1.0, sum(card in cards for card in reviewed) / part.count)
            case "game":
                plays = sum(game == part.ref and level >= part.level for game, level in played)
                found[part.id] = min(1.0, plays / part.count)
    return found


def cards_of(courses: Mapping[str, object], stage: str) -> frozenset[str]:
    """The cards of a stage, as the log names them: `content:concepts`."""
    prefix, _, bare = stage.partition(":")
    course = courses.get(prefix)
    names = course.card_sets.get(bare, ()) if isinstance(course, CardSource) else ()
    return frozenset(f"{prefix}:{name}" for name in names)
