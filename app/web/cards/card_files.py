"""导入导出: the deck as files, and cards out of a table, looked at before they are kept."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.responses import Response

from app.course.cards.card_files import MOST_BYTES, MOST_ROWS, Unfit, decoded, read
from app.records.cards import deck_pages, own_cards
from app.records.db.errors import NotFound
from app.web.cards import card_file_views as views
from app.web.cards.card_drafts import tidy
from app.web.cards.card_views import family_of, ref_of
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, guest_again, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
IMPORTS = "/cards/imports"
LARGER_BODIES = {IMPORTS: 3 * MOST_BYTES}
"""A table is longer than what one types."""
PREVIEWED = 200
KINDS = {
    "deck.apkg": "application/octet-stream",
    "cards.csv": "text/csv; charset=utf-8",
    "reviews.csv": "text/csv; charset=utf-8",
    "deck.json": "application/json",
}


@router.get("/cards/files")
async def files(request: Request) -> Response:
    """What can be taken home, and what can be brought."""
    look = await site_of(request).db.read(deck_pages.load_deck, caller_of(request))
    return shown(request, known=look.learner_id is not None, cards=len(look.rows))


@router.get("/cards/files/{name}")
async def export(request: Request, name: str) -> Response:
    """The deck or its log as a file; made beside the others, for it may be long."""
    if name not in KINDS:
        raise NotFound
    site, moment = site_of(request), now()
    course = site.course
    look, log = await site.db.read(deck_pages.load_export, caller_of(request))
    make: dict[str, Callable[[], str | bytes]] = {
        "deck.apkg": lambda: views.anki(course, look, moment),
        "cards.csv": lambda: views.card_table(course, look),
        "reviews.csv": lambda: views.log_table(course, log),
        "deck.json": lambda: views.as_json(course, look, log),
    }
    body = await asyncio.to_thread(make[name])
    headers = {"Content-Disposition": f'attachment; filename="tangxu-{name}"'}
    return Response(body, media_type=KINDS[name], headers=headers)


@router.post(IMPORTS)
async def bring(request: Request) -> Response:
    """A table, looked at; kept only when somebody says so, and then all of it at once."""
    site = site_of(request)
    form, body = await read_upload(request)
    person, text = caller_of(request, form), form.one("text")
    look = await site.db.read(deck_pages.load_deck, person)
    known = look.learner_id is not None
    try:
        text = decoded(body) if body else text
        rows = read(text.replace("\r\n", "\n"), tidy)
    except Unfit as error:
        return shown(request, known=known, cards=len(look.rows), text=text, error=str(error), form=form)
    judged = views.verdicts(site.course, rows, look)
    states = [state for _, state in judged]
    faults, fresh = states.count("fault"), states.count("new") + states.count("course")
    if body or not fresh or ("skip" if faults else "keep") not in form.fields:
        listed, rest = judged[:PREVIEWED], len(judged[PREVIEWED:])
        preview = {"judged": listed, "rest": rest, "faulty": faults, "fresh": fresh}
        return shown(request, known=known, cards=len(look.rows), text=text, form=form, preview=preview)
    cards = [(row.front, row.back, row.tags, "") for row, state in judged if state == "new"]
    named = [row.card for row, state in judged if state == "course"]
    collected = [(ref_of(site.course, name), family_of(site.course, name)) for name in named]
    done = await site.db.write(own_cards.bring, person, cards, collected, now())
    return see(request, f"/cards/all?{'stage=own&' if cards else ''}kept={done.added}", token=done.token)


def shown(
    request: Request,
    *,
    known: bool,
    cards: int,
    text: str = "",
    error: str = "",
    form: PostedForm | None = None,
    preview: Mapping[str, Any] | None = None,
) -> Response:
    """The page of files, with what was brought and what would happen with it."""
    again = guest_again(form) if form else None
    context = {"judged": None, "rest": 0, "faulty": 0, "fresh": 0} | dict(preview or {})
    limits = {"most_rows": MOST_ROWS, "most_kb": MOST_BYTES // 1000}
    return page(
        request,
        "cards/files",
        known=known,
        status=422 if error else 200,
        page="cards",
        title="导入导出",
        cards=cards,
        text=text,
        error=error,
        again=again,
        **limits,
        **context,
    )


async def read_upload(request: Request) -> tuple[PostedForm, bytes]:
    """The fields of a form that may bring a file, and the file."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await read_form(request), b""
    try:
        async with request.form(max_files=1, max_fields=20, max_part_size=LARGER_BODIES[IMPORTS]) as sent:
            fields = {name: [one for one in sent.getlist(name) if isinstance(one, str)] for name in sent}
            file = sent.get("file")
            body = await file.read() if isinstance(file, UploadFile) else b""
    except MultiPartException:
        return PostedForm({}), b""
    return PostedForm({name: values for name, values in fields.items() if values}), body
