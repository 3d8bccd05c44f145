"""起点测试: a few questions one after another, and then where to begin, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Stage
from app.course.content.model import PlacementEntry
from app.records.db.errors import NotFound
from app.records.learning import attempts
from app.records.learning.values import ItemLog, ResponseRow, Target
from app.web.items.answer_contexts import AnswerContext
from app.web.items.item_views import item_state, placed_item
from app.web.items.typed_answers import Typed, typed_in
from app.web.learning.stage_views import section_url
from app.web.site.requests import RequestDep, number_in
from app.web.site.routing import LateRoute
from app.web.site.site import Site

router = APIRouter(route_class=LateRoute)
URL, NAME = "/placement", "questions"
"""Answers are posted to `/placement/questions/responses`."""


@router.get(URL)
async def placement(request: RequestDep, step: str = "") -> Response:
    """The question of the address, else the first one that is open; after the last one, where to begin."""
    course = request.course
    if not course.placement:
        raise NotFound("这门课没有起点测试，从第一段学起就好。")
    refs = tuple(course.ref(entry.item) for entry in course.placement)
    log = await request.read(attempts.load_log_of_items, placement_target(course), refs)
    question_number = step_number(course, step, log)
    total = len(course.placement)
    recommended_stage = None
    html = None
    if question_number > total:
        recommended_stage = recommendation(course, right_by_item(course, log.responses))
    else:
        html = question_html(request.site, log, question_number, typed_in(request.http))
    return request.page(
        "practice/placement",
        is_signed_in=log.learner_id is not None,
        page="placement",
        title="从哪里开始",
        step=question_number,
        total=total,
        recommendation=recommended_stage,
        item_html=html,
    )


def step_number(course: Course, step: str, log: ItemLog) -> int:
    """Which question; one past the last is the recommendation."""
    after_last = len(course.placement) + 1
    named_number = number_in(step)
    if named_number is not None:
        return min(max(1, named_number), after_last)
    outcomes = right_by_item(course, log.responses)
    for question_number, entry in enumerate(course.placement, 1):
        if entry.item not in outcomes:
            return question_number
    return after_last


def question_html(site: Site, log: ItemLog, step: int, typed: Typed | None) -> Markup:
    """The question, with its answer if there is one."""
    item_id = site.course.placement[step - 1].item
    state = item_state(site.course, item_id, log, seed=log.seed, is_probe=True, typed=typed)
    base = f"{URL}/{NAME}"
    if log.attempt_id:
        base = f"/attempts/{log.attempt_id}"
    return placed_item(site, state, base, f"{URL}?step={step}")


@dataclass(frozen=True)
class PlacementRow:
    """A question that was asked: what it was about, how it went, and where that is taught."""

    skill_name: str
    verdict: str
    stage_title: str


@dataclass(frozen=True)
class Recommendation:
    """The stage to begin with, the reason, and every question."""

    stage: str
    url: str
    reason: str
    right_count: int
    rows: Sequence[PlacementRow]


def right_by_item(course: Course, responses: Sequence[ResponseRow]) -> Mapping[str, bool]:
    """Item → whether it was answered rightly; those that were not answered are not in it."""
    return {course.bare(placement_row.item): placement_row.verdict == "right" for placement_row in responses}


def recommendation(course: Course, answers: Mapping[str, bool]) -> Recommendation:
    """The stage of the first question that was not answered rightly, else the one after the last."""
    stuck_at = next((entry for entry in course.placement if not answers.get(entry.item)), None)
    if stuck_at is None:
        total = len(course.placement)
        stage = learnable(course, stage_beyond(course))
        reason = f"这{total}道都难不住你。前面几段可以当故事翻翻，从《{stage.title}》接着往上走。"
    else:
        stage = learnable(course, stage_of(course, stuck_at))
        reason = why_there(course, stuck_at, answers, stage)
    url = section_url(stage, stage.sections[0])
    right_count = sum(answers.values())
    rows = [placement_row(course, entry, answers) for entry in course.placement]
    return Recommendation(stage.title, url, reason, right_count, rows)


def why_there(course: Course, stuck_at: PlacementEntry, answers: Mapping[str, bool], stage: Stage) -> str:
    """Why a stage is recommended, where a question was not answered rightly: two sentences."""
    teaching_stage = stage_of(course, stuck_at)
    outcome = "这一题你跳过了"
    if stuck_at.item in answers:
        outcome = "这一题差了一点"
    name_of_skill = skill_name(course, stuck_at)
    reason = f"第一处停下来的是“{name_of_skill}”：{outcome}，它在《{teaching_stage.title}》里从头讲。"
    if stage is not teaching_stage:
        return f"{reason}那一段还在熬糖，先从《{stage.title}》走起。"
    if stage.number > 1:
        return f"{reason}前面几题你都答对了，想复习随时可以回去。"
    if any(answers.values()):
        return f"{reason}后面有几题你也答对了，走到那里会快得多。"
    return f"{reason}从头走最省力，每一节只要几分钟。"


def placement_row(course: Course, entry: PlacementEntry, answers: Mapping[str, bool]) -> PlacementRow:
    verdict = "new"
    if answers.get(entry.item):
        verdict = "right"
    elif entry.item in answers:
        verdict = "wrong"
    return PlacementRow(skill_name(course, entry), verdict, stage_of(course, entry).title)


def skill_name(course: Course, entry: PlacementEntry) -> str:
    return course.skills[course.items[entry.item].skill].name


def stage_of(course: Course, entry: PlacementEntry) -> Stage:
    return next(stage for stage in course.stages if stage.id == entry.stage)


def stage_beyond(course: Course) -> Stage:
    """The stage after the last one that is asked about, or that one itself."""
    last_stage = stage_of(course, course.placement[-1])
    return course.next_stage(last_stage.id) or last_stage


def learnable(course: Course, goal: Stage) -> Stage:
    """The stage itself, or the last one before it that can be learnt already."""
    stages = [stage for stage in course.stages if stage.sections]
    earlier_stages = [stage for stage in stages if stage.number <= goal.number]
    return (earlier_stages or stages)[-1]


def placement_target(course: Course) -> Target:
    """The one attempt of a learner."""
    return Target(source="practice", ref=course.ref("placement"))


def target_of(course: Course, placement_name: str, _seed: int) -> Target:
    """The attempt to which answers are posted."""
    if placement_name != NAME or not course.placement:
        raise NotFound("没有这个起点测试。")
    return placement_target(course)


def page_of(_course: Course, ref: str) -> tuple[str, str] | None:
    if ref != "placement":
        return None
    return URL, "起点测试"


CONTEXT = AnswerContext("placement", target_of, page_of)
