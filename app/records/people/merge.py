"""A guest's work moves into an account: nothing is lost, nothing is there twice.

Logs are re-pointed. Where both have worked at the same lesson or example, the present rounds become one, and
so do two attempts in them. Of a play that both began, the one that came further is shown. The sums of the
account are made again from the log.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, case, delete, func, literal, select, tuple_, union, update

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
from app.records.people.merge_cards import merge_cards

LEARNER = table(Learner).c
SIGN_IN = table(SignIn)
MOVE = table(GameMove)
PLACE = table(LessonPlace)
REVEAL = table(Reveal)
ATTEMPT = table(Attempt)
RESPONSE = table(Response)
HINT = table(Hint)
BOARD = (MOVE.c.game, MOVE.c.level, MOVE.c.seed)
Board = tuple[str, int, int]
"""Game, level and seed of a play."""
Condition = ColumnElement[bool]

MERGED = frozenset(
    {"lesson_place", "attempt", "reveal", "problem_report", "sign_in"}
    | {"game_move", "deck", "card_memory", "review_log", "own_card"}
)
"""The tables that hang on a learner and move; a test compares with the schema."""
SUMMED = frozenset({"item_sum", "learning_day", "first_try_count"})
"""The tables whose rows go with the guest, because those of the account are made again from the log."""
NOT_OF_GUESTS = frozenset({"account", "classroom", "enrolment", "own_course", "audit"})
"""The tables that only an account can have rows in."""


def merge(session: VerbSession, guest: int, account: int, course: MarkerWithSections, now: datetime) -> None:
    """Move everything of the guest into the account; the guest is no more, and its other sign-ins end."""
    for source, ref in worked_at(session, guest):
        RoundMerge(session, guest, account, source, ref).run(course)
    merge_plays(session, guest, account)
    merge_cards(session, guest, account)
    still_open = (SIGN_IN.c.learner_id == guest, SIGN_IN.c.ended_at.is_(None))
    session.execute(update(SIGN_IN).where(*still_open).values(ended_at=now))
    for log in (RESPONSE, SIGN_IN, table(ProblemReport)):
        session.execute(update(log).where(log.c.learner_id == guest).values(learner_id=account))
    session.execute(delete(table(Learner)).where(LEARNER.id == guest))
    sums.refold(session, account)


def worked_at(session: VerbSession, guest: int) -> list[tuple[Source, str]]:
    """Source and ref of every lesson, example and exercise that the guest has touched."""
    attempted = select(ATTEMPT.c.source, ATTEMPT.c.ref).where(ATTEMPT.c.learner_id == guest)
    lessons = select(literal("lesson"), PLACE.c.stage).where(PLACE.c.learner_id == guest)
    examples = select(literal("practice"), REVEAL.c.ref).where(REVEAL.c.learner_id == guest)
    touched = session.execute(union(attempted, lessons, examples))
    return sorted((row.source, row.ref) for row in touched)


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
        self.in_log = REVEAL.c.ref == self.ref
        if self.source == "lesson":
            self.log = PLACE
            self.in_log = PLACE.c.stage == self.ref
        self.in_attempts = (ATTEMPT.c.source == self.source) & (ATTEMPT.c.ref == self.ref)

    def run(self, course: MarkerWithSections) -> None:
        lowest = self.lowest_round()
        if lowest is None:
            self.move_rounds(0)
            return
        last = attempts.round_of(self.session, self.guest, self.source, self.ref)
        present = attempts.round_of(self.session, self.account, self.source, self.ref)
        if self.source == "lesson":
            self.merge_places(last, present, course)
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

    def move(self, owned: Table, number: ColumnElement[int] | int, *rows: Condition) -> int:
        """Give rows to the account, under the number of a round. How many there were."""
        moving = update(owned).where(*rows).values(learner_id=self.account, round=number)
        return self.session.execute(moving).rowcount

    def in_round(self, learner_id: int, number: int) -> Condition:
        """The rows of the log in one round of a learner."""
        return self.in_log & (self.log.c.learner_id == learner_id) & (self.log.c.round == number)

    def merge_places(self, last: int, present: int, course: MarkerWithSections) -> None:
        """For each section the later place, in the order of the course."""
        places = {place.section: place for place in self.places(self.account, present)}
        for place in self.places(self.guest, last):
            if place.section in places:
                section = course.section_of(self.ref, place.section)
                self.join_places(places[place.section], place, section)
            else:
                self.move(PLACE, present, PLACE.c.id == place.id)

    def places(self, learner_id: int, number: int) -> Sequence[Row[Any]]:
        return self.session.execute(select(PLACE).where(self.in_round(learner_id, number))).all()

    def join_places(self, of_account: Row[Any], of_guest: Row[Any], section: Section | None) -> None:
        """The account's place becomes the later one; done stays done."""
        furthest = max(of_account, of_guest, key=partial(step_number, section))
        later = {
            "step": furthest.step,
            "step_id": furthest.step_id,
            "done": of_account.done or of_guest.done,
            "updated_at": merged_time(of_account, of_guest),
        }
        self.session.execute(update(PLACE).where(PLACE.c.id == of_account.id).values(later))
        self.session.execute(delete(PLACE).where(PLACE.c.id == of_guest.id))

    def merge_openings(self, last: int, present: int) -> None:
        """The opening goes on where the account stopped; what is open there already stays the guest's."""
        position = REVEAL.c.position
        of_account = self.in_round(self.account, present)
        of_guest = self.in_round(self.guest, last)
        stopped_at = self.session.execute(select(func.max(position)).where(of_account)).scalar()
        moved = self.move(REVEAL, present, of_guest, position > (stopped_at or 0))
        # Position 0 says only that a round was begun: nobody needs it where a position is open.
        if moved or stopped_at is not None:
            self.session.execute(delete(REVEAL).where(of_guest, position == 0))
        else:
            self.move(REVEAL, present, of_guest, position == 0)

    def merge_attempts(self, last: int, present: int, course: Marker) -> None:
        of_guest = attempts.of_round(self.session, self.guest, self.source, self.ref, last)
        if of_guest is None:
            return
        of_account = attempts.of_round(self.session, self.account, self.source, self.ref, present)
        if of_account is None:
            self.move(ATTEMPT, present, ATTEMPT.c.id == of_guest.id)
        else:
            AttemptMerge(self.session, of_guest, of_account).run(course)


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
            if self.is_same_question(course, item, responses[0].item_version):
                self.merge_item(item, responses, account_responses.get(item))
        for item in self.items_with_hints():
            if item not in account_responses and item not in guest_responses:
                self.move_hints(item)
        self.drop_if_empty()

    def responses_by_item(self, attempt: AttemptRow) -> dict[str, list[ResponseRow]]:
        """The answers of an attempt, oldest first."""
        by_item: dict[str, list[ResponseRow]] = {}
        for response in attempts.responses_of(self.session, attempt.id):
            by_item.setdefault(response.item, []).append(response)
        return by_item

    def items_with_hints(self) -> Sequence[str]:
        """The items of which the guest opened a hint that is still the guest's."""
        items = select(HINT.c.item).where(HINT.c.attempt_id == self.of_guest.id).distinct()
        return self.session.execute(items).scalars().all()

    def is_same_question(self, course: Marker, item: str, version: str) -> bool:
        """Whether the account's attempt would have asked the very same."""
        if self.of_account.seed == self.of_guest.seed:
            return True
        try:
            return course.version(item, self.of_account.seed)[0] == version
        except KeyError:  # no longer in the course: nobody will be asked again
            return False

    def merge_item(
        self, item: str, of_guest: list[ResponseRow], of_account: list[ResponseRow] | None
    ) -> None:
        """Show the guest's answers where the account has none, or has not come to an end as the guest has."""
        if of_account is None:
            self.move(RESPONSE, RESPONSE.c.item == item)
            self.move_hints(item)
        elif of_guest[-1].verdict != "wrong" and of_account[-1].verdict == "wrong":
            self.swap(item)

    def move(self, log: Table, *rows: Condition) -> None:
        """Answers or hints of the guest's attempt into the account's."""
        of_guest = log.c.attempt_id == self.of_guest.id
        self.session.execute(update(log).where(of_guest, *rows).values(attempt_id=self.of_account.id))

    def move_hints(self, item: str) -> None:
        """Those that are not open in the account's attempt already; the rest stays."""
        of_item = HINT.c.item == item
        opened = select(HINT.c.position).where(HINT.c.attempt_id == self.of_account.id, of_item)
        self.move(HINT, of_item, HINT.c.position.not_in(opened))

    def swap(self, item: str) -> None:
        """The finished answers are shown, with the hints that led to them."""
        guest, account = self.of_guest.id, self.of_account.id
        for log, number in ((RESPONSE, RESPONSE.c.try_number), (HINT, HINT.c.position)):
            attempt_id = log.c.attempt_id
            of_item = (log.c.item == item) & attempt_id.in_([account, guest])
            opposite = case((attempt_id == account, guest), else_=account)
            # Numbers are unique in an attempt: below 0 while they change places.
            aside = {attempt_id: opposite, number: -number}
            for changes in (aside, {number: -number}):
                self.session.execute(update(log).where(of_item).values(changes))

    def drop_if_empty(self) -> None:
        """Delete the guest's attempt when nothing hangs on it any more."""
        for log in (RESPONSE, HINT):
            remaining = select(log.c.id).where(log.c.attempt_id == self.of_guest.id).limit(1)
            if self.session.execute(remaining).first():
                return
        self.session.execute(delete(ATTEMPT).where(ATTEMPT.c.id == self.of_guest.id))


def merge_plays(session: VerbSession, guest: int, account: int) -> None:
    """All moves of the guest. The shorter of two plays is kept at positions below 0, which no board shows."""
    lengths_of_account = lengths(session, account)
    for board, length in lengths(session, guest).items():
        if board not in lengths_of_account:
            continue
        shorter = guest
        if lengths_of_account[board] < length:
            shorter = account
        set_aside(session, shorter, board, lowest_position(session, account, board))
    session.execute(update(MOVE).where(MOVE.c.learner_id == guest).values(learner_id=account))


def lengths(session: VerbSession, learner_id: int) -> dict[Board, int]:
    """How many moves each play has."""
    length = func.max(MOVE.c.position).label("length")
    moves = select(*BOARD, length).where(MOVE.c.learner_id == learner_id, MOVE.c.position > 0)
    plays: dict[Board, int] = {}
    for play in session.execute(moves.group_by(*BOARD)):
        plays[play.game, play.level, play.seed] = play.length
    return plays


def lowest_position(session: VerbSession, learner_id: int, board: Board) -> int:
    """Where the plays set aside before end; 0 where there are none."""
    lowest = select(func.min(MOVE.c.position)).where(MOVE.c.learner_id == learner_id, is_on(board))
    return min(0, session.execute(lowest).scalar() or 0)


def set_aside(session: VerbSession, learner_id: int, board: Board, below: int) -> None:
    moves = (MOVE.c.learner_id == learner_id, MOVE.c.position > 0, is_on(board))
    session.execute(update(MOVE).where(*moves).values(position=below - MOVE.c.position))


def is_on(board: Board) -> Condition:
    return tuple_(*BOARD) == board
