"""An item on a page of its own: a simpler one for who is stuck, and a link for who wants to show one."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course
from app.records.db.errors import NotFound
from app.records.learning.values import AttemptKey
from app.records.practice import learner_pages
from app.web.items.answer_contexts import NO_SUCH_ITEM_SENTENCE, AnswerContext, answers_url_and_seed
from app.web.items.item_views import item_state_from_log, placed_item_html
from app.web.items.typed_answers import typed_answer_of_address
from app.web.learning.stage_views import section_url
from app.web.practice.progress_views import pause_after_guesses, progress_html, url_after_reading
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()


@router.get("/items/{item_id}")
async def show(request: RequestDep, item_id: str) -> Response:
    """The item; `?for=` names the one that the learner is stuck at, and leads back to it.

    `?seed=` asks it once more, for practice: each seed is an attempt of its own.
    """
    course, query = request.course, request.query
    item_on_page = known_item_on_page(course, item_id, query)
    attempt_ref = attempt_ref_of(course, item_on_page)
    item_page_data, item_practice = await request.read(
        learner_pages.load_item_and_practice, course, request.now, attempt_ref, item_id
    )
    place_url = f"/items/{item_on_page.name}"
    base_url, seed = answers_url_and_seed(item_page_data.attempt, place_url, item_on_page.seed)
    typed_answer = typed_answer_of_address(request.http)
    item_state = item_state_from_log(
        course, item_id, item_page_data, attempt_ref, seed=seed, typed_answer=typed_answer
    )
    stuck_item_id = query.get("for", "")
    page_url = url_of(course, item_on_page, query)
    asks_at_once = "read" in query or bool(item_page_data.responses)
    return request.page(
        "items/item",
        is_signed_in=item_page_data.learner_id is not None,
        page="item",
        title="先做道简单的" if stuck_item_id in course.items else "单独一题",
        pause=None if asks_at_once else pause_after_guesses(course, item_practice, page_url),
        item_html=placed_item_html(request.site, item_state, base_url, page_url),
        card_url=f"/cards/new?item={item_id}&seed={seed}",
        lesson_link=lesson_url_and_title_of(course, stuck_item_id),
        ahead=progress_html(request.site, item_practice, item_state) if item_on_page.seed else None,
    )


class ItemOnPage(NamedTuple):
    """An item on its own; with a seed it is asked once more."""

    item_id: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.item_id}.{self.seed}" if self.seed else self.item_id

    @property
    def url(self) -> str:
        if not self.seed:
            return f"/items/{self.item_id}"
        return f"/items/{self.item_id}?seed={self.seed}"


def item_on_page_of(course: Course, item_name: str) -> ItemOnPage | None:
    """What a name such as `noodle-order.4821` means; None where there is no such item."""
    name_match = re.fullmatch(r"([a-z0-9-]+)(?:\.([1-9][0-9]{0,8}))?", item_name)
    if name_match is None or name_match[1] not in course.items:
        return None
    return ItemOnPage(name_match[1], int(name_match[2] or 0))


def known_item_on_page(course: Course, item_id: str, query: Mapping[str, str]) -> ItemOnPage:
    """The item of an address; NotFound for one that is not there."""
    item_name = item_id
    if "seed" in query:
        item_name += f".{query['seed']}"
    return known_item_of_name(course, item_name)


def known_item_of_name(course: Course, item_name: str) -> ItemOnPage:
    """What a name such as `noodle-order.4821` means; NotFound where there is no such item."""
    item_on_page = item_on_page_of(course, item_name)
    if item_on_page is None:
        raise NotFound(NO_SUCH_ITEM_SENTENCE)
    return item_on_page


def url_of(course: Course, item_on_page: ItemOnPage, query: Mapping[str, str]) -> str:
    """The page on which the item is asked, with what leads back to the one that the learner is stuck at."""
    page_url = item_on_page.url
    if query.get("for") in course.items and not item_on_page.seed:
        page_url += f"?for={query['for']}"
    return url_after_reading(page_url) if "read" in query else page_url


def attempt_ref_of(course: Course, item_on_page: ItemOnPage) -> str:
    """The ref of the attempt at an item on its own."""
    return course.ref(f"item-{item_on_page.name}")


def lesson_url_and_title_of(course: Course, item_id: str) -> tuple[str, str] | None:
    """Address and title of where an item is asked in the lessons."""
    if item_id not in course.section_by_item_id:
        return None
    stage, section = course.section_by_item_id[item_id]
    return f"{section_url(stage, section)}#item-{item_id}", section.title


def attempt_key_of(course: Course, item_name: str, seed: int) -> AttemptKey:
    """The attempt at an item on its own; without a seed of its own it takes that of the page."""
    item_on_page = known_item_of_name(course, item_name)
    return AttemptKey(
        source="practice", ref=attempt_ref_of(course, item_on_page), seed=item_on_page.seed or seed
    )


def url_and_title_of(course: Course, attempt_ref: str) -> tuple[str, str] | None:
    """Address and title of the page that an attempt was made on."""
    item_on_page = item_on_page_of(course, attempt_ref.removeprefix("item-"))
    if item_on_page is None or not attempt_ref.startswith("item-"):
        return None
    return item_on_page.url, "单独一题"


ANSWER_CONTEXT = AnswerContext("items", attempt_key_of, url_and_title_of)
