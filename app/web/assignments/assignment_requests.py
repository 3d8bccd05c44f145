"""What handlers of an assignment work with, found once a request: caller, form and assignment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

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
class TeacherRequest:
    """A request about an assignment of a class; its verbs take caller, class and assignment first."""

    http: Request
    site: Site
    caller: Caller
    form: PostedForm
    now: datetime
    classroom_id: int
    assignment_id: int

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

    async def courses(self) -> Mapping[str, Course]:
        """Prefix to course, for everything that the assignment draws from."""
        return await course_sources.courses(self.site, self.assignment_id)

    def page(self, template: str, *, status: int = 200, **context: Any) -> Response:
        return responses.page(self.http, template, known=True, status=status, page="class", **context)

    def see(self, suffix: str = "") -> Response:
        """On to the page of the assignment."""
        url = f"/classrooms/{self.classroom_id}/assignments/{self.assignment_id}{suffix}"
        return responses.see(self.http, url)


async def teacher_request(
    http: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> TeacherRequest:
    return TeacherRequest(http, site, caller, form, now, classroom_id, assignment_id)


TeacherDep = Annotated[TeacherRequest, Depends(teacher_request)]


@dataclass(frozen=True)
class StudentRequest:
    """A request of a student about an assignment; its verbs take caller and assignment first."""

    http: Request
    site: Site
    caller: Caller
    form: PostedForm
    now: datetime
    assignment_id: int

    async def read(
        self, verb: Callable[Concatenate[VerbSession, Caller, int, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self.site.db.read(verb, self.caller, self.assignment_id, *args, **kwargs)

    async def write(
        self, verb: Callable[Concatenate[VerbSession, Caller, int, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self.site.db.write(verb, self.caller, self.assignment_id, *args, **kwargs)

    async def courses(self) -> Mapping[str, Course]:
        """Prefix to course, for everything that the assignment draws from."""
        return await course_sources.courses(self.site, self.assignment_id)

    def page(self, template: str, *, status: int = 200, **context: Any) -> Response:
        return responses.page(self.http, template, known=True, status=status, page="assignments", **context)

    def see(self, suffix: str = "") -> Response:
        """On to the page of the assignment."""
        return responses.see(self.http, f"/assignments/{self.assignment_id}{suffix}")


async def student_request(
    http: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, assignment_id: Id
) -> StudentRequest:
    return StudentRequest(http, site, caller, form, now, assignment_id)


StudentDep = Annotated[StudentRequest, Depends(student_request)]
