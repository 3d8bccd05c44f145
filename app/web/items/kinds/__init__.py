"""What each kind of item shows of itself. A new kind: copy a neighbour, one line in `KINDS`."""

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
from app.web.items.kinds.base import ItemMoment, ItemParts, SeenAnswer
from app.web.items.kinds.fill import fill
from app.web.items.kinds.numeric import numeric, steps
from app.web.items.kinds.options import multiple, order, single, spot, true_false
from app.web.items.kinds.short import short

__all__ = ["KINDS", "ItemMoment", "ItemParts", "SeenAnswer", "parts_of"]


def parts_of(moment: ItemMoment[Any]) -> ItemParts:
    """The parts of an item by its kind."""
    return KINDS[type(moment.item)](moment)


KINDS: Mapping[type[Item], Callable[[ItemMoment[Any]], ItemParts]] = {
    SingleChoice: single,
    MultipleChoice: multiple,
    TrueFalse: true_false,
    Numeric: numeric,
    Steps: steps,
    Order: order,
    Spot: spot,
    FillInBlanks: fill,
    ShortAnswer: short,
}
