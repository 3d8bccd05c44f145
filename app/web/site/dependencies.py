"""What handlers ask for in their signature: the site, who is calling, what was posted, and the moment.

    async def rename(site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id) -> Response:

Each is found once a request. A form with several fields is a model of its own:
`form: Annotated[ClassroomForm, Form()]`. All are `async def`: a plain function would cost a thread each.
"""

from datetime import datetime
from typing import Annotated

from fastapi import Depends, HTTPException, Request

from app.records.accounts.values import Caller
from app.web.site import clock
from app.web.site.requests import MOST_FIELDS, PostedForm, caller_of
from app.web.site.site import Site, site_of


async def current_site(request: Request) -> Site:
    return site_of(request)


async def posted_form(request: Request) -> PostedForm:
    """The fields of the form that was posted; files are left out."""
    fields: dict[str, list[str]] = {}
    form = await request.form()
    await form.close()  # a file in it is not read
    if len(form.multi_items()) > MOST_FIELDS:
        raise HTTPException(422)
    for name, value in form.multi_items():
        if isinstance(value, str):
            fields.setdefault(name, []).append(value)
    return PostedForm(fields)


async def current_caller(request: Request) -> Caller:
    """Who is calling: by the cookie, and for a newcomer by the token that the form proposes."""
    if request.method == "POST":
        return caller_of(request, await posted_form(request))
    return caller_of(request)


async def current_time() -> datetime:
    return clock.now()


SiteDep = Annotated[Site, Depends(current_site)]
FormDep = Annotated[PostedForm, Depends(posted_form)]
CallerDep = Annotated[Caller, Depends(current_caller)]
Now = Annotated[datetime, Depends(current_time)]
