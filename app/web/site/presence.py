"""Which sign-ins are in use: noted in passing, told to the database now and then."""

import re
from datetime import date, datetime

from app.records.accounts import learners

MOST_PRESENT_SIGN_INS = 50_000
"""So many sign-ins are noted in a day; what comes after them waits for the next day."""


class Presence:
    """The sign-ins that were seen today. What is lost with the process is one day of the ninety.

    A token that nobody was given is noted too: whether it is one, the database sees when it is told.
    """

    def __init__(self) -> None:
        self._day: date | None = None
        self._seen_tokens: set[str] = set()
        self._seen_at_by_unsaved_token: dict[str, datetime] = {}

    def record_sighting(self, token: str, now: datetime) -> bool:
        """Whether this sign-in is seen for the first time today."""
        if self._day != now.date():
            self._day = now.date()
            self._seen_tokens.clear()
        if (
            token in self._seen_tokens
            or len(self._seen_tokens) >= MOST_PRESENT_SIGN_INS
            or not re.fullmatch("[A-Za-z0-9_-]{43,50}", token)
        ):
            return False
        self._seen_tokens.add(token)
        self._seen_at_by_unsaved_token[token] = now
        return True

    def forget_sighting(self, token: str) -> None:
        """The next request of this sign-in is its first today once more."""
        self._seen_tokens.discard(token)

    def take_sightings(self, most_sightings: int) -> list[tuple[str, datetime]]:
        """Some that the database was not told of, by the hashes of their tokens; they are told now."""
        sightings: list[tuple[str, datetime]] = []
        while self._seen_at_by_unsaved_token and len(sightings) < most_sightings:
            token, seen_at = self._seen_at_by_unsaved_token.popitem()
            sightings.append((learners.token_hash(token), seen_at))
        return sightings
