"""重新评分 of one part of an assignment, after its item was corrected: looked at first, then done.

Two ways, and one back: `again` marks the stored answers against the item of today, `full` gives everybody all
points, `back` takes that back. Responses stay as they were; what changes lies over them, and in the points.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import bindparam, select, update

from app.course.assignments.question_sets import AssignedQuestion, MarkingCourse, QuestionSet, questions
from app.course.items.marks import Unreadable
from app.records.accounts.values import Caller
from app.records.assignments import assignments
from app.records.assignments.tables import MarkOverride, SavedAnswer, Submission
from app.records.assignments.values import AssignmentRow, PartRow, SubmissionRow
from app.records.classes import classrooms
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.grading import gradebook, marks, regraded_marks, submissions
from app.records.grading.mark_overrides import checked_reason, handed
from app.records.grading.tables import PartGrant, ReMark
from app.records.grading.values import GradebookStudent
from app.records.learning import attempts
from app.records.learning.tables import Response
from app.records.learning.values import Answer

Way = Literal["again", "full", "back"]
Courses = Mapping[str, MarkingCourse]

response, re_mark, submission = table(Response).c, table(ReMark).c, table(Submission).c
enrolment, override, saved = table(Enrolment).c, table(MarkOverride).c, table(SavedAnswer).c

here = (response.attempt_id == submission.attempt_id, submission.assignment_id == bindparam("assignment"))
GIVEN = Prepared(
    select(
        response.id,
        response.attempt_id,
        response.item,
        response.try_number,
        response.raw,
        response.verdict,
        response.score,
        response.misconception,
    )
    .where(*here)
    .order_by(response.id)
)
JUDGED = Prepared(
    select(re_mark.response_id, re_mark.verdict, re_mark.score, re_mark.misconception)
    .where(re_mark.response_id == response.id, *here)
    .order_by(re_mark.id)
)
SAVED = Prepared(
    select(saved.attempt_id, saved.item, saved.raw, saved.seconds).where(
        saved.attempt_id == submission.attempt_id, submission.assignment_id == bindparam("assignment")
    )
)
PUPILS = Prepared(
    select(*gradebook.pupil_columns, enrolment.removed_at, enrolment.classroom_id)
    .where(
        enrolment.id.in_(
            select(submission.enrolment_id).where(submission.assignment_id == bindparam("assignment"))
        )
    )
    .order_by(enrolment.number == "", enrolment.number, enrolment.id)
)
OVERRIDES = Prepared(
    select(override.enrolment_id, override.points)
    .where(override.assignment_id == bindparam("assignment"))
    .order_by(override.id)
)
ADD_MARK, ADD_GRANT = adding(ReMark), adding(PartGrant)
SET_POINTS = Prepared(
    update(table(Submission)).where(submission.attempt_id == bindparam("attempt")), keys=("points", "parts")
)


class CountedResponse(NamedTuple):
    """A response, as it counts now."""

    id: int
    attempt_id: int
    item: str
    try_number: int
    raw: str
    verdict: str
    score: float
    misconception: str | None


class RegradedAnswer(NamedTuple):
    """A response that is judged otherwise now."""

    given: CountedResponse
    verdict: str
    score: float
    misconception: str | None


class SavedResponse(NamedTuple):
    """What a student saved. In a plan: what was not marked at the hand-in, as its item was missing."""

    attempt_id: int
    item: str
    raw: tuple[str, ...]
    seconds: int | None
    score: float = 0.0


class MarkChange(NamedTuple):
    """A student whose points change: of the pass `number`, and the mark of the whole.

    `by_hand`: the teacher set the mark, so that it stays.
    """

    pupil: GradebookStudent
    number: int
    points: tuple[float, float]
    marks: tuple[float, float]
    by_hand: bool


@dataclass(frozen=True, slots=True)
class RegradePlan:
    """What a 重新评分 would do. `unread`: answers that cannot be marked today, and stay as they are."""

    seconds: tuple[RegradedAnswer, ...] = ()
    late: tuple[SavedResponse, ...] = ()
    points: Mapping[int, Mapping[int, float]] | None = None
    changes: tuple[MarkChange, ...] = ()
    unread: int = 0

    @property
    def digest(self) -> str:
        """Two plans that do the same have the same."""
        told = [(one.pupil.id, one.number, one.points) for one in self.changes]
        return hashlib.sha256(repr((told, len(self.seconds), len(self.late))).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class RegradePage:
    """The page of an assignment's parts, with the plan for one where it was asked for."""

    row: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    grants: Mapping[int, Any]
    plan: RegradePlan | None = None


# What can be seen.


def load_regrade(session: VerbSession, who: Caller, classroom_id: int, assignment_id: int) -> RegradePage:
    """The parts of an assignment of one's class, and what counts in full for everybody."""
    row, found = assignments.get(session, who, classroom_id, assignment_id)
    if found.published_at is None:
        raise NotFound("这份作业还没有发布，没有可以重新评分的。")
    grants = regraded_marks.grants_of(session, found.id)
    return RegradePage(row, found, assignments.parts_of(session, found.id), grants)


def preview(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    part_id: int,
    way: Way,
    courses: Courses,
) -> RegradePage:
    """Who would change, and how; nothing is written."""
    seen = load_regrade(session, who, classroom_id, assignment_id)
    plan = Planning(session, seen, part_of(seen, part_id), way, courses).plan()
    return RegradePage(seen.row, seen.assignment, seen.parts, seen.grants, plan)


def part_of(seen: RegradePage, part_id: int) -> PartRow:
    """A part that is asked question by question; others have no answers to mark."""
    one = next((part for part in seen.parts if part.id == part_id), None)
    if one is None or not questions([one]):
        raise NotFound("这份作业里没有这道题。")
    return one


# What a teacher does.


def regrade(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    part_id: int,
    way: Way,
    reason: str,
    digest: str,
    courses: Courses,
    now: datetime,
) -> None:
    """Do what the preview showed. Refused when something else would happen by now: then look once more."""
    classrooms.changed(session, who, classroom_id)
    seen = load_regrade(session, who, classroom_id, assignment_id)
    one, said = part_of(seen, part_id), checked_reason(reason)
    if (one.id in seen.grants) == (way == "full") and way != "again":
        return  # a second click
    planning = Planning(session, seen, one, way, courses)
    plan = planning.plan()
    if plan.digest != digest:
        raise Refused("刚才又有人交了，或者题目又改了，名单和你看到的不一样。再核对一遍。")
    planning.write(plan, said, now)
    detail = {
        "way": way,
        "questions": [each.number for each in planning.asked],
        "reason": said,
        "students": [[change.pupil.id, *change.points] for change in plan.changes],
    }
    assignments.note(session, who, seen.row, seen.assignment.id, "regrade", detail, now)


class Planning:
    """One part of one assignment, all its answers read at once."""

    def __init__(
        self, session: VerbSession, seen: RegradePage, part: PartRow, way: Way, courses: Courses
    ) -> None:
        self.session, self.seen, self.part, self.way, self.courses = session, seen, part, way, courses
        self.asked: Sequence[AssignedQuestion] = [one for one in questions(seen.parts) if one.part == part.id]
        self.passes = assignments.submissions_of(session, seen.assignment.id)
        self.given = self._given()
        self.saved = self._saved()
        self.unread = 0

    def _given(self) -> dict[int, list[CountedResponse]]:
        """The answers to this part, by attempt, as they count now."""
        which = self.seen.assignment.id
        second = {one: rest for one, *rest in self.session.all(JUDGED, assignment=which)}
        names = {one.ref for one in self.asked}
        found: dict[int, list[CountedResponse]] = {}
        for row in self.session.all(GIVEN, assignment=which):
            if row[2] in names:
                one = CountedResponse(*row[:5], *second.get(row[0], row[5:]))
                found.setdefault(one.attempt_id, []).append(one)
        return found

    def _saved(self) -> dict[int, dict[str, SavedResponse]]:
        """What was saved and perhaps never marked, by attempt and question."""
        found: dict[int, dict[str, SavedResponse]] = {}
        for attempt_id, item, raw, seconds in self.session.all(SAVED, assignment=self.seen.assignment.id):
            one = SavedResponse(attempt_id, item, attempts.typed(raw), seconds)
            found.setdefault(attempt_id, {})[item] = one
        return found

    def plan(self) -> RegradePlan:
        again = self.passes if self.way == "again" else ()
        seconds = [one for each in again for one in self.anew(each)]
        late = [one for each in again if each.handed_in_at for one in self.overdue(each)]
        fresh = {one.given.id: one.score for one in seconds}
        points = {
            each.attempt_id: self.points_of(each, fresh, late) for each in self.passes if each.handed_in_at
        }
        changed = {
            attempt: parts
            for attempt, parts in points.items()
            if worth(parts) != round(self.by_attempt[attempt].points or 0.0, 4)
        }
        return RegradePlan(tuple(seconds), tuple(late), changed, tuple(self.changes(changed)), self.unread)

    @property
    def by_attempt(self) -> Mapping[int, SubmissionRow]:
        return {one.attempt_id: one for one in self.passes}

    def anew(self, one: SubmissionRow) -> list[RegradedAnswer]:
        """The answers of a pass that are judged otherwise today."""
        paper = self.paper(one)
        found = [self.second(paper, each) for each in self.given.get(one.attempt_id, ())]
        return [each for each in found if each is not None]

    def paper(self, one: SubmissionRow) -> QuestionSet:
        row = self.seen.assignment
        return QuestionSet(self.courses, self.seen.parts, row.seed, one.enrolment_id, one.number)

    def second(self, paper: QuestionSet, one: CountedResponse) -> RegradedAnswer | None:
        raw = attempts.typed(one.raw)
        if not raw:
            return None  # the answer was shown, or whoever gave it has deleted their account
        try:
            mark = paper.mark(one.item, 0, raw, one.try_number)
        except (Unreadable, KeyError):
            self.unread += 1
            return None
        if (mark.verdict, mark.score) == (one.verdict, one.score):
            return None
        return RegradedAnswer(one, mark.verdict, mark.score, mark.misconception)

    def overdue(self, one: SubmissionRow) -> list[SavedResponse]:
        """The saved answers of a pass that was handed in which nobody has marked."""
        kept, paper = self.saved.get(one.attempt_id, {}), self.paper(one)
        marked = {each.item for each in self.given.get(one.attempt_id, ())}
        left = [kept[each.ref] for each in self.asked if each.ref in kept and each.ref not in marked]
        found = []
        for row in left:
            raw = submissions.filled(row.raw)
            try:
                score = paper.mark(row.item, 0, raw, 1).score
            except (Unreadable, KeyError):
                self.unread += any(text.strip() for text in row.raw)
                continue
            found.append(row._replace(raw=raw, score=score))
        return found

    def points_of(
        self, one: SubmissionRow, fresh: Mapping[int, float], late: Sequence[SavedResponse]
    ) -> dict[int, float]:
        """The points of a pass by part, this part counted anew."""
        rows = self.given.get(one.attempt_id, ())
        scored = [(each.item, fresh.get(each.id, each.score)) for each in rows]
        scored += [(each.item, each.score) for each in late if each.attempt_id == one.attempt_id]
        shares = marks.best_shares(scored)
        granted = self.way == "full" or (self.way == "again" and self.part.id in self.seen.grants)
        full = [self.part.id] if granted else []
        return marks.again(self.seen.parts, marks.by_part(one.parts), [self.part.id], shares, full)

    def changes(self, changed: Mapping[int, Mapping[int, float]]) -> list[MarkChange]:
        """Who changes, in the order of the roster."""
        row = self.seen.assignment
        by_hand: dict[int, float | None] = dict(self.session.all(OVERRIDES, assignment=row.id))
        found = []
        for line in self.session.all(PUPILS, assignment=row.id):
            one = gradebook.pupil(self.seen.row.id, line)
            mine = [each for each in self.passes if each.enrolment_id == one.id and each.handed_in_at]
            old = mark(row, mine, {}, by_hand.get(one.id))
            new = mark(row, mine, changed, by_hand.get(one.id))
            for each in mine:
                if each.attempt_id in changed:
                    points = (each.points or 0.0, worth(changed[each.attempt_id]))
                    hand = by_hand.get(one.id) is not None
                    found.append(MarkChange(one, each.number, points, (old, new), hand))
        return found

    def write(self, plan: RegradePlan, reason: str, now: datetime) -> None:
        """Lay the second marks over the responses, or grant the part; keep the points."""
        if self.way != "again":
            values = {"granted": self.way == "full", "reason": reason, "created_at": now}
            self.session.run(ADD_GRANT, part_id=self.part.id, **values)
        for one in plan.seconds:
            paper = self.paper(self.by_attempt[one.given.attempt_id])
            version = attempts.freeze(self.session, paper, one.given.item, 0, now)
            self.session.run(
                ADD_MARK,
                response_id=one.given.id,
                verdict=one.verdict,
                score=one.score,
                misconception=one.misconception,
                item_version=version,
                created_at=now,
            )
        for each in plan.late:
            paper = self.paper(self.by_attempt[each.attempt_id])
            log = submissions.log_in(self.session, each.attempt_id, each.item)
            attempts.take(self.session, log, Answer(each.item, 1, each.raw, each.seconds), paper, now)
        for attempt, parts in (plan.points or {}).items():
            self.session.run(SET_POINTS, attempt=attempt, points=worth(parts), parts=json.dumps(parts))


def worth(parts: Mapping[int, float]) -> float:
    return round(sum(parts.values()), 4)


def mark(
    row: AssignmentRow,
    passes: Sequence[SubmissionRow],
    changed: Mapping[int, Mapping[int, float]],
    by_hand: float | None,
) -> float:
    """The mark of the whole, with some passes worth something else."""
    anew = [
        one._replace(points=worth(changed[one.attempt_id])) if one.attempt_id in changed else one
        for one in passes
    ]
    return marks.mark_of(row.counts, handed(anew), by_hand) or 0.0
