"""What the hot pages must know of their reader: few statements, each prepared once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks
from app.records.db.session import VerbSession
from app.records.learning import attempts, lesson_progress, reveals
from app.records.learning.values import (
    AttemptAnswers,
    AttemptRow,
    ExamplePageData,
    LessonPageData,
    RevealState,
)

PageData = TypeVar("PageData", bound=AttemptAnswers)


def load_lesson(
    session: VerbSession,
    caller: Caller,
    stage_ref: str,
    example_refs: tuple[str, ...] = (),
    card_refs: tuple[str, ...] = (),
) -> LessonPageData:
    """The present round of a stage: places, answers and hints; how far the given examples are opened, and
    which of the given cards are in the deck.
    """
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return LessonPageData()
    lesson_places = lesson_progress.places_in_stage(session, learner_id, stage_ref)
    present_round_number = lesson_progress.round_number_of_places(lesson_places)
    reveal_by_example_ref = reveal_by_example_ref_of(session, learner_id, example_refs)
    collected_card_refs = decks.refs_in_deck_among(session, learner_id, card_refs)
    page_data = LessonPageData(
        learner_id=learner_id,
        round_number=present_round_number,
        places=lesson_places,
        reveal_by_example_ref=reveal_by_example_ref,
        collected_card_refs=collected_card_refs,
    )
    attempt = attempts.attempt_of_round(session, learner_id, "lesson", stage_ref, present_round_number)
    return with_answers_of_attempt(session, page_data, attempt)


class OpenExamples(NamedTuple):
    """How far a visitor has opened examples, by their refs; without a learner nothing is open."""

    learner_id: int | None
    reveal_by_example_ref: Mapping[str, RevealState]


def load_reveals(session: VerbSession, caller: Caller, example_refs: tuple[str, ...]) -> OpenExamples:
    """How far each of the given examples is open."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return OpenExamples(None, {})
    return OpenExamples(learner_id, reveal_by_example_ref_of(session, learner_id, example_refs))


def reveal_by_example_ref_of(
    session: VerbSession, learner_id: int, example_refs: Iterable[str]
) -> dict[str, RevealState]:
    """How far a learner has opened each of the given examples."""
    return {
        example_ref: reveals.load_reveal(session, learner_id, example_ref) for example_ref in example_refs
    }


def load_example(session: VerbSession, caller: Caller, example_ref: str) -> ExamplePageData:
    """The present round of an example: what is open, and the answers to its 换你."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return ExamplePageData()
    reveal_state = reveals.load_reveal(session, learner_id, example_ref)
    page_data = ExamplePageData(learner_id=learner_id, reveal_state=reveal_state)
    attempt = attempts.attempt_of_round(
        session, learner_id, "practice", example_ref, reveal_state.round_number
    )
    return with_answers_of_attempt(session, page_data, attempt)


def with_answers_of_attempt(
    session: VerbSession, page_data: PageData, attempt: AttemptRow | None
) -> PageData:
    """The data of a page with an attempt, its answers and its hints, once it was begun."""
    if attempt is None:
        return page_data
    responses = attempts.responses_of(session, attempt.id)
    hint_count_by_item_ref = attempts.hint_count_by_item_ref_of(session, attempt.id)
    return replace(
        page_data, attempt=attempt, responses=responses, hint_count_by_item_ref=hint_count_by_item_ref
    )
