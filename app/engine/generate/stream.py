"""Chance from a key: a number that is as good as drawn, or as many draws as are wanted."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


def number_from_key(key: str) -> int:
    """Return a whole number below 2**64 that the key alone decides, on any machine.

    >>> number_from_key("dcg/1/7") == number_from_key("dcg/1/7") != number_from_key("dcg/1/8")
    True
    """
    digest = sha256(key.encode()).digest()
    return int.from_bytes(digest[:8])


class Stream:
    """Numbers, coins and orders by chance, from a key: only what Python keeps from version to version.

    >>> Stream("dcg/1/7").between(1, 6) == Stream("dcg/1/7").between(1, 6)
    True
    """

    def __init__(self, key: str) -> None:
        digest = sha256(key.encode()).digest()
        self._dice = Random(int.from_bytes(digest))  # noqa: S311

    def between(self, least: int, most: int) -> int:
        """Return a whole number from least to most, both included."""
        number_count = most - least + 1
        return least + int(self._dice.random() * number_count)

    def coin(self) -> bool:
        return self.between(0, 1) == 0

    def one_of(self, things: Sequence[Thing]) -> Thing:
        return things[self.between(0, len(things) - 1)]

    def mixed(self, things: Sequence[Thing]) -> tuple[Thing, ...]:
        """The things in another order."""
        remaining_things = list(things)
        mixed_things = []
        while remaining_things:
            mixed_things.append(remaining_things.pop(self.between(0, len(remaining_things) - 1)))
        return tuple(mixed_things)
