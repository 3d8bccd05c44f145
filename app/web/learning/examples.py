"""Examples: the list, and one example opened term by term."""

import re
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course, Stage, Unreadable
from app.course.content.model import Section
from app.course.learning.reveal_sequence import RevealPosition, judge_guess
from app.course.learning.steps import ExampleStep
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.learning import lesson_pages, reveals, values
from app.records.learning.values import ExamplePageData, Guess, OpenedReveal, Target
from app.web.items.item_views import item_state, render_item
from app.web.learning.example_views import guess_typed, openings, render_example, showing
from app.web.learning.lessons import find, look_at
from app.web.learning.section_views import SectionPosition, item
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import PostedForm, Typed, caller_of, guest_again, read_form, typed_in
from app.web.site.responses import fragment, markup, page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()


async def reveal(request: Request) -> Response:
    """Open what comes next, with a guess or without; `position=all` is 你算一下."""
    sent = await read(request, **request.path_params)
    try:
        guess = judged(sent)
    except Unreadable:
        return unreadable(sent)
    opened = await sent.site.db.write(reveals.open, sent.person, sent.ref, guess, now(), sent.upto)
    return await shown(sent, opened)


HOT = (Route("/examples/{example_id}/reveals", reveal, methods=["POST"]),)
"""Matched first, without FastAPI's parameters."""


@router.post("/examples/{example_id}/rounds")
async def begin_again(request: Request, example_id: str) -> Response:
    """Close everything and open it once more."""
    sent = await read(request, example_id)
    return await shown(sent, await sent.site.db.write(reveals.again, sent.person, sent.ref, now()))


@router.get("/examples/{example_id}")
async def show(request: Request, example_id: str) -> Response:
    """An example as far as it is open, or as far as `?shown=` says."""
    site = site_of(request)
    example = site.course.examples[find_example(site.course, example_id)]
    look = await site.db.read(lesson_pages.load_example, caller_of(request), site.course.ref(example_id))
    total = len(openings(site.course, example_id, "ratio"))
    opened = shown_of(request, look, total)
    turn = own_turn(site, example_id, look, typed_in(request)) if opened == total else ""
    typed = guess_typed(typed_in(request), example_id)
    drawn = render_example(site, showing(example_id, opened, look.guesses, turn=turn, typed=typed))
    return page(
        request,
        "learning/example",
        known=look.learner_id is not None,
        page="example",
        title=example.title,
        example_id=example_id,
        example_html=slots.fill(drawn, {slots.NEXT: f"/examples/{example_id}"}),
        source=example.source,
        note=markup(site.course.html(example.note)) if example.note else None,
    )


@router.get("/examples")
async def index(request: Request) -> Response:
    """All examples of the course, stage by stage, with how far each is open."""
    site = site_of(request)
    course = site.course
    refs = tuple(course.ref(one) for one in course.examples)
    look = await site.db.read(lesson_pages.load_lesson, caller_of(request), "", refs)
    shelves = [
        (stage.title, [card(course, one, look.reveals.get(course.ref(one))) for one in stage.examples])
        for stage in course.stages
        if stage.examples
    ]
    known = look.learner_id is not None
    return page(request, "learning/examples", known=known, page="example", title="例题", shelves=shelves)


@dataclass(frozen=True)
class RevealPost:
    """A post about an example; `at` is the step of a lesson in which it stands, if it does."""

    request: Request
    form: PostedForm
    person: Caller
    example: str
    at: tuple[Stage, Section, ExampleStep] | None

    @property
    def site(self) -> Site:
        return site_of(self.request)

    @property
    def ref(self) -> str:
        return self.site.course.ref(self.example)

    @property
    def until(self) -> str:
        return self.at[2].until if self.at else "ratio"

    @property
    def sequence(self) -> tuple[RevealPosition, ...]:
        return openings(self.site.course, self.example, self.until)

    @property
    def position(self) -> int:
        """What is to be opened; 0, which opens nothing, for what is not in the sequence."""
        position = self.form.number("position", 0)
        return position if position <= len(self.sequence) else 0

    @property
    def upto(self) -> int | None:
        return len(self.sequence) if self.form.one("position") == "all" else None

    @property
    def guess(self) -> str | None:
        """What was guessed; None is 直接看, an empty field is an empty guess."""
        return self.form.one("guess").strip()[:80] if "guess" in self.form.fields else None

    @property
    def next(self) -> str:
        return self.form.next(f"/examples/{self.example}")

    def render(self, shown: int, opened: values.RevealState | None, **rest: Any) -> Markup:
        """The fragment after `shown` openings."""
        step = self.request.query_params.get("step", "") if self.at else ""
        guesses = opened.guesses if opened else ()
        look = showing(self.example, shown, guesses, until=self.until, step=step, **rest)
        return slots.fill(render_example(self.site, look), {slots.NEXT: self.next.partition("#")[0]})


async def read(request: Request, example_id: str) -> RevealPost:
    """What was posted; NotFound for an example that is not there."""
    course, form = site_of(request).course, await read_form(request)
    at = step_at(course, request.query_params.get("step", ""))
    return RevealPost(request, form, caller_of(request, form), find_example(course, example_id), at)


def find_example(course: Course, example_id: str) -> str:
    if example_id not in course.examples:
        raise NotFound("没有这个例题。")
    return example_id


def step_at(course: Course, name: str) -> tuple[Stage, Section, ExampleStep] | None:
    """The step of a lesson that the forms of an example name: `stage.section.step`."""
    parts = name.split(".")
    if len(parts) != 3:
        return None
    stage, section = find(course, parts[0], parts[1])
    step = next((one for one in section.steps if one.id == parts[2]), None)
    return (stage, section, step) if isinstance(step, ExampleStep) else None


def judged(sent: RevealPost) -> Guess:
    """What was guessed, and whether it is right. Raises `Unreadable`."""
    if sent.upto or not 1 <= sent.position <= len(sent.sequence):
        return Guess(sent.position)
    example = sent.site.course.examples[sent.example]
    met = judge_guess(sent.sequence[sent.position - 1], example, sent.guess)
    return Guess(sent.position, sent.guess, met.right, met.misconception)


def shown_of(request: Request, look: ExamplePageData, total: int) -> int:
    """How much the address asks to see, else how much is open."""
    text = request.query_params.get("shown", "")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else look.shown
    return min(asked, total)


async def shown(sent: RevealPost, opened: OpenedReveal) -> Response:
    """The example as it is now: the fragment, or the page that shows it."""
    if not wants_fragment(sent.request):
        return see(sent.request, sent.next, token=opened.token)
    total = len(sent.sequence)
    turn = await turn_of(sent, opened.token) if sent.until == "ratio" and opened.shown >= total else ""
    html = sent.render(min(opened.shown, total), opened, turn=turn)
    return fragment(sent.request, html, token=opened.token)


async def turn_of(sent: RevealPost, token: str) -> str:
    """换你, with the answers it already has: in a lesson those of the lesson."""
    site, person = sent.site, Caller(token)
    if sent.at:
        stage, section, _ = sent.at
        look = await look_at(site, person, stage, section)
        at = SectionPosition(site, stage, section, look, step_shown(sent.next, section))
        return str(slots.fill(item(at, site.course.turn_of(sent.example)), at.own))
    return own_turn(site, sent.example, await site.db.read(lesson_pages.load_example, person, sent.ref), None)


def step_shown(url: str, section: Section) -> int:
    """How many steps the page shows from which this was posted."""
    step = re.search(r"[?&]step=([0-9]{1,3})\b", url)
    return int(step[1]) if step else len(section.steps)


def own_turn(site: Site, example_id: str, look: ExamplePageData, typed: Typed | None) -> str:
    """换你 on the page of the example itself."""
    here, total = f"/examples/{example_id}", len(openings(site.course, example_id, "ratio"))
    seed, turn = look.attempt.seed if look.attempt else 0, site.course.turn_of(example_id)
    asked = item_state(site.course, turn, look.responses, look.hints, seed=seed, typed=typed)
    base = f"/attempts/{look.attempt.id}" if look.attempt else here
    seen_at = here if look.shown >= total else f"{here}?shown={total}"
    return str(slots.fill(render_item(site, asked), {slots.BASE: base, slots.NEXT: seen_at}))


def unreadable(sent: RevealPost) -> Response:
    """A guess that cannot be read opens nothing: the same question with what was typed."""
    typed = sent.form.one("guess")
    if not wants_fragment(sent.request):
        return see(sent.request, Typed(sent.example, (typed,)).within(sent.next))
    html = sent.render(sent.position - 1, None, typed=typed)
    return fragment(sent.request, html, status=422, guest=guest_again(sent.form))


def card(course: Course, example_id: str, opening: values.RevealState | None) -> dict[str, Any]:
    """An example in the list."""
    example, shown = course.examples[example_id], opening.shown if opening else 0
    total = len(openings(course, example_id, "ratio"))
    return {
        "id": example_id,
        "title": example.title,
        "query": example.query,
        "url": f"/examples/{example_id}",
        "grades": [None if one is None else f"{one:g}" for one in example.grades],
        "state": "done" if shown >= total else "begun" if shown else "new",
    }


def target_of(course: Course, name: str, seed: int) -> Target | None:
    """The attempt at 换你, in the present round of the example."""
    return Target(source="practice", ref=course.ref(name), seed=seed) if name in course.examples else None


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    return (f"/examples/{ref}", course.examples[ref].title) if ref in course.examples else None


CONTEXT = AnswerContext("examples", target_of, page_of)
