"""An example as a learner sees it: what is open, what comes next, the chart, and 换你 at the end."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course, Stage, Unreadable
from app.course.content.model import Section
from app.course.items.examples import Example
from app.course.items.solutions import dividend_and_divisor_texts
from app.course.learning.figures import contributions
from app.course.learning.reveal_sequence import (
    GuessResult,
    OpeningKind,
    RevealPosition,
    judge_guess,
    next_reveal,
)
from app.course.learning.steps import ExampleStep, Until
from app.records.learning.values import Guess
from app.web.items.typed_answers import TypedAnswer
from app.web.learning.stage_views import step_name
from app.web.site import slots
from app.web.site.rendering import markup
from app.web.site.site import Site


class ExamplePlace(NamedTuple):
    """The step of a lesson in which an example stands."""

    stage: Stage
    section: Section
    step: ExampleStep

    @property
    def name(self) -> str:
        """As the forms of an example name it: `stage.section.step`."""
        return step_name(self.stage, self.section, self.step)


@dataclass(frozen=True)
class ExampleState:
    """An example as far as it is open: equal states look the same.

    `place_name`: of the step of a lesson in which it stands (`stage.section.step`); `guess_text`: the last
    one that was made; `typed_guess`: one that could not be read. `feedback` and `error_sentence`: what came
    of these, where this request has judged them already.
    """

    example_id: str
    opened_count: int
    opened_until: Until = "ratio"
    place_name: str = ""
    guess_text: str | None = None
    typed_guess: str | None = None
    turn_html: str = ""
    own_address: str = ""
    feedback: GuessResult | None = field(default=None, compare=False)
    error_sentence: str = field(default="", compare=False)


def state_after(
    course: Course,
    closed_state: ExampleState,
    wanted_count: int,
    guesses: Sequence[Guess],
    typed_answer: TypedAnswer | None = None,
) -> ExampleState:
    """An example after so many openings, or after all that there are. `typed_answer`: perhaps a guess in
    it.
    """
    opened_count = min(
        wanted_count, len(reveal_positions(course, closed_state.example_id, closed_state.opened_until))
    )
    example_state = replace(closed_state, opened_count=opened_count)
    if typed_answer and typed_answer.item_id == closed_state.example_id:
        example_state = replace(example_state, typed_guess="".join(typed_answer.raw))
    for guess in guesses:
        if guess.position == opened_count:
            return replace(example_state, guess_text=guess.guess)
    return example_state


def asks_turn(course: Course, example_state: ExampleState) -> bool:
    """Whether 换你 comes now: everything is open, and no lesson has stopped before the end."""
    return example_state.opened_until == "ratio" and example_state.opened_count == len(
        course.reveal_positions(example_state.example_id)
    )


def reveal_positions(
    course: Course, example_id: str, opened_until: Until = "ratio"
) -> tuple[RevealPosition, ...]:
    """What there is to open; a lesson may stop after the DCG terms."""
    opening_sequence = course.reveal_positions(example_id)
    if opened_until == "ratio":
        return opening_sequence
    return tuple(reveal_position for reveal_position in opening_sequence if reveal_position.kind == "term")


def render_example(site: Site, example_state: ExampleState) -> Markup:
    """The fragment of an example, with a slot for `NEXT`."""
    frame_html = example_frame_html(site, example_state)
    return slots.fill(frame_html, {slots.TURN: markup(example_state.turn_html)})


def example_frame_html(site: Site, example_state: ExampleState) -> str:
    """The fragment with slots for `NEXT` and `TURN`: it serves everybody who opened as much."""
    example_state = replace(example_state, own_address=site.own_address)
    if example_state.turn_html:
        example_state = replace(example_state, turn_html=slots.TURN)

    def render_view() -> str:
        return site.render("learning/_example.html", view=example_view_of(site.course, example_state))

    if example_state.typed_guess is not None:
        return render_view()
    return site.cached_html((site.course.digest, example_state), render_view)


class IdealDocument(NamedTuple):
    """A document in the ideal order."""

    title: str
    grade: float


class ExampleView(NamedTuple):
    """The context of `learning/_example.html`; `opened_count_by_kind`: how many of each kind of opening are
    open.

    `next_reveal_position`: what is opened next; `step_query`: what the address of the forms says of the
    place; `is_tried`: whether the first guess has been made or passed over.
    """

    example: Example
    opened_until: Until
    opening_count: int
    opened_count_by_kind: Counter[OpeningKind]
    next_reveal_position: RevealPosition | None
    turn_html: Markup
    typed_guess: str
    error_sentence: str
    action: str
    is_tried: bool
    step_query: str = ""
    feedback: GuessResult | None = None
    chart_html: Markup | None = None
    ideal_order: Sequence[IdealDocument] | None = None
    sender_field: Markup = slots.SENDER

    @property
    def dom_id(self) -> str:
        return f"example-{self.example.id}"

    @property
    def opened_count(self) -> int:
        return self.opened_count_by_kind.total()

    @property
    def dividend_and_divisor_texts(self) -> tuple[str, str]:
        """DCG and IDCG, to be divided on paper."""
        trace = self.example.trace
        return dividend_and_divisor_texts(trace.dcg, trace.idcg, trace.ndcg)

    @property
    def next_url(self) -> Markup:
        """The page to come back to."""
        return markup(f"{slots.NEXT}#{self.dom_id}")


def example_view_of(course: Course, example_state: ExampleState) -> ExampleView:
    """An example with what is open, and what the tutor says to that."""
    example = course.examples[example_state.example_id]
    opening_sequence = reveal_positions(course, example_state.example_id, example_state.opened_until)
    opened_count_by_kind = Counter(
        reveal_position.kind for reveal_position in opening_sequence[: example_state.opened_count]
    )
    next_reveal_position = next_reveal(opening_sequence, example_state.opened_count)
    example_view = ExampleView(
        example=example,
        opened_until=example_state.opened_until,
        opening_count=len(opening_sequence),
        opened_count_by_kind=opened_count_by_kind,
        next_reveal_position=next_reveal_position,
        turn_html=markup(example_state.turn_html),
        typed_guess=example_state.typed_guess or "",
        error_sentence=_unreadable_reason(example, next_reveal_position, example_state),
        action=f"{example_state.own_address}/examples/{example_state.example_id}",
        is_tried=example_state.opened_count >= first_guess_position(opening_sequence),
    )
    if opened_count_by_kind:
        guess_result = _feedback(example, opening_sequence[example_state.opened_count - 1], example_state)
        chart_html = markup(
            contributions.draw(example, opened_count_by_kind["term"], opened_count_by_kind["ideal_term"])
        )
        example_view = example_view._replace(feedback=guess_result, chart_html=chart_html)
    if opened_count_by_kind["ideal_order"]:
        example_view = example_view._replace(ideal_order=_ideal_order(example))
    if example_state.place_name:
        example_view = example_view._replace(step_query=f"?step={example_state.place_name}")
    return example_view


def first_guess_position(opening_sequence: Sequence[RevealPosition]) -> int:
    """The first position that asks for a guess; the first of all where none does.

    Nobody is shown the whole way before a try of their own: 算给我看 waits until this position is open.
    """
    for reveal_position in opening_sequence:
        if reveal_position.guess_mode != "plain":
            return reveal_position.position
    return 1


def _feedback(
    example: Example, opened_reveal_position: RevealPosition, example_state: ExampleState
) -> GuessResult:
    """What the tutor says to the last opening. A guess of before the content changed counts as none."""
    if example_state.feedback is not None:
        return example_state.feedback
    try:
        return judge_guess(opened_reveal_position, example, example_state.guess_text)
    except Unreadable:
        return judge_guess(opened_reveal_position, example, None)


def _unreadable_reason(
    example: Example, next_reveal_position: RevealPosition | None, example_state: ExampleState
) -> str:
    """Why what was typed before the next opening cannot be read; nothing when it can."""
    if example_state.error_sentence or next_reveal_position is None or example_state.typed_guess is None:
        return example_state.error_sentence
    try:
        judge_guess(next_reveal_position, example, example_state.typed_guess)
    except Unreadable as error:
        return str(error)
    return ""


def _ideal_order(example: Example) -> list[IdealDocument]:
    """The documents from sweetest on; what only the judged pool has is named so."""
    documents = [IdealDocument(document.title, document.grade or 0) for document in example.documents]
    documents.sort(key=lambda document: -document.grade)
    if example.pool is None:
        return documents
    ideal_documents = []
    for term in example.trace.ideal_terms:
        grade = term.grade or 0
        title = "评判池里的另一颗"
        for document in documents:
            if document.grade == grade:
                documents.remove(document)
                title = document.title
                break
        ideal_documents.append(IdealDocument(title, grade))
    return ideal_documents
