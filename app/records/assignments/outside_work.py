"""What an assignment asks for outside of its questions: sections, cards, games. Read from their own logs.

What a form said of itself counts for nothing: a section is done when its questions were answered, a card when
it was new or had come back, each once, and a game when it was played to its end. An assignment from before
this rule takes the pages at their word.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import bindparam, or_, select

from app.course.content.refs import own_id_of
from app.records.accounts import learners
from app.records.assignments.rows import ASSIGNMENT, PART
from app.records.assignments.values import PartRow
from app.records.cards.scheduling import unpacked
from app.records.cards.tables import ReviewLog
from app.records.db.days import end_of
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, VerbSession
from app.records.games.tables import GameMove
from app.records.learning.tables import Attempt, LessonPlace, Response

KINDS = ("section", "cards", "game")
LESSON, REVIEW, MOVE = table(LessonPlace).c, table(ReviewLog).c, table(GameMove).c
ATTEMPT, RESPONSE = table(Attempt).c, table(Response).c

LEARNT_SECTIONS = Prepared(
    select(LESSON.stage, LESSON.section).where(
        LESSON.learner_id == bindparam("learner"), LESSON.done, LESSON.updated_at <= bindparam("until")
    )
)
ANSWERED_ITEMS = Prepared(
    select(RESPONSE.item)
    .distinct()
    .where(
        ATTEMPT.learner_id == bindparam("learner"),
        ATTEMPT.source == "lesson",
        ATTEMPT.ref == bindparam("stage"),
        RESPONSE.attempt_id == ATTEMPT.id,
        RESPONSE.created_at <= bindparam("until"),
    )
)
"""What was answered in the lesson of a stage, in whichever round."""
TESTED_ITEMS = Prepared(
    select(PART.ref).where(
        PART.kind == "item",
        PART.ref.startswith(bindparam("prefix")),
        ASSIGNMENT.id == PART.assignment_id,
        ASSIGNMENT.published_at.is_not(None),
    )
)
"""The items of own content that assignments ask: its lessons may be without them."""
REVIEWED_CARDS = Prepared(
    select(REVIEW.card, REVIEW.state, REVIEW.day, REVIEW.before).where(
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


def shares(
    session: VerbSession,
    learner_id: int,
    parts: Sequence[PartRow],
    courses: Mapping[str, object],
    since: datetime,
    until: datetime,
    checked: bool = True,
) -> dict[int, float]:
    """How much of each part that makes no questions was done by `until`, 0..1, by its id: a query for each
    kind, and one or two for each stage of which a section is asked.

    A section counts once it has been learnt, even before it was assigned: nobody is sent through it twice.
    `checked`: False for an assignment that takes the pages at their word.
    """
    kinds = {part.kind for part in parts}
    between = {"learner": learner_id, "since": since, "until": until}
    work = OutsideWork(checked=checked)
    if "section" in kinds:
        work.sections = session.all(LEARNT_SECTIONS, learner=learner_id, until=until)
    if "section" in kinds and checked:
        work.answered = frozenset(answered_items(session, learner_id, parts, until))
    if "cards" in kinds:
        reviews = session.all(REVIEWED_CARDS, **between)
        work.cards = [card for card, *_ in reviews]
        if checked:
            work.cards = list(cards_that_came(reviews, learners.time_zone_of(session, learner_id)))
    if "game" in kinds:
        work.plays = session.all(PLAYED_GAMES, **between)
    return {part.id: work.share(part, courses) for part in parts if part.kind in KINDS}


def answered_items(
    session: VerbSession, learner_id: int, parts: Sequence[PartRow], until: datetime
) -> Iterator[str]:
    """The items that need no further answer in the stages of these sections."""
    for stage in {part.ref.partition("/")[0] for part in parts if part.kind == "section"}:
        key = {"learner": learner_id, "stage": stage, "until": until}
        yield from (item for (item,) in session.all(ANSWERED_ITEMS, **key))
        if own_id_of(stage) is not None:
            prefix = stage.partition(":")[0] + ":"
            yield from (ref for (ref,) in session.all(TESTED_ITEMS, prefix=prefix))


def cards_that_came(reviews: Sequence[Row], time_zone: str) -> dict[str, None]:
    """The cards that were new or had come back by the end of the day of their review, each once."""
    cards: dict[str, None] = {}
    for card, state, day, before in reviews:
        if state != "new":
            memory, _ = unpacked(before)
            if memory.due_at is None or memory.due_at >= end_of(day, time_zone):
                continue
        cards[card] = None
    return cards


@dataclass(slots=True)
class OutsideWork:
    """What a learner did: stage and section, items answered in lessons, cards as reviewed, game and level as
    played."""

    sections: Sequence[Row] = ()
    cards: Sequence[str] = ()
    plays: Sequence[Row] = ()
    answered: frozenset[str] = field(default_factory=frozenset)
    checked: bool = False

    def share(self, part: PartRow, courses: Mapping[str, object]) -> float:
        """How much of a part is done, 0..1."""
        if part.kind == "section":
            return float(self.is_learnt(part.ref, courses))
        required = part.count
        if part.kind == "cards":
            cards = cards_of(courses, part.ref)
            count = sum(card in cards for card in self.cards)
            if self.checked:  # each card counts once: no more can be asked for than there are
                required = max(1, min(required, len(cards)))
        else:
            count = sum(game == part.ref and level >= part.level for game, level in self.plays)
        return min(1.0, count / required)

    def is_learnt(self, ref: str, courses: Mapping[str, object]) -> bool:
        """Whether a section was walked through to its end, and its questions were answered."""
        if tuple(ref.split("/", 1)) not in self.sections:
            return False
        return not self.checked or asked_in(courses, ref) <= self.answered


def asked_in(courses: Mapping[str, object], ref: str) -> frozenset[str]:
    """The items that a section asks, `content:concepts/sweetness`; none where its course is gone."""
    prefix, _, bare = ref.partition(":")
    asked_by = getattr(courses.get(prefix), "asked_by", None)
    if asked_by is None:
        return frozenset()
    item_refs: frozenset[str] = asked_by(*bare.split("/", 1))
    return item_refs


def cards_of(courses: Mapping[str, object], stage: str) -> frozenset[str]:
    """The cards of a stage, as the log names them: `content:concepts`."""
    prefix, _, bare = stage.partition(":")
    card_sets = getattr(courses.get(prefix), "card_sets", {})
    return frozenset(f"{prefix}:{name}" for name in card_sets.get(bare, ()))
