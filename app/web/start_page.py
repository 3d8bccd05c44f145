"""Home, the course map, the progress page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.practice.skill_states import SkillState
from app.records.cards.values import DayCounts
from app.records.learning import lesson_progress
from app.records.learning.values import LessonPlaceRow, ProgressData, StageTally
from app.records.practice import learner_pages
from app.web.assignments.student_views import entries_by_list_name_of
from app.web.learning import toy_views
from app.web.learning.stage_views import StageView, stage_views, step_url
from app.web.practice import skill_views
from app.web.practice.five_minutes import daily_offer_of
from app.web.site.cookies import preferences_of
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()
SECONDS_A_CARD = 10


@router.get("/")
async def show_home(request: RequestDep) -> Response:
    """Where to go on, and the way ahead."""
    course = request.course
    start_page_data = await request.read(learner_pages.load_start_page, course, request.now)
    views_of_stages = stage_views(course, start_page_data.learner_places.places)
    is_finished = all(stage_view.state == "done" for stage_view in views_of_stages)
    open_entries = entries_by_list_name_of(start_page_data.assignments, request.now)["to_do"]
    resume_point = find_resume_point(course, start_page_data.learner_places.places, views_of_stages)
    toy_view = None
    if not (is_finished or resume_point):  # else its place is taken
        toy_view = toy_views.home_toy(course)
    daily_offer = None
    if start_page_data.five_minutes_data:
        daily_offer = daily_offer_of(course, start_page_data.five_minutes_data)
    is_in_section = is_in_midst(course, resume_point, start_page_data.learner_places.places, request.now)
    is_day_first = daily_offer is not None and daily_offer.has_waiting_besides_game and not is_in_section
    return request.page(
        "site/home",
        is_signed_in=start_page_data.learner_places.learner_id is not None,
        page="home",
        title="越甜越靠前",
        stages=views_of_stages,
        resume_point=resume_point,
        is_finished=is_finished,
        start_url=toy_views.first_lesson_url(course),
        toy=toy_view,
        has_placement=bool(course.placement),
        daily_offer=daily_offer,
        is_day_first=is_day_first,
        is_day_done=daily_offer is not None and daily_offer.is_done,
        waiting_cards_words=waiting_cards_words(start_page_data.card_counts),
        card_minutes=card_minutes(start_page_data.card_counts.remaining_count),
        to_do=open_entries,
    )


@router.get("/course")
async def show_course_map(request: RequestDep) -> Response:
    """All stages and sections."""
    course = request.course
    learner_places = await request.read(lesson_progress.load_places)
    views_of_stages = stage_views(course, learner_places.places)
    return request.page(
        "learning/course",
        is_signed_in=learner_places.learner_id is not None,
        page="course",
        title="课程",
        stages=views_of_stages,
        has_placement=bool(course.placement),
    )


@router.get("/progress")
async def show_my_progress(request: RequestDep) -> Response:
    """What has been done, from the log."""
    course = request.course
    counts_streak = preferences_of(request.http).counts_streak
    progress_page_data = await request.read(
        learner_pages.load_progress_page, course, request.now, counts_streak
    )
    progress_data = progress_page_data.progress
    return request.page(
        "learning/progress",
        is_signed_in=progress_data.learner_id is not None,
        page="progress",
        title="进度",
        progress=course_progress(course, progress_data),
        skills=skill_summary(progress_page_data.skill_state_by_skill_id),
        advice=skill_views.advice_view(progress_page_data.advice),
        points=progress_page_data.points,
        resume_point=find_resume_point(
            course, progress_page_data.places, stage_views(course, progress_page_data.places)
        ),
        days_in_a_row=progress_page_data.days_in_a_row,
        waiting_cards_words=waiting_cards_words(progress_page_data.card_counts),
        card_minutes=card_minutes(progress_page_data.card_counts.remaining_count),
    )


class SkillSummary(NamedTuple):
    """The knowledge points that are held, how many were met or begun, and the number in every state."""

    held_skill_states: Sequence[SkillState]
    met_count: int
    begun_count: int
    count_sentence: str


def skill_summary(skill_state_by_skill_id: Mapping[str, SkillState]) -> SkillSummary:
    """How far all knowledge points have come."""
    count_by_mastery = Counter(skill_state.mastery for skill_state in skill_state_by_skill_id.values())
    held_skill_states = [
        skill_state for skill_state in skill_state_by_skill_id.values() if skill_state.is_mastered
    ]
    met_count = len(skill_state_by_skill_id) - count_by_mastery["new"]
    count_sentence = skill_views.count_sentence(skill_state_by_skill_id)
    return SkillSummary(held_skill_states, met_count, count_by_mastery["learning"], count_sentence)


class ResumePoint(NamedTuple):
    """The section in which somebody goes on; `section_key`: the ids of its stage and of it;
    `seen_step_count`: 0 before its first step."""

    section_key: tuple[str, str]
    stage_title: str
    section_title: str
    seen_step_count: int
    step_count: int
    url: str
    remaining_minutes: int


def find_resume_point(
    course: Course, lesson_places: Sequence[LessonPlaceRow], views_of_stages: Sequence[StageView]
) -> ResumePoint | None:
    """Where the learner stopped in the course, as far as it still has that section; none for a beginner, and
    for who has finished all of it. `views_of_stages`: by the same places."""
    for lesson_place in reversed(lesson_places):
        stage = course.stage(course.bare_id(lesson_place.stage_ref))
        section = stage.section(lesson_place.section_id) if stage else None
        if stage and section:
            return resume_point_from(course, (stage.id, section.id), views_of_stages)
    return None


def is_in_midst(
    course: Course, resume_point: ResumePoint | None, lesson_places: Sequence[LessonPlaceRow], now: datetime
) -> bool:
    """Whether the reader was in the midst of that section a short while ago: it is what they came for."""
    if resume_point is None or not resume_point.seen_step_count:
        return False
    for lesson_place in reversed(lesson_places):
        if (course.bare_id(lesson_place.stage_ref), lesson_place.section_id) == resume_point.section_key:
            return now < lesson_place.updated_at + learner_pages.LATELY_WITHIN
    return False


def resume_point_from(
    course: Course, section_key: tuple[str, str], views_of_stages: Sequence[StageView]
) -> ResumePoint | None:
    """The first section that is not finished, with how far somebody came in it: the one with these ids of a
    stage and a section, or one that comes after it, or else one that they have left out before."""
    sections_with_views = []
    for stage, stage_view in zip(course.stages, views_of_stages, strict=True):
        for stage_section, section_view in zip(stage.sections, stage_view.sections, strict=True):
            sections_with_views.append((stage, stage_section, section_view))
    section_keys = [(stage.id, stage_section.id) for stage, stage_section, _ in sections_with_views]
    section_index = section_keys.index(section_key)
    sections_with_views_in_turn = sections_with_views[section_index:] + sections_with_views[:section_index]
    for stage, stage_section, section_view in sections_with_views_in_turn:
        if section_view.state != "done":
            return resume_point_of_section(stage, stage_section, section_view.furthest_step_number)
    return None


def resume_point_of_section(stage: Stage, section: Section, seen_step_count: int) -> ResumePoint:
    """A section to go on with, after so many of its steps."""
    step_count = len(section.steps)
    remaining_minutes = section.minutes
    if seen_step_count:
        remaining_minutes = max(1, round(section.minutes * (step_count - seen_step_count) / step_count))
    url_of_step = step_url(stage, section, seen_step_count)
    return ResumePoint(
        (stage.id, section.id),
        stage.title,
        section.title,
        seen_step_count,
        step_count,
        url_of_step,
        remaining_minutes,
    )


class StageProgress(NamedTuple):
    """A stage with its items: right at the first try, right later, not yet right."""

    stage_view: StageView
    outcome_counts: StageTally

    @property
    def is_begun(self) -> bool:
        return self.stage_view.state == "begun"


class CourseProgress(NamedTuple):
    """What somebody has done: the sections and the items of each stage, and all in all."""

    day_count: int
    time_words: str
    stages: Sequence[StageProgress]

    @property
    def done_section_count(self) -> int:
        return sum(stage_progress.stage_view.done_section_count for stage_progress in self.stages)

    @property
    def section_count(self) -> int:
        return sum(stage_progress.stage_view.section_count for stage_progress in self.stages)

    @property
    def right_count(self) -> int:
        return sum(stage_progress.outcome_counts.right_count for stage_progress in self.stages)

    @property
    def corrected_count(self) -> int:
        return sum(stage_progress.outcome_counts.corrected_count for stage_progress in self.stages)


def course_progress(course: Course, progress_data: ProgressData) -> CourseProgress:
    """How far somebody has ever come, in every stage that has a lesson."""
    tally_by_stage_ref = {stage_tally.stage_ref: stage_tally for stage_tally in progress_data.stage_tallies}
    stage_progresses = []
    for stage_view in stage_views(course, progress_data.reached_places):
        if stage_view.is_ready:
            stage_ref = course.ref(stage_view.id)
            stage_progresses.append(
                StageProgress(stage_view, tally_by_stage_ref.get(stage_ref, StageTally(stage_ref)))
            )
    return CourseProgress(
        progress_data.day_count, duration_words(progress_data.learning_time), stage_progresses
    )


def waiting_cards_words(day_counts: DayCounts) -> str:
    """How many cards come today, and whether they are reviews; nothing where none comes.

    >>> waiting_cards_words(DayCounts(new_count=10, remaining_count=10)), waiting_cards_words(DayCounts())
    ('10张新闪卡等你翻开', '')
    >>> waiting_cards_words(DayCounts(new_count=8, remaining_count=11))
    '11张闪卡等你：复习3张，新的8张'
    """
    if not day_counts.remaining_count:
        return ""
    if day_counts.new_count == day_counts.remaining_count:
        return f"{day_counts.new_count}张新闪卡等你翻开"
    if not day_counts.new_count:
        return f"{day_counts.remaining_count}张闪卡等你复习"
    review_count = day_counts.remaining_count - day_counts.new_count
    return f"{day_counts.remaining_count}张闪卡等你：复习{review_count}张，新的{day_counts.new_count}张"


def card_minutes(card_count: int) -> int:
    """How long so many cards take, at least one minute.

    >>> card_minutes(26), card_minutes(1)
    (5, 1)
    """
    return max(1, -(-card_count * SECONDS_A_CARD // 60))


def duration_words(duration: timedelta) -> str:
    """A length of time as people say it.

    >>> duration_words(timedelta(minutes=200)), duration_words(timedelta(seconds=20))
    ('3小时20分', '不到1分钟')
    """
    hours, minutes = divmod(round(duration.total_seconds() / 60), 60)
    if not hours:
        return f"{minutes}分钟" if minutes else "不到1分钟"
    return f"{hours}小时{minutes}分" if minutes else f"{hours}小时"
