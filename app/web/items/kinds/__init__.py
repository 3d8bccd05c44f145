"""What each kind of item shows of itself. A new kind: copy a neighbour, one line in
`PARTS_MAKER_BY_ITEM_CLASS`."""

from collections.abc import Callable, Mapping
from typing import Any

from app.course.items.kinds import (
    FillInBlanks,
    Item,
    MultipleChoice,
    Numeric,
    Order,
    ShortAnswer,
    SingleChoice,
    Spot,
    Steps,
    TrueFalse,
)
from app.web.items.kinds.base import ItemParts, ItemWithAnswers, SeenAnswer
from app.web.items.kinds.numeric import numeric_parts, steps_parts
from app.web.items.kinds.options import (
    multiple_parts,
    order_parts,
    single_parts,
    spot_parts,
    true_false_parts,
)
from app.web.items.kinds.written import fill_parts, short_parts

__all__ = ["PARTS_MAKER_BY_ITEM_CLASS", "ItemParts", "ItemWithAnswers", "SeenAnswer", "parts_of"]


def parts_of(item_with_answers: ItemWithAnswers[Any]) -> ItemParts:
    """The parts of an item by its kind."""
    return PARTS_MAKER_BY_ITEM_CLASS[type(item_with_answers.item)](item_with_answers)


PARTS_MAKER_BY_ITEM_CLASS: Mapping[type[Item], Callable[[ItemWithAnswers[Any]], ItemParts]] = {
    SingleChoice: single_parts,
    MultipleChoice: multiple_parts,
    TrueFalse: true_false_parts,
    Numeric: numeric_parts,
    Steps: steps_parts,
    Order: order_parts,
    Spot: spot_parts,
    FillInBlanks: fill_parts,
    ShortAnswer: short_parts,
}
