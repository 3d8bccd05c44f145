"""起点测试: a few questions one after another, and then where to begin, and why."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Stage
from app.course.content.model import PlacementEntry
from app.records.db.errors import NotFound
from app.records.learning import item_logs
from app.records.learning.values import AttemptKey, ItemLog, ResponseRow
from app.web.items.answer_contexts import AnswerContext
from app.web.items.item_views import item_state_from_log, placed_item_html
from app.web.items.typed_answers import TypedAnswer, typed_answer_of_address
from app.web.learning.stage_views import section_url
from app.web.site.requests import RequestDep, small_number_of_text
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
PLACEMENT_URL, FORM_NAME = "/placement", "questions"
"""Answers are posted to `/placement/questions/responses`."""


@router.get(PLACEMENT_URL)
async def show_placement(request: RequestDep, step: str = "") -> Response:
    """The question of the address, else the first one that is open; after the last one, where to begin."""
    course = request.course
    if not course.placement:
        raise NotFound("这门课没有起点测试，从第一段学起就好。")
    item_refs = tuple(course.ref(placement_entry.item) for placement_entry in course.placement)
    item_log = await request.read(item_logs.load_log_of_items, placement_attempt_key(course), item_refs)
    question_number = shown_question_number(course, step, item_log)
    question_count = len(course.placement)
    recommendation = None
    item_html = None
    if question_number > question_count:
        recommendation = recommendation_of(course, is_right_by_item_id_of(course, item_log.responses))
    else:
        item_html = question_html(
            request.site, item_log, question_number, typed_answer_of_address(request.http)
        )
    return request.page(
        "practice/placement",
        is_signed_in=item_log.learner_id is not None,
        page="placement",
        title="从哪里开始",
        question_number=question_number,
        question_count=question_count,
        has_answers=bool(item_log.responses),
        recommendation=recommendation,
        item_html=item_html,
    )


def shown_question_number(course: Course, step_text: str, item_log: ItemLog) -> int:
    """Which question; one past the last is the recommendation."""
    number_after_last = len(course.placement) + 1
    named_number = small_number_of_text(step_text)
    if named_number is not None:
        return min(max(1, named_number), number_after_last)
    is_right_by_item_id = is_right_by_item_id_of(course, item_log.responses)
    for question_number, placement_entry in enumerate(course.placement, 1):
        if placement_entry.item not in is_right_by_item_id:
            return question_number
    return number_after_last


def question_html(
    site: Site, item_log: ItemLog, question_number: int, typed_answer: TypedAnswer | None
) -> Markup:
    """The question, with its answer if there is one."""
    item_id = site.course.placement[question_number - 1].item
    item_state = item_state_from_log(
        site.course, item_id, item_log, seed=item_log.seed, is_probe=True, typed_answer=typed_answer
    )
    base_url = f"{PLACEMENT_URL}/{FORM_NAME}"
    if item_log.attempt_id:
        base_url = f"/attempts/{item_log.attempt_id}"
    return placed_item_html(site, item_state, base_url, f"{PLACEMENT_URL}?step={question_number}")


class PlacementRow(NamedTuple):
    """A question that was asked: what it was about, how it went, and where that is taught."""

    skill_name: str
    row_state: str
    stage_title: str


class Recommendation(NamedTuple):
    """The stage to begin with, the reason, and every question."""

    stage_title: str
    url: str
    reason: str
    right_count: int
    question_rows: Sequence[PlacementRow]


def is_right_by_item_id_of(course: Course, responses: Sequence[ResponseRow]) -> Mapping[str, bool]:
    """Item → whether it was answered rightly; those that were not answered are not in it."""
    return {course.bare_id(response.item_ref): response.verdict == "right" for response in responses}


def recommendation_of(course: Course, is_right_by_item_id: Mapping[str, bool]) -> Recommendation:
    """The stage of the first question that was not answered rightly, else the one after the last."""
    stuck_entry = next(
        (
            placement_entry
            for placement_entry in course.placement
            if not is_right_by_item_id.get(placement_entry.item)
        ),
        None,
    )
    if stuck_entry is None:
        question_count = len(course.placement)
        stage = learnable_stage(course, stage_beyond(course))
        reason_words = (
            f"这{question_count}道都难不住你。前面几段可以当故事翻翻，从《{stage.title}》接着往上走。"
        )
    else:
        stage = learnable_stage(course, stage_of_entry(course, stuck_entry))
        reason_words = reason_for_stage(course, stuck_entry, is_right_by_item_id, stage)
    first_section_url = section_url(stage, stage.sections[0])
    right_count = sum(is_right_by_item_id.values())
    question_rows = [
        placement_row(course, placement_entry, is_right_by_item_id) for placement_entry in course.placement
    ]
    return Recommendation(stage.title, first_section_url, reason_words, right_count, question_rows)


def reason_for_stage(
    course: Course, stuck_entry: PlacementEntry, is_right_by_item_id: Mapping[str, bool], stage: Stage
) -> str:
    """Why a stage is recommended, where a question was not answered rightly: two sentences."""
    teaching_stage = stage_of_entry(course, stuck_entry)
    outcome_words = "这一题你跳过了"
    if stuck_entry.item in is_right_by_item_id:
        outcome_words = "这一题差了一点"
    name_of_skill = skill_name_of_entry(course, stuck_entry)
    reason_words = (
        f"第一处停下来的是“{name_of_skill}”：{outcome_words}，它在《{teaching_stage.title}》里从头讲。"
    )
    if stage is not teaching_stage:
        return f"{reason_words}那一段还在熬糖，先从《{stage.title}》走起。"
    if stage.number > 1:
        return f"{reason_words}前面的题你都答对了，想复习随时可以回去。"
    if any(is_right_by_item_id.values()):
        return f"{reason_words}后面也有你答对的，走到那里会快得多。"
    return f"{reason_words}从头走最省力，每一节只要几分钟。"


def placement_row(
    course: Course, placement_entry: PlacementEntry, is_right_by_item_id: Mapping[str, bool]
) -> PlacementRow:
    row_state = "new"
    if is_right_by_item_id.get(placement_entry.item):
        row_state = "right"
    elif placement_entry.item in is_right_by_item_id:
        row_state = "wrong"
    return PlacementRow(
        skill_name_of_entry(course, placement_entry), row_state, stage_of_entry(course, placement_entry).title
    )


def skill_name_of_entry(course: Course, placement_entry: PlacementEntry) -> str:
    return course.skills[course.items[placement_entry.item].skill].name


def stage_of_entry(course: Course, placement_entry: PlacementEntry) -> Stage:
    return next(stage for stage in course.stages if stage.id == placement_entry.stage)


def stage_beyond(course: Course) -> Stage:
    """The stage after the last one that is asked about, or that one itself."""
    last_stage = stage_of_entry(course, course.placement[-1])
    return course.next_stage(last_stage.id) or last_stage


def learnable_stage(course: Course, wanted_stage: Stage) -> Stage:
    """The stage itself, or the last one before it that can be learnt already."""
    stages_with_sections = [stage for stage in course.stages if stage.sections]
    earlier_stages = [stage for stage in stages_with_sections if stage.number <= wanted_stage.number]
    return (earlier_stages or stages_with_sections)[-1]


def placement_attempt_key(course: Course) -> AttemptKey:
    """The one attempt of a learner."""
    return AttemptKey(source="practice", ref=course.ref("placement"))


def attempt_key_of(course: Course, placement_name: str, _seed: int) -> AttemptKey:
    """The attempt to which answers are posted."""
    if placement_name != FORM_NAME or not course.placement:
        raise NotFound("没有这个起点测试。")
    return placement_attempt_key(course)


def url_and_title_of(_course: Course, attempt_ref: str) -> tuple[str, str] | None:
    if attempt_ref != "placement":
        return None
    return PLACEMENT_URL, "起点测试"


ANSWER_CONTEXT = AnswerContext("placement", attempt_key_of, url_and_title_of)
