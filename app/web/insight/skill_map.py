"""知识点地图 of a class: each skill with what it needs first, and how much of the class stands on it.

One skill can be opened: who stands where, and practice for those who do not stand yet.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course
from app.course.content.recorded_misconceptions import PRACTICE_LEVEL
from app.course.content.refs import own_content_id_of, prefix_of
from app.course.exercises.exercises import practice_item_id
from app.course.practice.strength import FIRM_BAND, STRENGTH_RULE, STRENGTH_WORDS
from app.records.assignments.checked_settings import LONGEST_TITLE
from app.records.assignments.values import NewPart
from app.records.authoring import own_courses
from app.records.classes.values import ClassData, Student
from app.records.db.errors import NotFound
from app.records.insight.class_progress import load_class_with_first_tries
from app.records.insight.remedies import create_draft_for_students, exercise_part
from app.web.classes.class_views import strength_by_skill_id_of_each_student
from app.web.classes.classrooms import ClassDep, ClassRequest
from app.web.insight.own_points import answered_refs_of, one_answered_ref_per_own_content, own_skill_ids
from app.web.practice.strength_views import NO_STRENGTH, Strength
from app.web.site.routing import LazyRouter
from app.web.site.site import CourseByPrefix

router = LazyRouter()
MOST_QUESTIONS = 6
"""So many questions of the lessons make a draft, where no exercise draws numbers."""


@router.get("/classrooms/{classroom_id}/map")
async def show(request: ClassDep, skill: str = "") -> Response:
    """Every skill with the share of the class that holds it; `?skill=dcg` says who stands where."""
    course = request.course
    class_data = await request.read(load_class_with_first_tries)
    rows_of_stages = stage_rows(course, class_data)
    course_by_prefix = await request.site.course_by_prefix_of_refs(
        one_answered_ref_per_own_content(class_data)
    )
    return request.page(
        "insight/skill_map",
        title=f"知识点：{class_data.classroom.name}",
        classroom=class_data.classroom,
        stages=rows_of_stages,
        own_stages=own_stage_rows(course, course_by_prefix, class_data),
        next_skill=skill_to_teach_next(rows_of_stages),
        opened_skill=await load_opened_skill(request, course_by_prefix, class_data, skill),
        student_count=len(class_data.students),
        strength_rule=STRENGTH_RULE,
    )


@router.post("/classrooms/{classroom_id}/map/drafts")
async def create_draft(request: ClassDep) -> Response:
    """A draft of practice at a skill, for those who have met it and do not hold it."""
    class_data = await request.read(load_class_with_first_tries)
    course_by_prefix = await request.site.course_by_prefix_of_refs(
        one_answered_ref_per_own_content(class_data)
    )
    posted_skill = await load_opened_skill(request, course_by_prefix, class_data, request.form.text("skill"))
    if posted_skill is None:
        raise NotFound("没有这个知识点。")
    draft_id = await request.write(
        create_draft_for_students,
        f"再练练：{posted_skill.name}"[:LONGEST_TITLE],
        posted_skill.new_parts,
        [student.id for student in posted_skill.shaky_students],
        request.now,
    )
    return request.redirect_within(f"/assignments/{draft_id}")


class SkillRow(NamedTuple):
    """A skill of the class. `skill_ref`: with the prefix of its course; `bands_with_counts`: how many
    students are in each band, from 没做过 to 很稳."""

    skill_ref: str
    name: str
    needed_names: Sequence[str]
    bands_with_counts: Sequence[tuple[int, str, int]]
    student_count: int

    @property
    def met_count(self) -> int:
        _, _, untouched_count = self.bands_with_counts[0]
        return self.student_count - untouched_count

    @property
    def firm_count(self) -> int:
        return sum(student_count for band, _, student_count in self.bands_with_counts if band >= FIRM_BAND)


class StageRows(NamedTuple):
    """The skills that a stage teaches."""

    title: str
    skill_rows: Sequence[SkillRow]

    @property
    def is_reached(self) -> bool:
        """Whether most of the class has met something of it."""
        return any(
            2 * row_of_skill.met_count > row_of_skill.student_count for row_of_skill in self.skill_rows
        )


def stage_rows(course: Course, class_data: ClassData) -> list[StageRows]:
    """All skills by the stage that teaches them."""
    count_by_band_by_skill_id = student_count_by_band_by_skill_id(
        strength_by_skill_id_of_each_student(course, class_data)
    )
    student_count = len(class_data.students)
    rows_by_stage_id = defaultdict(list)
    for skill_id in course.skills:
        if skill_id in course.section_by_skill_id:
            stage, _ = course.section_by_skill_id[skill_id]
            rows_by_stage_id[stage.id].append(
                skill_row(course, skill_id, count_by_band_by_skill_id[skill_id], student_count)
            )
    return [
        StageRows(stage.title, rows_by_stage_id[stage.id])
        for stage in course.stages
        if stage.id in rows_by_stage_id
    ]


def student_count_by_band_by_skill_id(
    strength_by_skill_id_of_students: Sequence[Mapping[str, Strength]],
) -> Mapping[str, Counter[int]]:
    """By skill how many students are in each band, without those who have not met it."""
    count_by_band_by_skill_id = defaultdict[str, Counter[int]](Counter)
    for strength_by_skill_id in strength_by_skill_id_of_students:
        for skill_id, strength in strength_by_skill_id.items():
            count_by_band_by_skill_id[skill_id][strength.band] += 1
    return count_by_band_by_skill_id


def skill_row(
    course: Course, skill_id: str, student_count_by_band: Counter[int], student_count: int
) -> SkillRow:
    """A skill from how many of so many students are in each band."""
    skill = course.skills[skill_id]
    unmet_count = student_count - student_count_by_band.total()
    student_count_by_any_band = student_count_by_band + Counter({NO_STRENGTH.band: unmet_count})
    bands_with_counts = tuple(
        (band, band_word, student_count_by_any_band[band]) for band, band_word in enumerate(STRENGTH_WORDS)
    )
    needed_names = tuple(course.skills[needed_skill_id].name for needed_skill_id in skill.needs)
    return SkillRow(course.ref(skill_id), skill.name, needed_names, bands_with_counts, student_count)


def own_stage_rows(
    main_course: Course, course_by_prefix: CourseByPrefix, class_data: ClassData
) -> list[StageRows]:
    """The knowledge points that own contents have of their own, content by content; what is answered there
    counts for none of the course."""
    rows_of_contents = []
    for course in course_by_prefix.values():
        skill_ids = own_skill_ids(course, main_course)
        if course is main_course or not skill_ids:
            continue
        count_by_band_by_skill_id = student_count_by_band_by_skill_id(
            strength_by_skill_id_of_each_student(course, class_data)
        )
        student_count = len(class_data.students)
        skill_rows = [
            skill_row(course, skill_id, count_by_band_by_skill_id[skill_id], student_count)
            for skill_id in skill_ids
        ]
        rows_of_contents.append(StageRows(f"自己的知识点 · {course.title}", skill_rows))
    return rows_of_contents


def skill_to_teach_next(rows_of_stages: Sequence[StageRows]) -> SkillRow | None:
    """What to teach tomorrow: the first skill that most of the class has met and most of them do not hold."""
    for rows_of_stage in rows_of_stages:
        for row_of_skill in rows_of_stage.skill_rows:
            if (
                2 * row_of_skill.met_count > row_of_skill.student_count
                and 2 * row_of_skill.firm_count < row_of_skill.met_count
            ):
                return row_of_skill
    return None


class OpenedSkill(NamedTuple):
    """Who stands where at a skill, and what they can practise.

    `bands_with_students`: from 刚起步 on, 没做过 last.
    """

    skill_ref: str
    name: str
    bands_with_students: Sequence[tuple[str, Sequence[Student]]]
    shaky_students: Sequence[Student]
    new_parts: Sequence[NewPart]


async def load_opened_skill(
    request: ClassRequest, course_by_prefix: CourseByPrefix, class_data: ClassData, skill_ref: str
) -> OpenedSkill | None:
    """What is asked for in an address; None where there is no such skill. Of the content of a colleague the
    class practises only what it has answered."""
    own_content_id = own_content_id_of(skill_ref)
    askable_refs = None
    if own_content_id is not None:
        database = request.site.db
        if not await database.read(own_courses.is_author, request.caller, own_content_id):
            askable_refs = answered_refs_of(class_data)
    return opened_skill(course_by_prefix, class_data, skill_ref, askable_refs)


def opened_skill(
    course_by_prefix: CourseByPrefix,
    class_data: ClassData,
    skill_ref: str,
    askable_refs: Collection[str] | None = None,
) -> OpenedSkill | None:
    """`askable_refs`: the questions that may be asked; None for all."""
    course = course_by_prefix.get(prefix_of(skill_ref))
    if course is None or course.bare_id(skill_ref) not in course.skills:
        return None
    skill_id = course.bare_id(skill_ref)
    students_by_band = defaultdict[int, list[Student]](list)
    for student, strength_by_skill_id in zip(
        class_data.students, strength_by_skill_id_of_each_student(course, class_data), strict=True
    ):
        students_by_band[strength_by_skill_id.get(skill_id, NO_STRENGTH).band].append(student)
    met_bands = range(1, len(STRENGTH_WORDS))
    bands_with_students = [(STRENGTH_WORDS[band], students_by_band[band]) for band in (*met_bands, 0)]
    shaky_students = []
    for band in range(1, FIRM_BAND):
        shaky_students += students_by_band[band]
    new_parts = practice_parts(course, skill_id, askable_refs)
    return OpenedSkill(
        skill_ref, course.skills[skill_id].name, bands_with_students, shaky_students, new_parts
    )


def practice_parts(course: Course, skill_id: str, askable_refs: Collection[str] | None) -> Sequence[NewPart]:
    """What there is to practise at a skill: its exercises, or else questions of its lessons."""
    skill = course.practised_skills.get(skill_id)
    if skill is None:
        return []
    exercise_ids = [
        exercise_id
        for exercise_id in skill.exercise_ids
        if practice_item_id(exercise_id, PRACTICE_LEVEL) in course.items
    ]
    exercise_parts = [exercise_part(course.ref(exercise_id), PRACTICE_LEVEL) for exercise_id in exercise_ids]
    question_refs = map(course.ref, skill.item_ids)
    question_parts = [
        NewPart("item", question_ref)
        for question_ref in question_refs
        if askable_refs is None or question_ref in askable_refs
    ]
    return exercise_parts or question_parts[:MOST_QUESTIONS]
