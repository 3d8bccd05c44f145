"""Blanks to fill with words or numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.course.items.kinds import FillInBlanks
from app.web.items.kinds.base import ItemParts, ItemWithAnswers


class BlankView(NamedTuple):
    """A blank as it stands in the form; `is_numeric`: only a number fills it."""

    typed_text: str
    is_numeric: bool


@dataclass(frozen=True)
class FillParts(ItemParts):
    """The blanks in their order."""

    blanks: Sequence[BlankView] = ()


def fill_parts(item_with_answers: ItemWithAnswers[FillInBlanks]) -> FillParts:
    texts_in_form = list(item_with_answers.texts_in_form)
    texts_in_form += [""] * len(item_with_answers.item.blanks)
    blank_views = []
    for blank, text in zip(item_with_answers.item.blanks, texts_in_form, strict=False):
        blank_views.append(BlankView(text, blank.is_numeric))
    return FillParts(blanks=blank_views)
