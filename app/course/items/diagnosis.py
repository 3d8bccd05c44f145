"""Which mistake made a wrong number: the engine's diagnosis under the contract of our questions."""

from functools import lru_cache

from app import engine
from app.course.items import rounding
from app.engine import Diagnosis


@lru_cache(1024)  # the verb that records a number and the page that answers it ask the same
def diagnose_number(question: engine.Question, value: float, decimals: int) -> Diagnosis | None:
    """What explains a number that the contract does not accept; None when nothing does.

    >>> diagnose_number(engine.Question("dcg", [3, 2, 0, 1]), 6.77, 3).id
    'natural_log'
    """
    places = rounding.TABLE_DECIMALS if question.quantity in rounding.WHOLE else decimals
    return engine.diagnose(question, value, places, rounding.accepted(question, decimals))


def code(diagnosis: Diagnosis) -> str:
    """How records keep it: one id, two that act together `a+b`, or several that are possible `a|b`.

    >>> code(diagnose_number(engine.Question("dcg", [3, 2, 0, 1], gain="exponential"), 6.77, 3))
    'linear_for_exponential+natural_log'
    """
    if diagnosis.possibilities:
        return "|".join(diagnosis.possibilities)
    if isinstance(diagnosis.id, str):
        return diagnosis.id
    return "+".join(diagnosis.id or ())


def said(diagnosis: Diagnosis) -> str:
    """The diagnosis to the learner, in Markdown: the step first, then what happened there.

    >>> said(diagnose_number(engine.Question("dcg", [3, 2, 0, 1]), 6.77, 3))[:12]
    '**卡在“折损”这一步。'
    """
    return f"**卡在“{diagnosis.step}”这一步。**{diagnosis.explanation}"
