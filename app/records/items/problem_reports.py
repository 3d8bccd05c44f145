"""这题有问题: what learners and visitors report."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, select

from app.course.assignments.question_sets import questions_of_parts
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, columns_of, prepared_insert
from app.records.grading import student_assignments
from app.records.items.tables import ProblemReport


class ProblemReportRow(NamedTuple):
    """A report; `item_ref` is a question with its number where it is of an assignment."""

    id: int
    learner_id: int | None
    item_ref: str
    text: str
    page: str
    created_at: datetime


LONGEST_REPORT = 4000
"""Characters of a report that are kept."""
DOUBLE_CLICK_PERIOD = timedelta(minutes=10)
"""The same words about the same item within this time are a double click."""

PROBLEM_REPORT = table(ProblemReport).c
SAME_REPORT = PreparedStatement(
    select(PROBLEM_REPORT.id).where(
        PROBLEM_REPORT.learner_id.is_not_distinct_from(
            bindparam("learner", type_=PROBLEM_REPORT.learner_id.type)
        ),
        PROBLEM_REPORT.item_ref == bindparam("item"),
        PROBLEM_REPORT.text == bindparam("text"),
        PROBLEM_REPORT.created_at > bindparam("since"),
    )
)
ADD_REPORT = prepared_insert(ProblemReport)


def keep_report(
    session: VerbSession,
    caller: Caller | None,
    item_ref: str,
    report_text: str,
    page_path: str,
    now: datetime,
) -> None:
    """Keep a report. It makes no learner of a visitor."""
    learner_id = learners.find_learner_id(session, caller) if caller else None
    report_text = report_text.strip()[:LONGEST_REPORT]
    earliest_repeat_time = now - DOUBLE_CLICK_PERIOD
    same_report_row = session.first(
        SAME_REPORT, learner=learner_id, item=item_ref, text=report_text, since=earliest_repeat_time
    )
    if same_report_row is None:
        session.run(
            ADD_REPORT,
            learner_id=learner_id,
            item_ref=item_ref,
            text=report_text,
            page=page_path,
            created_at=now,
        )


def report_question(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    question_ref: str,
    report_text: str,
    now: datetime,
) -> None:
    """Keep a report of a question of an assignment that the caller has. `question_ref`: with the number."""
    parts = student_assignments.load_own_assignment(session, caller, assignment_id).parts
    assigned_question = next(
        (
            assigned_question
            for assigned_question in questions_of_parts(parts)
            if assigned_question.ref == question_ref
        ),
        None,
    )
    if assigned_question is None:
        raise NotFound("这份作业没有这道题，也许它已经换掉了。")
    keep_report(
        session,
        caller,
        question_ref,
        report_text,
        f"/assignments/{assignment_id}/questions/{assigned_question.number}",
        now,
    )


REPORTS = RowQuery(
    ProblemReportRow, select(*columns_of(ProblemReport, ProblemReportRow)).order_by(PROBLEM_REPORT.id)
)


def all_reports(session: VerbSession) -> tuple[ProblemReportRow, ...]:
    """What was reported, oldest first."""
    return tuple(session.all(REPORTS))
