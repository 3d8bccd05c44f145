"""导入导出: the deck as files, and cards out of a table, looked at before they are kept."""

import asyncio

from fastapi import APIRouter, Request
from starlette.formparsers import MultiPartException
from starlette.responses import Response

from app.course.cards.card_files import MOST_BYTES, MOST_ROWS, Unfit, decoded, read
from app.records.cards import deck_pages, own_cards
from app.records.cards.values import DeckData
from app.records.db.errors import NotFound
from app.web.cards import card_file_views as views
from app.web.cards.card_drafts import tidy
from app.web.cards.card_views import course_card
from app.web.site.dependencies import CallerDep, Now, SiteDep
from app.web.site.requests import PostedForm, caller_of, guest_again, read_form
from app.web.site.responses import page, see

router = APIRouter()
IMPORTS = "/cards/imports"
LARGER_BODIES = {IMPORTS: 3 * MOST_BYTES}
"""A table is longer than what one types."""
MOST_LISTED = 200
EMPTY_FORM = PostedForm({})


@router.get("/cards/files")
async def files(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """What can be taken home, and what can be brought."""
    deck = await site.db.read(deck_pages.load_deck, caller)
    return files_page(request, deck)


@router.get("/cards/files/{name}")
async def export(site: SiteDep, caller: CallerDep, now: Now, name: str) -> Response:
    """The deck or its log as a file; made in a thread of its own, for it may be long."""
    if name not in views.MEDIA_TYPES:
        raise NotFound
    deck, log = await site.db.read(deck_pages.load_export, caller)
    body = await asyncio.to_thread(views.write_file, name, site.course, deck, log, now)
    headers = {"Content-Disposition": f'attachment; filename="tangxu-{name}"'}
    return Response(body, media_type=views.MEDIA_TYPES[name], headers=headers)


@router.post(IMPORTS)
async def bring(request: Request, site: SiteDep, now: Now) -> Response:
    """A table, looked at; kept only when somebody says so, and then all of it at once."""
    form, upload = await read_upload(request)
    caller = caller_of(request, form)
    deck = await site.db.read(deck_pages.load_deck, caller)
    text = form.one("text")
    try:
        if upload:
            text = decoded(upload)
        rows = read(text.replace("\r\n", "\n"), tidy)
    except Unfit as error:
        return files_page(request, deck, form=form, text=text, error=str(error))
    preview = views.preview(site.course, rows, deck)
    button = "keep"
    if preview.faulty:
        button = "skip"
    confirmed = button in form.fields
    if upload or not preview.fresh or not confirmed:
        return files_page(request, deck, form=form, text=text, preview=preview)
    new_rows = preview.rows_that_are("new")
    cards = [(row.front, row.back, row.tags, "") for row in new_rows]
    course_rows = preview.rows_that_are("course")
    course_cards = [course_card(site.course, row.card) for row in course_rows]
    written = await site.db.write(own_cards.bring, caller, cards, course_cards, now)
    url = f"/cards/all?kept={written.added}"
    if cards:
        url = f"/cards/all?stage=own&kept={written.added}"
    return see(request, url, token=written.token)


def files_page(
    request: Request,
    deck: DeckData,
    *,
    form: PostedForm = EMPTY_FORM,
    text: str = "",
    error: str = "",
    preview: views.ImportPreview | None = None,
) -> Response:
    """The page of files, with what was brought and what would happen with it."""
    status = 200
    if error:
        status = 422
    return page(
        request,
        "cards/files",
        known=deck.learner_id is not None,
        status=status,
        page="cards",
        title="导入导出",
        cards=len(deck.rows),
        again=guest_again(form),
        text=text,
        error=error,
        preview=preview,
        most_listed=MOST_LISTED,
        most_rows=MOST_ROWS,
        most_kb=MOST_BYTES // 1000,
    )


async def read_upload(request: Request) -> tuple[PostedForm, bytes]:
    """The fields of a form that may bring a file, and the file."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await read_form(request), b""
    fields: dict[str, list[str]] = {}
    upload = b""
    try:
        async with request.form(max_files=1, max_fields=20, max_part_size=LARGER_BODIES[IMPORTS]) as parts:
            for name, part in parts.multi_items():
                if isinstance(part, str):
                    fields.setdefault(name, []).append(part)
                elif name == "file":
                    upload = await part.read()
    except MultiPartException:
        return EMPTY_FORM, b""
    return PostedForm(fields), upload
