"""Knowledge points of own content on the pages of a class: groups of their own beside the course's."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from app.course import Course
from app.course.content.refs import own_content_id_of
from app.records.classes.values import ClassData, Student
from app.records.insight.own_mistakes import OwnContentWrongAnswer
from app.web.assignments.part_views import source_of
from app.web.insight.question_words import (
    QuestionTitle,
    course_and_current_item,
    question_title,
    wrong_answer_words,
)
from app.web.site.site import CourseByPrefix

Member = TypeVar("Member")


class OwnPoint(NamedTuple):
    """A knowledge point of own content. `skill_ref`: `own-1:bm25`; `needed_names`: of what it needs first."""

    skill_ref: str
    name: str
    content_title: str
    needed_names: Sequence[str]


@dataclass(frozen=True)
class PointGroup(Generic[Member]):
    """What belongs to a knowledge point of own content."""

    own_point: OwnPoint
    members: Sequence[Member]


def own_skill_ids(course: Course, main_course: Course) -> list[str]:
    """The knowledge points that own content does not have from the course."""
    return [skill_id for skill_id in course.skills if skill_id not in main_course.skills]


def own_point(course: Course, skill_id: str) -> OwnPoint:
    """A knowledge point of own content, as the pages of a class speak of it."""
    needed_names = [
        course.skills[needed_skill_id].name
        for needed_skill_id in course.skills[skill_id].needs
        if needed_skill_id in course.skills
    ]
    return OwnPoint(course.ref(skill_id), course.skills[skill_id].name, course.title, needed_names)


def own_point_of_item(
    course_by_prefix: CourseByPrefix, main_course: Course, item_ref: str
) -> OwnPoint | None:
    """The own knowledge point that an item asks; None for one of the course, and where the item is gone."""
    if own_content_id_of(item_ref) is None:
        return None
    course_and_item = course_and_current_item(course_by_prefix, item_ref)
    if course_and_item is None:
        return None
    course, item = course_and_item
    skill_id = source_of(course, item).skill
    if skill_id in main_course.skills or skill_id not in course.skills:
        return None
    return own_point(course, skill_id)


def members_and_point_groups(
    members: Iterable[Member], own_point_of_member: Callable[[Member], OwnPoint | None]
) -> tuple[list[Member], list[PointGroup[Member]]]:
    """Members by own knowledge points: those of none, and a group for each point, in the order they came."""
    members_without_point = []
    own_point_by_skill_ref: dict[str, OwnPoint] = {}
    members_by_skill_ref = defaultdict[str, list[Member]](list)
    for member in members:
        own_point = own_point_of_member(member)
        if own_point is None:
            members_without_point.append(member)
        else:
            own_point_by_skill_ref[own_point.skill_ref] = own_point
            members_by_skill_ref[own_point.skill_ref].append(member)
    return members_without_point, [
        PointGroup(own_point, members_by_skill_ref[skill_ref])
        for skill_ref, own_point in own_point_by_skill_ref.items()
    ]


def answered_refs_of(class_data: ClassData) -> set[str]:
    """What those of the class have answered who have answered something of own content."""
    answered_refs: set[str] = set()
    for first_tries in class_data.first_tries_by_learner_id.values():
        # Most classes answer nothing but the course, tens of thousands of times.
        if ",own-" in f",{first_tries.joined_items}":
            answered_refs.update(first_tries.joined_items.split(","))
    return answered_refs


def one_answered_ref_per_own_content(class_data: ClassData) -> set[str]:
    """The items of own contents that the class has answered, a ref for each content."""
    ref_by_own_content_id = {}
    for item_ref in answered_refs_of(class_data):
        own_content_id = own_content_id_of(item_ref)
        if own_content_id is not None:
            ref_by_own_content_id[own_content_id] = item_ref
    return set(ref_by_own_content_id.values())


class OwnContentWrongAnswerView(NamedTuple):
    """A wrong answer in words, with its question and who gave it."""

    question_title: QuestionTitle
    answer_words: str
    students: Sequence[Student]


def wrong_answer_groups(
    course_by_prefix: CourseByPrefix,
    main_course: Course,
    own_content_wrong_answers: Sequence[OwnContentWrongAnswer],
) -> list[PointGroup[OwnContentWrongAnswerView]]:
    """The wrong answers at own knowledge points, by point."""
    _, point_groups = members_and_point_groups(
        own_content_wrong_answers,
        lambda wrong_answer: own_point_of_item(course_by_prefix, main_course, wrong_answer.item_ref),
    )
    return [
        PointGroup(point_group.own_point, wrong_answer_views(course_by_prefix, point_group.members))
        for point_group in point_groups
    ]


def wrong_answer_views(
    course_by_prefix: Mapping[str, Course], own_content_wrong_answers: Sequence[OwnContentWrongAnswer]
) -> list[OwnContentWrongAnswerView]:
    answer_views = []
    for wrong_answer in own_content_wrong_answers:
        answer_words = wrong_answer_words(
            course_by_prefix, wrong_answer.item_ref, f"={wrong_answer.answer_value}"
        )
        answer_views.append(
            OwnContentWrongAnswerView(
                question_title(course_by_prefix, wrong_answer.item_ref), answer_words, wrong_answer.students
            )
        )
    return answer_views
