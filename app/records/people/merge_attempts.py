"""Two attempts at the same thing, that of a guest and that of an account, become one."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Table, and_, case, select, update

from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning import attempts
from app.records.learning.rows import ATTEMPT, HINT, RESPONSE
from app.records.learning.tables import Attempt, Hint, Response
from app.records.learning.values import AttemptRow, ItemMarker, ResponseRow
from app.records.people.bulk_changes import Condition, change_rows, remove_rows

ATTEMPT_TABLE = table(Attempt)
RESPONSE_TABLE = table(Response)
HINT_TABLE = table(Hint)


@dataclass
class AttemptMerge:
    """Two attempts at the same thing: the answers of the guest's go into the account's, item by item.

    An item's answers are never mixed: those of one attempt are shown, those of the other stay behind.
    """

    session: VerbSession
    guest_attempt: AttemptRow
    account_attempt: AttemptRow

    def run(self, course: ItemMarker) -> None:
        """Move what is shown from now on; the guest's attempt goes where nothing is left in it."""
        guest_responses_by_item = self.responses_by_item(self.guest_attempt)
        account_responses_by_item = self.responses_by_item(self.account_attempt)
        for item_ref, responses_of_guest in guest_responses_by_item.items():
            first_response, *_ = responses_of_guest
            if self.is_same_question(course, item_ref, first_response.item_version_hash):
                self.merge_item(item_ref, responses_of_guest, account_responses_by_item.get(item_ref))
        for item_ref in self.items_with_hints():
            if item_ref not in account_responses_by_item and item_ref not in guest_responses_by_item:
                self.move_hints(item_ref)
        self.remove_if_empty()

    def responses_by_item(self, attempt: AttemptRow) -> dict[str, list[ResponseRow]]:
        """The answers of an attempt, oldest first."""
        responses_by_item = defaultdict[str, list[ResponseRow]](list)
        responses = attempts.responses_of(self.session, attempt.id)
        for response in responses:
            responses_by_item[response.item_ref].append(response)
        return responses_by_item

    def items_with_hints(self) -> Sequence[str]:
        """The items of which the guest opened a hint that is still the guest's."""
        is_of_guest = HINT.attempt_id == self.guest_attempt.id
        hinted_refs_query = select(HINT.item).where(is_of_guest).distinct()
        return self.session.execute(hinted_refs_query).scalars().all()

    def is_same_question(self, course: ItemMarker, item_ref: str, version_hash: str) -> bool:
        """Whether the account's attempt would have asked the very same."""
        if self.account_attempt.seed == self.guest_attempt.seed:
            return True
        try:
            account_version_hash, _ = course.version(item_ref, self.account_attempt.seed)
        except KeyError:  # no longer in the course: nobody will be asked again
            return False
        return account_version_hash == version_hash

    def merge_item(
        self,
        item_ref: str,
        responses_of_guest: list[ResponseRow],
        responses_of_account: list[ResponseRow] | None,
    ) -> None:
        """Show the guest's answers where the account has none, or has not come to an end as the guest has."""
        if responses_of_account is None:
            self.move_rows(RESPONSE_TABLE, RESPONSE.item == item_ref)
            self.move_hints(item_ref)
        elif responses_of_guest[-1].verdict != "wrong" and responses_of_account[-1].verdict == "wrong":
            self.swap_answers(item_ref)

    def move_rows(self, log_table: Table, *conditions: Condition) -> None:
        """Answers or hints of the guest's attempt into the account's."""
        is_of_guest = and_(log_table.c.attempt_id == self.guest_attempt.id, *conditions)
        change_rows(self.session, log_table, is_of_guest, attempt_id=self.account_attempt.id)

    def move_hints(self, item_ref: str) -> None:
        """Those that are not open in the account's attempt already; the rest stays."""
        is_of_item = HINT.item == item_ref
        is_of_account = HINT.attempt_id == self.account_attempt.id
        open_positions_query = select(HINT.position).where(is_of_account, is_of_item)
        self.move_rows(HINT_TABLE, is_of_item, HINT.position.not_in(open_positions_query))

    def swap_answers(self, item_ref: str) -> None:
        """The finished answers are shown, with the hints that led to them."""
        guest_attempt_id = self.guest_attempt.id
        account_attempt_id = self.account_attempt.id
        attempt_ids = [account_attempt_id, guest_attempt_id]
        for log_table, number_column in ((RESPONSE_TABLE, RESPONSE.try_number), (HINT_TABLE, HINT.position)):
            attempt_id = log_table.c.attempt_id
            is_of_item = and_(log_table.c.item == item_ref, attempt_id.in_(attempt_ids))
            opposite_attempt_id = case(
                (attempt_id == account_attempt_id, guest_attempt_id), else_=account_attempt_id
            )
            # Numbers are unique in an attempt: below 0 while they change places.
            opposite_columns = {attempt_id: opposite_attempt_id, number_column: -number_column}
            for column_changes in (opposite_columns, {number_column: -number_column}):
                change_statement = update(log_table).where(is_of_item).values(column_changes)
                self.session.execute(change_statement)

    def remove_if_empty(self) -> None:
        """Delete the guest's attempt when nothing hangs on it any more."""
        for log_table in (RESPONSE_TABLE, HINT_TABLE):
            is_of_guest = log_table.c.attempt_id == self.guest_attempt.id
            remaining_ids_query = select(log_table.c.id).where(is_of_guest).limit(1)
            if self.session.execute(remaining_ids_query).first():
                return
        remove_rows(self.session, ATTEMPT_TABLE, ATTEMPT.id == self.guest_attempt.id)
