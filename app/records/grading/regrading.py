"""重新评分 of one part of an assignment, after its item was corrected: previewed first, then done.

Two ways, and one back: `again` marks the stored answers against the item of today, `full` gives everybody all
points, `back` takes that back. Responses stay as they were; what changes lies over them, and in the points.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import bindparam, select, update

from app.course.assignments.question_sets import AssignedQuestion, MarkingCourse, QuestionSet, questions
from app.course.items.marks import Mark, Unreadable
from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.tables import SavedAnswer, Submission
from app.records.assignments.values import AssignmentRow, PartRow, SubmissionRow, TaughtAssignment
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, adding, columns_of
from app.records.grading import attempt_work, gradebook, marks, regraded_marks, submissions
from app.records.grading.mark_overrides import checked_reason, handed
from app.records.grading.tables import PartGrant, ReMark
from app.records.grading.values import GradebookStudent, GrantRow, RegradedResponse
from app.records.learning import attempts
from app.records.learning.tables import Response
from app.records.learning.values import Answer

Way = Literal["again", "full", "back"]
Courses = Mapping[str, MarkingCourse]

RESPONSE, SUBMISSION = table(Response).c, table(Submission).c
ENROLMENT, SAVED = table(Enrolment).c, table(SavedAnswer).c
IS_SUBMISSION = SUBMISSION.assignment_id == bindparam("assignment")


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


class SavedResponse(NamedTuple):
    """What a student saved. In a plan: what was not marked at the hand-in, as its item was missing."""

    attempt_id: int
    item: str
    raw: tuple[str, ...]
    seconds: int | None
    score: float = 0.0


class MarkChange(NamedTuple):
    """A student whose points change: of the attempt `number`, and the mark of the whole.

    `by_hand`: the teacher set the mark, so that it stays.
    """

    pupil: GradebookStudent
    number: int
    points: tuple[float, float]
    marks: tuple[float, float]
    by_hand: bool


@dataclass(frozen=True, slots=True)
class RegradePlan:
    """What a 重新评分 would do: responses judged otherwise, saved answers that are marked at last, the points
    of attempts by part. `unread`: answers that cannot be marked today, and stay as they are."""

    seconds: tuple[CountedResponse, ...] = ()
    late: tuple[SavedResponse, ...] = ()
    points: Mapping[int, Mapping[int, float]] | None = None
    changes: tuple[MarkChange, ...] = ()
    unread: int = 0

    @property
    def digest(self) -> str:
        """Two plans that do the same have the same."""
        changes = [(change.pupil.id, change.number, change.points) for change in self.changes]
        text = repr((changes, len(self.seconds), len(self.late)))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class RegradePage:
    """The page of an assignment's parts, with the plan for one of them."""

    row: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    grants: Mapping[int, GrantRow]
    plan: RegradePlan | None = None


# The verbs.


def load_regrade(session: VerbSession, caller: Caller, classroom_id: int, assignment_id: int) -> RegradePage:
    """The parts of an assignment of one's class, and what counts in full for everybody."""
    return page_of(session, lookup.get(session, caller, classroom_id, assignment_id))


def page_of(session: VerbSession, task: TaughtAssignment, plan: RegradePlan | None = None) -> RegradePage:
    classroom, assignment = task
    if assignment.published_at is None:
        raise NotFound("这份作业还没有发布，没有可以重新评分的。")
    parts = lookup.parts_of(session, assignment.id)
    grants = regraded_marks.grants_of(session, assignment.id)
    return RegradePage(classroom, assignment, parts, grants, plan)


def preview(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    part_id: int,
    way: Way,
    courses: Courses,
) -> RegradePage:
    """Who would change, and how; nothing is written."""
    page = load_regrade(session, caller, classroom_id, assignment_id)
    plan = plan_of(load_answers(session, page, part_id, way, courses))
    return RegradePage(page.row, page.assignment, page.parts, page.grants, plan)


def regrade(
    session: VerbSession,
    caller: Caller,
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
    task = lookup.changed(session, caller, classroom_id, assignment_id)
    page = page_of(session, task)
    answers = load_answers(session, page, part_id, way, courses)
    reason = checked_reason(reason)
    if way != "again" and answers.is_granted == (way == "full"):
        return  # a second click
    plan = plan_of(answers)
    if plan.digest != digest:
        raise Refused("刚才又有人交了，或者题目又改了，名单和你看到的不一样。再核对一遍。")
    if way != "again":
        grant(session, part_id, way == "full", reason, now)
    write(session, answers, plan, now)
    detail = {
        "way": way,
        "questions": [question.number for question in answers.questions],
        "reason": reason,
        "students": [[change.pupil.id, *change.points] for change in plan.changes],
    }
    audit.note(session, caller, task, "regrade", detail, now)


# What is read.


@dataclass(frozen=True, slots=True)
class PartAnswers:
    """One part of one assignment with all its answers. `responses` and `saved` by attempt, `overrides` by
    enrolment; `is_granted`: it counts in full for everybody."""

    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    part_id: int
    way: Way
    courses: Courses
    is_granted: bool
    questions: Sequence[AssignedQuestion]
    attempts: Sequence[SubmissionRow]
    responses: Mapping[int, Sequence[CountedResponse]]
    saved: Mapping[int, Mapping[str, SavedResponse]]
    students: Sequence[GradebookStudent]
    overrides: Mapping[int, float | None]

    def question_set(self, attempt: SubmissionRow) -> QuestionSet:
        """The questions of an attempt, with the numbers that its student saw."""
        seed = self.assignment.seed
        return QuestionSet(self.courses, self.parts, seed, attempt.enrolment_id, attempt.number)


STUDENTS_WITH_WORK = RowQuery(
    GradebookStudent,
    gradebook.STUDENTS.where(ENROLMENT.id.in_(select(SUBMISSION.enrolment_id).where(IS_SUBMISSION))),
)


def load_answers(
    session: VerbSession, page: RegradePage, part_id: int, way: Way, courses: Courses
) -> PartAnswers:
    """All answers to a part that is asked question by question; NotFound for others: they have no answers."""
    assignment_id = page.assignment.id
    part_questions = [question for question in questions(page.parts) if question.part == part_id]
    if not part_questions:
        raise NotFound("这份作业里没有这道题。")
    return PartAnswers(
        page.assignment,
        page.parts,
        part_id,
        way,
        courses,
        part_id in page.grants,
        part_questions,
        attempts=lookup.submissions_of(session, assignment_id),
        responses=responses_to(session, assignment_id, {question.ref for question in part_questions}),
        saved=saved_by_attempt(session, assignment_id),
        students=session.all(STUDENTS_WITH_WORK, assignment=assignment_id, classroom=page.row.id),
        overrides=lookup.overrides_of(session, assignment_id),
    )


RESPONSES_OF_ASSIGNMENT = RowQuery(
    CountedResponse,
    select(*columns_of(Response, CountedResponse))
    .where(RESPONSE.attempt_id == SUBMISSION.attempt_id, IS_SUBMISSION)
    .order_by(RESPONSE.id),
)
SECOND_MARKS_OF_ASSIGNMENT = RowQuery(
    RegradedResponse,
    regraded_marks.SECOND_MARKS.where(RESPONSE.attempt_id == SUBMISSION.attempt_id, IS_SUBMISSION),
)


def responses_to(
    session: VerbSession, assignment_id: int, refs: set[str]
) -> dict[int, list[CountedResponse]]:
    """The responses to these questions, by attempt, as they count now."""
    second_marks = session.all(SECOND_MARKS_OF_ASSIGNMENT, assignment=assignment_id)
    last_marks = {mark.response_id: mark for mark in second_marks}
    responses: dict[int, list[CountedResponse]] = {}
    for response in session.all(RESPONSES_OF_ASSIGNMENT, assignment=assignment_id):
        if response.item not in refs:
            continue
        mark = last_marks.get(response.id)
        counted = judged(response, mark) if mark else response
        responses.setdefault(response.attempt_id, []).append(counted)
    return responses


def judged(response: CountedResponse, mark: RegradedResponse | Mark) -> CountedResponse:
    """A response as another mark judges it."""
    return response._replace(verdict=mark.verdict, score=mark.score, misconception=mark.misconception)


SAVED_OF_ASSIGNMENT = Prepared(
    select(SAVED.attempt_id, SAVED.item, SAVED.raw, SAVED.seconds).where(
        SAVED.attempt_id == SUBMISSION.attempt_id, IS_SUBMISSION
    )
)


def saved_by_attempt(session: VerbSession, assignment_id: int) -> dict[int, dict[str, SavedResponse]]:
    """What was saved and perhaps never marked, by attempt and question."""
    saved: dict[int, dict[str, SavedResponse]] = {}
    for attempt_id, item, raw, seconds in session.all(SAVED_OF_ASSIGNMENT, assignment=assignment_id):
        answer = SavedResponse(attempt_id, item, attempts.typed(raw), seconds)
        saved.setdefault(attempt_id, {})[item] = answer
    return saved


# The plan: pure, from what was read.


class Remarked(NamedTuple):
    """An attempt marked against the item of today: what is judged otherwise, what is marked at last, and how
    many answers cannot be marked."""

    seconds: Sequence[CountedResponse] = ()
    late: Sequence[SavedResponse] = ()
    unread: int = 0


def plan_of(answers: PartAnswers) -> RegradePlan:
    seconds: list[CountedResponse] = []
    late: list[SavedResponse] = []
    points: dict[int, Mapping[int, float]] = {}
    unread = 0
    for attempt in answers.attempts:
        remarked = Remarked()
        if answers.way == "again":
            remarked = remark(answers, attempt)
        seconds += remarked.seconds
        late += remarked.late
        unread += remarked.unread
        if attempt.handed_in_at is None:
            continue
        new_points = points_of(answers, attempt, remarked)
        if marks.sum_of(new_points) != round(attempt.points or 0.0, 4):
            points[attempt.attempt_id] = new_points
    return RegradePlan(tuple(seconds), tuple(late), points, changes_of(answers, points), unread)


def remark(answers: PartAnswers, attempt: SubmissionRow) -> Remarked:
    """Mark the responses of an attempt anew, and what was saved but could not be marked at the hand-in."""
    seconds, late, unread = [], [], 0
    question_set = answers.question_set(attempt)
    responses = answers.responses.get(attempt.attempt_id, ())
    for response in responses:
        raw = attempts.typed(response.raw)
        if not raw:
            continue  # the answer was shown, or its learner has deleted their account
        try:
            mark = question_set.mark(response.item, 0, raw, response.try_number)
        except (Unreadable, KeyError):
            unread += 1
            continue
        if (mark.verdict, mark.score) != (response.verdict, response.score):
            seconds.append(judged(response, mark))
    marked_refs = {response.item for response in responses}
    for saved in unmarked(answers, attempt, marked_refs):
        raw = submissions.filled(saved.raw)
        try:
            score = question_set.mark(saved.item, 0, raw, 1).score
        except (Unreadable, KeyError):
            unread += any(text.strip() for text in saved.raw)
            continue
        late.append(saved._replace(raw=raw, score=score))
    return Remarked(seconds, late, unread)


def unmarked(answers: PartAnswers, attempt: SubmissionRow, marked_refs: set[str]) -> list[SavedResponse]:
    """The saved answers of an attempt that was handed in which nobody has marked."""
    saved = answers.saved.get(attempt.attempt_id)
    if saved is None or attempt.handed_in_at is None:
        return []
    refs = [question.ref for question in answers.questions]
    return [saved[ref] for ref in refs if ref in saved and ref not in marked_refs]


def points_of(answers: PartAnswers, attempt: SubmissionRow, remarked: Remarked) -> dict[int, float]:
    """The points of an attempt by part, this part counted anew."""
    scores = {
        response.id: (response.item, response.score)
        for response in (*answers.responses.get(attempt.attempt_id, ()), *remarked.seconds)
    }
    late_scores = [(saved.item, saved.score) for saved in remarked.late]
    shares = marks.best_shares([*scores.values(), *late_scores])
    granted_parts = []
    if answers.way == "full" or (answers.way == "again" and answers.is_granted):
        granted_parts.append(answers.part_id)
    old_points = marks.by_part(attempt.parts)
    return marks.again(answers.parts, old_points, [answers.part_id], shares, granted_parts)


def changes_of(answers: PartAnswers, points: Mapping[int, Mapping[int, float]]) -> tuple[MarkChange, ...]:
    """Who changes, in the order of the roster. `points`: of the attempts that change, by part."""
    changes = []
    for student in answers.students:
        override = answers.overrides.get(student.id)
        old_attempts, new_attempts = [], []
        for attempt in answers.attempts:
            if attempt.enrolment_id == student.id and attempt.handed_in_at:
                old_attempts.append(attempt)
                new_attempts.append(with_points(attempt, points.get(attempt.attempt_id)))
        counts = answers.assignment.counts
        old_mark = marks.mark_of(counts, handed(old_attempts), override) or 0.0
        new_mark = marks.mark_of(counts, handed(new_attempts), override) or 0.0
        for old, new in zip(old_attempts, new_attempts, strict=True):
            if old.attempt_id in points:
                change = (old.points or 0.0, new.points or 0.0)
                by_hand = override is not None
                changes.append(MarkChange(student, old.number, change, (old_mark, new_mark), by_hand))
    return tuple(changes)


def with_points(attempt: SubmissionRow, points: Mapping[int, float] | None) -> SubmissionRow:
    if points is None:
        return attempt
    return attempt._replace(points=marks.sum_of(points))


# What is written.

ADD_GRANT = adding(PartGrant)


def grant(session: VerbSession, part_id: int, granted: bool, reason: str, now: datetime) -> None:
    """Count a part in full for everybody, or take that back."""
    session.run(ADD_GRANT, part_id=part_id, granted=granted, reason=reason, created_at=now)


ADD_RE_MARK = adding(ReMark)
SET_POINTS = Prepared(
    update(table(Submission)).where(SUBMISSION.attempt_id == bindparam("attempt")), keys=("points", "parts")
)


def write(session: VerbSession, answers: PartAnswers, plan: RegradePlan, now: datetime) -> None:
    """Lay the second marks over the responses, mark what was only saved, store the points."""
    question_sets = {attempt.attempt_id: answers.question_set(attempt) for attempt in answers.attempts}
    for response in plan.seconds:
        question_set = question_sets[response.attempt_id]
        session.run(
            ADD_RE_MARK,
            response_id=response.id,
            verdict=response.verdict,
            score=response.score,
            misconception=response.misconception,
            item_version=attempts.freeze(session, question_set, response.item, 0, now),
            created_at=now,
        )
    for saved in plan.late:
        log = attempt_work.log_in(session, saved.attempt_id, saved.item)
        answer = Answer(saved.item, 1, saved.raw, saved.seconds)
        attempts.take(session, log, answer, question_sets[saved.attempt_id], now)
    for attempt_id, points in (plan.points or {}).items():
        session.run(SET_POINTS, attempt=attempt_id, points=marks.sum_of(points), parts=json.dumps(points))
