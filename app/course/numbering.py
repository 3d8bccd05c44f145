"""The questions of an assignment, one after another: which item each is, under the name that answers have."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.course.exercises import practice_id

ASKED = ("item", "practice")
"""The kinds of parts that ask questions; the others are done elsewhere."""


class PartOf(Protocol):
    """What numbering needs to know of a part."""

    @property
    def kind(self) -> str: ...
    @property
    def ref(self) -> str: ...
    @property
    def level(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def same(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Numbered:
    """A question: its number from 1, and its item. `same`: everybody has the same one."""

    number: int
    item: str
    same: bool

    @property
    def ref(self) -> str:
        """How answers name it: the same item may come twice.

        >>> Numbered(3, "content:dcg-at-3", True).ref
        'content:dcg-at-3#3'
        """
        return f"{self.item}#{self.number}"


def numbered(parts: Iterable[PartOf]) -> Sequence[Numbered]:
    """All questions in order, numbered through."""
    found: list[Numbered] = []
    for part in parts:
        for _ in range(_count(part)):
            item = _practice(part) if part.kind == "practice" else part.ref
            found.append(Numbered(len(found) + 1, item, part.same or part.kind == "item"))
    return found


def _count(part: PartOf) -> int:
    return {"item": 1, "practice": part.count}.get(part.kind, 0)


def _practice(part: PartOf) -> str:
    prefix, _, exercise = part.ref.rpartition(":")
    return f"{prefix}:{practice_id(exercise, part.level)}"


def item_of(ref: str) -> str:
    """The item that an answer was given to, whichever question of an assignment it was.

    >>> item_of("content:dcg-at-3#12"), item_of("content:dcg-at-3")
    ('content:dcg-at-3', 'content:dcg-at-3')
    """
    return ref.partition("#")[0]
