"""Examples: the list, and one example opened term by term."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course, Stage, Unreadable
from app.course.content.model import Section
from app.course.learning.reveal_sequence import GuessResult, RevealPosition, judge_guess
from app.course.learning.steps import ExampleStep
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.learning import lesson_pages, reveals
from app.records.learning.values import ExamplePageData, Guess, LessonPageData, OpenedReveal, Target
from app.web.items.item_views import item_state, render_item
from app.web.learning.example_views import (
    ExampleState,
    asks_turn,
    example_frame,
    openings,
    render_example,
    state_after,
)
from app.web.learning.section_position import SectionPosition, find, look_at, number_in
from app.web.learning.stage_views import Progress
from app.web.learning.step_views import render_lesson_item
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import (
    CallerDep,
    PostedForm,
    SiteDep,
    Typed,
    caller_of,
    guest_again,
    read_form,
    typed_in,
)
from app.web.site.responses import fragment, markup, packed_fragment, page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()


async def reveal(request: Request) -> Response:
    """Open what comes next in an example of the course."""
    return await open_next(await read(request, site_of(request), **request.path_params))


async def open_next(post: "RevealPost") -> Response:
    """Open what comes next, with a guess or without; `position=all` is 你算一下."""
    guess = Guess(post.position)
    feedback = None
    if post.opening is not None:
        try:
            feedback = judge_guess(post.opening, post.course.examples[post.example], post.guess)
        except Unreadable as error:
            return unreadable(post, str(error))
        guess = Guess(post.position, post.guess, feedback.right, feedback.misconception)
    opened = await post.site.db.write(reveals.open, post.caller, post.ref, guess, now(), post.upto)
    if opened.guesses[-1:] != (guess,):  # something else was open already: the feedback is to another guess
        feedback = None
    return await show_opened(post, opened, feedback)


HOT = (Route("/examples/{example_id}/reveals", reveal, methods=["POST"]),)
"""Matched first, without FastAPI's parameters."""


@router.post("/examples/{example_id}/rounds")
async def begin_again(request: Request, site: SiteDep, example_id: str) -> Response:
    """Close everything and open it once more."""
    post = await read(request, site, example_id)
    closed = await post.site.db.write(reveals.again, post.caller, post.ref, now())
    return await show_opened(post, closed)


@router.get("/examples/{example_id}")
async def show(request: Request, site: SiteDep, caller: CallerDep, example_id: str) -> Response:
    """An example as far as it is open, or as far as `?shown=` says."""
    course = site.course
    example = course.examples[find_example(course, example_id)]
    answered = await site.db.read(lesson_pages.load_example, caller, course.ref(example_id))
    typed = typed_in(request)
    reveal = answered.reveal
    count = number_in(request.query_params.get("shown", ""))
    if count is None:
        count = reveal.shown
    state = state_after(course, example_id, count, reveal.guesses, typed=typed)
    if asks_turn(course, state):
        state = replace(state, turn=own_turn(site, example_id, answered, typed))
    return page(
        request,
        "learning/example",
        signed_in=answered.learner_id is not None,
        page="example",
        title=example.title,
        example_id=example_id,
        example_html=slots.fill(render_example(site, state), {slots.NEXT: f"/examples/{example_id}"}),
        source=example.source,
        note=markup(course.html(example.note or "")),
    )


@router.get("/examples")
async def index(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """All examples of the course, stage by stage, with how far each is open."""
    course = site.course
    refs = tuple(map(course.ref, course.examples))
    lesson = await site.db.read(lesson_pages.load_lesson, caller, "", refs)
    states = {}
    for example_id in course.examples:
        states[example_id] = progress_of(course, example_id, lesson)
    return page(
        request,
        "learning/examples",
        signed_in=lesson.learner_id is not None,
        page="example",
        title="例题",
        course=course,
        states=states,
    )


class ExamplePlace(NamedTuple):
    """The step of a lesson in which an example stands."""

    stage: Stage
    section: Section
    step: ExampleStep


@dataclass(frozen=True)
class RevealPost:
    """A post about an example; `place`: where it stands, if that is in a lesson.

    `until`, `step`: how far it is opened there, and the step as the address of the form names it.
    """

    request: Request
    site: Site
    form: PostedForm
    caller: Caller
    example: str
    place: ExamplePlace | None = None
    until: str = "ratio"
    step: str = ""

    @property
    def course(self) -> Course:
        return self.site.course

    @property
    def ref(self) -> str:
        """The example, as the records name it."""
        return self.course.ref(self.example)

    @cached_property
    def sequence(self) -> tuple[RevealPosition, ...]:
        return openings(self.course, self.example, self.until)

    @property
    def position(self) -> int:
        """What is to be opened; 0, which opens nothing, for what is not in the sequence."""
        position = self.form.number("position", 0)
        if position > len(self.sequence):
            return 0
        return position

    @property
    def upto(self) -> int | None:
        """The last position of the sequence, for 你算一下."""
        if self.form.text("position") != "all":
            return None
        return len(self.sequence)

    @property
    def opening(self) -> RevealPosition | None:
        """The one position that is to be opened."""
        if self.upto or not self.position:
            return None
        return self.sequence[self.position - 1]

    @property
    def guess(self) -> str | None:
        """What was guessed; None is 直接看, an empty field is an empty guess."""
        if "guess" not in self.form.fields:
            return None
        return self.form.text("guess").strip()[:80]

    @property
    def next(self) -> str:
        return self.form.next(f"/examples/{self.example}")

    @property
    def urls(self) -> Mapping[Markup, str]:
        """The slot for the page that it was posted from."""
        return {slots.NEXT: self.next.partition("#")[0]}

    def render(self, state: ExampleState) -> Markup:
        """The fragment of the example, below the page that it was posted from."""
        return slots.fill(render_example(self.site, state), self.urls)


async def read(request: Request, site: Site, example_id: str) -> RevealPost:
    """What was posted; NotFound for an example that is not there."""
    course = site.course
    form = await read_form(request)
    caller = caller_of(request, form)
    step = request.query_params.get("step", "")
    place = place_of(course, step)
    example = find_example(course, example_id)
    if place is None or place.step.example != example:
        return RevealPost(request, site, form, caller, example)
    return RevealPost(request, site, form, caller, example, place, place.step.until, step)


def find_example(course: Course, example_id: str) -> str:
    """The id of an example; NotFound for one that is not there."""
    if example_id not in course.examples:
        raise NotFound("没有这个例题。")
    return example_id


def place_of(course: Course, name: str) -> ExamplePlace | None:
    """The step of a lesson that the forms of an example name: `stage.section.step`."""
    names = name.split(".")
    if len(names) != 3:
        return None
    stage, section = find(course, names[0], names[1])
    number = section.number_of(names[2])
    if number is None:
        return None
    step = section.steps[number - 1]
    if not isinstance(step, ExampleStep):
        return None
    return ExamplePlace(stage, section, step)


async def show_opened(
    post: RevealPost, opened: OpenedReveal, feedback: GuessResult | None = None
) -> Response:
    """The example as it is now: the fragment, or the page that shows it. `feedback`: to the last guess."""
    if not wants_fragment(post.request):
        return see(post.request, post.next, token=opened.token)
    state = state_after(post.course, post.example, opened.shown, opened.guesses, post.until, post.step)
    state = replace(state, feedback=feedback)
    if asks_turn(post.course, state):
        state = replace(state, turn=await turn_of(post, opened.token))
    if state.turn:  # its answers are the learner's own
        return fragment(post.request, post.render(state), token=opened.token)
    frame = example_frame(post.site, state)
    return packed_fragment(post.request, frame, post.urls, token=opened.token)


async def turn_of(post: RevealPost, token: str) -> str:
    """换你, with the answers it already has: in a lesson those of the lesson."""
    site = post.site
    caller = Caller(token)
    if post.place is None:
        answered = await site.db.read(lesson_pages.load_example, caller, post.ref)
        return own_turn(site, post.example, answered)
    stage, section, _ = post.place
    lesson = await look_at(site, caller, stage, section)
    at = SectionPosition(site, stage, section, lesson, step_shown(post.next, section))
    return str(slots.fill(render_lesson_item(at, post.course.turn_of(post.example)), at.own))


def step_shown(url: str, section: Section) -> int:
    """How many steps the page shows from which this was posted."""
    step = re.search(r"[?&]step=([0-9]{1,3})\b", url)
    if step is None:
        return len(section.steps)
    return int(step[1])


def own_turn(site: Site, example_id: str, answered: ExamplePageData, typed: Typed | None = None) -> str:
    """换你 on the page of the example itself."""
    course = site.course
    base = url = f"{site.own}/examples/{example_id}"
    total = len(openings(course, example_id))
    if answered.reveal.shown < total:
        url = f"{url}?shown={total}"
    seed = 0
    if answered.attempt:
        base = f"/attempts/{answered.attempt.id}"
        seed = answered.attempt.seed
    item = course.turn_of(example_id)
    state = item_state(course, item, answered.responses, answered.hints, seed=seed, typed=typed)
    return str(slots.fill(render_item(site, state), {slots.BASE: base, slots.NEXT: url}))


def unreadable(post: RevealPost, error: str) -> Response:
    """A guess that cannot be read opens nothing: the same question with what was typed, and why."""
    typed = post.form.text("guess")
    if not wants_fragment(post.request):
        return see(post.request, Typed(post.example, (typed,)).within(post.next))
    state = ExampleState(post.example, post.position - 1, post.until, post.step, typed=typed, error=error)
    return fragment(post.request, post.render(state), status=422, guest=guest_again(post.form))


def progress_of(course: Course, example_id: str, lesson: LessonPageData) -> Progress:
    """How far an example is open."""
    reveal = lesson.reveals.get(course.ref(example_id))
    if reveal is None or reveal.shown == 0:
        return "new"
    if reveal.shown < len(openings(course, example_id)):
        return "begun"
    return "done"


def target_of(course: Course, name: str, seed: int) -> Target | None:
    """The attempt at 换你, in the present round of the example."""
    if name not in course.examples:
        return None
    return Target(source="practice", ref=course.ref(name), seed=seed)


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    """Address and title of the example that an attempt was made at."""
    if ref not in course.examples:
        return None
    return f"/examples/{ref}", course.examples[ref].title


CONTEXT = AnswerContext("examples", target_of, page_of)
