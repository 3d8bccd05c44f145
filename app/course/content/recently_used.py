"""A cache that cannot grow without end."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
MOST_CACHED_VALUES = 20_000
"""How many values are kept where nobody says otherwise."""
MOST_VARIANTS = 800
"""How many variants of items a course keeps, of some 6 KB each: whoever asks for new seeds adds no more.

The answer to a variant asks for it again, soon; one that has made room is drawn again, in about 0.5 ms.
"""

MOST_CHARACTERS = 2_000_000
"""Of the HTML that a cache keeps; all texts of the course have a quarter of a million."""
_HTML_LOCK = Lock()
"""Of all caches of HTML: it is held for a moment, and a lock of each could not be stored with its course."""


class RecentlyUsed(OrderedDict[Key, Value]):
    """The values that were used last, `most_values` at most; the one that lay unused for longest makes room.

    Several threads may use it: each step stands for itself, and a value that is gone is computed again.

    >>> cache = RecentlyUsed[str, int]()
    >>> cache.recall("a"), cache.keep("a", 1), cache.recall("a")
    (None, 1, 1)
    """

    def __init__(self, most_values: int | None = None) -> None:
        super().__init__()
        self.most_values = most_values or MOST_CACHED_VALUES

    def recall(self, key: Key) -> Value | None:
        """The value of a key; None if there is none (any more)."""
        try:
            self.move_to_end(key)
        except KeyError:
            return None
        return self.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        self[key] = value
        if len(self) > self.most_values:
            self.popitem(last=False)
        return value


class RecentHtml(RecentlyUsed[Key, str]):
    """HTML that was used last: so many pieces at most, and so many characters in all.

    >>> cache = RecentHtml[str](most_characters=8)
    >>> cache.keep("a", "<b>1"), cache.keep("b", "<b>2"), cache.keep("c", "<b>3")
    ('<b>1', '<b>2', '<b>3')
    >>> list(cache), cache.character_count
    (['b', 'c'], 8)
    """

    def __init__(self, most_values: int | None = None, most_characters: int = MOST_CHARACTERS) -> None:
        super().__init__(most_values)
        self.most_characters = most_characters
        self.character_count = 0

    def keep(self, key: Key, value: str) -> str:
        if len(value) > self.most_characters:
            return value
        with _HTML_LOCK:
            former_text = self.pop(key, "")
            self[key] = value
            self.character_count += len(value) - len(former_text)
            while len(self) > self.most_values or self.character_count > self.most_characters:
                _, dropped_value = self.popitem(last=False)
                self.character_count -= len(dropped_value)
        return value

    def clear(self) -> None:
        """Keep nothing."""
        with _HTML_LOCK:
            super().clear()
            self.character_count = 0


class RecentlyUsedByOwner(RecentlyUsed[Key, Value]):
    """The values that were used last, `most_per_owner` at most of one owner: who adds without end pushes out
    their own.

    >>> cache = RecentlyUsedByOwner[str, int](most_values=8, most_per_owner=2, owner_of=lambda key: key[0])
    >>> [cache.keep(key, number) for number, key in enumerate(("b1", "a1", "a2", "a3"))]
    [0, 1, 2, 3]
    >>> list(cache)
    ['b1', 'a2', 'a3']
    """

    def __init__(self, most_values: int, most_per_owner: int, owner_of: Callable[[Key], Hashable]) -> None:
        super().__init__(most_values)
        self.most_per_owner = most_per_owner
        self.owner_of = owner_of
        self._keys_by_owner: RecentlyUsed[Hashable, list[Key]] = RecentlyUsed(most_values)

    def keep(self, key: Key, value: Value) -> Value:
        owner = self.owner_of(key)
        earlier_keys = self._keys_by_owner.pop(owner, [])
        keys_of_owner = [
            earlier_key for earlier_key in earlier_keys if earlier_key in self and earlier_key != key
        ]
        while len(keys_of_owner) >= self.most_per_owner:
            del self[keys_of_owner.pop(0)]
        self._keys_by_owner.keep(owner, [*keys_of_owner, key])
        return super().keep(key, value)
