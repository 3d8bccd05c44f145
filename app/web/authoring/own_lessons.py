"""A teacher's own small lessons, as learners walk through them: assigned to them, or by the link.

The site of such a request has the own content on its shelf; everything else is as in the lessons.
"""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Path, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Stage
from app.course.authoring.own_content import STAGE, id_of
from app.records.accounts.values import Caller
from app.records.authoring import own_courses
from app.records.authoring.values import OwnCourseData
from app.records.cards import own_cards
from app.records.db.errors import NotFound
from app.records.db.row_ids import row_id
from app.records.learning import lesson_pages, lesson_progress
from app.records.learning.values import Target
from app.web.cards.card_drafts import plain, tidy
from app.web.items.item_views import item_state, render_item
from app.web.learning import examples
from app.web.learning.lessons import find, look_at, step_of
from app.web.learning.section_position import SectionPosition, seed_of
from app.web.learning.section_views import anchor, frame, next_step, steps_so_far
from app.web.learning.stage_views import section_url, stage_card
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import caller_of, read_form, typed_in
from app.web.site.responses import fragment, kept_page, page, see, wants_fragment
from app.web.site.site import site_of

router = APIRouter()
NAME = "^[0-9]{1,15}(-[A-Za-z0-9_-]{8,64})?$"
Name = Annotated[str, Path(pattern=NAME)]
"""Own content in an address: its number, and what the token of its link adds."""
AHEAD = Markup('<p class="actions"><a class="button" href="{}">看看《{}》</a></p>')
UNSOUND = "这份内容现在有错，打不开：请写它的老师改好。做过的都还在。"


class OwnAddress(NamedTuple):
    own_id: int
    token: str


def named(name: str) -> OwnAddress:
    """What stands in an address.

    >>> named("42-abcdefgh"), named("42")
    (OwnAddress(own_id=42, token='abcdefgh'), OwnAddress(own_id=42, token=''))
    """
    number, _, token = name.partition("-")
    own_id = row_id(number)
    if own_id is None:
        raise NotFound(own_courses.GONE)
    return OwnAddress(own_id, token)


async def enter(request: Request, name: str) -> OwnCourseData:
    """From here on the site of this request has the own content on its shelf. NotFound to strangers."""
    site, asked = site_of(request), named(name)
    look = await site.db.read(own_courses.opened, caller_of(request), *asked, now())
    course = await site.own_courses.read(asked.own_id, look.row.text, site.course)
    if not isinstance(course, Course):
        raise NotFound(UNSOUND)
    request.scope["site"] = site.beside(course, f"/own/{name}")
    return look


def stage_of(course: Course) -> Stage:
    [stage] = course.stages
    return stage


async def overview(request: Request, name: str) -> Response:
    """What a learner finds at the link: the sections, with how far each has come."""
    look = await enter(request, name)
    site = site_of(request)
    stage = stage_of(site.course)
    known = await site.db.read(lesson_pages.load_lesson, caller_of(request), site.course.ref(STAGE))
    card = stage_card(site.course, stage, known.places, site.own)
    return page(
        request,
        "authoring/lesson",
        known=known.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=card,
        author=look.author,
    )


@router.get("/own/{name}/lessons/{section_id}")
async def section(request: Request, name: Name, section_id: str) -> Response:
    """A section, as far as the address or the kept place says."""
    await enter(request, name)
    site = site_of(request)
    stage, here = find(site.course, STAGE, section_id)
    look = await look_at(site, caller_of(request), stage, here)
    at = SectionPosition(site, stage, here, look, step_of(request, here, look))
    parts = {slots.WARM_UP: slots.NOTHING, slots.STEPS: steps_so_far(at, typed_in(request)), **at.own}
    return kept_page(
        request, "learning/section", at.key, lambda: frame(at), parts, known=look.learner_id is not None
    )


@router.post("/own/{name}/lessons/{section_id}/places")
async def keep_place(request: Request, name: Name, section_id: str) -> Response:
    """下一步: keep the place, show the step that comes."""
    await enter(request, name)
    site = site_of(request)
    stage, here = find(site.course, STAGE, section_id)
    form, total = await read_form(request), len(here.steps)
    step = min(max(1, form.number("step")), total + 1)
    ref = site.course.ref(STAGE)
    kept = await site.db.write(
        lesson_progress.keep, caller_of(request, form), ref, here.id, min(step, total), step > total, now()
    )
    if not wants_fragment(request):
        url = f"{section_url(stage, here, site.own)}?step={step}#{anchor(here, step)}"
        return see(request, url, token=kept.token)
    at = SectionPosition(site, stage, here, await look_at(site, Caller(kept.token), stage, here), step)
    return fragment(request, next_step(at), token=kept.token)


@router.get("/own/{name}/items/{item_id}")
async def show_item(request: Request, name: Name, item_id: str) -> Response:
    """One of the items on a page of its own."""
    await enter(request, name)
    site = site_of(request)
    course, here = site.course, f"{site.own}/items/{item_id}"
    if item_id not in course.items:
        raise NotFound("没有这道题，也许它已经换掉了。")
    look = await site.db.read(lesson_pages.load_lesson, caller_of(request), course.ref(STAGE))
    seed = look.attempt.seed if look.attempt else seed_of(look.learner_id or 0, look.round)
    asked = item_state(course, item_id, look.responses, look.hints, seed=seed, typed=typed_in(request))
    return page(
        request,
        "items/item",
        known=look.learner_id is not None,
        page="item",
        title="单独一题",
        item_html=slots.fill(render_item(site, asked), {slots.BASE: site.own, slots.NEXT: here}),
        pause=None,
        back=None,
        ahead=AHEAD.format(site.own, stage_of(course).title),
    )


@router.post("/own/{name}/examples/{example_id}/reveals")
async def reveal(request: Request, name: Name, example_id: str) -> Response:
    """Open what comes next in an example of an own lesson."""
    await enter(request, name)
    request.scope["path_params"] = {"example_id": example_id}
    return await examples.reveal(request)


@router.post("/own/{name}/examples/{example_id}/rounds")
async def close(request: Request, name: Name, example_id: str) -> Response:
    """Close everything and open it once more."""
    await enter(request, name)
    return await examples.begin_again(request, example_id)


@router.post("/own/{name}/cards")
async def collect(request: Request, name: Name) -> Response:
    """Cards of an own lesson, as cards of the learner's own: what their author does later is no matter."""
    look = await enter(request, name)
    site, form = site_of(request), await read_form(request)
    course, tags, source = site.course, tidy(look.row.title), f"/own/{look.row.id}"
    known = [course.cards[one] for one in form.all("card") if one in course.cards]
    cards = [(plain(course, one.front), plain(course, one.back), tags, source) for one in known]
    done = await site.db.write(own_cards.write, caller_of(request, form), cards, now())
    return see(request, f"/cards/all?stage=own&kept={done.added}", token=done.token)


def target_of(course: Course, _name: str, seed: int) -> Target:
    """One attempt for everything in an own content, in its present round."""
    return Target(source="lesson", ref=course.ref(STAGE), seed=seed)


def page_of(_course: Course, ref: str) -> tuple[str, str] | None:
    """Where an attempt at own content was made, for who was assigned it."""
    own_id = id_of(ref)
    return (f"/own/{own_id}", "老师写的小课") if own_id is not None else None


CONTEXT = AnswerContext("own", target_of, page_of)
