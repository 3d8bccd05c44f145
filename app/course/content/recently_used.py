"""A cache that cannot grow without end."""

from collections import OrderedDict
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
LIMIT = 20_000
"""How many values are kept where nobody says otherwise."""
MOST_VARIANTS = 2000
"""How many variants of items a course keeps, of some 10 KB each: whoever asks for new seeds adds no more."""


class RecentlyUsed(OrderedDict[Key, Value]):
    """The values that were used last, `limit` at most; the one that lay unused for longest makes room.

    Several threads may use it: each step stands for itself, and a value that is gone is computed again.

    >>> cache = RecentlyUsed[str, int]()
    >>> cache.recall("a"), cache.keep("a", 1), cache.recall("a")
    (None, 1, 1)
    """

    def __init__(self, limit: int | None = None) -> None:
        super().__init__()
        self.limit = limit or LIMIT

    def recall(self, key: Key) -> Value | None:
        """The value of a key; None if there is none (any more)."""
        try:
            self.move_to_end(key)
        except KeyError:
            return None
        return self.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        self[key] = value
        if len(self) > self.limit:
            self.popitem(last=False)
        return value
