"""An assignment from its settings to its end: set up, given, published, closed, opened again, postponed."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete

from app.records.accounts.values import Caller
from app.records.assignments import audit, deadlines, lookup, parts
from app.records.assignments.drafts import SET_PAIR, setting
from app.records.assignments.rows import ASSIGNEE
from app.records.assignments.tables import Assignee, Extension
from app.records.assignments.values import (
    AssignmentRow,
    AssignmentRules,
    Audience,
    ExtensionRow,
    TaughtAssignment,
    checked_note,
    checked_title,
)
from app.records.classes import classrooms
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.learning import item_sums

NOBODY = "一位同学也没选。勾上要做的人，或者选“全班”。"

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


SET_RULES = setting(*AssignmentRules._fields)


def set_rules(
    session: VerbSession, task: TaughtAssignment, rules: AssignmentRules, now: datetime
) -> AssignmentRow:
    """Times may always change, and another due time that is still to come opens again what was closed; once
    somebody has begun, answers shown at once stay so, and others never come to it. Returns it as it is now.
    """
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


def checked(rules: AssignmentRules) -> AssignmentRules:
    """Settings that hold together; Refused says which do not."""
    title = checked_title(rules.title)
    deadlines.expect_order(rules)
    if not 0 <= rules.passes <= 20 or not 0 <= rules.tries <= 20:
        raise Refused("次数写0到20，0表示不限。")
    return rules._replace(title=title, note=checked_note(rules.note))


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


SET_EVERYONE = setting("everyone")
REMOVE_ASSIGNEES = Prepared(delete(table(Assignee)).where(ASSIGNEE.assignment_id == bindparam("assignment")))
ADD_ASSIGNEE = adding(Assignee)


def set_audience(session: VerbSession, task: TaughtAssignment, audience: Audience, now: datetime) -> None:
    assignment_id = task.assignment.id
    enrolment_ids = []
    if not audience.everyone:
        # Whoever has left the class may stay chosen.
        students = classrooms.students(session, task.classroom.id)
        enrolment_ids = chosen_among(students, audience.enrolment_ids, NOBODY)
    session.run(SET_EVERYONE, assignment=assignment_id, everyone=audience.everyone)
    session.run(REMOVE_ASSIGNEES, assignment=assignment_id)
    for enrolment_id in enrolment_ids:
        session.run(ADD_ASSIGNEE, assignment_id=assignment_id, enrolment_id=enrolment_id)
    if task.assignment.published_at:
        detail = {"everyone": audience.everyone, "students": enrolment_ids}
        audit.note(session, task, "assignees", detail, now)


def chosen_among(students: Iterable[Student], enrolment_ids: Collection[int], refusal: str) -> list[int]:
    """Those of the enrolments that are among these students'; Refused where none is."""
    enrolled = {student.id for student in students}
    chosen_ids = [number for number in dict.fromkeys(enrolment_ids) if number in enrolled]
    if not chosen_ids:
        raise Refused(refusal)
    return chosen_ids


# Published, closed, opened again.

SET_PUBLISHED = setting("published_at")


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


SET_CLOSED = setting("closed_at")


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


def show_anew(session: VerbSession, assignment: AssignmentRow) -> None:
    """After a change of times: from when students may see how their attempts went."""
    extensions = lookup.extensions_of(session, assignment.id)
    for attempt in lookup.submissions_of(session, assignment.id):
        extension = extensions.get(attempt.enrolment_id)
        shown_from = deadlines.shown_from(assignment, extension, attempt.handed_in_at)
        item_sums.show_from(session, attempt.attempt_id, shown_from)


# Another due time.

ADD_EXTENSION = adding(Extension)


def extend(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    enrolment_ids: Collection[int],
    due_at: datetime | None,
    reason: str,
    now: datetime,
) -> None:
    """Another due time for these students; None takes it back. Earlier extensions stay in the log."""
    task = lookup.changed(session, caller, classroom_id, assignment_id)
    present = lookup.present_students(session, classroom_id)
    students = chosen_among(present, enrolment_ids, "一位同学也没选。勾上要延期的人。")
    deadlines.expect_to_come(due_at, now)
    expect_longer(task.assignment, due_at)
    extensions = lookup.extensions_of(session, assignment_id)
    if due_at is None:
        students = [number for number in students if number in extensions and extensions[number].due_at]
        if not students:
            raise Refused("勾上的同学都没有延期，没有可以收回的。")
    note = checked_note(reason)
    for enrolment_id in students:
        extension = ExtensionRow(enrolment_id, due_at, note, now, assignment_id)
        session.run(ADD_EXTENSION, **extension._asdict())
        times = deadlines.schedule(task.assignment, extensions.get(enrolment_id), now)
        detail = due_change(times.due_at, due_at, note)
        audit.note(session, task, "extension", detail, now, enrolment_id)
    show_anew(session, task.assignment)


def expect_longer(assignment: AssignmentRow, due_at: datetime | None) -> None:
    """Refused for an extension that ends before the due time for all, while that still holds."""
    if due_at is None or assignment.due_at is None or assignment.closed_at:
        return
    if due_at <= assignment.due_at:
        raise Refused("延到的时间要比原来的截止时间晚。")


def postpone(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    due_at: datetime | None,
    reason: str,
    now: datetime,
) -> None:
    """Another due time for all, None for no due time; what was closed is open again. Late work is taken for
    as long after it as after the old one."""
    task = lookup.changed(session, caller, classroom_id, assignment_id)
    deadlines.expect_to_come(due_at, now)
    open_again(session, task, now)
    new_rules = checked(deadlines.postponed(task.assignment.rules, due_at))
    session.run(SET_RULES, assignment=assignment_id, **new_rules._asdict())
    show_anew(session, lookup.of_class(session, classroom_id, assignment_id))
    detail = due_change(task.assignment.due_at, due_at, checked_note(reason))
    audit.note(session, task, "due", detail, now)


def due_change(old: datetime | None, new: datetime | None, note: str) -> dict[str, object]:
    """What the log keeps of another due time."""
    return {"due_at": [audit.as_json(old), audit.as_json(new)], "note": note}
