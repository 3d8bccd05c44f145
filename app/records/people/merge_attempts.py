"""Two attempts at the same thing: the answers of the guest's go into the account's, item by item."""

from typing import Any

from sqlalchemy import Row, case, delete, select, update

from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning.tables import Attempt, Hint, Response
from app.records.learning.values import AttemptRow, Marker

ATTEMPT = table(Attempt)
RESPONSE = table(Response)
HINT = table(Hint)


class AttemptMerge:
    """An item's answers are never mixed: those of one attempt are shown, those of the other stay behind."""

    def __init__(self, session: VerbSession, of_guest: AttemptRow, of_account: AttemptRow) -> None:
        self.session = session
        self.of_guest = of_guest
        self.of_account = of_account

    def run(self, course: Marker) -> None:
        guest_responses = self.responses_by_item(self.of_guest)
        account_responses = self.responses_by_item(self.of_account)
        for item, responses in guest_responses.items():
            if not self.is_same_question(course, item, responses[0].item_version):
                continue
            if item not in account_responses:
                self.move_responses(item)
                self.move_hints(item)
            elif responses[-1].verdict != "wrong" and account_responses[item][-1].verdict == "wrong":
                self.swap(item)
        for item in self.items_with_hints():
            if item not in account_responses and item not in guest_responses:
                self.move_hints(item)
        self.drop_if_empty()

    def responses_by_item(self, attempt: AttemptRow) -> dict[str, list[Row[Any]]]:
        """The answers of an attempt, oldest first."""
        in_attempt = select(RESPONSE).where(RESPONSE.c.attempt_id == attempt.id).order_by(RESPONSE.c.id)
        responses: dict[str, list[Row[Any]]] = {}
        for response in self.session.execute(in_attempt):
            responses.setdefault(response.item, []).append(response)
        return responses

    def items_with_hints(self) -> list[str]:
        """The items of which the guest opened a hint that is still the guest's."""
        items = select(HINT.c.item).where(HINT.c.attempt_id == self.of_guest.id).distinct()
        return list(self.session.execute(items).scalars())

    def is_same_question(self, course: Marker, item: str, version: str) -> bool:
        """Whether the account's attempt would have asked the very same."""
        if self.of_account.seed == self.of_guest.seed:
            return True
        try:
            return course.version(item, self.of_account.seed)[0] == version
        except KeyError:  # no longer in the course: nobody will be asked again
            return False

    def move_responses(self, item: str) -> None:
        moving = (RESPONSE.c.attempt_id == self.of_guest.id, RESPONSE.c.item == item)
        self.session.execute(update(RESPONSE).where(*moving).values(attempt_id=self.of_account.id))

    def move_hints(self, item: str) -> None:
        """Those that are not open in the account's attempt already; the rest stays."""
        of_item = HINT.c.item == item
        opened = select(HINT.c.position).where(HINT.c.attempt_id == self.of_account.id, of_item)
        moving = (HINT.c.attempt_id == self.of_guest.id, of_item, HINT.c.position.not_in(opened))
        self.session.execute(update(HINT).where(*moving).values(attempt_id=self.of_account.id))

    def swap(self, item: str) -> None:
        """The guest has come to an end of the item, the account has not: the finished answers are shown."""
        for log, number in ((RESPONSE, RESPONSE.c.try_number), (HINT, HINT.c.position)):
            attempt_id = log.c.attempt_id
            of_item = (log.c.item == item, attempt_id.in_([self.of_account.id, self.of_guest.id]))
            opposite = case((attempt_id == self.of_account.id, self.of_guest.id), else_=self.of_account.id)
            # Numbers are unique in an attempt: below 0 while they change places.
            aside = {attempt_id: opposite, number: -number}
            self.session.execute(update(log).where(*of_item).values(aside))
            self.session.execute(update(log).where(*of_item).values({number: -number}))

    def drop_if_empty(self) -> None:
        """Delete the guest's attempt when nothing hangs on it any more."""
        for log in (RESPONSE, HINT):
            remaining = select(log.c.id).where(log.c.attempt_id == self.of_guest.id).limit(1)
            if self.session.execute(remaining).first():
                return
        self.session.execute(delete(ATTEMPT).where(ATTEMPT.c.id == self.of_guest.id))
