"""Answers, hints and solutions: to an item wherever it is asked, or of an attempt that is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fastapi import Request
from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from app.course import Course, Unreadable
from app.records.db.errors import NotFound
from app.records.db.row_ids import row_id
from app.records.learning import attempts, item_logs, responding
from app.records.learning.values import Answer, AttemptData, AttemptKey, ItemLog
from app.records.practice.item_practice import ItemArguments, ItemVerb, VerbOutcome, run_item_verb
from app.web import item_pages
from app.web.assignments import student_pages
from app.web.authoring import own_lessons
from app.web.items.answer_contexts import NO_SUCH_ATTEMPT_SENTENCE, AnswerContext, known_item_id
from app.web.items.item_views import ItemState, item_and_twin_ids, item_state_from_log, placed_item_html
from app.web.items.typed_answers import TypedAnswer, path_without_answer, typed_answer_of_form
from app.web.learning import examples, lessons, warm_ups
from app.web.practice import placement, practice
from app.web.practice.progress_views import progress_html
from app.web.reference import errata
from app.web.site.posted_forms import PostedForm, thinking_seconds
from app.web.site.requests import CallerRequest, RequestDep, RowId, read_request
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
ANSWER_CONTEXT_BY_ADDRESS_PART: Mapping[str, AnswerContext] = {
    answer_context.address_part: answer_context
    for answer_context in (
        lessons.ANSWER_CONTEXT,
        examples.ANSWER_CONTEXT,
        errata.ANSWER_CONTEXT,
        practice.ANSWER_CONTEXT,
        placement.ANSWER_CONTEXT,
        warm_ups.ANSWER_CONTEXT,
        item_pages.ANSWER_CONTEXT,
        student_pages.ANSWER_CONTEXT,
        own_lessons.ANSWER_CONTEXT,
    )
}
"""Where items are asked, by the first part of the address of their forms."""


async def answer_item(http: Request) -> Response:
    """Mark an answer. What cannot be read costs nothing and stays where it was typed."""
    item_post = await read_item_post(http, **http.path_params)
    answer = Answer(
        item_post.item_ref, item_post.try_number, item_post.typed_texts, thinking_seconds(item_post.form)
    )
    try:
        verb_outcome = await item_post.write(responding.respond, answer, item_post.course)
    except Unreadable:
        return await ask_again(item_post)
    if responding.is_taken(verb_outcome.item_log, answer):
        return show_item(item_post, verb_outcome)
    # As after an answer on another device: it stays where it is.
    return show_item(item_post, verb_outcome, item_post.unsent_answer._replace(is_untaken=True))


FREQUENT_ROUTES = (Route("/{context_part}/{name_in_context}/responses", answer_item, methods=["POST"]),)
"""Matched first, without FastAPI's parameters."""


@router.post("/{context_part}/{name_in_context}/hints")
async def open_hint(http: Request, context_part: str, name_in_context: str) -> Response:
    """One more hint; what was typed stays."""
    item_post = await read_item_post(http, context_part, name_in_context)
    hint_number = item_post.form.number("hint", 1)
    verb_outcome = await item_post.write(responding.open_next_hint, item_post.item_ref, hint_number)
    return show_item(item_post, verb_outcome, item_post.unsent_answer)


@router.post("/{context_part}/{name_in_context}/solutions")
async def show_solution(http: Request, context_part: str, name_in_context: str) -> Response:
    """算给我看, 看答案: the tutor does it, then it is the learner's turn."""
    item_post = await read_item_post(http, context_part, name_in_context)
    verb_outcome = await item_post.write(
        responding.show_solution, item_post.item_ref, item_post.try_number, item_post.course
    )
    return show_item(item_post, verb_outcome)


@router.post("/{context_part}/{name_in_context}/orderings")
async def move_candy(http: Request, context_part: str, name_in_context: str) -> Response:
    """↑ and ↓ without a script: the new order goes into the address; nothing is recorded."""
    item_post = await read_item_post(http, context_part, name_in_context)
    moved_answer = item_post.unsent_answer.with_move(item_post.form.text("move"))
    return item_post.request.redirect(moved_answer.url_within(item_post.page_url))


@router.get("/attempts/{attempt_id}")
async def show(request: RequestDep, attempt_id: RowId) -> Response:
    """One's own answers; those to an assignment have a page of their own."""
    attempt_data = await request.read(attempts.load_own_attempt, attempt_id, request.now)
    attempt = attempt_data.attempt
    if attempt.source == "assignment":  # its questions have numbers and seeds of their own
        return request.redirect(student_pages.url_of_assignment_attempt(attempt))
    course = request.course
    origin_url, title = url_and_title_of_origin(course, course.bare_id(attempt.ref))
    item_htmls = answered_item_htmls(request.site, attempt_data)
    return request.page(
        "items/attempt",
        is_signed_in=True,
        page="progress",
        title=f"我的回答：{title}",
        back_url=origin_url,
        back_title=title,
        round=attempt.round,
        item_htmls=item_htmls,
        has_answers=bool(attempt_data.responses),
    )


@dataclass(frozen=True)
class ItemPost:
    """A post about an item, and the attempt that it is for."""

    request: CallerRequest
    attempt_key: AttemptKey
    item_id: str

    @property
    def site(self) -> Site:
        return self.request.site

    @property
    def course(self) -> Course:
        return self.request.course

    @property
    def form(self) -> PostedForm:
        return self.request.form

    @property
    def item_ref(self) -> str:
        """The item, as the records name it."""
        return self.course.ref(self.item_id)

    @property
    def first_item_id(self) -> str:
        """The item whose twin this is, or the item itself: the fragment is that of the first."""
        return self.course.item_id_by_twin_id.get(self.item_id, self.item_id)

    @property
    def family_refs(self) -> tuple[str, ...]:
        return tuple(map(self.course.ref, item_and_twin_ids(self.course, self.first_item_id)))

    @cached_property
    def typed_texts(self) -> tuple[str, ...]:
        """What was typed or chosen."""
        return typed_answer_of_form(self.form).raw

    @property
    def unsent_answer(self) -> TypedAnswer:
        """That, as it stays in the form."""
        return TypedAnswer(self.item_id, self.typed_texts, is_refused=False)

    @property
    def try_number(self) -> int:
        return self.form.number("try", 1)

    @cached_property
    def page_url(self) -> str:
        """The page that the item stands on, with what it carries of others."""
        return path_without_answer(self.form.next_path("/"), self.item_id)

    @property
    def feedback_url(self) -> str:
        """That page at what was said to the answer: on a phone it stands a screen below the question."""
        url_without_anchor, _, anchor = self.page_url.partition("#")
        if not anchor.startswith("item-"):
            return self.page_url
        return f"{url_without_anchor}#item-{self.item_id}-said"

    @property
    def item_id_above_progress(self) -> str | None:
        """In practice, the item below which it changes with each answer how practice stands."""
        if self.request.wants_fragment and shows_practice(self.page_url):
            return self.first_item_id
        return None

    async def write(self, verb: ItemVerb[*ItemArguments], *arguments: *ItemArguments) -> VerbOutcome:
        """What a verb on items does in this attempt, now."""
        return await self.request.write(
            run_item_verb,
            verb,
            self.attempt_key,
            arguments,
            self.request.now,
            self.family_refs,
            self.course,
            self.item_id_above_progress,
        )


def shows_practice(path: str) -> bool:
    """Whether a page shows how practice stands: a variant, or an item with a seed.

    >>> shows_practice("/practice/dcg?level=1&seed=7#item"), shows_practice("/items/noodles")
    (True, False)
    """
    return path.startswith("/practice/") or (path.startswith("/items/") and "?seed=" in path)


async def read_item_post(http: Request, context_part: str, name_in_context: str) -> ItemPost:
    """What was posted; NotFound for an item or a place that is not there."""
    request = await read_request(http)
    if context_part == own_lessons.ANSWER_CONTEXT.address_part:
        _, own_site = await own_lessons.open_own_site(http, name_in_context)
        request = request.within(own_site)
    seed = request.form.number("seed", 0)
    attempt_key = attempt_key_of(request.course, context_part, name_in_context, seed)
    item_id = known_item_id(request.course, request.form.text("item"))
    return ItemPost(request, attempt_key, item_id)


def attempt_key_of(course: Course, context_part: str, name_in_context: str, seed: int) -> AttemptKey:
    """Which attempt is meant; the seed is that of the page on which the first answer was given. NotFound for
    a place or an attempt that is not there."""
    if context_part in ANSWER_CONTEXT_BY_ADDRESS_PART:
        return ANSWER_CONTEXT_BY_ADDRESS_PART[context_part].attempt_key_of(course, name_in_context, seed)
    attempt_id = row_id(name_in_context)
    if context_part != "attempts" or attempt_id is None:
        raise NotFound(NO_SUCH_ATTEMPT_SENTENCE)
    return AttemptKey(attempt_id)


def show_item(
    item_post: ItemPost, verb_outcome: VerbOutcome, kept_answer: TypedAnswer | None = None
) -> Response:
    """The item as it is now, with what stays in its form: the fragment, or the page that shows it."""
    request, item_log = item_post.request, verb_outcome.item_log
    feedback_url = item_post.feedback_url
    if kept_answer and not any(kept_answer.raw):
        kept_answer = None
    if kept_answer:
        feedback_url = kept_answer.url_within(feedback_url)
    if not request.wants_fragment:
        return request.redirect(feedback_url, token=item_log.token)
    item_state = item_state_of(item_post, item_log, kept_answer)
    item_html = render_answered_item(item_post, item_log, item_state)
    if verb_outcome.item_practice is not None:
        item_html += progress_html(request.site, verb_outcome.item_practice, item_state, is_out_of_band=True)
    return request.fragment(item_html, token=item_log.token)


async def ask_again(item_post: ItemPost) -> Response:
    """An answer that cannot be read is not wrong: the same form with what was typed, and how to write it."""
    request = item_post.request
    typed_answer = TypedAnswer(item_post.item_id, item_post.typed_texts)
    if not request.wants_fragment:
        return request.redirect(typed_answer.url_within(item_post.page_url))
    item_log = await request.read(
        item_logs.load_item_log, item_post.attempt_key, item_post.item_ref, item_post.family_refs
    )
    item_state = item_state_of(item_post, item_log, typed_answer)
    item_html = render_answered_item(item_post, item_log, item_state)
    return request.fragment(item_html, status=422)


def item_state_of(item_post: ItemPost, item_log: ItemLog, typed_answer: TypedAnswer | None) -> ItemState:
    """What is known of the item that was answered, and of its twin."""
    course, first_item_id = item_post.course, item_post.first_item_id
    is_probe = first_item_id in course.probe_ids
    return item_state_from_log(
        course,
        first_item_id,
        item_log,
        item_log.ref,
        seed=item_log.seed,
        is_probe=is_probe,
        typed_answer=typed_answer,
    )


def render_answered_item(item_post: ItemPost, item_log: ItemLog, item_state: ItemState) -> Markup:
    """The item with its twin; while there is no attempt, answers go where this one came."""
    if item_log.attempt_id and not item_post.site.own_address:
        base_url = f"/attempts/{item_log.attempt_id}"
    else:
        base_url = item_post.request.http.url.path.rpartition("/")[0]
    url_without_anchor = item_post.page_url.partition("#")[0]
    item_html = placed_item_html(item_post.site, item_state, base_url, url_without_anchor)
    if url_without_anchor.startswith("/errata/"):
        item_html += errata.render_truth(item_post.site, item_state, is_out_of_band=True)
    return item_html


def url_and_title_of_origin(course: Course, attempt_ref: str) -> tuple[str, str]:
    """Address and title of the page on which an attempt was made."""
    for answer_context in ANSWER_CONTEXT_BY_ADDRESS_PART.values():
        url_and_title = answer_context.url_and_title_of(course, attempt_ref)
        if url_and_title:
            return url_and_title
    return "/course", "课程"


def answered_item_htmls(site: Site, attempt_data: AttemptData) -> list[Markup]:
    """The items that were answered, in order, each as it stands now."""
    course = site.course
    attempt = attempt_data.attempt
    attempt_url = f"/attempts/{attempt.id}"
    answered_item_ids = [course.bare_id(response.item_ref) for response in attempt_data.responses]
    present_item_ids = [item_id for item_id in answered_item_ids if item_id in course.items]
    first_item_ids = [course.item_id_by_twin_id.get(item_id, item_id) for item_id in present_item_ids]
    item_htmls = []
    for item_id in dict.fromkeys(first_item_ids):
        is_probe = item_id in course.probe_ids
        item_state = item_state_from_log(
            course, item_id, attempt_data, attempt.ref, seed=attempt.seed, is_probe=is_probe
        )
        item_htmls.append(placed_item_html(site, item_state, attempt_url, attempt_url))
    return item_htmls
