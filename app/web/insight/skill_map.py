"""知识点地图 of a class: each skill with what it needs first, and how much of the class stands on it."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.course.practice.strength import FIRM_BAND, STRENGTH_RULE, STRENGTH_WORDS
from app.records.classes.values import ClassData
from app.records.insight.class_pages import load_class
from app.web.classes.class_views import class_strengths
from app.web.classes.classrooms import Id
from app.web.insight.own_points import met_own_refs, own_skills
from app.web.insight.question_words import Courses
from app.web.practice.strength_views import NOTHING, Strength
from app.web.site.requests import CallerDep, SiteDep
from app.web.site.responses import page
from app.web.site.routing import LateRoute

router = APIRouter(route_class=LateRoute)


@router.get("/classrooms/{classroom_id}/map")
async def show(http: Request, site: SiteDep, caller: CallerDep, classroom_id: Id) -> Response:
    """Every skill with the share of the class that holds it."""
    class_data = await site.db.read(load_class, caller, classroom_id)
    stages = stage_rows(site.course, class_data)
    own_courses = await site.courses_of(met_own_refs(class_data))
    own_stages = own_rows(site.course, own_courses, class_data)
    return page(
        http,
        "insight/skill_map",
        signed_in=True,
        page="class",
        title=f"知识点：{class_data.classroom.name}",
        row=class_data.classroom,
        stages=stages,
        own_stages=own_stages,
        next=next_skill(stages),
        students=len(class_data.students),
        strength_rule=STRENGTH_RULE,
    )


@dataclass(frozen=True)
class SkillRow:
    """A skill of the class. `bands`: how many students are in each, from 没做过 to 会了."""

    name: str
    needs: Sequence[str]
    bands: Sequence[tuple[int, str, int]]
    total: int

    @property
    def met(self) -> int:
        _, _, untouched_count = self.bands[0]
        return self.total - untouched_count

    @property
    def holding(self) -> int:
        return sum(count for band, _, count in self.bands if band >= FIRM_BAND)


@dataclass(frozen=True)
class StageRows:
    """The skills that a stage teaches."""

    title: str
    skills: Sequence[SkillRow]


def stage_rows(course: Course, class_data: ClassData) -> list[StageRows]:
    """All skills by the stage that teaches them."""
    by_student = class_strengths(course, class_data)
    rows = defaultdict(list)
    for skill_id in course.skills:
        if skill_id in course.taught_in:
            stage, _ = course.taught_in[skill_id]
            rows[stage.id].append(skill_row(course, skill_id, by_student))
    return [StageRows(stage.title, rows[stage.id]) for stage in course.stages if stage.id in rows]


def skill_row(course: Course, skill_id: str, by_student: Sequence[Mapping[str, Strength]]) -> SkillRow:
    skill = course.skills[skill_id]
    students = Counter(by_skill.get(skill_id, NOTHING).band for by_skill in by_student)
    bands = [(band, word, students[band]) for band, word in enumerate(STRENGTH_WORDS)]
    needs = [course.skills[need].name for need in skill.needs]
    return SkillRow(skill.name, needs, bands, len(by_student))


def own_rows(main_course: Course, courses: Courses, class_data: ClassData) -> list[StageRows]:
    """The knowledge points that own contents have of their own, content by content; what is answered there
    counts for none of the course."""
    groups = []
    for course in courses.values():
        skills = own_skills(course, main_course)
        if course is main_course or not skills:
            continue
        by_student = class_strengths(course, class_data)
        rows = [skill_row(course, skill_id, by_student) for skill_id in skills]
        groups.append(StageRows(f"自己的知识点 · {course.title}", rows))
    return groups


def next_skill(stages: Sequence[StageRows]) -> SkillRow | None:
    """What to teach tomorrow: the first skill that most of the class has met and most of them do not hold."""
    for stage in stages:
        for skill in stage.skills:
            if 2 * skill.met > skill.total and 2 * skill.holding < skill.met:
                return skill
    return None
