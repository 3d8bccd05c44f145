"""重新评分: one part of an assignment, after its item was corrected. Looked at first, then done."""

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.records.grading.regrades import regrading
from app.records.grading.regrades.regrading import RegradePage
from app.records.grading.values import RegradeOrder, RegradeWay
from app.web.assignments.assignment_requests import ASSIGNMENT_ADDRESS, TeacherDep, TeacherRequest
from app.web.assignments.part_views import part_views
from app.web.site.routing import LazyRouter

router = LazyRouter()
WORDS_BY_WAY: dict[RegradeWay, str] = {
    "again": "按今天的题重新判",
    "up": "重新判，只升不降",
    "full": "这道题全员给满分",
    "back": "取消全员给分",
}


EMPTY_REGRADE_ORDER = RegradeOrder(0, "again")
"""What the form proposes, of no part yet."""


@router.get(ASSIGNMENT_ADDRESS + "/regrades")
async def show(request: TeacherDep, part: str = "", way: str = "again") -> Response:
    """The parts; with `?part=` and `?way=` what would change. Nothing is written."""
    part_id = row_id(part)
    if part_id is not None and way in WORDS_BY_WAY:
        return await preview_page(request, RegradeOrder(part_id, way_of(way)))
    regrade_data = await request.read(regrading.load_regrade_page)
    return regrade_page(request, await request.load_course_by_prefix(), regrade_data, EMPTY_REGRADE_ORDER)


async def preview_page(
    request: TeacherRequest, regrade_order: RegradeOrder, error_sentence: str = ""
) -> Response:
    """What would change; `error_sentence`: why it was refused."""
    course_by_prefix = await request.load_course_by_prefix()
    regrade_data = await request.read(regrading.preview_regrade, regrade_order, course_by_prefix)
    return regrade_page(request, course_by_prefix, regrade_data, regrade_order, error_sentence)


class RegradablePart(NamedTuple):
    """A part whose questions can be regraded: `第3题`, and what it asks."""

    id: int
    question_word: str
    title: Markup | str


def regrade_page(
    request: TeacherRequest,
    course_by_prefix: Mapping[str, Course],
    regrade_data: RegradePage,
    regrade_order: RegradeOrder,
    error_sentence: str = "",
) -> Response:
    regradable_parts = []
    previewed_part = None
    for part_view in part_views(course_by_prefix, regrade_data.parts):
        if part_view.asks_questions:
            regradable_part = RegradablePart(
                part_view.part.id,
                f"第{part_view.question_numbers_text}题",
                part_view.stem_html or part_view.title,
            )
            regradable_parts.append(regradable_part)
            if regradable_part.id == regrade_order.part_id:
                previewed_part = regradable_part
    return request.page(
        "grading/regrading",
        title=f"重新评分：{regrade_data.assignment.title}",
        page_data=regrade_data,
        parts=regradable_parts,
        previewed_part=previewed_part,
        way=regrade_order.regrade_way,
        ways=WORDS_BY_WAY,
        reason=regrade_order.reason,
        error_sentence=error_sentence,
    )


@router.post(ASSIGNMENT_ADDRESS + "/regrades")
async def regrade_part(request: TeacherDep) -> Response:
    """Do what the preview showed."""
    form = request.form
    part_id = next(iter(form.ids("part")), 0)
    regrade_way = way_of(form.text("way"))
    regrade_order = RegradeOrder(part_id, regrade_way, form.text("reason"), form.text("digest"))
    course_by_prefix = await request.load_course_by_prefix()
    try:
        await request.write(regrading.regrade_part, regrade_order, course_by_prefix, request.now)
    except Refused as error:
        return await preview_page(request, regrade_order, str(error))
    return request.redirect(f"/classrooms/{request.classroom_id}/audit")


def way_of(regrade_way_text: str) -> RegradeWay:
    """The way of regrading in a form; NotFound for a text that is none."""
    for regrade_way in WORDS_BY_WAY:
        if regrade_way == regrade_way_text:
            return regrade_way
    raise NotFound("没有这种评分的办法。")
