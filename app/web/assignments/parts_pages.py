"""What is in an assignment: put in, moved, swapped, taken out; and looked at as its students will see it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.course import Course, Unreadable
from app.course.assignments.question_sets import QuestionSet
from app.course.exercises.exercises import LEVEL_NAMES
from app.course.items.numbers import read
from app.records.assignments import parts as parts_verbs
from app.records.assignments.values import AssignmentRow, NewPart
from app.records.db.errors import NotFound, Refused
from app.web.assignments import item_picker, question_views, teacher_views
from app.web.assignments.assignment_requests import TeacherDep, TeacherRequest
from app.web.assignments.attempt_views import render_links
from app.web.assignments.question_views import QuestionLink, QuestionState
from app.web.assignments.teacher_pages import ADDRESS, NOT_REFUSED, FormRefusal, load_assignment, refuse
from app.web.classes.classrooms import Id
from app.web.site.course_sources import teachers_courses
from app.web.site.requests import PostedForm, whole
from app.web.site.responses import wants_fragment
from app.web.site.site import Site

router = APIRouter()
PART = ADDRESS + "/parts/{part_id}"


@router.get(ADDRESS + "/items")
async def pick(request: TeacherDep, skill: str = "") -> Response:
    """The items of the course by knowledge point, to be ticked."""
    return await pick_page(request, skill)


async def pick_page(request: TeacherRequest, skill: str, error: str = "") -> Response:
    """The page; `error`: why what was ticked was refused."""
    opened, courses = await load_assignment(request)
    return request.page(
        "assignments/pick_items",
        title=f"挑题 · {opened.assignment.title}",
        opened=opened,
        picker=item_picker.picker_view(courses, opened.parts, skill),
        ticked=request.form.all("ref"),
        points=request.form.one("points", "" if error else "1"),
        error=error,
    )


@router.post(ADDRESS + "/parts")
async def add(request: TeacherDep) -> Response:
    """Put in what was chosen: ticked items, practice, sections, cards, a game."""
    form = request.form
    newest_part = next(iter(form.ids("seen")), None)
    try:
        parts = new_parts(form, await teachers_courses(request.http))
        complete = await request.write(parts_verbs.add_parts, parts, request.now, newest_part)
    except Refused as error:
        if skill := form.one("skill"):
            return await pick_page(request, skill, str(error))
        kind = form.one("kind")
        if kind in ("practice", "section", "cards", "game"):
            return await refuse(request, f"add-{kind}", error)
        return await refuse(request, "parts", error)
    if complete:
        return request.see("?done=parts#parts")
    return request.see("?done=again#parts")


def new_parts(form: PostedForm, courses: Mapping[str, Course]) -> list[NewPart]:
    """What a form asks for; Refused for what is not in any course."""
    kind = form.one("kind")
    same = form.one("same") == "yes"
    parts = []
    for choice in form.all("ref"):
        for ref, level in item_picker.refs(kind, choice, form.number("level", 1), courses):
            count = count_of(form.one("count", "1"))
            points = points_of(form.one("points", "1"))
            parts.append(NewPart(kind, ref, level=level, count=count, same=same, points=points))
    if not all(item_picker.exists(part, courses) for part in parts):
        raise Refused("有一项课程里没有，也许刚刚换过。刷新一下再挑。")
    return parts


def points_of(text: str) -> float:
    """Points as they were typed; Refused for what is no number."""
    try:
        return read(text).value
    except Unreadable:
        raise Refused("分值写一个数，比如2或0.5。") from None


def count_of(text: str) -> int:
    """A count as it was typed; Refused for what is no whole number."""
    count = whole(text)
    if count is None:
        raise Refused("题数、次数、局数写一个整数，比如3。")
    return count


def level_of(text: str) -> int:
    """One of the levels of an exercise."""
    if text not in map(str, LEVEL_NAMES):
        raise Refused("难度从易、中、难里选一个。")
    return int(text)


FIELDS: Mapping[str, Callable[[str], Any]] = {
    "level": level_of,
    "count": count_of,
    "same": lambda text: text == "yes",
    "points": points_of,
}
"""What may be set in the row of a part, and how it is read."""


def wishes_of(form: PostedForm, except_part: int = 0) -> dict[int, dict[str, Any]]:
    """What stands in the rows of parts, by part: `points-7` are the points of part 7."""
    wishes: dict[int, dict[str, Any]] = {}
    for name in form.fields:
        match = re.fullmatch("([a-z]+)-([0-9]{1,15})", name)
        if match is None:
            continue
        field = match[1]
        part_id = int(match[2])
        if field in FIELDS and part_id != except_part:
            part_wishes = wishes.setdefault(part_id, {})
            part_wishes[field] = FIELDS[field](form.one(name))
    return wishes


@router.post(ADDRESS + "/parts/settings")
async def set_parts(request: TeacherDep) -> Response:
    """Other points, another count: all rows at once."""
    try:
        await request.write(parts_verbs.set_parts, wishes_of(request.form), request.now)
    except Refused as error:
        return await refuse_change(request, error)
    return await show_change(request)


@router.post(PART + "/swaps")
async def swap(request: TeacherDep, part_id: Id) -> Response:
    """Another item of the same knowledge point in its place."""
    opened, courses = await load_assignment(request)
    part = parts_verbs.part_in(opened.parts, part_id)
    try:
        ref = item_picker.replacement(courses, opened.parts, part)
        wishes = wishes_of(request.form)
        wishes.setdefault(part_id, {})["ref"] = ref
        await request.write(parts_verbs.set_parts, wishes, request.now)
    except Refused as error:
        return await refuse_change(request, error)
    return await show_change(request, part_id)


@router.post(PART + "/moves")
async def move(request: TeacherDep, part_id: Id) -> Response:
    """A place up or down."""
    places = 1
    if request.form.one("by") == "up":
        places = -1
    try:
        await request.write(parts_verbs.move_part, part_id, places, wishes_of(request.form), request.now)
    except Refused as error:
        return await refuse_change(request, error)
    return await show_change(request, part_id)


@router.post(PART + "/removals")
async def remove(request: TeacherDep, part_id: Id) -> Response:
    """Out of the assignment."""
    try:
        wishes = wishes_of(request.form, except_part=part_id)
        await request.write(parts_verbs.remove_part, part_id, wishes, request.now)
    except Refused as error:
        return await refuse_change(request, error)
    return await show_change(request)


async def show_change(request: TeacherRequest, part_id: int = 0) -> Response:
    """The list of parts as it is now: the fragment, or the page. `part_id`: the part that takes the focus."""
    if wants_fragment(request.http):
        return await parts_fragment(request, NOT_REFUSED, part_id)
    if part_id:
        return request.see(f"#part-{part_id}")
    return request.see("#parts")


async def refuse_change(request: TeacherRequest, error: Refused) -> Response:
    """Nothing was changed: the list with the reason and what was typed."""
    if wants_fragment(request.http):
        return await parts_fragment(request, FormRefusal("parts", str(error), request.form))
    return await refuse(request, "parts", error)


async def parts_fragment(request: TeacherRequest, refusal: FormRefusal, part_id: int = 0) -> Response:
    opened, courses = await load_assignment(request)
    status = 200
    if refusal.where:
        status = 422
    html = request.site.render(
        "assignments/_parts.html",
        view=teacher_views.assignment_view(courses, opened, request.now),
        moved=part_id,
        done="",
        oob=True,
        **refusal._asdict(),
    )
    return HTMLResponse(html, status)


@router.get(ADDRESS + "/preview")
async def preview(request: TeacherDep, question: str = "1") -> Response:
    """A question as a student sees it, with links to all of them; its fields do nothing here."""
    opened, courses = await load_assignment(request)
    paper = QuestionSet(courses, opened.parts, opened.assignment.seed)
    number = 0
    if question.isdecimal() and len(question) < 5:
        number = int(question)
    if not 1 <= number <= max(1, len(paper.questions)):
        raise NotFound("这份作业没有这一题。")
    view = teacher_views.assignment_view(courses, opened, request.now)
    links = []
    for entry in paper.questions:
        url = f"{view.url}/preview?question={entry.number}"
        links.append(QuestionLink(entry.number, "open", url))
    return request.page(
        "assignments/preview",
        title=f"预览 · {opened.assignment.title}",
        view=view,
        number=number,
        last=len(links),
        question_links=render_links(request.site, links, number),
        item_html=render_preview(request.site, opened.assignment, paper, number),
    )


def render_preview(site: Site, rules: AssignmentRow, paper: QuestionSet, number: int) -> str:
    """A question without an address for its answers; empty where its item is gone."""
    if not paper.questions:
        return ""
    variant = question_views.current_question(paper, paper.questions[number - 1])
    if variant is None:
        return ""
    how = QuestionState(rules, url="", answer_label="存下，下一题")
    return question_views.render_question(site, question_views.open_view(variant, how))
