"""小组: the groups of a class, for all who teach it; whoever may change the class makes them here."""

from starlette.responses import Response

from app.records.classes import groups
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest
from app.web.site.requests import RowId
from app.web.site.routing import LazyRouter

router = LazyRouter()
GROUPS_ADDRESS = CLASSROOM_ADDRESS + "/groups"


@router.get(GROUPS_ADDRESS)
async def show(request: ClassDep) -> Response:
    """Every group with its students, and the forms that change them."""
    return await groups_page(request)


async def groups_page(request: ClassRequest, error_place: str = "", error_sentence: str = "") -> Response:
    """Of a refused form, `error_place` says which, `error_sentence` why; it keeps what is typed."""
    class_groups = await request.read(groups.load_groups)
    return request.page(
        "classes/groups",
        title=f"{class_groups.classroom.name}的小组",
        classroom=class_groups.classroom,
        class_groups=class_groups,
        error_place=error_place,
        error_sentence=error_sentence,
        sent_form=request.form,
    )


@router.post(GROUPS_ADDRESS)
async def add_group(request: ClassDep) -> Response:
    """A new group, empty."""
    try:
        await request.write(groups.add_group, request.form.text("name"), request.now)
    except Refused as error:
        return await groups_page(request, "add", str(error))
    return request.redirect_within("/groups")


@router.post(GROUPS_ADDRESS + "/members")
async def place_students(request: ClassDep) -> Response:
    """The students who are ticked, or named by 学号 or name, into a group or out of all."""
    form = request.form
    group_id_text = form.text("group")
    group_id = row_id(group_id_text)
    if group_id_text and group_id is None:
        raise NotFound
    student_ids, typed_names_text = form.ids("student"), form.text("names")
    try:
        await request.write(groups.place_students, group_id, student_ids, typed_names_text, request.now)
    except Refused as error:
        return await groups_page(request, "members", str(error))
    return request.redirect_within("/groups#members-title")


@router.post(GROUPS_ADDRESS + "/splits")
async def split_class(request: ClassDep) -> Response:
    """The whole class into so many groups, by chance."""
    form = request.form
    group_count = form.number("count", 0)
    replaces_groups = form.text("replace") == "yes"
    known_split_count = None
    if form.text("seen"):
        known_split_count = form.number("seen", 0)
    try:
        await request.write(
            groups.split_class, group_count, replaces_groups, request.now, None, known_split_count
        )
    except Refused as error:
        return await groups_page(request, "split", str(error))
    return request.redirect_within("/groups")


@router.post(GROUPS_ADDRESS + "/{group_id}/names")
async def rename_group(request: ClassDep, group_id: RowId) -> Response:
    """Another name for a group."""
    try:
        await request.write(groups.rename_group, group_id, request.form.text("name"), request.now)
    except Refused as error:
        return await groups_page(request, f"name-{group_id}", str(error))
    return request.redirect_within("/groups")


@router.post(GROUPS_ADDRESS + "/{group_id}/removals")
async def remove_group(request: ClassDep, group_id: RowId) -> Response:
    """The group is no more; its students stay in the class."""
    await request.write(groups.remove_group, group_id, request.now)
    return request.redirect_within("/groups")
