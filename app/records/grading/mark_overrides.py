"""A cell of the gradebook, opened: the work of a student, and a mark that the teacher sets by hand."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, or_, select

from app.course.assignments.question_sets import total_of
from app.course.items import numbers
from app.course.items.marks import Unreadable
from app.records.accounts.values import Caller
from app.records.assignments import assignments, deadlines
from app.records.assignments.tables import Extension, MarkOverride, Submission
from app.records.assignments.values import AssignmentRow, ExtensionRow, SubmissionRow
from app.records.classes import classrooms
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.grading import gradebook, marks, regraded_marks, submissions
from app.records.grading.gradebook import pupil_columns
from app.records.grading.marks import HandedIn
from app.records.grading.values import CellData, GradebookStudent, OverrideRow, SubmittedAttempt
from app.records.learning import attempts

LONGEST_REASON = 200

enrolment, submission, override = table(Enrolment).c, table(Submission).c, table(MarkOverride).c
extension = table(Extension).c

worked = [
    select(each.enrolment_id).where(each.assignment_id == bindparam("assignment"))
    for each in (submission, override)
]
PUPIL = Prepared(
    select(*pupil_columns, enrolment.removed_at, enrolment.classroom_id).where(
        enrolment.id == bindparam("student"),
        or_(enrolment.classroom_id == bindparam("classroom"), *(enrolment.id.in_(each) for each in worked)),
    )
)
OVERRIDES = Prepared(
    select(*[override[name] for name in OverrideRow._fields])
    .where(override.assignment_id == bindparam("assignment"), override.enrolment_id == bindparam("student"))
    .order_by(override.id)
)
EXTENSIONS = Prepared(
    select(*[extension[name] for name in ExtensionRow._fields])
    .where(extension.assignment_id == bindparam("assignment"), extension.enrolment_id == bindparam("student"))
    .order_by(extension.id)
)
ADD = adding(MarkOverride)

# What can be seen.


def find_cell(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, student_id: int
) -> tuple[ClassRow, AssignmentRow, GradebookStudent]:
    """A student at an assignment of one's class: who is in it, or has left work or a mark behind."""
    row, found = assignments.get(session, who, classroom_id, assignment_id)
    one = session.first(PUPIL, classroom=row.id, assignment=found.id, student=student_id)
    if one is None or found.published_at is None:
        raise NotFound("班里没有这位同学，或者这份作业还没有发布。")
    return row, found, gradebook.pupil(row.id, one)


def load_cell(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, student_id: int, now: datetime
) -> CellData:
    """Everything about a cell: every pass as it was seen, what was decided, and what the mark comes from."""
    row, found, one = find_cell(session, who, classroom_id, assignment_id, student_id)
    where = {"assignment": found.id, "student": one.id}
    overrides = tuple(OverrideRow(*each) for each in session.all(OVERRIDES, **where))
    extensions = tuple(ExtensionRow(*each) for each in session.all(EXTENSIONS, **where))
    rows = [
        SubmissionRow(*each)
        for each in session.all(submissions.SUBMISSIONS, assignment=found.id, enrolment=one.id)
    ]
    passes = tuple(attempt_data(session, one, each) for each in rows)
    window = deadlines.schedule(found, extensions[-1] if extensions else None, now)
    done = handed(rows)
    by_hand = overrides[-1].points if overrides else None
    begun = next((len(answered(each)) for each in passes if each.submission.handed_in_at is None), None)
    named = one.id in assignments.assignees_of(session, found.id)
    if done:
        cell = gradebook.marked(found, done, window, by_hand)
    else:
        cell = gradebook.empty_cell(found, one, window, by_hand, begun, named)
    return CellData(
        row=row,
        assignment=found,
        parts=assignments.parts_of(session, found.id),
        pupil=one,
        cell=cell,
        window=window,
        computed=marks.counting(found.counts, done),
        passes=passes,
        overrides=overrides,
        extensions=extensions,
        grants=regraded_marks.grants_of(session, found.id),
    )


def attempt_data(session: VerbSession, one: GradebookStudent, row: SubmissionRow) -> SubmittedAttempt:
    look = attempts.of_learner(session, one.learner_id, row.attempt_id)
    open_now = submissions.saved_in(session, row.attempt_id) if row.handed_in_at is None else {}
    return SubmittedAttempt(row, look, regraded_marks.judged_in(session, row.attempt_id), open_now)


def handed(rows: Sequence[SubmissionRow]) -> list[HandedIn]:
    """The passes that were handed in, as marks read them."""
    return [
        HandedIn(row.number, row.points or 0.0, row.factor, row.handed_in_at, row.collected)
        for row in rows
        if row.handed_in_at
    ]


def answered(one: SubmittedAttempt) -> set[str]:
    """The questions of a pass that have an answer, marked or only saved."""
    return {row.item for row in one.look.responses} | set(one.saved)


# What a teacher sets by hand.


def override_mark(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int,
    student_id: int,
    typed: str,
    reason: str,
    now: datetime,
) -> None:
    """Another mark than the computed one, with a reason; also where nothing was handed in."""
    classrooms.changed(session, who, classroom_id)
    here = load_cell(session, who, classroom_id, assignment_id, student_id, now)
    points = checked_points(typed, total_of(here.parts))
    said = checked_reason(reason)
    if here.overrides and (here.overrides[-1].points, here.overrides[-1].reason) == (points, said):
        return  # a second click
    save_override(session, who, here, points, said, now)


def take_back(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, student_id: int, now: datetime
) -> None:
    """The computed mark counts again. What was set stays in the history."""
    classrooms.changed(session, who, classroom_id)
    here = load_cell(session, who, classroom_id, assignment_id, student_id, now)
    if here.cell.by_hand:
        save_override(session, who, here, None, "", now)


def save_override(
    session: VerbSession, who: Caller, here: CellData, points: float | None, reason: str, now: datetime
) -> None:
    computed = here.computed.worth if here.computed else None
    was, becomes = here.cell.points, computed if points is None else points
    place = here.pupil.id
    session.run(
        ADD,
        assignment_id=here.assignment.id,
        enrolment_id=place,
        points=points,
        reason=reason,
        created_at=now,
    )
    action = "override" if points is not None else "override-back"
    detail = {"points": [was, becomes], "reason": reason}
    assignments.note(session, who, here.row, here.assignment.id, action, detail, now, place)


def checked_points(typed: str, total: float) -> float:
    """Points as somebody typed them, from nought to full marks; Refused says how to write others.

    >>> checked_points("８。5", 10)
    8.5
    """
    if not total:
        raise Refused("这份作业不计分，没有分数可改。")
    try:
        points = round(numbers.read(typed).value, 2)
    except Unreadable as error:
        raise Refused(f"分数请写一个0到{marks.short(total)}的数，比如{marks.short(total / 2)}。") from error
    if not 0 <= points <= total:
        raise Refused(f"满分是{marks.short(total)}，分数要在0到{marks.short(total)}之间。")
    return points


def checked_reason(text: str) -> str:
    found = " ".join(text.split())
    if not found:
        raise Refused("写一句理由，以后谁问起都说得清。")
    if len(found) > LONGEST_REASON:
        raise Refused(f"理由最多{LONGEST_REASON}个字。")
    return found
