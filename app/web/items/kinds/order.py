"""Candies to put into an order."""

from markupsafe import Markup

from app.course.items.kinds import Order
from app.web.items.kinds.base import CandyView, ItemMoment, Parts


def order(moment: ItemMoment) -> Parts:
    """The candies as they were put last; the sweetest order when it was shown."""
    item = moment.item
    assert isinstance(item, Order)
    by_id = {document.id: document for document in item.documents}
    placed = [by_id[one] for one in dict.fromkeys(moment.last) if one in by_id]
    if moment.at == "shown":
        placed = sorted(item.documents, key=lambda document: -document.grade)
    elif len(placed) != len(by_id):
        placed = list(item.documents)
    views = [
        CandyView(one.id, one.text, Markup.escape(one.text), None if moment.open else f"{one.grade:g}")
        for one in placed
    ]
    return Parts(documents=views, query=item.query)
