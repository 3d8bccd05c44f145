"""An assignment from its settings to its end: set up, given to students, published, closed, opened again."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, update

from app.records.accounts.values import Caller
from app.records.assignments import audit, deadlines, lookup, parts
from app.records.assignments.drafts import SET_PAIR
from app.records.assignments.rows import ASSIGNEE, ASSIGNMENT
from app.records.assignments.rules import checked
from app.records.assignments.tables import Assignee, Assignment
from app.records.assignments.values import AssignmentRow, AssignmentRules, Audience, TaughtAssignment
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.learning.tables import Attempt

IS_ASSIGNMENT = ASSIGNMENT.id == bindparam("assignment")

# Settings.


def set_up(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    rules: AssignmentRules,
    now: datetime,
    pre: bool | None = None,
    audience: Audience | None = None,
) -> None:
    """Other settings; `pre`: whether it is a 前测; `audience`: whom it is for, where the form says so."""
    task = lookup.changed(session, caller, classroom_id, assignment_id)
    apply_settings(session, task, rules, now, pre, audience)


def apply_settings(
    session: VerbSession,
    task: TaughtAssignment,
    rules: AssignmentRules,
    now: datetime,
    pre: bool | None,
    audience: Audience | None,
) -> AssignmentRow:
    """Everything that the form of settings says. Returns the assignment as it is now."""
    if pre is not None:
        call_pre(session, task.assignment, pre)
    assignment = set_rules(session, task, rules, now)
    if audience is not None:
        set_audience(session, task, audience, now)
    return assignment


SET_RULES = Prepared(update(table(Assignment)).where(IS_ASSIGNMENT), keys=AssignmentRules._fields)


def set_rules(
    session: VerbSession, task: TaughtAssignment, rules: AssignmentRules, now: datetime
) -> AssignmentRow:
    """Times may always change, and another due time that is still to come opens again what was closed; how
    answers are shown may not once somebody has begun. Returns the assignment as it is now."""
    rules, assignment = checked(rules), task.assignment
    expect_same_marking(session, assignment, rules)
    session.run(SET_RULES, assignment=assignment.id, **rules._asdict())
    if rules.due_at and rules.due_at != assignment.due_at and rules.due_at > now:
        open_again(session, task, now)
    changed = lookup.of_class(session, task.classroom.id, assignment.id)
    detail = audit.changes(settings_of(assignment), settings_of(changed))
    if assignment.published_at and detail:
        show_anew(session, changed)
        action = "due" if {"opens_at", "due_at", "late_until"}.intersection(detail) else "settings"
        audit.note(session, task, action, detail, now)
    return changed


def expect_same_marking(session: VerbSession, assignment: AssignmentRow, rules: AssignmentRules) -> None:
    """Refused where answers that were given would have to be marked at another moment."""
    if (rules.answers == "at_once") == (assignment.answers == "at_once"):
        return
    if parts.is_begun(session, assignment.id):
        raise Refused("已经有人开始做了，“每答一题就批改”和“交了再批”之间不能再换。")


def settings_of(assignment: AssignmentRow) -> dict[str, Any]:
    """The settings of which the log tells."""
    return assignment.rules._asdict() | {"form": assignment.form}


def call_pre(session: VerbSession, assignment: AssignmentRow, pre: bool) -> None:
    """Call it a 前测, or neither; a 后测 is made by `follow_up`, and a 前测 that has one stays one."""
    if assignment.form == "post" or (assignment.form == "pre") == pre:
        return
    if lookup.twins_of(session, assignment.id, assignment.id):
        return
    form, pair = ("pre", assignment.id) if pre else (None, None)
    session.run(SET_PAIR, assignment=assignment.id, form=form, pair=pair)


# Whom it is for.


def give_to(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    everyone: bool,
    enrolment_ids: Collection[int],
    now: datetime,
) -> None:
    """For everyone, those who join later as well; or for these students alone."""
    task = lookup.changed(session, caller, classroom_id, assignment_id)
    set_audience(session, task, Audience(everyone, enrolment_ids), now)


SET_EVERYONE = Prepared(update(table(Assignment)).where(IS_ASSIGNMENT), keys=("everyone",))
REMOVE_ASSIGNEES = Prepared(delete(table(Assignee)).where(ASSIGNEE.assignment_id == bindparam("assignment")))
ADD_ASSIGNEE = adding(Assignee)


def set_audience(session: VerbSession, task: TaughtAssignment, audience: Audience, now: datetime) -> None:
    assignment_id = task.assignment.id
    enrolment_ids = [] if audience.everyone else enrolled_among(session, task.classroom.id, audience.places)
    session.run(SET_EVERYONE, assignment=assignment_id, everyone=audience.everyone)
    session.run(REMOVE_ASSIGNEES, assignment=assignment_id)
    for enrolment_id in enrolment_ids:
        session.run(ADD_ASSIGNEE, assignment_id=assignment_id, enrolment_id=enrolment_id)
    if task.assignment.published_at:
        detail = {"everyone": audience.everyone, "students": enrolment_ids}
        audit.note(session, task, "assignees", detail, now)


def enrolled_among(session: VerbSession, classroom_id: int, enrolment_ids: Collection[int]) -> list[int]:
    """Those of these students who are or were in the class; Refused where nobody is."""
    enrolled = {student.id for student in classrooms.students(session, classroom_id)}
    students = [number for number in dict.fromkeys(enrolment_ids) if number in enrolled]
    if not students:
        raise Refused("一位同学也没选。勾上要做的人，或者选“全班”。")
    return students


# Published, closed, opened again.

SET_PUBLISHED = Prepared(update(table(Assignment)).where(IS_ASSIGNMENT), keys=("published_at",))


def publish(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    now: datetime,
    rules: AssignmentRules | None = None,
    pre: bool | None = None,
    audience: Audience | None = None,
) -> None:
    """From now on its students see it, with these settings. A second click changes nothing."""
    task = lookup.changed(session, caller, classroom_id, assignment_id)
    assignment = task.assignment
    if assignment.published_at:
        return
    if rules is not None:
        assignment = apply_settings(session, task, rules, now, pre, audience)
    if not lookup.parts_of(session, assignment_id):
        raise Refused("作业里还什么都没有。先加几道题，再发布。")
    deadlines.expect_time_left(assignment, now)
    session.run(SET_PUBLISHED, assignment=assignment_id, published_at=now)
    audit.note(session, task, "publish", {}, now)


SET_CLOSED = Prepared(update(table(Assignment)).where(IS_ASSIGNMENT), keys=("closed_at",))


def close(session: VerbSession, caller: Caller, classroom_id: int, assignment_id: int, now: datetime) -> None:
    """Nothing is taken any more. What was not handed in stays saved."""
    end(session, lookup.changed(session, caller, classroom_id, assignment_id), now)


def end(session: VerbSession, task: TaughtAssignment, now: datetime) -> AssignmentRow:
    """Close what is open; the assignment as it is now."""
    if task.assignment.published_at is None or task.assignment.closed_at:
        return task.assignment
    closed = task.assignment._replace(closed_at=now)
    session.run(SET_CLOSED, assignment=closed.id, closed_at=now)
    show_anew(session, closed)
    audit.note(session, task, "close", {}, now)
    return closed


def reopen(
    session: VerbSession, caller: Caller, classroom_id: int, assignment_id: int, now: datetime
) -> None:
    """Take back the closing; the due time holds again."""
    open_again(session, lookup.changed(session, caller, classroom_id, assignment_id), now)


def open_again(session: VerbSession, task: TaughtAssignment, now: datetime) -> None:
    closed = task.assignment
    if closed.closed_at is None:
        return
    session.run(SET_CLOSED, assignment=closed.id, closed_at=None)
    show_anew(session, closed._replace(closed_at=None))
    detail = {"closed_at": audit.as_json(closed.closed_at)}
    audit.note(session, task, "reopen", detail, now)


SET_SHOWN = Prepared(
    update(table(Attempt)).where(table(Attempt).c.id == bindparam("attempt")), keys=("shown_from",)
)


def show_anew(session: VerbSession, assignment: AssignmentRow) -> None:
    """After a change of times: from when students may see how their attempts went."""
    extensions = lookup.extensions_of(session, assignment.id)
    for attempt in lookup.submissions_of(session, assignment.id):
        extension = extensions.get(attempt.enrolment_id)
        shown_from = deadlines.shown_from(assignment, extension, attempt.handed_in_at)
        session.run(SET_SHOWN, attempt=attempt.attempt_id, shown_from=shown_from)
