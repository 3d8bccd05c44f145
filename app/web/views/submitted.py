"""A student's work at an assignment for the teacher: pass by pass, question by question, as it was seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from app.course import Course
from app.course.papers import Paper, Question, prefix_of, questions, total_of
from app.records import marks
from app.records.assignment_values import PartRow
from app.records.grade_values import CellLook, Judged, PassLook
from app.records.marks import short
from app.records.values import ResponseRow
from app.web.views.answered import VERDICTS, Answered, one

SIGNS = {"right": "✓", "wrong": "✗", "shown": "…"}
KINDS = {"section": "课文", "cards": "闪卡", "game": "游戏"}


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

    kind: str
    ref: str
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
    asked = Asked(courses, look, each)
    return PassView(
        look=each,
        late="" if row.factor == 1 else f"迟交，按{short(100 * row.factor)}%算",
        worth=short((row.points or 0.0) * row.factor),
        counts=counted and len(look.passes) > 1,
        questions=[asked.view(question) for question in questions(look.parts)],
        others=[other(part, marks.by_part(row.parts)) for part in look.parts if not questions([part])],
    )


def other(part: PartRow, kept: Mapping[int, float]) -> Other:
    kind = KINDS.get(part.kind, part.kind)
    return Other(kind, part.ref.partition(":")[2], short(kept.get(part.id, 0.0)), short(total_of([part])))


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


def part_title(courses: Mapping[str, Course], part: PartRow) -> Markup:
    """What a part asks, in one line; its name where the course has it no more."""
    course = courses.get(prefix_of(part.ref))
    name = part.ref.partition(":")[2]
    if course and part.kind == "practice" and name in course.exercises:
        return Markup.escape(course.exercises[name].title)
    if course and name in course.items:
        return Markup(course.line(course.items[name].stem))  # noqa: S704  # rendered by the course
    return Markup.escape(name)


def numbers(parts: Sequence[PartRow], part: PartRow) -> str:
    """Which questions a part makes: 第3题, 第4–8题."""
    found = [each.number for each in questions(parts) if each.part == part.id]
    return f"第{found[0]}题" if len(found) == 1 else f"第{found[0]}–{found[-1]}题"
