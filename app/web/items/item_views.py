"""An item as a learner sees it: form, hints, what the tutor says, worked solution, twin."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from markupsafe import Markup

from app.course import Course
from app.course.cards.decks import mistake_card_id
from app.course.content.refs import is_practice_attempt, is_practice_item_id
from app.course.items.kinds import Generated, Item
from app.course.items.marks import AnswerState, Mark, answer_state, are_guesses, asks_twin, pause_seconds
from app.records.learning.values import ResponseRow
from app.web.items.feedback import (
    STUCK_MISTAKE_COUNT,
    TutorRemark,
    count_repeated_mistakes,
    further_remarks,
    last_mark,
    tutor_remarks,
    unreadable_reason,
    worked_line_htmls,
)
from app.web.items.kinds import ItemWithAnswers, KindView, SeenAnswer, kind_view_of
from app.web.items.typed_answers import TypedAnswer
from app.web.items.variants import exercise_url, next_question_url
from app.web.site import clock, slots
from app.web.site.rendering import markup, text_html, text_htmls
from app.web.site.site import Site

SOLVED_STATES: Collection[AnswerState] = ("right", "corrected")


class AnswerPause(NamedTuple):
    """Where the last answers were mere guesses. `seconds`: how long none is taken; `is_unjudged`: one came
    meanwhile, stands in the form, and was not judged."""

    seconds: int
    is_unjudged: bool = False


class ItemState(NamedTuple):
    """Everything that the look of an item depends on; items in equal states look the same."""

    item_id: str
    seed: int
    item_ids_with_answers: tuple[tuple[str, tuple[SeenAnswer, ...]], ...]
    item_ids_with_hint_counts: tuple[tuple[str, int], ...]
    is_probe: bool
    typed_answer: TypedAnswer | None
    pause: AnswerPause | None

    def answers_to(self, item_id: str) -> tuple[SeenAnswer, ...]:
        """The answers to the item or to its twin."""
        return dict(self.item_ids_with_answers).get(item_id, ())


@dataclass
class ItemView:
    """The context of `items/_item.html`, filled in step by step.

    `target_id` is what htmx replaces: the item, also for its twin. `answer_fields` are sent along with an
    answer, `extra_html` stands at the end of its form, `report_fields` go with a report. `may_leave_cells`:
    empty cells of a table may be left to the tutor. `is_closed`: what was written can be read, but nothing
    is taken any more.
    """

    id: str
    dom_id: str
    target_id: str
    kind: str
    minutes: int
    stem_html: Markup
    state: AnswerState
    base_url: str
    next_url: str
    kind_view: KindView
    is_probe: bool = False
    try_number: int = 1
    error_sentence: str = ""
    tutor_remarks: Sequence[TutorRemark] = ()
    hint_htmls: Sequence[Markup] = ()
    remaining_hint_count: int = 0
    worked_line_htmls: Sequence[Markup] = ()
    explanation_html: Markup | None = None
    twin: "ItemView | None" = None
    can_show_answer: bool = False
    another_url: str | None = None
    mistake_card_id: str | None = None
    easier_url: str | None = None
    sender_field: Markup = slots.SENDER
    shown_at_slot: Markup = slots.SHOWN_AT
    answer_fields: Mapping[str, str | int] = field(default_factory=dict)
    extra_html: Markup = slots.NOTHING
    may_leave_cells: bool = True
    report_fields: Mapping[str, object] = field(default_factory=dict)
    is_closed: bool = False
    pause: AnswerPause | None = None


def item_and_twin_ids(course: Course, item_id: str) -> tuple[str, ...]:
    """An item and its twin."""
    twin_id = course.items[item_id].twin
    return (item_id, twin_id) if twin_id else (item_id,)


class AnswerLog(Protocol):
    """Answers and hints to items, as every page reads them."""

    @property
    def responses(self) -> Sequence[ResponseRow]: ...

    @property
    def hint_count_by_item_ref(self) -> Mapping[str, int]: ...


def item_state_from_log(
    course: Course,
    item_id: str,
    answer_log: AnswerLog,
    attempt_ref: str = "",
    *,
    seed: int,
    is_probe: bool = False,
    typed_answer: TypedAnswer | None = None,
) -> ItemState:
    """How an item and its twin stand, from the log. `attempt_ref`: its ref (in practice, guesses wait)."""
    ids_with_answers, ids_with_hint_counts = [], []
    pause = None
    for item_or_twin_id in item_and_twin_ids(course, item_id):
        item_ref = course.ref(item_or_twin_id)
        responses = [response for response in answer_log.responses if response.item_ref == item_ref]
        ids_with_answers.append((item_or_twin_id, seen_answers(responses)))
        ids_with_hint_counts.append((item_or_twin_id, answer_log.hint_count_by_item_ref.get(item_ref, 0)))
        if is_practice_attempt(attempt_ref) and are_guesses(responses):
            is_unjudged = typed_answer is not None and typed_answer.is_untaken
            pause = AnswerPause(pause_seconds(responses, clock.now()), is_unjudged)
    return ItemState(
        item_id, seed, tuple(ids_with_answers), tuple(ids_with_hint_counts), is_probe, typed_answer, pause
    )


def seen_answers(responses: Sequence[ResponseRow], is_by_hand: bool = False) -> tuple[SeenAnswer, ...]:
    """What a page shows of the answers to one item; `is_by_hand`: whether a teacher gave it other points."""
    return tuple(
        SeenAnswer(response.verdict, response.raw, response.score, is_by_hand) for response in responses
    )


def render_item(site: Site, item_state: ItemState) -> Markup:
    """The fragment of an item, with slots for `BASE` and `NEXT`: it serves everybody who answered alike.

    One of practice is for whoever has its seed, and is not kept: it would push out what serves many. Memory
    of the site after 2,500 such questions: 151 → 135 MB.
    """
    course = site.course

    def make_html() -> Markup:
        return site.render("items/_item.html", item=item_view_of(course, item_state))

    if item_state.typed_answer or item_state.pause or is_practice_item_id(item_state.item_id):
        return make_html()
    return markup(site.cached_html((course.digest, item_state), make_html))


def placed_item_html(site: Site, item_state: ItemState, base_url: str, page_url: str) -> Markup:
    """An item on its page `page_url`; its answers go below `base_url`."""
    return slots.fill(render_item(site, item_state), {slots.BASE: base_url, slots.NEXT: page_url})


def item_view_of(course: Course, item_state: ItemState, target_id: str = "") -> ItemView:
    """The view of an item: what stands there in any state, then what its state adds."""
    item_with_answers = item_with_answers_of(course, item_state)
    item, answers = item_with_answers.item, item_with_answers.answers
    mark = last_mark(item, answers)
    open_hint_count = dict(item_state.item_ids_with_hint_counts).get(item.id, 0)
    same_mistake_count = count_repeated_mistakes(item_with_answers, mark)
    remarks_of_tutor = tutor_remarks(course, mark, item_state.is_probe)
    remarks_of_tutor += further_remarks(item_with_answers, mark, same_mistake_count)
    pause = item_state.pause if item_with_answers.is_open else None
    if pause and is_typed_anew(item_with_answers):  # what was said was said to another answer
        remarks_of_tutor = []
    hint_htmls = text_htmls(course, item.hints[:open_hint_count])
    item_view = item_view_with_form(item_with_answers, item_state, target_id or f"item-{item.id}")
    item_view.tutor_remarks = remarks_of_tutor
    item_view.hint_htmls = hint_htmls
    item_view.pause = pause
    if not item_with_answers.is_open:
        add_solution_and_twin(item_view, item_with_answers, item_state)
    if item_state.is_probe:
        return item_view
    if item_with_answers.is_open:
        remaining_hint_count = len(item.hints) - open_hint_count
        item_view.can_show_answer = may_show_answer(item_with_answers, open_hint_count)
        item_view.remaining_hint_count = remaining_hint_count
        item_view.easier_url = easier_item_url(item, answers, remaining_hint_count, same_mistake_count)
    if answers:
        item_view.another_url = next_practice_url(course, item.id, item_with_answers.state)
        item_view.mistake_card_id = mistake_card_id_of(item_with_answers, mark)
    return item_view


def item_with_answers_of(course: Course, item_state: ItemState) -> ItemWithAnswers[Item]:
    """The item with its answers, and what stands in its form, if it still has one."""
    item = course.variant(item_state.item_id, item_state.seed)
    answers = item_state.answers_to(item_state.item_id)
    state_of_answers = answer_state(item, answers, item_state.is_probe)
    typed_answer = item_state.typed_answer
    typed_raw_answer = None
    if state_of_answers == "open" and typed_answer and typed_answer.item_id == item.id:
        typed_raw_answer = typed_answer.raw
    return ItemWithAnswers(course, item, answers, state_of_answers, typed_raw_answer)


def is_typed_anew(item_with_answers: ItemWithAnswers[Item]) -> bool:
    """Whether another answer than the last one stands in the form."""
    typed_raw_answer, answers = item_with_answers.typed_raw_answer, item_with_answers.answers
    return typed_raw_answer is not None and (not answers or typed_raw_answer != answers[-1].raw)


def item_view_with_form(
    item_with_answers: ItemWithAnswers[Item], item_state: ItemState, target_id: str
) -> ItemView:
    """The question and its form, with what stands in it."""
    item, error_sentence = item_with_answers.item, ""
    if (
        item_with_answers.typed_raw_answer is not None
        and item_state.typed_answer
        and item_state.typed_answer.is_refused
    ):
        error_sentence = unreadable_reason(
            item, item_with_answers.typed_raw_answer, item_with_answers.answers
        )
    return ItemView(
        id=item.id,
        dom_id=f"item-{item.id}",
        target_id=target_id,
        kind=item.kind,
        minutes=item.minutes,
        stem_html=text_html(item_with_answers.course, item.stem),
        state=item_with_answers.state,
        base_url=slots.BASE,
        next_url=markup(f"{slots.NEXT}#{target_id}"),
        kind_view=kind_view_of(item_with_answers),
        is_probe=item_state.is_probe,
        try_number=len(item_with_answers.answers) + 1,
        error_sentence=error_sentence,
        answer_fields={"seed": item_state.seed},
    )


def add_solution_and_twin(
    item_view: ItemView, item_with_answers: ItemWithAnswers[Item], item_state: ItemState
) -> None:
    """Add the solution where it was asked for, the explanation, and where one is asked, the twin."""
    course, item = item_with_answers.course, item_with_answers.item
    if item_with_answers.state == "shown":
        item_view.worked_line_htmls = worked_line_htmls(course, item)
    if item.explanation:
        item_view.explanation_html = text_html(course, item.explanation)
    if item.twin and asks_twin(item, item_with_answers.state, item_state.is_probe):
        twin_state = item_state._replace(item_id=item.twin, is_probe=False)
        item_view.twin = item_view_of(course, twin_state, item_view.target_id)


def may_show_answer(item_with_answers: ItemWithAnswers[Item], open_hint_count: int) -> bool:
    """Whether the tutor offers to answer: once one has tried, or has taken a hint where there is one."""
    if item_with_answers.answers or item_with_answers.typed_raw_answer is not None:
        return True
    return open_hint_count > 0 or not item_with_answers.item.hints


def easier_item_url(
    item: Item, seen_answers: Sequence[SeenAnswer], remaining_hint_count: int, same_mistake_count: int
) -> str | None:
    """The address of a simpler question: when all hints are used, or the same mistake came back and back."""
    if item.easier is None or len(seen_answers) < 2:
        return None
    if remaining_hint_count and same_mistake_count < STUCK_MISTAKE_COUNT:
        return None
    return f"/items/{item.easier}?for={item.id}"


def next_practice_url(course: Course, item_id: str, answer_state: AnswerState) -> str | None:
    """The way on from a variant: once it is right, what its skill needs next; else the same kind."""
    source_item = course.items[item_id]
    if not isinstance(source_item, Generated):
        return None
    if answer_state in SOLVED_STATES:
        return next_question_url(course.skill_credit_by_item_id[item_id].skill_id)
    return exercise_url(source_item.exercise, source_item.level)


def mistake_card_id_of(item_with_answers: ItemWithAnswers[Item], mark: Mark | None) -> str | None:
    """The card of the mistake that the last wrong answer was diagnosed as; `mark`: of the last answer."""
    wrong_answers = [
        seen_answer
        for seen_answer in item_with_answers.answers
        if seen_answer.verdict == "wrong" and seen_answer.raw
    ]
    if not wrong_answers:
        return None
    if wrong_answers[-1] is not item_with_answers.answers[-1]:
        mark = last_mark(item_with_answers.item, wrong_answers)
    if mark is None:
        return None
    card_id = mistake_card_id(mark.misconception_code)
    return card_id if card_id in item_with_answers.course.drill_by_id else None
