"""What an assignment asks for outside of its questions: sections, cards, games. Read from their own logs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from sqlalchemy import bindparam, or_, select

from app.records.assignments.values import PartRow
from app.records.cards.tables import ReviewLog
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, VerbSession
from app.records.games.tables import GameMove
from app.records.learning.tables import LessonPlace

KINDS = ("section", "cards", "game")
LESSON, REVIEW, MOVE = table(LessonPlace).c, table(ReviewLog).c, table(GameMove).c

LEARNT_SECTIONS = Prepared(
    select(LESSON.stage, LESSON.section).where(
        LESSON.learner_id == bindparam("learner"), LESSON.done, LESSON.updated_at <= bindparam("until")
    )
)
REVIEWED_CARDS = Prepared(
    select(REVIEW.card).where(
        REVIEW.learner_id == bindparam("learner"),
        REVIEW.undone_at.is_(None),
        REVIEW.reviewed_at.between(bindparam("since"), bindparam("until")),
    )
)
PLAYED_GAMES = Prepared(
    select(MOVE.game, MOVE.level).where(
        MOVE.learner_id == bindparam("learner"),
        or_(MOVE.outcome == "done", MOVE.outcome == "won"),
        MOVE.created_at.between(bindparam("since"), bindparam("until")),
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
    work = OutsideWork()
    if "section" in kinds:
        work.sections = session.all(LEARNT_SECTIONS, learner=learner_id, until=until)
    if "cards" in kinds:
        work.cards = [card for (card,) in session.all(REVIEWED_CARDS, **between)]
    if "game" in kinds:
        work.plays = session.all(PLAYED_GAMES, **between)
    return {part.id: work.share(part, courses) for part in parts if part.kind in KINDS}


@dataclass(slots=True)
class OutsideWork:
    """What a learner did: stage and section, cards as reviewed, game and level as played."""

    sections: Sequence[Row] = ()
    cards: Sequence[str] = ()
    plays: Sequence[Row] = ()

    def share(self, part: PartRow, courses: Mapping[str, object]) -> float:
        """How much of a part is done, 0..1."""
        if part.kind == "section":
            return float(tuple(part.ref.split("/", 1)) in self.sections)
        if part.kind == "cards":
            cards = cards_of(courses, part.ref)
            count = sum(card in cards for card in self.cards)
        else:
            count = sum(game == part.ref and level >= part.level for game, level in self.plays)
        return min(1.0, count / part.count)


def cards_of(courses: Mapping[str, object], stage: str) -> frozenset[str]:
    """The cards of a stage, as the log names them: `content:concepts`."""
    prefix, _, bare = stage.partition(":")
    course = courses.get(prefix)
    if not isinstance(course, CardSource):
        return frozenset()
    return frozenset(f"{prefix}:{name}" for name in course.card_sets.get(bare, ()))
