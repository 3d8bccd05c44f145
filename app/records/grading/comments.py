"""评语: what a teacher writes to a student beside an answer, or about the whole of their work.

One text a place; writing again replaces it, an empty text takes it away. Students read it with the result.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, delete, select

from app.course.assignments.question_sets import questions_of_parts
from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.checked_settings import tidy_text
from app.records.assignments.rows import HAS_CELL_AT_ASSIGNMENT, SUBMISSION
from app.records.classes.classrooms import ENROLMENT
from app.records.classes.rights import Right
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert
from app.records.grading.tables import WorkComment
from app.records.grading.values import CellKey

LONGEST_COMMENT = 500
COMMENT = table(WorkComment).c
CommentPlace = tuple[int, str]
"""The number of an attempt and the ref of a question; `WHOLE_WORK_PLACE` for the work as a whole."""
WHOLE_WORK_PLACE: CommentPlace = (0, "")
CommentByPlace = Mapping[CommentPlace, str]

ASSIGNMENT_ID: Any = bindparam("assignment")
IS_ABOUT_CELL = and_(COMMENT.assignment_id == ASSIGNMENT_ID, COMMENT.enrolment_id == bindparam("enrolment"))
COMMENTS_OF_CELL = PreparedStatement(
    select(COMMENT.number, COMMENT.question_ref, COMMENT.text).where(IS_ABOUT_CELL)
)
IS_COMMENT_AT_PLACE = and_(
    IS_ABOUT_CELL, COMMENT.number == bindparam("number"), COMMENT.question_ref == bindparam("question")
)
REMOVE_COMMENT = PreparedStatement(delete(table(WorkComment)).where(IS_COMMENT_AT_PLACE))
ADD_COMMENT = prepared_insert(WorkComment)
IS_ATTEMPT_OF_CELL = and_(
    SUBMISSION.assignment_id == ASSIGNMENT_ID,
    SUBMISSION.enrolment_id == bindparam("enrolment"),
    SUBMISSION.number == bindparam("number"),
)
ATTEMPT_OF_CELL = PreparedStatement(select(SUBMISSION.attempt_id).where(IS_ATTEMPT_OF_CELL))
CELL_OF_STUDENT = PreparedStatement(
    select(ENROLMENT.id).where(ENROLMENT.id == bindparam("enrolment"), HAS_CELL_AT_ASSIGNMENT)
)


def comment_by_place_of(session: VerbSession, assignment_id: int, enrolment_id: int) -> CommentByPlace:
    """Everything that was written to a student about an assignment, by place."""
    comment_by_place = {}
    for attempt_number, question_ref, comment_text in session.all(
        COMMENTS_OF_CELL, assignment=assignment_id, enrolment=enrolment_id
    ):
        comment_by_place[attempt_number, question_ref] = comment_text
    return comment_by_place


def set_comment(
    session: VerbSession,
    caller: Caller,
    cell_key: CellKey,
    comment_text: str,
    now: datetime,
    seen_text: str | None = None,
) -> None:
    """Write beside the answer to a question; without one, about the whole. A second click writes nothing.

    `seen_text`: what stood there when its teacher began to write, None where nobody knows. Refused where it
    is another by now: no log keeps the words of somebody else. NotFound where there is no such answer.
    """
    taught_assignment = lookup.editable_assignment(session, caller, cell_key.assignment_key, Right.MARK)
    comment_text = checked_comment(comment_text)
    classroom_id, assignment_id, enrolment_id, question_key = cell_key
    cell_parameters = {"assignment": assignment_id, "enrolment": enrolment_id}
    attempt_number, question_ref = WHOLE_WORK_PLACE
    if question_key.attempt_number:
        attempt_number = question_key.attempt_number
        question_ref = question_ref_of(session, assignment_id, question_key.question_number)
        if session.first(ATTEMPT_OF_CELL, **cell_parameters, number=attempt_number) is None:
            raise NotFound("没有这一遍。")
    elif session.first(CELL_OF_STUDENT, classroom=classroom_id, **cell_parameters) is None:
        raise NotFound("班里没有这位同学。")
    comment_by_place = comment_by_place_of(session, assignment_id, enrolment_id)
    stored_comment_text = comment_by_place.get((attempt_number, question_ref), "")
    if comment_text == stored_comment_text:
        return
    if seen_text is not None and checked_comment(seen_text) != stored_comment_text:
        raise Refused(other_comment_sentence(stored_comment_text))
    session.run(REMOVE_COMMENT, **cell_parameters, number=attempt_number, question=question_ref)
    if comment_text:
        comment_columns = {
            "assignment_id": assignment_id,
            "enrolment_id": enrolment_id,
            "number": attempt_number,
            "question_ref": question_ref,
        }
        session.run(ADD_COMMENT, **comment_columns, text=comment_text, created_at=now)
    audit.add_line(session, taught_assignment, "comment", {}, now, enrolment_id)


def other_comment_sentence(present_text: str) -> str:
    """What stands by now where somebody else has written, or has taken back what they wrote.

    >>> other_comment_sentence("")
    '这里的评语刚才有人收回了，你写的还在；要照你的，再存一次。'
    """
    deed_words = "的评语刚才有人收回了"
    if present_text:
        deed_words = f"刚才有人写了“{present_text}”"
    return f"这里{deed_words}，你写的还在；要照你的，再存一次。"


def question_ref_of(session: VerbSession, assignment_id: int, question_number: int) -> str:
    for assigned_question in questions_of_parts(lookup.parts_of(session, assignment_id)):
        if assigned_question.number == question_number:
            return assigned_question.ref
    raise NotFound(f"这份作业没有第{question_number}题。")


def checked_comment(comment_text: str) -> str:
    """A comment with its lines; Refused says what is wrong with another.

    >>> checked_comment(" 思路对。\\r\\n\\r\\n\\r\\n再算一遍第2项。 ")
    '思路对。\\n\\n再算一遍第2项。'
    """
    comment_lines: list[str] = []
    for comment_line in map(str.strip, tidy_text(comment_text).splitlines()):
        if comment_line or (comment_lines and comment_lines[-1]):
            comment_lines.append(comment_line)
    comment_text = "\n".join(comment_lines)
    if len(comment_text) > LONGEST_COMMENT:
        raise Refused(f"评语最多{LONGEST_COMMENT}个字，这里有{len(comment_text)}个。")
    return comment_text
