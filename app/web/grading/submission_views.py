"""A student's work at an assignment for the teacher: every attempt, question by question, as it was seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion, QuestionSet, prefix_of, total_of
from app.records.grading import marks
from app.records.grading.marks import short
from app.records.grading.values import CellData, RegradedResponse, SubmittedAttempt
from app.records.learning.values import ResponseRow
from app.web.assignments.part_views import PartView, part_views
from app.web.assignments.question_views import saved_text
from app.web.items import answered
from app.web.items.answered import AnsweredItem

SIGNS = {"right": "✓", "wrong": "✗", "shown": "…"}


@dataclass(frozen=True)
class QuestionView:
    """A question of an attempt: its points, the item as it was, and what a 重新评分 says to each try.

    `granted`: why it counts in full for everyone.
    """

    number: int
    points: str
    total: str
    answered: AnsweredItem | None
    regrades: Sequence[str]
    saved: str
    granted: str


@dataclass(frozen=True)
class OutsidePoints:
    """A part that is done on other pages, and its points."""

    part: PartView
    points: str
    total: str


@dataclass(frozen=True)
class AttemptView:
    """An attempt: when it was, what being late cost, whether it counts, and every question."""

    attempt: SubmittedAttempt
    late: str
    worth: str
    counts: bool
    questions: Sequence[QuestionView]
    outside: Sequence[OutsidePoints]


def attempt_views(courses: Mapping[str, Course], cell: CellData) -> list[AttemptView]:
    """Every attempt, the latest first."""
    outside = [part for part in part_views(courses, cell.parts) if not part.asks]
    return [attempt_view(courses, cell, attempt, outside) for attempt in reversed(cell.passes)]


def attempt_view(
    courses: Mapping[str, Course], cell: CellData, attempt: SubmittedAttempt, outside: Sequence[PartView]
) -> AttemptView:
    row = attempt.submission
    counts = cell.computed is not None and cell.computed.number == row.number
    late = ""
    if row.factor != 1:
        late = f"迟交，按{short(100 * row.factor)}%算"
    return AttemptView(
        attempt=attempt,
        late=late,
        worth=short((row.points or 0.0) * row.factor),
        counts=counts and len(cell.passes) > 1,
        questions=question_views(courses, cell, attempt),
        outside=outside_points(outside, marks.by_part(row.parts)),
    )


def outside_points(outside: Sequence[PartView], points: Mapping[int, float]) -> list[OutsidePoints]:
    views = []
    for part in outside:
        earned = points.get(part.part.id, 0.0)
        views.append(OutsidePoints(part, short(earned), short(total_of([part.part]))))
    return views


def question_views(
    courses: Mapping[str, Course], cell: CellData, attempt: SubmittedAttempt
) -> list[QuestionView]:
    number = attempt.submission.number
    paper = QuestionSet(courses, cell.parts, cell.assignment.seed, cell.pupil.id, number)
    responses: dict[str, list[ResponseRow]] = {}
    for response in attempt.look.responses:
        responses.setdefault(response.item, []).append(response)
    views = []
    for question in paper.questions:
        rows = responses.get(question.ref, [])
        answer = None
        if rows:
            answer = answered_item(courses, paper, attempt, question, rows)
        views.append(question_view(cell, attempt, question, rows, answer))
    return views


def answered_item(
    courses: Mapping[str, Course],
    paper: QuestionSet,
    attempt: SubmittedAttempt,
    question: AssignedQuestion,
    rows: Sequence[ResponseRow],
) -> AnsweredItem:
    """The question from its frozen body, in the variant of this student and this attempt."""
    course = courses.get(prefix_of(question.ref)) or courses["content"]
    row = attempt.look.attempt._replace(seed=paper.seed_of(question))
    attempt_data = replace(attempt.look, attempt=row)
    return answered.answered_item(course, attempt_data, rows)


def question_view(
    cell: CellData,
    attempt: SubmittedAttempt,
    question: AssignedQuestion,
    rows: Sequence[ResponseRow],
    answer: AnsweredItem | None,
) -> QuestionView:
    grant = cell.grants.get(question.part)
    share = 0.0
    regrades = []
    for row in rows:
        regraded = attempt.judged.get((question.ref, row.try_number))
        score = row.score
        if regraded:
            score = regraded.score
        share = max(share, score)
        regrades.append(regrade_words(regraded, question.points))
    granted = ""
    if grant:
        share = 1.0
        granted = grant.reason
    return QuestionView(
        number=question.number,
        points=short(question.points * share),
        total=short(question.points),
        answered=answer,
        regrades=regrades,
        saved=saved_text(attempt.saved.get(question.ref)),
        granted=granted,
    )


def regrade_words(regraded: RegradedResponse | None, points: float) -> str:
    """What a 重新评分 made of a try.

    >>> from datetime import UTC, datetime
    >>> regrade_words(RegradedResponse(1, "right", 1.0, None, "v", datetime(2026, 9, 1, tzinfo=UTC)), 2)
    '重新评分后：✓ 对，得2分。'
    """
    if regraded is None:
        return ""
    word = answered.VERDICTS.get(regraded.verdict, regraded.verdict)
    return f"重新评分后：{SIGNS.get(regraded.verdict, '')} {word}，得{short(points * regraded.score)}分。"
