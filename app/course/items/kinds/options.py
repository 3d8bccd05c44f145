"""What the kinds with options share."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field, model_validator

from app.course.items.kinds.base import Item, refuse_repeats, shuffled
from app.course.items.marks import Unreadable
from app.course.text.model_base import ContentPart, Id, Text


class Option(ContentPart):
    """One option; its feedback says why someone would choose it."""

    id: Id
    text: Text
    right: bool = False
    feedback: Text


class WithOptions(Item):
    """An item with options, shown in an order of the learner's own."""

    options: list[Option] = Field(min_length=2, max_length=6)
    shuffle: bool = True

    @model_validator(mode="after")
    def _option_ids_are_unique(self) -> Self:
        refuse_repeats([option.id for option in self.options], "选项")
        return self

    def variant(self, seed: int) -> Self:
        if not self.shuffle:
            return self
        return self.model_copy(update={"options": shuffled(self.options, seed, self.id)})

    @property
    def right_options(self) -> list[Option]:
        return [option for option in self.options if option.right]

    def chosen(self, raw: Sequence[str]) -> list[Option]:
        """The options with these ids; an id that is not there is unreadable."""
        by_id = {option.id: option for option in self.options}
        if unknown := [option_id for option_id in raw if option_id not in by_id]:
            raise Unreadable(f"没有这个选项：{'、'.join(unknown)}。请从列出的选项里选。")
        return [by_id[option_id] for option_id in dict.fromkeys(raw)]
