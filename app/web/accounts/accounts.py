"""Accounts: 注册, 登录, 换密码, one's own devices."""

import secrets
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from app.records.accounts import accounts, passwords
from app.records.accounts.values import Caller
from app.records.classes import classrooms
from app.records.db.errors import NotFound, Refused, Throttled
from app.records.people import signing_in
from app.web.accounts.devices import device
from app.web.accounts.me import my_page
from app.web.site import hashing
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import caller_of, keep_classmate, own_path
from app.web.site.responses import page, see
from app.web.site.site import Site, site_of

router = APIRouter()
WRONG = "名字或密码不对。再看一眼大小写；忘了密码，本页最下面说了找谁。"
TITLES = {"sign_in": "登录", "sign_up": "注册"}
"""The two pages with a name and a password, by their template."""


@router.get("/sign-in")
async def sign_in_page(request: Request) -> Response:
    """Name and password, or the ways to get them."""
    return await entry_page(request, "sign_in", next_of(request))


@router.get("/sign-up")
async def sign_up_page(request: Request) -> Response:
    """A name and a password of one's own."""
    return await entry_page(request, "sign_up", next_of(request))


def next_of(request: Request) -> str:
    """Where to go afterwards; a path of this site."""
    return own_path(request.query_params.get("next", "")) or "/"


async def entry_page(
    request: Request, name: str, next_url: str, login: str = "", error: str = "", status: int = 200
) -> Response:
    """One of the two pages; `error` stands at the form, with what was typed as the name."""
    visitor = await site_of(request).db.read(accounts.load_visitor, caller_of(request))
    return page(
        request,
        f"accounts/{name}",
        known=visitor.known,
        status=status,
        page="me",
        title=TITLES[name],
        visitor=visitor,
        next_url=next_url,
        login=login,
        error=error,
    )


@router.post("/accounts/sign-ins")
async def sign_in(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Sign in. An unknown name and a wrong password get the same answer after the same time."""
    login, next_url = form.one("login")[:200], form.next("/")
    course = site.course if form.one("bring") else None  # ticked: the work of a guest comes along
    token = secrets.token_urlsafe(32)
    try:
        password_hash = await site.db.write(accounts.count_sign_in, login, address(request), now)
        matched = await hashing.expect_match(form.one("password"), password_hash)
        await site.db.write(signing_in.enter, caller, login, matched, token, course, now, device_of(request))
    except NotFound:
        return await entry_page(request, "sign_in", next_url, login, WRONG, 422)
    except Throttled as error:
        return await entry_page(request, "sign_in", next_url, login, str(error), 429)
    response = see(request, next_url, token=token)
    classes = await site.db.read(classrooms.mine, Caller.known(token))
    teaches = classes.present.teacher
    if teaches or classes.joined:
        keep_classmate(request, response, teaches)
    return response


@router.post("/accounts")
async def sign_up(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """A new account; a guest becomes it, with everything done so far."""
    login, next_url = form.one("login")[:200], form.next("/")
    token = secrets.token_urlsafe(32)
    try:
        password_hash = await hashing.new_password(form.one("password"), login)
        await site.db.write(
            accounts.create, caller, login, password_hash, token, address(request), now, device_of(request)
        )
    except Refused as error:
        return await entry_page(request, "sign_up", next_url, login, str(error), 422)
    except Throttled as error:
        return await entry_page(request, "sign_up", next_url, login, str(error), 429)
    return see(request, next_url, token=token)


@router.post("/me/passwords")
async def change_password(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now
) -> Response:
    """A new password; every other device is signed out."""
    visitor = await site.db.read(accounts.load_visitor, caller)
    login = visitor.account.login if visitor.account else ""
    try:
        passwords.checked(form.one("new"), login)
        matched = await proven_hash(site, caller, form.one("old"), "现在的密码不对。", now)
        password_hash = await hashing.hashed(form.one("new"))
    except (Refused, Throttled) as error:
        return await my_page(request, refusal=str(error), status=422)
    await site.db.write(accounts.change_password, caller, matched, password_hash, now)
    return see(request, "/me?done=password#account")


async def proven_hash(site: Site, caller: Caller, password: str, refusal: str, now: datetime) -> str:
    """The hash of one's own account, that the typed password matched; Refused for a wrong password."""
    password_hash = await site.db.write(accounts.secret, caller, now)
    if not await hashing.matches(password, password_hash):
        raise Refused(refusal)
    return password_hash


@router.post("/me/devices/endings")
async def end_others(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """Sign out everywhere else."""
    await site.db.write(accounts.end_devices, caller, None, now)
    return see(request, "/me#devices")


@router.post("/me/devices/{device_id}/endings")
async def end_one(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, device_id: Annotated[int, Path(lt=2**63)]
) -> Response:
    """Sign out one of one's own devices."""
    await site.db.write(accounts.end_devices, caller, device_id, now)
    return see(request, "/me#devices")


def address(request: Request) -> str:
    """Where a request comes from; empty where the server cannot say."""
    if request.client is None:
        return ""
    return request.client.host


def device_of(request: Request) -> str:
    return device(request.headers.get("user-agent", ""))
