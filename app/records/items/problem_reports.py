"""这题有问题: what learners and visitors report."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, select

from app.course.assignments.question_sets import questions
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.grading import submissions
from app.records.items.tables import ProblemReport
from app.records.items.values import ProblemReportRow

LONGEST = 4000  # characters of a report that are kept
REPEATED = timedelta(minutes=10)  # the same words about the same item within this time are a double click

report = table(ProblemReport).c
columns = [report[name] for name in ProblemReportRow._fields]

EVERY = Prepared(select(*columns).order_by(report.id))
SAME = Prepared(
    select(report.id).where(
        report.learner_id.is_not_distinct_from(bindparam("learner", type_=report.learner_id.type)),
        report.item == bindparam("item"),
        report.text == bindparam("text"),
        report.created_at > bindparam("since"),
    )
)
ADD = adding(ProblemReport)


def file(session: VerbSession, who: Caller | None, item: str, text: str, page: str, now: datetime) -> None:
    """Keep a report. It makes no learner of a visitor."""
    learner_id = learners.load_visitor(session, who) if who else None
    text = text.strip()[:LONGEST]
    if session.first(SAME, learner=learner_id, item=item, text=text, since=now - REPEATED) is None:
        session.run(ADD, learner_id=learner_id, item=item, text=text, page=page, created_at=now)


def file_question(
    session: VerbSession, who: Caller, assignment_id: int, ref: str, text: str, now: datetime
) -> None:
    """The same of a question of an assignment that one has, by its name with the number."""
    given = submissions.given(session, who, assignment_id)
    asked = next((one for one in questions(given.parts) if one.ref == ref), None)
    if asked is None:
        raise NotFound("这份作业没有这道题，也许它已经换掉了。")
    file(session, who, ref, text, f"/assignments/{assignment_id}/questions/{asked.number}", now)


def index(session: VerbSession) -> tuple[ProblemReportRow, ...]:
    """All reports, oldest first."""
    return tuple(ProblemReportRow(*row) for row in session.all(EVERY))
