"""What is in an assignment: put in, moved, swapped, taken out; and looked at as its students will see it."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.course import Course, Unreadable
from app.course.assignments.question_sets import QuestionSet
from app.course.exercises.exercises import LEVEL_NAMES
from app.course.items.numbers import read
from app.records.accounts.values import Caller
from app.records.assignments import assignments
from app.records.assignments.values import AssignmentRow, NewPart
from app.records.db.errors import NotFound, Refused
from app.web.assignments import item_picker, question_views, teacher_views
from app.web.assignments.attempt_views import render_links
from app.web.assignments.question_views import QuestionLink, QuestionState
from app.web.assignments.teacher_pages import HERE, Refusal, assignment_page, url
from app.web.classes.classrooms import Id
from app.web.site.course_sources import teachers_courses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import PostedForm, whole
from app.web.site.responses import page, see, wants_fragment
from app.web.site.site import Site

router = APIRouter()
PART = HERE + "/parts/{part_id}"


@router.get(HERE + "/items")
async def pick(
    request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id, assignment_id: Id, skill: str = ""
) -> Response:
    """The items of the course by knowledge point, to be ticked."""
    return await pick_page(request, site, caller, classroom_id, assignment_id, skill)


async def pick_page(
    request: Request,
    site: Site,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    skill: str,
    error: str = "",
    typed: PostedForm | None = None,
) -> Response:
    """The page; `typed`: what was ticked and not accepted, with the reason."""
    opened = await site.db.read(assignments.opened, caller, classroom_id, assignment_id)
    course_map = await teachers_courses(request, opened.parts)
    return page(
        request,
        "assignments/pick_items",
        known=True,
        status=422 if error else 200,
        page="class",
        title=f"挑题 · {opened.assignment.title}",
        opened=opened,
        picker=item_picker.picker_view(course_map, opened.parts, skill),
        ticked=typed.all("ref") if typed else (),
        points=typed.one("points") if typed else "1",
        error=error,
    )


@router.post(HERE + "/parts")
async def add(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """Put in what was chosen: ticked items, practice, sections, cards, a game."""
    newest_part = next(iter(form.ids("seen")), None)
    try:
        parts = new_parts(form, await teachers_courses(request))
        complete = await site.db.write(
            assignments.add_parts, caller, classroom_id, assignment_id, parts, now, newest_part
        )
    except Refused as error:
        if skill := form.one("skill"):
            return await pick_page(
                request, site, caller, classroom_id, assignment_id, skill, str(error), form
            )
        kind = form.one("kind")
        section = f"add-{kind}" if kind in ("practice", "section", "cards", "game") else "parts"
        refusal = Refusal(section, str(error), form)
        return await assignment_page(request, site, caller, now, classroom_id, assignment_id, refusal)
    done = "parts" if complete else "again"
    return see(request, url(classroom_id, assignment_id, f"?done={done}#parts"))


def new_parts(form: PostedForm, courses: Mapping[str, Course]) -> list[NewPart]:
    """What a form asks for; Refused for what is not in any course."""
    kind = form.one("kind")
    parts = []
    for choice in form.all("ref"):
        for ref, level in item_picker.refs(kind, choice, form.number("level", 1), courses):
            part = NewPart(
                kind,
                ref,
                level=level,
                count=count_of(form.one("count", "1")),
                same=form.one("same") == "yes",
                points=points_of(form.one("points", "1")),
            )
            parts.append(part)
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
        if match and match[1] in FIELDS and int(match[2]) != except_part:
            field, part_id = match[1], int(match[2])
            wishes.setdefault(part_id, {})[field] = FIELDS[field](form.one(name))
    return wishes


@router.post(HERE + "/parts/settings")
async def set_parts(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """Other points, another count: all rows at once."""
    try:
        await site.db.write(assignments.set_parts, caller, classroom_id, assignment_id, wishes_of(form), now)
    except Refused as error:
        return await parts_refused(request, site, caller, now, classroom_id, assignment_id, error, form)
    return await parts_changed(request, site, caller, now, classroom_id, assignment_id)


@router.post(PART + "/swaps")
async def swap(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
    part_id: Id,
) -> Response:
    """Another item of the same knowledge point in its place."""
    opened = await site.db.read(assignments.opened, caller, classroom_id, assignment_id)
    part = assignments.part_in(opened.parts, part_id)
    try:
        ref = item_picker.replacement(await teachers_courses(request, opened.parts), opened.parts, part)
        wishes = wishes_of(form)
        wishes.setdefault(part_id, {})["ref"] = ref
        await site.db.write(assignments.set_parts, caller, classroom_id, assignment_id, wishes, now)
    except Refused as error:
        return await parts_refused(request, site, caller, now, classroom_id, assignment_id, error, form)
    return await parts_changed(request, site, caller, now, classroom_id, assignment_id, part_id)


@router.post(PART + "/moves")
async def move(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
    part_id: Id,
) -> Response:
    """A place up or down."""
    places = -1 if form.one("by") == "up" else 1
    try:
        wishes = wishes_of(form)
        await site.db.write(
            assignments.move_part, caller, classroom_id, assignment_id, part_id, places, wishes, now
        )
    except Refused as error:
        return await parts_refused(request, site, caller, now, classroom_id, assignment_id, error, form)
    return await parts_changed(request, site, caller, now, classroom_id, assignment_id, part_id)


@router.post(PART + "/removals")
async def remove(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
    part_id: Id,
) -> Response:
    """Out of the assignment."""
    try:
        wishes = wishes_of(form, except_part=part_id)
        await site.db.write(
            assignments.remove_part, caller, classroom_id, assignment_id, part_id, wishes, now
        )
    except Refused as error:
        return await parts_refused(request, site, caller, now, classroom_id, assignment_id, error, form)
    return await parts_changed(request, site, caller, now, classroom_id, assignment_id)


async def parts_changed(
    request: Request,
    site: Site,
    caller: Caller,
    now: datetime,
    classroom_id: int,
    assignment_id: int,
    part_id: int = 0,
) -> Response:
    """The list of parts as it is now: the fragment, or the page. `part_id`: the part that takes the focus."""
    if wants_fragment(request):
        return await parts_fragment(request, site, caller, now, classroom_id, assignment_id, part_id)
    return see(request, url(classroom_id, assignment_id, f"#part-{part_id}" if part_id else "#parts"))


async def parts_refused(
    request: Request,
    site: Site,
    caller: Caller,
    now: datetime,
    classroom_id: int,
    assignment_id: int,
    error: Refused,
    form: PostedForm,
) -> Response:
    """Nothing was changed: the list with the reason and what was typed."""
    refusal = Refusal("parts", str(error), form)
    if wants_fragment(request):
        return await parts_fragment(request, site, caller, now, classroom_id, assignment_id, refusal=refusal)
    return await assignment_page(request, site, caller, now, classroom_id, assignment_id, refusal)


async def parts_fragment(
    request: Request,
    site: Site,
    caller: Caller,
    now: datetime,
    classroom_id: int,
    assignment_id: int,
    part_id: int = 0,
    refusal: Refusal = Refusal(),  # noqa: B008  # frozen
) -> Response:
    opened = await site.db.read(assignments.opened, caller, classroom_id, assignment_id)
    view = teacher_views.assignment_view(await teachers_courses(request, opened.parts), opened, now)
    html = site.render(
        "assignments/_parts.html", view=view, moved=part_id, done="", oob=True, **refusal._asdict()
    )
    return HTMLResponse(html, refusal.status)


@router.get(HERE + "/preview")
async def preview(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
    question: str = "1",
) -> Response:
    """A question as a student sees it, with links to all of them; its fields do nothing here."""
    opened = await site.db.read(assignments.opened, caller, classroom_id, assignment_id)
    course_map = await teachers_courses(request, opened.parts)
    paper = QuestionSet(course_map, opened.parts, opened.assignment.seed)
    number = int(question) if question.isdecimal() and len(question) < 5 else 0
    if not 1 <= number <= max(1, len(paper.questions)):
        raise NotFound("这份作业没有这一题。")
    view = teacher_views.assignment_view(course_map, opened, now)
    links = [
        QuestionLink(asked.number, "open", f"{view.url}/preview?question={asked.number}")
        for asked in paper.questions
    ]
    return page(
        request,
        "assignments/preview",
        known=True,
        page="class",
        title=f"预览 · {opened.assignment.title}",
        view=view,
        number=number,
        last=len(links),
        question_links=render_links(site, links, number),
        item_html=render_preview(site, opened.assignment, paper, number),
    )


def render_preview(site: Site, rules: AssignmentRow, paper: QuestionSet, number: int) -> str:
    """A question without an address for its answers; empty where its item is gone."""
    if not paper.questions:
        return ""
    asked = question_views.current_question(paper, paper.questions[number - 1])
    if asked is None:
        return ""
    how = QuestionState(rules, url="", answer_label="存下，下一题")
    return question_views.render_question(site, question_views.open_view(asked, how))
