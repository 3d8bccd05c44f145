"""An item on a page of its own: a simpler one for who is stuck, and a link for who wants to show one."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.records import lessons
from app.records.errors import NotFound
from app.records.values import Target
from app.web import slots
from app.web.asking import typed_in, who
from app.web.homes import Home
from app.web.pages import page
from app.web.site import site_of
from app.web.views.items import asking, render_item
from app.web.views.stages import section_url

router = APIRouter()


@router.get("/items/{item_id}")
async def show(request: Request, item_id: str) -> Response:
    """The item; `?for=` names the one that the learner is stuck at, and leads back to it."""
    site = site_of(request)
    course = site.course
    if item_id not in course.items:
        raise NotFound("没有这道题，也许它已经换掉了。")
    look = await site.db.read(lessons.example, who(request), ref(course, item_id))
    stuck = request.query_params.get("for", "")
    here = f"/items/{item_id}?for={stuck}" if stuck in course.items else f"/items/{item_id}"
    base, seed = (
        (f"/attempts/{look.attempt.id}", look.attempt.seed) if look.attempt else (here_of(item_id), 0)
    )
    asked = asking(course, item_id, look.responses, look.hints, seed=seed, typed=typed_in(request))
    return page(
        request,
        "item",
        known=look.learner_id is not None,
        page="item",
        title="先做道简单的" if stuck in course.items else "单独一题",
        item_html=slots.fill(render_item(site, asked), {slots.BASE: base, slots.NEXT: here}),
        back=place_of(course, stuck),
    )


def here_of(item_id: str) -> str:
    return f"/items/{item_id}"


def ref(course: Course, item_id: str) -> str:
    """How the attempt at an item on its own is kept."""
    return course.ref(f"item-{item_id}")


def place_of(course: Course, item_id: str) -> tuple[str, str] | None:
    """Address and title of where an item is asked in the lessons."""
    if item_id not in course.asked_in:
        return None
    stage, section = course.asked_in[item_id]
    return f"{section_url(stage, section)}#item-{item_id}", section.title


def target_of(course: Course, name: str, seed: int) -> Target | None:
    return Target(source="practice", ref=ref(course, name), seed=seed) if name in course.items else None


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    item_id = ref.removeprefix("item-")
    return (here_of(item_id), "单独一题") if ref.startswith("item-") and item_id in course.items else None


HOME = Home("items", target_of, page_of)
