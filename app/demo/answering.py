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


def answer(item: Item, pupil: DemoStudent, number: int, chance: Random) -> tuple[str, ...]:
    """What this learner sends as the try of this number."""
    missing = (1 - pupil.skill) / TWICE_AS_LIKELY ** (number - 1)
    if chance.random() >= missing:
        return right(item)
    return by_mistake(item, pupil, chance) or wrong(item, chance) or right(item)


def right(item: Item) -> tuple[str, ...]:
    return next(tuple(raw) for raw, is_right in ANSWERS[type(item)](item) if is_right)


def wrong(item: Item, chance: Random) -> tuple[str, ...]:
    """Some wrong answer; nothing where none is known."""
    found = [tuple(raw) for raw, is_right in ANSWERS[type(item)](item) if not is_right]
    return chance.choice(found) if found else ()


def by_mistake(item: Item, pupil: DemoStudent, chance: Random) -> tuple[str, ...]:
    """The number that a mistake leads to: mostly the one this learner is fond of."""
    if not isinstance(item, Numeric):
        return ()
    predicted = engine.predictions(item.question.engine_question)
    fond = pupil.habit if pupil.habit in predicted and chance.random() < 0.8 else None
    names: Sequence[str] = [fond] if fond else sorted(predicted)
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
