"""An attempt at an assignment while its student works at it: its questions, and one of them as a form."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from app.course.assignments.question_sets import AssignedQuestion, QuestionSet
from app.records.assignments.deadlines import Schedule, schedule_of
from app.records.assignments.values import AssignmentRow, AttemptWork
from app.records.grading import attempt_work
from app.records.grading.student_assignments import Courses
from app.web.assignments import question_views
from app.web.assignments.question_views import QuestionLink, QuestionState
from app.web.assignments.student_views import closed_words
from app.web.site import slots
from app.web.site.requests import Typed
from app.web.site.site import Site


@dataclass(frozen=True)
class StudentAttempt:
    """An attempt as its student works at it. `links`: every question, with how it stands."""

    work: AttemptWork
    paper: QuestionSet
    schedule: Schedule
    links: Sequence[QuestionLink]

    @property
    def assignment(self) -> AssignmentRow:
        return self.work.given.assignment

    @property
    def number(self) -> int:
        return self.work.submission.number

    @property
    def at_once(self) -> bool:
        """Whether an answer is marked when it is given."""
        return self.assignment.answers == "at_once"

    @property
    def closed(self) -> str:
        """Why no work is taken now; empty while it is."""
        return closed_words(self.schedule)

    @property
    def url(self) -> str:
        return f"/assignments/{self.assignment.id}"

    @property
    def unanswered(self) -> list[QuestionLink]:
        """The questions without an answer that can be marked."""
        return [link for link in self.links if link.status in ("open", "unreadable")]

    @property
    def resume(self) -> int:
        """The number of the question where the student goes on."""
        if self.unanswered:
            return self.unanswered[0].number
        return 1

    def question(self, number: int) -> AssignedQuestion:
        return self.paper.questions[number - 1]

    def question_url(self, number: int) -> str:
        return f"{self.url}/questions/{number}"

    def next_url(self, number: int) -> str:
        """The question after this one; after the last one, the page to hand in."""
        if number < len(self.links):
            return self.question_url(number + 1)
        return f"{self.url}/hand-in"


def student_attempt(work: AttemptWork, courses: Courses, now: datetime) -> StudentAttempt:
    assignment = work.given.assignment
    paper = attempt_work.paper_of(work.given, work.submission, courses)
    links = []
    for question in paper.questions:
        status = question_views.status_of(paper, question, work, marked=assignment.answers == "at_once")
        url = f"/assignments/{assignment.id}/questions/{question.number}"
        links.append(QuestionLink(question.number, status, url))
    return StudentAttempt(work, paper, schedule_of(work.given, now), links)


def render_links(site: Site, links: Sequence[QuestionLink], number: int = 0, oob: bool = False) -> Markup:
    """The row of links; `number` is the present question. With `oob` it replaces the one on the page."""
    return site.render("assignments/_question_nav.html", links=links, number=number, oob=oob)


def render_asked(
    site: Site, attempt: StudentAttempt, number: int, typed: Typed | None = None, refusal: str = ""
) -> Markup:
    """A question with the form for its answer. `refusal`: why what was sent could not be taken."""
    question = attempt.question(number)
    saved = attempt.work.saved.get(question.ref)
    variant = question_views.current_question(attempt.paper, question)
    if variant is None:
        return site.render("assignments/_gone.html", saved=question_views.saved_text(saved))
    answer_label = "存下，下一题"
    if number == len(attempt.links):
        answer_label = "存下，去交卷"
    if typed and typed.item != variant.item.id:
        typed = None
    how = QuestionState(
        rules=attempt.assignment,
        url=attempt.question_url(number),
        answer_label=answer_label,
        attempt_number=attempt.number,
        responses=attempt.work.of(question.ref),
        saved=saved,
        hints=attempt.work.hints.get(question.ref, 0),
        typed=typed,
        refusal=refusal,
        draft=render_draft(site, attempt, number),
        closed=bool(attempt.closed),
    )
    return question_views.render_question(site, question_views.open_view(variant, how))


def render_draft(site: Site, attempt: StudentAttempt, number: int) -> Markup:
    """The box that saves what is being written; none where answers are marked at once or not taken."""
    if attempt.at_once or attempt.closed:
        return slots.NOTHING
    url = f"{attempt.question_url(number)}/drafts"
    return site.render("assignments/_draft.html", url=url, note=render_saved(site, attempt, number))


def render_saved(site: Site, attempt: StudentAttempt, number: int) -> Markup:
    """When the answer was saved, and whether it can be marked."""
    saved = attempt.work.saved.get(attempt.question(number).ref)
    unreadable = attempt.links[number - 1].is_unreadable
    return site.render("assignments/_saved.html", saved=saved, unreadable=unreadable)
