"""Chance from a key: a number that is as good as drawn, or as many draws as are wanted."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

Choice = TypeVar("Choice")


NUMBER_BYTES = 8


def number_from_key(key: str) -> int:
    """Return a whole number below 2**64 that the key alone decides, on any machine.

    >>> number_from_key("dcg/1/7") == number_from_key("dcg/1/7") != number_from_key("dcg/1/8")
    True
    """
    digest = sha256(key.encode()).digest()
    return int.from_bytes(digest[:NUMBER_BYTES])


class RandomStream:
    """Numbers, coins and orders by chance, from a key: only what Python keeps from version to version.

    byte_count: how many bytes of the hash of the key decide; None: all.

    >>> RandomStream("dcg/1/7").between(1, 6) == RandomStream("dcg/1/7").between(1, 6)
    True
    """

    def __init__(self, key: str, byte_count: int | None = None) -> None:
        digest = sha256(key.encode()).digest()
        self._random = Random(int.from_bytes(digest[:byte_count]))  # noqa: S311

    def between(self, lowest_number: int, highest_number: int) -> int:
        """Return a whole number from `lowest_number` to `highest_number`, both included."""
        number_count = highest_number - lowest_number + 1
        return lowest_number + int(self._random.random() * number_count)

    def tosses_heads(self) -> bool:
        return self.between(0, 1) == 0

    def one_of(self, choices: Sequence[Choice]) -> Choice:
        return choices[self.between(0, len(choices) - 1)]

    def shuffled(self, choices: Sequence[Choice]) -> tuple[Choice, ...]:
        """The choices in another order, each once."""
        return self.some_of(choices, len(choices))

    def some_of(self, choices: Sequence[Choice], choice_count: int) -> tuple[Choice, ...]:
        """So many of the choices, each at most once, in the order in which they are drawn."""
        remaining_choices = list(choices)
        return tuple(
            remaining_choices.pop(self.between(0, len(remaining_choices) - 1)) for _ in range(choice_count)
        )


def shuffled(elements: Sequence[Choice], seed: int, shuffle_key: str) -> list[Choice]:
    """Return the elements in an order that seed and key alone decide, on any machine.

    >>> shuffled("abcd", 7, "x") == shuffled("abcd", 7, "x")
    True
    """
    return list(RandomStream(f"{seed}:{shuffle_key}", NUMBER_BYTES).shuffled(elements))
