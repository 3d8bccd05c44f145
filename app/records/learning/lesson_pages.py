"""What the hot pages must know of their reader: few statements, each prepared once."""

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks
from app.records.db.session import VerbSession
from app.records.learning import attempts, lesson_progress, reveals
from app.records.learning.values import ExamplePageData, LessonPageData


def load_lesson(
    session: VerbSession,
    who: Caller,
    stage: str,
    example_refs: tuple[str, ...] = (),
    cards: tuple[str, ...] = (),
) -> LessonPageData:
    """The present round of a stage: places, answers and hints; how far the given examples are opened, and
    which of the given cards are in the deck.
    """
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return LessonPageData()
    here = lesson_progress.in_stage(session, learner_id, stage)
    current = here[0].round if here else 1
    attempt = attempts.of_round(session, learner_id, "lesson", stage, current)
    return LessonPageData(
        learner_id=learner_id,
        round=current,
        places=here,
        attempt=attempt,
        responses=attempts.responses_of(session, attempt.id) if attempt else (),
        hints=attempts.hints_of(session, attempt.id) if attempt else {},
        reveals={ref: reveals.load_reveal(session, learner_id, ref) for ref in example_refs},
        collected=decks.among(session, learner_id, cards),
    )


def load_example(session: VerbSession, who: Caller, ref: str) -> ExamplePageData:
    """The present round of an example: what is open, and the answers to its 换你."""
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return ExamplePageData()
    opening = reveals.load_reveal(session, learner_id, ref)
    attempt = attempts.of_round(session, learner_id, "practice", ref, opening.round)
    return ExamplePageData(
        learner_id=learner_id,
        round=opening.round,
        shown=opening.shown,
        guesses=opening.guesses,
        attempt=attempt,
        responses=attempts.responses_of(session, attempt.id) if attempt else (),
        hints=attempts.hints_of(session, attempt.id) if attempt else {},
    )
