"""A student's work at an assignment for the teacher: pass by pass, question by question, as it was seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.course import Course
from app.course.papers import Paper, Question, prefix_of, questions, total_of
from app.records import marks
from app.records.grade_values import CellLook, Judged, PassLook
from app.records.marks import short
from app.records.values import ResponseRow
from app.web.views.answered import VERDICTS, Answered, one
from app.web.views.parts import Described, described

SIGNS = {"right": "✓", "wrong": "✗", "shown": "…"}


@dataclass(frozen=True)
class QuestionView:
    """A question of a pass: what it earned, the item as it was, and what a 重新评分 says to each try."""

    number: int
    points: str
    total: str
    answered: Answered | None
    says: Sequence[str]
    saved: str
    granted: str


@dataclass(frozen=True)
class Other:
    """A part that is done elsewhere, and what it earned."""

    part: Described
    points: str
    total: str


@dataclass(frozen=True)
class PassView:
    """A pass: when, for how many points, and every question."""

    look: PassLook
    late: str
    worth: str
    counts: bool
    questions: Sequence[QuestionView]
    others: Sequence[Other]


def passes(courses: Mapping[str, Course], look: CellLook) -> list[PassView]:
    """Every pass, the latest first."""
    return [pass_view(courses, look, each) for each in reversed(look.passes)]


def pass_view(courses: Mapping[str, Course], look: CellLook, each: PassLook) -> PassView:
    row = each.submission
    counted = look.computed is not None and look.computed.number == row.number
    asked, kept = Asked(courses, look, each), marks.by_part(row.parts)
    return PassView(
        look=each,
        late="" if row.factor == 1 else f"迟交，按{short(100 * row.factor)}%算",
        worth=short((row.points or 0.0) * row.factor),
        counts=counted and len(look.passes) > 1,
        questions=[asked.view(question) for question in questions(look.parts)],
        others=[other(one, kept) for one in described(courses, look.parts) if not one.asks],
    )


def other(one: Described, kept: Mapping[int, float]) -> Other:
    return Other(one, short(kept.get(one.part.id, 0.0)), short(total_of([one.part])))


class Asked:
    """The questions of one pass."""

    def __init__(self, courses: Mapping[str, Course], look: CellLook, each: PassLook) -> None:
        self.courses, self.cell, self.passed = courses, look, each
        row = each.submission
        self.paper = Paper(courses, look.parts, look.assignment.seed, look.pupil.id, row.number)
        self.rows: dict[str, list[ResponseRow]] = {}
        for response in each.look.responses:
            self.rows.setdefault(response.item, []).append(response)

    def view(self, question: Question) -> QuestionView:
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

    def answered(self, question: Question, rows: Sequence[ResponseRow]) -> Answered:
        """The question from its frozen body, in the variant of this student and this pass."""
        course = self.courses.get(prefix_of(question.ref)) or self.courses["content"]
        seed = self.paper.seeds[question.ref]
        then = replace(self.passed.look, attempt=self.passed.look.attempt._replace(seed=seed))
        return one(course, then, rows)


def said(second: Judged | None, points: float) -> str:
    """What a 重新评分 made of a try.

    >>> from datetime import UTC, datetime
    >>> said(Judged(1, "right", 1.0, None, "v", datetime(2026, 9, 1, tzinfo=UTC)), 2)
    '重新评分后：✓ 对，得2分。'
    """
    if second is None:
        return ""
    word = VERDICTS.get(second.verdict, second.verdict)
    return f"重新评分后：{SIGNS.get(second.verdict, '')} {word}，得{short(points * second.score)}分。"
