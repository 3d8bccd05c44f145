"""Answers, hints and solutions: to an item in any of its homes, or of an attempt that is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course, Unreadable
from app.course.items.kinds.steps import LEFT
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.db.row_ids import row_id
from app.records.learning import attempts
from app.records.learning.values import Answer, AttemptData, ItemLog, Target
from app.records.practice import overview
from app.web import item_pages
from app.web.assignments import student_pages
from app.web.authoring import own_lessons
from app.web.items.item_views import ItemState, family, item_state, render_item
from app.web.learning import examples, lessons, warm_ups
from app.web.practice import placement, practice
from app.web.practice.progress_views import ahead, shows_ahead
from app.web.reference import errata
from app.web.reference.errata_views import truth
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import PostedForm, Typed, caller_of, guest_again, read_form, thinking
from app.web.site.responses import fragment, page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()
LONGEST = 4000
"""Characters of an answer that are kept."""

CONTEXTS: Mapping[str, AnswerContext] = {
    home.where: home
    for home in (
        lessons.CONTEXT,
        examples.CONTEXT,
        errata.CONTEXT,
        practice.CONTEXT,
        placement.CONTEXT,
        warm_ups.CONTEXT,
        item_pages.CONTEXT,
        student_pages.CONTEXT,
        own_lessons.CONTEXT,
    )
}
"""Where items are asked, by the first part of the address of their forms."""


async def respond(request: Request) -> Response:
    """Mark an answer. What cannot be read costs nothing and stays where it was typed."""
    sent = await read(request, **request.path_params)
    answer = Answer(sent.ref, sent.tries, sent.raw, thinking(sent.form))
    try:
        log = await sent.site.db.write(
            attempts.respond, sent.person, sent.target, answer, sent.course, now(), sent.family
        )
    except Unreadable:
        return await unreadable(sent)
    return await shown(sent, log)


HOT = (Route("/{where}/{name}/responses", respond, methods=["POST"]),)
"""Matched first, without FastAPI's parameters."""


@router.post("/{where}/{name}/hints")
async def hint(request: Request, where: str, name: str) -> Response:
    """One more hint; what was typed stays."""
    sent = await read(request, where, name)
    number = sent.form.number("hint")
    log = await sent.site.db.write(
        attempts.hint, sent.person, sent.target, sent.ref, number, now(), sent.family
    )
    return await shown(sent, log, typed=sent.raw)


@router.post("/{where}/{name}/solutions")
async def solve(request: Request, where: str, name: str) -> Response:
    """你算一下, 看答案: the tutor does it, then it is the learner's turn."""
    sent = await read(request, where, name)
    log = await sent.site.db.write(
        attempts.show, sent.person, sent.target, sent.ref, sent.tries, sent.course, now(), sent.family
    )
    return await shown(sent, log)


@router.post("/{where}/{name}/orderings")
async def move_candy(request: Request, where: str, name: str) -> Response:
    """↑ and ↓ without a script: the new order goes into the address; nothing is recorded."""
    sent = await read(request, where, name)
    typed = Typed(sent.item, sent.raw, refused=False).moved(sent.form.one("move"))
    return see(request, typed.within(sent.form.next("/")))


@router.get("/attempts/{attempt_id}")
async def show(request: Request, attempt_id: Annotated[int, Path(lt=2**63)]) -> Response:
    """One's own answers; those to an assignment have a page of their own."""
    site = site_of(request)
    look = await site.db.read(attempts.own, caller_of(request), attempt_id, now())
    if look.attempt.source == "assignment":  # its questions have numbers and seeds of their own
        return see(request, student_pages.pass_url(look.attempt))
    return page(request, "items/attempt", known=True, **past(site, look))


@dataclass(frozen=True)
class ItemPost:
    """A post about an item: who sent what, to which attempt."""

    request: Request
    form: PostedForm
    person: Caller
    target: Target
    item: str

    @property
    def site(self) -> Site:
        return site_of(self.request)

    @property
    def course(self) -> Course:
        return self.site.course

    @property
    def ref(self) -> str:
        """The item, as the records name it."""
        return self.course.ref(self.item)

    @property
    def first(self) -> str:
        """The item whose twin this is, or the item itself: the fragment is that of the first."""
        return self.course.twin_of.get(self.item, self.item)

    @property
    def family(self) -> tuple[str, ...]:
        return tuple(self.course.ref(one) for one in family(self.course, self.first))

    @property
    def raw(self) -> tuple[str, ...]:
        """What was typed or chosen; with 空着的你来算, empty cells of a table are left to the tutor."""
        typed = tuple(text[:LONGEST] for text in self.form.all("answer"))
        if "left" in self.form.fields:
            return tuple(text if text.strip() else LEFT for text in typed)
        return typed

    @property
    def tries(self) -> int:
        return self.form.number("try")


async def read(request: Request, where: str, name: str) -> ItemPost:
    """What was posted; NotFound for an item or a place that is not there."""
    form = await read_form(request)
    if where == own_lessons.CONTEXT.where:
        await own_lessons.enter(request, name)
    course, item = site_of(request).course, form.one("item")
    target = target_of(course, where, name, form.number("seed", 0))
    return ItemPost(request, form, caller_of(request, form), target, find_item(course, item))


def target_of(course: Course, where: str, name: str, seed: int) -> Target:
    """Which attempt is meant; the seed is that of the page on which the first answer was given."""
    if where == "attempts" and (number := row_id(name)) is not None:
        return Target(number)
    found = CONTEXTS[where].target(course, name, seed) if where in CONTEXTS else None
    if found is None:
        raise NotFound("没有这道题，或者没有这一次作答。")
    return found


def find_item(course: Course, item_id: str) -> str:
    if item_id not in course.items:
        raise NotFound("没有这道题，也许它已经换掉了。")
    return item_id


async def shown(sent: ItemPost, log: ItemLog, typed: tuple[str, ...] = ()) -> Response:
    """The item as it is now: the fragment, or the page that shows it."""
    kept = Typed(sent.item, typed, refused=False) if any(typed) else None
    if not wants_fragment(sent.request):
        here = sent.form.next("/")
        return see(sent.request, kept.within(here) if kept else here, token=log.token)
    html = render(sent, log, kept) + await below(sent, log)
    return fragment(sent.request, html, token=log.token)


async def below(sent: ItemPost, log: ItemLog) -> Markup:
    """In practice, what stands below the item changes with each answer."""
    if not shows_ahead(sent.form.next("/")):
        return slots.NOTHING
    look = await sent.site.db.read(overview.load_practice, Caller.known(log.token), sent.course, now())
    return ahead(sent.site, look, asked_of(sent, log), oob=True)


async def unreadable(sent: ItemPost) -> Response:
    """Not wrong: the same form again, with what was typed and a sentence on how to write it."""
    typed = Typed(sent.item, sent.raw)
    if not wants_fragment(sent.request):
        return see(sent.request, typed.within(sent.form.next("/")))
    log = await sent.site.db.read(attempts.load_item_log, sent.person, sent.target, sent.ref, sent.family)
    return fragment(sent.request, render(sent, log, typed), status=422, guest=guest_again(sent.form))


def asked_of(sent: ItemPost, log: ItemLog, typed: Typed | None = None) -> ItemState:
    """What is known of the item that was answered, and of its twin."""
    course, probe = sent.course, sent.first in sent.course.probes
    return item_state(
        course, sent.first, log.responses, log.hints, log.ref, seed=log.seed, probe=probe, typed=typed
    )


def render(sent: ItemPost, log: ItemLog, typed: Typed | None) -> Markup:
    """The item with its twin; while there is no attempt, answers go where this one came."""
    asked = asked_of(sent, log, typed)
    at_first = sent.request.url.path.rpartition("/")[0]
    base = f"/attempts/{log.attempt_id}" if log.attempt_id and not sent.site.own else at_first
    here = sent.form.next("/").partition("#")[0]
    told = truth(sent.site, asked, oob=True) if here.startswith("/errata/") else ""
    return slots.fill(render_item(sent.site, asked), {slots.BASE: base, slots.NEXT: here}) + told


def past(site: Site, look: AttemptData) -> dict[str, Any]:
    """The context of `items/attempt.html`: every item that was answered, as it stands now."""
    course, attempt = site.course, look.attempt
    back, title = where_from(course, course.bare(attempt.ref))
    return {
        "page": "progress",
        "title": f"我的回答：{title}",
        "back_url": back,
        "back_title": title,
        "when": f"第{attempt.round}遍",
        "items": answered(site, look),
    }


def where_from(course: Course, ref: str) -> tuple[str, str]:
    """Address and title of the page on which an attempt was made."""
    found = filter(None, (home.page(course, ref) for home in CONTEXTS.values()))
    return next(found, ("/course", "课程"))


def answered(site: Site, look: AttemptData) -> list[Markup]:
    """The items that were answered, in order, each as it stands now."""
    course, here = site.course, f"/attempts/{look.attempt.id}"
    answered = dict.fromkeys(course.bare(row.item) for row in look.responses)
    firsts = dict.fromkeys(course.twin_of.get(one, one) for one in answered if one in course.items)
    asked = [
        item_state(
            course,
            one,
            look.responses,
            look.hints,
            look.attempt.ref,
            seed=look.attempt.seed,
            probe=one in course.probes,
        )
        for one in firsts
    ]
    return [slots.fill(render_item(site, one), {slots.BASE: here, slots.NEXT: here}) for one in asked]
