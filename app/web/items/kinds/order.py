"""Candies to put into an order."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course.items.kinds import Order
from app.web.items.kinds.base import ItemMoment, Parts


@dataclass(frozen=True)
class CandyView:
    """A document of an ordering; its grade is told once the item is closed."""

    id: str
    label: str
    html: Markup
    grade: str | None


@dataclass(frozen=True)
class OrderParts(Parts):
    """The candies in their present order, and the query they answer."""

    documents: Sequence[CandyView] = ()
    query: str | None = None


def order(moment: ItemMoment[Order]) -> OrderParts:
    """The candies as they were put last; the sweetest order when it was shown."""
    item = moment.item
    by_id = {document.id: document for document in item.documents}
    placed = [by_id[name] for name in dict.fromkeys(moment.last) if name in by_id]
    if moment.state == "shown":
        placed = sorted(item.documents, key=lambda document: -document.grade)
    elif len(placed) != len(by_id):
        placed = item.documents
    candies = []
    for document in placed:
        grade = None if moment.open else f"{document.grade:g}"
        candies.append(CandyView(document.id, document.text, Markup.escape(document.text), grade))
    return OrderParts(documents=candies, query=item.query)
