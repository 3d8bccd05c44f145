"""Examples: the list, and one example opened term by term."""

from dataclasses import replace
from typing import NamedTuple

from fastapi import Request
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course
from app.records.learning import lesson_pages
from app.records.learning.values import AttemptKey, RevealState
from app.web.items.answer_contexts import AnswerContext
from app.web.items.typed_answers import typed_answer_of_address
from app.web.learning.example_views import (
    ExampleState,
    asks_turn,
    render_example,
    reveal_positions,
    state_after,
)
from app.web.learning.reveal_posts import (
    close_example,
    known_example,
    open_next_position,
    reveal_post_of,
    turn_html_on_own_page,
)
from app.web.learning.stage_views import Progress
from app.web.site import slots
from app.web.site.rendering import text_html
from app.web.site.requests import RequestDep, read_request, small_number_of_text
from app.web.site.routing import LazyRouter

router = LazyRouter()


async def reveal_position(http: Request) -> Response:
    """Open what comes next in an example of the course."""
    reveal_post = reveal_post_of(await read_request(http), **http.path_params)
    return await open_next_position(reveal_post)


FREQUENT_ROUTES = (Route("/examples/{example_id}/reveals", reveal_position, methods=["POST"]),)
"""Matched first, without FastAPI's parameters."""


@router.post("/examples/{example_id}/rounds")
async def begin_example_again(request: RequestDep, example_id: str) -> Response:
    """Close everything and open it once more."""
    return await close_example(reveal_post_of(request, example_id))


@router.get("/examples/{example_id}")
async def show(request: RequestDep, example_id: str) -> Response:
    """An example as far as it is open, or as far as `?shown=` says."""
    course = request.course
    example = known_example(course, example_id)
    example_page_data = await request.read(lesson_pages.load_example, course.ref(example_id))
    reveal_state = example_page_data.reveal_state
    opened_count = small_number_of_text(request.query.get("shown", ""))
    if opened_count is None:
        opened_count = reveal_state.opened_count
    closed_state = ExampleState(example_id, 0)
    example_state = state_after(
        course, closed_state, opened_count, reveal_state.guesses, typed_answer_of_address(request.http)
    )
    if asks_turn(course, example_state):
        turn_html = turn_html_on_own_page(
            request.site, example_id, example_page_data, typed_answer_of_address(request.http)
        )
        example_state = replace(example_state, turn_html=turn_html)
    frame_html = render_example(request.site, example_state)
    example_html = slots.fill(frame_html, {slots.NEXT: f"/examples/{example_id}"})
    note_html = text_html(course, example.note or "")
    return request.page(
        "learning/example",
        is_signed_in=example_page_data.learner_id is not None,
        page="example",
        title=example.title,
        example_id=example_id,
        example_html=example_html,
        citation=example.source,
        note=note_html,
    )


class Shelf(NamedTuple):
    """The examples of a stage, with how far each is open."""

    title: str
    progress_by_example_id: dict[str, Progress]

    @property
    def done_count(self) -> int:
        return list(self.progress_by_example_id.values()).count("done")

    @property
    def is_done(self) -> bool:
        return self.done_count == len(self.progress_by_example_id)


@router.get("/examples")
async def index(request: RequestDep) -> Response:
    """All examples of the course, stage by stage, with how far each is open."""
    course = request.course
    example_refs = tuple(map(course.ref, course.examples))
    example_reveals = await request.read(lesson_pages.load_reveals, example_refs)
    shelves = []
    for stage in course.stages:
        progress_by_example_id = {}
        for example_id in stage.example_ids:
            reveal_state = example_reveals.reveal_by_example_ref.get(course.ref(example_id))
            progress_by_example_id[example_id] = progress_of(course, example_id, reveal_state)
        if progress_by_example_id:
            shelves.append(Shelf(stage.title, progress_by_example_id))
    return request.page(
        "learning/examples",
        is_signed_in=example_reveals.learner_id is not None,
        page="example",
        title="例题",
        course=course,
        shelves=shelves,
    )


def progress_of(course: Course, example_id: str, reveal_state: RevealState | None) -> Progress:
    """How far an example is open."""
    if reveal_state is None or reveal_state.opened_count == 0:
        return "new"
    if reveal_state.opened_count < len(reveal_positions(course, example_id)):
        return "begun"
    return "done"


def attempt_key_of(course: Course, example_id: str, seed: int) -> AttemptKey:
    """The attempt at 换你, in the present round of the example."""
    known_example(course, example_id)
    return AttemptKey(source="practice", ref=course.ref(example_id), seed=seed)


def url_and_title_of(course: Course, attempt_ref: str) -> tuple[str, str] | None:
    """Address and title of the example that an attempt was made at."""
    if attempt_ref not in course.examples:
        return None
    return f"/examples/{attempt_ref}", course.examples[attempt_ref].title


ANSWER_CONTEXT = AnswerContext("examples", attempt_key_of, url_and_title_of)
