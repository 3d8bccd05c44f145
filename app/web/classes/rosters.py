"""名单: import with a preview, and slips with passwords to print.

A password is shown on the page that follows the post which made it, and nowhere after: these pages are the
only ones that are no redirect.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import Request
from starlette.responses import Response

from app.records.accounts import passwords
from app.records.classes import classrooms, password_slips, roster_files, roster_imports
from app.records.classes.rights import Right
from app.records.classes.roster_files import RosterEntry
from app.records.classes.roster_imports import PlannedEntry
from app.records.classes.values import ClassRow
from app.records.db.errors import Refused
from app.records.people import security_log
from app.web.accounts import hashing
from app.web.classes.classrooms import (
    CLASSROOM_ADDRESS,
    ClassDep,
    ClassRequest,
    UnreadClassDep,
    host_context,
    refused_students_page,
)
from app.web.site.posted_forms import PostedForm, form_and_file
from app.web.site.requests import expect_own_page
from app.web.site.routing import LazyRouter
from app.web.site.security import BodyLimitRule

router = LazyRouter()
MOST_ROSTER_BYTES = 2**20
"""Bytes of a file that is sent."""
NOTHING_SENT_SENTENCE = "还没有名单：选一个文件，或者把名单贴在框里。"
BODY_LIMIT_RULE_BY_PATH_PATTERN = {
    "/classrooms/[0-9]+/roster(-previews)?": BodyLimitRule(
        MOST_ROSTER_BYTES + 2**16,
        "这份名单太大了，最多1MB：只留要用的那一页，另存一份再选。回到上一页，写的还在。",
    )
}
"""Where more may be sent than elsewhere: a list, and the same list when it is confirmed."""


class PasswordSlip(NamedTuple):
    """What a student cuts out and takes home. Without a password: the one they have goes on."""

    name: str
    student_number: str
    login: str
    password: str


class PrintProgress(NamedTuple):
    """Where a class is too large for one print: the last enrolment that got its slip, and how many are left.

    By enrolment, not by a count: whoever leaves or joins between two prints moves the others.
    """

    last_enrolment_id: int = 0
    remaining_count: int = 0


@router.get(CLASSROOM_ADDRESS + "/roster")
async def ask_roster(request: ClassDep) -> Response:
    """Where a file is chosen or a list pasted."""
    return roster_page(request, await request.read(classrooms.taught_class))


def roster_page(
    request: ClassRequest, classroom: ClassRow, typed_roster_text: str = "", error_sentence: str = ""
) -> Response:
    """The form for a list; `error_sentence`: why the one that was sent is refused."""
    context = form_context(request, classroom, typed_roster_text)
    return request.page("classes/roster", title="导入名单", error_sentence=error_sentence, **context)


def form_context(request: ClassRequest, classroom: ClassRow, typed_roster_text: str) -> Mapping[str, Any]:
    """What the form for a list shows. `typed_roster_text`: the text that was pasted."""
    context = {
        "classroom": classroom,
        "typed": typed_roster_text,
        "most_students": roster_files.MOST_STUDENTS,
    }
    return context | host_context(request.http)


@router.post(CLASSROOM_ADDRESS + "/roster-previews")
async def preview_import(request: UnreadClassDep) -> Response:
    """What a file would do, line by line; nothing is done yet. Lines at fault come back to be mended."""
    # Before the body is read: nobody may send a file to another teacher's class.
    classroom = await request.read(classrooms.taught_class)
    typed_roster_text = ""
    try:
        file_bytes, typed_roster_text = await roster_bytes_and_text(request.http)
        roster = await request.site.off_loop.run(roster_files.read_roster, file_bytes)
        faulty_entries = [roster_fault.entry for roster_fault in roster.faults]
        import_plan = await request.read(roster_imports.make_import_plan, roster.entries, faulty_entries)
    except Refused as error:
        return roster_page(request, classroom, typed_roster_text, str(error))
    roster_faults = sorted((*roster.faults, *import_plan.faults))
    refused_entries = {roster_fault.entry for roster_fault in import_plan.faults}
    status = 200
    if roster_faults:
        status = 422
    return request.page(
        "classes/roster_preview",
        status=status,
        title="核对名单",
        plan=import_plan,
        faulty_lines=roster_faults,
        note_sentence=roster.note_sentence,
        # As they were read: an account that is only proposed here is not to come back as one that is given.
        good_rows=roster_files.roster_text(
            roster_entry for roster_entry in roster.entries if roster_entry not in refused_entries
        ),
        faulty_rows=roster_files.roster_text(roster_fault.entry for roster_fault in roster_faults),
        **form_context(request, classroom, typed_roster_text),
    )


async def roster_bytes_and_text(http: Request) -> tuple[bytes, str]:
    """The file, or the text that was pasted instead; and that text. Lines that were mended come with the
    good ones of the same list."""
    form, posted_file = await form_and_file(http)
    expect_own_page(http, form)
    typed_roster_text = form.text("text")
    if posted_file.name:
        return posted_file.table_bytes, typed_roster_text
    if sound_lines_text := form.text("rows"):
        typed_roster_text = roster_files.join_rosters(
            sound_lines_text.replace("\r\n", "\n"), typed_roster_text
        )
    if not typed_roster_text.strip():
        raise Refused(NOTHING_SENT_SENTENCE)
    return typed_roster_text.encode(), typed_roster_text


@router.post(CLASSROOM_ADDRESS + "/roster")
async def import_roster(request: ClassDep) -> Response:
    """Do what the preview showed, all of it or nothing, and show the slips of those who are new.

    `left`: lines that were at fault; they come along to be mended after it.
    """
    classroom = await request.read(classrooms.taught_class, Right.TEACH)
    try:
        roster_entries = await request.site.off_loop.run(confirmed_entries, request.form)
        new_passwords = [
            roster_entry.password or passwords.fresh_password() for roster_entry in roster_entries
        ]
        password_hashes = await hash_all(new_passwords)
        import_plan = await request.write(
            roster_imports.import_entries, roster_entries, password_hashes, request.now
        )
    except Refused as error:
        typed_roster_text = roster_files.join_rosters(request.form.text("rows"), request.form.text("left"))
        return roster_page(request, classroom, typed_roster_text, str(error))
    printed_slips = []
    for planned_entry, password in zip(import_plan.planned_entries, new_passwords, strict=True):
        if planned_entry.is_new:
            printed_slips.append(slip_of_entry(planned_entry, password))
    faulty_rows_text = request.form.text("left")
    if not printed_slips and not faulty_rows_text:
        return request.redirect_within()
    return slips_page(request, classroom, printed_slips, PrintProgress(), faulty_rows_text)


def slip_of_entry(planned_entry: PlannedEntry, password: str) -> PasswordSlip:
    """Whoever had an account keeps its password."""
    roster_entry = planned_entry.roster_entry
    if planned_entry.known_student:
        password = ""
    return PasswordSlip(roster_entry.name, roster_entry.student_number, roster_entry.login, password)


def confirmed_entries(form: PostedForm) -> tuple[RosterEntry, ...]:
    """The list that the preview showed, with the accounts that it proposed or that were selected instead.

    It can only have faults if somebody changed it on the way.
    """
    roster = roster_files.read_roster(form.text("rows").encode())
    if roster.faults:
        raise Refused("名单和核对时的不一样了，请重新上传。")
    confirmed_roster_entries = []
    for roster_entry in roster.entries:
        login = form.text(f"login-{roster_entry.line_number}", roster_entry.login)
        confirmed_roster_entries.append(roster_entry._replace(login=login))
    return tuple(confirmed_roster_entries)


@router.post(CLASSROOM_ADDRESS + "/slips")
async def renew_passwords(request: ClassDep) -> Response:
    """New passwords for some students of the class, or for all of them, to be printed."""
    classroom = await request.read(classrooms.taught_class)
    enrolment_ids: Sequence[int] = request.form.ids("student")
    print_progress = PrintProgress()
    if request.form.text("everyone"):
        ids_with_password = await request.read(password_slips.resettable_enrolment_ids)
        enrolment_ids, print_progress = next_batch_and_progress(ids_with_password, request.form.id("after"))
    if not enrolment_ids:
        return await refused_students_page(request, "slips", "一位也没勾：勾上忘了密码的同学。")
    try:
        await request.read(password_slips.load_resettable_students, enrolment_ids)
        new_passwords = [passwords.fresh_password() for _ in enrolment_ids]
        password_hashes = await hash_all(new_passwords)
        hash_by_enrolment_id = dict(zip(enrolment_ids, password_hashes, strict=True))
        students = await request.write(password_slips.reset_passwords, hash_by_enrolment_id, request.now)
    except Refused as error:
        return await refused_students_page(request, "slips", str(error))
    security_log.write_line("passwords-reset", classroom=request.classroom_id, students=len(students))
    printed_slips = []
    for student, password in zip(students, new_passwords, strict=True):
        login = student.login or ""
        printed_slips.append(PasswordSlip(student.name, student.student_number, login, password))
    return slips_page(request, classroom, printed_slips, print_progress)


async def hash_all(new_passwords: Sequence[str]) -> tuple[str, ...]:
    password_hashes = await asyncio.gather(*map(hashing.hash_password, new_passwords))
    return tuple(password_hashes)


def next_batch_and_progress(
    ids_with_password: Sequence[int], last_enrolment_id: int
) -> tuple[Sequence[int], PrintProgress]:
    """Who comes after an enrolment, in the order of the list: hashing for a larger class at once would keep
    others from signing in.

    >>> enrolment_ids, progress = next_batch_and_progress(range(450, 0, -1), 200)
    >>> enrolment_ids[0], enrolment_ids[-1], progress
    (400, 201, PrintProgress(last_enrolment_id=400, remaining_count=50))
    """
    remaining_enrolment_ids = sorted(
        enrolment_id for enrolment_id in ids_with_password if enrolment_id > last_enrolment_id
    )
    batch_enrolment_ids = remaining_enrolment_ids[: roster_files.MOST_STUDENTS]
    if not batch_enrolment_ids:
        return (), PrintProgress()
    remaining_count = len(remaining_enrolment_ids) - len(batch_enrolment_ids)
    last_enrolment_id = batch_enrolment_ids[-1]
    ids_in_list_order = [
        enrolment_id
        for enrolment_id in ids_with_password
        if last_enrolment_id >= enrolment_id >= batch_enrolment_ids[0]
    ]
    return ids_in_list_order, PrintProgress(last_enrolment_id, remaining_count)


def slips_page(
    request: ClassRequest,
    classroom: ClassRow,
    printed_slips: Iterable[PasswordSlip],
    print_progress: PrintProgress,
    faulty_rows_text: str = "",
) -> Response:
    """The slips to print; `faulty_rows_text`: lines of a list that are still to be mended."""
    return request.page(
        "classes/slips",
        title=f"{classroom.name}：密码条",
        classroom=classroom,
        slips=list(printed_slips),
        progress=print_progress,
        faulty_rows_text=faulty_rows_text,
        **host_context(request.http),
    )
