"""Whole numbers from a key: one that is as good as drawn, or as many as are wanted."""

from hashlib import sha256
from random import Random


def number_from_key(key: str) -> int:
    """Return a whole number below 2**64 that the key alone decides, on any machine.

    >>> number_from_key("dcg/1/7") == number_from_key("dcg/1/7") != number_from_key("dcg/1/8")
    True
    """
    digest = sha256(key.encode()).digest()
    return int.from_bytes(digest[:8])


class Stream:
    """Whole numbers by chance, from a key: only what Python promises to keep from version to version.

    >>> Stream("dcg/1/7").between(1, 6) == Stream("dcg/1/7").between(1, 6)
    True
    """

    def __init__(self, key: str) -> None:
        digest = sha256(key.encode()).digest()
        self._dice = Random(int.from_bytes(digest))  # noqa: S311

    def between(self, least: int, most: int) -> int:
        """Return a whole number from least to most, both included."""
        numbers = most - least + 1
        return least + int(self._dice.random() * numbers)
