"""How fast a lesson is read, and how long a beginner thinks over what it asks."""

import re

from app.course.items.kinds import Item, Numeric, SingleChoice, TrueFalse
from app.course.items.kinds.numeric import AskedQuantity
from app.course.learning.steps import AnyStep, Ask, CardsStep, ExampleStep, Figure, Recap, Say, ToyStep
from app.course.text import speech
from tests.published import published

COURSE = published()
PACE = 15
"""The most steps between one look back and the next; exercises in Python, which are optional, aside."""
MATHS = re.compile(r"\$+([^$]+)\$+")
READ_A_MINUTE = 250
"""Chinese characters that a beginner reads and understands in a minute; a formula is read as it is spoken."""
TAP_SECONDS = 3
THINK_SECONDS = 10
"""Before a choice, an order, a guess."""
SUM_SECONDS, NUMBER_SECONDS = 20, 60
"""For a number: a sum of small whole ones, or one to be computed."""
MOST_MINUTES = 20
EXAMPLE_WORDS = 60
"""What the tutor says at each position that is opened, and around it."""


def number_of_whole_ndcg() -> int:
    """The number of the first step that asks for an NDCG and does not print its DCG in the question."""
    for number, step in enumerate(COURSE.steps, 1):
        if isinstance(step, Ask) and is_whole_ndcg(COURSE.items[step.item]):
            return number
    raise AssertionError("nobody is asked for a whole NDCG")


def is_whole_ndcg(item: Item) -> bool:
    if not isinstance(item, Numeric) or not isinstance(item.question, AskedQuantity):
        return False
    grades = [f"{grade:g}" for grade in item.question.grades or ()]
    return item.question.quantity == "ndcg" and "、".join(grades) in item.stem


def length(text: str | None) -> int:
    """The characters of a text as it is read aloud; what the engine fills in counts as a number."""
    spoken = MATHS.sub(lambda formula: speech.spoken_formula(formula[1]), text or "")
    filled = re.sub(r"\{\{.*?\}\}", "0.000", spoken)
    return len(re.sub(r"[\s*>|\\#`]", "", filled))


def characters_of(step: AnyStep) -> int:
    """What there is to read in a step; folded words aside."""
    match step:
        case Say():
            return length(step.text)
        case Figure():
            return length(step.caption)
        case ToyStep():
            options = sum(map(length, step.guess.options))
            return length(step.guess.ask) + options + length(step.task.words) + length(step.told)
        case CardsStep():
            return sum(
                length(COURSE.cards[name].front) + length(COURSE.cards[name].back) for name in step.cards
            )
        case ExampleStep():
            return EXAMPLE_WORDS * (len(COURSE.examples[step.example].documents) + 1)
        case Ask():
            return length_of_item(COURSE.items[step.item])
        case Recap():
            return sum(map(length, step.points))
    return 0


def length_of_item(item: Item) -> int:
    """Question, choices, and what is said to the right answer."""
    read = length(item.stem) + length(getattr(item, "explanation", ""))
    if isinstance(item, SingleChoice):
        for option in item.options:
            read += length(option.text)
            if option.right:
                read += length(option.feedback)
    if isinstance(item, TrueFalse):
        read += length(item.feedback.right)
    return read


def seconds_of(step: AnyStep) -> float:
    """What a step asks of the hand and of the head, beside reading; 下一步 is a tap, too."""
    return taps_of(step) * TAP_SECONDS + thinking_of_step(step)


def taps_of(step: AnyStep) -> int:
    match step:
        case Ask():
            return 3
        case ToyStep():
            return 6
        case ExampleStep():
            return len(COURSE.examples[step.example].documents) + 1
    return 1


def thinking_of_step(step: AnyStep) -> float:
    """A toy is guessed at first and then moved; each candy that is opened was guessed at, too."""
    match step:
        case Ask():
            return thinking_of(COURSE.items[step.item])
        case ToyStep():
            return 2 * THINK_SECONDS
        case ExampleStep():
            return THINK_SECONDS
    return 0.0


def thinking_of(item: Item) -> float:
    if not isinstance(item, Numeric):
        return THINK_SECONDS
    if item.question.quantity == "cg":
        return SUM_SECONDS
    return NUMBER_SECONDS
