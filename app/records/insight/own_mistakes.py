"""Wrong answers of a class to items that teachers wrote, where no misconception explains them."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, select

from app.course.content.refs import item_ref_of
from app.records.accounts.values import Caller
from app.records.classes import classrooms
from app.records.classes.classrooms import MEMBER_LEARNER_IDS
from app.records.classes.values import Student
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.insight.misconceptions import (
    IS_ANSWER_AT_ASSIGNMENT,
    IS_RE_MARKED,
    IS_READABLE_ANSWER,
    MisconceptionsData,
)
from app.records.learning.rows import IS_ANSWER_SINCE, RESPONSE


class OwnContentWrongAnswer(NamedTuple):
    """A wrong answer to an item: its value as it was marked, and who gave it."""

    item_ref: str
    answer_value: str
    students: Sequence[Student]


IS_UNEXPLAINED = (RESPONSE.verdict == "wrong", RESPONSE.misconception_code.is_(None), ~IS_RE_MARKED)
IS_OF_OWN_CONTENT = RESPONSE.item_ref.startswith("own-")
WRONG_ANSWERS_QUERY = select(RESPONSE.item_ref, RESPONSE.value, RESPONSE.learner_id).distinct()
WRONG_BY_MEMBERS = WRONG_ANSWERS_QUERY.where(
    RESPONSE.learner_id.in_(MEMBER_LEARNER_IDS), IS_OF_OWN_CONTENT, *IS_UNEXPLAINED
)


def wrong_answers_query(*conditions: ColumnElement[bool]) -> PreparedStatement:
    readable_answers_query = WRONG_BY_MEMBERS.where(IS_READABLE_ANSWER, *conditions)
    return PreparedStatement(
        readable_answers_query.order_by(RESPONSE.item_ref, RESPONSE.value, RESPONSE.learner_id)
    )


WRONG_AT_ASSIGNMENT = wrong_answers_query(IS_ANSWER_AT_ASSIGNMENT)
WRONG_SINCE = wrong_answers_query(IS_ANSWER_SINCE)


def load_own_content_wrong_answers(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    misconceptions_data: MisconceptionsData,
    earliest_time: datetime,
) -> list[OwnContentWrongAnswer]:
    """The wrong answers beside what was read of the misconceptions of a class: in the same assignment, or in
    all that it answered `earliest_time` then; those that most students gave come first."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    class_answers_query = WRONG_SINCE
    assignment_id = None
    if misconceptions_data.task is not None:
        class_answers_query = WRONG_AT_ASSIGNMENT
        assignment_id = misconceptions_data.task.id
    query_parameters = {"classroom": classroom.id, "owned": classroom.is_owned, "assignment": assignment_id}
    wrong_answer_rows = session.all(class_answers_query, **query_parameters, since=earliest_time)
    students = misconceptions_data.student_by_enrolment_id.values()
    student_by_learner_id = {student.learner_id: student for student in students}
    students_by_answer = defaultdict[tuple[str, str], dict[int, Student]](dict)
    for item_ref, answer_value, learner_id in wrong_answer_rows:
        if learner_id in student_by_learner_id:  # somebody may have joined since those were read
            student = student_by_learner_id[learner_id]
            students_by_answer[item_ref_of(item_ref), answer_value or ""][learner_id] = student
    own_content_wrong_answers = []
    for (item_ref, answer_value), answerer_by_learner_id in students_by_answer.items():
        own_content_wrong_answers.append(
            OwnContentWrongAnswer(item_ref, answer_value, tuple(answerer_by_learner_id.values()))
        )
    return sorted(
        own_content_wrong_answers,
        key=lambda own_content_wrong_answer: -len(own_content_wrong_answer.students),
    )
