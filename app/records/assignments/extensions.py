"""Another due time: for some students, or for all."""

from collections.abc import Collection
from datetime import datetime

from app.records.accounts.values import Caller
from app.records.assignments import audit, deadlines, lifecycle, lookup, rules
from app.records.assignments.tables import Extension
from app.records.assignments.values import AssignmentRow, ExtensionRow
from app.records.db.errors import Refused
from app.records.db.session import VerbSession, adding

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
    students = present_among(session, classroom_id, enrolment_ids)
    deadlines.expect_to_come(due_at, now)
    expect_longer(task.assignment, due_at)
    extensions = lookup.extensions_of(session, assignment_id)
    if due_at is None:
        students = [number for number in students if number in extensions and extensions[number].due_at]
        if not students:
            raise Refused("勾上的同学都没有延期，没有可以收回的。")
    note = rules.checked_note(reason)
    for enrolment_id in students:
        extension = ExtensionRow(enrolment_id, due_at, note, now, assignment_id)
        session.run(ADD_EXTENSION, **extension._asdict())
        times = deadlines.schedule(task.assignment, extensions.get(enrolment_id), now)
        detail = due_change(times.due_at, due_at, note)
        audit.note(session, task, "extension", detail, now, enrolment_id)
    lifecycle.show_anew(session, task.assignment)


def present_among(session: VerbSession, classroom_id: int, enrolment_ids: Collection[int]) -> list[int]:
    """Those of these students who are in the class now; Refused where nobody is."""
    enrolled = {student.id for student in lookup.present_students(session, classroom_id)}
    students = [number for number in dict.fromkeys(enrolment_ids) if number in enrolled]
    if not students:
        raise Refused("一位同学也没选。勾上要延期的人。")
    return students


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
    lifecycle.open_again(session, task, now)
    new_rules = rules.checked(deadlines.postponed(task.assignment.rules, due_at))
    session.run(lifecycle.SET_RULES, assignment=assignment_id, **new_rules._asdict())
    lifecycle.show_anew(session, lookup.of_class(session, classroom_id, assignment_id))
    detail = due_change(task.assignment.due_at, due_at, rules.checked_note(reason))
    audit.note(session, task, "due", detail, now)


def due_change(old: datetime | None, new: datetime | None, note: str) -> dict[str, object]:
    """What the log keeps of another due time."""
    return {"due_at": [audit.as_json(old), audit.as_json(new)], "note": note}
