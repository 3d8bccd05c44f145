"""题目分析: the first answers to every question, of an assignment or of all that a class did.

Of everybody the first answer to a question counts, once: what is counted is people. Words count when a
teacher has marked them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import starmap
from operator import ne
from typing import Any, NamedTuple

from sqlalchemy import Select, String, bindparam, case, cast, exists, func, literal_column, or_, select

from app.course.assignments.question_sets import questions_of_parts
from app.course.content.refs import item_ref_of
from app.course.insight.item_analysis import FirstResponse, unread_response
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.rows import ASSIGNMENT, IS_ASSIGNMENT_OF_CLASS, SUBMISSION
from app.records.classes import classrooms
from app.records.classes.classrooms import ENROLMENT, IS_MEMBER, IS_OF_CLASS, MEMBER_LEARNER_IDS
from app.records.classes.values import ClassRow
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row
from app.records.grading import answering
from app.records.grading.regraded_marks import IS_ABOUT_ITEM, IS_BY_RUBRIC, RE_MARK
from app.records.insight.misconceptions import IS_RE_MARKED, LONG_AGO
from app.records.insight.readable_attempts import IS_READABLE_ATTEMPT, is_of_readable_content
from app.records.items.problem_reports import PROBLEM_REPORT
from app.records.learning.rows import (
    ATTEMPT,
    IS_ANSWER_SINCE,
    ITEM_VERSION,
    RESPONSE,
    is_judged,
    is_right_alone,
)
from app.records.marking.rubric_lines import marked_lines

ItemNaming = Callable[[str], str]
"""What a question is counted under: itself in an assignment, its item over a class."""
JudgementByAnswer = Mapping[tuple[str, str], tuple[bool, str]]
"""Attempt and question → right, and the key of a wrong first answer, since the item was corrected, or a
teacher marked it."""
MISSED_LINES_PREFIX = "missed "
"""What a wrong answer begins with that misses lines of a rubric: they follow, apart by `ANSWER_SEPARATOR`."""


class ClassReport(NamedTuple):
    """A report of a problem by a student of the class: of an item, or of a question of an assignment."""

    text: str
    reported_at: datetime
    enrolment_id: int
    assignment_id: int | None
    question_ref: str

    def is_about(self, task: AssignedTask | None, question_ref: str) -> bool:
        """Whether it concerns this question; a report of an item concerns it wherever it is asked."""
        if task is None or self.assignment_id is None:
            return True
        reported_question = (self.assignment_id, self.question_ref)
        return reported_question == (task.id, question_ref)


class ItemStatsData(NamedTuple):
    """First answers of a class. `further_try_counts_by_item_ref`: how many, of each who tried again."""

    classroom: ClassRow
    tasks: Sequence[AssignedTask]
    task: AssignedTask | None
    first_answers: Sequence[FirstResponse]
    further_try_counts_by_item_ref: Mapping[str, Sequence[int]]
    reports_by_item_ref: Mapping[str, Sequence[ClassReport]]

    def reports_of(self, question_ref: str) -> Sequence[ClassReport]:
        """What was reported of a question, or of an item."""
        item_ref = item_ref_of(question_ref)
        class_reports = self.reports_by_item_ref.get(item_ref, ())
        return [
            class_report for class_report in class_reports if class_report.is_about(self.task, question_ref)
        ]

    @property
    def reported_unanswered_refs(self) -> Sequence[str]:
        """What was reported though nobody has answered it yet."""
        answered_refs = {first_answer.item_ref for first_answer in self.first_answers}
        candidate_refs: Iterable[str] = self.reports_by_item_ref
        if self.task is not None:
            asked_questions = questions_of_parts(self.task.parts)
            candidate_refs = [assigned_question.ref for assigned_question in asked_questions]
        return [
            item_ref
            for item_ref in candidate_refs
            if item_ref not in answered_refs and self.reports_of(item_ref)
        ]


IS_ANSWER_OF_ATTEMPT = RESPONSE.attempt_id == ATTEMPT.id

ANSWER_SEPARATOR = "\x1f"
"""Stands in nothing that anybody types."""
COMMA: Any = literal_column("','")
EMPTY_TEXT: Any = literal_column("''")
RIGHT_AND_HINTED_BY_FLAG = {"0": (False, False), "1": (True, False), "2": (False, True), "3": (True, True)}
"""Right, and after a hint: as one digit."""
RESPONSE_FLAG = case((is_right_alone(RESPONSE), 1), else_=0) + case((RESPONSE.hint_count > 0, 2), else_=0)


def wrong_answer_key_or_empty(judged_columns: Any) -> Any:
    """What an answer is counted under that a response, or a second mark of one, judges wrong; else empty."""
    wrong_answer_key = func.coalesce(judged_columns.misconception_code, "=" + RESPONSE.value, "")
    return case((judged_columns.verdict == "wrong", wrong_answer_key), else_="")


# The answers of a learner in one row, column by column: thousands of rows would take far longer.
IS_FIRST_TRY = RESPONSE.try_number == 1


def joined_texts(text_column: Any, separator: Any = COMMA, is_chosen: Any = IS_FIRST_TRY) -> Any:
    """Texts of some answers, in one; of the first ones, unless `is_chosen` says else."""
    chosen_text: Any = case((is_chosen, text_column))
    return func.aggregate_strings(chosen_text, separator)


MARKED_ANSWERS: Select[Any] = (
    select(
        RESPONSE.learner_id,
        joined_texts(cast(RESPONSE.attempt_id, String)),
        joined_texts(RESPONSE.item_ref),
        joined_texts(cast(RESPONSE_FLAG, String), EMPTY_TEXT),
        joined_texts(func.coalesce(cast(RESPONSE.seconds, String), "")),
        joined_texts(wrong_answer_key_or_empty(RESPONSE), literal_column(f"'{ANSWER_SEPARATOR}'")),
        joined_texts(RESPONSE.item_ref, is_chosen=RESPONSE.try_number > 1),
    )
    .where(IS_ANSWER_OF_ATTEMPT, or_(is_judged(RESPONSE), IS_RE_MARKED))
    .group_by(RESPONSE.learner_id)
)
# By learner and time, so that nothing older is read.
ANSWERS_OF_CLASS = PreparedStatement(
    MARKED_ANSWERS.where(RESPONSE.learner_id.in_(MEMBER_LEARNER_IDS), IS_ANSWER_SINCE, IS_READABLE_ATTEMPT)
)
FIRST_ATTEMPT_IDS = select(SUBMISSION.attempt_id).where(
    SUBMISSION.assignment_id == bindparam("assignment"), SUBMISSION.number == 1
)
ANSWERS_AT_ASSIGNMENT = PreparedStatement(MARKED_ANSWERS.where(RESPONSE.attempt_id.in_(FIRST_ATTEMPT_IDS)))


def load_item_stats(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int | None,
    earliest_time: datetime = LONG_AGO,
) -> ItemStatsData:
    """The questions of an assignment; without one, every item that the class has answered `earliest_time`
    then."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    tasks = assigned.tasks_of_class(session, classroom.id)
    task = assigned.task_with_id(tasks, assignment_id)
    class_parameters = {"classroom": classroom.id, "owned": classroom.is_owned}
    if task is None:
        name_item: ItemNaming = cache(item_ref_of)
        answer_rows = session.all(ANSWERS_OF_CLASS, **class_parameters, since=earliest_time)
        second_mark_rows = session.all(RE_MARKS_OF_CLASS, **class_parameters)
    else:
        name_item = str
        answer_rows = session.all(ANSWERS_AT_ASSIGNMENT, assignment=task.id)
        second_mark_rows = session.all(RE_MARKS_AT_ASSIGNMENT, assignment=task.id)
    judgement_by_answer = judgement_by_answer_of(second_mark_rows)
    first_answers = list(split_first_answers(answer_rows, judgement_by_answer, name_item))
    if task is not None:
        first_answers += starmap(unread_response, answering.learner_ids_and_unread_refs(session, task.id))
    further_try_counts_by_item_ref = further_try_counts_by_item_ref_of(answer_rows, name_item)
    reports_by_item_ref = load_reports_by_item_ref(session, classroom, earliest_time)
    return ItemStatsData(
        classroom, tasks, task, first_answers, further_try_counts_by_item_ref, reports_by_item_ref
    )


# From the second marks, which are few, to their learners: not the other way round.
IS_BY_MEMBER = exists().where(
    IS_ANSWER_OF_ATTEMPT, ATTEMPT.learner_id.in_(MEMBER_LEARNER_IDS), IS_READABLE_ATTEMPT
)
RE_MARKS_OF_FIRST_ANSWERS = (
    select(
        RESPONSE.attempt_id,
        RESPONSE.item_ref,
        is_right_alone(RE_MARK),
        wrong_answer_key_or_empty(RE_MARK),
        RE_MARK.ticks,
        case((IS_BY_RUBRIC, ITEM_VERSION.body)).label("body"),
    )
    .where(
        RESPONSE.id == RE_MARK.response_id,
        RESPONSE.try_number == 1,
        IS_ABOUT_ITEM,
        ITEM_VERSION.hash == RE_MARK.item_version_hash,
    )
    .order_by(RE_MARK.id)
)
RE_MARKS_OF_CLASS = PreparedStatement(RE_MARKS_OF_FIRST_ANSWERS.where(IS_BY_MEMBER))
RE_MARKS_AT_ASSIGNMENT = PreparedStatement(
    RE_MARKS_OF_FIRST_ANSWERS.where(RESPONSE.attempt_id.in_(FIRST_ATTEMPT_IDS))
)
"""Also of who has left the class: their answers are counted."""


def judgement_by_answer_of(second_mark_rows: Iterable[Row]) -> JudgementByAnswer:
    """Of the second marks the last one of each answer."""
    judgement_by_answer = {}
    for attempt_id, question_ref, is_right, program_key, ticks_json, item_body_json in second_mark_rows:
        wrong_answer_key = program_key
        if ticks_json is not None:
            wrong_answer_key = MISSED_LINES_PREFIX + ANSWER_SEPARATOR.join(
                marked_lines(item_body_json, ticks_json).missed_lines
            )
        judgement_by_answer[str(attempt_id), question_ref] = (bool(is_right), wrong_answer_key)
    return judgement_by_answer


def split_first_answers(
    joined_answers: Iterable[Row], judgement_by_answer: JudgementByAnswer, name_item: ItemNaming
) -> Iterator[FirstResponse]:
    """The first answer of each to each question: that of the earliest attempt.

    Where one attempt asks the same item several times, one of these answers stands for all.
    """
    for (
        learner_id,
        joined_attempt_ids,
        joined_refs,
        joined_flags,
        joined_seconds,
        joined_wrong_answer_keys,
        _,
    ) in joined_answers:
        if joined_refs is None:  # what was begun earlier was only tried again
            continue
        attempt_id_texts = joined_attempt_ids.split(",")
        question_refs = joined_refs.split(",")
        seconds_texts = joined_seconds.split(",")
        wrong_answer_keys = joined_wrong_answer_keys.split(ANSWER_SEPARATOR)
        item_refs = list(map(name_item, question_refs))
        indexes_latest_first = latest_first_indexes(attempt_id_texts)
        first_answer_index_by_item_ref = {
            item_refs[answer_index]: answer_index for answer_index in indexes_latest_first
        }  # the last one written stands
        for item_ref, answer_index in first_answer_index_by_item_ref.items():
            is_right, is_hinted = RIGHT_AND_HINTED_BY_FLAG[joined_flags[answer_index]]
            spent_seconds = None
            if seconds_texts[answer_index]:
                spent_seconds = int(seconds_texts[answer_index])
            wrong_answer_key = wrong_answer_keys[answer_index]
            attempt_and_question = (attempt_id_texts[answer_index], question_refs[answer_index])
            if attempt_and_question in judgement_by_answer:
                # What the faulty item took an answer for says nothing of it now.
                is_right, wrong_answer_key = judgement_by_answer[attempt_and_question]
            yield FirstResponse(
                learner_id, item_ref, is_right, is_hinted, spent_seconds, wrong_answer_key or None
            )


def latest_first_indexes(attempt_id_texts: Sequence[str]) -> Sequence[int]:
    """Places of answers, the last of the latest attempt first; a database mostly has them in order already.

    >>> list(latest_first_indexes(["3", "3", "11"])), list(latest_first_indexes(["11", "3"]))
    ([2, 1, 0], [0, 1])

    An assignment stays open for days, and what is practised meanwhile stands among its answers:

    >>> list(latest_first_indexes(["3", "11", "3"]))
    [1, 2, 0]
    """
    distinct_id_texts = dict.fromkeys(attempt_id_texts)
    distinct_ids = list(map(int, distinct_id_texts))
    change_count = sum(map(ne, attempt_id_texts, attempt_id_texts[1:]))
    indexes_last_first = range(len(attempt_id_texts) - 1, -1, -1)
    if change_count < len(distinct_ids) and distinct_ids == sorted(distinct_ids):
        return indexes_last_first
    return sorted(indexes_last_first, key=lambda index: -int(attempt_id_texts[index]))


def further_try_counts_by_item_ref_of(
    joined_answers: Iterable[Row], name_item: ItemNaming
) -> Mapping[str, Sequence[int]]:
    """How often each who tried a question again did so."""
    try_counts_by_item_ref = defaultdict(list)
    for *_, joined_refs in joined_answers:
        if joined_refs is None:
            continue
        student_try_count_by_item_ref = Counter(map(name_item, joined_refs.split(",")))
        for item_ref, try_count in student_try_count_by_item_ref.items():
            try_counts_by_item_ref[item_ref].append(try_count)
    return try_counts_by_item_ref


REPORTED_AT = PROBLEM_REPORT.created_at
PAGES_OF_ASSIGNMENT: Any = "/assignments/" + cast(ASSIGNMENT.id, String) + "/"
IS_OF_CLASS_WORK = exists().where(IS_ASSIGNMENT_OF_CLASS, PROBLEM_REPORT.page.startswith(PAGES_OF_ASSIGNMENT))
IS_OF_NO_OTHER_CLASS = or_(
    ~PROBLEM_REPORT.item_ref.contains("#"), ~PROBLEM_REPORT.page.startswith("/assignments/"), IS_OF_CLASS_WORK
)
"""The condition that a report does not concern a question of work for another class."""
REPORTS = PreparedStatement(
    select(PROBLEM_REPORT.item_ref, PROBLEM_REPORT.text, REPORTED_AT, PROBLEM_REPORT.page, ENROLMENT.id)
    .where(
        IS_OF_CLASS,
        IS_MEMBER,
        PROBLEM_REPORT.learner_id == ENROLMENT.learner_id,
        IS_OF_NO_OTHER_CLASS,
        is_of_readable_content(PROBLEM_REPORT.item_ref),
        bindparam("since", type_=REPORTED_AT.type) < REPORTED_AT,
    )
    .order_by(PROBLEM_REPORT.id.desc())
)


def load_reports_by_item_ref(
    session: VerbSession, classroom: ClassRow, earliest_time: datetime
) -> Mapping[str, Sequence[ClassReport]]:
    """What the class reported `earliest_time` then, the newest first, without what concerns work of another
    class or content of another teacher."""
    reports_by_item_ref = defaultdict(list)
    report_rows = session.all(REPORTS, classroom=classroom.id, owned=classroom.is_owned, since=earliest_time)
    for item_ref, report_text, created_at, page_path, enrolment_id in report_rows:
        assignment_id = None
        if "#" in item_ref:
            assignment_id = assignment_id_of_page(page_path)
        class_report = ClassReport(report_text, created_at, enrolment_id, assignment_id, item_ref)
        reports_by_item_ref[item_ref_of(item_ref)].append(class_report)
    return reports_by_item_ref


def assignment_id_of_page(page_path: str) -> int | None:
    """The assignment whose page this is; None for any other page.

    >>> assignment_id_of_page("/assignments/7/questions/2"), assignment_id_of_page("/own/7/lessons/a")
    (7, None)
    """
    path_match = re.match(r"/assignments/([0-9]{1,15})/", page_path)
    if path_match is None:
        return None
    return int(path_match[1])
