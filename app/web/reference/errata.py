"""勘误馆: the list of cases, and one case, whose truth is told once its question is closed."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.course.reference.errata import item_id
from app.records.db.errors import NotFound
from app.records.learning import attempts, lesson_pages
from app.records.learning.values import Target
from app.web.items.item_views import item_state, render_item
from app.web.reference.errata_views import case_card, case_url, halls, neighbours, truth
from app.web.site import slots
from app.web.site.contexts import AnswerContext
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.requests import typed_in
from app.web.site.responses import markup, page

router = APIRouter()


@router.get("/errata")
async def index(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """All cases, hall by hall, with how far each has come."""
    practised = await site.db.read(attempts.practised, caller)
    cards = [case_card(site.course, case_id, practised.verdicts) for case_id in site.course.errata]
    return page(
        request,
        "reference/errata",
        known=practised.learner_id is not None,
        page="errata",
        title="勘误馆",
        halls=halls(cards),
        solved=sum(card.state == "done" for card in cards),
        total=len(cards),
    )


@router.get("/errata/{case_id}")
async def show(request: Request, site: SiteDep, caller: CallerDep, case_id: str) -> Response:
    """A case: what was published, the question, and below it the truth once it is closed."""
    course = site.course
    case = course.errata.get(case_id)
    if case is None:
        raise NotFound("勘误馆里没有这一案。")
    name = item_id(case_id)
    example = await site.db.read(lesson_pages.load_example, caller, course.ref(name))
    url = base = case_url(case_id)
    seed = 0
    if example.attempt:
        base = f"/attempts/{example.attempt.id}"
        seed = example.attempt.seed
    question = item_state(course, name, example.responses, example.hints, seed=seed, typed=typed_in(request))
    before, after = neighbours(course, case_id)
    return page(
        request,
        "reference/errata_case",
        known=example.learner_id is not None,
        page="errata",
        title=case.title,
        case=case_card(course, case_id, {}),
        story=markup(course.html(case.story)),
        published=case.published,
        item_html=slots.fill(render_item(site, question), {slots.BASE: base, slots.NEXT: url}),
        truth_html=truth(site, question),
        before=before,
        after=after,
    )


def target_of(course: Course, name: str, seed: int) -> Target | None:
    """The attempt at the question of a case; None for a case that does not exist."""
    if name not in course.errata:
        return None
    return Target(source="practice", ref=course.ref(item_id(name)), seed=seed)


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    """Address and title of the case that asks an item."""
    case_id = course.case_of.get(ref)
    return (case_url(case_id), course.errata[case_id].title) if case_id else None


CONTEXT = AnswerContext("errata", target_of, page_of)
