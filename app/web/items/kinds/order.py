"""Candies to put into an order."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.course.items.kinds import Order
from app.course.items.kinds.order import Candy
from app.web.items.kinds.base import ItemMoment, Parts


@dataclass(frozen=True)
class OrderParts(Parts):
    """The candies in their present order, and the query they answer."""

    documents: Sequence[Candy] = ()
    query: str | None = None


def order(moment: ItemMoment[Order]) -> OrderParts:
    """The candies as they were put last; the sweetest order when it was shown."""
    candies = moment.item.documents
    by_id = {candy.id: candy for candy in candies}
    placed = [by_id[name] for name in dict.fromkeys(moment.last) if name in by_id]
    if moment.state == "shown":
        candies = sorted(candies, key=lambda candy: -candy.grade)
    elif len(placed) == len(by_id):
        candies = placed
    return OrderParts(documents=candies, query=moment.item.query)
