"""Practice: exercises without end. Level and seed in the address make the variant, the same for all."""

import re
import secrets
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.practice.mastery import RULES
from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.records.learning.values import ItemLog, Target
from app.records.practice import learner_pages, overview
from app.web.items.item_views import ItemState, item_state, render_item
from app.web.items.variants import LAST_SEED, Variant
from app.web.practice.practice_views import LEVELS, MOST_PRINTED, sheet
from app.web.practice.progress_views import after_reading, ahead, pause
from app.web.practice.skill_views import advice_url, advice_view, counts, groups, map_svg
from app.web.site import slots
from app.web.site.contexts import AnswerContext
from app.web.site.dependencies import CallerDep, Now, SiteDep
from app.web.site.requests import Typed, typed_in
from app.web.site.responses import markup, page, see
from app.web.site.site import Site

router = APIRouter()


@router.get("/practice")
async def index(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """What to practise next and why; below it all skills with their exercises."""
    practice = await site.db.read(overview.load_practice, caller, site.course, now)
    return page(
        request,
        "practice/index",
        known=practice.learner_id is not None,
        page="practice",
        title="练习",
        advice=advice_view(practice.advice),
        score=practice.score,
        groups=groups(site.course, practice.standings),
    )


@router.get("/practice/map")
async def map_of_points(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """The skills as a map, and as a list with the reason for each state."""
    practice = await site.db.read(overview.load_practice, caller, site.course, now)
    skill_groups = groups(site.course, practice.standings)
    return page(
        request,
        "practice/skill_map",
        known=practice.learner_id is not None,
        page="practice",
        title="知识点地图",
        map=map_svg(site, practice.standings, skill_groups),
        counts=counts(practice.standings),
        groups=skill_groups,
        rules=RULES,
    )


@router.get("/practice/next")
async def onward(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, point: str | None = None
) -> Response:
    """To the question that is recommended, or to the next one of a `?point=`; nothing is recorded."""
    if point is not None and point not in site.course.points:
        raise NotFound("没有这个知识点，也许它换了名字。")
    practice = await site.db.read(overview.load_practice, caller, site.course, now, point)
    if practice.advice is not None:
        return see(request, advice_url(practice.advice))
    return see(request, f"/practice/map#point-{point}" if point else "/practice")


@router.get("/practice/{exercise_id}")
async def show(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, exercise_id: str, level: str = "1"
) -> Response:
    """One variant: asked, marked, diagnosed; and the way to the next one.

    Without a seed it leads to a variant that this learner has not answered; nothing is recorded.
    """
    course, query = site.course, request.query_params
    first = first_variant(course, exercise_id, level)
    if "seed" not in query:
        seed = await site.db.read(overview.unused, caller, course, first.item, random_seed())
        return see(request, replace(first, seed=seed).url)
    variant = replace(first, seed=number_of(query["seed"]))
    target, item = target_of(course, variant.name), course.ref(variant.item)
    log, practice = await site.db.read(learner_pages.load_exercise_page, caller, course, now, target, item)
    url, waiting, html = variant.url, None, None
    if "read" in query:
        url = after_reading(url)
    elif not log.responses:
        waiting = pause(course, practice, url)
    state = state_of(course, variant, log, typed_in(request))
    if waiting is None:
        html = item_html(site, variant, log, state, url)
    return page(
        request,
        "practice/exercise",
        known=log.learner_id is not None,
        **about(course, variant),
        item_html=html,
        ahead=ahead(site, practice, state),
        pause=waiting,
    )


def state_of(course: Course, variant: Variant, log: ItemLog, typed: Typed | None) -> ItemState:
    """The item of a variant, as far as it was answered."""
    attempt = course.ref(f"practice-{variant.name}")
    return item_state(course, variant.item, log.responses, log.hints, attempt, seed=variant.seed, typed=typed)


def item_html(site: Site, variant: Variant, log: ItemLog, state: ItemState, url: str) -> Markup:
    base = f"/attempts/{log.attempt_id}" if log.attempt_id else f"/practice/{variant.name}"
    return slots.fill(render_item(site, state), {slots.BASE: base, slots.NEXT: url})


@router.get("/practice/{exercise_id}/print")
async def printed(
    request: Request, site: SiteDep, caller: CallerDep, exercise_id: str, level: str = "1", n: str = "12"
) -> Response:
    """A sheet of variants, its key, and a map of wrong numbers to mistakes."""
    course, query = site.course, request.query_params
    first = first_variant(course, exercise_id, level)
    count = number_of(n, MOST_PRINTED)
    if "seed" not in query:
        path = f"/practice/{exercise_id}/print"
        return see(request, f"{path}?level={first.level}&n={count}&seed={random_seed()}")
    first = replace(first, seed=number_of(query["seed"]))
    learner_id = await site.db.read(learners.load_visitor, caller)
    return page(
        request,
        "practice/print",
        known=learner_id is not None,
        **about(course, first),
        sheet=sheet(course, first, count),
    )


def random_seed() -> int:
    """A seed of four digits, short enough to be read out."""
    return 1000 + secrets.randbelow(9000)


def about(course: Course, variant: Variant) -> dict[str, Any]:
    """What the pages of a variant say around it."""
    exercise = course.exercises[variant.exercise]
    return {
        "page": "practice",
        "title": exercise.title,
        "summary": markup(course.line(exercise.summary)),
        "variant": variant,
        "levels": [replace(variant, level=level) for level in LEVELS],
    }


def first_variant(course: Course, exercise_id: str, level: str) -> Variant:
    """The variant of the first seed, at the level of the address; NotFound where there is none."""
    if exercise_id not in course.exercises:
        raise NotFound("没有这个练习，也许它换了名字。")
    return Variant(exercise_id, number_of(level, LEVELS[-1]), seed=1)


def number_of(text: str, most: int = LAST_SEED) -> int:
    """A whole number from 1 on; NotFound says what may stand in the address."""
    if re.fullmatch(r"[1-9][0-9]{0,8}", text) and int(text) <= most:
        return int(text)
    raise NotFound(
        f"地址里的数不对：难度level是1到{LEVELS[-1]}，题号seed是1到{LAST_SEED}，张数n是1到{MOST_PRINTED}。"
    )


def variant_of(course: Course, ref: str) -> Variant | None:
    """The variant with a bare ref such as `practice-dcg-2-4821`: exercise, level and seed."""
    parts = re.fullmatch(r"practice-(.+)-([1-3])-([1-9][0-9]{0,8})", ref)
    if parts is None:
        return None
    variant = Variant(parts[1], int(parts[2]), int(parts[3]))
    return variant if variant.item in course.items else None


def target_of(course: Course, name: str, _seed: int = 0) -> Target:
    """The attempt at a variant, by the name that its forms have; the seed is in the name."""
    variant = variant_of(course, f"practice-{name}")
    if variant is None:
        raise NotFound("没有这个练习，也许它换了名字。")
    return Target(source="practice", ref=course.ref(f"practice-{name}"), seed=variant.seed)


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    variant = variant_of(course, ref)
    return (variant.url, course.exercises[variant.exercise].title) if variant else None


CONTEXT = AnswerContext("practice", target_of, page_of)
