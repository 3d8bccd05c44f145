"""我的: account or 续学码, 换个人用, how the pages look."""

import secrets

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import accounts, learners
from app.records.db.errors import NotFound
from app.web.site.clock import now
from app.web.site.requests import CLASSMATE, COOKIE, YEAR, caller_of, read_form
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
    mine = await site_of(request).db.read(accounts.load_account_page, caller_of(request))
    return page(
        request,
        "accounts/me",
        known=mine.present.learner_id is not None,
        status=status,
        page="me",
        title="我的",
        mine=mine,
        done=request.query_params.get("done", ""),
        typed=typed,
        error=error,
        refusal=refusal,
    )


@router.post("/resume-codes")
async def give_code(request: Request) -> Response:
    """A 续学码, made once."""
    form = await read_form(request)
    code = await site_of(request).db.write(learners.give_code, caller_of(request, form), now())
    return see(request, "/me", token=code.token)


@router.post("/sign-ins")
async def sign_in(request: Request) -> Response:
    """Go on with a 续学码 from elsewhere."""
    form = await read_form(request)
    person = caller_of(request, form)
    token = person.proposal or secrets.token_urlsafe(32)
    try:
        arrival = await site_of(request).db.write(learners.enter, form.one("code"), token, now())
    except NotFound:
        error = "没有这个续学码。看看有没有抄错：一共12位，没有字母I、L、O，也没有数字0和1。"
        return await my_page(request, form.one("code")[:40], error, status=422)
    return see(request, form.next("/"), token=arrival.token)


@router.post("/sign-outs")
async def sign_out(request: Request) -> Response:
    """换个人用: this browser forgets who was here."""
    form = await read_form(request)
    await site_of(request).db.write(learners.leave, caller_of(request), now())
    return forget(see(request, form.next("/")))


def forget(response: Response) -> Response:
    """The browser is nobody's again."""
    for name in (COOKIE, CLASSMATE):
        response.delete_cookie(name, path="/", httponly=True, samesite="lax")
    return response


@router.post("/preferences")
async def prefer(request: Request) -> Response:
    """How the pages look and whether keys work; kept in this browser."""
    form = await read_form(request)
    response = see(request, form.next("/"))
    for name, known in CHOICES.items():
        if form.one(name) in known:
            response.set_cookie(
                name,
                form.one(name),
                max_age=YEAR,
                path="/",
                samesite="lax",
                httponly=True,
                secure=site_of(request).settings.https,
            )
    return response
