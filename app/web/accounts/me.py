"""我的: account or 续学码, password, devices, how the pages look; 我的数据, to take along or to delete."""

import json
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from app.records.accounts import accounts, learners, passwords, throttle
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound, Refused, Throttled
from app.records.people import my_data
from app.web.site import cookies, hashing
from app.web.site.cookies import set_cookie
from app.web.site.requests import CallerDep, FormDep, Now, SiteDep, address, caller_of
from app.web.site.responses import CHOICES, page, see
from app.web.site.site import Site, site_of

router = APIRouter()
WRONG_CODE = "没有这个续学码。看看有没有抄错：一共12位，没有字母I、L、O，也没有数字0和1。"
DOWNLOAD = {"Content-Disposition": 'attachment; filename="tangxu-my-data.json"'}


@router.get("/me")
async def me(request: Request) -> Response:
    """The 续学码 and the ways in and out."""
    return await my_page(request)


async def my_page(
    request: Request, typed: str = "", error: str = "", refusal: str = "", status: int = 200
) -> Response:
    """`typed`, `error`: a 续学码 that was not accepted; `refusal`: of a new password."""
    account_page = await site_of(request).db.read(accounts.load_account_page, caller_of(request))
    return page(
        request,
        "accounts/me",
        signed_in=account_page.visitor.signed_in,
        status=status,
        page="me",
        title="我的",
        me=account_page,
        done=request.query_params.get("done", ""),
        typed=typed,
        error=error,
        refusal=refusal,
    )


@router.post("/resume-codes")
async def give_code(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """A 续学码, made once."""
    resumed = await site.db.write(learners.give_code, caller, now)
    return see(request, "/me", token=resumed.token)


@router.post("/sign-ins")
async def resume(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Go on with a 续学码 from elsewhere."""
    token = caller.proposal or cookies.fresh_token()
    code = form.text("code")
    origin = (address(request), cookies.mark(request))
    try:
        await site.db.read(throttle.expect_few_wrong, "resume", *origin, now)
        await site.db.write(learners.enter, code, token, now)
    except Throttled as error:
        return await my_page(request, code[:40], str(error), status=429)
    except NotFound:
        await site.db.write(throttle.count_wrong, "resume", *origin, now)
        response = await my_page(request, code[:40], WRONG_CODE, status=422)
        return cookies.give_mark(request, response)
    return see(request, form.next("/"), token=token)


@router.post("/sign-outs")
async def sign_out(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """换个人用: this browser forgets who was here."""
    await site.db.write(learners.leave, caller, now)
    response = cookies.forget(request, see(request, form.next("/")), cookies.CLASSMATE)
    if caller.token:
        cookies.remember(request, response, caller.token)
    return response


@router.post("/preferences")
async def prefer(request: Request, form: FormDep) -> Response:
    """How the pages look and whether keys work; kept in this browser."""
    response = see(request, form.next("/"))
    for name, choices in CHOICES.items():
        choice = form.text(name)
        if choice in choices:
            set_cookie(request, response, name, choice)
    return response


@router.post("/me/passwords")
async def change_password(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now
) -> Response:
    """A new password; every other device is signed out."""
    password = form.text("new")
    visitor = await site.db.read(accounts.load_visitor, caller)
    login = ""
    if visitor.account:
        login = visitor.account.login
    try:
        passwords.checked(password, login)
        matched = await proven_hash(site, caller, form.text("old"), "现在的密码不对。", now)
        password_hash = await hashing.hashed(password)
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


@router.get("/me/data")
async def show_data(request: Request) -> Response:
    """What there is, and the two things to do with it."""
    return await data_page(request)


async def data_page(request: Request, error: str = "", status: int = 200) -> Response:
    visitor = await site_of(request).db.read(accounts.load_visitor, caller_of(request))
    return page(
        request,
        "accounts/my_data",
        signed_in=visitor.signed_in,
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
    return Response(text, media_type="application/json; charset=utf-8", headers=DOWNLOAD)


@router.post("/me/deletions")
async def delete(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Gone, after the password (or, for a guest, the tick) says that it is meant."""
    if not form.text("sure"):
        return await data_page(request, "先勾上“我想好了”。", 422)
    matched = None
    try:
        matched = await proven_hash(site, caller, form.text("password"), "密码不对，什么也没有删。", now)
    except NotFound:
        pass  # a guest has no password
    except (Refused, Throttled) as error:
        return await data_page(request, str(error), 422)
    try:
        await site.db.write(my_data.delete_me, caller, matched)
    except Refused as error:
        return await data_page(request, str(error), 422)
    return cookies.forget(request, see(request, "/me?done=deletion"), cookies.CLASSMATE)
