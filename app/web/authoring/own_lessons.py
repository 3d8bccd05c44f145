"""A teacher's own small lessons, as learners walk through them: assigned to them, or by the link.

They are shown by the views of the lessons, on a site whose course is what the teacher wrote.
"""

from typing import Annotated, NamedTuple

from fastapi import Depends, Path, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.authoring.opened_content import course_as_opened
from app.course.authoring.own_content import OWN_STAGE
from app.course.content.refs import own_content_id_of
from app.records.authoring import own_access, own_courses
from app.records.cards import own_cards
from app.records.db.errors import NotFound
from app.records.db.row_ids import row_id
from app.records.learning import lesson_pages
from app.records.learning.values import AttemptKey
from app.web.cards.card_drafts import tidy_tags
from app.web.cards.editable_texts import editable_text
from app.web.items.answer_contexts import AnswerContext, known_item_id
from app.web.items.item_views import item_state_from_log, placed_item_html
from app.web.items.typed_answers import typed_answer_of_address, typed_answers_of_address
from app.web.learning import reveal_posts, toys
from app.web.learning.lessons import fields_if_about, go_to_next_step, section_page, step_number_of
from app.web.learning.section_position import (
    SectionPosition,
    known_stage_and_section,
    read_lesson,
    seed_without_attempt,
)
from app.web.learning.stage_views import stage_view
from app.web.learning.toy_views import toy_place_of_step
from app.web.site import clock
from app.web.site.requests import CallerRequest, RequestDep, caller_of
from app.web.site.responses import NOT_FOR_CRAWLERS
from app.web.site.routing import LazyRouter
from app.web.site.site import Site, site_of

router = LazyRouter()
OWN_NAME_PATTERN = "^[0-9]{1,15}(-[A-Za-z0-9_-]{8,64})?$"
OwnName = Annotated[str, Path(pattern=OWN_NAME_PATTERN)]
"""Own content in an address: its number, and what the token of its link adds."""
LESSON_LINK = Markup('<p class="actions"><a class="button" href="{}">看看《{}》</a></p>')
UNSOUND_SENTENCE = "这份内容现在有错，打不开：请写它的老师改好。做过的都还在。"


class OwnContentKey(NamedTuple):
    """What names own content in an address: its number and the token of a link; `name`: both as they stand
    there."""

    name: str
    own_content_id: int
    token: str


def own_content_key_of(address_part: str) -> OwnContentKey:
    """What stands in an address.

    >>> own_content_key_of("42-abcdefgh"), own_content_key_of("42").token
    (OwnContentKey(name='42-abcdefgh', own_content_id=42, token='abcdefgh'), '')
    """
    id_text, _, token = address_part.partition("-")
    own_content_id = row_id(id_text)
    if own_content_id is None:
        raise NotFound(own_courses.NO_SUCH_CONTENT)
    return OwnContentKey(address_part, own_content_id, token)


async def current_own_content_key(name: OwnName) -> OwnContentKey:
    return own_content_key_of(name)


OwnContentKeyDep = Annotated[OwnContentKey, Depends(current_own_content_key)]


class OwnSite(NamedTuple):
    """Own content that somebody may learn from, and the site that has it as its course."""

    own_content: own_courses.OwnCourseRow
    site: Site


async def open_own_site(http: Request, name: OwnName) -> OwnSite:
    """What of the own content of an address is open to whoever asks. NotFound to strangers, and where it
    cannot be read."""
    site = site_of(http)
    _, own_content_id, token = own_content_key_of(name)
    caller = caller_of(http)
    now = clock.now()
    own_content, content_access = await site.db.read(
        own_access.load_opened_content, caller, own_content_id, token, now
    )
    course_or_faults = await site.own_courses.read(own_content_id, own_content.text, site.course)
    if not isinstance(course_or_faults, Course):
        raise NotFound(UNSOUND_SENTENCE)
    opened_course = course_as_opened(course_or_faults, content_access)
    return OwnSite(own_content, site.with_course(opened_course, f"/own/{name}"))


OwnDep = Annotated[OwnSite, Depends(open_own_site)]


async def show_own_course(request: CallerRequest, name: str) -> Response:
    """What a learner finds at the link: the sections, with how far each has come."""
    own_content, site = await open_own_site(request.http, name)
    [stage] = site.course.stages
    if not stage.sections:
        raise NotFound(own_access.NO_SUCH_LESSON_SENTENCE)
    stage_ref = site.course.ref(OWN_STAGE)
    lesson_data = await request.read(lesson_pages.load_lesson, stage_ref)
    view_of_stage = stage_view(site.course, stage, lesson_data.places, site.own_address)
    return request.page(
        "authoring/lesson",
        is_signed_in=lesson_data.learner_id is not None,
        page="lesson",
        title=stage.title,
        stage=view_of_stage,
        author=own_content.author_login,
    )


@router.get("/own/{name}/lessons/{section_id}")
async def show_section(request: RequestDep, own_site: OwnDep, section_id: str) -> Response:
    """A section, as far as the address or the saved place says."""
    site = own_site.site
    stage, section = known_stage_and_section(site.course, OWN_STAGE, section_id)
    lesson_data = await read_lesson(site, request.caller, stage, section)
    step_number = step_number_of(request.http, section, lesson_data)
    toy_fields = fields_if_about(request.http, "toy")
    section_position = SectionPosition(
        site,
        stage,
        section,
        lesson_data,
        step_number,
        toy_fields=toy_fields,
        typed_answers=typed_answers_of_address(request.http),
    )
    http_response = section_page(request.http, section_position).response(request.http)
    if toy_fields:
        http_response.headers.update(NOT_FOR_CRAWLERS)
    return http_response


@router.get("/own/{name}/lessons/{section_id}/toys/{step_id}")
async def toy_board(request: RequestDep, own_site: OwnDep, section_id: str, step_id: str) -> Response:
    """A movable row of candies alone, for htmx."""
    stage, section = known_stage_and_section(own_site.site.course, OWN_STAGE, section_id)
    toy_place = toy_place_of_step(stage, section, step_id, own_site.site.own_address)
    return toys.board_response(own_site.site, toy_place, request.address_fields)


@router.post("/own/{name}/lessons/{section_id}/places")
async def keep_place(request: RequestDep, own_site: OwnDep, section_id: str) -> Response:
    """下一步: save the place, show the step that comes."""
    stage, section = known_stage_and_section(own_site.site.course, OWN_STAGE, section_id)
    return await go_to_next_step(request.within(own_site.site), stage, section)


@router.get("/own/{name}/items/{item_id}")
async def show_item(request: RequestDep, own_site: OwnDep, item_id: str) -> Response:
    """One of the items on a page of its own."""
    site = own_site.site
    course = site.course
    known_item_id(course, item_id)
    lesson_data = await request.read(lesson_pages.load_lesson, course.ref(OWN_STAGE))
    seed = seed_without_attempt(lesson_data.learner_id or 0, lesson_data.round_number)
    if lesson_data.attempt:
        seed = lesson_data.attempt.seed
    item_state = item_state_from_log(
        course, item_id, lesson_data, seed=seed, typed_answer=typed_answer_of_address(request.http)
    )
    item_url = f"{site.own_address}/items/{item_id}"
    item_html = placed_item_html(site, item_state, site.own_address, item_url)
    ahead_html = None
    if course.stages[0].sections:
        ahead_html = LESSON_LINK.format(site.own_address, course.title)
    return request.page(
        "items/item",
        is_signed_in=lesson_data.learner_id is not None,
        page="item",
        title="单独一题",
        item_html=item_html,
        pause=None,
        lesson_link=None,
        ahead=ahead_html,
    )


@router.post("/own/{name}/examples/{example_id}/reveals")
async def reveal_position(request: RequestDep, own_site: OwnDep, example_id: str) -> Response:
    """Open what comes next in an example of an own lesson."""
    expect_opened_example(own_site, example_id)
    reveal_post = reveal_posts.reveal_post_of(request.within(own_site.site), example_id)
    return await reveal_posts.open_next_position(reveal_post)


@router.post("/own/{name}/examples/{example_id}/rounds")
async def close_example(request: RequestDep, own_site: OwnDep, example_id: str) -> Response:
    """Close everything and open it once more."""
    expect_opened_example(own_site, example_id)
    reveal_post = reveal_posts.reveal_post_of(request.within(own_site.site), example_id)
    return await reveal_posts.close_example(reveal_post)


def expect_opened_example(own_site: OwnSite, example_id: str) -> None:
    """NotFound for an example that no section shows which is open to whoever asks; their texts may still
    speak of it."""
    if example_id not in own_site.site.course.guess_style_by_example_id:
        raise NotFound(reveal_posts.NO_SUCH_EXAMPLE_SENTENCE)


@router.post("/own/{name}/cards")
async def collect_cards(request: RequestDep, own_site: OwnDep) -> Response:
    """Cards of an own lesson, as cards of the learner's own: what their author does later is no matter."""
    own_content, site = own_site
    tags, source_url = tidy_tags(own_content.title), site.own_address  # who came by the link goes back by it
    typed_cards = []
    for card_id in request.form.texts("card"):
        if card := site.course.cards.get(card_id):
            front = editable_text(site.course, card.front)
            back = editable_text(site.course, card.back)
            typed_cards.append((front, back, tags, source_url))
    collect_result = await request.write(own_cards.write_cards, typed_cards, request.now)
    return request.redirect(
        f"/cards/all?stage=own&kept={collect_result.added_count}", token=collect_result.token
    )


def attempt_key_of(course: Course, _name: str, seed: int) -> AttemptKey:
    """One attempt for everything in an own content, in its present round."""
    stage_ref = course.ref(OWN_STAGE)
    return AttemptKey(source="lesson", ref=stage_ref, seed=seed)


def url_and_title_of(_course: Course, attempt_ref: str) -> tuple[str, str] | None:
    """Where an attempt at own content was made, for learners to whom it was assigned."""
    own_content_id = own_content_id_of(attempt_ref)
    if own_content_id is None:
        return None
    return f"/own/{own_content_id}", "老师写的小课"


ANSWER_CONTEXT = AnswerContext("own", attempt_key_of, url_and_title_of)
