"""A question of an assignment as a student sees it: while it is open, and when it is shown how it went."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import Markup

from app.course import Course, Unreadable
from app.course.assignments.question_sets import AssignedQuestion, QuestionSet, prefix_of
from app.course.authoring.snapshots import thaw
from app.course.items.kinds import Item, Short, Steps
from app.course.items.state import State, state
from app.records.assignments.values import AttemptWork, SavedRow
from app.records.grading.marks import short
from app.records.grading.submissions import filled
from app.records.learning.values import ResponseRow
from app.web.items.item_views import ItemView, breakable, feedback, seen, unreadable
from app.web.items.kinds import ItemMoment, Parts, SeenAnswer, parts_of
from app.web.site import slots
from app.web.site.requests import Typed
from app.web.site.responses import markup
from app.web.site.site import Site

Mark = Literal["open", "saved", "unreadable", "waiting", "right", "partly", "wrong", "none"]
WORDS: dict[Mark, str] = {
    "open": "没答",
    "saved": "存好了",
    "unreadable": "看不懂",
    "waiting": "还没批",
    "right": "对",
    "partly": "对了一部分",
    "wrong": "不对",
    "none": "没答",
}


@dataclass(frozen=True)
class QuestionLink:
    """A question on the rail: its number, how it stands, where it is."""

    number: int
    mark: Mark
    url: str

    @property
    def word(self) -> str:
        return WORDS[self.mark]

    @property
    def is_unreadable(self) -> bool:
        """Whether something was written that cannot be marked."""
        return self.mark == "unreadable"


@dataclass(frozen=True)
class AskedQuestion:
    """A question with the variant that it asks, and the course that this lives in."""

    question: AssignedQuestion
    seed: int
    course: Course
    item: Item


def course_of(paper: QuestionSet, question: AssignedQuestion) -> Course | None:
    found = paper.courses.get(prefix_of(question.ref))
    return found if isinstance(found, Course) else None


def asked_of(paper: QuestionSet, question: AssignedQuestion) -> AskedQuestion | None:
    """The variant of a question as the course has it now; None where its item is gone."""
    course, seed = course_of(paper, question), paper.seed_of(question)
    if course is None or course.bare(question.ref) not in course.items:
        return None
    return AskedQuestion(question, seed, course, course.variant(course.bare(question.ref), seed))


def frozen(
    site: Site, paper: QuestionSet, question: AssignedQuestion, work: AttemptWork
) -> AskedQuestion | None:
    """A question as it was when it was answered; as it is now, where it was not. What it was stands also when
    the content that it came from is gone."""
    rows, seed = work.of(question.ref), paper.seed_of(question)
    body = work.versions.get(rows[-1].item_version) if rows else None
    then = thaw(course_of(paper, question) or site.course, body, seed) if body else None
    if then is None:
        return asked_of(paper, question)
    return AskedQuestion(question, seed, then, next(iter(then.items.values())))


@dataclass(frozen=True)
class QuestionState:
    """How a question is asked: where its answers go, what stands in it, what is allowed."""

    assignment: int
    base: str
    next: str
    sitting: int
    at_once: bool
    tries: int
    hints: bool
    opened: int = 0
    rows: Sequence[ResponseRow] = ()
    saved: SavedRow | None = None
    typed: Typed | None = None
    label: str = "存下"
    refusal: str = ""
    extra: Markup = slots.NOTHING
    closed: bool = False


def open_view(asked: AskedQuestion, how: QuestionState) -> ItemView:
    """A question that may be answered: no solution, no twin, no way out; hints where they are allowed."""
    course, item = asked.course, asked.item
    answers = seen(how.rows)
    at = state_of(item, answers, how.tries)
    typed = how.typed.raw if how.typed else how.saved.raw if how.saved and not answers else None
    parts = parts_of(ItemMoment(course, item, answers, at, typed))
    parts = parts if how.at_once else replace(parts, answer_label=how.label)
    return replace(
        bare_view(asked, at, parts, how.assignment, how.base, how.next),
        try_number=len(answers) + 1,
        error=how.refusal or error_of(item, how, typed, answers),
        says=feedback(course, item, answers, probe=False),
        hints=[markup(course.html(one)) for one in item.hints[: how.opened]],
        hints_left=len(item.hints) - how.opened if how.hints and at == "open" and not how.closed else 0,
        worked=worked(course, item) if at in ("ended", "shown") else [],
        explanation=explanation(course, item) if at != "open" else None,
        fields={"sitting": how.sitting, "spent": how.saved.seconds or 0 if how.saved else 0},
        extra=how.extra,
        may_leave=how.at_once,
        closed=how.closed,
    )


def error_of(
    item: Item, how: QuestionState, typed: Sequence[str] | None, answers: Sequence[SeenAnswer]
) -> str:
    """Why what stands in the form cannot be read; nothing while it is only being moved about."""
    moving = how.typed is not None and not how.typed.refused
    if not typed or not any(typed) or moving:
        return ""
    return unreadable(item, tuple(typed), answers) if how.at_once else trouble(item, typed)


def trouble(item: Item, raw: Sequence[str]) -> str:
    """Why a saved answer could not be marked; cells of a table may stay empty."""
    if not isinstance(item, Steps):
        return unreadable(item, tuple(raw))
    try:
        item.judge(filled(raw))
    except Unreadable as error:
        return str(error)
    return ""


def state_of(item: Item, answers: Sequence[SeenAnswer], tries: int) -> State:
    """As everywhere, but there are only so many tries; 0: as many as one likes."""
    at = state(item, answers)
    return "ended" if at == "open" and tries and len(answers) >= tries else at


def shown_view(asked: AskedQuestion, work: AttemptWork) -> ItemView:
    """A question with its last answer and everything that is to be said to it."""
    course, item, row, ref = asked.course, asked.item, work.given.assignment, asked.question.ref
    answers = [SeenAnswer(one.verdict, one.raw, one.score) for one in work.of(ref)]
    here = f"/assignments/{row.id}/passes/{work.submission.number}#q{asked.question.number}"
    at: State = "shown" if not answers else "right" if answers[-1].verdict == "right" else "ended"
    parts = parts_of(ItemMoment(course, item, answers, at, None))
    parts = replace(parts, end=end_words(asked, work))
    return replace(
        bare_view(asked, at, parts, row.id, "", here),
        says=feedback(course, item, answers, probe=False),
        hints=[markup(course.html(one)) for one in item.hints[: work.hints.get(ref, 0)]],
        worked=worked(course, item) if at != "right" else [],
        explanation=explanation(course, item),
    )


def bare_view(
    asked: AskedQuestion, at: State, parts: Parts, assignment: int, base: str, following: str
) -> ItemView:
    """What is always the same. A report names the question by its number: its id may be in two courses."""
    course, item = asked.course, asked.item
    name = f"question-{asked.question.number}"
    return ItemView(
        id=item.id,
        dom_id=name,
        target=name,
        kind=item.kind,
        probe=False,
        minutes=item.minutes,
        stem=markup(course.html(item.stem)),
        state=at,
        base=Markup.escape(base),
        next=following,
        try_number=1,
        seed=asked.seed,
        parts=parts,
        error="",
        says=(),
        hints=(),
        hints_left=0,
        worked=(),
        explanation=None,
        twin=None,
        can_show=False,
        another=None,
        trap=None,
        easier=None,
        guest_field=slots.NOTHING,
        about={"item": asked.question.ref, "assignment": assignment},
    )


def worked(course: Course, item: Item) -> list[Markup]:
    return [breakable(course.line(line)) for line in item.solution()]


def explanation(course: Course, item: Item) -> Markup | None:
    return markup(course.html(item.explanation)) if item.explanation else None


def render_question(site: Site, view: ItemView) -> Markup:
    return site.render("items/_item.html", item=view)


def mark_of(paper: QuestionSet, question: AssignedQuestion, work: AttemptWork, told: bool) -> Mark:
    """How a question stands, as far as the student may know."""
    rows, kept = work.of(question.ref), work.saved.get(question.ref)
    if told and (rows or question.ref in work.again):
        best = work.share(question.ref)
        return "right" if best >= 1 else "partly" if best > 0 else "wrong"
    if rows:
        return "saved"
    if kept and any(text.strip() for text in kept.raw):
        if is_unreadable(paper, question, kept.raw):
            return "unreadable"
        return "waiting" if work.submission.handed_in_at else "saved"
    return "none" if work.submission.handed_in_at else "open"


def is_unreadable(paper: QuestionSet, question: AssignedQuestion, raw: Sequence[str]) -> bool:
    """Whether something was written that could not be marked."""
    asked = asked_of(paper, question) if any(text.strip() for text in raw) else None
    return asked is not None and bool(trouble(asked.item, raw))


def end_words(asked: AskedQuestion, work: AttemptWork) -> str:
    """What a question came to; a reason that was written is no matter of points."""
    if isinstance(asked.item, Short) and work.of(asked.question.ref):
        return "写下来了"
    return sum_words(asked.question, work)


def sum_words(question: AssignedQuestion, work: AttemptWork) -> str:
    """The points of a question in a few words: `2分里得1分`."""
    points, ref = question.points, question.ref
    again = "（重新评分过）" if ref in work.again else ""
    open_words = "" if work.of(ref) else "没答 · "
    return f"{open_words}{short(points)}分里得{short(points * work.share(ref))}分{again}"
