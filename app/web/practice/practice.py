"""Practice: exercises without end. Level and seed in the address make the variant, the same for all."""

import re
import secrets
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.exercises.exercises import practice_id
from app.course.practice import mastery
from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.records.learning.values import ItemLog, Target
from app.records.practice import learner_pages, overview
from app.web.items.item_views import ItemState, item_state, render_item
from app.web.items.variants import LAST_SEED, Variant, practice_url
from app.web.practice.practice_views import LEVELS, MOST_PRINTED, sheet
from app.web.practice.progress_views import after_reading, ahead, pause
from app.web.practice.skill_views import advice_url, advice_view, counts, groups, map_svg
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import caller_of, typed_in
from app.web.site.responses import markup, page, see
from app.web.site.site import Site, site_of

router = APIRouter()


@router.get("/practice")
async def index(request: Request) -> Response:
    """What to practise next and why; below it all knowledge points with their exercises."""
    site = site_of(request)
    look = await site.db.read(overview.load_practice, caller_of(request), site.course, now())
    return page(
        request,
        "practice/index",
        known=look.learner_id is not None,
        page="practice",
        title="练习",
        advice=advice_view(look.advice),
        score=look.score,
        groups=groups(site.course, look.standings),
    )


@router.get("/practice/map")
async def map_of_points(request: Request) -> Response:
    """The knowledge points as a map, and as a list with the reason for each state."""
    site = site_of(request)
    look = await site.db.read(overview.load_practice, caller_of(request), site.course, now())
    return page(
        request,
        "practice/skill_map",
        known=look.learner_id is not None,
        page="practice",
        title="知识点地图",
        map=map_svg(site, look),
        counts=counts(look.standings),
        rules=mastery.RULES,
        groups=groups(site.course, look.standings),
    )


@router.get("/practice/next")
async def onward(request: Request) -> Response:
    """To the question that is recommended, or to the next one of a `?point=`; nothing is recorded."""
    site, point = site_of(request), request.query_params.get("point")
    if point is not None and point not in site.course.points:
        raise NotFound("没有这个知识点，也许它换了名字。")
    look = await site.db.read(overview.load_practice, caller_of(request), site.course, now(), point)
    if look.advice is None:
        return see(request, f"/practice/map#point-{point}" if point else "/practice")
    return see(request, advice_url(look.advice))


@router.get("/practice/{exercise_id}")
async def show(request: Request, exercise_id: str) -> Response:
    """One variant: asked, marked, diagnosed; and the way to the next one."""
    site, query = site_of(request), request.query_params
    find_exercise(site.course, exercise_id)
    level = number_of(query.get("level", "1"), LEVELS[-1])
    if "seed" not in query:
        return await fresh(request, exercise_id, level)
    variant = Variant(exercise_id, level, number_of(query["seed"]))
    target, item = target_of(site.course, variant.name), site.course.ref(variant.item)
    log, look = await site.db.read(
        learner_pages.load_exercise_page, caller_of(request), site.course, now(), target, item
    )
    here = after_reading(variant.url) if "read" in query else variant.url
    waits = None if "read" in query or log.responses else pause(site.course, look, here)
    typed = typed_in(request)
    asked = item_state(
        site.course, variant.item, log.responses, log.hints, target.ref, seed=variant.seed, typed=typed
    )
    return page(
        request,
        "practice/exercise",
        known=log.learner_id is not None,
        **about(site.course, variant),
        item_html=None if waits else item_html(site, variant, log, asked, here),
        ahead=ahead(site, look, asked),
        pause=waits,
    )


async def fresh(request: Request, exercise_id: str, level: int) -> Response:
    """To a variant that this learner has not answered; nothing is recorded."""
    site = site_of(request)
    item, seed = practice_id(exercise_id, level), 1000 + secrets.randbelow(9000)
    unused = await site.db.read(overview.unused, caller_of(request), site.course, item, seed)
    return see(request, practice_url(exercise_id, level, unused))


def item_html(site: Site, variant: Variant, log: ItemLog, asked: ItemState, here: str) -> Markup:
    """The item of a variant, as far as it was answered."""
    base = f"/attempts/{log.attempt_id}" if log.attempt_id else f"/practice/{variant.name}"
    return slots.fill(render_item(site, asked), {slots.BASE: base, slots.NEXT: here})


@router.get("/practice/{exercise_id}/print")
async def printed(request: Request, exercise_id: str) -> Response:
    """A sheet of variants, its key, and a map of wrong numbers to mistakes."""
    site, query = site_of(request), request.query_params
    find_exercise(site.course, exercise_id)
    level = number_of(query.get("level", "1"), LEVELS[-1])
    count = number_of(query.get("n", "12"), MOST_PRINTED)
    if "seed" not in query:
        seed = 1000 + secrets.randbelow(9000)
        return see(request, f"/practice/{exercise_id}/print?level={level}&n={count}&seed={seed}")
    first = Variant(exercise_id, level, number_of(query["seed"]))
    known = await site.db.read(learners.load_visitor, caller_of(request)) is not None
    made = sheet(site.course, first, count)
    return page(request, "practice/print", known=known, **about(site.course, first), sheet=made)


def about(course: Course, variant: Variant) -> dict[str, Any]:
    """What the pages of a variant say around it."""
    exercise = course.exercises[variant.exercise]
    return {
        "page": "practice",
        "title": exercise.title,
        "summary": markup(course.line(exercise.summary)),
        "variant": variant,
        "levels": [Variant(variant.exercise, level, variant.seed) for level in LEVELS],
    }


def find_exercise(course: Course, exercise_id: str) -> None:
    if exercise_id not in course.exercises:
        raise NotFound("没有这个练习，也许它换了名字。")


def number_of(text: str, most: int = LAST_SEED) -> int:
    """A whole number from 1 on; NotFound says what may stand in the address."""
    if re.fullmatch(r"[1-9][0-9]{0,8}", text) and int(text) <= most:
        return int(text)
    raise NotFound(
        f"地址里的数不对：难度level是1到{LEVELS[-1]}，题号seed是1到{LAST_SEED}，张数n是1到{MOST_PRINTED}。"
    )


def variant_of(course: Course, ref: str) -> Variant | None:
    """The variant with a bare ref such as `practice-dcg-2-4821`: exercise, level and seed."""
    found = re.fullmatch(r"practice-(.+)-([1-3])-([1-9][0-9]{0,8})", ref)
    if not found or practice_id(found[1], int(found[2])) not in course.items:
        return None
    return Variant(found[1], int(found[2]), int(found[3]))


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
