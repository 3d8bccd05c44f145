"""A teacher's own small lessons, as learners walk through them: assigned to them, or by the link.

They are shown by the views of the lessons, on a site whose course is what the teacher wrote.
"""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Path, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.authoring.opened_content import limited
from app.course.authoring.own_content import STAGE
from app.course.content.refs import own_id_of
from app.records.accounts.values import Caller
from app.records.authoring import own_access, own_courses
from app.records.cards import own_cards
from app.records.db.errors import NotFound
from app.records.db.row_ids import row_id
from app.records.learning import lesson_pages, lesson_progress
from app.records.learning.values import Target
from app.web.cards.card_drafts import plain, tidy
from app.web.items.item_views import item_state, render_item
from app.web.learning import examples
from app.web.learning.lessons import anchor, frame, next_step, step_of, steps_so_far
from app.web.learning.section_position import SectionPosition, find, look_at, seed_of
from app.web.learning.stage_views import section_url, stage_card
from app.web.site import clock, slots
from app.web.site.contexts import AnswerContext
from app.web.site.requests import CallerDep, FormDep, Now, caller_of, typed_in
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


class OwnSite(NamedTuple):
    """Own content that somebody may learn from, and the site that has it as its course."""

    row: own_courses.OwnCourseRow
    site: Site


async def open_site(request: Request, name: str) -> OwnSite:
    """What of the own content of an address is open to whoever asks. NotFound to strangers, and where it
    cannot be read."""
    site, address = site_of(request), address_of(name)
    row, opening = await site.db.read(
        own_access.opened, caller_of(request), address.own_id, address.token, clock.now()
    )
    course = await site.own_courses.read(address.own_id, row.text, site.course)
    if not isinstance(course, Course):
        raise NotFound(UNSOUND)
    return OwnSite(row, site.beside(limited(course, opening), f"/own/{name}"))


async def own_site(request: Request, name: Name) -> OwnSite:
    return await open_site(request, name)


OwnDep = Annotated[OwnSite, Depends(own_site)]


async def overview(request: Request, name: str) -> Response:
    """What a learner finds at the link: the sections, with how far each has come."""
    row, site = await open_site(request, name)
    [stage] = site.course.stages
    if not stage.sections:
        raise NotFound(own_access.NO_SUCH_LESSON)
    lesson = await site.db.read(lesson_pages.load_lesson, caller_of(request), site.course.ref(STAGE))
    return page(
        request,
        "authoring/lesson",
        signed_in=lesson.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=stage_card(site.course, stage, lesson.places, site.own),
        author=row.author,
    )


@router.get("/own/{name}/lessons/{section_id}")
async def section(request: Request, own: OwnDep, caller: CallerDep, section_id: str) -> Response:
    """A section, as far as the address or the saved place says."""
    site = own.site
    stage, section = find(site.course, STAGE, section_id)
    lesson = await look_at(site, caller, stage, section)
    position = SectionPosition(site, stage, section, lesson, step_of(request, section, lesson))
    parts = {slots.WARM_UP: [], slots.STEPS: steps_so_far(position, typed_in(request))}
    return kept_page(
        request,
        "learning/section",
        position.key,
        lambda: frame(position),
        parts,
        position.own,
        signed_in=lesson.learner_id is not None,
    )


@router.post("/own/{name}/lessons/{section_id}/places")
async def keep_place(
    request: Request, own: OwnDep, caller: CallerDep, form: FormDep, now: Now, section_id: str
) -> Response:
    """下一步: save the place, show the step that comes."""
    site = own.site
    stage, section = find(site.course, STAGE, section_id)
    total = len(section.steps)
    step = min(max(1, form.number("step")), total + 1)
    ref = site.course.ref(STAGE)
    place = await site.db.write(lesson_progress.advance, caller, ref, section, step, now)
    if not wants_fragment(request):
        url = f"{section_url(stage, section, site.own)}?step={step}#{anchor(section, step)}"
        return see(request, url, token=place.token)
    lesson = await look_at(site, Caller(place.token), stage, section)
    position = SectionPosition(site, stage, section, lesson, step)
    return fragment(request, next_step(position), token=place.token)


@router.get("/own/{name}/items/{item_id}")
async def show_item(request: Request, own: OwnDep, caller: CallerDep, item_id: str) -> Response:
    """One of the items on a page of its own."""
    site = own.site
    course = site.course
    if item_id not in course.items:
        raise NotFound("没有这道题，也许它已经换掉了。")
    lesson = await site.db.read(lesson_pages.load_lesson, caller, course.ref(STAGE))
    seed = seed_of(lesson.learner_id or 0, lesson.round)
    if lesson.attempt:
        seed = lesson.attempt.seed
    state = item_state(course, item_id, lesson.responses, lesson.hints, seed=seed, typed=typed_in(request))
    urls = {slots.BASE: site.own, slots.NEXT: f"{site.own}/items/{item_id}"}
    ahead = None
    if course.stages[0].sections:
        ahead = AHEAD.format(site.own, course.title)
    return page(
        request,
        "items/item",
        signed_in=lesson.learner_id is not None,
        page="item",
        title="单独一题",
        item_html=slots.fill(render_item(site, state), urls),
        pause=None,
        back=None,
        ahead=ahead,
    )


@router.post("/own/{name}/examples/{example_id}/reveals")
async def reveal(request: Request, own: OwnDep, example_id: str) -> Response:
    """Open what comes next in an example of an own lesson."""
    return await examples.open_next(await examples.read(request, own.site, example_id))


@router.post("/own/{name}/examples/{example_id}/rounds")
async def close(request: Request, own: OwnDep, example_id: str) -> Response:
    """Close everything and open it once more."""
    return await examples.begin_again(request, own.site, example_id)


@router.post("/own/{name}/cards")
async def collect(request: Request, own: OwnDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Cards of an own lesson, as cards of the learner's own: what their author does later is no matter."""
    row, site = own
    tags, source = tidy(row.title), f"/own/{row.id}"
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
    own_id = own_id_of(ref)
    if own_id is None:
        return None
    return f"/own/{own_id}", "老师写的小课"


CONTEXT = AnswerContext("own", target_of, page_of)
