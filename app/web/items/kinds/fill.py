"""Blanks to fill with words or numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.course.items.kinds import FillInBlanks
from app.web.items.kinds.base import ItemMoment, ItemParts


class BlankView(NamedTuple):
    """A blank as it stands in the form; `is_numeric`: only a number fills it."""

    typed_text: str
    is_numeric: bool


@dataclass(frozen=True)
class FillParts(ItemParts):
    """The blanks in their order."""

    blanks: Sequence[BlankView] = ()


def fill_parts(moment: ItemMoment[FillInBlanks]) -> FillParts:
    texts = list(moment.texts_in_form)
    texts += [""] * len(moment.item.blanks)
    blank_views = []
    for blank, text in zip(moment.item.blanks, texts, strict=False):
        blank_views.append(BlankView(text, blank.is_numeric))
    return FillParts(blanks=blank_views)
