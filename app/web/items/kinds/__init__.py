"""What each kind of item shows of itself. A new kind: copy a neighbour, one line in
`KIND_VIEW_MAKER_BY_ITEM_CLASS`."""

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
from app.web.items.kinds.base import ItemWithAnswers, KindView, SeenAnswer
from app.web.items.kinds.numeric import numeric_kind_view, steps_kind_view
from app.web.items.kinds.options import (
    multiple_kind_view,
    order_kind_view,
    single_kind_view,
    spot_kind_view,
    true_false_kind_view,
)
from app.web.items.kinds.written import fill_kind_view, short_kind_view

__all__ = ["KIND_VIEW_MAKER_BY_ITEM_CLASS", "ItemWithAnswers", "KindView", "SeenAnswer", "kind_view_of"]


def kind_view_of(item_with_answers: ItemWithAnswers[Any]) -> KindView:
    """What an item shows of itself, by its kind."""
    return KIND_VIEW_MAKER_BY_ITEM_CLASS[type(item_with_answers.item)](item_with_answers)


KIND_VIEW_MAKER_BY_ITEM_CLASS: Mapping[type[Item], Callable[[ItemWithAnswers[Any]], KindView]] = {
    SingleChoice: single_kind_view,
    MultipleChoice: multiple_kind_view,
    TrueFalse: true_false_kind_view,
    Numeric: numeric_kind_view,
    Steps: steps_kind_view,
    Order: order_kind_view,
    Spot: spot_kind_view,
    FillInBlanks: fill_kind_view,
    ShortAnswer: short_kind_view,
}
