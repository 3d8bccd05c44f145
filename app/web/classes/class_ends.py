"""A class at its end: into the next semester with its students, or gone for good, with its files offered."""

from starlette.responses import Response

from app.records.db.errors import Refused
from app.records.people import class_ends, security_log
from app.records.people.class_ends import NextSemester
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest
from app.web.site.routing import LazyRouter

router = LazyRouter()
SUCCESSOR_CHOICES = ("drafts", "staff", "archive")
"""What can be ticked when a class goes on into the next semester."""


@router.get(CLASSROOM_ADDRESS + "/successor")
async def ask_successor(request: ClassDep) -> Response:
    """What goes along into the next semester."""
    return await successor_page(request)


async def successor_page(request: ClassRequest, error_sentence: str = "") -> Response:
    """The form; `error_sentence`: why what was sent is refused. What was ticked stays so."""
    class_contents = await request.read(class_ends.load_class_contents)
    classroom = class_contents.classroom
    ticked_choices = ["staff", "archive"]
    if error_sentence:
        ticked_choices = ticked_choices_of(request)
    return request.page(
        "classes/successor",
        title=f"{classroom.name}：下学期",
        classroom=classroom,
        contents=class_contents,
        name=request.form.text("name", f"{classroom.name}（下）")[:80],
        ticked_choices=ticked_choices,
        error_sentence=error_sentence,
    )


def ticked_choices_of(request: ClassRequest) -> list[str]:
    return [choice for choice in SUCCESSOR_CHOICES if request.form.text(choice) == "yes"]


@router.post(CLASSROOM_ADDRESS + "/successors")
async def carry_class_over(request: ClassDep) -> Response:
    """The class of the next semester; its page comes next, and says what was ticked."""
    ticked_choices = ticked_choices_of(request)
    next_semester = NextSemester(
        request.form.text("name"),
        takes_drafts="drafts" in ticked_choices,
        takes_staff="staff" in ticked_choices,
        archives_old_class="archive" in ticked_choices,
    )
    try:
        successor_id = await request.write(class_ends.carry_class_over, next_semester, request.now)
    except Refused as error:
        return await successor_page(request, str(error))
    done_word = "-".join(["successor", *ticked_choices])
    return request.redirect(f"/classrooms/{successor_id}?done={done_word}&former={request.classroom_id}")


@router.get(CLASSROOM_ADDRESS + "/deletion")
async def show_deletion(request: ClassDep) -> Response:
    """What would be gone, and the files to keep before."""
    return await deletion_page(request)


async def deletion_page(request: ClassRequest, error_sentence: str = "") -> Response:
    """The form; `error_sentence`: why nothing was deleted."""
    class_contents = await request.read(class_ends.load_class_contents)
    return request.page(
        "classes/deletion",
        title=f"删掉{class_contents.classroom.name}",
        classroom=class_contents.classroom,
        contents=class_contents,
        error_sentence=error_sentence,
    )


@router.post(CLASSROOM_ADDRESS + "/deletions")
async def delete_class(request: ClassDep) -> Response:
    """Gone for good, for who types its name."""
    try:
        removed_contents = await request.write(class_ends.remove_class, request.form.text("name"))
    except Refused as error:
        return await deletion_page(request, str(error))
    if removed_contents is not None:
        logged_facts = {"classroom": request.classroom_id, "students": removed_contents.student_count}
        security_log.write_line("class-deleted", **logged_facts)
    return request.redirect("/classrooms?done=deletion")
