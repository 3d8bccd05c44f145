"""Variants as pages and sheets show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from app import engine
from app.course import Course
from app.course.items import numbers, rounding
from app.course.items.kinds import Item, Numeric, Order, Steps
from app.web.items.kinds import ItemMoment, Parts, parts_of
from app.web.items.kinds.numeric import clauses_of
from app.web.items.variants import Variant
from app.web.site.responses import markup

LEVELS = engine.LEVELS
MOST_PRINTED = 40


@dataclass(frozen=True)
class Printed:
    """A question on a sheet, with what its key says."""

    course: Course
    variant: Variant
    number: int

    @cached_property
    def item(self) -> Item:
        return self.course.variant(self.variant.item, self.variant.seed)

    @property
    def kind(self) -> str:
        return self.item.kind

    @property
    def stem(self) -> Markup:
        return markup(self.course.line(self.item.stem))

    @cached_property
    def parts(self) -> Parts:
        """As it looks before it was answered."""
        return parts_of(ItemMoment(self.course, self.item, (), "open", None))

    @property
    def solved(self) -> Parts:
        """As it looks when the tutor has filled it."""
        return parts_of(ItemMoment(self.course, self.item, (), "shown", None))

    @property
    def clauses(self) -> Sequence[str]:
        """What it takes for granted."""
        if isinstance(self.item, Numeric | Steps):
            return clauses_of(self.item.question)
        return ()

    @property
    def answer(self) -> str:
        """What the key says."""
        match self.item:
            case Numeric() as item:
                return f"{item.name} = {item.answer:.{item.decimals}f}"
            case Steps() as item:
                last = item.table.cells[-1].name
                return f"{last.upper()} = {item.table.truth()[last]:.{item.decimals}f}"
        return ""

    @property
    def accepted(self) -> str:
        """The interval that counts as right; nothing where there is none."""
        return self.item.room if isinstance(self.item, Numeric) else ""

    @property
    def wrong(self) -> Mapping[str, str]:
        """Mistake → the number it leads to, as finely as its neighbours are told apart."""
        if not isinstance(self.item, Numeric | Steps):
            return {}
        predictions = engine.predictions(self.item.question.engine_question)
        return {name: numbers.short(value, rounding.TABLE_DECIMALS) for name, value in predictions.items()}


@dataclass(frozen=True)
class Sheet:
    """Questions to print; `mistakes` are the columns of the map: what the exercise tells apart."""

    questions: Sequence[Printed]
    mistakes: Sequence[tuple[str, str]]

    @cached_property
    def common(self) -> Sequence[str]:
        """What all questions take for granted: said once, above them."""
        clauses = self.questions[0].clauses
        for question in self.questions[1:]:
            clauses = [clause for clause in clauses if clause in question.clauses]
        return clauses

    def own(self, question: Printed) -> Sequence[str]:
        """What only some of them take for granted: said at each."""
        return [clause for clause in question.clauses if clause not in self.common]


def sheet(course: Course, first: Variant, count: int) -> Sheet:
    """`count` variants from the first one on."""
    questions = [Printed(course, first.ahead(place), place + 1) for place in range(count)]
    if isinstance(questions[0].item, Order):  # nothing to compute, no wrong numbers
        return Sheet(questions, ())
    mistakes = engine.told_apart(course.exercises[first.exercise].generator)
    return Sheet(questions, [(name, engine.MISCONCEPTIONS[name].name) for name in mistakes])
