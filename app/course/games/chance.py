"""Chance from a key: the same numbers on any machine and any version of Python."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


class Chance:
    """Draws one after the other; only `Random.random` is used, which Python promises to keep.

    >>> Chance("a").between(1, 6) == Chance("a").between(1, 6)
    True
    """

    def __init__(self, purpose: str) -> None:
        self._next = Random(int.from_bytes(sha256(purpose.encode()).digest())).random  # noqa: S311  # a game

    def between(self, least: int, most: int) -> int:
        """A whole number from least to most, both included."""
        return least + int(self._next() * (most - least + 1))

    def coin(self) -> bool:
        return self._next() < 0.5

    def one_of(self, things: Sequence[Thing]) -> Thing:
        return things[self.between(0, len(things) - 1)]

    def mixed(self, things: Sequence[Thing]) -> tuple[Thing, ...]:
        """The things in another order."""
        remaining_things = list(things)
        order = []
        while remaining_things:
            order.append(remaining_things.pop(self.between(0, len(remaining_things) - 1)))
        return tuple(order)
