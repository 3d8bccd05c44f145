"""The result of an attempt: its receipt, and its questions with their marks once they may be seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from markupsafe import Markup

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion, QuestionSet
from app.records.assignments.deadlines import FAR, schedule_of
from app.records.assignments.values import AttemptWork
from app.records.grading import attempt_work, marks
from app.records.grading.marks import short
from app.web.assignments import question_views
from app.web.assignments.part_views import PartView, part_views
from app.web.assignments.question_views import QuestionStatus
from app.web.assignments.student_views import by_hand_words, points_words
from app.web.site.site import Site, moment


@dataclass(frozen=True)
class QuestionResult:
    """A question as it was asked, with its answer and what is said to it."""

    number: int
    status: QuestionStatus
    html: Markup


@dataclass(frozen=True)
class AttemptResult:
    """An attempt that was handed in. `points` and `questions` are empty until the time that `when` names.

    `by_hand`: the mark that the teacher set for the assignment; `outside`: the parts without questions, each
    with its points; `unfinished`: how many of these are not done; `can_repeat`: whether another attempt may
    follow.
    """

    work: AttemptWork
    by_hand: str
    outside: Sequence[tuple[PartView, str]]
    unanswered: int
    unfinished: int
    can_repeat: bool
    points: str = ""
    questions: Sequence[QuestionResult] = ()
    when: str = ""


def attempt_result(
    site: Site, courses: Mapping[str, Course], work: AttemptWork, now: datetime
) -> AttemptResult:
    assignment = work.given
    marked = work.is_shown(now)
    paper = attempt_work.paper_of(assignment, work.submission, courses)
    statuses = [question_views.status_of(paper, question, work, marked) for question in paper.questions]
    earned = marks.by_part(work.submission.parts)
    outside = []
    unfinished = 0
    for part in part_views(courses, assignment.parts):
        if part.asks:
            continue
        points = earned.get(part.part.id, 0.0)
        words = ""
        if marked:
            words = f"{part.points}分里得{short(points)}分"
        outside.append((part, words))
        unfinished += points < part.part.points
    result = AttemptResult(
        work=work,
        by_hand=by_hand_words(assignment, now),
        outside=outside,
        unanswered=statuses.count("none") + statuses.count("unreadable"),
        unfinished=unfinished,
        can_repeat=schedule_of(assignment, now).takes and assignment.left != 0,
    )
    if not marked:
        return replace(result, when=visible_words(site, work))
    return replace(
        result,
        points=points_words(work.submission, assignment, now),
        questions=question_results(site, paper, work, statuses),
    )


def question_results(
    site: Site, paper: QuestionSet, work: AttemptWork, statuses: Sequence[QuestionStatus]
) -> list[QuestionResult]:
    results = []
    for question, status in zip(paper.questions, statuses, strict=True):
        html = render_result(site, paper, question, work, status)
        results.append(QuestionResult(question.number, status, html))
    return results


def render_result(
    site: Site, paper: QuestionSet, question: AssignedQuestion, work: AttemptWork, status: QuestionStatus
) -> Markup:
    """A question with its answer. One whose item was missing when it was handed in waits to be marked."""
    variant = question_views.answered_question(site, paper, question, work)
    responses = work.of(question.ref)
    unmarked_text = ""
    if not responses:
        unmarked_text = question_views.saved_text(work.saved.get(question.ref))
    if variant is None and status == "waiting":
        return site.render("assignments/_gone.html", saved=unmarked_text)
    if variant is None:
        answer = unmarked_text
        if responses:
            answer = "、".join(responses[-1].raw)
        end = question_views.points_words(question, work)
        return site.render("assignments/_lost.html", answer=answer, end=end)
    correction = ""
    if question.ref in work.again:
        correction = work.why.get(question.ref, "")
    return site.render(
        "assignments/_answer.html",
        item=question_views.result_view(variant, work),
        saved=unmarked_text,
        waiting=status == "waiting",
        correction=correction,
    )


def visible_words(site: Site, work: AttemptWork) -> str:
    """From when the results may be seen."""
    if work.given.assignment.answers == "never":
        return "结果由老师来讲，这里不显示。"
    if work.shown_from is None or work.shown_from >= FAR:
        return "等老师结束这份作业，这里就能看结果和讲解。"
    local = moment("%m月%d日%H:%M", ZoneInfo(site.settings.time_zone), work.shown_from)
    return f"{local}以后，这里能看结果和讲解。"
