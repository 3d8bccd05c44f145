"""What somebody would answer to an item: the truth, a mistake they are fond of, or a slip."""

from collections.abc import Sequence
from random import Random

from app import engine
from app.course.content.proofs import ANSWERS
from app.course.items.kinds import Item, Numeric
from app.course.items.marks import Unreadable
from app.demo.people import DemoStudent

TWICE_AS_LIKELY = 2.0
"""Who knew it better is right more often at a second try."""
HABITUAL = 0.8
"""How often a mistake is the one that a student is fond of, where it can show."""


def answer(item: Item, student: DemoStudent, try_number: int, chance: Random) -> tuple[str, ...]:
    """What this student sends as the try of this number."""
    missing = (1 - student.skill) / TWICE_AS_LIKELY ** (try_number - 1)
    if chance.random() >= missing:
        return right_answer(item)
    return mistaken_answer(item, student, chance) or wrong_answer(item, chance) or right_answer(item)


def right_answer(item: Item) -> tuple[str, ...]:
    return next(tuple(raw) for raw, is_right in ANSWERS[type(item)](item) if is_right)


def mistaken_answer(item: Item, student: DemoStudent, chance: Random) -> tuple[str, ...]:
    """The number that a mistake leads to: mostly the one this student is fond of."""
    if not isinstance(item, Numeric):
        return ()
    predicted = engine.predictions(item.question.engine_question)
    names = sorted(predicted)
    if student.habit in predicted and chance.random() < HABITUAL:
        names = [student.habit]
    if not names:
        return ()
    raw = (f"{predicted[chance.choice(names)]:.{item.decimals}f}",)
    return raw if is_wrong(item, raw) else ()


def is_wrong(item: Item, raw: Sequence[str]) -> bool:
    """Rounded to few places, a mistake may come out right."""
    try:
        return item.mark(raw).verdict == "wrong"
    except Unreadable:
        return False


def wrong_answer(item: Item, chance: Random) -> tuple[str, ...]:
    """Some wrong answer; nothing where none is known."""
    answers = [tuple(raw) for raw, is_right in ANSWERS[type(item)](item) if not is_right]
    return chance.choice(answers) if answers else ()
