"""A teacher's own small lessons, as learners walk through them: assigned to them, or by the link.

The site of such a request has the own content on its shelf; everything else is as in the lessons.
"""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Path, Request
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
from app.web.site import clock, slots
from app.web.site.contexts import AnswerContext
from app.web.site.dependencies import CallerDep, FormDep, Now
from app.web.site.requests import caller_of, typed_in
from app.web.site.responses import fragment, kept_page, page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()
NAME = "^[0-9]{1,15}(-[A-Za-z0-9_-]{8,64})?$"
Name = Annotated[str, Path(pattern=NAME)]
"""Own content in an address: its number, and what the token of its link adds."""
AHEAD = Markup('<p class="actions"><a class="button" href="{}">看看《{}》</a></p>')
UNSOUND = "这份内容现在有错，打不开：请写它的老师改好。做过的都还在。"


class OwnAddress(NamedTuple):
    """Own content in an address, `name` as it stands there."""

    name: str
    own_id: int
    token: str


def address_of(name: str) -> OwnAddress:
    """What stands in an address.

    >>> address_of("42-abcdefgh"), address_of("42").token
    (OwnAddress(name='42-abcdefgh', own_id=42, token='abcdefgh'), '')
    """
    number, _, token = name.partition("-")
    own_id = row_id(number)
    if own_id is None:
        raise NotFound(own_courses.NO_SUCH_CONTENT)
    return OwnAddress(name, own_id, token)


async def own_address(name: Name) -> OwnAddress:
    return address_of(name)


AddressDep = Annotated[OwnAddress, Depends(own_address)]


async def enter(request: Request, name: str) -> OwnCourseData:
    """From here on the site of this request has the own content on its shelf. NotFound to strangers."""
    site, address = site_of(request), address_of(name)
    own = await site.db.read(
        own_courses.opened, caller_of(request), address.own_id, address.token, clock.now()
    )
    course = await site.own_courses.read(address.own_id, own.row.text, site.course)
    if not isinstance(course, Course):
        raise NotFound(UNSOUND)
    request.scope["site"] = site.beside(course, f"/own/{name}")
    return own


async def entered(request: Request, name: Name) -> OwnCourseData:
    return await enter(request, name)


async def own_site(request: Request, _own: Annotated[OwnCourseData, Depends(entered)]) -> Site:
    """The site with the own content of the address."""
    return site_of(request)


OwnDep = Annotated[OwnCourseData, Depends(entered)]
OwnSiteDep = Annotated[Site, Depends(own_site)]


def stage_of(course: Course) -> Stage:
    [stage] = course.stages
    return stage


async def overview(request: Request, name: str) -> Response:
    """What a learner finds at the link: the sections, with how far each has come."""
    own = await enter(request, name)
    site = site_of(request)
    stage = stage_of(site.course)
    lesson = await site.db.read(lesson_pages.load_lesson, caller_of(request), site.course.ref(STAGE))
    return page(
        request,
        "authoring/lesson",
        known=lesson.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=stage_card(site.course, stage, lesson.places, site.own),
        author=own.author,
    )


@router.get("/own/{name}/lessons/{section_id}")
async def section(request: Request, site: OwnSiteDep, caller: CallerDep, section_id: str) -> Response:
    """A section, as far as the address or the saved place says."""
    stage, section = find(site.course, STAGE, section_id)
    lesson = await look_at(site, caller, stage, section)
    position = SectionPosition(site, stage, section, lesson, step_of(request, section, lesson))
    parts = {
        slots.WARM_UP: slots.NOTHING,
        slots.STEPS: steps_so_far(position, typed_in(request)),
        **position.own,
    }
    return kept_page(
        request,
        "learning/section",
        position.key,
        lambda: frame(position),
        parts,
        known=lesson.learner_id is not None,
    )


@router.post("/own/{name}/lessons/{section_id}/places")
async def keep_place(
    request: Request, site: OwnSiteDep, caller: CallerDep, form: FormDep, now: Now, section_id: str
) -> Response:
    """下一步: save the place, show the step that comes."""
    stage, section = find(site.course, STAGE, section_id)
    total = len(section.steps)
    step = min(max(1, form.number("step")), total + 1)
    ref = site.course.ref(STAGE)
    place = await site.db.write(
        lesson_progress.keep, caller, ref, section.id, min(step, total), step > total, now
    )
    if not wants_fragment(request):
        url = f"{section_url(stage, section, site.own)}?step={step}#{anchor(section, step)}"
        return see(request, url, token=place.token)
    lesson = await look_at(site, Caller(place.token), stage, section)
    position = SectionPosition(site, stage, section, lesson, step)
    return fragment(request, next_step(position), token=place.token)


@router.get("/own/{name}/items/{item_id}")
async def show_item(request: Request, site: OwnSiteDep, caller: CallerDep, item_id: str) -> Response:
    """One of the items on a page of its own."""
    course = site.course
    if item_id not in course.items:
        raise NotFound("没有这道题，也许它已经换掉了。")
    lesson = await site.db.read(lesson_pages.load_lesson, caller, course.ref(STAGE))
    seed = lesson.attempt.seed if lesson.attempt else seed_of(lesson.learner_id or 0, lesson.round)
    state = item_state(course, item_id, lesson.responses, lesson.hints, seed=seed, typed=typed_in(request))
    urls = {slots.BASE: site.own, slots.NEXT: f"{site.own}/items/{item_id}"}
    return page(
        request,
        "items/item",
        known=lesson.learner_id is not None,
        page="item",
        title="单独一题",
        item_html=slots.fill(render_item(site, state), urls),
        pause=None,
        back=None,
        ahead=AHEAD.format(site.own, stage_of(course).title),
    )


@router.post("/own/{name}/examples/{example_id}/reveals", dependencies=[Depends(entered)])
async def reveal(request: Request, example_id: str) -> Response:
    """Open what comes next in an example of an own lesson."""
    request.scope["path_params"] = {"example_id": example_id}
    return await examples.reveal(request)


@router.post("/own/{name}/examples/{example_id}/rounds", dependencies=[Depends(entered)])
async def close(request: Request, example_id: str) -> Response:
    """Close everything and open it once more."""
    return await examples.begin_again(request, example_id)


@router.post("/own/{name}/cards")
async def collect(
    request: Request, site: OwnSiteDep, own: OwnDep, caller: CallerDep, form: FormDep, now: Now
) -> Response:
    """Cards of an own lesson, as cards of the learner's own: what their author does later is no matter."""
    tags, source = tidy(own.row.title), f"/own/{own.row.id}"
    cards = []
    for card_id in form.all("card"):
        if card := site.course.cards.get(card_id):
            front, back = plain(site.course, card.front), plain(site.course, card.back)
            cards.append((front, back, tags, source))
    result = await site.db.write(own_cards.write, caller, cards, now)
    return see(request, f"/cards/all?stage=own&kept={result.added}", token=result.token)


def target_of(course: Course, _name: str, seed: int) -> Target:
    """One attempt for everything in an own content, in its present round."""
    return Target(source="lesson", ref=course.ref(STAGE), seed=seed)


def page_of(_course: Course, ref: str) -> tuple[str, str] | None:
    """Where an attempt at own content was made, for learners to whom it was assigned."""
    own_id = id_of(ref)
    if own_id is None:
        return None
    return f"/own/{own_id}", "老师写的小课"


CONTEXT = AnswerContext("own", target_of, page_of)
