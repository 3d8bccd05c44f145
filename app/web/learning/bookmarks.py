"""书签: a step or an example is marked, found again, unmarked."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course
from app.course.text import typed
from app.records.db.errors import NotFound, Refused
from app.records.learning import bookmarks
from app.records.learning.bookmarks import (
    LONGEST_NOTE,
    BookmarkedPlace,
    BookmarkRow,
    BookmarksData,
    present_place,
)
from app.web.learning.stage_views import section_url, step_name
from app.web.site.posted_forms import sender_field_again
from app.web.site.requests import CallerRequest, RequestDep, RowId
from app.web.site.routing import LazyRouter

router = LazyRouter()
NO_SUCH_PLACE_SENTENCE = "书签要夹在课文的一步，或者一道例题上；这个地址里没有这样的地方，也许课文改过了。"
GONE_PLACE_TITLE = "课程里已经没有这个地方了"


class PlaceView(NamedTuple):
    """A place where a bookmark is or can be. `naming_field`: the field that names it, and its value; `url`:
    the place itself, empty where it is gone; `former_step_ids`: of steps in whose place it stands.
    """

    bookmarked_place: BookmarkedPlace
    title: str
    place_words: str = ""
    url: str = ""
    naming_field: tuple[str, str] = ("", "")
    former_step_ids: tuple[str, ...] = ()


class BookmarkView(NamedTuple):
    """A bookmark in the list."""

    id: int
    place: PlaceView
    note: str
    created_at: datetime


@router.get("/bookmarks")
async def index(request: RequestDep, new: str = "") -> Response:
    """All bookmarks, the newest first; `?new=` is the one that was just put."""
    bookmarks_data = await request.read(bookmarks.load_bookmarks)
    views_of_bookmarks = bookmark_views(request.course, bookmarks_data.bookmarks)
    newest_view = next(
        (bookmark_view for bookmark_view in views_of_bookmarks if str(bookmark_view.id) == new), None
    )
    return request.page(
        "learning/bookmarks",
        is_signed_in=bookmarks_data.learner_id is not None,
        page="bookmarks",
        title="书签",
        bookmarks=views_of_bookmarks,
        newest=newest_view,
    )


@router.get("/bookmarks/new")
async def show_form(request: RequestDep) -> Response:
    """The form for the place that the address names, with the note that is there already."""
    shown_place = place_named(request.course, request.query)
    bookmarks_data = await request.read(
        bookmarks.load_bookmark, shown_place.bookmarked_place, shown_place.former_step_ids
    )
    return form_page(request, shown_place, bookmarks_data, stored_note_of(bookmarks_data))


def stored_note_of(bookmarks_data: BookmarksData) -> str:
    """The note of the bookmark at a place; empty where there is none."""
    if bookmarks_data.bookmarks:
        return bookmarks_data.bookmarks[0].note
    return ""


@router.post("/bookmarks")
async def put_bookmark(request: RequestDep) -> Response:
    """夹书签; where there is one already, it gets the new note. Where another tab was quicker, what it kept
    stands above what was written."""
    form = request.form
    place_fields = {field_name: form.text(field_name) for field_name in ("step", "example")}
    place = place_named(request.course, place_fields)
    typed_note = tidy_note(form.text("note"))
    seen_note = None
    if "seen_note" in form.texts_by_field:
        seen_note = tidy_note(form.text("seen_note"))
    try:
        expect_short(typed_note)
        saved_bookmark = await request.write(
            bookmarks.put_bookmark,
            place.bookmarked_place,
            typed_note,
            request.now,
            place.former_step_ids,
            seen_note,
        )
    except Refused as refusal:
        bookmarks_data = await request.read(
            bookmarks.load_bookmark, place.bookmarked_place, place.former_step_ids
        )
        return form_page(request, place, bookmarks_data, typed_note, seen_note, str(refusal))
    return request.redirect(f"/bookmarks?new={saved_bookmark.id}", token=saved_bookmark.token)


@router.post("/bookmarks/{bookmark_id}/removals")
async def remove_bookmark(request: RequestDep, bookmark_id: RowId) -> Response:
    """取下; a second tap finds it done."""
    try:
        known_learner = await request.write(bookmarks.remove_bookmark, bookmark_id, request.now)
    except NotFound:
        return request.redirect("/bookmarks")
    return request.redirect("/bookmarks", token=known_learner.token)


def form_page(
    request: CallerRequest,
    place: PlaceView,
    bookmarks_data: BookmarksData,
    typed_note: str,
    seen_note: str | None = None,
    error_sentence: str = "",
) -> Response:
    """The form, with the note that is kept, or that was typed. `bookmarks_data`: what is bookmarked there;
    `seen_note`: with which the form that was refused had been opened."""
    stored_note = stored_note_of(bookmarks_data)
    title = "夹书签"
    if bookmarks_data.bookmarks:
        title = "改书签上的便条"
    return request.page(
        "learning/bookmark",
        is_signed_in=bookmarks_data.learner_id is not None,
        page="bookmarks",
        title=title,
        place=place,
        note=typed_note,
        stored_note=stored_note,
        is_changed_elsewhere=seen_note is not None and stored_note not in (seen_note, typed_note),
        longest_note=LONGEST_NOTE,
        error_sentence=error_sentence,
        sender_field_again=sender_field_again(request.form),
    )


def tidy_note(typed_note: str) -> str:
    """A note as it is kept: its lines, without empty ones and spaces around them.

    >>> tidy_note("  除数是  4.76 \\r\\n\\r\\n 要背 ")
    '除数是 4.76\\n要背'
    """
    composed_text = typed.composed_text(typed_note, 20 * LONGEST_NOTE)
    tidy_lines = (" ".join(note_line.split()) for note_line in composed_text.splitlines())
    return "\n".join(filter(None, tidy_lines))


def expect_short(bookmark_note: str) -> None:
    """Raises Refused for a note that is too long."""
    if len(bookmark_note) > LONGEST_NOTE:
        raise Refused(f"便条写了{len(bookmark_note)}个字，最多{LONGEST_NOTE}个：留下最要紧的一句。")


def place_named(course: Course, query: Mapping[str, str]) -> PlaceView:
    """What an address names: `step=<stage>.<section>.<step>` or `example`. NotFound for anything else."""
    if step_path := query.get("step", ""):
        stage_id, section_id, step_id = [*step_path.split("."), "", ""][:3]
        bookmarked_place = BookmarkedPlace("lesson", course.ref(stage_id), section_id, step_id)
    else:
        bookmarked_place = BookmarkedPlace("example", course.ref(query.get("example", "")))
    place = place_view(course, bookmarked_place)
    if not place.naming_field[0]:
        raise NotFound(NO_SUCH_PLACE_SENTENCE)
    return place


def place_view(course: Course, bookmarked_place: BookmarkedPlace) -> PlaceView:
    """A place in the course of today."""
    if bookmarked_place.source == "example":
        return place_view_of_example(course, bookmarked_place)
    return place_view_of_step(course, bookmarked_place)


def place_view_of_example(course: Course, bookmarked_place: BookmarkedPlace) -> PlaceView:
    example_id = course.bare_id(bookmarked_place.ref)
    example = course.examples.get(example_id)
    if example is None:
        return PlaceView(bookmarked_place, GONE_PLACE_TITLE)
    return PlaceView(
        bookmarked_place, example.title, "例题", f"/examples/{example_id}", ("example", example_id)
    )


def place_view_of_step(course: Course, bookmarked_place: BookmarkedPlace) -> PlaceView:
    """The step that has the id, or that has taken it over; without it its section, or nothing."""
    stage = course.stage(course.bare_id(bookmarked_place.ref))
    section = course.section_of(bookmarked_place.ref, bookmarked_place.section_id)
    if stage is None or section is None:
        return PlaceView(bookmarked_place, GONE_PLACE_TITLE)
    step_number = section.step_number_of(bookmarked_place.step_id)
    url_of_section = section_url(stage, section)
    if step_number is None:
        return PlaceView(
            bookmarked_place, section.title, f"《{stage.title}》这一步不在了，这一节还在", url_of_section
        )
    step = section.steps[step_number - 1]
    place_words = f"《{stage.title}》第{step_number}步 · {step.KIND_WORD}"
    naming_field = ("step", step_name(stage, section, step))
    step_url = f"{url_of_section}?step={step.id}#step-{step.id}"
    current_place = present_place(section, bookmarked_place)
    return PlaceView(current_place, section.title, place_words, step_url, naming_field, tuple(step.was))


def bookmark_views(course: Course, bookmark_rows: Iterable[BookmarkRow]) -> list[BookmarkView]:
    """Bookmarks as the list shows them."""
    views_of_bookmarks: list[BookmarkView] = []
    for bookmark_row in bookmark_rows:
        place = place_view(course, bookmark_row.place)
        views_of_bookmarks.append(
            BookmarkView(bookmark_row.id, place, bookmark_row.note, bookmark_row.created_at)
        )
    return views_of_bookmarks
