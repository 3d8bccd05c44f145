"""All answers of a class, one after the other: for who looks into them with tools of their own."""

import hmac
import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, case, func, select

from app.records.accounts.site_secret import load_secret_key
from app.records.accounts.values import Caller
from app.records.assignments.rows import ASSIGNMENT, IS_ASSIGNMENT_OF_CLASS, SUBMISSION
from app.records.assignments.tables import Assignment, Submission
from app.records.classes import classrooms, groups
from app.records.classes.values import ClassGroup, ClassRow
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery
from app.records.grading import gradebook
from app.records.grading.regraded_marks import RE_MARK
from app.records.grading.tables import ReMark
from app.records.grading.values import GradebookStudent
from app.records.insight.readable_attempts import IS_READABLE_ATTEMPT
from app.records.learning.rows import ATTEMPT, RESPONSE, is_judged
from app.records.learning.tables import Attempt, Response

_NUMBER_PATTERN = re.compile("0[0-9]+|[0-9]+e[0-9]+")
"""What a spreadsheet writes otherwise when it saves it: 0012345678, 12345e6789."""


class ResponseLine(NamedTuple):
    """One answer, judged as it counts now. `title`: of the assignment of this class that it was given in;
    `verdict` and `score`: None of words that nobody marks, or has marked yet."""

    id: int
    source: str
    ref: str
    round: int
    title: str | None
    item_ref: str
    try_number: int
    raw_json: str
    value: str | None
    verdict: str | None
    score: float | None
    misconception_code: str | None
    hint_count: int
    seconds: int | None
    created_at: datetime
    item_version_hash: str | None

    @property
    def typed_text(self) -> str:
        """What was typed, field by field.

        >>> line = ResponseLine(1, "", "", 1, None, "", 1, '["4.26", "3"]', *[None] * 8)
        >>> line.typed_text
        '4.26｜3'
        """
        return "｜".join(map(str, json.loads(self.raw_json)))


IS_OF_THIS_CLASS = and_(ASSIGNMENT.id == SUBMISSION.assignment_id, IS_ASSIGNMENT_OF_CLASS)
RESPONSES_WITH_ATTEMPT = table(Response).join(table(Attempt), ATTEMPT.id == RESPONSE.attempt_id)
RESPONSES_WITH_SUBMISSION = RESPONSES_WITH_ATTEMPT.outerjoin(
    table(Submission), SUBMISSION.attempt_id == ATTEMPT.id
)
RESPONSES_WITH_ASSIGNMENT = RESPONSES_WITH_SUBMISSION.outerjoin(table(Assignment), IS_OF_THIS_CLASS)
ANY_RE_MARK = table(ReMark).alias("any_mark").c
LAST_RE_MARK_ID = (
    select(func.max(ANY_RE_MARK.id))
    .where(ANY_RE_MARK.response_id == RESPONSE.id)
    .correlate(table(Response))
    .scalar_subquery()
)
RESPONSES_WITH_LAST_MARK = RESPONSES_WITH_ASSIGNMENT.outerjoin(table(ReMark), RE_MARK.id == LAST_RE_MARK_ID)


class JudgingColumns(NamedTuple):
    """How an answer is judged now: by its last second mark, where it has one."""

    verdict: Any
    score: Any


COUNTED_MARK = JudgingColumns(
    func.coalesce(RE_MARK.verdict, RESPONSE.verdict), func.coalesce(RE_MARK.score, RESPONSE.score)
)
IS_JUDGED = is_judged(COUNTED_MARK)
FIRST_MISCONCEPTION_CODE = case((RE_MARK.id.is_(None), RESPONSE.misconception_code))
RESPONSE_LINES = (
    select(
        RESPONSE.id,
        ATTEMPT.source,
        ATTEMPT.ref,
        ATTEMPT.round,
        ASSIGNMENT.title,
        RESPONSE.item_ref,
        RESPONSE.try_number,
        RESPONSE.raw.label("raw_json"),
        RESPONSE.value,
        case((IS_JUDGED, COUNTED_MARK.verdict)).label("verdict"),
        case((IS_JUDGED, COUNTED_MARK.score)).label("score"),
        func.coalesce(RE_MARK.misconception_code, FIRST_MISCONCEPTION_CODE).label("misconception_code"),
        RESPONSE.hint_count,
        RESPONSE.seconds,
        RESPONSE.created_at,
        RESPONSE.item_version_hash,
    )
    .select_from(RESPONSES_WITH_LAST_MARK)
    .where(RESPONSE.learner_id == bindparam("learner"), IS_READABLE_ATTEMPT)
    .order_by(RESPONSE.id)
)
ALL_LINES = RowQuery(ResponseLine, RESPONSE_LINES)
LINES_IN_CLASS = RowQuery(ResponseLine, RESPONSE_LINES.where(ASSIGNMENT.id.is_not(None)))


class ClassAndStudents(NamedTuple):
    """A class with everybody who is in it or left work behind. `pseudonym_by_enrolment_id`: what stands for
    each where names are left out, the same in every file of a class.

    Only who knows the secret of the site can tell whose it is: numbers of rows are easily tried out.
    """

    classroom: ClassRow
    gradebook_students: Sequence[GradebookStudent]
    groups: Sequence[ClassGroup]
    pseudonym_by_enrolment_id: Mapping[int, str]


def load_class_and_students(session: VerbSession, caller: Caller, classroom_id: int) -> ClassAndStudents:
    """Whose answers the file of a class has, for the teacher who calls."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    gradebook_students = session.all(gradebook.STUDENTS_OF_GRADEBOOK, classroom=classroom.id)
    secret_key = load_secret_key(session)
    pseudonym_by_enrolment_id = {
        gradebook_student.id: pseudonym(secret_key, classroom.id, gradebook_student.id)
        for gradebook_student in gradebook_students
    }
    class_groups = groups.groups_of(session, classroom.id)
    return ClassAndStudents(classroom, gradebook_students, class_groups, pseudonym_by_enrolment_id)


def load_responses(
    session: VerbSession, caller: Caller, classroom_id: int, gradebook_student: GradebookStudent
) -> list[ResponseLine]:
    """The answers of one student, oldest first: all that their teacher may read; of one who left, those at
    assignments of the class."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    lines_query = LINES_IN_CLASS
    if gradebook_student.membership == "here":
        lines_query = ALL_LINES
    class_parameters = {"classroom": classroom_id, "owned": classroom.is_owned}
    return session.all(lines_query, **class_parameters, learner=gradebook_student.learner_id)


def pseudonym(secret_key: bytes, classroom_id: int, enrolment_id: int) -> str:
    """A code of ten characters that no spreadsheet takes for a number: saved again, it would be another.

    >>> pseudonym(b"a", 1, 7) == pseudonym(b"a", 1, 7)
    True
    >>> len({pseudonym(b"a", 1, 7), pseudonym(b"b", 1, 7), pseudonym(b"a", 1, 8)})
    3
    """
    bytes_to_hash = f"student {classroom_id}:{enrolment_id}".encode()
    digest_text = hmac.digest(secret_key, bytes_to_hash, "sha256").hex()
    hex_pieces: list[str] = re.findall(".{10}", digest_text)
    return next(hex_piece for hex_piece in hex_pieces if not _NUMBER_PATTERN.fullmatch(hex_piece))
