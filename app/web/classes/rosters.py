"""名单: import with a preview, and slips with passwords to print.

A password is shown on the page that follows the post which made it, and nowhere after: these pages are the
only ones that are no redirect.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.responses import Response

from app.records.accounts import passwords
from app.records.classes import class_passwords, classrooms, roster_files, roster_import
from app.records.classes.roster_files import RosterEntry
from app.records.classes.roster_import import ImportStep
from app.records.classes.values import ClassRow
from app.records.db.errors import Refused
from app.web.classes.classrooms import Id, host_context
from app.web.site import hashing
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import PostedForm, caller_of
from app.web.site.responses import page, see

router = APIRouter()
LARGEST = 2**20
"""Bytes of a file that is sent."""
LARGER_BODIES = {r"/classrooms/[0-9]+/roster-previews": LARGEST + 2**16}
"""Where more may be sent than elsewhere."""


class PasswordSlip(NamedTuple):
    """What a student cuts out and takes home. Without a password: the one they have goes on."""

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
async def ask_roster(request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id) -> Response:
    """Where a file is chosen or a list pasted."""
    classroom = await site.db.read(classrooms.taught, caller, classroom_id)
    return roster_page(request, classroom)


def roster_page(request: Request, classroom: ClassRow, typed: str = "", error: str = "") -> Response:
    context = form_context(request, classroom, typed) | {"error": error}
    status = 422 if error else 200
    return page(
        request, "classes/roster", known=True, status=status, page="class", title="导入名单", **context
    )


def form_context(request: Request, classroom: ClassRow, typed: str) -> dict[str, Any]:
    """What the form for a list shows. `typed`: the text that was pasted."""
    context = {"row": classroom, "typed": typed, "error": "", "most": roster_files.MOST}
    return context | host_context(request)


@router.post("/classrooms/{classroom_id}/roster-previews")
async def preview(request: Request, site: SiteDep, classroom_id: Id) -> Response:
    """What a file would do, line by line; nothing is done yet."""
    caller = caller_of(request)
    # Before the body is read: nobody may send a file to another teacher's class.
    classroom = await site.db.read(classrooms.taught, caller, classroom_id)
    data, typed = await posted_roster(request)
    try:
        roster = await asyncio.to_thread(roster_files.read, data)
        plan = await site.db.read(roster_import.make_plan, caller, classroom_id, roster.entries)
    except Refused as error:
        return roster_page(request, classroom, typed, str(error))
    faults = sorted((*roster.faults, *plan.faults))
    return page(
        request,
        "classes/roster_preview",
        known=True,
        status=422 if faults else 200,
        page="class",
        title="核对名单",
        steps=plan.steps,
        faulty_lines=faults,
        rows=roster_files.write(step.entry for step in plan.steps),
        **form_context(request, classroom, typed),
    )


async def posted_roster(request: Request) -> tuple[bytes, str]:
    """The file, or the text that was pasted instead; and that text."""
    async with request.form(max_files=1, max_fields=10, max_part_size=LARGEST) as form:
        file = form.get("file")
        typed = form.get("text")
        if not isinstance(typed, str):
            typed = ""
        if isinstance(file, UploadFile) and file.filename:
            return await file.read(), typed
        return typed.encode(), typed


@router.post("/classrooms/{classroom_id}/roster")
async def enter(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id
) -> Response:
    """Do what the preview showed, all of it or nothing, and show the slips."""
    classroom = await site.db.read(classrooms.taught, caller, classroom_id)
    try:
        entries = confirmed_entries(form)
        new_passwords = [entry.password or passwords.fresh() for entry in entries]
        hashes = await hash_all(new_passwords)
        plan = await site.db.write(roster_import.enter, caller, classroom_id, entries, hashes, now)
    except Refused as error:
        return roster_page(request, classroom, form.one("rows"), str(error))
    slips = map(import_slip, plan.steps, new_passwords)
    return slips_page(request, classroom, list(slips))


def import_slip(step: ImportStep, password: str) -> PasswordSlip:
    """Whoever had an account keeps its password."""
    entry = step.entry
    if step.student:
        password = ""
    return PasswordSlip(entry.name, entry.number, entry.login, password)


def confirmed_entries(form: PostedForm) -> tuple[RosterEntry, ...]:
    """The list that the preview showed, with the accounts that were selected for names from other classes.

    It can only have faults if somebody changed it on the way.
    """
    roster = roster_files.read(form.one("rows").encode())
    if roster.faults:
        raise Refused("名单和核对时的不一样了，请重新上传。")
    entries = [entry._replace(login=form.one(f"login-{entry.line}", entry.login)) for entry in roster.entries]
    return tuple(entries)


@router.post("/classrooms/{classroom_id}/slips")
async def renew(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id
) -> Response:
    """New passwords for some students of the class, or for all of them, to be printed."""
    classroom = await site.db.read(classrooms.taught, caller, classroom_id)
    enrolment_ids: Sequence[int] = form.ids("student")
    progress = PrintProgress()
    if form.one("everyone"):
        everyone = await site.db.read(class_passwords.with_password, caller, classroom_id)
        enrolment_ids, progress = next_print(everyone, form.number("printed", 0))
    if not enrolment_ids:
        return see(request, f"/classrooms/{classroom_id}")
    new_passwords = [passwords.fresh() for _ in enrolment_ids]
    hashes = await hash_all(new_passwords)
    students = await site.db.write(
        class_passwords.reset, caller, classroom_id, dict(zip(enrolment_ids, hashes, strict=True)), now
    )
    slips = [
        PasswordSlip(student.name, student.number, student.login or "", password)
        for student, password in zip(students, new_passwords, strict=True)
    ]
    return slips_page(request, classroom, slips, progress)


async def hash_all(new_passwords: Sequence[str]) -> tuple[str, ...]:
    return tuple(await asyncio.gather(*map(hashing.hashed, new_passwords)))


def next_print(everyone: Sequence[int], printed: int) -> tuple[Sequence[int], PrintProgress]:
    """Who comes after so many: hashing for a larger class at once would keep others from signing in.

    >>> enrolment_ids, progress = next_print(range(450), 200)
    >>> len(enrolment_ids), progress
    (200, PrintProgress(printed=400, left=50))
    """
    end = printed + roster_files.MOST
    return everyone[printed:end], PrintProgress(end, max(0, len(everyone) - end))


def slips_page(
    request: Request,
    classroom: ClassRow,
    slips: Sequence[PasswordSlip],
    progress: PrintProgress = PrintProgress(),
) -> Response:
    return page(
        request,
        "classes/slips",
        known=True,
        page="class",
        title=f"{classroom.name}：密码条",
        row=classroom,
        slips=slips,
        progress=progress,
        **host_context(request),
    )
