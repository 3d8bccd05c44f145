"""班级: create, show, rename, put away; the code, and the page for the projector."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import HTMLResponse, Response

from app.records.assignments.assigned import AssignedTask
from app.records.assignments.deadlines import Schedule
from app.records.assignments.values import StudentAssignment
from app.records.classes import classrooms, groups, notices, student_numbers
from app.records.classes.values import ClassData, JoinedClass
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_ids, text_of_row_ids
from app.records.insight import attended_class, class_progress, today
from app.records.people import class_ends
from app.web.classes.class_views import heat_table, is_loopback
from app.web.qr_codes import qr_code_svg
from app.web.site.requests import (
    CallerRequest,
    RequestDep,
    ResourceRequest,
    RowId,
    UnreadRequestDep,
    site_host,
    site_url,
)
from app.web.site.responses import Context
from app.web.site.routing import LazyRouter

router = LazyRouter()
CLASSROOM_ADDRESS = "/classrooms/{classroom_id}"


@dataclass(frozen=True)
class ClassRequest(ResourceRequest[int]):
    """A request about a class."""

    classroom_id: int
    menu_entry = "class"

    @property
    def url(self) -> str:
        return f"/classrooms/{self.classroom_id}"

    @property
    def key(self) -> int:
        return self.classroom_id


async def class_request(request: RequestDep, classroom_id: RowId) -> ClassRequest:
    return ClassRequest(**vars(request), classroom_id=classroom_id)


async def unread_class_request(request: UnreadRequestDep, classroom_id: RowId) -> ClassRequest:
    return await class_request(request, classroom_id)


ClassDep = Annotated[ClassRequest, Depends(class_request)]
UnreadClassDep = Annotated[ClassRequest, Depends(unread_class_request)]


@router.get("/classrooms")
async def index(request: RequestDep) -> Response:
    """The classes one teaches, and those one is in. A class with open work leads to 今天."""
    return await classes_page(request)


@router.post("/classrooms")
async def create_class(request: RequestDep) -> Response:
    """A new class; the projector page comes next."""
    class_name = request.form.text("name")
    try:
        classroom_id = await request.write(classrooms.create_class, class_name, request.now)
    except Refused as error:
        return await classes_page(request, class_name[:80], str(error))
    return request.redirect(f"/classrooms/{classroom_id}/projector")


async def classes_page(
    request: CallerRequest,
    typed_name: str = "",
    error_sentence: str = "",
    typed_title: str = "",
    title_error: str = "",
) -> Response:
    """The classes of the caller; `typed_name` and `error_sentence`: the new class that was refused;
    `typed_title` and `title_error`: the new assignment."""
    status = 200
    if title_error:
        status = 422
    class_lists, open_work_by_class_id = await request.read(today.load_classes_and_summaries, request.now)
    return request.page(
        "classes/index",
        is_signed_in=class_lists.visitor.learner_id is not None,
        status=status,
        page="class",
        title="班级",
        done=request.query.get("done", ""),
        lists=class_lists,
        open_work_by_class_id=open_work_by_class_id,
        typed_name=typed_name,
        error_sentence=error_sentence,
        now=request.now,
        typed_title=typed_title,
        title_error=title_error,
        sent_form=request.form,
    )


@router.get(CLASSROOM_ADDRESS)
async def show(request: ClassDep) -> Response:
    """The class page of its teacher; a student of the class gets their own."""
    try:
        class_data = await request.read(class_progress.load_class)
    except NotFound:
        attended_class_data = await request.read(attended_class.load_class_with_work_to_do, request.now)
        return class_page(
            request, attended_class_data.joined_class, attended_class_data.assignments_with_schedule
        )
    ended_assignment_ids = row_ids(request.query.get("ended", ""))
    ended_title_by_id = {}
    if ended_assignment_ids:
        ended_title_by_id = await request.read(
            class_ends.load_title_by_ended_assignment_id, ended_assignment_ids
        )
    return students_page(request, class_data, ended_title_by_id=ended_title_by_id)


async def refused_students_page(request: ClassRequest, error_place: str, error_sentence: str) -> Response:
    """The class page of its teacher, with what was refused in its form."""
    class_data = await request.read(class_progress.load_class)
    return students_page(request, class_data, error_place, error_sentence)


def students_page(
    request: ClassRequest,
    class_data: ClassData,
    error_place: str = "",
    error_sentence: str = "",
    ended_title_by_id: Mapping[int, str] = MappingProxyType({}),
) -> Response:
    """The class page of its teacher. Of a refused form, `error_place` says which, `error_sentence` why.
    `ended_title_by_id`: the assignments that ended while the class was put away, once it is back."""
    classroom = class_data.classroom
    page_number = request.query_number("page") or 1
    group_id = groups.known_group_id(class_data.groups, request.query_number("group"))
    notice = request.form.text("text", classroom.current_notice(request.now))
    fitting_day_count = notices.fitting_day_count(classroom.notice_until, request.now)
    return request.page(
        "classes/show",
        title=classroom.name,
        class_data=class_data,
        heat=heat_table(request.course, class_data.of_group(group_id), page_number),
        group_id=group_id,
        is_open=classroom.is_open(request.now),
        moved_sentence=sentence_of_move(request.query.get("brought", "")),
        done_words=request.query.get("done", "").split("-"),
        ended_title_by_id=ended_title_by_id,
        former_class_id=request.query_number("former"),
        notice=notice,
        notice_days=notices.NOTICE_DAYS,
        chosen_notice_days=request.form.number("days", fitting_day_count),
        ticked_ids=request.form.ids("student"),
        error_place=error_place,
        error_sentence=error_sentence,
    )


def sentence_of_move(brought_count_text: str) -> str:
    """What is said after a student came from another class. `brought_count_text`: how many marks came along,
    or `none` where they were to stay.

    >>> sentence_of_move("2")
    '换过来了，带来2份成绩；改动记录里写着从哪来。原来班里没交的，不能再交。'
    >>> sentence_of_move("")
    ''
    """
    marks_words = f"，带来{brought_count_text}份成绩；改动记录里写着从哪来"
    if brought_count_text == "none":
        marks_words = "，成绩留在原来的班"
    elif brought_count_text == "0":
        marks_words = "；没有成绩可带：要两个班标题、满分都一样，TA又有分"
    elif not brought_count_text.isdecimal():
        return ""
    return f"换过来了{marks_words}。原来班里没交的，不能再交。"


@router.post(CLASSROOM_ADDRESS + "/notices")
async def set_notice(request: ClassDep) -> Response:
    """A line for the students of the class; an empty one takes it away."""
    form = request.form
    day_count = form.number("days", notices.USUAL_NOTICE_DAYS)
    try:
        await request.write(notices.set_notice, form.text("text"), day_count, request.now)
    except Refused as error:
        return await refused_students_page(request, "notice", str(error))
    return request.redirect_within("#notice")


@router.get(CLASSROOM_ADDRESS + "/preview")
async def preview_class_page(request: ClassDep) -> Response:
    """学生视角: the same page for the teacher, with what everybody has to do in place of one's own."""
    joined_class, tasks = await request.read(attended_class.load_class_and_tasks)
    return class_page(request, joined_class, preview_tasks=tasks)


def class_page(
    request: ClassRequest,
    joined_class: JoinedClass,
    assignments_with_schedule: Sequence[tuple[StudentAssignment, Schedule]] = (),
    preview_tasks: Sequence[AssignedTask] | None = None,
) -> Response:
    """The page of a class for its students, with what there is to do for one of them; `preview_tasks`: for
    everybody, as their teacher sees it."""
    return request.page(
        "classes/attended",
        title=joined_class.name,
        classroom=joined_class,
        notice=joined_class.current_notice(request.now),
        assignments_with_schedule=assignments_with_schedule,
        is_preview=preview_tasks is not None,
        tasks=preview_tasks,
    )


@router.post(CLASSROOM_ADDRESS + "/names")
async def rename_class(request: ClassDep) -> Response:
    await request.write(classrooms.rename_class, request.form.text("name"), request.now)
    return request.redirect_within()


@router.post(CLASSROOM_ADDRESS + "/number-kinds")
async def settle_number_kind(request: ClassDep) -> Response:
    """What the small numbers of the class are, which stood in one column with 学号: the teacher says it."""
    number_kind: student_numbers.NumberKind = "number"
    if request.form.text("kind") == "seat":
        number_kind = "seat"
    await request.write(student_numbers.settle_number_kind, number_kind, request.now)
    return request.redirect_within()


@router.post(CLASSROOM_ADDRESS + "/doors")
async def set_number_asking(request: ClassDep) -> Response:
    """Whether whoever joins by the code is asked for their 学号."""
    asks_number = request.form.text("number") == "yes"
    await request.write(student_numbers.set_number_at_door, asks_number, request.now)
    return request.redirect_within("#class-settings")


@router.post(CLASSROOM_ADDRESS + "/archivings")
async def archive_class(request: ClassDep) -> Response:
    """Put the class away."""
    await request.write(classrooms.archive_class, request.now)
    return request.redirect_within()


@router.post(CLASSROOM_ADDRESS + "/restorings")
async def restore_class(request: ClassDep) -> Response:
    """Bring the class back; its page names what ended meanwhile."""
    ended_assignment_ids = await request.write(class_ends.restore_class, request.now)
    if not ended_assignment_ids:
        return request.redirect_within()
    return request.redirect_within(f"?ended={text_of_row_ids(ended_assignment_ids)}")


@router.post(CLASSROOM_ADDRESS + "/openings")
async def open_code(request: ClassDep) -> Response:
    """Let people in by the code, or by a new one."""
    renews_code = request.form.text("renew") == "yes"
    await request.write(classrooms.open_join_code, request.now, renews_code)
    return request.redirect_within("/projector")


@router.post(CLASSROOM_ADDRESS + "/closings")
async def close_code(request: ClassDep) -> Response:
    """Nobody comes in any more."""
    await request.write(classrooms.close_join_code)
    return request.redirect_within("/projector")


@router.get(CLASSROOM_ADDRESS + "/projector")
async def show_projector(request: ClassDep) -> Response:
    """For the wall: the code as large as can be, the QR code, and who has come."""
    arrivals_context = await load_arrivals_context(request)
    classroom = arrivals_context["classroom"]
    join_url = f"{site_url(request.http)}/join/{classroom.code}"
    context = arrivals_context | host_context(request.http)
    return request.page(
        "classes/projector",
        page="projector",
        title=f"加入{classroom.name}",
        link=join_url,
        qr_code=qr_code_svg(join_url, "加入班级的二维码"),
        open_minutes=int(classrooms.CODE_OPEN_FOR / timedelta(minutes=1)),
        **context,
    )


@router.get(CLASSROOM_ADDRESS + "/arrivals")
async def show_arrivals(request: ClassDep) -> Response:
    """Who has come so far: the part of the projector page that asks again, as long as the code is open.

    Whoever was signed out elsewhere gets one line in its place, which asks for nothing any more.
    """
    try:
        context = await load_arrivals_context(request)
    except NotFound:
        return HTMLResponse(request.site.render("classes/_arrivals_over.html"), 404)
    arrivals_html = request.site.render("classes/_arrivals.html", **context)
    return HTMLResponse(arrivals_html)


async def load_arrivals_context(request: ClassRequest) -> Context:
    """The context of `classes/_arrivals.html`."""
    classroom, students = await request.read(class_progress.load_class_and_ordered_students)
    is_open = classroom.is_open(request.now)
    return {"classroom": classroom, "students": students, "is_open": is_open}


def host_context(http: Request) -> Context:
    """What the site is called to those who are to come, and whether only this machine knows it by that."""
    host_name = site_host(http)
    return {"host": host_name, "is_loopback": is_loopback(host_name)}
