"""Home, the course map, the progress page."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course, Stage
from app.course.content.model import Section
from app.records.cards import review_queue
from app.records.db.session import VerbSession
from app.records.grading import submissions
from app.records.learning import progress
from app.records.learning.values import ProgressData, StageCount, WarmUpData
from app.records.practice import overview, warm_ups
from app.records.practice.values import PracticeData
from app.web.assignments.student_views import student_lists
from app.web.cards.card_views import card_minutes
from app.web.learning.stage_views import StageCard, section_url, stage_card
from app.web.learning.warm_up_views import name as warm_up_name
from app.web.learning.warm_up_views import offer
from app.web.practice.skill_views import PointView, advice_view, told, view
from app.web.site.clock import now
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/")
async def home(request: Request) -> Response:
    """Where to go on, and the way ahead."""
    site = site_of(request)
    course = site.course
    at, person = now(), caller_of(request)

    def read(session: VerbSession) -> tuple[ProgressData, WarmUpData, int]:
        found = warm_ups.beside(session, person, warm_up_name(course), at, None, progress.load_progress)
        return *found, review_queue.due(session, person, at)

    (look, warming, due_cards), assigned = await site.db.read(submissions.beside, person, read)
    cards = [stage_card(course, stage, look.places) for stage in course.stages]
    first = course.stages[0]
    start = section_url(first, first.sections[0]) if first.sections else "/course"
    return page(
        request,
        "site/home",
        known=look.learner_id is not None,
        page="home",
        title="越甜越靠前",
        stages=cards,
        resume=resume(course, look),
        finished=all(card.state == "done" for card in cards),
        start_url=start,
        placement=bool(course.placement),
        warm_up=offer(course, warming),
        to_do=student_lists(assigned, at).to_do,
        due_cards=due_cards,
        card_minutes=card_minutes(due_cards),
    )


@router.get("/course")
async def course_map(request: Request) -> Response:
    """All stages and sections."""
    site = site_of(request)
    kept = await site.db.read(progress.load_progress, caller_of(request))
    cards = [stage_card(site.course, stage, kept.places) for stage in site.course.stages]
    return page(
        request,
        "learning/course",
        known=kept.learner_id is not None,
        page="course",
        title="课程",
        stages=cards,
        placement=bool(site.course.placement),
    )


@router.get("/progress")
async def my_progress(request: Request) -> Response:
    """What has been done, from the log."""
    site = site_of(request)
    course = site.course
    twins = {course.ref(twin): course.ref(first) for twin, first in course.twin_of.items()}
    unscored = frozenset(course.ref(one) for one in course.unscored)
    at, person = now(), caller_of(request)

    def read(session: VerbSession) -> tuple[ProgressData, PracticeData, int]:
        found = overview.beside(session, person, course, at, progress.load_progress, twins, unscored)
        return *found, review_queue.due(session, person, at)

    look, practice, due_cards = await site.db.read(read)
    return page(
        request,
        "learning/progress",
        known=look.learner_id is not None,
        page="progress",
        title="进度",
        progress=summary(course, look) if look.learner_id is not None else None,
        able=able(course, practice),
        advice=advice_view(practice.advice),
        score=practice.score,
        resume=resume(course, look),
        streak=progress.streak(look.days, practice.today),
        due_cards=due_cards,
        card_minutes=card_minutes(due_cards),
    )


@dataclass(frozen=True)
class Able:
    """The knowledge points that are held, how many are under way, and how many are in each state."""

    points: list[PointView]
    begun: int
    told: str


def able(course: Course, look: PracticeData) -> Able:
    """What somebody can do now."""
    found = look.standings.values()
    held = [view(course, one) for one in found if one.held]
    return Able(held, sum(one.state == "learning" for one in found), told(look.standings))


def resume(course: Course, look: ProgressData) -> dict[str, Any] | None:
    """Where the learner stopped in the course; after a finished section, the next one."""
    here = [place for place in look.places if course.stage(course.bare(place.stage))]
    last = here[-1] if here else None
    stage = course.stage(course.bare(last.stage)) if last else None
    section = stage.section(last.section) if stage and last else None
    if last is None or stage is None or section is None:
        return None
    following = course.next_stage(stage.id)
    if last.done and (after := stage.next_section(section.id)):
        return there(stage, after, 0)
    if last.done and following and following.sections:
        return there(following, following.sections[0], 0)
    return there(stage, section, last.step)


def there(stage: Stage, section: Section, step: int) -> dict[str, Any]:
    total = len(section.steps)
    left = max(1, round(section.minutes * (total - step) / total)) if step else section.minutes
    return {
        "stage_title": stage.title,
        "section_title": section.title,
        "step": step,
        "steps": total,
        "url": section_url(stage, section),
        "minutes_left": left,
    }


@dataclass(frozen=True)
class StageProgress:
    """A stage with its items: right at the first try, right later, not yet right."""

    card: StageCard
    right: int = 0
    corrected: int = 0
    wrong: int = 0


def summary(course: Course, look: ProgressData) -> dict[str, Any]:
    """The context of the progress page."""
    counts = {count.stage: count for count in look.stages}
    stages = [
        stage_progress(stage_card(course, stage, look.places), counts.get(course.ref(stage.id)))
        for stage in course.stages
        if stage.lesson
    ]
    return {
        "days": len(look.days),
        "time": spoken(look.learning),
        "stages": stages,
        "done_sections": sum(stage.card.done_sections for stage in stages),
        "total_sections": sum(stage.card.total_sections for stage in stages),
        "right": sum(stage.right for stage in stages),
        "corrected": sum(stage.corrected for stage in stages),
    }


def spoken(time: timedelta) -> str:
    """A length of time as people say it.

    >>> spoken(timedelta(minutes=200)), spoken(timedelta(seconds=20))
    ('3小时20分', '不到1分钟')
    """
    minutes = round(time.total_seconds() / 60)
    if minutes < 60:
        return f"{minutes}分钟" if minutes else "不到1分钟"
    return f"{minutes // 60}小时{minutes % 60}分" if minutes % 60 else f"{minutes // 60}小时"


def stage_progress(card: StageCard, count: StageCount | None) -> StageProgress:
    if count is None:
        return StageProgress(card)
    return StageProgress(card, count.right, count.corrected, count.wrong)
