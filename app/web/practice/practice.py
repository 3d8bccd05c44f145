"""Practice: exercises without end. Level and seed in the address make the variant, the same for all.

And sheets of variants to print.
"""

import re
import secrets

from markupsafe import Markup
from starlette.responses import Response

from app import engine
from app.course import Course
from app.course.exercises.exercises import LAST_SEED, newest_exercise_id
from app.course.practice.mastery import MASTERY_RULES
from app.records.db.errors import NotFound
from app.records.learning.values import AttemptKey, ItemLog
from app.records.practice import learner_pages, overview
from app.records.practice.item_practice import ItemPractice
from app.web.items.answer_contexts import AnswerContext
from app.web.items.item_views import item_state_from_log, placed_item_html
from app.web.items.typed_answers import typed_answer_of_address
from app.web.items.variants import Variant
from app.web.practice.progress_views import pause_after_guesses, progress_html, url_after_reading
from app.web.practice.sheet_views import sheet_of
from app.web.practice.skill_views import (
    advice_url,
    advice_view,
    exercise_row_html_by_skill_id,
    map_row_html_by_skill_id,
    skill_count_by_state_word,
    skill_groups_of,
    skill_map_svg,
)
from app.web.site.rendering import line_html, markup
from app.web.site.requests import CallerRequest, RequestDep, address_number
from app.web.site.responses import Context
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
LEVELS = engine.LEVELS
MOST_QUESTIONS_PRINTED = 20
"""Questions on a sheet; an address of old may ask for `MOST_QUESTIONS_ASKED` and gets the first of them."""
MOST_QUESTIONS_ASKED = 40


@router.get("/practice")
async def index(request: RequestDep) -> Response:
    """What to practise next and why; below it all skills with their exercises."""
    course = request.course
    practice_data = await request.read(overview.load_practice, course, request.now)
    offered_advice = advice_view(practice_data.advice)
    skill_groups = skill_groups_of(course, practice_data.skill_state_by_skill_id)
    return request.page(
        "practice/index",
        is_signed_in=practice_data.learner_id is not None,
        page="practice",
        title="练习",
        advice=offered_advice,
        score=practice_data.score,
        groups=skill_groups,
        rows=exercise_row_html_by_skill_id(request.site, practice_data.skill_state_by_skill_id),
    )


@router.get("/practice/map")
async def show_skill_map(request: RequestDep, point: str | None = None) -> Response:
    """The skills as a map, and as a list with the reason for each state. Of a `?point=` that has no question
    left today the row says so."""
    course = request.course
    used_up_skill_id = None
    if point in course.practised_skills:
        practice_data = await request.read(overview.load_practice, course, request.now, point)
        if practice_data.advice is None:
            used_up_skill_id = point
    learner_id, skill_state_by_skill_id = await request.read(overview.load_skill_map, course, request.now)
    skill_groups = skill_groups_of(course, skill_state_by_skill_id)
    map_drawing = skill_map_svg(request.site, skill_state_by_skill_id, skill_groups)
    return request.page(
        "practice/skill_map",
        is_signed_in=learner_id is not None,
        page="practice",
        title="知识点地图",
        map_drawing=map_drawing,
        counts_by_state_word=skill_count_by_state_word(skill_state_by_skill_id),
        groups=skill_groups,
        rows=map_row_html_by_skill_id(request.site, skill_state_by_skill_id, used_up_skill_id),
        used_up_skill_id=used_up_skill_id,
        rules=MASTERY_RULES,
    )


@router.get("/practice/next")
async def go_to_next_question(request: RequestDep, point: str | None = None) -> Response:
    """To the question that is recommended, or to the next one of a `?point=`; nothing is recorded."""
    if point is not None and point not in request.course.practised_skills:
        raise NotFound("没有这个知识点，也许它换了名字。")
    practice_data = await request.read(overview.load_practice, request.course, request.now, point)
    next_url = "/practice"
    if practice_data.advice is not None:
        next_url = advice_url(practice_data.advice)
    elif point:
        next_url = f"/practice/map?point={point}#point-{point}"
    return request.redirect(next_url)


@router.get("/practice/{exercise_id}")
async def show(request: RequestDep, exercise_id: str, level: str = "1") -> Response:
    """One variant: asked, marked, diagnosed; and the way to the next one.

    Without a seed it leads to a variant that this learner has not answered; nothing is recorded.
    """
    course = request.course
    first_variant_of_level = first_variant(course, exercise_id, level)
    if "seed" not in request.query:
        first_variant_of_level = first_variant_of_level._replace(
            exercise_id=newest_exercise_id(course.exercises, exercise_id)
        )
        seed = await request.read(overview.unused_seed, course, first_variant_of_level.item_id, random_seed())
        return request.redirect(first_variant_of_level._replace(seed=seed).url)
    variant = with_seed_of_address(request, first_variant_of_level)
    attempt_key = attempt_key_of(course, variant.name)
    item_ref = course.ref(variant.item_id)
    item_log, item_practice = await request.read(
        learner_pages.load_exercise_and_practice, course, request.now, attempt_key, item_ref
    )
    return variant_page(request, variant, item_log, item_practice)


def variant_page(
    request: CallerRequest, variant: Variant, item_log: ItemLog, item_practice: ItemPractice
) -> Response:
    """The item of a variant, as far as it was answered; a pause in its place after mere guesses."""
    site, course = request.site, request.course
    variant_url = variant.url
    pause_view = None
    if "read" in request.query:
        variant_url = url_after_reading(variant_url)
    elif not item_log.responses:
        pause_view = pause_after_guesses(course, item_practice, variant_url)
    attempt_ref = course.ref(f"practice-{variant.name}")
    item_state = item_state_from_log(
        course,
        variant.item_id,
        item_log,
        attempt_ref,
        seed=variant.seed,
        typed_answer=typed_answer_of_address(request.http),
    )
    item_html = None
    if pause_view is None:
        base_url = f"/practice/{variant.name}"
        if item_log.attempt_id:
            base_url = f"/attempts/{item_log.attempt_id}"
        item_html = placed_item_html(site, item_state, base_url, variant_url)
    context = variant_context(course, variant)
    context["item_html"] = item_html
    context["ahead"] = progress_html(site, item_practice, item_state)
    context["pause"] = pause_view
    return request.page("practice/exercise", is_signed_in=item_log.learner_id is not None, **context)


@router.get("/practice/{exercise_id}/print")
async def show_sheet(request: RequestDep, exercise_id: str, level: str = "1", n: str = "12") -> Response:
    """A sheet of variants, its key, and a map of wrong numbers to mistakes."""
    course = request.course
    first_variant_of_sheet = first_variant(course, exercise_id, level)
    question_count = min(address_number("张数n", n, MOST_QUESTIONS_ASKED), MOST_QUESTIONS_PRINTED)
    if "seed" not in request.query:
        page_path = f"/practice/{newest_exercise_id(course.exercises, exercise_id)}/print"
        return request.redirect(
            f"{page_path}?level={first_variant_of_sheet.level}&n={question_count}&seed={random_seed()}"
        )
    first_variant_of_sheet = with_seed_of_address(request, first_variant_of_sheet)
    context = variant_context(course, first_variant_of_sheet)
    context["question_count"] = question_count
    context["sheet_html"] = await sheet_html(request.site, first_variant_of_sheet, question_count)
    return request.page("practice/print", is_signed_in=await request.is_signed_in(), **context)


async def sheet_html(site: Site, first_variant_of_sheet: Variant, question_count: int) -> Markup:
    """The sheet as HTML; one that is new is drawn off the event loop."""
    html_of_sheet = site.sheets.recall((first_variant_of_sheet, question_count))
    if html_of_sheet is None:
        html_of_sheet = await site.off_loop.run(render_sheet, site, first_variant_of_sheet, question_count)
        site.sheets.keep((first_variant_of_sheet, question_count), html_of_sheet)
    return markup(html_of_sheet)


def render_sheet(site: Site, first_variant_of_sheet: Variant, question_count: int) -> str:
    """The questions, their key and the map of mistakes as HTML: a second of work where they are new."""
    return site.render(
        "practice/_sheet.html", sheet=sheet_of(site.course, first_variant_of_sheet, question_count)
    )


def random_seed() -> int:
    """A seed of four digits, short enough to be read out."""
    return 1000 + secrets.randbelow(9000)


def variant_context(course: Course, variant: Variant) -> Context:
    """What the pages of a variant say around it."""
    exercise = course.exercises[variant.exercise_id]
    context: Context = {"page": "practice", "title": exercise.title, "variant": variant}
    context["summary"] = line_html(course, exercise.summary)
    context["levels"] = [variant._replace(level=level) for level in LEVELS]
    return context


def first_variant(course: Course, exercise_id: str, level_text: str) -> Variant:
    """The variant of the first seed, at the level of the address; NotFound where there is none."""
    if exercise_id not in course.exercises:
        raise NotFound("没有这个练习，也许它换了名字。")
    return Variant(exercise_id, address_number("难度level", level_text, LEVELS[-1]), seed=1)


def with_seed_of_address(request: CallerRequest, variant: Variant) -> Variant:
    """A variant with the seed of the address."""
    return variant._replace(seed=address_number("题号seed", request.query["seed"], LAST_SEED))


def variant_of(course: Course, attempt_ref: str) -> Variant | None:
    """The variant with a bare ref such as `practice-dcg-2-4821`: exercise, level and seed."""
    ref_match = re.fullmatch(r"practice-(.+)-([1-3])-([1-9][0-9]{0,8})", attempt_ref)
    if ref_match is None:
        return None
    variant = Variant(ref_match[1], int(ref_match[2]), int(ref_match[3]))
    if variant.item_id not in course.items:
        return None
    return variant


def attempt_key_of(course: Course, variant_name: str, _seed: int = 0) -> AttemptKey:
    """The attempt at a variant, by the name that its forms have; the seed is in the name."""
    variant = variant_of(course, f"practice-{variant_name}")
    if variant is None:
        raise NotFound("没有这个练习，也许它换了名字。")
    return AttemptKey(source="practice", ref=course.ref(f"practice-{variant_name}"), seed=variant.seed)


def url_and_title_of(course: Course, attempt_ref: str) -> tuple[str, str] | None:
    variant = variant_of(course, attempt_ref)
    if variant is None:
        return None
    return variant.url, course.exercises[variant.exercise_id].title


ANSWER_CONTEXT = AnswerContext("practice", attempt_key_of, url_and_title_of)
