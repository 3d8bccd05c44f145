"""热热身: another day of learning opens with three questions from last time."""

from dataclasses import dataclass
from datetime import date

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.practice.warm_up import pick
from app.records.db.errors import NotFound
from app.records.learning import progress
from app.records.learning.values import Target, WarmUpData
from app.records.practice import warm_ups
from app.web.items.item_views import item_state, render_item
from app.web.learning.section_views import seed_of
from app.web.learning.stage_views import section_url
from app.web.learning.warm_up_views import name
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import caller_of, typed_in
from app.web.site.responses import page
from app.web.site.site import Site, site_of
from app.web.start_page import resume

router = APIRouter()
URL = "/warm-ups"


@router.get(URL)
async def today(request: Request) -> Response:
    """Today's questions."""
    return await warm_up(request, None)


@router.get(URL + "/{day}")
async def of_day(request: Request, day: str) -> Response:
    """The questions of a day, with the answers they got."""
    return await warm_up(request, day_of(day))


async def warm_up(request: Request, day: date | None) -> Response:
    site = site_of(request)
    person, course = caller_of(request), site.course
    so_far, look = await site.db.read(
        warm_ups.beside, person, name(course), now(), day, progress.load_progress
    )
    return page(
        request,
        "learning/warm_up",
        known=look.learner_id is not None,
        page="warm-up",
        title="热热身",
        items=questions(request, site, look),
        resume=resume(course, so_far),
    )


@dataclass(frozen=True)
class WarmUpQuestion:
    """A question as it stands, and the section that it comes from."""

    html: Markup
    section: str
    url: str


def questions(request: Request, site: Site, look: WarmUpData) -> list[WarmUpQuestion]:
    """Every question, one below the other."""
    here = f"{URL}/{look.day}"
    base = f"/attempts/{look.attempt.id}" if look.attempt else here
    seed = look.attempt.seed if look.attempt else first_seed(look)
    typed = typed_in(request)
    found = []
    for item in pick(site.course, look.answers):
        asked = item_state(site.course, item, look.responses, look.hints, seed=seed, typed=typed)
        html = slots.fill(render_item(site, asked), {slots.BASE: base, slots.NEXT: here})
        stage, section = site.course.asked_in[item]
        found.append(WarmUpQuestion(html, section.title, section_url(stage, section)))
    return found


def first_seed(look: WarmUpData) -> int:
    """Of the learner and the day, so that options stand in another order than last time."""
    return seed_of(look.learner_id or 0, look.day.toordinal() if look.day else 1)


def day_of(text: str) -> date:
    """A day as an address has it: 2026-09-02."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = date.min
    if not 2000 <= found.year <= 2200:  # at the ends of the calendar a day has no beginning in UTC
        raise NotFound("地址里的日子不对，应当像2026-09-02。")
    return found


def target_of(course: Course, day: str, seed: int) -> Target:
    """The attempt of a day, to which answers are posted."""
    return Target(source="practice", ref=f"{name(course)}-{day_of(day)}", seed=seed)


def page_of(_course: Course, ref: str) -> tuple[str, str] | None:
    day = ref.removeprefix("warm-up-")
    return (f"{URL}/{day}", "热热身") if day != ref else None


CONTEXT = AnswerContext("warm-ups", target_of, page_of)
