"""What the hot pages must know of their reader: few statements, each prepared once."""

from app.records import attempts, decks, learners, places, reveals
from app.records.session import VerbSession
from app.records.values import ExampleLook, LessonLook, Who


def look(
    session: VerbSession,
    who: Who,
    stage: str,
    example_refs: tuple[str, ...] = (),
    cards: tuple[str, ...] = (),
) -> LessonLook:
    """The present round of a stage: places, answers and hints; how far the given examples are opened, and
    which of the given cards are in the deck.
    """
    learner_id = learners.present(session, who)
    if learner_id is None:
        return LessonLook()
    here = places.in_stage(session, learner_id, stage)
    current = here[0].round if here else 1
    attempt = attempts.of_round(session, learner_id, "lesson", stage, current)
    return LessonLook(
        learner_id=learner_id,
        round=current,
        places=here,
        attempt=attempt,
        responses=attempts.responses_of(session, attempt.id) if attempt else (),
        hints=attempts.hints_of(session, attempt.id) if attempt else {},
        reveals={ref: reveals.look(session, learner_id, ref) for ref in example_refs},
        collected=decks.among(session, learner_id, cards),
    )


def example(session: VerbSession, who: Who, ref: str) -> ExampleLook:
    """The present round of an example: what is open, and the answers to its 换你."""
    learner_id = learners.present(session, who)
    if learner_id is None:
        return ExampleLook()
    opening = reveals.look(session, learner_id, ref)
    attempt = attempts.of_round(session, learner_id, "practice", ref, opening.round)
    return ExampleLook(
        learner_id=learner_id,
        round=opening.round,
        shown=opening.shown,
        guesses=opening.guesses,
        attempt=attempt,
        responses=attempts.responses_of(session, attempt.id) if attempt else (),
        hints=attempts.hints_of(session, attempt.id) if attempt else {},
    )
