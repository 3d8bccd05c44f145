"""One lesson or example at which a guest and an account have both worked.

The present rounds become one: the later place holds, an opening goes on where the other stopped, and an item
that only the guest answered is answered. What has no room in the present round (both answered the item) is
kept in a round below 1: history of another place, which every page of the present passes over.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, delete, func, select, update

from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning import attempts
from app.records.learning.tables import Attempt, LessonPlace, Reveal
from app.records.learning.values import Marker, Source
from app.records.people.merge_attempts import AttemptMerge

PLACE = table(LessonPlace)
REVEAL = table(Reveal)
ATTEMPT = table(Attempt)


class RoundMerge:
    """The guest's rounds of one lesson or example go to the account.

    `log` is the table that counts its rounds: the places of a lesson, or the opening of an example.
    """

    def __init__(self, session: VerbSession, guest: int, account: int, source: Source, ref: str) -> None:
        self.session = session
        self.guest = guest
        self.account = account
        self.source = source
        self.ref = ref
        self.log = REVEAL
        self.in_log = REVEAL.c.ref == ref
        if source == "lesson":
            self.log = PLACE
            self.in_log = PLACE.c.stage == ref
        self.in_attempts = (ATTEMPT.c.source == source) & (ATTEMPT.c.ref == ref)

    def run(self, course: Marker) -> None:
        lowest = self.lowest_round()
        if lowest is None:
            self.move_rounds(0)
            return
        last = attempts.round_of(self.session, self.guest, self.source, self.ref)
        present = attempts.round_of(self.session, self.account, self.source, self.ref)
        if self.source == "lesson":
            self.merge_places(last, present)
        else:
            self.merge_openings(last, present)
        self.merge_attempts(last, present, course)
        # What is left of the guest's last round comes right below all rounds of the account, and below 1.
        self.move_rounds(min(lowest, 1) - 1 - last)

    def lowest_round(self) -> int | None:
        """The first round of the account; None where it has not worked at this."""
        in_log = select(self.log.c.round).where(self.log.c.learner_id == self.account, self.in_log)
        in_attempts = select(ATTEMPT.c.round).where(ATTEMPT.c.learner_id == self.account, self.in_attempts)
        rounds = in_log.union(in_attempts).subquery()
        return self.session.execute(select(func.min(rounds.c.round))).scalar()

    def move_rounds(self, offset: int) -> None:
        """All that is still the guest's becomes the account's; `offset` is added to its rounds."""
        for owned, scope in ((self.log, self.in_log), (ATTEMPT, self.in_attempts)):
            self.move(owned, owned.c.round + offset, owned.c.learner_id == self.guest, scope)

    def move(self, owned: Table, number: ColumnElement[int] | int, *rows: ColumnElement[bool]) -> int:
        """Give rows to the account, under the number of a round. How many there were."""
        moving = update(owned).where(*rows).values(learner_id=self.account, round=number)
        return self.session.execute(moving).rowcount

    def merge_places(self, last: int, present: int) -> None:
        """For each section the later place; done stays done."""
        places = {place.section: place for place in self.places(self.account, present)}
        for place in self.places(self.guest, last):
            of_account = places.get(place.section)
            if of_account is None:
                self.move(PLACE, present, PLACE.c.id == place.id)
                continue
            later = {
                "step": max(of_account.step, place.step),
                "done": of_account.done or place.done,
                "updated_at": merged_time(of_account, place),
            }
            self.session.execute(update(PLACE).where(PLACE.c.id == of_account.id).values(later))
            self.session.execute(delete(PLACE).where(PLACE.c.id == place.id))

    def places(self, learner_id: int, number: int) -> Sequence[Row[Any]]:
        in_round = (PLACE.c.learner_id == learner_id, PLACE.c.stage == self.ref, PLACE.c.round == number)
        return self.session.execute(select(PLACE).where(*in_round)).all()

    def merge_openings(self, last: int, present: int) -> None:
        """The opening goes on where the account stopped; what is open there already stays the guest's."""
        position = REVEAL.c.position
        of_account = (REVEAL.c.learner_id == self.account, self.in_log, REVEAL.c.round == present)
        stopped_at = self.session.execute(select(func.max(position)).where(*of_account)).scalar()
        of_guest = (REVEAL.c.learner_id == self.guest, self.in_log, REVEAL.c.round == last)
        moved = self.move(REVEAL, present, *of_guest, position > (stopped_at or 0))
        # Position 0 says only that a round was begun: nobody needs it where a position is open.
        if moved or stopped_at is not None:
            self.session.execute(delete(REVEAL).where(*of_guest, position == 0))
        else:
            self.move(REVEAL, present, *of_guest, position == 0)

    def merge_attempts(self, last: int, present: int, course: Marker) -> None:
        of_guest = attempts.of_round(self.session, self.guest, self.source, self.ref, last)
        if of_guest is None:
            return
        of_account = attempts.of_round(self.session, self.account, self.source, self.ref, present)
        if of_account is None:
            self.move(ATTEMPT, present, ATTEMPT.c.id == of_guest.id)
        else:
            AttemptMerge(self.session, of_guest, of_account).run(course)


def merged_time(*places: Row[Any]) -> datetime:
    """When a section was done first, for an assignment asks for it; until then, when it was last opened."""
    done_at: list[datetime] = [place.updated_at for place in places if place.done]
    if done_at:
        return min(done_at)
    opened_at: list[datetime] = [place.updated_at for place in places]
    return max(opened_at)
