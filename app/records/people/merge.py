"""A guest's work moves into an account: nothing is lost, nothing is there twice.

Logs are re-pointed. Where both have worked at the same lesson or example, the present rounds become one, and
so do two attempts in them. Of a play that both began, the one that came further is shown. The sums of the
account are made again from the log.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Row, Table, and_, case, func, literal, select, tuple_, union, update

from app.course.content.model import Section
from app.records.accounts.tables import Learner, SignIn
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.games.tables import GameMove
from app.records.items.tables import ProblemReport
from app.records.learning import attempts
from app.records.learning.tables import Attempt, Hint, LessonPlace, Response, Reveal
from app.records.learning.values import AttemptRow, Marker, MarkerWithSections, ResponseRow, Source
from app.records.people import sums
from app.records.people.bulk_changes import Condition, change, remove
from app.records.people.merge_cards import merge_cards

LEARNER = table(Learner).c
SIGN_IN = table(SignIn)
MOVE = table(GameMove)
PLACE = table(LessonPlace)
REVEAL = table(Reveal)
ATTEMPT = table(Attempt)
RESPONSE = table(Response)
HINT = table(Hint)
MOVES = MOVE.c
PLACES = PLACE.c
REVEALS = REVEAL.c
ATTEMPTS = ATTEMPT.c
RESPONSES = RESPONSE.c
HINTS = HINT.c
BOARD = (MOVES.game, MOVES.level, MOVES.seed)
Board = tuple[str, int, int]
"""Game, level and seed of a play."""

MERGED = frozenset(
    {"lesson_place", "attempt", "reveal", "problem_report", "sign_in"}
    | {"game_move", "deck", "card_memory", "review_log", "own_card"}
)
"""The tables that hang on a learner and move; a test compares with the schema."""
SUMMED = frozenset({"item_sum", "learning_day", "first_try_count"})
"""The tables whose rows go with the guest, because those of the account are made again from the log."""
NOT_OF_GUESTS = frozenset({"account", "classroom", "enrolment", "own_course", "audit"})
"""The tables that only an account can have rows in."""


def merge(
    session: VerbSession, guest_id: int, account_id: int, course: MarkerWithSections, now: datetime
) -> None:
    """Move everything of the guest into the account; the guest is no more, and its other sign-ins end."""
    for source, ref in worked_at(session, guest_id):
        thing = RoundMerge(session, guest_id, account_id, source, ref)
        thing.run(course)
    merge_plays(session, guest_id, account_id)
    merge_cards(session, guest_id, account_id)
    of_guest = SIGN_IN.c.learner_id == guest_id
    still_open = and_(of_guest, SIGN_IN.c.ended_at.is_(None))
    change(session, SIGN_IN, still_open, ended_at=now)
    for log_table in (RESPONSE, SIGN_IN, table(ProblemReport)):
        of_guest = log_table.c.learner_id == guest_id
        change(session, log_table, of_guest, learner_id=account_id)
    remove(session, table(Learner), LEARNER.id == guest_id)
    sums.refold(session, account_id)


def worked_at(session: VerbSession, guest_id: int) -> list[tuple[Source, str]]:
    """Source and ref of every lesson, example and exercise that the guest has touched."""
    of_guest = ATTEMPTS.learner_id == guest_id
    attempted = select(ATTEMPTS.source, ATTEMPTS.ref).where(of_guest)
    lessons = select(literal("lesson"), PLACES.stage).where(PLACES.learner_id == guest_id)
    examples = select(literal("practice"), REVEALS.ref).where(REVEALS.learner_id == guest_id)
    touched = union(attempted, lessons, examples)
    rows = session.execute(touched)
    return sorted((row.source, row.ref) for row in rows)


@dataclass
class RoundMerge:
    """The guest's rounds of one lesson or example go to the account.

    The present rounds become one: the later place holds, an opening goes on where the other stopped, and an
    item that only the guest answered is answered. What has no room in the present round (both answered the
    item) is kept in a round below 1: history of another place, which every page of the present passes over.
    """

    session: VerbSession
    guest: int
    account: int
    source: Source
    ref: str

    def __post_init__(self) -> None:
        """`log` is the table that counts its rounds: the places of a lesson, or the opening of an example."""
        self.log = REVEAL
        self.in_log = REVEALS.ref == self.ref
        if self.source == "lesson":
            self.log = PLACE
            self.in_log = PLACES.stage == self.ref
        self.in_attempts = and_(ATTEMPTS.source == self.source, ATTEMPTS.ref == self.ref)

    def run(self, course: MarkerWithSections) -> None:
        lowest_round = self.lowest_round()
        if lowest_round is None:
            self.move_rounds(0)
            return
        last_round = self.present_round(self.guest)
        present_round = self.present_round(self.account)
        if self.source == "lesson":
            self.merge_places(last_round, present_round, course)
        else:
            self.merge_openings(last_round, present_round)
        self.merge_attempts(last_round, present_round, course)
        # What is left of the guest's last round comes right below all rounds of the account, and below 1.
        highest_below = min(lowest_round, 1) - 1
        self.move_rounds(highest_below - last_round)

    def present_round(self, learner_id: int) -> int:
        return attempts.round_of(self.session, learner_id, self.source, self.ref)

    def lowest_round(self) -> int | None:
        """The first round of the account; None where it has not worked at this."""
        of_account = self.log.c.learner_id == self.account
        log_rounds = select(self.log.c.round)
        rounds_in_log = log_rounds.where(of_account, self.in_log)
        attempted = ATTEMPTS.learner_id == self.account
        rounds_of_attempts = select(ATTEMPTS.round).where(attempted, self.in_attempts)
        rounds = rounds_in_log.union(rounds_of_attempts).subquery()
        lowest = select(func.min(rounds.c.round))
        return self.session.execute(lowest).scalar()

    def move_rounds(self, offset: int) -> None:
        """All that is still the guest's becomes the account's; `offset` is added to its rounds."""
        logs = ((self.log, self.in_log), (ATTEMPT, self.in_attempts))
        for owned, scope in logs:
            of_guest = and_(owned.c.learner_id == self.guest, scope)
            new_round = owned.c.round + offset
            self.move(owned, new_round, of_guest)

    def move(self, owned: Table, round_number: Any, rows: Condition) -> int:
        """Give rows to the account, under the number of a round. How many there were."""
        return change(self.session, owned, rows, learner_id=self.account, round=round_number)

    def in_round(self, learner_id: int, round_number: int) -> Condition:
        """The rows of the log in one round of a learner."""
        of_learner = self.log.c.learner_id == learner_id
        in_round = self.log.c.round == round_number
        return and_(self.in_log, of_learner, in_round)

    def merge_places(self, last_round: int, present_round: int, course: MarkerWithSections) -> None:
        """For each section the later place, in the order of the course."""
        places_of_account = self.places(self.account, present_round)
        places = {place.section: place for place in places_of_account}
        for place in self.places(self.guest, last_round):
            if place.section in places:
                section = course.section_of(self.ref, place.section)
                other_place = places[place.section]
                self.join_places(other_place, place, section)
            else:
                self.move(PLACE, present_round, PLACES.id == place.id)

    def places(self, learner_id: int, round_number: int) -> Sequence[Row[Any]]:
        in_round = self.in_round(learner_id, round_number)
        places = select(PLACE).where(in_round)
        return self.session.execute(places).all()

    def join_places(self, of_account: Row[Any], of_guest: Row[Any], section: Section | None) -> None:
        """The account's place becomes the later one; done stays done."""
        number_in_section = partial(step_number, section)
        furthest = max(of_account, of_guest, key=number_in_section)
        change(
            self.session,
            PLACE,
            PLACES.id == of_account.id,
            step=furthest.step,
            step_id=furthest.step_id,
            done=of_account.done or of_guest.done,
            updated_at=merged_time(of_account, of_guest),
        )
        remove(self.session, PLACE, PLACES.id == of_guest.id)

    def merge_openings(self, last_round: int, present_round: int) -> None:
        """The opening goes on where the account stopped; what is open there already stays the guest's."""
        position = REVEALS.position
        of_account = self.in_round(self.account, present_round)
        of_guest = self.in_round(self.guest, last_round)
        furthest = select(func.max(position)).where(of_account)
        stopped_at = self.session.execute(furthest).scalar()
        still_shut = position > (stopped_at or 0)
        continuation = and_(of_guest, still_shut)
        moved = self.move(REVEAL, present_round, continuation)
        # Position 0 says only that a round was begun: nobody needs it where a position is open.
        beginning = and_(of_guest, position == 0)
        if moved or stopped_at is not None:
            remove(self.session, REVEAL, beginning)
        else:
            self.move(REVEAL, present_round, beginning)

    def merge_attempts(self, last_round: int, present_round: int, course: Marker) -> None:
        of_guest = self.attempt_in(self.guest, last_round)
        if of_guest is None:
            return
        of_account = self.attempt_in(self.account, present_round)
        if of_account is None:
            self.move(ATTEMPT, present_round, ATTEMPTS.id == of_guest.id)
        else:
            both = AttemptMerge(self.session, of_guest, of_account)
            both.run(course)

    def attempt_in(self, learner_id: int, round_number: int) -> AttemptRow | None:
        return attempts.of_round(self.session, learner_id, self.source, self.ref, round_number)


def step_number(section: Section | None, place: Row[Any]) -> int:
    """Where a place lies in its section; for one that is not in the course, the number that it had."""
    if section is None:
        return int(place.step)
    return section.number_at(place.step_id, place.step)


def merged_time(*places: Row[Any]) -> datetime:
    """When a section was done first, for an assignment asks for it; until then, when it was last opened."""
    done_at: list[datetime] = [place.updated_at for place in places if place.done]
    if done_at:
        return min(done_at)
    opened_at: list[datetime] = [place.updated_at for place in places]
    return max(opened_at)


@dataclass
class AttemptMerge:
    """Two attempts at the same thing: the answers of the guest's go into the account's, item by item.

    An item's answers are never mixed: those of one attempt are shown, those of the other stay behind.
    """

    session: VerbSession
    of_guest: AttemptRow
    of_account: AttemptRow

    def run(self, course: Marker) -> None:
        guest_responses = self.responses_by_item(self.of_guest)
        account_responses = self.responses_by_item(self.of_account)
        for item, responses in guest_responses.items():
            first, *_ = responses
            if self.is_same_question(course, item, first.item_version):
                own_responses = account_responses.get(item)
                self.merge_item(item, responses, own_responses)
        for item in self.items_with_hints():
            if item not in account_responses and item not in guest_responses:
                self.move_hints(item)
        self.drop_if_empty()

    def responses_by_item(self, attempt: AttemptRow) -> dict[str, list[ResponseRow]]:
        """The answers of an attempt, oldest first."""
        by_item = defaultdict[str, list[ResponseRow]](list)
        responses = attempts.responses_of(self.session, attempt.id)
        for response in responses:
            by_item[response.item].append(response)
        return by_item

    def items_with_hints(self) -> Sequence[str]:
        """The items of which the guest opened a hint that is still the guest's."""
        of_guest = HINTS.attempt_id == self.of_guest.id
        items = select(HINTS.item).where(of_guest).distinct()
        return self.session.execute(items).scalars().all()

    def is_same_question(self, course: Marker, item: str, version: str) -> bool:
        """Whether the account's attempt would have asked the very same."""
        if self.of_account.seed == self.of_guest.seed:
            return True
        try:
            version_of_account, _ = course.version(item, self.of_account.seed)
        except KeyError:  # no longer in the course: nobody will be asked again
            return False
        return version_of_account == version

    def merge_item(
        self, item: str, of_guest: list[ResponseRow], of_account: list[ResponseRow] | None
    ) -> None:
        """Show the guest's answers where the account has none, or has not come to an end as the guest has."""
        if of_account is None:
            self.move(RESPONSE, RESPONSES.item == item)
            self.move_hints(item)
        elif of_guest[-1].verdict != "wrong" and of_account[-1].verdict == "wrong":
            self.swap(item)

    def move(self, log: Table, *rows: Condition) -> None:
        """Answers or hints of the guest's attempt into the account's."""
        of_guest = and_(log.c.attempt_id == self.of_guest.id, *rows)
        change(self.session, log, of_guest, attempt_id=self.of_account.id)

    def move_hints(self, item: str) -> None:
        """Those that are not open in the account's attempt already; the rest stays."""
        of_item = HINTS.item == item
        of_account = HINTS.attempt_id == self.of_account.id
        opened = select(HINTS.position).where(of_account, of_item)
        self.move(HINT, of_item, HINTS.position.not_in(opened))

    def swap(self, item: str) -> None:
        """The finished answers are shown, with the hints that led to them."""
        guest_attempt_id = self.of_guest.id
        account_attempt_id = self.of_account.id
        attempt_ids = [account_attempt_id, guest_attempt_id]
        for log, number in ((RESPONSE, RESPONSES.try_number), (HINT, HINTS.position)):
            attempt_id = log.c.attempt_id
            of_item = and_(log.c.item == item, attempt_id.in_(attempt_ids))
            opposite = case((attempt_id == account_attempt_id, guest_attempt_id), else_=account_attempt_id)
            # Numbers are unique in an attempt: below 0 while they change places.
            aside = {attempt_id: opposite, number: -number}
            for changes in (aside, {number: -number}):
                changed = update(log).where(of_item).values(changes)
                self.session.execute(changed)

    def drop_if_empty(self) -> None:
        """Delete the guest's attempt when nothing hangs on it any more."""
        for log in (RESPONSE, HINT):
            of_guest = log.c.attempt_id == self.of_guest.id
            remaining = select(log.c.id).where(of_guest).limit(1)
            if self.session.execute(remaining).first():
                return
        remove(self.session, ATTEMPT, ATTEMPTS.id == self.of_guest.id)


def merge_plays(session: VerbSession, guest: int, account: int) -> None:
    """All moves of the guest. The shorter of two plays is kept at positions below 0, which no board shows."""
    lengths_of_account = lengths(session, account)
    lengths_of_guest = lengths(session, guest)
    for board, length in lengths_of_guest.items():
        if board not in lengths_of_account:
            continue
        shorter = guest
        if lengths_of_account[board] < length:
            shorter = account
        below = lowest_position(session, account, board)
        set_aside(session, shorter, board, below)
    change(session, MOVE, MOVES.learner_id == guest, learner_id=account)


def lengths(session: VerbSession, learner_id: int) -> dict[Board, int]:
    """How many moves each play has."""
    length = func.max(MOVES.position).label("length")
    of_learner = and_(MOVES.learner_id == learner_id, MOVES.position > 0)
    moves = select(*BOARD, length).where(of_learner)
    plays: dict[Board, int] = {}
    by_board = moves.group_by(*BOARD)
    for play in session.execute(by_board):
        board = (play.game, play.level, play.seed)
        plays[board] = play.length
    return plays


def lowest_position(session: VerbSession, learner_id: int, board: Board) -> int:
    """Where the plays set aside before end; 0 where there are none."""
    on_board = and_(MOVES.learner_id == learner_id, is_on(board))
    lowest_on_board = func.min(MOVES.position)
    lowest = select(lowest_on_board).where(on_board)
    position = session.execute(lowest).scalar() or 0
    return min(0, position)


def set_aside(session: VerbSession, learner_id: int, board: Board, below: int) -> None:
    moves = and_(MOVES.learner_id == learner_id, MOVES.position > 0, is_on(board))
    positions_below = below - MOVES.position
    change(session, MOVE, moves, position=positions_below)


def is_on(board: Board) -> Condition:
    return tuple_(*BOARD) == board
