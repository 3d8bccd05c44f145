"""勘误馆: the list of cases, and one case, whose truth is told once its question is closed."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.course.reference.errata import item_id
from app.records.db.errors import NotFound
from app.records.learning import attempts, lesson_pages
from app.records.learning.values import Target
from app.web.items.item_views import item_state, render_item
from app.web.reference.errata_views import card, halls, truth
from app.web.site import slots
from app.web.site.contexts import AnswerContext
from app.web.site.requests import caller_of, typed_in
from app.web.site.responses import markup, page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/errata")
async def index(request: Request) -> Response:
    """All cases, hall by hall, with how far each has come."""
    site = site_of(request)
    look = await site.db.read(attempts.practised, caller_of(request))
    cards = [card(site.course, case_id, look.verdicts) for case_id in site.course.errata]
    return page(
        request,
        "reference/errata",
        known=look.learner_id is not None,
        page="errata",
        title="勘误馆",
        halls=halls(cards),
        solved=sum(one.state == "done" for one in cards),
        total=len(cards),
    )


@router.get("/errata/{case_id}")
async def show(request: Request, case_id: str) -> Response:
    """A case: what was published, the question, and below it the truth once it is closed."""
    site, name = site_of(request), item_id(find_case(site_of(request).course, case_id))
    course, case = site.course, site.course.errata[case_id]
    look = await site.db.read(lesson_pages.load_example, caller_of(request), course.ref(name))
    here, seed = f"/errata/{case_id}", look.attempt.seed if look.attempt else 0
    base = f"/attempts/{look.attempt.id}" if look.attempt else here
    asked = item_state(course, name, look.responses, look.hints, seed=seed, typed=typed_in(request))
    return page(
        request,
        "reference/errata_case",
        known=look.learner_id is not None,
        page="errata",
        title=case.title,
        case=card(course, case_id, {}),
        story=markup(course.html(case.story)),
        published=case.published,
        item_html=slots.fill(render_item(site, asked), {slots.BASE: base, slots.NEXT: here}),
        truth_html=truth(site, asked),
        others=others(course, case_id),
    )


def find_case(course: Course, case_id: str) -> str:
    if case_id not in course.errata:
        raise NotFound("勘误馆里没有这一案。")
    return case_id


def others(course: Course, case_id: str) -> dict[str, tuple[str, str] | None]:
    """Address and title of the cases before and after this one."""
    ids = list(course.errata)
    place = ids.index(case_id)
    around = {"before": ids[place - 1 : place] if place else [], "after": ids[place + 1 : place + 2]}
    return {
        way: (f"/errata/{found[0]}", course.errata[found[0]].title) if found else None
        for way, found in around.items()
    }


def target_of(course: Course, name: str, seed: int) -> Target | None:
    """The attempt at the question of a case."""
    known = name in course.errata
    return Target(source="practice", ref=course.ref(item_id(name)), seed=seed) if known else None


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    case = course.case_of.get(ref)
    return (f"/errata/{case}", course.errata[case].title) if case else None


CONTEXT = AnswerContext("errata", target_of, page_of)
