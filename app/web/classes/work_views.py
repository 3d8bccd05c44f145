"""What a student did, as a list that can be read: assignments by name, question after question in a group."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from app.course import Course
from app.records.classes.values import PieceOfWork, StudentData
from app.web.answers import where_from


@dataclass(frozen=True)
class WorkView:
    """One attempt: what it is called, and where it can be read."""

    piece: PieceOfWork
    title: str
    url: str

    @property
    def group(self) -> tuple[str, int]:
        """Practice of the same exercise is one group; a lesson or an assignment is one by itself."""
        return self.title, 0 if self.piece.source == "practice" else self.piece.id


@dataclass(frozen=True)
class WorkGroup:
    """Attempts of one kind, one after the other, the newest first; most groups are of one."""

    title: str
    works: Sequence[WorkView]

    @property
    def items(self) -> int:
        return sum(work.piece.items for work in self.works)

    @property
    def right(self) -> int:
        return sum(work.piece.right for work in self.works)


def work_groups(course: Course, data: StudentData) -> list[WorkGroup]:
    """The work of a student; question after question of one exercise is one group."""
    works = [work_view(course, data, piece) for piece in data.works]
    return [WorkGroup(title, tuple(group)) for (title, _), group in groupby(works, lambda work: work.group)]


def work_view(course: Course, data: StudentData, piece: PieceOfWork) -> WorkView:
    classroom_url = f"/classrooms/{data.row.id}"
    number = piece.ref.removeprefix("assignment-")
    if piece.source == "assignment" and number.isdecimal() and int(number) in data.assignments:
        url = f"{classroom_url}/assignments/{number}/students/{data.student.id}"
        return WorkView(piece, data.assignments[int(number)], url)
    _, title = where_from(course, course.bare(piece.ref))
    return WorkView(piece, title, f"{classroom_url}/students/{data.student.id}/attempts/{piece.id}")
