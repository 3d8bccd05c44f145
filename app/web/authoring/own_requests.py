"""What handlers of 我的内容 work with, found once a request."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Request
from starlette.responses import Response

from app.records.accounts.values import Caller
from app.records.db.session import VerbSession
from app.web.site import responses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import PostedForm
from app.web.site.site import Site

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class AuthorRequest:
    """A request of somebody who writes; its verbs take the caller first."""

    http: Request
    site: Site
    caller: Caller
    form: PostedForm
    now: datetime

    async def read(
        self, verb: Callable[Concatenate[VerbSession, Caller, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self.site.db.read(verb, self.caller, *args, **kwargs)

    async def write(
        self, verb: Callable[Concatenate[VerbSession, Caller, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self.site.db.write(verb, self.caller, *args, **kwargs)

    def see(self, path: str) -> Response:
        return responses.see(self.http, path)


async def author_request(
    http: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now
) -> AuthorRequest:
    return AuthorRequest(http, site, caller, form, now)


AuthorDep = Annotated[AuthorRequest, Depends(author_request)]
