"""What is in an assignment: put in, moved, swapped, taken out; and looked at as its students will see it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.course import Course, Unreadable
from app.course.assignments.question_sets import QuestionSet
from app.course.items.numbers import read
from app.records.assignments import assignments
from app.records.assignments.values import NewPart
from app.records.db.errors import NotFound, Refused
from app.web.assignments import item_picker, teacher_views
from app.web.assignments.part_views import LEVELS
from app.web.assignments.question_views import (
    QuestionLink,
    QuestionState,
    asked_of,
    open_view,
    render_question,
)
from app.web.assignments.teacher_pages import HERE, refused, url
from app.web.classes.classrooms import Id
from app.web.site.clock import now
from app.web.site.course_sources import teachers_courses
from app.web.site.requests import PostedForm, caller_of, read_form, whole
from app.web.site.responses import page, see, wants_fragment
from app.web.site.site import site_of

router = APIRouter()
PART = HERE + "/parts/{part_id}"


@router.get(HERE + "/items")
async def pick(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """The items of the course by knowledge point, to be ticked."""
    return await pick_page(request, classroom_id, assignment_id, request.query_params.get("skill", ""))


async def pick_page(
    request: Request,
    classroom_id: int,
    assignment_id: int,
    skill: str,
    error: str = "",
    typed: PostedForm | None = None,
) -> Response:
    """The page; `typed`: what was ticked and not accepted, with the reason."""
    site = site_of(request)
    found = await site.db.read(assignments.opened, caller_of(request), classroom_id, assignment_id)
    return page(
        request,
        "assignments/pick_items",
        known=True,
        status=422 if error else 200,
        page="class",
        title=f"挑题 · {found.assignment.title}",
        look=found,
        shelf=item_picker.picker_view(await teachers_courses(request, found.parts), found.parts, skill),
        ticked=typed.all("ref") if typed else (),
        points=typed.one("points") if typed else "1",
        error=error,
    )


@router.post(HERE + "/parts")
async def add(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """Put something in: ticked items, practice, sections, cards, a game."""
    form, site = await read_form(request), site_of(request)
    here, seen = (classroom_id, assignment_id), next(iter(form.ids("seen")), None)
    try:
        wanted = new_parts(form, await teachers_courses(request))
        whole = await site.db.write(assignments.add_parts, caller_of(request), *here, wanted, now(), seen)
    except Refused as error:
        if skill := form.one("skill"):
            return await pick_page(request, *here, skill, str(error), form)
        return await refused(request, *here, adding_of(form.one("kind")), error, form)
    return see(request, url(*here, f"?done={'parts' if whole else 'again'}#parts"))


def adding_of(kind: str) -> str:
    """The form on the page of an assignment that adds this."""
    return f"add-{kind}" if kind in ("practice", "section", "cards", "game") else "parts"


def new_parts(form: PostedForm, known: Mapping[str, Course]) -> list[NewPart]:
    """What a form asks for; Refused for what is not in any course."""
    kind = form.one("kind")
    found = [
        NewPart(
            kind,
            ref,
            level=level,
            count=count_of(form.one("count", "1")),
            same=form.one("same") == "yes",
            points=points_of(form.one("points", "1")),
        )
        for chosen in form.all("ref")
        for ref, level in item_picker.refs(kind, chosen, form.number("level", 1), known)
    ]
    if any(not item_picker.exists(one, known) for one in found):
        raise Refused("有一项课程里没有，也许刚刚换过。刷新一下再挑。")
    return found


def points_of(text: str) -> float:
    """Points as they were typed; Refused for what is no number."""
    try:
        return read(text).value
    except Unreadable:
        raise Refused("分值写一个数，比如2或0.5。") from None


def count_of(text: str) -> int:
    """A count as it was typed; Refused for what is no whole number."""
    found = whole(text)
    if found is None:
        raise Refused("题数、次数、局数写一个整数，比如3。")
    return found


def level_of(text: str) -> int:
    """One of the levels of an exercise."""
    if text not in map(str, LEVELS):
        raise Refused("难度从易、中、难里选一个。")
    return int(text)


FIELDS: Mapping[str, Callable[[str], Any]] = {
    "level": level_of,
    "count": count_of,
    "same": lambda text: text == "yes",
    "points": points_of,
}


def wishes_of(form: PostedForm, but: int = 0) -> dict[int, dict[str, Any]]:
    """What stands in the rows of parts, of all but one: `points-7` are the points of part 7."""
    found: dict[int, dict[str, Any]] = {}
    for name in form.fields:
        if row := re.fullmatch("([a-z]+)-([0-9]{1,15})", name):
            field, part = row[1], int(row[2])
            if field in FIELDS and part != but:
                found.setdefault(part, {})[field] = FIELDS[field](form.one(name))
    return found


@router.post(HERE + "/parts/settings")
async def set_parts(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """Other points, another count: all rows at once."""
    form, site = await read_form(request), site_of(request)
    here = (classroom_id, assignment_id)
    try:
        await site.db.write(assignments.set_parts, caller_of(request), *here, wishes_of(form), now())
    except Refused as error:
        return await parts_refused(request, *here, error, form)
    return await parts_again(request, *here)


@router.post(PART + "/swaps")
async def swap(request: Request, classroom_id: Id, assignment_id: Id, part_id: Id) -> Response:
    """Another item of the same knowledge point in its place."""
    form, site = await read_form(request), site_of(request)
    here = (classroom_id, assignment_id)
    found = await site.db.read(assignments.opened, caller_of(request), *here)
    old = assignments.part_in(found.parts, part_id)
    try:
        other = item_picker.another(await teachers_courses(request, found.parts), found.parts, old)
        wishes = wishes_of(form)
        wishes[part_id] = wishes.get(part_id, {}) | {"ref": other}
        await site.db.write(assignments.set_parts, caller_of(request), *here, wishes, now())
    except Refused as error:
        return await parts_refused(request, *here, error, form)
    return await parts_again(request, *here, part_id)


@router.post(PART + "/moves")
async def move(request: Request, classroom_id: Id, assignment_id: Id, part_id: Id) -> Response:
    """A place up or down."""
    form, site = await read_form(request), site_of(request)
    here = (classroom_id, assignment_id)
    places = -1 if form.one("by") == "up" else 1
    try:
        wishes = wishes_of(form)
        await site.db.write(assignments.move_part, caller_of(request), *here, part_id, places, wishes, now())
    except Refused as error:
        return await parts_refused(request, *here, error, form)
    return await parts_again(request, *here, part_id)


@router.post(PART + "/removals")
async def remove(request: Request, classroom_id: Id, assignment_id: Id, part_id: Id) -> Response:
    """Out of the assignment."""
    form, site = await read_form(request), site_of(request)
    here = (classroom_id, assignment_id)
    try:
        wishes = wishes_of(form, but=part_id)
        await site.db.write(assignments.remove_part, caller_of(request), *here, part_id, wishes, now())
    except Refused as error:
        return await parts_refused(request, *here, error, form)
    return await parts_again(request, *here)


async def parts_again(request: Request, classroom_id: int, assignment_id: int, part_id: int = 0) -> Response:
    """The list of parts as it is now: the fragment, or the page."""
    if not wants_fragment(request):
        return see(request, url(classroom_id, assignment_id, f"#part-{part_id}" if part_id else "#parts"))
    return await parts_fragment(request, classroom_id, assignment_id, moved=part_id)


async def parts_refused(
    request: Request, classroom_id: int, assignment_id: int, error: Refused, typed: PostedForm
) -> Response:
    """Nothing was changed: the list with the reason and what was typed."""
    here = (request, classroom_id, assignment_id)
    if not wants_fragment(request):
        return await refused(*here, "parts", error, typed)
    return await parts_fragment(*here, where="parts", error=str(error), typed=typed, status=422)


async def parts_fragment(
    request: Request,
    classroom_id: int,
    assignment_id: int,
    *,
    moved: int = 0,
    where: str = "",
    error: str = "",
    typed: PostedForm | None = None,
    status: int = 200,
) -> Response:
    site = site_of(request)
    found = await site.db.read(assignments.opened, caller_of(request), classroom_id, assignment_id)
    look = teacher_views.assignment_view(await teachers_courses(request, found.parts), found, now())
    told = {"where": where, "error": error, "typed": typed, "moved": moved, "done": "", "oob": True}
    return HTMLResponse(site.render("assignments/_parts.html", look=look, **told), status)


@router.get(HERE + "/preview")
async def preview(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """A question as a student sees it, with the rail; its fields do nothing here."""
    site = site_of(request)
    found = await site.db.read(assignments.opened, caller_of(request), classroom_id, assignment_id)
    paper = QuestionSet(await teachers_courses(request, found.parts), found.parts, found.assignment.seed)
    text = request.query_params.get("question", "1")
    number = int(text) if text.isdecimal() and len(text) < 5 else 0
    question = next((one for one in paper.questions if one.number == number), None)
    if question is None and (paper.questions or number != 1):
        raise NotFound("这份作业没有这一题。")
    row = found.assignment
    asked = asked_of(paper, question) if question else None
    how = QuestionState(
        row.id, "", "", 0, row.answers == "at_once", row.tries, row.hints, label="存下，下一题"
    )
    here = url(classroom_id, assignment_id)
    beads = [
        QuestionLink(one.number, "open", f"{here}/preview?question={one.number}") for one in paper.questions
    ]
    return page(
        request,
        "assignments/preview",
        known=True,
        page="class",
        title=f"预览 · {row.title}",
        look=teacher_views.assignment_view(await teachers_courses(request, found.parts), found, now()),
        number=number,
        last=len(beads),
        here=here,
        rail=site.render("assignments/_question_nav.html", beads=beads, here=number, oob=False),
        item_html=render_question(site, open_view(asked, how)) if asked else "",
    )
