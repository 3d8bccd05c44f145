"""Posts about an example: what comes next is opened, with a guess or without; or everything is closed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import parse_qs, urlsplit

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Unreadable
from app.course.content.model import Section
from app.course.items.examples import Example
from app.course.items.your_turn import turn_item_id
from app.course.learning.reveal_sequence import GuessResult, RevealPosition, judge_guess
from app.course.learning.steps import ExampleStep, Until
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.learning import lesson_pages, reveals
from app.records.learning.values import ExamplePageData, Guess, OpenedReveal
from app.web.items.answer_contexts import answers_url_and_seed
from app.web.items.item_views import item_state_from_log, placed_item_html
from app.web.items.typed_answers import TypedAnswer
from app.web.learning.example_views import (
    ExamplePlace,
    ExampleState,
    asks_turn,
    example_frame_html,
    render_example,
    reveal_positions,
    state_after,
)
from app.web.learning.section_position import SectionPosition, read_lesson
from app.web.learning.stage_views import find_named_step
from app.web.learning.step_views import render_lesson_item
from app.web.site import slots
from app.web.site.requests import CallerRequest, small_number_of_text
from app.web.site.responses import packed_fragment
from app.web.site.site import Site

NO_SUCH_EXAMPLE_SENTENCE = "没有这个例题。"
LONGEST_GUESS = 80
"""Characters of a guess that are read, kept and shown again: an address carries them."""


@dataclass(frozen=True)
class RevealPost:
    """A post about an example; `place`: where it stands, if that is in a lesson."""

    request: CallerRequest
    example_id: str
    place: ExamplePlace | None = None

    @property
    def course(self) -> Course:
        return self.request.site.course

    @property
    def example(self) -> Example:
        return self.course.examples[self.example_id]

    @property
    def ref(self) -> str:
        """The example, as the records name it."""
        return self.course.ref(self.example_id)

    @property
    def opened_until(self) -> Until:
        """How far it is opened where it stands."""
        if self.place is None:
            return "ratio"
        return self.place.step.until

    @property
    def closed_state(self) -> ExampleState:
        """The example where it stands, with nothing open yet."""
        place_name = self.place.name if self.place else ""
        return ExampleState(self.example_id, 0, self.opened_until, place_name)

    @cached_property
    def opening_sequence(self) -> tuple[RevealPosition, ...]:
        return reveal_positions(self.course, self.example_id, self.opened_until)

    @property
    def asked_position(self) -> int:
        """What is to be opened; 0, which opens nothing, for what is not in the sequence."""
        position_number = self.request.form.number("position", 0)
        if position_number > len(self.opening_sequence):
            return 0
        return position_number

    @property
    def asked_end_position(self) -> int | None:
        """The last position of the sequence, for 算给我看."""
        if self.request.form.text("position") != "all":
            return None
        return len(self.opening_sequence)

    @property
    def opening(self) -> RevealPosition | None:
        """The one position that is to be opened."""
        if self.asked_end_position or not self.asked_position:
            return None
        return self.opening_sequence[self.asked_position - 1]

    @property
    def guess_text(self) -> str | None:
        """What was guessed; None is 直接看, an empty field is an empty guess."""
        form = self.request.form
        if "guess" not in form.texts_by_field:
            return None
        return form.text("guess").strip()[:LONGEST_GUESS]

    @property
    def next_path(self) -> str:
        return self.request.form.next_path(f"/examples/{self.example_id}")

    @property
    def text_by_slot(self) -> Mapping[Markup, str]:
        """The slot for the page that it was posted from."""
        return {slots.NEXT: self.next_path.partition("#")[0]}

    def render(self, example_state: ExampleState) -> Markup:
        """The fragment of the example, below the page that it was posted from."""
        return slots.fill(render_example(self.request.site, example_state), self.text_by_slot)


def reveal_post_of(request: CallerRequest, example_id: str) -> RevealPost:
    """What was posted; NotFound for an example that is not there."""
    known_example(request.course, example_id)
    example_place = example_place_of(request.course, request.query.get("step", ""))
    if example_place is None or example_place.step.example != example_id:
        return RevealPost(request, example_id)
    return RevealPost(request, example_id, example_place)


def known_example(course: Course, example_id: str) -> Example:
    """An example; NotFound for one that is not there."""
    if example_id not in course.examples:
        raise NotFound(NO_SUCH_EXAMPLE_SENTENCE)
    return course.examples[example_id]


def example_place_of(course: Course, place_name: str) -> ExamplePlace | None:
    """The step of a lesson that the forms of an example name: `stage.section.step`."""
    named_step = find_named_step(course, place_name)
    if named_step is None or not isinstance(named_step.step, ExampleStep):
        return None
    return ExamplePlace(named_step.stage, named_step.section, named_step.step)


async def open_next_position(reveal_post: RevealPost) -> Response:
    """Open what comes next, with a guess or without; `position=all` is 算给我看."""
    guess = Guess(reveal_post.asked_position)
    guess_result, first_position = None, None
    if reveal_post.opening is not None:
        try:
            guess_result = judge_guess(reveal_post.opening, reveal_post.example, reveal_post.guess_text)
        except Unreadable as error:
            return refuse_unreadable_guess(reveal_post, str(error))
        guess = Guess(
            reveal_post.asked_position,
            reveal_post.guess_text,
            guess_result.is_right,
            guess_result.misconception_code,
        )
        first_position = reveal_post.opening.first_position
    request = reveal_post.request
    opened_reveal = await request.write(
        reveals.open_position,
        reveal_post.ref,
        guess,
        request.now,
        reveal_post.asked_end_position,
        first_position,
    )
    if opened_reveal.guesses[-1:] != (guess,):
        # Something else was open already: the feedback is to another guess.
        guess_result = None
    return await show_opened(reveal_post, opened_reveal, guess_result)


def refuse_unreadable_guess(reveal_post: RevealPost, error_sentence: str) -> Response:
    """A guess that cannot be read opens nothing: the same question with what was typed, and why."""
    request = reveal_post.request
    typed_guess_text = reveal_post.guess_text or ""
    if not request.wants_fragment:
        typed_answer = TypedAnswer(reveal_post.example_id, (typed_guess_text,))
        return request.redirect(typed_answer.url_within(reveal_post.next_path))
    example_state = replace(
        reveal_post.closed_state,
        opened_count=reveal_post.asked_position - 1,
        typed_guess=typed_guess_text,
        error_sentence=error_sentence,
    )
    return request.fragment(reveal_post.render(example_state), status=422)


async def close_example(reveal_post: RevealPost) -> Response:
    """Nothing is open any more: another round."""
    request = reveal_post.request
    closed_reveal = await request.write(reveals.begin_reveal_again, reveal_post.ref, request.now)
    return await show_opened(reveal_post, closed_reveal)


async def show_opened(
    reveal_post: RevealPost, opened_reveal: OpenedReveal, guess_result: GuessResult | None = None
) -> Response:
    """The example as it is now: the fragment, or the page that shows it. `guess_result`: of the last
    guess."""
    request = reveal_post.request
    if not request.wants_fragment:
        return request.redirect(reveal_post.next_path, token=opened_reveal.token)
    example_state = state_after(
        reveal_post.course, reveal_post.closed_state, opened_reveal.opened_count, opened_reveal.guesses
    )
    example_state = replace(example_state, feedback=guess_result)
    if asks_turn(reveal_post.course, example_state):
        turn_html = await turn_html_of(reveal_post, opened_reveal.token)
        example_state = replace(example_state, turn_html=turn_html)
    if example_state.turn_html:  # its answers are the learner's own
        return request.fragment(reveal_post.render(example_state), token=opened_reveal.token)
    frame_html = example_frame_html(request.site, example_state)
    return packed_fragment(request.http, frame_html, reveal_post.text_by_slot, token=opened_reveal.token)


async def turn_html_of(reveal_post: RevealPost, token: str) -> str:
    """换你, with the answers it already has: in a lesson those of the lesson."""
    site = reveal_post.request.site
    caller = Caller(token)
    if reveal_post.place is None:
        example_page_data = await site.db.read(lesson_pages.load_example, caller, reveal_post.ref)
        return turn_html_on_own_page(site, reveal_post.example_id, example_page_data)
    stage, section, _ = reveal_post.place
    lesson_data = await read_lesson(site, caller, stage, section)
    open_step_count = open_step_count_of(reveal_post.next_path, section)
    section_position = SectionPosition(site, stage, section, lesson_data, open_step_count)
    item_id = turn_item_id(reveal_post.example_id)
    turn_html = render_lesson_item(section_position, item_id)
    return str(slots.fill(turn_html, section_position.text_by_slot))


def open_step_count_of(posted_url: str, section: Section) -> int:
    """How many steps the page shows from which this was posted."""
    texts_by_field = parse_qs(urlsplit(posted_url).query)
    step_count = small_number_of_text(texts_by_field.get("step", [""])[0])
    if step_count is None:
        return len(section.steps)
    return step_count


def turn_html_on_own_page(
    site: Site, example_id: str, example_page_data: ExamplePageData, typed_answer: TypedAnswer | None = None
) -> str:
    """换你 on the page of the example itself."""
    course = site.course
    place_url = example_url = f"{site.own_address}/examples/{example_id}"
    opening_count = len(reveal_positions(course, example_id))
    if example_page_data.reveal_state.opened_count < opening_count:
        example_url = f"{example_url}?shown={opening_count}"
    base_url, seed = answers_url_and_seed(example_page_data.attempt, place_url, seed=0)
    item_id = turn_item_id(example_id)
    item_state = item_state_from_log(course, item_id, example_page_data, seed=seed, typed_answer=typed_answer)
    return str(placed_item_html(site, item_state, base_url, example_url))
