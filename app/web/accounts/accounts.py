"""Accounts: 注册, 登录, 换密码, one's own devices."""

import secrets
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
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, keep_classmate, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
WRONG = "名字或密码不对。再看一眼大小写；忘了密码，本页最下面说了找谁。"


@router.get("/sign-in")
async def sign_in_page(request: Request) -> Response:
    """Name and password, or the ways to get them."""
    return await door(request, "accounts/sign_in", "登录", next_url=next_of(request))


@router.get("/sign-up")
async def sign_up_page(request: Request) -> Response:
    """A name and a password of one's own."""
    return await door(request, "accounts/sign_up", "注册", next_url=next_of(request))


async def door(
    request: Request,
    name: str,
    title: str,
    next_url: str,
    login: str = "",
    error: str = "",
    status: int = 200,
) -> Response:
    """One of the two pages; `error` stands at the form, with what was typed as the name."""
    here = await site_of(request).db.read(accounts.load_visitor, caller_of(request))
    context = {"here": here, "next_url": next_url, "login": login, "error": error}
    known = here.learner_id is not None
    return page(request, name, known=known, status=status, page="me", title=title, **context)


@router.post("/accounts/sign-ins")
async def sign_in(request: Request) -> Response:
    """Sign in. An unknown name and a wrong password get the same answer after the same time."""
    form = await read_form(request)
    login, token = form.one("login")[:200], secrets.token_urlsafe(32)
    try:
        kept = await let_in(request, login, form.one("password"))
        await enter(request, form, login, kept, token)
    except NotFound:
        return await door(request, "accounts/sign_in", "登录", form.next("/"), login, WRONG, 422)
    except Throttled as error:
        return await door(request, "accounts/sign_in", "登录", form.next("/"), login, str(error), 429)
    here = see(request, form.next("/"), token=token)
    classes = await site_of(request).db.read(classrooms.mine, Caller.known(token))
    teaches = classes.present.teacher
    return keep_classmate(request, here, teaches) if teaches or classes.joined else here


async def let_in(request: Request, login: str, password: str) -> str:
    """The hash that this password matched; NotFound for anybody else, after the same time."""
    kept = await site_of(request).db.write(accounts.count_sign_in, login, address(request), now())
    if not await hashing.matches(password, kept) or kept is None:
        raise NotFound
    return kept


async def enter(request: Request, form: PostedForm, login: str, kept: str, token: str) -> None:
    """The work of a guest comes along if that was ticked."""
    site = site_of(request)
    course = site.course if form.one("bring") else None
    await site.db.write(
        signing_in.enter, caller_of(request), login, kept, token, course, now(), device_of(request)
    )


@router.post("/accounts")
async def sign_up(request: Request) -> Response:
    """A new account; a guest becomes it, with everything done so far."""
    form = await read_form(request)
    login, token = form.one("login")[:200], secrets.token_urlsafe(32)
    try:
        await create(request, login, form.one("password"), token)
    except (Refused, Throttled) as error:
        status = 429 if isinstance(error, Throttled) else 422
        return await door(request, "accounts/sign_up", "注册", form.next("/"), login, str(error), status)
    return see(request, form.next("/"), token=token)


async def create(request: Request, login: str, password: str, token: str) -> None:
    """Raises Refused for a name or a password that cannot be."""
    passwords.checked_login(login)
    made = await hashing.hashed(passwords.checked(password, login))
    where, device = address(request), device_of(request)
    await site_of(request).db.write(
        accounts.create, caller_of(request), login, made, token, where, now(), device
    )


@router.post("/me/passwords")
async def change_password(request: Request) -> Response:
    """A new password; every other device is signed out."""
    form, db = await read_form(request), site_of(request).db
    account = (await db.read(accounts.load_visitor, caller_of(request))).account
    try:
        new = passwords.checked(form.one("new"), account.login if account else "")
        kept = await db.write(accounts.secret, caller_of(request), now())
        if not await hashing.matches(form.one("old"), kept):
            return await my_page(request, refusal="现在的密码不对。", status=422)
        made = await hashing.hashed(new)
    except (Refused, Throttled) as error:
        return await my_page(request, refusal=str(error), status=422)
    await db.write(accounts.change_password, caller_of(request), kept, made, now())
    return see(request, "/me?done=password#account")


@router.post("/me/devices/endings")
async def end_others(request: Request) -> Response:
    """Sign out everywhere else."""
    await site_of(request).db.write(accounts.end_devices, caller_of(request), None, now())
    return see(request, "/me#devices")


@router.post("/me/devices/{which}/endings")
async def end_one(request: Request, which: Annotated[int, Path(lt=2**63)]) -> Response:
    """Sign out one of one's own devices."""
    await site_of(request).db.write(accounts.end_devices, caller_of(request), which, now())
    return see(request, "/me#devices")


def next_of(request: Request) -> str:
    """Where to go after the door; a path of this site."""
    return PostedForm({"next": [request.query_params.get("next", "")]}).next("/")


def address(request: Request) -> str:
    return request.client.host if request.client else ""


def device_of(request: Request) -> str:
    return device(request.headers.get("user-agent", ""))
