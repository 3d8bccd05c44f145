"""The link that makes a teacher."""

import secrets

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts import accounts, passwords
from app.records.accounts.values import Caller, Visitor
from app.records.db.errors import Refused, Throttled
from app.records.db.session import VerbSession
from app.records.people import teachers
from app.web.accounts.accounts import address, device_of
from app.web.site import hashing
from app.web.site.clock import now
from app.web.site.requests import caller_of, keep_classmate, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()


@router.get("/invitations/{token}")
async def show(request: Request, token: str) -> Response:
    """Become a teacher: with the account that is here, or a new one."""
    return await invited(request, token)


async def invited(
    request: Request, token: str, login: str = "", error: str = "", status: int = 200
) -> Response:
    here = await site_of(request).db.read(look, caller_of(request), token)
    context = {"here": here, "token": token, "login": login, "error": error}
    known = here.learner_id is not None
    return page(
        request, "accounts/invitation", known=known, status=status, page="class", title="来当老师", **context
    )


def look(session: VerbSession, person: Caller, token: str) -> Visitor:
    """Who is here, when the invitation is open."""
    teachers.expect_open(session, token, now())
    return accounts.load_visitor(session, person)


@router.post("/invitations/{token}/acceptances")
async def accept(request: Request, token: str) -> Response:
    """The account that is here becomes a teacher's."""
    await site_of(request).db.write(teachers.accept, caller_of(request), token, now())
    return keep_classmate(request, see(request, "/classrooms"), teaches=True)


@router.post("/invitations/{token}/accounts")
async def arrive(request: Request, token: str) -> Response:
    """A new account, of a teacher."""
    form, sign_in = await read_form(request), secrets.token_urlsafe(32)
    login, password = form.one("login")[:200], form.one("password")
    site = site_of(request)
    await site.db.read(look, caller_of(request), token)
    try:
        passwords.checked_login(login)
        made = await hashing.hashed(passwords.checked(password, login))
        where, device = address(request), device_of(request)
        await site.db.write(
            teachers.arrive, caller_of(request), token, login, made, sign_in, where, now(), device
        )
    except (Refused, Throttled) as error:
        return await invited(request, token, login, str(error), 422)
    return keep_classmate(request, see(request, "/classrooms", token=sign_in), teaches=True)
