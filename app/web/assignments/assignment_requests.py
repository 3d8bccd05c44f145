"""What handlers of an assignment work with, found once a request: caller, form and assignment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Request
from starlette.responses import Response

from app.course import Course
from app.records.accounts.values import Caller
from app.records.db.session import VerbSession
from app.web.classes.classrooms import Id
from app.web.site import course_sources, responses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import PostedForm
from app.web.site.site import Site

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class AssignmentRequest:
    """A request about an assignment. `menu`: the entry of the menu that its pages belong to."""

    http: Request
    site: Site
    caller: Caller
    form: PostedForm
    now: datetime
    assignment_id: int
    menu: ClassVar[str]

    async def courses(self) -> Mapping[str, Course]:
        """Prefix to course, for everything that the assignment draws from."""
        return await course_sources.courses(self.site, self.assignment_id)

    def page(self, template: str, *, error: str = "", status: int = 200, **context: Any) -> Response:
        """A page; `error`: why the form was refused."""
        if error:
            status = 422
        return responses.page(
            self.http, template, known=True, status=status, page=self.menu, error=error, **context
        )


class StudentRequest(AssignmentRequest):
    """That of a student; its verbs take caller and assignment first."""

    menu = "assignments"

    async def read(
        self, verb: Callable[Concatenate[VerbSession, Caller, int, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self.site.db.read(verb, self.caller, self.assignment_id, *args, **kwargs)

    async def write(
        self, verb: Callable[Concatenate[VerbSession, Caller, int, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self.site.db.write(verb, self.caller, self.assignment_id, *args, **kwargs)

    def see(self, suffix: str = "") -> Response:
        """On to the page of the assignment."""
        return responses.see(self.http, f"/assignments/{self.assignment_id}{suffix}")


@dataclass(frozen=True)
class TeacherRequest(AssignmentRequest):
    """That of a teacher; its verbs take caller, class and assignment first."""

    classroom_id: int
    menu = "class"

    async def read(
        self,
        verb: Callable[Concatenate[VerbSession, Caller, int, int, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        return await self.site.db.read(
            verb, self.caller, self.classroom_id, self.assignment_id, *args, **kwargs
        )

    async def write(
        self,
        verb: Callable[Concatenate[VerbSession, Caller, int, int, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        return await self.site.db.write(
            verb, self.caller, self.classroom_id, self.assignment_id, *args, **kwargs
        )

    def see(self, suffix: str = "") -> Response:
        """On to the page of the assignment."""
        url = f"/classrooms/{self.classroom_id}/assignments/{self.assignment_id}{suffix}"
        return responses.see(self.http, url)


async def student_request(
    http: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, assignment_id: Id
) -> StudentRequest:
    return StudentRequest(http, site, caller, form, now, assignment_id)


async def teacher_request(
    request: Annotated[StudentRequest, Depends(student_request)], classroom_id: Id
) -> TeacherRequest:
    return TeacherRequest(**vars(request), classroom_id=classroom_id)


StudentDep = Annotated[StudentRequest, Depends(student_request)]
TeacherDep = Annotated[TeacherRequest, Depends(teacher_request)]
