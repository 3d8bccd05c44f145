"""What a student did, as a list that can be read: assignments by name, question after question in a pile."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from app.records.classes.values import PieceOfWork, StudentData

WhereFrom = Callable[[str], str]
"""The title of the page on which an attempt with this ref was made."""


@dataclass(frozen=True)
class WorkView:
    """One attempt: what it is called, and where it can be read."""

    piece: PieceOfWork
    title: str
    url: str


@dataclass(frozen=True)
class WorkGroup:
    """Attempts of one kind, one after the other, the newest first; most piles are of one."""

    title: str
    works: Sequence[WorkView]

    @property
    def items(self) -> int:
        return sum(one.piece.items for one in self.works)

    @property
    def right(self) -> int:
        return sum(one.piece.right for one in self.works)


def piles(look: StudentData, title_of: WhereFrom) -> list[WorkGroup]:
    """The work of a student; question after question of one exercise is one pile."""
    works = [work(look, piece, title_of) for piece in look.works]
    return [WorkGroup(key[0], tuple(found)) for key, found in groupby(works, kind)]


def work(look: StudentData, piece: PieceOfWork, title_of: WhereFrom) -> WorkView:
    here = f"/classrooms/{look.row.id}"
    number = piece.ref.removeprefix("assignment-")
    if piece.source == "assignment" and number.isdecimal() and int(number) in look.assignments:
        url = f"{here}/assignments/{number}/students/{look.student.id}"
        return WorkView(piece, look.assignments[int(number)], url)
    return WorkView(piece, title_of(piece.ref), f"{here}/students/{look.student.id}/attempts/{piece.id}")


def kind(one: WorkView) -> tuple[str, int]:
    """What lies in one pile: practice of the same; a lesson or an assignment lies by itself."""
    return one.title, 0 if one.piece.source == "practice" else one.piece.id
