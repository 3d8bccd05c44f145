"""The link that makes a teacher."""

import secrets

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import accounts
from app.records.accounts.values import Caller, Visitor
from app.records.db.errors import Refused, Throttled
from app.records.db.session import VerbSession
from app.records.people import teachers
from app.web.accounts.accounts import address, device_of
from app.web.site import clock, hashing
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import caller_of, keep_classmate
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()


@router.get("/invitations/{token}")
async def show(request: Request, token: str) -> Response:
    """Become a teacher: with the account that is here, or a new one."""
    return await invitation_page(request, token)


async def invitation_page(
    request: Request, token: str, login: str = "", error: str = "", status: int = 200
) -> Response:
    visitor = await site_of(request).db.read(load_invited, caller_of(request), token)
    return page(
        request,
        "accounts/invitation",
        known=visitor.known,
        status=status,
        page="class",
        title="来当老师",
        visitor=visitor,
        token=token,
        login=login,
        error=error,
    )


def load_invited(session: VerbSession, caller: Caller, token: str) -> Visitor:
    """Who is here, when the invitation is open."""
    teachers.expect_open(session, token, clock.now())
    return accounts.load_visitor(session, caller)


@router.post("/invitations/{token}/acceptances")
async def accept(request: Request, site: SiteDep, caller: CallerDep, now: Now, token: str) -> Response:
    """The account that is here becomes a teacher's."""
    await site.db.write(teachers.accept, caller, token, now)
    return keep_classmate(request, see(request, "/classrooms"), teaches=True)


@router.post("/invitations/{token}/accounts")
async def arrive(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, token: str
) -> Response:
    """A new account, of a teacher."""
    login, sign_in = form.one("login")[:200], secrets.token_urlsafe(32)
    await site.db.read(teachers.expect_open, token, now)
    try:
        password_hash = await hashing.new_password(form.one("password"), login)
        where, device = address(request), device_of(request)
        await site.db.write(teachers.arrive, caller, token, login, password_hash, sign_in, where, now, device)
    except (Refused, Throttled) as error:
        return await invitation_page(request, token, login, str(error), 422)
    return keep_classmate(request, see(request, "/classrooms", token=sign_in), teaches=True)
