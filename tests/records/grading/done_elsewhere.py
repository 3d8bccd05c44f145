"""Plays of games and reviews of cards, as learners do them beside an assignment."""

from datetime import datetime

from app.records.cards.scheduling import NEW_MEMORY, pack_memory
from app.records.cards.tables import ReviewLog, SchedulerVersion
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_insert
from app.records.games.tables import GameMove
from tests.records.assigned import (
    HOUR,
)
from tests.records.cast import NOW, Desk


def review(
    desk: Desk, learner: int, card: str, number: int, at: datetime, undone: datetime | None, **columns: object
) -> None:
    desk.is_summed = False

    def write(session: VerbSession) -> None:
        version = table(SchedulerVersion)
        if session.execute(version.select()).first() is None:
            session.execute(
                version.insert().values(hash="h", version="6", parameters_json="{}", created_at=NOW)
            )
        values: dict[str, object] = {
            "learner_id": learner,
            "card_ref": card,
            "review_number": number,
            "rating": 3,
        }
        values |= {
            "reviewed_at": at,
            "day": at.date(),
            "seconds": None,
            "raw": None,
            "misconception_code": None,
        }
        values |= {"state_before": "new", "interval_days": 0, "is_first_of_day": True}
        values |= {"retention": 0.9, "scheduler_hash": "h"}
        values |= {
            "packed_before": "{}",
            "packed_after": pack_memory(NEW_MEMORY, "active"),
            "undone_at": undone,
        } | columns
        session.execute(table(ReviewLog).insert().values(values))

    desk.write(write)


def play(
    desk: Desk, learner: int, level: int, outcome: str | None, seed: int = 1, at: datetime | None = None
) -> None:
    desk.is_summed = False

    def write(session: VerbSession) -> None:
        values = {"learner_id": learner, "game": "monster", "level": level, "seed": seed, "raw": ""}
        values |= {"position": 9 if outcome else 8, "move": "on", "step": "term-1", "verdict": "on"}
        values |= {"value": None, "misconception_code": None, "outcome": outcome, "score": 1, "total": 1}
        session.run(prepared_insert(GameMove), **values, created_at=at or NOW + HOUR)

    desk.write(write)
