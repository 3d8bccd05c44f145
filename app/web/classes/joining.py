"""加入班级: by the code, with an account, a new one, or a class account."""

import secrets
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import passwords
from app.records.classes import classrooms
from app.records.classes.values import JoinableClass
from app.records.db import codes
from app.records.db.errors import NotFound, Refused, Throttled
from app.web.accounts.accounts import address, device_of
from app.web.site import hashing
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, keep_classmate, keep_signed_in, read_form
from app.web.site.responses import page, prefs, see
from app.web.site.site import site_of

router = APIRouter()


@router.get("/join")
async def ask(request: Request) -> Response:
    """Where the code is typed; with one in the address, on to its class."""
    code = request.query_params.get("code", "")
    if plain := codes.plain(code):
        return see(request, f"/join/{plain[:12]}")
    return await ask_again(request, code)


async def ask_again(request: Request, code: str = "", error: str = "", status: int = 200) -> Response:
    mine = await site_of(request).db.read(classrooms.mine, caller_of(request))
    known = mine.present.learner_id is not None
    context = {"code": code[:20], "error": error}
    return page(
        request, "classes/join", known=known, status=status, page="class", title="加入班级", **context
    )


@router.get("/join/{code}")
async def door(request: Request, code: str) -> Response:
    """The class behind an open code, and the ways in."""
    return await at_door(request, code)


async def at_door(
    request: Request, code: str, name: str = "", error: str = "", status: int = 200
) -> Response:
    try:
        found = await knock(request, code)
    except NotFound as closed:
        return await ask_again(request, code, str(closed), 404)
    except Throttled as wait:
        return await ask_again(request, code, str(wait), 429)
    account = found.present.account
    return page(
        request,
        "classes/open_class",
        known=found.present.learner_id is not None,
        status=status,
        page="class",
        title=f"加入{found.row.name}",
        door=found,
        name=name or (account.login if account else ""),
        error=error,
    )


async def knock(request: Request, code: str) -> JoinableClass:
    """The class behind an open code. A wrong one is counted; nothing is written for a right one."""
    db, where, at = site_of(request).db, address(request), now()
    try:
        return await db.read(classrooms.count_wrong_code, caller_of(request), code, where, at)
    except NotFound:
        await db.write(classrooms.wrong_code_message, where, at)
        raise


@router.post("/join/{code}")
async def join(request: Request, code: str) -> Response:
    """Who has an account comes in."""
    form = await read_form(request)
    name, site = form.one("name"), site_of(request)
    try:
        await knock(request, code)
        joined = await site.db.write(classrooms.join, caller_of(request), code, name, address(request), now())
    except (Refused, Throttled) as error:
        return await at_door(request, code, name[:40], str(error), 422)
    here = see(request, f"/classrooms/{joined}")
    return here if prefs(request).classmate else keep_classmate(request, here)


@router.post("/join/{code}/accounts")
async def join_new(request: Request, code: str) -> Response:
    """A class account. The page that follows shows its password, this once: so it is no redirect."""
    form = await read_form(request)
    password = passwords.fresh()
    try:
        passwords.checked_login(form.one("name"))
        return await joined(request, form, code, password)
    except (Refused, Throttled) as error:
        return await at_door(request, code, form.one("name")[:40], str(error), 422)


async def joined(request: Request, form: PostedForm, code: str, password: str) -> Response:
    token, db = secrets.token_urlsafe(32), site_of(request).db
    await knock(request, code)  # a closed code costs no hashing
    arrival, login, classroom_id = await db.write(
        classrooms.join_new,
        caller_of(request),
        code,
        form.one("name"),
        await hashing.hashed(password),
        token,
        address(request),
        now(),
        device_of(request),
    )
    slip: dict[str, Any] = {"login": login, "password": password, "classroom_id": classroom_id}
    response = page(request, "classes/joined", known=True, page="class", title="记下密码", **slip)
    keep_signed_in(request, response, arrival.token)
    return keep_classmate(request, response)
