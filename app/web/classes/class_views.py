"""Views of classes: the heat table, and the address to join by."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course
from app.records.classes.values import ClassData, LastSection, Student
from app.records.learning.values import FirstTries
from app.web.paging import list_page_of
from app.web.practice.strength_views import NO_STRENGTH, Strength, strength_by_skill_id_of

STUDENTS_PER_PAGE = 60
"""A class of any usual size stands on one page."""
LOOPBACK_PREFIXES = ("localhost", "127.", "[::1]")


class StudentRow(NamedTuple):
    """A student with the section at work last, the assignment begun last, when they were last active, and a
    cell for each column."""

    student: Student
    section_title: str
    assignment_title: str
    last_active_at: datetime | None
    cells_html: Markup


class HeatTable(NamedTuple):
    """The table of a class. `skill_names`: of those that somebody has met; `total_cells_html`: their sums.

    Of a large class the rows are those of one page of `page_count`, counted from 1; the sums are of
    everybody.
    """

    skill_names: Sequence[str]
    student_rows: Sequence[StudentRow]
    total_cells_html: Markup
    page_number: int
    page_count: int


def heat_table(course: Course, class_data: ClassData, page_number: int) -> HeatTable:
    """Students by skills, in the order of the course. A page that is not there is the nearest one."""
    list_page = list_page_of(len(class_data.students), page_number, STUDENTS_PER_PAGE)
    strength_by_skill_id_of_students = strength_by_skill_id_of_each_student(course, class_data)
    students_with_strengths = zip(
        class_data.students[list_page.index_range],
        strength_by_skill_id_of_students[list_page.index_range],
        strict=True,
    )
    practised_skill_ids: set[str] = set().union(*strength_by_skill_id_of_students)
    skill_ids = [skill_id for skill_id in course.skills if skill_id in practised_skill_ids]
    student_rows = []
    for student, strength_by_skill_id in students_with_strengths:
        last_section = class_data.last_section_by_learner_id.get(student.learner_id)
        last_active_at = class_data.last_active_time_by_learner_id.get(student.learner_id)
        cells_html = strength_cells_html(strength_by_skill_id, skill_ids)
        student_row = StudentRow(
            student,
            section_title(course, last_section),
            class_data.last_assignment_title_by_learner_id.get(student.learner_id, ""),
            last_active_at,
            cells_html,
        )
        student_rows.append(student_row)
    class_strength_by_skill_id: dict[str, Strength] = {}
    for skill_id in skill_ids:
        class_strength_by_skill_id[skill_id] = summed_strength(
            strength_by_skill_id.get(skill_id, NO_STRENGTH)
            for strength_by_skill_id in strength_by_skill_id_of_students
        )
    skill_names = [course.skills[skill_id].name for skill_id in skill_ids]
    total_cells_html = strength_cells_html(class_strength_by_skill_id, skill_ids)
    return HeatTable(skill_names, student_rows, total_cells_html, list_page.number, list_page.page_count)


def strength_by_skill_id_of_each_student(
    course: Course, class_data: ClassData
) -> list[Mapping[str, Strength]]:
    """How strong each student is, by skill; only at skills that they have practised."""
    no_tries = FirstTries()
    strength_by_skill_id_of_students = []
    for student in class_data.students:
        first_tries = class_data.first_tries_by_learner_id.get(student.learner_id, no_tries)
        strength_by_skill_id_of_students.append(strength_by_skill_id_of(course, first_tries))
    return strength_by_skill_id_of_students


def strength_cells_html(strength_by_skill_id: Mapping[str, Strength], skill_ids: Sequence[str]) -> Markup:
    strengths_in_order = [strength_by_skill_id.get(skill_id, NO_STRENGTH) for skill_id in skill_ids]
    return Markup("").join(strength.cell_html for strength in strengths_in_order)


def summed_strength(strengths: Iterable[Strength]) -> Strength:
    right_count = 0
    tried_count = 0
    for strength in strengths:
        right_count += strength.right_count
        tried_count += strength.tried_count
    return Strength(right_count, tried_count)


def section_title(course: Course, last_section: LastSection | None) -> str:
    """The stage and section at work last; empty where there is none, or its stage is no longer there."""
    if last_section is None:
        return ""
    stage = course.stage(course.bare_id(last_section.stage_id))
    if stage is None:
        return ""
    section = stage.section(last_section.section_id)
    if section is None:
        return stage.title
    return f"{stage.title} · {section.title}"


def is_loopback(host: str) -> bool:
    """Whether an address works on this machine alone: a QR code of it would lead nowhere.

    >>> is_loopback("127.0.0.1:8000"), is_loopback("192.168.1.7:8000")
    (True, False)
    """
    return host.startswith(LOOPBACK_PREFIXES)
