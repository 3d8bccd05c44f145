"""A guest's work moves into an account: nothing is lost, nothing is there twice.

Logs are re-pointed. Where both have worked at the same lesson or example, the present rounds become one, and
so do two attempts in them. Of a play that both began, the one that came further is shown. The sums of the
account are made again from the log.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Table, and_, func, literal, select, union

from app.course.content.model import Section
from app.records.accounts import learners
from app.records.accounts.learners import LEARNER, SIGN_IN
from app.records.accounts.tables import Learner, SignIn
from app.records.cards import review_log
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.items.tables import ProblemReport
from app.records.learning import attempts, lesson_progress, reveals
from app.records.learning.rows import ATTEMPT, LESSON_PLACE, REVEAL
from app.records.learning.tables import Attempt, LessonPlace, LessonVisit, Response, Reveal
from app.records.learning.values import AnswerSource, AttemptRow, ItemMarker, ItemMarkerWithSections
from app.records.people import sums
from app.records.people.bulk_changes import Condition, change_rows, remove_rows
from app.records.people.merge_attempts import AttemptMerge
from app.records.people.merge_bookmarks import merge_bookmarks
from app.records.people.merge_cards import merge_cards
from app.records.people.merge_plays import merge_plays

LESSON_PLACE_TABLE = table(LessonPlace)
REVEAL_TABLE = table(Reveal)
ATTEMPT_TABLE = table(Attempt)
RESPONSE_TABLE = table(Response)


def merge(
    session: VerbSession, guest_id: int, account_id: int, course: ItemMarkerWithSections, now: datetime
) -> None:
    """Move everything of the guest into the account; the guest is no more, and its other sign-ins end."""
    for source, source_ref in sources_worked_at(session, guest_id):
        round_merge = RoundMerge(session, guest_id, account_id, source, source_ref)
        round_merge.run(course)
    merge_plays(session, guest_id, account_id)
    merge_cards(session, guest_id, account_id)
    review_log.change_time_zone(session, account_id, learners.time_zone_of(session, account_id), now)
    merge_bookmarks(session, guest_id, account_id, course)
    is_of_guest = SIGN_IN.learner_id == guest_id
    is_still_open = and_(is_of_guest, SIGN_IN.ended_at.is_(None))
    change_rows(session, table(SignIn), is_still_open, ended_at=now)
    for log_table in (RESPONSE_TABLE, table(SignIn), table(LessonVisit), table(ProblemReport)):
        is_of_guest = log_table.c.learner_id == guest_id
        change_rows(session, log_table, is_of_guest, learner_id=account_id)
    remove_rows(session, table(Learner), LEARNER.id == guest_id)
    sums.refold(session, account_id)


def sources_worked_at(session: VerbSession, guest_id: int) -> list[tuple[AnswerSource, str]]:
    """Source and ref of every lesson, example and exercise that the guest has touched."""
    attempts_query = select(ATTEMPT.source, ATTEMPT.ref).where(ATTEMPT.learner_id == guest_id)
    lessons_query = select(literal("lesson"), LESSON_PLACE.stage).where(LESSON_PLACE.learner_id == guest_id)
    reveals_query = select(literal("practice"), REVEAL.ref).where(REVEAL.learner_id == guest_id)
    sources_and_refs = session.execute(union(attempts_query, lessons_query, reveals_query))
    return sorted((row.source, row.ref) for row in sources_and_refs)


class RoundMerge:
    """The guest's rounds of one lesson or example go to the account.

    The present rounds become one: the later place holds, an opening goes on where the other stopped, and an
    item that only the guest answered is answered. What has no room in the present round (both answered the
    item) is kept in a round below 1: history of another place, which every page of the present passes over.
    """

    def __init__(
        self, session: VerbSession, guest_id: int, account_id: int, source: AnswerSource, source_ref: str
    ) -> None:
        self.session = session
        self.guest_id = guest_id
        self.account_id = account_id
        self.source = source
        self.ref = source_ref
        self.is_attempt_at_ref = and_(ATTEMPT.source == source, ATTEMPT.ref == source_ref)
        # The progress table counts the rounds: the places of a lesson, or the openings of an example.
        self.progress_table = REVEAL_TABLE
        self.is_progress_at_ref = REVEAL.ref == source_ref
        if source == "lesson":
            self.progress_table = LESSON_PLACE_TABLE
            self.is_progress_at_ref = LESSON_PLACE.stage == source_ref

    def run(self, course: ItemMarkerWithSections) -> None:
        """Give the account all that the guest has done at this lesson or example."""
        lowest_round = self.lowest_round()
        if lowest_round is None:
            self.move_rounds(0)
            return
        guest_round = self.present_round(self.guest_id)
        account_round = self.present_round(self.account_id)
        if self.source == "lesson":
            self.merge_places(guest_round, account_round, course)
        else:
            self.merge_openings(guest_round, account_round)
        self.merge_attempts(guest_round, account_round, course)
        # What is left of the guest's present round comes right below all rounds of the account, and below 1.
        highest_free_round = min(lowest_round, 1) - 1
        self.move_rounds(highest_free_round - guest_round)

    def present_round(self, learner_id: int) -> int:
        if self.source == "lesson":
            return lesson_progress.present_round_number(self.session, learner_id, self.ref)
        return reveals.present_round_number(self.session, learner_id, self.ref)

    def lowest_round(self) -> int | None:
        """The first round of the account; None where it has not worked at this."""
        progress = self.progress_table.c
        is_progress_of_account = progress.learner_id == self.account_id
        progress_rounds_query = select(progress.round).where(is_progress_of_account, self.is_progress_at_ref)
        is_attempt_of_account = ATTEMPT.learner_id == self.account_id
        attempt_rounds_query = select(ATTEMPT.round).where(is_attempt_of_account, self.is_attempt_at_ref)
        rounds = progress_rounds_query.union(attempt_rounds_query).subquery()
        lowest_round_query = select(func.min(rounds.c.round))
        return self.session.execute(lowest_round_query).scalar()

    def move_rounds(self, round_shift: int) -> None:
        """All that is still the guest's becomes the account's; its rounds grow by so many, below 0 too."""
        tables_and_conditions = (
            (self.progress_table, self.is_progress_at_ref),
            (ATTEMPT_TABLE, self.is_attempt_at_ref),
        )
        for owned_table, is_at_ref in tables_and_conditions:
            is_of_guest = and_(owned_table.c.learner_id == self.guest_id, is_at_ref)
            new_round = owned_table.c.round + round_shift
            self.move_rows(owned_table, is_of_guest, new_round)

    def move_rows(self, owned_table: Table, condition: Condition, new_round: Any) -> int:
        """Give rows to the account, under the number of a round. How many there were."""
        return change_rows(self.session, owned_table, condition, learner_id=self.account_id, round=new_round)

    def is_in_round(self, learner_id: int, round_number: int) -> Condition:
        """The condition that progress was made in one round of a learner."""
        is_of_learner = self.progress_table.c.learner_id == learner_id
        is_of_round = self.progress_table.c.round == round_number
        return and_(self.is_progress_at_ref, is_of_learner, is_of_round)

    def merge_places(self, guest_round: int, account_round: int, course: ItemMarkerWithSections) -> None:
        """For each section the later place, in the order of the course."""
        account_places = self.places_in_round(self.account_id, account_round)
        account_place_by_section = {lesson_place.section: lesson_place for lesson_place in account_places}
        for guest_place in self.places_in_round(self.guest_id, guest_round):
            account_place = account_place_by_section.get(guest_place.section)
            if account_place is None:
                self.move_rows(LESSON_PLACE_TABLE, LESSON_PLACE.id == guest_place.id, account_round)
            else:
                section = course.section_of(self.ref, guest_place.section)
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
        joined_at = merged_time(account_place, guest_place)
        for lesson_place in (account_place, guest_place):
            if lesson_place.updated_at != joined_at:
                lesson_progress.add_visit(self.session, self.account_id, lesson_place.updated_at)
        change_rows(
            self.session,
            LESSON_PLACE_TABLE,
            LESSON_PLACE.id == account_place.id,
            step=furthest_place.step,
            step_id=furthest_place.step_id,
            done=account_place.done or guest_place.done,
            updated_at=joined_at,
        )
        remove_rows(self.session, LESSON_PLACE_TABLE, LESSON_PLACE.id == guest_place.id)

    def merge_openings(self, guest_round: int, account_round: int) -> None:
        """The opening goes on where the account stopped; what is open there already stays the guest's."""
        position = REVEAL.position
        is_of_account = self.is_in_round(self.account_id, account_round)
        is_of_guest = self.is_in_round(self.guest_id, guest_round)
        furthest_position_query = select(func.max(position)).where(is_of_account)
        furthest_open_position = self.session.execute(furthest_position_query).scalar()
        is_still_shut = position > (furthest_open_position or 0)
        is_continuation = and_(is_of_guest, is_still_shut)
        moved_count = self.move_rows(REVEAL_TABLE, is_continuation, account_round)
        # Position 0 says only that a round was begun: nobody needs it where a position is open.
        is_beginning = and_(is_of_guest, position == 0)
        if moved_count or furthest_open_position is not None:
            remove_rows(self.session, REVEAL_TABLE, is_beginning)
        else:
            self.move_rows(REVEAL_TABLE, is_beginning, account_round)

    def merge_attempts(self, guest_round: int, account_round: int, course: ItemMarker) -> None:
        """The guest's attempt in its present round, where there is one, goes into that of the account."""
        guest_attempt = self.attempt_in(self.guest_id, guest_round)
        if guest_attempt is None:
            return
        account_attempt = self.attempt_in(self.account_id, account_round)
        if account_attempt is None:
            self.move_rows(ATTEMPT_TABLE, ATTEMPT.id == guest_attempt.id, account_round)
        else:
            attempt_merge = AttemptMerge(self.session, guest_attempt, account_attempt)
            attempt_merge.run(course)

    def attempt_in(self, learner_id: int, round_number: int) -> AttemptRow | None:
        return attempts.attempt_of_round(self.session, learner_id, self.source, self.ref, round_number)


def step_number(section: Section | None, lesson_place: Row[Any]) -> int:
    """Where a place lies in its section; for one that is not in the course, the number that it had."""
    if section is None:
        return int(lesson_place.step)
    return section.step_number_at(lesson_place.step_id, lesson_place.step)


def merged_time(*places: Row[Any]) -> datetime:
    """When a section was done first, for an assignment asks for it; until then, when it was last opened."""
    done_times: list[datetime] = [lesson_place.updated_at for lesson_place in places if lesson_place.done]
    if done_times:
        return min(done_times)
    opened_times: list[datetime] = [lesson_place.updated_at for lesson_place in places]
    return max(opened_times)
