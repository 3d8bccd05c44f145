"""书签: steps and examples that a learner marked to come back to, each with a note where they wrote one."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, select

from app.course.content.model import Section
from app.records.accounts import learners
from app.records.accounts.values import Caller, KnownLearner
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import (
    PreparedStatement,
    RowQuery,
    columns_of,
    prepared_insert,
    prepared_update,
)
from app.records.learning.tables import Bookmark

LONGEST_NOTE = 100
"""Characters of a note."""
MOST_BOOKMARKS = 200
"""Bookmarks of one learner."""
NO_ROOM_SENTENCE = f"书签夹满了{MOST_BOOKMARKS}张。先到书签页取下几张用不着的，再回来夹这张。"
CHANGED_ELSEWHERE_SENTENCE = (
    "这张便条刚才在别处改过：上面是现在记着的，下面是你写的。要照你的，再夹一次；要把两边合起来，就在下面改。"
)

BOOKMARK_TABLE = table(Bookmark)
BOOKMARK = BOOKMARK_TABLE.c
IS_BOOKMARK_OF_LEARNER = BOOKMARK.learner_id == bindparam("learner")
IS_BOOKMARK_WITH_ID = IS_BOOKMARK_OF_LEARNER & (BOOKMARK.id == bindparam("bookmark"))


class BookmarkedPlace(NamedTuple):
    """What a bookmark is put at: a step (`ref` of its stage), or an example (`ref`, no section, no step)."""

    source: str
    ref: str
    section_id: str = ""
    step_id: str = ""


class BookmarkRow(NamedTuple):
    id: int
    source: str
    ref: str
    section_id: str
    step_id: str
    note: str
    created_at: datetime

    @property
    def place(self) -> BookmarkedPlace:
        return BookmarkedPlace(self.source, self.ref, self.section_id, self.step_id)


class BookmarksData(NamedTuple):
    """The bookmarks of a visitor, the newest first; None and none for a stranger."""

    learner_id: int | None
    bookmarks: tuple[BookmarkRow, ...] = ()


class SavedBookmark(NamedTuple):
    id: int
    token: str


def present_place(section: Section | None, bookmarked_place: BookmarkedPlace) -> BookmarkedPlace:
    """The same place under the id that its step has now; as it was where the step is gone from the course."""
    if section is None:
        return bookmarked_place
    step_number = section.step_number_of(bookmarked_place.step_id)
    if step_number is None:
        return bookmarked_place
    step_id = section.steps[step_number - 1].id
    return bookmarked_place._replace(step_id=step_id)


BOOKMARK_COLUMNS = columns_of(Bookmark, BookmarkRow)
BOOKMARKS_QUERY = select(*BOOKMARK_COLUMNS).where(IS_BOOKMARK_OF_LEARNER)
BOOKMARKS_NEWEST_FIRST = RowQuery(BookmarkRow, BOOKMARKS_QUERY.order_by(BOOKMARK.id.desc()))


def load_bookmarks(session: VerbSession, caller: Caller) -> BookmarksData:
    """All bookmarks of who is here."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return BookmarksData(None)
    bookmarks = bookmarks_of_learner(session, learner_id)
    return BookmarksData(learner_id, bookmarks)


def bookmarks_of_learner(session: VerbSession, learner_id: int) -> tuple[BookmarkRow, ...]:
    return tuple(session.all(BOOKMARKS_NEWEST_FIRST, learner=learner_id))


BOOKMARKS_AT_REF = BOOKMARKS_QUERY.where(
    BOOKMARK.source == bindparam("source"), BOOKMARK.ref == bindparam("ref")
)
BOOKMARKS_IN_SECTION = RowQuery(
    BookmarkRow, BOOKMARKS_AT_REF.where(BOOKMARK.section_id == bindparam("section"))
)


def bookmark_at_place(
    session: VerbSession, learner_id: int, bookmarked_place: BookmarkedPlace, former_step_ids: Collection[str]
) -> BookmarkRow | None:
    """The bookmark at a place, also one that was put at a step of which the present one has taken over the
    id (`former_step_ids`)."""
    place_parameters = {
        "source": bookmarked_place.source,
        "ref": bookmarked_place.ref,
        "section": bookmarked_place.section_id,
    }
    for bookmark in session.all(BOOKMARKS_IN_SECTION, learner=learner_id, **place_parameters):
        if bookmark.step_id == bookmarked_place.step_id or bookmark.step_id in former_step_ids:
            return bookmark
    return None


def load_bookmark(
    session: VerbSession,
    caller: Caller,
    bookmarked_place: BookmarkedPlace,
    former_step_ids: Collection[str] = (),
) -> BookmarksData:
    """The bookmark of who is here at one place; none where there is none yet."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return BookmarksData(None)
    bookmark = bookmark_at_place(session, learner_id, bookmarked_place, former_step_ids)
    if bookmark is None:
        return BookmarksData(learner_id)
    return BookmarksData(learner_id, (bookmark,))


ADD_BOOKMARK = prepared_insert(Bookmark)
CHANGE_NOTE = prepared_update(Bookmark, IS_BOOKMARK_WITH_ID, ["note"])
BOOKMARK_COUNT = PreparedStatement(select(func.count()).where(IS_BOOKMARK_OF_LEARNER))


def put_bookmark(
    session: VerbSession,
    caller: Caller,
    bookmarked_place: BookmarkedPlace,
    bookmark_note: str,
    now: datetime,
    former_step_ids: Collection[str] = (),
    seen_note: str | None = None,
) -> SavedBookmark:
    """Put a bookmark at a place; where there is one already, it gets this note. Refused beyond
    `MOST_BOOKMARKS`.

    `seen_note`: with which the form was opened, None where nobody knows. Refused where another one has been
    kept since.
    """
    known_learner = learners.find_or_add_learner(session, caller, now)
    learner_id = known_learner.learner_id
    bookmark = bookmark_at_place(session, learner_id, bookmarked_place, former_step_ids)
    if bookmark is not None:
        if seen_note is not None and bookmark.note not in (seen_note, bookmark_note):
            raise Refused(CHANGED_ELSEWHERE_SENTENCE)
        session.run(CHANGE_NOTE, learner=learner_id, bookmark=bookmark.id, note=bookmark_note)
        return SavedBookmark(bookmark.id, known_learner.token)
    [(bookmark_count,)] = session.all(BOOKMARK_COUNT, learner=learner_id)
    if bookmark_count >= MOST_BOOKMARKS:
        raise Refused(NO_ROOM_SENTENCE)
    place_columns = bookmarked_place._asdict()
    [(bookmark_id,)] = session.all(
        ADD_BOOKMARK, learner_id=learner_id, note=bookmark_note, created_at=now, **place_columns
    )
    return SavedBookmark(bookmark_id, known_learner.token)


BOOKMARK_WITH_ID = RowQuery(BookmarkRow, select(*BOOKMARK_COLUMNS).where(IS_BOOKMARK_WITH_ID))
REMOVE_BOOKMARK = PreparedStatement(delete(BOOKMARK_TABLE).where(IS_BOOKMARK_WITH_ID))


def remove_bookmark(session: VerbSession, caller: Caller, bookmark_id: int, now: datetime) -> KnownLearner:
    """Take a bookmark off. NotFound for one that is not there, and for another learner's."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    bookmark_parameters = {"learner": known_learner.learner_id, "bookmark": bookmark_id}
    if session.first(BOOKMARK_WITH_ID, **bookmark_parameters) is None:
        raise NotFound("没有这张书签，也许已经取下了。")
    session.run(REMOVE_BOOKMARK, **bookmark_parameters)
    return known_learner
