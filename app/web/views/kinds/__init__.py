"""What each kind of item shows of itself. A new kind: copy a neighbour, one line in `KINDS`."""

from collections.abc import Callable, Mapping

from app.course.items import Item, Multiple, Numeric, Order, Short, Single, Spot, Steps, TrueFalse
from app.web.views.kinds.base import Moment, Parts, Seen
from app.web.views.kinds.numeric import numeric
from app.web.views.kinds.options import multiple, single, true_false
from app.web.views.kinds.order import order
from app.web.views.kinds.short import short
from app.web.views.kinds.spot import spot
from app.web.views.kinds.steps import steps

__all__ = ["KINDS", "Moment", "Parts", "Seen", "parts_of"]


def parts_of(moment: Moment) -> Parts:
    """The parts of an item by its kind."""
    return KINDS[type(moment.item)](moment)


KINDS: Mapping[type[Item], Callable[[Moment], Parts]] = {
    Single: single,
    Multiple: multiple,
    TrueFalse: true_false,
    Numeric: numeric,
    Steps: steps,
    Order: order,
    Spot: spot,
    Short: short,
}
