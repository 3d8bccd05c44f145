"""我的作业: what is due, one question a page, saved or answered, looked over, handed in, and how it went."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.course import Course, Unreadable
from app.course.assignments.question_sets import QuestionSet
from app.course.items.kinds.steps import LEFT
from app.records.assignments.deadlines import Schedule, schedule_of
from app.records.assignments.values import AttemptWork, StudentAssignment
from app.records.db.errors import NotFound, Refused
from app.records.grading import submissions
from app.records.learning.values import AttemptRow
from app.web.assignments import student_views
from app.web.assignments.question_views import (
    QuestionLink,
    QuestionState,
    asked_of,
    is_unreadable,
    mark_of,
    open_view,
    render_question,
)
from app.web.classes.classrooms import Id
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.course_sources import courses
from app.web.site.requests import PostedForm, Typed, caller_of, read_form, thinking, typed_in
from app.web.site.responses import fragment, page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()
HERE = "/assignments/{assignment_id}"
QUESTION = HERE + "/questions/{number}"
LONGEST = 4000


@router.get("/assignments")
async def index(request: Request) -> Response:
    """What is to be done, the soonest first; what is done."""
    site, at = site_of(request), now()
    known, found = await site.db.read(submissions.overview, caller_of(request))
    return page(
        request,
        "assignments/student_index",
        known=known,
        page="assignments",
        title="我的作业",
        shelves=student_views.student_lists(found, at),
    )


@router.get(HERE)
async def show(request: Request, assignment_id: Id) -> Response:
    """An assignment from outside: what it asks for, until when, and how far one is."""
    return await overview(request, assignment_id)


async def overview(request: Request, assignment_id: int, error: str = "", status: int = 200) -> Response:
    site, at, known = site_of(request), now(), await courses(site_of(request), assignment_id)
    found, work, shares = await site.db.read(
        submissions.with_shares, caller_of(request), assignment_id, known, at
    )
    view = student_views.task(known, found, shares, at)
    resume = QuestionPage(request, work, known, 1).first_open if work else 1
    return page(
        request,
        "assignments/student_show",
        known=True,
        status=status,
        page="assignments",
        title=view.assignment.title,
        task=view,
        resume=resume,
        closed=student_views.closed_words(view.times),
        error=error,
    )


@router.post(HERE + "/passes")
async def begin(request: Request, assignment_id: Id) -> Response:
    """Begin, or go on."""
    try:
        await site_of(request).db.write(submissions.begin, caller_of(request), assignment_id, now())
    except Refused as error:
        return await overview(request, assignment_id, str(error), 422)
    found = await site_of(request).db.read(submissions.given, caller_of(request), assignment_id)
    asks = any(part.kind in ("item", "practice") for part in found.parts)
    return see(request, f"/assignments/{assignment_id}{'/questions/1' if asks else ''}")


@router.get(QUESTION)
async def ask(request: Request, assignment_id: Id, number: Id) -> Response:
    """One question, with the rail of all of them. Once it is handed in, this is where it is shown."""
    desk = await desk_of(request, assignment_id, number)
    if desk is None:
        return see(request, f"/assignments/{assignment_id}")
    if desk.work.submission.handed_in_at:
        return see(request, f"/assignments/{assignment_id}/passes/{desk.work.submission.number}#q{number}")
    if not desk.given.live:
        return see(request, f"/assignments/{assignment_id}")
    return question_page(desk, typed_in(request))


def question_page(
    desk: "QuestionPage", typed: Typed | None = None, refusal: str = "", status: int = 200
) -> Response:
    """The page of one question; `refusal`: why what was sent could not be taken."""
    return page(
        desk.request,
        "assignments/question",
        known=True,
        status=status,
        page="assignments",
        title=f"第{desk.number}题 · {desk.assignment.title}",
        desk=desk,
        item_html=desk.render(typed, refusal),
        rail=desk.rail,
        unread=desk.unread,
    )


@router.post(QUESTION + "/responses")
async def respond(request: Request, assignment_id: Id, number: Id) -> Response:
    """Mark an answer at once; or save it and go on to the next question."""
    form, desk = await read_form(request), await open_desk(request, assignment_id, number)
    if isinstance(desk, Response):
        return desk
    typed = Typed(form.one("item"), raw_of(form))
    try:
        if desk.at_once:
            await desk.answer(form, typed)
        else:
            await desk.save(form, typed)
            return desk.go_on(typed)
    except Unreadable:
        return await desk.again(typed)
    except Refused as error:
        return await desk.again(typed._replace(refused=False), str(error))
    return await desk.shown()


@router.post(QUESTION + "/drafts")
async def keep(request: Request, assignment_id: Id, number: Id) -> Response:
    """What is being written, saved without leaving the page."""
    form, desk = await read_form(request), await open_desk(request, assignment_id, number)
    if isinstance(desk, Response):
        return desk
    try:
        await desk.save(form, Typed(form.one("item"), raw_of(form)))
    except Refused as error:
        return HTMLResponse(f'<span class="not-saved">{Markup.escape(str(error))}</span>')
    fresh = await desk.fresh()
    return HTMLResponse(fresh.saved_note + fresh.rail_again)


@router.post(QUESTION + "/hints")
async def hint(request: Request, assignment_id: Id, number: Id) -> Response:
    """One more hint; what was typed stays."""
    form, desk = await read_form(request), await open_desk(request, assignment_id, number)
    if isinstance(desk, Response):
        return desk
    typed = Typed(form.one("item"), raw_of(form), refused=False)
    try:
        await desk.hint(form)
    except Refused as error:
        return await desk.again(typed, str(error))
    return await desk.shown(typed if any(typed.raw) else None)


@router.post(QUESTION + "/orderings")
async def move_candy(request: Request, assignment_id: Id, number: Id) -> Response:
    """↑ and ↓ without a script: the new order goes into the address; nothing is recorded."""
    form = await read_form(request)
    await site_of(request).db.read(submissions.given, caller_of(request), assignment_id)
    here = f"/assignments/{assignment_id}/questions/{number}"
    typed = Typed(form.one("item"), raw_of(form), refused=False).moved(form.one("move"))
    return see(request, typed.within(f"{here}#question-{number}"))


@router.get(HERE + "/hand-in")
async def look_over(request: Request, assignment_id: Id) -> Response:
    """Before it is handed in: what is answered, what is not, and what being late costs."""
    site, at, known = site_of(request), now(), await courses(site_of(request), assignment_id)
    found, work, shares = await site.db.read(
        submissions.with_shares, caller_of(request), assignment_id, known, at
    )
    if work is None or not found.live:
        return see(request, f"/assignments/{assignment_id}")
    desk = QuestionPage(request, work, known, 1)
    return page(
        desk.request,
        "assignments/hand_in",
        known=True,
        page="assignments",
        title=f"交卷 · {desk.assignment.title}",
        desk=desk,
        rail=site.render("assignments/_question_nav.html", beads=desk.beads, here=0, oob=False),
        late_words=student_views.late_words(desk.times),
        left=[bead for bead in desk.beads if bead.mark in ("open", "unreadable")],
        undone=[one for one in student_views.elsewhere(desk.courses, found, shares) if not one.done],
    )


@router.post(HERE + "/hand-ins")
async def hand_in(request: Request, assignment_id: Id) -> Response:
    """Hand in. The receipt says when."""
    form, site = await read_form(request), site_of(request)
    sitting = form.number("sitting")
    try:
        done = await site.db.write(
            submissions.hand_in,
            caller_of(request),
            assignment_id,
            sitting,
            await courses(site, assignment_id),
            now(),
        )
    except Refused as error:
        return await overview(request, assignment_id, str(error), 422)
    return see(request, f"/assignments/{assignment_id}/passes/{done.number}")


@router.get(HERE + "/passes/{sitting}")
async def receipt(request: Request, assignment_id: Id, sitting: Id) -> Response:
    """When a pass was handed in; and how it went, once that may be told."""
    site, at = site_of(request), now()
    work = await site.db.read(submissions.load_attempt, caller_of(request), assignment_id, sitting)
    if not isinstance(work, AttemptWork) or work.submission.handed_in_at is None:
        return see(request, f"/assignments/{assignment_id}")
    view = student_views.result(site, await courses(site, assignment_id), work, at)
    return page(
        request,
        "assignments/attempt",
        known=True,
        page="assignments",
        title=f"交了 · {work.given.assignment.title}",
        result=view,
    )


@dataclass(frozen=True)
class QuestionPage:
    """A student at one question of a pass."""

    request: Request
    work: AttemptWork
    courses: Mapping[str, Course]
    number: int

    @property
    def site(self) -> Site:
        return site_of(self.request)

    @property
    def given(self) -> StudentAssignment:
        return self.work.given

    @property
    def assignment(self) -> Any:
        return self.given.assignment

    @property
    def at_once(self) -> bool:
        return self.given.assignment.answers == "at_once"

    @property
    def times(self) -> Schedule:
        return schedule_of(self.given, now())

    @property
    def closed(self) -> str:
        """Why nothing is taken now; empty while it is."""
        return student_views.closed_words(self.times)

    @property
    def sitting(self) -> int:
        return self.work.submission.number

    @property
    def here(self) -> str:
        return f"/assignments/{self.given.assignment.id}"

    @cached_property
    def paper(self) -> QuestionSet:
        return submissions.paper_of(self.given, self.work.submission, self.courses)

    @property
    def last(self) -> int:
        return len(self.paper.questions)

    @cached_property
    def beads(self) -> list[QuestionLink]:
        """All questions, as they stand."""
        paper = self.paper
        return [
            QuestionLink(one.number, mark_of(paper, one, self.work, self.at_once), self.url(one.number))
            for one in paper.questions
        ]

    @property
    def first_open(self) -> int:
        """Where one goes on: the first question without an answer."""
        return next((one.number for one in self.beads if one.mark in ("open", "unreadable")), 1)

    def url(self, number: int) -> str:
        return f"{self.here}/questions/{number}"

    @property
    def following(self) -> str:
        """Where one goes after this question."""
        return self.url(self.number + 1) if self.number < self.last else f"{self.here}/hand-in"

    @property
    def unread(self) -> QuestionLink | None:
        """The question that one comes from, where what was written there cannot be read."""
        number = self.request.query_params.get("unread")
        return next((one for one in self.beads if str(one.number) == number and one.is_unreadable), None)

    @property
    def rail(self) -> Markup:
        return self.site.render(
            "assignments/_question_nav.html", beads=self.beads, here=self.number, oob=False
        )

    @property
    def rail_again(self) -> Markup:
        return self.site.render(
            "assignments/_question_nav.html", beads=self.beads, here=self.number, oob=True
        )

    @property
    def saved_note(self) -> Markup:
        kept = self.work.saved.get(self.paper.questions[self.number - 1].ref)
        unread = self.beads[self.number - 1].is_unreadable
        return self.site.render("assignments/_saved.html", kept=kept, unread=unread)

    def render(self, typed: Typed | None = None, refusal: str = "") -> Markup:
        """The question as it stands."""
        question = self.paper.questions[self.number - 1]
        asked, saved = asked_of(self.paper, question), self.work.saved.get(question.ref)
        if asked is None:
            return self.site.render("assignments/_gone.html", kept="、".join(saved.raw) if saved else "")
        extra = Markup() if self.at_once or self.closed else self.draft_box()
        how = QuestionState(
            assignment=self.assignment.id,
            base=self.url(self.number),
            next=self.url(self.number),
            sitting=self.sitting,
            at_once=self.at_once,
            tries=self.assignment.tries,
            hints=self.assignment.hints,
            opened=self.work.hints.get(question.ref, 0),
            rows=self.work.of(question.ref),
            saved=saved,
            typed=typed if typed and typed.item == asked.item.id else None,
            label="存下，下一题" if self.number < self.last else "存下，去交卷",
            refusal=refusal,
            extra=extra,
            closed=bool(self.closed),
        )
        return render_question(self.site, open_view(asked, how))

    def draft_box(self) -> Markup:
        return self.site.render(
            "assignments/_draft.html", url=f"{self.url(self.number)}/drafts", note=self.saved_note
        )

    async def answer(self, form: PostedForm, typed: Typed) -> None:
        arguments = (self.given.assignment.id, form.number("sitting"), self.number, form.number("try"))
        await self.site.db.write(
            submissions.answer,
            caller_of(self.request),
            *arguments,
            typed.raw,
            thinking(form),
            self.courses,
            now(),
        )

    async def save(self, form: PostedForm, typed: Typed) -> None:
        arguments = (self.given.assignment.id, form.number("sitting"), self.number, typed.raw)
        seconds = form.number("spent", 0) + (thinking(form) or 0)
        await self.site.db.write(
            submissions.save, caller_of(self.request), *arguments, seconds or None, now()
        )

    async def hint(self, form: PostedForm) -> None:
        arguments = (self.given.assignment.id, form.number("sitting"), self.number, form.number("hint"))
        await self.site.db.write(submissions.hint, caller_of(self.request), *arguments, now())

    async def fresh(self) -> "QuestionPage":
        """The same after something was written."""
        found = await self.site.db.read(
            submissions.load_attempt, caller_of(self.request), self.given.assignment.id, self.sitting
        )
        assert isinstance(found, AttemptWork)
        return replace(self, work=found)

    def go_on(self, saved: Typed) -> Response:
        """Saved: on to the next question, which says so where this one cannot be read. The last page before
        it is handed in lists them all."""
        where, question = self.following, self.paper.questions[self.number - 1]
        if self.number < self.last and is_unreadable(self.paper, question, saved.raw):
            where += f"?unread={self.number}"
        if wants_fragment(self.request):
            return Response(headers={"HX-Redirect": where})
        return see(self.request, where)

    async def shown(self, typed: Typed | None = None) -> Response:
        """The question as it is now: the fragment with the rail, or the page."""
        if not wants_fragment(self.request):
            here = f"{self.url(self.number)}#question-{self.number}"
            return see(self.request, typed.within(here) if typed else here)
        fresh = await self.fresh()
        return fragment(self.request, fresh.render(typed) + fresh.rail_again)

    async def again(self, typed: Typed, refusal: str = "") -> Response:
        """Not taken: the same form with what was typed, and the sentence that says why."""
        fresh = await self.fresh()
        if fresh.work.submission.handed_in_at:
            raise Refused(refusal)
        if not wants_fragment(self.request):
            return question_page(fresh, typed, refusal, 422)
        return fragment(self.request, fresh.render(typed, refusal), status=422)


async def desk_of(request: Request, assignment_id: int, number: int) -> QuestionPage | None:
    """The desk of who asks; None while nothing is begun. NotFound for a question that is not there."""
    site = site_of(request)
    found = await site.db.read(submissions.load_attempt, caller_of(request), assignment_id)
    if not isinstance(found, AttemptWork):
        return None
    desk = QuestionPage(request, found, await courses(site, assignment_id), number)
    if not 1 <= number <= desk.last:
        raise NotFound(f"这份作业没有第{number}题。")
    return desk


async def open_desk(request: Request, assignment_id: int, number: int) -> QuestionPage | Response:
    """The desk to which something was sent; the page of the assignment where nothing is begun."""
    desk = await desk_of(request, assignment_id, number)
    return desk or await overview(request, assignment_id, "还没有开始：先按“开始做”。", 422)


def raw_of(form: PostedForm) -> tuple[str, ...]:
    """What was typed or chosen."""
    typed = tuple(text[:LONGEST] for text in form.all("answer"))
    return tuple(text if text.strip() else LEFT for text in typed) if "left" in form.fields else typed


def pass_url(attempt: AttemptRow) -> str:
    """Where an attempt at an assignment is shown."""
    return f"/assignments/{attempt.ref.removeprefix('assignment-')}/passes/{attempt.round}"


def page_of(_course: Course, ref: str) -> tuple[str, str] | None:
    number = ref.removeprefix("assignment-")
    return (f"/assignments/{number}", "作业") if number != ref and number.isdecimal() else None


CONTEXT = AnswerContext("assignments", lambda _course, _name, _seed: None, page_of)
