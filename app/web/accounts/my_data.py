"""我的数据: take it along, or have it deleted."""

import json
from datetime import datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound, Refused, Throttled
from app.records.people import my_data
from app.web.accounts.accounts import proven_hash
from app.web.accounts.me import forget
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import caller_of
from app.web.site.responses import page, see
from app.web.site.site import Site, site_of

router = APIRouter()


@router.get("/me/data")
async def show(request: Request) -> Response:
    """What there is, and the two things to do with it."""
    return await data_page(request)


async def data_page(request: Request, error: str = "", status: int = 200) -> Response:
    visitor = await site_of(request).db.read(accounts.load_visitor, caller_of(request))
    return page(
        request,
        "accounts/my_data",
        known=visitor.known,
        status=status,
        page="me",
        title="我的数据",
        account=visitor.account,
        error=error,
    )


@router.get("/me/data.json")
async def download(site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """Everything about who is here, as a file."""
    tables = await site.db.read(my_data.everything, caller, now)
    text = json.dumps(tables, ensure_ascii=False, indent=1)
    headers = {"Content-Disposition": 'attachment; filename="tangxu-my-data.json"'}
    return Response(text, media_type="application/json; charset=utf-8", headers=headers)


@router.post("/me/deletions")
async def delete(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Gone, after the password (or, for a guest, the tick) says that it is meant."""
    if not form.one("sure"):
        return await data_page(request, "先勾上“我想好了”。", 422)
    try:
        matched = await matched_hash(site, caller, form.one("password"), now)
        await site.db.write(my_data.delete_me, caller, matched)
    except (Refused, Throttled) as error:
        return await data_page(request, str(error), 422)
    return forget(see(request, "/"))


async def matched_hash(site: Site, caller: Caller, password: str, now: datetime) -> str | None:
    """The hash that the password matched; None for a guest, who has none. Refused for a wrong password."""
    try:
        return await proven_hash(site, caller, password, "密码不对，什么也没有删。", now)
    except NotFound:
        return None
