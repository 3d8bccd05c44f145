"""The kinds of items, one module each. A new kind: copy a neighbour, name it in `AnyItem`."""

from collections.abc import Mapping
from typing import Annotated, get_args

from pydantic import Field

from app.course.items.kinds.base import Item
from app.course.items.kinds.fill import Blank, FillInBlanks
from app.course.items.kinds.generated import Generated
from app.course.items.kinds.numeric import AskedQuantity, Numeric
from app.course.items.kinds.options import MultipleChoice, SingleChoice, TrueFalse
from app.course.items.kinds.order import Order
from app.course.items.kinds.short import Rubric, RubricLine, ShortAnswer, rubric_share
from app.course.items.kinds.spot import Spot
from app.course.items.kinds.steps import Steps

AnyItem = Annotated[
    SingleChoice
    | MultipleChoice
    | TrueFalse
    | Numeric
    | Steps
    | Order
    | Spot
    | FillInBlanks
    | ShortAnswer
    | Generated,
    Field(discriminator="kind"),
]

KINDS: Mapping[str, type[Item]] = {
    item_class.kind_name(): item_class for item_class in get_args(get_args(AnyItem)[0])
}
"""The kinds of `AnyItem` by their names, in the order in which teachers choose from them."""
WORD_BY_ITEM_KIND: Mapping[str, str] = {
    kind_name: item_class.KIND_WORD for kind_name, item_class in KINDS.items()
}
"""What teachers call each kind of item."""

__all__ = [
    "KINDS",
    "WORD_BY_ITEM_KIND",
    "AnyItem",
    "AskedQuantity",
    "Blank",
    "FillInBlanks",
    "Generated",
    "Item",
    "MultipleChoice",
    "Numeric",
    "Order",
    "Rubric",
    "RubricLine",
    "ShortAnswer",
    "SingleChoice",
    "Spot",
    "Steps",
    "TrueFalse",
    "rubric_share",
]
