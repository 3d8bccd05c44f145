"""What handlers of an assignment work with, found once a request: caller, form and assignment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, TypeVar

from fastapi import Depends, Request
from starlette.responses import Response

from app.course import Course
from app.records.accounts.values import Caller
from app.web.classes.classrooms import Id
from app.web.site import responses
from app.web.site.requests import CallerDep, FormDep, Now, PostedForm, SiteDep
from app.web.site.site import Site

T = TypeVar("T")


@dataclass(frozen=True)
class StudentRequest:
    """A request of a student about an assignment. `ids`: what its verbs take after the caller; `menu`: the
    entry of the menu that its pages belong to."""

    http: Request
    site: Site
    caller: Caller
    form: PostedForm
    now: datetime
    assignment_id: int
    menu: ClassVar = "assignments"

    @property
    def ids(self) -> tuple[int, ...]:
        return (self.assignment_id,)

    @property
    def url(self) -> str:
        """The page of the assignment."""
        return f"/assignments/{self.assignment_id}"

    async def courses(self) -> Mapping[str, Course]:
        """Prefix to course, for everything that the assignment draws from."""
        return await self.site.assignment_courses(self.assignment_id)

    async def read(self, verb: Callable[..., T], *args: Any) -> T:
        return await self.site.db.read(verb, self.caller, *self.ids, *args)

    async def write(self, verb: Callable[..., T], *args: Any) -> T:
        return await self.site.db.write(verb, self.caller, *self.ids, *args)

    def page(self, template: str, *, error: str = "", status: int = 200, **context: Any) -> Response:
        """A page; `error`: why the form was refused."""
        if error:
            status = 422
        return responses.page(
            self.http, template, signed_in=True, status=status, page=self.menu, error=error, **context
        )

    def see(self, suffix: str = "") -> Response:
        """On to the page of the assignment."""
        return responses.see(self.http, f"{self.url}{suffix}")


@dataclass(frozen=True)
class TeacherRequest(StudentRequest):
    """That of a teacher; its verbs take caller, class and assignment first."""

    classroom_id: int
    menu = "class"

    @property
    def ids(self) -> tuple[int, ...]:
        return self.classroom_id, self.assignment_id

    @property
    def url(self) -> str:
        return f"/classrooms/{self.classroom_id}/assignments/{self.assignment_id}"


async def student_request(
    http: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, assignment_id: Id
) -> StudentRequest:
    return StudentRequest(http, site, caller, form, now, assignment_id)


StudentDep = Annotated[StudentRequest, Depends(student_request)]


async def teacher_request(request: StudentDep, classroom_id: Id) -> TeacherRequest:
    return TeacherRequest(**vars(request), classroom_id=classroom_id)


TeacherDep = Annotated[TeacherRequest, Depends(teacher_request)]
