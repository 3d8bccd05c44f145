"""前测与后测: two matched forms before and after a stage, and what the class gained."""

from collections.abc import Mapping
from math import ceil

from starlette.responses import Response

from app.course import Course, Stage
from app.course.exercises.exercises import offered_exercises
from app.records.db.errors import Refused
from app.records.grading.marks import number_as_shown
from app.records.insight.pre_post import create_pair_drafts, load_class_and_pre_post
from app.web.classes.classrooms import ClassDep, ClassRequest
from app.web.site.routing import LazyRouter

router = LazyRouter()
TEST_LEVEL = 2
FEWEST_QUESTIONS, MOST_QUESTIONS = 4, 8
"""A form asks the exercises of a stage: too few questions measure nothing, too many take a lesson."""


@router.get("/classrooms/{classroom_id}/tests")
async def show(request: ClassDep) -> Response:
    """Every pair, with the gain of the class."""
    return await pre_post_page(request)


async def pre_post_page(request: ClassRequest, error_sentence: str = "") -> Response:
    """The page; `error_sentence`: why no drafts were made."""
    course = request.course
    classroom, test_pairs = await request.read(load_class_and_pre_post)
    stages_with_counts = []
    for stage in course.stages:
        question_count = sum(variant_count_by_exercise_id(course, stage).values())
        if question_count:
            stages_with_counts.append((stage, question_count))
    return request.page(
        "insight/pre_post",
        title=f"前测与后测：{classroom.name}",
        classroom=classroom,
        pairs=test_pairs,
        mean_percent=mean_percent,
        stages=stages_with_counts,
        error_sentence=error_sentence,
    )


def mean_percent(mean_share: float) -> float:
    """The mean of a class as it is shown, in per cent with one decimal, rounded half up.

    >>> mean_percent(0.3125), mean_percent(2 / 3)
    (31.3, 66.7)
    """
    return number_as_shown(100 * mean_share)


@router.post("/classrooms/{classroom_id}/tests")
async def create_drafts(request: ClassDep) -> Response:
    """Drafts of both forms, to be read and published."""
    course = request.course
    stage = course.stage(request.form.text("stage"))
    draft_title = ""
    refs_levels_and_counts = []
    if stage:
        draft_title = stage.title
        for exercise_id, variant_count in variant_count_by_exercise_id(course, stage).items():
            refs_levels_and_counts.append((course.ref(exercise_id), TEST_LEVEL, variant_count))
    try:
        draft_id = await request.write(create_pair_drafts, draft_title, refs_levels_and_counts, request.now)
    except Refused as error:
        return await pre_post_page(request, str(error))
    return request.redirect_within(f"/assignments/{draft_id}")


def variant_count_by_exercise_id(course: Course, stage: Stage) -> Mapping[str, int]:
    """Exercise → how many variants of it a form asks; nothing of a stage without exercises.

    Where there are too many exercises, some are left out, evenly over the stage.
    """
    exercise_ids = []
    for exercise_id, exercise in offered_exercises(course.exercises).items():
        taught_section = course.section_by_skill_id.get(exercise.skill)
        if taught_section and taught_section.stage is stage:
            exercise_ids.append(exercise_id)
    if not exercise_ids:
        return {}
    stride = ceil(len(exercise_ids) / MOST_QUESTIONS)
    exercise_ids = exercise_ids[::stride]
    return dict.fromkeys(exercise_ids, ceil(FEWEST_QUESTIONS / len(exercise_ids)))
