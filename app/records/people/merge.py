"""A guest's work moves into an account: nothing is lost, nothing is there twice.

Logs are re-pointed. Where both have worked at the same lesson or example, the present rounds become one
(`merge_rounds`), and so do two attempts in them (`merge_attempts`). What is derived needs no rebuilding,
because it is derived at each look.
"""

from datetime import datetime

from sqlalchemy import delete, literal, select, union, update

from app.records.accounts.tables import Learner, SignIn
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.items.tables import ProblemReport
from app.records.learning.tables import Attempt, LessonPlace, Reveal
from app.records.learning.values import Marker, Source
from app.records.people.merge_cards import merge_cards
from app.records.people.merge_plays import merge_plays
from app.records.people.merge_rounds import RoundMerge

LEARNER = table(Learner)
SIGN_IN = table(SignIn)

MERGED = frozenset(
    {"lesson_place", "attempt", "reveal", "problem_report", "sign_in"}
    | {"game_move", "deck", "card_memory", "review_log", "own_card"}
)
"""The tables that hang on a learner and move; a test compares with the schema."""
NOT_OF_GUESTS = frozenset({"account", "classroom", "enrolment", "own_course", "audit"})
"""The tables that only an account can have rows in."""


def merge(session: VerbSession, guest: int, account: int, course: Marker, now: datetime) -> None:
    """Move everything of the guest into the account; the guest is no more, and its other sign-ins end."""
    for source, ref in worked_at(session, guest):
        RoundMerge(session, guest, account, source, ref).run(course)
    merge_plays(session, guest, account)
    merge_cards(session, guest, account)
    still_open = (SIGN_IN.c.learner_id == guest, SIGN_IN.c.ended_at.is_(None))
    session.execute(update(SIGN_IN).where(*still_open).values(ended_at=now))
    for log in (SIGN_IN, table(ProblemReport)):
        session.execute(update(log).where(log.c.learner_id == guest).values(learner_id=account))
    session.execute(delete(LEARNER).where(LEARNER.c.id == guest))


def worked_at(session: VerbSession, guest: int) -> list[tuple[Source, str]]:
    """Source and ref of every lesson, example and exercise that the guest has touched."""
    place, reveal, attempt = table(LessonPlace).c, table(Reveal).c, table(Attempt).c
    touched = union(
        select(literal("lesson").label("source"), place.stage.label("ref")).where(place.learner_id == guest),
        select(literal("practice"), reveal.ref).where(reveal.learner_id == guest),
        select(attempt.source, attempt.ref).where(attempt.learner_id == guest),
    )
    return sorted((row.source, row.ref) for row in session.execute(touched))
