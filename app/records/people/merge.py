"""A guest's work moves into an account: nothing is lost, nothing is there twice.

Logs are re-pointed. Where both have worked at the same lesson or example, the present rounds become one: the
later place holds, an opening goes on where the other stopped, and an item that only the guest answered is
answered. What then has no room in the present round (both answered the item) is kept in a round below 1:
history of another place, which every page of the present passes over. What is derived needs no rebuilding,
because it is derived at each look.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, case, delete, func, select, update

from app.records.accounts.tables import Learner, SignIn
from app.records.db.metadata import table
from app.records.db.session import Row, VerbSession
from app.records.items.tables import ProblemReport
from app.records.learning import attempts
from app.records.learning.tables import Attempt, Hint, LessonPlace, Response, Reveal
from app.records.learning.values import AttemptRow, LessonPlaceRow, Marker, Source
from app.records.people.merge_cards import merge_cards
from app.records.people.merge_plays import merge_games

places, reveals, tried = table(LessonPlace), table(Reveal), table(Attempt)
responses, hints = table(Response), table(Hint)

MERGED = frozenset(
    {"lesson_place", "attempt", "reveal", "problem_report", "sign_in"}
    | {"game_move", "deck", "card_memory", "review_log", "own_card"}
)
"""What hangs on a learner and moves; a test compares with the tables."""
NOT_OF_GUESTS = frozenset({"account", "classroom", "enrolment", "own_course", "audit"})
"""What only an account can have."""


def merge(session: VerbSession, guest: int, into: int, course: Marker, now: datetime) -> None:
    """Move everything of the guest into the account; the guest is no more, and its other sign-ins end."""
    for source, ref in scopes(session, guest):
        Merging(session, guest, into, source, ref, course).run()
    merge_games(session, guest, into)
    merge_cards(session, guest, into)
    of_guest = table(SignIn).c.learner_id == guest
    session.execute(
        update(table(SignIn)).where(of_guest, table(SignIn).c.ended_at.is_(None)).values(ended_at=now)
    )
    for each in (table(SignIn), table(ProblemReport)):
        session.execute(update(each).where(each.c.learner_id == guest).values(learner_id=into))
    session.execute(delete(table(Learner)).where(table(Learner).c.id == guest))


def scopes(session: VerbSession, guest: int) -> list[tuple[Source, str]]:
    """The lessons and examples the guest has touched."""
    found: set[tuple[Source, str]] = {
        ("lesson", stage) for (stage,) in rows_of(session, places, guest, places.c.stage)
    }
    found |= {("practice", ref) for (ref,) in rows_of(session, reveals, guest, reveals.c.ref)}
    found |= {(source, ref) for source, ref in rows_of(session, tried, guest, tried.c.source, tried.c.ref)}
    return sorted(found)


def rows_of(session: VerbSession, of: Table, learner_id: int, *columns: Any) -> list[Row]:
    found = session.execute(select(*columns).where(of.c.learner_id == learner_id).distinct())
    return [tuple(row) for row in found]


@dataclass
class Merging:
    """One lesson or example of both. Its rounds are those of its places or of its opening."""

    session: VerbSession
    guest: int
    into: int
    source: Source
    ref: str
    course: Marker

    def run(self) -> None:
        taken = self.rounds(self.into)
        if not taken:
            self.repoint(dict.fromkeys(self.rounds(self.guest)))
            return
        self.present = attempts.round_of(self.session, self.into, self.source, self.ref)
        last = attempts.round_of(self.session, self.guest, self.source, self.ref)
        self.aside = min(*taken, 1) - 1
        self.fold(last)
        self.repoint({number: self.aside - (last - number) for number in self.rounds(self.guest)})

    @property
    def log(self) -> tuple[Table, Any]:
        """The table that says which round is the present one, and what selects this lesson or example."""
        if self.source == "lesson":
            return places, places.c.stage == self.ref
        return reveals, reveals.c.ref == self.ref

    def rounds(self, learner_id: int) -> set[int]:
        log, here = self.log
        in_log = select(log.c.round).where(log.c.learner_id == learner_id, here)
        in_attempts = select(tried.c.round).where(
            tried.c.learner_id == learner_id, tried.c.source == self.source, tried.c.ref == self.ref
        )
        return {number for (number,) in self.session.execute(in_log.union(in_attempts))}

    def repoint(self, numbers: Mapping[int, int | None]) -> None:
        """Whole rounds of the guest, under other numbers where one is given."""
        log, here = self.log
        whose = (tried.c.source == self.source, tried.c.ref == self.ref)
        for old, new in numbers.items():
            values = {"learner_id": self.into} | ({} if new is None else {"round": new})
            for each, these in ((log, (here,)), (tried, whose)):
                mine = (each.c.learner_id == self.guest, each.c.round == old, *these)
                self.session.execute(update(each).where(*mine).values(**values))

    def fold(self, last: int) -> None:
        """The guest's present round into that of the account, as far as there is room."""
        if self.source == "lesson":
            self.fold_places(last)
        else:
            self.fold_opening(last)
        theirs = attempts.of_round(self.session, self.guest, self.source, self.ref, last)
        ours = attempts.of_round(self.session, self.into, self.source, self.ref, self.present)
        if theirs and ours:
            Folding(self.session, theirs, ours, self.course).run()
        elif theirs:
            self.set(tried, [theirs.id], learner_id=self.into, round=self.present)

    def fold_places(self, last: int) -> None:
        """For each section the later place; done stays done."""
        kept = {row.section: row for row in self.places_in(self.into, self.present)}
        for row in self.places_in(self.guest, last):
            if (here := kept.get(row.section)) is None:
                self.set(places, [row.id], learner_id=self.into, round=self.present)
                continue
            step, done = max(here.step, row.step), here.done or row.done
            self.set(places, [here.id], step=step, done=done, updated_at=kept_at(here, row))
            self.session.execute(delete(places).where(places.c.id == row.id))

    def places_in(self, learner_id: int, number: int) -> list[Any]:
        mine = (places.c.learner_id == learner_id, places.c.stage == self.ref, places.c.round == number)
        return list(self.session.execute(select(places).where(*mine)))

    def fold_opening(self, last: int) -> None:
        """The opening goes on where the account stopped; what is open there already is kept aside."""
        open_here = dict(self.openings(self.into, self.present))
        theirs = self.openings(self.guest, last)
        begun = [which for position, which in theirs if not position]
        further = [which for position, which in theirs if position > max(open_here, default=0)]
        if open_here or further:
            self.session.execute(delete(reveals).where(reveals.c.id.in_(begun)))
            begun = []
        self.set(reveals, begun + further, learner_id=self.into, round=self.present)

    def openings(self, learner_id: int, number: int) -> list[tuple[int, int]]:
        mine = (reveals.c.learner_id == learner_id, reveals.c.ref == self.ref, reveals.c.round == number)
        found = self.session.execute(select(reveals.c.position, reveals.c.id).where(*mine))
        return [(row.position, row.id) for row in found]

    def set(self, of: Table, ids: Iterable[int], **values: Any) -> None:
        self.session.execute(update(of).where(of.c.id.in_(list(ids))).values(**values))


def kept_at(*both: LessonPlaceRow) -> datetime:
    """When a section was done first, for an assignment asks for it; until then, when it was last opened."""
    if done := [place.updated_at for place in both if place.done]:
        return min(done)
    return max(place.updated_at for place in both)


@dataclass
class Folding:
    """Two attempts at the same thing: the answers of the guest's go into the account's, item by item."""

    session: VerbSession
    theirs: AttemptRow
    ours: AttemptRow
    course: Marker

    def run(self) -> None:
        answered, asked = self.by_item(self.ours), self.by_item(self.theirs)
        for item, rows in asked.items():
            if not self.alike(item, rows[0].item_version):
                continue
            if item not in answered:
                self.move(responses, [row.id for row in rows], self.ours)
                self.move_hints(item)
            elif rows[-1].verdict != "wrong" and answered[item][-1].verdict == "wrong":
                self.swap(item)
        for (item,) in self.session.execute(
            select(hints.c.item).where(hints.c.attempt_id == self.theirs.id).distinct()
        ).all():
            if item not in answered and item not in asked:
                self.move_hints(item)
        self.drop_if_empty()

    def by_item(self, attempt: AttemptRow) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        of = responses.c.attempt_id == attempt.id
        for row in self.session.execute(select(responses).where(of).order_by(responses.c.id)):
            found.setdefault(row.item, []).append(row)
        return found

    def alike(self, item: str, version: str) -> bool:
        """Whether the account's attempt would have asked the very same."""
        if self.ours.seed == self.theirs.seed:
            return True
        try:
            return self.course.version(item, self.ours.seed)[0] == version
        except KeyError:  # no longer in the course: nobody will be asked again
            return False

    def move(self, of: Table, ids: Iterable[int], to: AttemptRow) -> None:
        self.session.execute(update(of).where(of.c.id.in_(list(ids))).values(attempt_id=to.id))

    def move_hints(self, item: str) -> None:
        """Those that are not open there already; the others stay."""
        opened = select(hints.c.position).where(hints.c.attempt_id == self.ours.id, hints.c.item == item)
        mine = (hints.c.attempt_id == self.theirs.id, hints.c.item == item)
        self.session.execute(
            update(hints).where(*mine, hints.c.position.not_in(opened)).values(attempt_id=self.ours.id)
        )

    def swap(self, item: str) -> None:
        """The guest has come to an end of the item, the account has not: the finished answers are shown."""
        for of, number in ((responses, responses.c.try_number), (hints, hints.c.position)):
            both = (of.c.item == item, of.c.attempt_id.in_([self.ours.id, self.theirs.id]))
            other = case((of.c.attempt_id == self.ours.id, self.theirs.id), else_=self.ours.id)
            turned = {"attempt_id": other, number.name: -number}
            self.session.execute(update(of).where(*both).values(**turned))
            self.session.execute(update(of).where(*both).values(**{number.name: -number}))

    def drop_if_empty(self) -> None:
        for of in (responses, hints):
            left = select(func.count()).select_from(of).where(of.c.attempt_id == self.theirs.id)
            if self.session.execute(left).scalar():
                return
        self.session.execute(delete(tried).where(tried.c.id == self.theirs.id))
