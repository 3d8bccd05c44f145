"""误区分布: which mistakes a class makes, who makes them, what an answer with them looks like.

And a draft of practice against one of them.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, select

from app.course.content.recorded_misconceptions import alternative_codes, misconception_ids_of_code
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.rows import SUBMISSION
from app.records.classes import classrooms
from app.records.classes.classrooms import ENROLMENT, IS_MEMBER, IS_OF_CLASS, MEMBER_LEARNER_IDS
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow, Student
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.portable import is_one_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row, RowQuery
from app.records.grading.regraded_marks import IS_ABOUT_ITEM, RE_MARK
from app.records.insight import remedies
from app.records.insight.readable_attempts import IS_READABLE_ATTEMPT
from app.records.learning.attempts import answer_texts
from app.records.learning.rows import ATTEMPT, IS_ANSWER_SINCE, ITEM_VERSION, RESPONSE

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""Before all answers."""


class ExampleAnswer(NamedTuple):
    """An answer that shows a mistake, with the question as it was: its frozen body, and its seed."""

    misconception_code: str
    item_ref: str
    raw_json: str
    body: str
    seed: int

    @property
    def answer_texts(self) -> tuple[str, ...]:
        """As it was typed or chosen."""
        return answer_texts(self.raw_json)


class ClassMisconception(NamedTuple):
    """A mistake, and how often each student made it; `alternative_codes`: what else some of these answers may
    come from."""

    misconception_id: str
    count_by_enrolment_id: Mapping[int, int]
    alternative_codes: Sequence[str]
    example_answer: ExampleAnswer | None

    @property
    def occurrence_count(self) -> int:
        return sum(self.count_by_enrolment_id.values())


class MisconceptionsData(NamedTuple):
    """The mistakes of a class, the most widespread first. `answering_student_count`: of students."""

    classroom: ClassRow
    student_by_enrolment_id: Mapping[int, Student]
    tasks: Sequence[AssignedTask]
    task: AssignedTask | None
    answering_student_count: int
    misconceptions: Sequence[ClassMisconception]


ATTEMPT_IDS_AT_ASSIGNMENT = select(SUBMISSION.attempt_id).where(
    SUBMISSION.assignment_id == bindparam("assignment")
)
IS_ANSWER_AT_ASSIGNMENT = RESPONSE.attempt_id.in_(ATTEMPT_IDS_AT_ASSIGNMENT)
# By learner and time, so that nothing older is read.
IS_READABLE_ANSWER = exists().where(ATTEMPT.id == RESPONSE.attempt_id, IS_READABLE_ATTEMPT)
IS_RE_MARKED = exists().where(RE_MARK.response_id == RESPONSE.id, IS_ABOUT_ITEM)
HAS_MISCONCEPTION = RESPONSE.misconception_code.is_not(None)
IS_MISCONCEPTION_OF_MEMBER = (RESPONSE.learner_id.in_(MEMBER_LEARNER_IDS), HAS_MISCONCEPTION, ~IS_RE_MARKED)
LEARNER_AND_MISCONCEPTION = (RESPONSE.learner_id, RESPONSE.misconception_code)


class MisconceptionQueries(NamedTuple):
    """What is asked of some answers: how many students gave any; their mistakes, and the last with each."""

    student_count_query: PreparedStatement
    misconceptions_query: PreparedStatement


def misconception_queries_of(*conditions: ColumnElement[bool]) -> MisconceptionQueries:
    """The queries about the answers that meet the conditions."""
    author_condition = RESPONSE.learner_id == ENROLMENT.learner_id
    answer_condition = exists().where(author_condition, *conditions)
    student_count_query = (
        select(func.count()).select_from(table(Enrolment)).where(IS_OF_CLASS, IS_MEMBER, answer_condition)
    )
    misconceptions_query = (
        select(*LEARNER_AND_MISCONCEPTION, func.count(), func.max(RESPONSE.id))
        .where(*IS_MISCONCEPTION_OF_MEMBER, *conditions)
        .group_by(*LEARNER_AND_MISCONCEPTION)
        .order_by(*LEARNER_AND_MISCONCEPTION)
    )
    return MisconceptionQueries(
        PreparedStatement(student_count_query), PreparedStatement(misconceptions_query)
    )


QUERIES_OF_ASSIGNMENT = misconception_queries_of(IS_ANSWER_AT_ASSIGNMENT, IS_READABLE_ANSWER)
QUERIES_OF_ALL_WORK = misconception_queries_of(IS_ANSWER_SINCE, IS_READABLE_ANSWER)


def load_misconceptions(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int | None,
    earliest_time: datetime = LONG_AGO,
) -> MisconceptionsData:
    """The mistakes in an assignment; without one, in all that the class answered `earliest_time` then."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    tasks = assigned.tasks_of_class(session, classroom.id)
    task = assigned.task_with_id(tasks, assignment_id)
    students = classrooms.load_present_and_former_students(session, classroom.id)
    misconception_queries = QUERIES_OF_ALL_WORK
    if task is not None:
        misconception_queries = QUERIES_OF_ASSIGNMENT
    query_parameters = {
        "classroom": classroom.id,
        "owned": classroom.is_owned,
        "assignment": assignment_id,
        "since": earliest_time,
    }
    [(answering_student_count,)] = session.all(misconception_queries.student_count_query, **query_parameters)
    misconception_rows = session.all(misconception_queries.misconceptions_query, **query_parameters)
    class_misconceptions = load_misconceptions_of_rows(session, students, misconception_rows)
    student_by_enrolment_id = {student.id: student for student in students}
    return MisconceptionsData(
        classroom, student_by_enrolment_id, tasks, task, answering_student_count, class_misconceptions
    )


def load_misconceptions_of_rows(
    session: VerbSession, students: Iterable[Student], misconception_rows: Iterable[Row]
) -> tuple[ClassMisconception, ...]:
    """One line for each mistake, whatever else was possible or went with it; the most widespread first.

    `misconception_rows`: learner and mistake, how often it was made, and the last answer with it.
    """
    enrolment_id_by_learner_id = {student.learner_id: student.id for student in students}
    counts_by_misconception_id = defaultdict[str, Counter[int]](Counter)
    codes_by_misconception_id = defaultdict[str, dict[str, None]](dict)
    latest_response_id_by_misconception_code = defaultdict[str, int](int)
    for learner_id, misconception_code, occurrence_count, response_id in misconception_rows:
        latest_response_id_by_misconception_code[misconception_code] = max(
            latest_response_id_by_misconception_code[misconception_code], response_id
        )
        for misconception_id in misconception_ids_of_code(misconception_code):
            counts_by_misconception_id[misconception_id][enrolment_id_by_learner_id[learner_id]] += (
                occurrence_count
            )
            codes_by_misconception_id[misconception_id][misconception_code] = None
    example_by_misconception_code = load_example_by_misconception_code(
        session, latest_response_id_by_misconception_code.values()
    )
    class_misconceptions = []
    for misconception_id, count_by_enrolment_id in counts_by_misconception_id.items():
        example_answer = clearest_example_answer(
            misconception_id, codes_by_misconception_id[misconception_id], example_by_misconception_code
        )
        codes_of_alternatives = alternative_codes_of(codes_by_misconception_id[misconception_id])
        class_misconception = ClassMisconception(
            misconception_id, count_by_enrolment_id, codes_of_alternatives, example_answer
        )
        class_misconceptions.append(class_misconception)
    class_misconceptions.sort(key=prevalence_order)
    return tuple(class_misconceptions)


def prevalence_order(class_misconception: ClassMisconception) -> tuple[int, int, str]:
    """Where a mistake stands among others: before those of fewer students, and those made less often."""
    return (
        -len(class_misconception.count_by_enrolment_id),
        -class_misconception.occurrence_count,
        class_misconception.misconception_id,
    )


ANSWER_COLUMNS = (
    RESPONSE.misconception_code,
    RESPONSE.item_ref,
    RESPONSE.raw.label("raw_json"),
    ITEM_VERSION.body,
    ATTEMPT.seed,
)
IS_VERSION_OF_RESPONSE = and_(
    ATTEMPT.id == RESPONSE.attempt_id, ITEM_VERSION.hash == RESPONSE.item_version_hash
)
EXAMPLE_ANSWERS = RowQuery(
    ExampleAnswer, select(*ANSWER_COLUMNS).where(IS_VERSION_OF_RESPONSE, is_one_of(RESPONSE.id, "responses"))
)


def load_example_by_misconception_code(
    session: VerbSession, response_ids: Collection[int]
) -> Mapping[str, ExampleAnswer]:
    """These answers, by the mistake that each shows."""
    example_answers = session.all(EXAMPLE_ANSWERS, responses=response_ids)
    return {example_answer.misconception_code: example_answer for example_answer in example_answers}


def alternative_codes_of(misconception_codes: Iterable[str]) -> list[str]:
    """What else answers may come from, once each; `misconception_codes`: under which they were diagnosed."""
    distinct_codes: dict[str, None] = {}
    for misconception_code in misconception_codes:
        distinct_codes |= dict.fromkeys(alternative_codes(misconception_code))
    return list(distinct_codes)


def clearest_example_answer(
    misconception_id: str,
    misconception_codes: Iterable[str],
    example_by_misconception_code: Mapping[str, ExampleAnswer],
) -> ExampleAnswer | None:
    """An answer with this mistake alone, where there is one; else with the fewest others."""
    codes_clearest_first = sorted(
        misconception_codes,
        key=lambda misconception_code: (misconception_code != misconception_id, len(misconception_code)),
    )
    for misconception_code in codes_clearest_first:
        if misconception_code in example_by_misconception_code:
            return example_by_misconception_code[misconception_code]
    return None


def create_practice_draft(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    misconception_id: str,
    title: str,
    refs_and_levels: Sequence[tuple[str, int]],
    assignment_id: int | None,
    earliest_time: datetime,
    now: datetime,
) -> int:
    """A draft of practice for exactly those who made a mistake and are in the class.

    `refs_and_levels`: ref and level of each.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    misconceptions_data = load_misconceptions(session, caller, classroom.id, assignment_id, earliest_time)
    counts_by_misconception_id = {
        class_misconception.misconception_id: class_misconception.count_by_enrolment_id
        for class_misconception in misconceptions_data.misconceptions
    }
    if misconception_id not in counts_by_misconception_id or not refs_and_levels:
        raise Refused("这份练习出不了：这里没有人犯过这个误区，或者没有题能单独认出它。")
    enrolment_ids = counts_by_misconception_id[misconception_id].keys()
    new_parts = [remedies.exercise_part(exercise_ref, level) for exercise_ref, level in refs_and_levels]
    return remedies.find_or_add_draft(session, classroom.id, title, new_parts, enrolment_ids, now)
