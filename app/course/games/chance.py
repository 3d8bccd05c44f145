"""Chance from a key: the same numbers on any machine and any version of Python."""

from collections.abc import Sequence
from typing import TypeVar

from app.engine.generate.stream import Stream

Thing = TypeVar("Thing")


class Chance(Stream):
    """What a game draws, one after the other: whole numbers as a question draws them, coins and orders.

    >>> Chance("a").between(1, 6) == Chance("a").between(1, 6)
    True
    """

    def coin(self) -> bool:
        return self.between(0, 1) == 0

    def one_of(self, things: Sequence[Thing]) -> Thing:
        return things[self.between(0, len(things) - 1)]

    def mixed(self, things: Sequence[Thing]) -> tuple[Thing, ...]:
        """The things in another order."""
        remaining_things = list(things)
        order = []
        while remaining_things:
            order.append(remaining_things.pop(self.between(0, len(remaining_things) - 1)))
        return tuple(order)
