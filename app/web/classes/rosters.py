"""名单: import with a preview, and slips with passwords to print.

A password is shown on the page that follows the post which made it, and nowhere after: these pages are the
only ones that are no redirect.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.responses import Response

from app.records.accounts import passwords
from app.records.classes import classrooms, roster_files, roster_import
from app.records.classes.roster_files import RosterEntry
from app.records.classes.roster_import import ImportStep
from app.records.db.errors import Refused
from app.web.classes.classrooms import Id, named
from app.web.site import hashing
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
LARGEST = 2**20
"""Bytes of a file that is sent."""
LARGER_BODIES = {r"/classrooms/[0-9]+/roster-previews": LARGEST + 2**16}
"""Where more may be sent than elsewhere."""


@dataclass(frozen=True)
class PasswordSlip:
    """What a student cuts out and keeps. Without a password: the one they have goes on."""

    name: str
    number: str
    login: str
    password: str


@dataclass(frozen=True)
class PrintProgress:
    """Where a class is too large for one print: how many have got their slips, and how many are left."""

    printed: int = 0
    left: int = 0


@router.get("/classrooms/{classroom_id}/roster")
async def ask(request: Request, classroom_id: Id) -> Response:
    """Where a file is chosen or a list pasted."""
    return await ask_again(request, classroom_id)


async def ask_again(
    request: Request, classroom_id: int, typed: str = "", error: str = "", status: int = 200
) -> Response:
    row = await site_of(request).db.read(classrooms.taught, caller_of(request), classroom_id)
    context: dict[str, Any] = {"row": row, "typed": typed, "error": error, "most": roster_files.MOST}
    context |= named(request)
    return page(
        request, "classes/roster", known=True, status=status, page="class", title="导入名单", **context
    )


@router.post("/classrooms/{classroom_id}/roster-previews")
async def preview(request: Request, classroom_id: Id) -> Response:
    """What a file would do, line by line; nothing is done yet."""
    site = site_of(request)
    await site.db.read(classrooms.taught, caller_of(request), classroom_id)  # nobody else's file is even read
    data, typed = await sent(request)
    try:
        roster = await asyncio.to_thread(roster_files.read, data)
        plan = await site.db.read(roster_import.plan, caller_of(request), classroom_id, roster.entries)
    except Refused as error:
        return await ask_again(request, classroom_id, typed, str(error), 422)
    faults = sorted((*roster.faults, *plan.faults))
    rows = roster_files.write(step.entry for step in plan.steps)
    context: dict[str, Any] = {"row": plan.row, "steps": plan.steps, "wrong": faults, "rows": rows}
    context |= {"typed": typed, "error": "", "most": roster_files.MOST, **named(request)}
    status = 422 if faults else 200
    return page(
        request,
        "classes/roster_preview",
        known=True,
        status=status,
        page="class",
        title="核对名单",
        **context,
    )


async def sent(request: Request) -> tuple[bytes, str]:
    """The file, or the text that was pasted instead; and that text."""
    async with request.form(max_files=1, max_fields=10, max_part_size=LARGEST) as form:
        file, typed = form.get("file"), form.get("text")
        text = typed if isinstance(typed, str) else ""
        if isinstance(file, UploadFile) and file.filename:
            return await file.read(), text
        return text.encode(), text


@router.post("/classrooms/{classroom_id}/roster")
async def enter(request: Request, classroom_id: Id) -> Response:
    """Do what the preview showed, all of it or nothing, and show the slips."""
    form, db = await read_form(request), site_of(request).db
    await db.read(classrooms.taught, caller_of(request), classroom_id)
    try:
        entries = confirmed(form)
        chosen = [one.password or passwords.fresh() for one in entries]
        hashes = tuple(await asyncio.gather(*map(hashing.hashed, chosen)))
        done = await db.write(roster_import.enter, caller_of(request), classroom_id, entries, hashes, now())
    except Refused as error:
        return await ask_again(request, classroom_id, form.one("rows"), str(error), 422)
    slips = [slip(*each) for each in zip(done.steps, chosen, strict=True)]
    return slips_page(request, classroom_id, done.row.name, slips)


def confirmed(form: PostedForm) -> tuple[RosterEntry, ...]:
    """The list that the preview showed, with what was chosen there for names that are known already.

    It can only have faults if somebody changed it on the way.
    """
    roster = roster_files.read(form.one("rows").encode())
    if roster.faults:
        raise Refused("名单和核对时的不一样了，请重新上传。")
    return tuple(one._replace(login=form.one(f"login-{one.line}", one.login)) for one in roster.entries)


def slip(step: ImportStep, password: str) -> PasswordSlip:
    """Whoever had an account keeps its password."""
    one = step.entry
    return PasswordSlip(one.name, one.number, one.login, "" if step.pupil else password)


@router.post("/classrooms/{classroom_id}/slips")
async def renew(request: Request, classroom_id: Id) -> Response:
    """New passwords for some students of the class, or for all of them, to be printed."""
    form, db = await read_form(request), site_of(request).db
    row = await db.read(classrooms.taught, caller_of(request), classroom_id)
    places, rest = form.ids("student"), PrintProgress()
    if form.one("everyone"):
        every = await db.read(classrooms.with_password, caller_of(request), classroom_id)
        places, rest = in_turn(every, form.number("printed", 0))
    chosen = {number: passwords.fresh() for number in places}
    if not chosen:
        return see(request, f"/classrooms/{classroom_id}")
    hashes = await asyncio.gather(*map(hashing.hashed, chosen.values()))
    renewed = dict(zip(chosen, hashes, strict=True))
    found = await db.write(classrooms.reset, caller_of(request), classroom_id, renewed, now())
    slips = [PasswordSlip(one.name, one.number, one.login or "", chosen[one.id]) for one in found]
    return slips_page(request, classroom_id, row.name, slips, rest)


def in_turn(every: tuple[int, ...], printed: int) -> tuple[tuple[int, ...], PrintProgress]:
    """Whose turn it is after so many: hashing for a larger class at once would keep others from signing in.

    >>> places, rest = in_turn(tuple(range(450)), 200)
    >>> len(places), rest
    (200, PrintProgress(printed=400, left=50))
    """
    upto = printed + roster_files.MOST
    return every[printed:upto], PrintProgress(upto, max(0, len(every) - upto))


def slips_page(
    request: Request,
    classroom_id: int,
    name: str,
    slips: Sequence[PasswordSlip],
    rest: PrintProgress = PrintProgress(),
) -> Response:
    context: dict[str, Any] = {
        "classroom_id": classroom_id,
        "name": name,
        "slips": slips,
        "rest": rest,
        **named(request),
    }
    return page(request, "classes/slips", known=True, page="class", title=f"{name}：密码条", **context)
