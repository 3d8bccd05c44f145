"""Views of classes: the heat table, the address and the QR code to join by."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from app.course import Course
from app.records.classes.values import ClassData, LastSection, Student
from app.web.practice.strength_views import NOTHING, Strength, skills_of, strengths
from app.web.site.responses import markup

LOOPBACK = ("localhost", "127.", "[::1]")


@dataclass(frozen=True)
class SkillColumn:
    """A knowledge point that somebody of the class has met; `stage` is the one it is taught in."""

    skill: str
    name: str
    stage: str


@dataclass(frozen=True)
class StudentRow:
    """A student with the stage worked at last, when, and a cell for each column."""

    student: Student
    stage: str
    seen: datetime | None
    cells: Markup


@dataclass(frozen=True)
class Heat:
    """The table of a class; `total` sums each column up."""

    columns: Sequence[SkillColumn]
    rows: Sequence[StudentRow]
    total: Markup


def heat(course: Course, look: ClassData) -> Heat:
    """Students by knowledge points, in the order of the course."""
    skills = skills_of(course)
    found = {one.learner_id: strengths(skills, look.firsts.get(one.learner_id, {})) for one in look.students}
    met = {skill for each in found.values() for skill in each}
    columns = [column(course, skill) for skill in course.skills if skill in met]
    rows = [row(course, look, one, columns, found[one.learner_id]) for one in look.students]
    sums = [[each.get(one.skill, NOTHING) for each in found.values()] for one in columns]
    total = [Strength(sum(one.right for one in each), sum(one.of for one in each)) for each in sums]
    return Heat(columns, rows, cells(total))


def column(course: Course, skill: str) -> SkillColumn:
    home = course.homes.get(skill)
    return SkillColumn(skill, course.skills[skill].name, home[0].title if home else "")


def row(
    course: Course,
    look: ClassData,
    student: Student,
    columns: Sequence[SkillColumn],
    found: Mapping[str, Strength],
) -> StudentRow:
    return StudentRow(
        student,
        where(course, look.last.get(student.learner_id)),
        look.seen.get(student.learner_id),
        cells([found.get(one.skill, NOTHING) for one in columns]),
    )


def cells(found: Sequence[Strength]) -> Markup:
    return Markup("").join(one.cell for one in found)


def where(course: Course, last: LastSection | None) -> str:
    """The stage and section worked at last."""
    stage = course.stage(course.bare(last.stage)) if last else None
    if last is None or stage is None:
        return ""
    section = stage.section(last.section)
    return f"{stage.title} · {section.title}" if section else stage.title


def is_loopback(host: str) -> bool:
    """Whether an address works on this machine alone: a QR code of it would lead nowhere.

    >>> is_loopback("127.0.0.1:8000"), is_loopback("192.168.1.7:8000")
    (True, False)
    """
    return host.startswith(LOOPBACK)


def qr(url: str) -> Markup:
    """The QR code of an address as SVG, dark on light also at night: cameras want it so."""
    import segno

    out = io.BytesIO()
    segno.make(url, error="m").save(
        out,
        kind="svg",
        xmldecl=False,
        svgns=True,
        omitsize=True,
        border=3,
        svgclass="qr",
        lineclass=None,
        dark="#000",
        light="#fff",
        title="加入班级的二维码",
    )
    return markup(out.getvalue().decode())
