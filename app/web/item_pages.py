"""An item on a page of its own: a simpler one for who is stuck, and a link for who wants to show one."""

import re
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.records.db.errors import NotFound
from app.records.learning import lesson_pages
from app.records.learning.values import Target
from app.records.practice import overview
from app.web.items.item_views import item_state, render_item
from app.web.learning.stage_views import section_url
from app.web.practice.progress_views import after_reading, ahead, pause
from app.web.site import slots
from app.web.site.clock import now
from app.web.site.contexts import AnswerContext
from app.web.site.requests import caller_of, typed_in
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/items/{item_id}")
async def show(request: Request, item_id: str) -> Response:
    """The item; `?for=` names the one that the learner is stuck at, and leads back to it.

    `?seed=` asks it once more, for practice: each seed is an attempt of its own.
    """
    site = site_of(request)
    course, query = site.course, request.query_params
    name = f"{item_id}.{query['seed']}" if "seed" in query else item_id
    once = find_once(course, name)
    (look, before) = await site.db.read(
        overview.beside, caller_of(request), course, now(), lesson_pages.load_example, ref(course, name)
    )
    stuck = query.get("for", "")
    here = f"{once.url}?for={stuck}" if stuck in course.items and not once.seed else once.url
    reads = "read" in query
    here = after_reading(here) if reads else here
    base, seed = (
        (f"/attempts/{look.attempt.id}", look.attempt.seed) if look.attempt else (f"/items/{name}", once.seed)
    )
    attempt, typed = ref(course, name), typed_in(request)
    asked = item_state(course, item_id, look.responses, look.hints, attempt, seed=seed, typed=typed)
    return page(
        request,
        "items/item",
        known=look.learner_id is not None,
        page="item",
        title="先做道简单的" if stuck in course.items else "单独一题",
        pause=None if reads or look.responses else pause(course, before, here),
        item_html=slots.fill(render_item(site, asked), {slots.BASE: base, slots.NEXT: here}),
        card_url=f"/cards/new?item={item_id}&seed={seed}",
        back=place_of(course, stuck),
        ahead=ahead(site, before, asked) if once.seed else None,
    )


@dataclass(frozen=True)
class ItemOnce:
    """An item on its own; with a seed it is asked once more."""

    item: str
    seed: int = 0

    @property
    def url(self) -> str:
        return f"/items/{self.item}?seed={self.seed}" if self.seed else f"/items/{self.item}"


def once_of(course: Course, name: str) -> ItemOnce | None:
    """What a name such as `noodle-order.4821` means; None where there is no such item."""
    found = re.fullmatch(r"([a-z0-9-]+)(?:\.([1-9][0-9]{0,8}))?", name)
    return ItemOnce(found[1], int(found[2] or 0)) if found and found[1] in course.items else None


def find_once(course: Course, name: str) -> ItemOnce:
    if once := once_of(course, name):
        return once
    raise NotFound("没有这道题，也许它已经换掉了。")


def ref(course: Course, name: str) -> str:
    """How the attempt at an item on its own is kept."""
    return course.ref(f"item-{name}")


def place_of(course: Course, item_id: str) -> tuple[str, str] | None:
    """Address and title of where an item is asked in the lessons."""
    if item_id not in course.asked_in:
        return None
    stage, section = course.asked_in[item_id]
    return f"{section_url(stage, section)}#item-{item_id}", section.title


def target_of(course: Course, name: str, seed: int) -> Target | None:
    once = once_of(course, name)
    return Target(source="practice", ref=ref(course, name), seed=once.seed or seed) if once else None


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    once = once_of(course, ref.removeprefix("item-")) if ref.startswith("item-") else None
    return (once.url, "单独一题") if once else None


CONTEXT = AnswerContext("items", target_of, page_of)
