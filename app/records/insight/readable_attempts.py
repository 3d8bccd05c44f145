"""What the teacher of a class may read of its students: what they did by themselves, and what this teacher
assigned to them; never what another teacher did.

Two parameters: `classroom`, and `owned`: whether its teacher asks. Whoever helps them reads of what was
assigned only what this class was given.
"""

from sqlalchemy import Boolean, and_, bindparam, exists, or_, select

from app.records.assignments.rows import ASSIGNMENT, SUBMISSION
from app.records.classes.classrooms import CLASSROOM, IS_THIS_CLASS, TEACHER_ID_OF_CLASS
from app.records.db.metadata import table
from app.records.learning.rows import ATTEMPT
from app.records.learning.tables import Attempt

IS_ANY_CLASS_OF_OWNER = and_(CLASSROOM.teacher_id == TEACHER_ID_OF_CLASS, bindparam("owned", type_=Boolean()))
READABLE_CLASS_IDS = select(CLASSROOM.id).where(or_(IS_THIS_CLASS, IS_ANY_CLASS_OF_OWNER)).correlate(None)
# Decided once for each assignment, not for every attempt at it.
READABLE_ASSIGNMENT_IDS = select(ASSIGNMENT.id).where(ASSIGNMENT.classroom_id.in_(READABLE_CLASS_IDS))
IS_AT_READABLE_ASSIGNMENT = exists().where(
    SUBMISSION.attempt_id == ATTEMPT.id, SUBMISSION.assignment_id.in_(READABLE_ASSIGNMENT_IDS)
)
IS_READABLE_ATTEMPT = or_(ATTEMPT.source != "assignment", IS_AT_READABLE_ASSIGNMENT.correlate(table(Attempt)))
