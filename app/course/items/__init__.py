"""The kinds of items, one module each. A new kind: copy a neighbour, name it here, give it a template."""

from typing import Annotated

from pydantic import Field

from app.course.items.base import Item
from app.course.items.generated import Generated
from app.course.items.multiple import Multiple
from app.course.items.numeric import Asked, Numeric
from app.course.items.order import Order
from app.course.items.short import Short
from app.course.items.single import Single
from app.course.items.spot import Spot
from app.course.items.steps import Steps
from app.course.items.true_false import TrueFalse

AnyItem = Annotated[
    Single | Multiple | TrueFalse | Numeric | Steps | Order | Spot | Short | Generated,
    Field(discriminator="kind"),
]

__all__ = [
    "AnyItem",
    "Asked",
    "Generated",
    "Item",
    "Multiple",
    "Numeric",
    "Order",
    "Short",
    "Single",
    "Spot",
    "Steps",
    "TrueFalse",
]
