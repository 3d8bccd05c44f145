"""The assignments at which a student may still work: all that the start page shows of a year of them.

A year has 45 of them, of which one or two are open. What the start page reads (`python -m bench.year`), in
ms of CPU: 2.0 → 1.1.
"""

from datetime import datetime

from sqlalchemy import bindparam, or_

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.assignments.deadlines import EXTENSIONS_DUE_LATER, IS_DUE_LATER, newest_passed_time
from app.records.assignments.rows import ASSIGNMENT, EXTENSION
from app.records.assignments.values import StudentAssignment
from app.records.classes.classrooms import ENROLMENT
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading.student_assignments import (
    IS_ASSIGNMENT_OF_CALLER,
    IS_STILL_GIVEN,
    STUDENT_ASSIGNMENTS,
    has_joined_after_end,
    student_assignment_of_row,
    with_parts_and_records,
)

HAS_EXTENSION_DUE_LATER = EXTENSIONS_DUE_LATER.where(EXTENSION.enrolment_id == ENROLMENT.id).exists()
IS_ASSIGNMENT_NOT_CLOSED = or_(ASSIGNMENT.closed_at.is_(None), ASSIGNMENT.closed_at > bindparam("now"))
MAY_TAKE_WORK = or_(IS_ASSIGNMENT_NOT_CLOSED & IS_DUE_LATER, HAS_EXTENSION_DUE_LATER)
"""The condition that `schedule` may still take work: it says in detail whether it does."""
OPEN_ASSIGNMENTS = PreparedStatement(
    STUDENT_ASSIGNMENTS.where(IS_ASSIGNMENT_OF_CALLER, IS_STILL_GIVEN, MAY_TAKE_WORK).order_by(
        ASSIGNMENT.id.desc()
    )
)


def load_open_own_assignments(
    session: VerbSession, caller: Caller, now: datetime
) -> tuple[StudentAssignment, ...]:
    """The assignments of the caller that are not over, with what was done in them."""
    token_hash = learners.caller_token_hash(caller)
    assignment_rows = session.all(
        OPEN_ASSIGNMENTS, hash=token_hash, now=now, newest_passed_time=newest_passed_time(now)
    )
    own_assignments = []
    for assignment_row in assignment_rows:
        own_assignment = with_parts_and_records(session, student_assignment_of_row(assignment_row))
        if own_assignment.attempts or not has_joined_after_end(own_assignment):
            own_assignments.append(own_assignment)
    return tuple(own_assignments)
