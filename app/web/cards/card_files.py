"""导入导出: the deck as files, and cards out of a table, looked at before they are kept."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.formparsers import MultiPartException
from starlette.responses import Response

from app.course import Course
from app.course.cards.card_files import (
    MOST_BYTES,
    MOST_ROWS,
    CardFileRow,
    Note,
    Unfit,
    decoded,
    package,
    read,
    table,
)
from app.course.text import markdown
from app.records.cards import deck_pages, own_cards
from app.records.cards.scheduling import Rating
from app.records.cards.values import DeckData, LogRow, OwnRow
from app.records.db.errors import NotFound
from app.web.cards.card_drafts import bullets, listed, plain, tidy
from app.web.cards.card_list_views import RATINGS, all_cards, stage_title
from app.web.cards.card_views import (
    STATES,
    CardExercise,
    course_card,
    name_of,
    reps_of,
    skill_name,
    state_of,
)
from app.web.site.requests import CallerDep, Now, PostedForm, SiteDep, caller_of, guest_again, read_form
from app.web.site.responses import page, see

router = APIRouter()
IMPORTS = "/cards/imports"
LARGER_BODIES = {IMPORTS: 3 * MOST_BYTES}
"""A table is longer than what one types."""
MOST_LISTED = 200
EMPTY_FORM = PostedForm({})
CARD_HEAD = {
    "front": "正面", "back": "背面", "tags": "标签", "card": "卡片", "stage": "阶段", "skill": "知识点",
    "state": "状态", "due_at": "到期", "reviews": "复习次数", "lapses": "忘过次数",
}  # fmt: skip
MEDIA_TYPES = {
    "deck.apkg": "application/octet-stream",
    "cards.csv": "text/csv; charset=utf-8",
    "reviews.csv": "text/csv; charset=utf-8",
    "deck.json": "application/json",
}
"""The files that a deck can be written to."""
LOG_HEAD = ("卡片", "第几次", "评分", "时刻", "日子", "秒", "写的数", "误区", "撤了")


@router.get("/cards/files")
async def files(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """What can be taken home, and what can be brought."""
    deck = await site.db.read(deck_pages.load_deck, caller)
    return files_page(request, deck)


@router.get("/cards/files/{name}")
async def export(site: SiteDep, caller: CallerDep, now: Now, name: str) -> Response:
    """The deck or its log as a file; made in a thread of its own, for it may be long."""
    if name not in MEDIA_TYPES:
        raise NotFound
    deck, log = await site.db.read(deck_pages.load_export, caller)
    body = await site.off_loop.run(write_file, name, site.course, deck, log, now)
    headers = {"Content-Disposition": f'attachment; filename="tangxu-{name}"'}
    return Response(body, media_type=MEDIA_TYPES[name], headers=headers)


@router.post(IMPORTS)
async def bring(request: Request, site: SiteDep, now: Now) -> Response:
    """A table, looked at; kept only when somebody says so, and then all of it at once."""
    form, upload = await read_upload(request)
    caller = caller_of(request, form)
    deck = await site.db.read(deck_pages.load_deck, caller)
    text = form.text("text")
    try:
        if upload:
            text = decoded(upload)
        rows = await site.off_loop.run(read, text.replace("\r\n", "\n"), tidy)
    except Unfit as error:
        return files_page(request, deck, form, text=text, error=str(error), status=422)
    preview = preview_of(site.course, rows, deck)
    if upload or not preview.is_confirmed(form):
        return files_page(request, deck, form, text=text, preview=preview)
    new_rows = preview.rows_that_are("new")
    cards = [(row.front, row.back, row.tags, "") for row in new_rows]
    course_rows = preview.rows_that_are("course")
    course_cards = [course_card(site.course, row.card) for row in course_rows]
    written = await site.db.write(own_cards.bring, caller, cards, course_cards, now)
    url = f"/cards/all?kept={written.added}"
    if cards:
        url = f"/cards/all?stage=own&kept={written.added}"
    return see(request, url, token=written.token)


def files_page(request: Request, deck: DeckData, form: PostedForm = EMPTY_FORM, **upload: Any) -> Response:
    """The page of files, with what was brought, and why it is refused or what would happen with it."""
    return page(
        request,
        "cards/files",
        signed_in=deck.learner_id is not None,
        page="cards",
        title="导入导出",
        cards=len(deck.rows),
        again=guest_again(form),
        most_listed=MOST_LISTED,
        most_rows=MOST_ROWS,
        most_kb=MOST_BYTES // 1000,
        **{"text": "", "error": "", "preview": None, **upload},
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


def write_file(
    name: str, course: Course, deck: DeckData, log: Sequence[LogRow], now: datetime
) -> str | bytes:
    """The content of one of the files of `MEDIA_TYPES`."""
    match name:
        case "deck.apkg":
            return package(notes(course, deck), now.timestamp())
        case "cards.csv":
            return card_table(course, deck)
        case "reviews.csv":
            return log_table(course, log)
    return as_json(course, deck, log)


@dataclass(frozen=True)
class Sides:
    """Front, back and tags of a card in Markdown."""

    front: str
    back: str
    tags: str


def sides_of(course: Course, ref: str, own: OwnRow | None, reps: int) -> Sides | None:
    """Both sides of a card; None for a card that the course has no more."""
    if own:
        return Sides(own.front, own.back, own.tags)
    name = course.bare(ref)
    tags = stage_title(course, ref).replace(" ", "_")
    if drill := course.drills.get(name):
        return drill_sides(CardExercise(course, drill, reps), tags)
    card = course.cards.get(name)
    if card is None:
        return None
    return Sides(plain(course, card.front), plain(course, card.back), tags)


def drill_sides(exercise: CardExercise, tags: str) -> Sides:
    """A card that computes, with the numbers of now: in a file they stay as they are."""
    item = exercise.item
    parts = [item.stem]
    if item.ranking:
        parts += listed(item.ranking)
    parts.append(exercise.parts.contract)
    front = "\n\n".join(filter(None, parts))
    return Sides(front, bullets(item.solution()), f"{tags} 换数")


def cards(course: Course, deck: DeckData) -> list[dict[str, Any]]:
    """Every card of the deck with both sides, and how well it sits."""
    own_cards = deck.own_by_card()
    exported = []
    for row in deck.rows:
        memory = row.memory
        sides = sides_of(course, row.card, own_cards.get(row.card), memory.reps)
        if sides is None:
            continue
        skill = course.card_skill(course.bare(row.card)) or ""
        learning = {
            "card": name_of(course, row.card),
            "stage": stage_title(course, row.card),
            "skill": skill_name(course, skill),
            "state": state_of(row),
            "due_at": memory.due_at and memory.due_at.isoformat(),
            "reviews": memory.reps,
            "lapses": memory.lapses,
            "stability": memory.stability,
            "difficulty": memory.difficulty,
        }
        exported.append(asdict(sides) | learning)
    return exported


def card_table(course: Course, deck: DeckData) -> str:
    """The cards for a spreadsheet: the columns of `CARD_HEAD`."""
    rows = []
    for card in cards(course, deck):
        card["state"] = STATES[card["state"]]
        rows.append([card[column] for column in CARD_HEAD])
    return table([list(CARD_HEAD.values()), *rows])


def log_table(course: Course, log: Sequence[LogRow]) -> str:
    """The reviews for a spreadsheet: the columns of `LOG_HEAD`."""
    rows = [list(review_fields(course, row).values()) for row in log]
    return table([LOG_HEAD, *rows])


def review_fields(course: Course, row: LogRow) -> dict[str, Any]:
    """A review with its rating in words."""
    return {
        "card": name_of(course, row.card),
        "number": row.number,
        "rating": RATINGS[Rating(row.rating)],
        "reviewed_at": row.reviewed_at.isoformat(),
        "day": row.day.isoformat(),
        "seconds": row.seconds,
        "typed": row.raw,
        "misconception": row.misconception,
        "undone": row.undone_at is not None,
    }


def as_json(course: Course, deck: DeckData, log: Sequence[LogRow]) -> str:
    """All of it, for programs; `before` and `after` are the memory as it was kept."""
    reviews = []
    for row in log:
        review = review_fields(course, row)
        review["rating"] = row.rating
        review["before"] = json.loads(row.before)
        review["after"] = json.loads(row.after)
        reviews.append(review)
    body = {"format": "tangxu-cards-1", "cards": cards(course, deck), "reviews": reviews}
    return json.dumps(body, ensure_ascii=False, indent=1)


def notes(course: Course, deck: DeckData) -> Iterator[Note]:
    """The cards of a deck for Anki, each known by its name for ever; without a deck, those of the course."""
    own_cards = deck.own_by_card()
    rows = deck.rows_by_card()
    for ref in rows or all_cards(course, deck):
        own = own_cards.get(ref)
        sides = sides_of(course, ref, own, reps_of(rows.get(ref)))
        if sides is None:
            continue
        key = ref
        if own:
            key = f"{ref}@{own.created_at.isoformat()}"
        front = markdown.render_for_anki(sides.front)
        back = markdown.render_for_anki(sides.back)
        subdeck = f"糖序::{stage_title(course, ref)}"
        yield Note(key, front, back, subdeck, sides.tags.split())


@dataclass(frozen=True)
class ImportPreview:
    """The rows of a table, each with what will happen to it: `new`, `course`, `there`, `twice` or `fault`."""

    rows: Sequence[tuple[CardFileRow, str]]

    def rows_that_are(self, verdict: str) -> list[CardFileRow]:
        return [row for row, row_verdict in self.rows if row_verdict == verdict]

    def is_confirmed(self, form: PostedForm) -> bool:
        """Whether the button was pressed that keeps what is fresh, or skips what is faulty."""
        button = "keep"
        if self.faulty:
            button = "skip"
        return self.fresh > 0 and button in form.fields

    @property
    def faulty(self) -> int:
        """How many rows cannot be kept."""
        return len(self.rows_that_are("fault"))

    @property
    def fresh(self) -> int:
        """How many cards would come into the deck."""
        return len(self.rows_that_are("new")) + len(self.rows_that_are("course"))


def preview_of(course: Course, rows: Sequence[CardFileRow], deck: DeckData) -> ImportPreview:
    """What will happen with each row: new, a card of the course, there already, twice in the file, faulty."""
    keys: set[tuple[str, str]] = set()
    judged = []
    for row, present in zip(rows, present_rows(course, rows, deck), strict=True):
        key = (row.front, row.back)
        verdict = "new"
        if row.fault:
            verdict = "fault"
        if course.card_skill(row.card) is not None:
            key = (row.card, "")
            verdict = "course"
        if present:
            verdict = "there"
        elif key in keys and verdict != "fault":
            verdict = "twice"
        judged.append((row, verdict))
        keys.add(key)
    return ImportPreview(judged)


def present_rows(course: Course, rows: Sequence[CardFileRow], deck: DeckData) -> Iterator[bool]:
    """Of each row, whether its card is in the deck.

    An own card is known by its words, or by its number and one of its sides: the other was changed since.
    """
    names = {name_of(course, row.card) for row in deck.rows}
    words = {(own.front, own.back) for own in deck.own}
    sides = set()
    for own in deck.own:
        number = name_of(course, own.card)
        sides |= {(number, own.front), (number, own.back)}
    for row in rows:
        if course.card_skill(row.card) is not None:
            yield row.card in names
        else:
            same_side = (row.card, row.front) in sides or (row.card, row.back) in sides
            yield same_side or (row.front, row.back) in words
