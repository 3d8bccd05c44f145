"""A student's work at an assignment for the teacher: pass by pass, question by question, as it was seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion, QuestionSet, prefix_of, questions, total_of
from app.records.grading import marks
from app.records.grading.marks import short
from app.records.grading.values import CellData, RegradedResponse, SubmittedAttempt
from app.records.learning.values import ResponseRow
from app.web.assignments.part_views import Described, described
from app.web.items.answered import VERDICTS, AnsweredItem, answered_item

SIGNS = {"right": "✓", "wrong": "✗", "shown": "…"}


@dataclass(frozen=True)
class QuestionView:
    """A question of a pass: what it earned, the item as it was, and what a 重新评分 says to each try."""

    number: int
    points: str
    total: str
    answered: AnsweredItem | None
    says: Sequence[str]
    saved: str
    granted: str


@dataclass(frozen=True)
class OutsidePart:
    """A part that is done elsewhere, and what it earned."""

    part: Described
    points: str
    total: str


@dataclass(frozen=True)
class AttemptView:
    """A pass: when, for how many points, and every question."""

    look: SubmittedAttempt
    late: str
    worth: str
    counts: bool
    questions: Sequence[QuestionView]
    others: Sequence[OutsidePart]


def passes(courses: Mapping[str, Course], look: CellData) -> list[AttemptView]:
    """Every pass, the latest first."""
    return [pass_view(courses, look, each) for each in reversed(look.passes)]


def pass_view(courses: Mapping[str, Course], look: CellData, each: SubmittedAttempt) -> AttemptView:
    row = each.submission
    counted = look.computed is not None and look.computed.number == row.number
    asked, kept = AttemptQuestions(courses, look, each), marks.by_part(row.parts)
    return AttemptView(
        look=each,
        late="" if row.factor == 1 else f"迟交，按{short(100 * row.factor)}%算",
        worth=short((row.points or 0.0) * row.factor),
        counts=counted and len(look.passes) > 1,
        questions=[asked.view(question) for question in questions(look.parts)],
        others=[other(one, kept) for one in described(courses, look.parts) if not one.asks],
    )


def other(one: Described, kept: Mapping[int, float]) -> OutsidePart:
    return OutsidePart(one, short(kept.get(one.part.id, 0.0)), short(total_of([one.part])))


class AttemptQuestions:
    """The questions of one pass."""

    def __init__(self, courses: Mapping[str, Course], look: CellData, each: SubmittedAttempt) -> None:
        self.courses, self.cell, self.passed = courses, look, each
        row = each.submission
        self.paper = QuestionSet(courses, look.parts, look.assignment.seed, look.pupil.id, row.number)
        self.rows: dict[str, list[ResponseRow]] = {}
        for response in each.look.responses:
            self.rows.setdefault(response.item, []).append(response)

    def view(self, question: AssignedQuestion) -> QuestionView:
        rows = self.rows.get(question.ref, [])
        judged = [self.passed.judged.get((question.ref, each.try_number)) for each in rows]
        grant = self.cell.grants.get(question.part)
        scored = [
            (question.ref, second.score if second else row.score)
            for row, second in zip(rows, judged, strict=True)
        ]
        share = 1.0 if grant else marks.best_shares(scored).get(question.ref, 0.0)
        saved = self.passed.saved.get(question.ref)
        return QuestionView(
            number=question.number,
            points=short(question.points * share),
            total=short(question.points),
            answered=self.answered(question, rows) if rows else None,
            says=[said(second, question.points) for second in judged],
            saved="、".join(saved.raw) if saved else "",
            granted=grant.reason if grant else "",
        )

    def answered(self, question: AssignedQuestion, rows: Sequence[ResponseRow]) -> AnsweredItem:
        """The question from its frozen body, in the variant of this student and this pass."""
        course = self.courses.get(prefix_of(question.ref)) or self.courses["content"]
        seed = self.paper.seeds[question.ref]
        then = replace(self.passed.look, attempt=self.passed.look.attempt._replace(seed=seed))
        return answered_item(course, then, rows)


def said(second: RegradedResponse | None, points: float) -> str:
    """What a 重新评分 made of a try.

    >>> from datetime import UTC, datetime
    >>> said(RegradedResponse(1, "right", 1.0, None, "v", datetime(2026, 9, 1, tzinfo=UTC)), 2)
    '重新评分后：✓ 对，得2分。'
    """
    if second is None:
        return ""
    word = VERDICTS.get(second.verdict, second.verdict)
    return f"重新评分后：{SIGNS.get(second.verdict, '')} {word}，得{short(points * second.score)}分。"
