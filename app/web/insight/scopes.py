"""Which answers of a class a page is about: those to one assignment, those of lately, or all."""

from datetime import datetime, timedelta
from typing import NamedTuple

from app.records.db.row_ids import row_id
from app.records.insight.misconceptions import LONG_AGO

RECENT_TIME = timedelta(days=14)


class AnswerScope(NamedTuple):
    """What an address asks about: one assignment, `all` that the class ever did, else the last two weeks."""

    text: str

    @property
    def assignment_id(self) -> int | None:
        return row_id(self.text)

    @property
    def is_recent(self) -> bool:
        return self.assignment_id is None and self.text != "all"

    def earliest_at(self, now: datetime) -> datetime:
        if self.is_recent:
            return now - RECENT_TIME
        return LONG_AGO
