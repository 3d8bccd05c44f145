"""An item on paper, with what its key says and the numbers that mistakes lead to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from app import engine
from app.course import Course
from app.course.items.kinds import (
    Item,
    Numeric,
    Steps,
)
from app.web.items.kinds import ItemWithAnswers, KindView, kind_view_of
from app.web.site.rendering import line_html, text_html


@dataclass(frozen=True)
class PrintedItem:
    """A question on a sheet, by its number there."""

    course: Course
    item: Item
    number: int

    @property
    def kind(self) -> str:
        return self.item.kind

    @property
    def stem_html(self) -> Markup:
        if "\n" in self.item.stem:  # a table stands in it
            return text_html(self.course, self.item.stem)
        return line_html(self.course, self.item.stem)

    @cached_property
    def kind_view(self) -> KindView:
        """As it looks before it was answered."""
        return kind_view_of(ItemWithAnswers(self.course, self.item, (), "open", None))

    @property
    def solved_kind_view(self) -> KindView:
        """As it looks when the tutor has filled it."""
        return kind_view_of(ItemWithAnswers(self.course, self.item, (), "shown", None))

    @property
    def clauses(self) -> Sequence[str]:
        """What it takes for granted."""
        if isinstance(self.item, Numeric | Steps):
            return self.item.question.clauses
        return ()

    @cached_property
    def choice_htmls(self) -> Sequence[Markup]:
        """What there is to choose from."""
        return [line_html(self.course, choice.text) for choice in self.item.choices]

    @property
    def answer_html(self) -> Markup:
        """What the key says."""
        return line_html(self.course, self.item.key_text)

    @property
    def accepted_words(self) -> str:
        """The interval that counts as right; nothing where there is none."""
        if isinstance(self.item, Numeric):
            return self.item.accepted_interval_words
        return ""

    @cached_property
    def right_number(self) -> float | None:
        """The number that is asked; None where a number would not do."""
        if not isinstance(self.item, Numeric | Steps):
            return None
        return engine.answer(self.item.question.engine_question)

    @cached_property
    def predicted_value_by_misconception_id(self) -> Mapping[str, float]:
        """Mistake → the number it leads to."""
        if not isinstance(self.item, Numeric | Steps):
            return {}
        return engine.predictions(self.item.question.engine_question)
