"""What a guest did at one lesson, example or exercise goes to an account that may have worked at it too.

The present rounds of both become one, and so do two attempts in them.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Table, and_, case, func, select, update

from app.course.content.model import Section
from app.course.items.marks import ItemGone
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning import attempts, lesson_progress, reveals
from app.records.learning.lesson_progress import LESSON_PLACE_TABLE
from app.records.learning.reveals import REVEAL_TABLE
from app.records.learning.rows import ATTEMPT, HINT, LESSON_PLACE, RESPONSE, REVEAL
from app.records.learning.tables import Attempt, Hint, Response
from app.records.learning.values import (
    AnswerSource,
    AttemptRow,
    ItemMarker,
    ItemMarkerWithSections,
    ResponseRow,
)
from app.records.people.bulk_changes import Condition, change_rows, remove_rows

ATTEMPT_TABLE = table(Attempt)
RESPONSE_TABLE = table(Response)
HINT_TABLE = table(Hint)


class RoundMerge:
    """The guest's rounds of one lesson or example go to the account.

    The present rounds become one: the later place holds, an opening goes on where the other stopped, and an
    item that only the guest answered is answered. What has no room in the present round (both answered the
    item) is kept in a round below 1: history of another place, which every page of the present passes over.
    """

    def __init__(
        self,
        session: VerbSession,
        guest_id: int,
        account_id: int,
        answer_source: AnswerSource,
        source_ref: str,
    ) -> None:
        self.session = session
        self.guest_id = guest_id
        self.account_id = account_id
        self.source = answer_source
        self.ref = source_ref
        self.is_attempt_at_ref = and_(ATTEMPT.source == answer_source, ATTEMPT.ref == source_ref)
        # The progress table counts the rounds: the places of a lesson, or the openings of an example.
        self.progress_table = REVEAL_TABLE
        self.is_progress_at_ref = REVEAL.ref == source_ref
        if answer_source == "lesson":
            self.progress_table = LESSON_PLACE_TABLE
            self.is_progress_at_ref = LESSON_PLACE.stage_ref == source_ref

    def run(self, course: ItemMarkerWithSections) -> None:
        """Give the account all that the guest has done at this lesson or example."""
        lowest_round_number = self.lowest_round_number()
        if lowest_round_number is None:
            self.move_rounds(0)
            return
        guest_round_number = self.present_round_number(self.guest_id)
        account_round_number = self.present_round_number(self.account_id)
        if self.source == "lesson":
            self.merge_places(guest_round_number, account_round_number, course)
        else:
            self.merge_openings(guest_round_number, account_round_number)
        self.merge_attempts(guest_round_number, account_round_number, course)
        # What is left of the guest's present round comes right below all rounds of the account, and below 1.
        highest_free_round_number = min(lowest_round_number, 1) - 1
        self.move_rounds(highest_free_round_number - guest_round_number)

    def present_round_number(self, learner_id: int) -> int:
        if self.source == "lesson":
            return lesson_progress.present_round_number(self.session, learner_id, self.ref)
        return reveals.present_round_number(self.session, learner_id, self.ref)

    def lowest_round_number(self) -> int | None:
        """The first round of the account; None where it has not worked at this."""
        is_progress_of_account = self.progress_table.c.learner_id == self.account_id
        progress_rounds_query = select(self.progress_table.c.round).where(
            is_progress_of_account, self.is_progress_at_ref
        )
        is_attempt_of_account = ATTEMPT.learner_id == self.account_id
        attempt_rounds_query = select(ATTEMPT.round).where(is_attempt_of_account, self.is_attempt_at_ref)
        rounds_subquery = progress_rounds_query.union(attempt_rounds_query).subquery()
        lowest_round_query = select(func.min(rounds_subquery.c.round))
        return self.session.execute(lowest_round_query).scalar()

    def move_rounds(self, round_shift: int) -> None:
        """All that is still the guest's becomes the account's; its rounds grow by so many, below 0 too."""
        tables_and_conditions = (
            (self.progress_table, self.is_progress_at_ref),
            (ATTEMPT_TABLE, self.is_attempt_at_ref),
        )
        for owned_table, is_at_ref in tables_and_conditions:
            is_of_guest = and_(owned_table.c.learner_id == self.guest_id, is_at_ref)
            new_round_number = owned_table.c.round + round_shift
            self.move_rows(owned_table, is_of_guest, new_round_number)

    def move_rows(self, owned_table: Table, condition: Condition, new_round_number: Any) -> int:
        """Give rows to the account, under the number of a round. How many there were."""
        return change_rows(
            self.session, owned_table, condition, learner_id=self.account_id, round=new_round_number
        )

    def is_in_round(self, learner_id: int, round_number: int) -> Condition:
        """The condition that progress was made in one round of a learner."""
        is_of_learner = self.progress_table.c.learner_id == learner_id
        is_of_round = self.progress_table.c.round == round_number
        return and_(self.is_progress_at_ref, is_of_learner, is_of_round)

    def merge_places(
        self, guest_round_number: int, account_round_number: int, course: ItemMarkerWithSections
    ) -> None:
        """For each section the later place, in the order of the course."""
        account_places = self.places_in_round(self.account_id, account_round_number)
        account_place_by_section_id = {
            lesson_place.section_id: lesson_place for lesson_place in account_places
        }
        for guest_place in self.places_in_round(self.guest_id, guest_round_number):
            account_place = account_place_by_section_id.get(guest_place.section_id)
            if account_place is None:
                self.move_rows(LESSON_PLACE_TABLE, LESSON_PLACE.id == guest_place.id, account_round_number)
            else:
                section = course.section_of(self.ref, guest_place.section_id)
                self.join_places(account_place, guest_place, section)

    def places_in_round(self, learner_id: int, round_number: int) -> Sequence[Row[Any]]:
        is_in_round = self.is_in_round(learner_id, round_number)
        places_query = select(LESSON_PLACE_TABLE).where(is_in_round)
        return self.session.execute(places_query).all()

    def join_places(self, account_place: Row[Any], guest_place: Row[Any], section: Section | None) -> None:
        """The account's place becomes the later one; done stays done."""
        furthest_place = account_place
        if step_number(section, guest_place) > step_number(section, account_place):
            furthest_place = guest_place
        kept_time = merged_time(account_place, guest_place)
        for lesson_place in (account_place, guest_place):
            if lesson_place.updated_at != kept_time:
                lesson_progress.add_visit(self.session, self.account_id, lesson_place.updated_at)
        change_rows(
            self.session,
            LESSON_PLACE_TABLE,
            LESSON_PLACE.id == account_place.id,
            step_number=furthest_place.step_number,
            step_id=furthest_place.step_id,
            is_done=account_place.is_done or guest_place.is_done,
            updated_at=kept_time,
        )
        remove_rows(self.session, LESSON_PLACE_TABLE, LESSON_PLACE.id == guest_place.id)

    def merge_openings(self, guest_round_number: int, account_round_number: int) -> None:
        """The opening goes on where the account stopped; what is open there already stays the guest's."""
        position_column = REVEAL.position
        is_of_account = self.is_in_round(self.account_id, account_round_number)
        is_of_guest = self.is_in_round(self.guest_id, guest_round_number)
        furthest_position_query = select(func.max(position_column)).where(is_of_account)
        furthest_open_position = self.session.execute(furthest_position_query).scalar()
        is_still_shut = position_column > (furthest_open_position or 0)
        is_continuation = and_(is_of_guest, is_still_shut)
        moved_count = self.move_rows(REVEAL_TABLE, is_continuation, account_round_number)
        # Position 0 says only that a round was begun: nobody needs it where a position is open.
        is_beginning = and_(is_of_guest, position_column == 0)
        if moved_count or furthest_open_position is not None:
            remove_rows(self.session, REVEAL_TABLE, is_beginning)
        else:
            self.move_rows(REVEAL_TABLE, is_beginning, account_round_number)

    def merge_attempts(self, guest_round_number: int, account_round_number: int, course: ItemMarker) -> None:
        """The guest's attempt in its present round, where there is one, goes into that of the account."""
        guest_attempt = self.attempt_in(self.guest_id, guest_round_number)
        if guest_attempt is None:
            return
        account_attempt = self.attempt_in(self.account_id, account_round_number)
        if account_attempt is None:
            self.move_rows(ATTEMPT_TABLE, ATTEMPT.id == guest_attempt.id, account_round_number)
        else:
            attempt_merge = AttemptMerge(self.session, guest_attempt, account_attempt)
            attempt_merge.run(course)

    def attempt_in(self, learner_id: int, round_number: int) -> AttemptRow | None:
        return attempts.attempt_of_round(self.session, learner_id, self.source, self.ref, round_number)


def step_number(section: Section | None, lesson_place: Row[Any]) -> int:
    """Where a place lies in its section; for one that is not in the course, the number that it had."""
    if section is None:
        return int(lesson_place.step_number)
    return section.step_number_at(lesson_place.step_id, lesson_place.step_number)


def merged_time(*places: Row[Any]) -> datetime:
    """When a section was done first, for an assignment asks for it; until then, when it was last opened."""
    done_times: list[datetime] = [lesson_place.updated_at for lesson_place in places if lesson_place.is_done]
    if done_times:
        return min(done_times)
    opened_times: list[datetime] = [lesson_place.updated_at for lesson_place in places]
    return max(opened_times)


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
        guest_responses_by_item_ref = self.responses_by_item_ref(self.guest_attempt)
        account_responses_by_item_ref = self.responses_by_item_ref(self.account_attempt)
        for item_ref, responses_of_guest in guest_responses_by_item_ref.items():
            first_response, *_ = responses_of_guest
            if self.is_same_question(course, item_ref, first_response.item_version_hash):
                self.merge_item(item_ref, responses_of_guest, account_responses_by_item_ref.get(item_ref))
        for item_ref in self.hinted_item_refs():
            if item_ref not in account_responses_by_item_ref and item_ref not in guest_responses_by_item_ref:
                self.move_hints(item_ref)
        self.remove_if_empty()

    def responses_by_item_ref(self, attempt: AttemptRow) -> dict[str, list[ResponseRow]]:
        """The answers of an attempt, oldest first."""
        responses_by_item_ref = defaultdict[str, list[ResponseRow]](list)
        responses = attempts.responses_of(self.session, attempt.id)
        for response in responses:
            responses_by_item_ref[response.item_ref].append(response)
        return responses_by_item_ref

    def hinted_item_refs(self) -> Sequence[str]:
        """The items of which the guest opened a hint that is still the guest's."""
        is_of_guest = HINT.attempt_id == self.guest_attempt.id
        hinted_refs_query = select(HINT.item_ref).where(is_of_guest).distinct()
        return self.session.execute(hinted_refs_query).scalars().all()

    def is_same_question(self, course: ItemMarker, item_ref: str, version_hash: str) -> bool:
        """Whether the account's attempt would have asked the very same."""
        if self.account_attempt.seed == self.guest_attempt.seed:
            return True
        try:
            account_version_hash, _ = course.version_hash_and_body(item_ref, self.account_attempt.seed)
        except ItemGone:  # no longer in the course: nobody will be asked again
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
            self.move_log_rows(RESPONSE_TABLE, RESPONSE.item_ref == item_ref)
            self.move_hints(item_ref)
        elif responses_of_guest[-1].verdict != "wrong" and responses_of_account[-1].verdict == "wrong":
            self.swap_answers(item_ref)

    def move_log_rows(self, log_table: Table, *conditions: Condition) -> None:
        """Answers or hints of the guest's attempt into the account's."""
        is_of_guest = and_(log_table.c.attempt_id == self.guest_attempt.id, *conditions)
        change_rows(self.session, log_table, is_of_guest, attempt_id=self.account_attempt.id)

    def move_hints(self, item_ref: str) -> None:
        """Those that are not open in the account's attempt already; the rest stays."""
        is_of_item = HINT.item_ref == item_ref
        is_of_account = HINT.attempt_id == self.account_attempt.id
        open_positions_query = select(HINT.position).where(is_of_account, is_of_item)
        self.move_log_rows(HINT_TABLE, is_of_item, HINT.position.not_in(open_positions_query))

    def swap_answers(self, item_ref: str) -> None:
        """The finished answers are shown, with the hints that led to them."""
        guest_attempt_id = self.guest_attempt.id
        account_attempt_id = self.account_attempt.id
        attempt_ids = [account_attempt_id, guest_attempt_id]
        for log_table, number_column in ((RESPONSE_TABLE, RESPONSE.try_number), (HINT_TABLE, HINT.position)):
            attempt_id_column = log_table.c.attempt_id
            is_of_item = and_(log_table.c.item_ref == item_ref, attempt_id_column.in_(attempt_ids))
            opposite_attempt_id = case(
                (attempt_id_column == account_attempt_id, guest_attempt_id), else_=account_attempt_id
            )
            # Numbers are unique in an attempt: below 0 while they change places.
            opposite_columns = {attempt_id_column: opposite_attempt_id, number_column: -number_column}
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
