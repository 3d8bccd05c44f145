"""热热身: another day of learning opens with three questions from last time."""

from datetime import date
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.practice.warm_up import warm_up_item_ids
from app.records.db.errors import NotFound
from app.records.learning.values import AttemptKey, WarmUpData
from app.records.practice import learner_pages
from app.web.items.answer_contexts import AnswerContext, answers_url_and_seed
from app.web.items.item_views import item_state_from_log, placed_item_html
from app.web.items.typed_answers import TypedAnswer, typed_answer_of_address
from app.web.learning.section_position import seed_without_attempt
from app.web.learning.stage_views import section_url, stage_views, warm_up_ref_prefix
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter
from app.web.site.site import Site
from app.web.start_page import find_resume_point

router = LazyRouter()
WARM_UP_URL = "/warm-ups"


@router.get(WARM_UP_URL)
@router.get(WARM_UP_URL + "/{day}")
async def show(request: RequestDep) -> Response:
    """Today's questions, or those of a day with the answers they got."""
    warm_up_day = None
    if "day" in request.http.path_params:
        warm_up_day = day_from_address(request.http.path_params["day"])
    course = request.course
    warm_up_prefix = warm_up_ref_prefix(course)
    learner_places, warm_up_data = await request.read(
        learner_pages.load_places_and_warm_up, warm_up_prefix, request.now, warm_up_day
    )
    return request.page(
        "learning/warm_up",
        is_signed_in=learner_places.learner_id is not None,
        page="warm-up",
        title="热热身",
        questions=warm_up_questions(request.site, warm_up_data, typed_answer_of_address(request.http)),
        resume_point=find_resume_point(
            course, learner_places.places, stage_views(course, learner_places.places)
        ),
    )


class WarmUpQuestion(NamedTuple):
    """A question as it stands, and the section that it comes from."""

    html: Markup
    section_title: str
    url: str


def warm_up_questions(
    site: Site, warm_up_data: WarmUpData, typed_answer: TypedAnswer | None
) -> list[WarmUpQuestion]:
    """Every question, one below the other."""
    course = site.course
    page_url = f"{WARM_UP_URL}/{warm_up_data.day}"
    base_url, seed = answers_url_and_seed(warm_up_data.attempt, page_url, seed_of_warm_up(warm_up_data))
    questions_of_day = []
    for item_id in warm_up_item_ids(course, warm_up_data.refs_with_verdicts):
        item_state = item_state_from_log(course, item_id, warm_up_data, seed=seed, typed_answer=typed_answer)
        item_html = placed_item_html(site, item_state, base_url, page_url)
        stage, section = course.section_by_item_id[item_id]
        questions_of_day.append(WarmUpQuestion(item_html, section.title, section_url(stage, section)))
    return questions_of_day


def seed_of_warm_up(warm_up_data: WarmUpData) -> int:
    """Of the learner and the day, so that options stand in another order than last time."""
    day_number = 1
    if warm_up_data.day:
        day_number = warm_up_data.day.toordinal()
    return seed_without_attempt(warm_up_data.learner_id or 0, day_number)


def day_from_address(day_text: str) -> date:
    """A day as an address has it: 2026-09-02."""
    try:
        day = date.fromisoformat(day_text)
    except ValueError:
        day = date.min
    if not 2000 <= day.year <= 2200:  # at the ends of the calendar a day has no beginning in UTC
        raise NotFound("地址里的日子不对，应当像2026-09-02。")
    return day


def attempt_key_of(course: Course, day_text: str, seed: int) -> AttemptKey:
    """The attempt of a day, to which answers are posted."""
    return AttemptKey(
        source="practice", ref=f"{warm_up_ref_prefix(course)}-{day_from_address(day_text)}", seed=seed
    )


def url_and_title_of(_course: Course, attempt_ref: str) -> tuple[str, str] | None:
    """Address and title of the warm-up that an attempt was made at."""
    if not attempt_ref.startswith("warm-up-"):
        return None
    return f"{WARM_UP_URL}/{attempt_ref.removeprefix('warm-up-')}", "热热身"


ANSWER_CONTEXT = AnswerContext("warm-ups", attempt_key_of, url_and_title_of)
