"""加入班级: by the code, with an account, a new one, or a class account."""

from datetime import datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import accounts, passwords
from app.records.accounts.values import Arrival, Caller
from app.records.classes import classrooms, joining
from app.records.classes.values import JoinableClass
from app.records.db import codes
from app.records.db.errors import NotFound, Refused, Throttled
from app.web.accounts.accounts import device_of
from app.web.site import cookies, hashing
from app.web.site.requests import CallerDep, FormDep, Now, SiteDep, address
from app.web.site.responses import page, prefs, see
from app.web.site.site import site_of

router = APIRouter()


@router.get("/join")
async def ask_code(request: Request, caller: CallerDep, code: str = "") -> Response:
    """Where the code is typed; with one in the address, on to its class."""
    plain = codes.plain(code)
    if plain:
        return see(request, f"/join/{plain[:12]}")
    return await code_page(request, caller, code)


async def code_page(
    request: Request, caller: Caller, code: str, error: str = "", status: int = 200
) -> Response:
    lists = await site_of(request).db.read(classrooms.class_lists, caller)
    return page(
        request,
        "classes/join",
        signed_in=lists.present.learner_id is not None,
        status=status,
        page="class",
        title="加入班级",
        code=code[:20],
        error=error,
    )


@router.get("/join/{code}")
async def show(request: Request, caller: CallerDep, now: Now, code: str) -> Response:
    """The class behind an open code, and the ways in."""
    return await class_page(request, caller, now, code)


async def class_page(
    request: Request,
    caller: Caller,
    now: datetime,
    code: str,
    name: str = "",
    error: str = "",
    status: int = 200,
) -> Response:
    try:
        target = await find_class(request, caller, now, code)
    except NotFound as closed:
        response = await code_page(request, caller, code, str(closed), 404)
        return cookies.give_mark(request, response)
    except Throttled as wait:
        return await code_page(request, caller, code, str(wait), 429)
    account = target.present.account
    if account and not name:
        name = account.login
    return page(
        request,
        "classes/open_class",
        signed_in=target.present.learner_id is not None,
        status=status,
        page="class",
        title=f"加入{target.classroom.name}",
        target=target,
        name=name,
        error=error,
    )


async def find_class(request: Request, caller: Caller, now: datetime, code: str) -> JoinableClass:
    """The class behind an open code. A wrong one is counted; nothing is written for a right one."""
    db = site_of(request).db
    device = cookies.mark(request)
    try:
        return await db.read(joining.find_class, caller, code, address(request), now, device)
    except NotFound:
        await db.write(joining.count_wrong_code, address(request), now, device)
        raise


@router.post("/join/{code}")
async def join(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, code: str
) -> Response:
    """Who has an account comes in."""
    name = form.text("name")
    try:
        await find_class(request, caller, now, code)
        classroom_id = await site.db.write(joining.join, caller, code, name, address(request), now)
    except (Refused, Throttled) as error:
        return await class_page(request, caller, now, code, name[:40], str(error), 422)
    response = see(request, f"/classrooms/{classroom_id}")
    if prefs(request).classmate:
        return response
    return cookies.keep_classmate(request, response)


@router.post("/join/{code}/accounts")
async def join_new(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, code: str
) -> Response:
    """A class account. The page that follows shows its password, this once: so it is no redirect."""
    name = form.text("name")
    password = passwords.fresh()
    try:
        passwords.checked_login(name)
        token = cookies.fresh_token()
        await find_class(request, caller, now, code)  # a closed code costs no hashing
        await site.db.write(accounts.count_sign_up, name, address(request), now)
        arrival, login, classroom_id = await site.db.write(
            joining.join_new,
            caller,
            code,
            name,
            await hashing.hashed(password),
            token,
            address(request),
            now,
            device_of(request),
        )
    except (Refused, Throttled) as error:
        return await class_page(request, caller, now, code, name[:40], str(error), 422)
    return joined_page(request, arrival, login, password, classroom_id)


def joined_page(request: Request, arrival: Arrival, login: str, password: str, classroom_id: int) -> Response:
    response = page(
        request,
        "classes/joined",
        signed_in=True,
        page="class",
        title="记下密码",
        login=login,
        password=password,
        classroom_id=classroom_id,
    )
    cookies.keep_signed_in(request, response, arrival.token)
    return cookies.keep_classmate(request, response)
