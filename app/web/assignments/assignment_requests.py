"""What handlers of an assignment work with, found once a request: caller, form and assignment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Concatenate, ParamSpec, TypeVar

from fastapi import Depends

from app.course import Course
from app.records.accounts.values import Caller
from app.records.assignments.values import AssignmentKey
from app.records.db.session import VerbSession
from app.records.grading.values import CellKey, QuestionKey
from app.web.site.requests import RequestDep, ResourceRequest, RowId

LIST_ADDRESS = "/classrooms/{classroom_id}/assignments"
ASSIGNMENT_ADDRESS = LIST_ADDRESS + "/{assignment_id}"
"""Where its teachers find it, and all that they do with it."""
P = ParamSpec("P")
T = TypeVar("T")
StudentVerb = Callable[Concatenate[VerbSession, Caller, int, P], T]
TeacherVerb = Callable[Concatenate[VerbSession, Caller, AssignmentKey, P], T]
CellVerb = Callable[Concatenate[VerbSession, Caller, CellKey, P], T]


@dataclass(frozen=True)
class AssignmentRequest(ResourceRequest):
    """A request about an assignment."""

    assignment_id: int

    async def courses(self) -> Mapping[str, Course]:
        """Prefix to course, for everything that the assignment draws from."""
        return await self.site.assignment_courses(self.assignment_id)


@dataclass(frozen=True)
class StudentRequest(AssignmentRequest):
    """That of a student; its verbs take caller and assignment first."""

    menu_entry = "assignments"

    @property
    def url(self) -> str:
        return f"/assignments/{self.assignment_id}"

    async def read(self, verb: StudentVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.read(verb, self.caller, self.assignment_id, *args, **kwargs)

    async def write(self, verb: StudentVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.write(verb, self.caller, self.assignment_id, *args, **kwargs)


@dataclass(frozen=True)
class TeacherRequest(AssignmentRequest):
    """That of a teacher; its verbs take caller and assignment first."""

    classroom_id: int
    menu_entry = "class"

    @property
    def url(self) -> str:
        return f"/classrooms/{self.classroom_id}/assignments/{self.assignment_id}"

    async def read(self, verb: TeacherVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.read(verb, self.caller, self._assignment_key, *args, **kwargs)

    async def write(self, verb: TeacherVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.write(verb, self.caller, self._assignment_key, *args, **kwargs)

    @property
    def _assignment_key(self) -> AssignmentKey:
        return AssignmentKey(self.classroom_id, self.assignment_id)


@dataclass(frozen=True)
class CellRequest(AssignmentRequest):
    """That of a teacher about the work of a student; its verbs take caller and cell first."""

    classroom_id: int
    student_id: int
    menu_entry = "class"

    @property
    def url(self) -> str:
        return f"/classrooms/{self.classroom_id}/assignments/{self.assignment_id}/students/{self.student_id}"

    @property
    def question(self) -> QuestionKey:
        """The question that a form is about; `WHOLE_WORK` where it names none."""
        return QuestionKey(self.form.number("pass", 0), self.form.number("question", 0))

    async def read(self, verb: CellVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.read(verb, self.caller, self._cell_key, *args, **kwargs)

    async def write(self, verb: CellVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.write(verb, self.caller, self._cell_key, *args, **kwargs)

    @property
    def _cell_key(self) -> CellKey:
        return CellKey(self.classroom_id, self.assignment_id, self.student_id, self.question)


async def student_request(request: RequestDep, assignment_id: RowId) -> StudentRequest:
    return StudentRequest(**vars(request), assignment_id=assignment_id)


async def teacher_request(request: RequestDep, classroom_id: RowId, assignment_id: RowId) -> TeacherRequest:
    return TeacherRequest(**vars(request), assignment_id=assignment_id, classroom_id=classroom_id)


async def cell_request(
    request: RequestDep, classroom_id: RowId, assignment_id: RowId, student_id: RowId
) -> CellRequest:
    return CellRequest(
        **vars(request), assignment_id=assignment_id, classroom_id=classroom_id, student_id=student_id
    )


StudentDep = Annotated[StudentRequest, Depends(student_request)]
TeacherDep = Annotated[TeacherRequest, Depends(teacher_request)]
CellDep = Annotated[CellRequest, Depends(cell_request)]
