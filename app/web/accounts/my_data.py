"""我的数据: take it along, or have it deleted."""

import json

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import accounts
from app.records.db.errors import NotFound, Refused, Throttled
from app.records.people import my_data
from app.web.accounts.me import forget
from app.web.site import hashing
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()


@router.get("/me/data")
async def show(request: Request) -> Response:
    """What there is, and the two things to do with it."""
    return await data_page(request)


async def data_page(request: Request, error: str = "", status: int = 200) -> Response:
    here = await site_of(request).db.read(accounts.load_visitor, caller_of(request))
    known = here.learner_id is not None
    context = {"here": here, "error": error}
    return page(
        request, "accounts/my_data", known=known, status=status, page="me", title="我的数据", **context
    )


@router.get("/me/data.json")
async def download(request: Request) -> Response:
    """Everything about who is here, as a file."""
    found = await site_of(request).db.read(my_data.everything, caller_of(request), now())
    text = json.dumps(found, ensure_ascii=False, indent=1)
    headers = {"Content-Disposition": 'attachment; filename="tangxu-my-data.json"'}
    return Response(text, media_type="application/json; charset=utf-8", headers=headers)


@router.post("/me/deletions")
async def delete(request: Request) -> Response:
    """Gone, after the password (or, for a guest, the tick) says that it is meant."""
    form = await read_form(request)
    if not form.one("sure"):
        return await data_page(request, "先勾上“我想好了”。", 422)
    try:
        matched = await proven(request, form)
        await site_of(request).db.write(my_data.delete_me, caller_of(request), matched)
    except (Refused, Throttled) as error:
        return await data_page(request, str(error), 422)
    return forget(see(request, "/"))


async def proven(request: Request, form: PostedForm) -> str | None:
    """The hash that the password matched; None for a guest. Refused for a wrong one."""
    try:
        kept = await site_of(request).db.write(accounts.secret, caller_of(request), now())
    except NotFound:
        return None
    if not await hashing.matches(form.one("password"), kept):
        raise Refused("密码不对，什么也没有删。")
    return kept
