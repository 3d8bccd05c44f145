"""导入导出: the deck as files, and cards out of a table, looked at before they are kept."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course
from app.course.cards.card_files import (
    MOST_FILE_BYTES,
    MOST_ROWS,
    CardFileRow,
    UnfitFile,
    decode_file,
    read_card_rows,
)
from app.records.cards import deck_pages, own_cards
from app.records.cards.values import DeckData
from app.records.db.errors import NotFound, Refused
from app.web.cards.card_drafts import tidy_tags
from app.web.cards.card_views import ref_and_family_of
from app.web.cards.known_cards import rows_with_standings
from app.web.cards.written_decks import MEDIA_TYPE_BY_FILE, file_content_of
from app.web.site.posted_forms import PostedForm, form_and_file, sender_field_again
from app.web.site.requests import CallerRequest, RequestDep, UnreadRequestDep
from app.web.site.routing import LazyRouter
from app.web.site.security import BodyLimitRule

router = LazyRouter()
IMPORTS_PATH = "/cards/imports"
BODY_LIMIT_RULE_BY_PATH_PATTERN = {
    IMPORTS_PATH: BodyLimitRule(
        3 * MOST_FILE_BYTES,
        "太大了，最多200KB：分成几份，一份一份收。回到上一页，写的还在。",
    )
}
"""A table is longer than what one types."""
MOST_LISTED_ROWS = 200


@router.get("/cards/files")
async def show_card_files(request: RequestDep) -> Response:
    """What can be taken home, and what can be brought."""
    deck_data = await request.read(deck_pages.load_deck)
    return files_page(request, deck_data)


@router.get("/cards/files/{name}")
async def export_cards(request: RequestDep, name: str) -> Response:
    """The deck or its log as a file; made in a thread of its own, for it may be long."""
    if name not in MEDIA_TYPE_BY_FILE:
        raise NotFound
    deck_data, past_reviews = await request.read(deck_pages.load_deck_and_reviews)
    off_loop = request.site.off_loop
    file_content = await off_loop.run(
        file_content_of, name, request.course, deck_data, past_reviews, request.now
    )
    headers = {"Content-Disposition": f'attachment; filename="tangxu-{name}"'}
    return Response(file_content, media_type=MEDIA_TYPE_BY_FILE[name], headers=headers)


@router.post(IMPORTS_PATH)
async def import_cards(request: UnreadRequestDep) -> Response:
    """A table, looked at; kept only when somebody says so, and then all of it at once."""
    form, posted_file = await form_and_file(request.http)
    request = request.with_form(form)
    deck_data = await request.read(deck_pages.load_deck)
    off_loop = request.site.off_loop
    pasted_text = form.text("text")
    try:
        if posted_file.content:
            pasted_text = decode_file(posted_file.content)
        card_file_rows = await off_loop.run(read_card_rows, pasted_text.replace("\r\n", "\n"), tidy_tags)
    except UnfitFile as error:
        return files_page(request, deck_data, pasted_text, str(error))
    import_preview = await off_loop.run(preview_of, request.course, card_file_rows, deck_data)
    if posted_file.content or not import_preview.is_confirmed(form):
        return files_page(request, deck_data, pasted_text, import_preview=import_preview)
    new_rows = import_preview.rows_of_standing("new")
    typed_cards = [
        (card_file_row.front, card_file_row.back, card_file_row.tags, "") for card_file_row in new_rows
    ]
    course_rows = import_preview.rows_of_standing("course")
    refs_and_families = [
        ref_and_family_of(request.course, card_file_row.card_name) for card_file_row in course_rows
    ]
    try:
        collect_result = await request.write(
            own_cards.write_and_collect, typed_cards, refs_and_families, request.now
        )
    except Refused as refusal:
        return files_page(request, deck_data, pasted_text, str(refusal), import_preview)
    all_cards_url = f"/cards/all?kept={collect_result.added_count}"
    if typed_cards:
        all_cards_url = f"/cards/all?stage=own&kept={collect_result.added_count}"
    return request.redirect(all_cards_url, token=collect_result.token)


def files_page(
    request: CallerRequest,
    deck_data: DeckData,
    pasted_text: str = "",
    error_sentence: str = "",
    import_preview: "ImportPreview | None" = None,
) -> Response:
    """The page of files, with what was brought, and why it is refused or what would happen with it."""
    return request.page(
        "cards/files",
        is_signed_in=deck_data.learner_id is not None,
        page="cards",
        title="导入导出",
        card_count=len(deck_data.cards),
        sender_field_again=sender_field_again(request.form),
        text=pasted_text,
        error_sentence=error_sentence,
        preview=import_preview,
        most_listed_rows=MOST_LISTED_ROWS,
        most_rows=MOST_ROWS,
        most_kb=MOST_FILE_BYTES // 1000,
    )


class ImportPreview(NamedTuple):
    """The rows of a table, each with what will happen to it: `new`, `course`, `there`, `changed`, `twice` or
    `fault`."""

    rows_and_standings: Sequence[tuple[CardFileRow, str]]

    def rows_of_standing(self, row_standing: str) -> list[CardFileRow]:
        return [
            card_file_row
            for card_file_row, standing_of_row in self.rows_and_standings
            if standing_of_row == row_standing
        ]

    def is_confirmed(self, form: PostedForm) -> bool:
        """Whether the button was pressed that keeps what is fresh, or skips what is faulty."""
        button_name = "keep"
        if self.faulty_count:
            button_name = "skip"
        return self.fresh_count > 0 and button_name in form.texts_by_field

    @property
    def noted_rows_with_standings(self) -> list[tuple[CardFileRow, str]]:
        """The rows of which a reader has to know: not those that are there already."""
        return [
            (card_file_row, row_standing)
            for card_file_row, row_standing in self.rows_and_standings
            if row_standing != "there"
        ]

    @property
    def known_count(self) -> int:
        """How many rows are there already."""
        return len(self.rows_of_standing("there"))

    @property
    def faulty_count(self) -> int:
        """How many rows cannot be kept."""
        return len(self.rows_of_standing("fault"))

    @property
    def fresh_count(self) -> int:
        """How many cards would come into the deck."""
        return len(self.rows_of_standing("new")) + len(self.rows_of_standing("course"))


def preview_of(course: Course, card_file_rows: Sequence[CardFileRow], deck_data: DeckData) -> ImportPreview:
    """What will happen with each row: new, a card of the course, there already as it is or with other words,
    twice in the file, faulty."""
    seen_row_keys: set[tuple[str, str]] = set()
    rows_and_standings = []
    for card_file_row, deck_standing in rows_with_standings(course, card_file_rows, deck_data):
        row_key = (card_file_row.front, card_file_row.back)
        row_standing: str = "new"
        if card_file_row.fault:
            row_standing = "fault"
        if course.skill_id_of_card(card_file_row.card_name) is not None:
            row_key = (card_file_row.card_name, "")
            row_standing = "course"
        if deck_standing != "new":
            row_standing = deck_standing
        elif row_key in seen_row_keys and row_standing != "fault":
            row_standing = "twice"
        rows_and_standings.append((card_file_row, row_standing))
        seen_row_keys.add(row_key)
    return ImportPreview(rows_and_standings)
