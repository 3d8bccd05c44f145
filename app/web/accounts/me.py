"""我的: account or 续学码, 换个人用, how the pages look."""

import secrets

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import accounts, learners
from app.records.db.errors import NotFound
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import CLASSMATE, COOKIE, caller_of, set_cookie
from app.web.site.responses import CHOICES, page, see
from app.web.site.site import site_of

router = APIRouter()


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
        known=account_page.visitor.known,
        status=status,
        page="me",
        title="我的",
        visitor=account_page.visitor,
        resume_code=account_page.resume_code,
        devices=account_page.devices,
        done=request.query_params.get("done", ""),
        typed=typed,
        error=error,
        refusal=refusal,
    )


@router.post("/resume-codes")
async def give_code(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """A 续学码, made once."""
    code = await site.db.write(learners.give_code, caller, now)
    return see(request, "/me", token=code.token)


@router.post("/sign-ins")
async def sign_in(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Go on with a 续学码 from elsewhere."""
    token = caller.proposal or secrets.token_urlsafe(32)
    try:
        arrival = await site.db.write(learners.enter, form.one("code"), token, now)
    except NotFound:
        error = "没有这个续学码。看看有没有抄错：一共12位，没有字母I、L、O，也没有数字0和1。"
        return await my_page(request, form.one("code")[:40], error, status=422)
    return see(request, form.next("/"), token=arrival.token)


@router.post("/sign-outs")
async def sign_out(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """换个人用: this browser forgets who was here."""
    await site.db.write(learners.leave, caller, now)
    return forget(see(request, form.next("/")))


def forget(response: Response) -> Response:
    """The browser is nobody's again."""
    for name in (COOKIE, CLASSMATE):
        response.delete_cookie(name, path="/", httponly=True, samesite="lax")
    return response


@router.post("/preferences")
async def prefer(request: Request, form: FormDep) -> Response:
    """How the pages look and whether keys work; kept in this browser."""
    response = see(request, form.next("/"))
    for name, choices in CHOICES.items():
        choice = form.one(name)
        if choice in choices:
            set_cookie(request, response, name, choice)
    return response
