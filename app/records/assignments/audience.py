"""Whom an assignment is for: everyone in the class, or the students that its teacher chose."""

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import bindparam, delete

from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.rows import ASSIGNEE, assignment_update
from app.records.assignments.tables import Assignee
from app.records.assignments.values import AssignmentKey, Audience, TaughtAssignment
from app.records.classes import classrooms
from app.records.classes.values import Student, present_students_among
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert

NOBODY_CHOSEN_SENTENCE = "一位同学也没选。勾上要做的人，或者选“全班”。"


def change_audience(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    audience: Audience,
    now: datetime,
) -> None:
    """Give it to everyone, those who join later as well; or to these students alone, and those of these
    groups."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    set_audience(session, taught_assignment, audience, now)


SET_EVERYONE = assignment_update("everyone")
IS_OF_ASSIGNMENT = ASSIGNEE.assignment_id == bindparam("assignment")
REMOVE_ASSIGNEES = PreparedStatement(delete(table(Assignee)).where(IS_OF_ASSIGNMENT))


def set_audience(
    session: VerbSession, taught_assignment: TaughtAssignment, audience: Audience, now: datetime
) -> None:
    """Only students of the class can be chosen; Refused where none is. Whoever has left stays chosen: no page
    shows them to be ticked."""
    assignment_id = taught_assignment.assignment.id
    chosen_enrolment_ids = []
    if not audience.everyone:
        students = classrooms.load_present_and_former_students(session, taught_assignment.classroom.id)
        chosen_enrolment_ids = chosen_enrolment_ids_among(
            students, audience.enrolment_ids, audience.group_ids, NOBODY_CHOSEN_SENTENCE
        )
        shown_enrolment_ids = {student.id for student in present_students_among(students)}
        former_assignee_ids = lookup.assignee_ids_of(session, assignment_id)
        chosen_enrolment_ids += sorted(
            former_assignee_ids.difference(shown_enrolment_ids, chosen_enrolment_ids)
        )
    session.run(SET_EVERYONE, assignment=assignment_id, everyone=audience.everyone)
    session.run(REMOVE_ASSIGNEES, assignment=assignment_id)
    add_assignees(session, assignment_id, chosen_enrolment_ids)
    if taught_assignment.assignment.published_at:
        log_detail = {"everyone": audience.everyone, "students": chosen_enrolment_ids}
        audit.add_line(session, taught_assignment, "assignees", log_detail, now)


ADD_ASSIGNEE = prepared_insert(Assignee)


def add_assignees(session: VerbSession, assignment_id: int, enrolment_ids: Iterable[int]) -> None:
    """These students are to do an assignment that is not for everyone."""
    for enrolment_id in enrolment_ids:
        session.run(ADD_ASSIGNEE, assignment_id=assignment_id, enrolment_id=enrolment_id)


def chosen_enrolment_ids_among(
    students: Collection[Student],
    enrolment_ids: Collection[int],
    group_ids: Collection[int],
    refusal_sentence: str,
) -> list[int]:
    """The enrolments of the students who are named, and of those of these groups who are in the class;
    Refused where nobody is."""
    enrolment_ids_of_groups = {
        student.id for student in present_students_among(students) if student.group_id in group_ids
    }
    chosen_enrolment_ids = [
        student.id
        for student in students
        if student.id in enrolment_ids or student.id in enrolment_ids_of_groups
    ]
    if not chosen_enrolment_ids:
        raise Refused(refusal_sentence)
    return chosen_enrolment_ids
