"""What is in an assignment: put in, moved, swapped, taken out; and looked at as its students will see it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.course import Course, Unreadable
from app.course.numbers import read
from app.course.papers import Paper
from app.records import assignments
from app.records.assignment_values import NewPart, PartRow
from app.records.errors import NotFound, Refused
from app.web.asking import Form, read_form, who
from app.web.assignments import HERE, refused, url
from app.web.classrooms import Id
from app.web.courses import teachers_courses
from app.web.pages import page, see, wants_fragment
from app.web.site import now, site_of
from app.web.views import assigning, picking
from app.web.views.questions import Asking, Bead, asked_of, open_view, render_question

router = APIRouter()
PART = HERE + "/parts/{part_id}"


@router.get(HERE + "/items")
async def pick(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """The items of the course by knowledge point, to be ticked."""
    site, query = site_of(request), request.query_params
    found = await site.db.read(assignments.opened, who(request), classroom_id, assignment_id)
    return page(
        request,
        "pick_items",
        known=True,
        page="class",
        title=f"挑题 · {found.assignment.title}",
        look=found,
        shelf=picking.shelf(
            await teachers_courses(request, found.parts), found.parts, query.get("skill", "")
        ),
    )


@router.post(HERE + "/parts")
async def add(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """Put something in: ticked items, practice, sections, cards, a game."""
    form, site = await read_form(request), site_of(request)
    try:
        wanted = new_parts(form, await teachers_courses(request))
        await site.db.write(assignments.add_parts, who(request), classroom_id, assignment_id, wanted)
    except Refused as error:
        return await refused(request, classroom_id, assignment_id, "parts", error, form)
    return see(request, url(classroom_id, assignment_id, "?done=parts#parts"))


def new_parts(form: Form, known: Mapping[str, Course]) -> list[NewPart]:
    """What a form asks for; Refused for what is not in any course."""
    kind = form.one("kind")
    found = [
        NewPart(
            kind,
            ref,
            level=form.number("level", 1 if kind == "practice" else 0),
            count=form.number("count", 1),
            same=form.one("same") == "yes",
            points=points_of(form),
        )
        for chosen in form.all("ref")
        for ref in picking.refs(kind, chosen, known)
    ]
    if any(not picking.exists(one, known) for one in found):
        raise Refused("有一项课程里没有，也许刚刚换过。刷新一下再挑。")
    return found


def points_of(form: Form) -> float:
    """Points as they were typed; Refused for what is no number."""
    try:
        return read(form.one("points") or "1").value
    except Unreadable:
        raise Refused("分值写一个数，比如2或0.5。") from None


@router.post(PART + "/settings")
async def set_part(request: Request, classroom_id: Id, assignment_id: Id, part_id: Id) -> Response:
    """Other points, another count."""
    form = await read_form(request)

    def wanted(old: PartRow) -> NewPart:
        asks = old.kind == "practice"
        return NewPart(
            old.kind,
            old.ref,
            level=form.number("level", old.level),
            count=form.number("count", old.count) if old.kind != "item" else 1,
            same=form.one("same") == "yes" if asks or "same_" in form.fields else old.same,
            points=points_of(form),
        )

    return await change(request, classroom_id, assignment_id, part_id, wanted, form)


@router.post(PART + "/swaps")
async def swap(request: Request, classroom_id: Id, assignment_id: Id, part_id: Id) -> Response:
    """Another item of the same knowledge point in its place."""
    found = await site_of(request).db.read(assignments.opened, who(request), classroom_id, assignment_id)
    known = await teachers_courses(request, found.parts)

    def wanted(old: PartRow) -> NewPart:
        return replace(as_new(old), ref=picking.another(known, found.parts, old))

    return await change(request, classroom_id, assignment_id, part_id, wanted, await read_form(request))


def as_new(old: PartRow) -> NewPart:
    return NewPart(old.kind, old.ref, old.level, old.count, old.same, old.points)


async def change(
    request: Request,
    classroom_id: int,
    assignment_id: int,
    part_id: int,
    wanted: Callable[[PartRow], NewPart],
    form: Form,
) -> Response:
    """Put something else in the place of a part."""
    site = site_of(request)
    found = await site.db.read(assignments.opened, who(request), classroom_id, assignment_id)
    old = next((one for one in found.parts if one.id == part_id), None)
    if old is None:
        raise NotFound("作业里没有这一项，也许刚刚移走了。")
    try:
        await site.db.write(
            assignments.set_part, who(request), classroom_id, assignment_id, part_id, wanted(old)
        )
    except Refused as error:
        return await refused(request, classroom_id, assignment_id, "parts", error, form)
    return await parts_again(request, classroom_id, assignment_id, part_id)


@router.post(PART + "/moves")
async def move(request: Request, classroom_id: Id, assignment_id: Id, part_id: Id) -> Response:
    """A place up or down."""
    form = await read_form(request)
    places = -1 if form.one("by") == "up" else 1
    try:
        await site_of(request).db.write(
            assignments.move_part, who(request), classroom_id, assignment_id, part_id, places
        )
    except Refused as error:
        return await refused(request, classroom_id, assignment_id, "parts", error, form)
    return await parts_again(request, classroom_id, assignment_id, part_id)


@router.post(PART + "/removals")
async def remove(request: Request, classroom_id: Id, assignment_id: Id, part_id: Id) -> Response:
    """Out of the assignment."""
    form = await read_form(request)
    try:
        await site_of(request).db.write(
            assignments.remove_part, who(request), classroom_id, assignment_id, part_id
        )
    except Refused as error:
        return await refused(request, classroom_id, assignment_id, "parts", error, form)
    return await parts_again(request, classroom_id, assignment_id, 0)


async def parts_again(request: Request, classroom_id: int, assignment_id: int, part_id: int) -> Response:
    """The list of parts as it is now: the fragment, or the page."""
    if not wants_fragment(request):
        return see(request, url(classroom_id, assignment_id, f"#part-{part_id}" if part_id else "#parts"))
    site = site_of(request)
    found = await site.db.read(assignments.opened, who(request), classroom_id, assignment_id)
    look = assigning.look(await teachers_courses(request, found.parts), found, now())
    return HTMLResponse(
        site.render("assignments/_parts.html", look=look, where="", error="", done="", moved=part_id)
    )


@router.get(HERE + "/preview")
async def preview(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """A question as a student sees it, with the rail; its fields do nothing here."""
    site = site_of(request)
    found = await site.db.read(assignments.opened, who(request), classroom_id, assignment_id)
    paper = Paper(await teachers_courses(request, found.parts), found.parts, found.assignment.seed)
    text = request.query_params.get("question", "1")
    number = int(text) if text.isdecimal() and len(text) < 5 else 0
    question = next((one for one in paper.questions if one.number == number), None)
    if question is None and (paper.questions or number != 1):
        raise NotFound("这份作业没有这一题。")
    row = found.assignment
    asked = asked_of(paper, question) if question else None
    how = Asking(row.id, "", "", 0, row.answers == "at_once", row.tries, row.hints, label="存下，下一题")
    here = url(classroom_id, assignment_id)
    beads = [Bead(one.number, "open", f"{here}/preview?question={one.number}") for one in paper.questions]
    return page(
        request,
        "assignment_preview",
        known=True,
        page="class",
        title=f"预览 · {row.title}",
        look=assigning.look(await teachers_courses(request, found.parts), found, now()),
        number=number,
        last=len(beads),
        here=here,
        rail=site.render("assignments/_rail.html", beads=beads, here=number, oob=False),
        item_html=render_question(site, open_view(asked, how)) if asked else "",
    )
