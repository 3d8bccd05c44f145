"""Sheets of variants to print, with their key and a map of wrong numbers to mistakes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from app import engine
from app.course import Course
from app.course.items import rounding
from app.course.items.kinds import Item, Numeric, Order, Single, Steps
from app.web.items.kinds import ItemMoment, Parts, parts_of
from app.web.items.variants import Variant
from app.web.site.responses import html_of, line_of


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
        if "\n" in self.item.stem:  # a table stands in it
            return html_of(self.course, self.item.stem)
        return line_of(self.course, self.item.stem)

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
            return self.item.question.clauses
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
            case Single() as item:
                option_index = item.options.index(item.right_options[0])
                return "ABCDEF"[option_index]
        return ""

    @property
    def accepted(self) -> str:
        """The interval that counts as right; nothing where there is none."""
        if isinstance(self.item, Numeric):
            return self.item.room
        return ""

    @cached_property
    def wrong(self) -> Mapping[str, float]:
        """Mistake → the number it leads to."""
        if not isinstance(self.item, Numeric | Steps):
            return {}
        return engine.predictions(self.item.question.engine_question)


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

    @cached_property
    def decimals(self) -> int:
        """Decimals of the numbers of the map: as many as tell neighbours apart, none where all are whole."""
        told_apart = {misconception_id for misconception_id, _ in self.mistakes}
        for question in self.questions:
            for misconception_id, value in question.wrong.items():
                if misconception_id in told_apart and not round(value, rounding.TABLE_DECIMALS).is_integer():
                    return rounding.TABLE_DECIMALS
        return 0

    def wrong(self, question: Printed, mistake: str) -> str:
        """What a mistake leads to in a question, as the map prints it."""
        value = question.wrong.get(mistake)
        if value is None:
            return "—"
        return f"{value + 0.0:.{self.decimals}f}"

    def own(self, question: Printed) -> Sequence[str]:
        """What only some of them take for granted: said at each."""
        return [clause for clause in question.clauses if clause not in self.common]


def sheet(course: Course, first: Variant, count: int) -> Sheet:
    """`count` variants from the first one on."""
    questions = [Printed(course, first.ahead(ahead), ahead + 1) for ahead in range(count)]
    if isinstance(questions[0].item, Order | Single):  # no number is written, so none is wrong
        return Sheet(questions, ())
    exercise = course.exercises[first.exercise]
    names = engine.told_apart(exercise.generator)
    mistakes = [
        (misconception_id, engine.MISCONCEPTIONS[misconception_id].name) for misconception_id in names
    ]
    return Sheet(questions, mistakes)
