"""A guest's bookmarks move into an account; two at one place become one, with both notes."""

from sqlalchemy import and_

from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning import bookmarks
from app.records.learning.bookmarks import BOOKMARK, BookmarkedPlace, BookmarkRow, present_place
from app.records.learning.tables import Bookmark
from app.records.learning.values import ItemMarkerWithSections
from app.records.people.bulk_changes import change_rows, remove_rows

BOOKMARK_TABLE = table(Bookmark)


def merge_bookmarks(
    session: VerbSession, guest_id: int, account_id: int, course: ItemMarkerWithSections
) -> None:
    """All bookmarks of the guest, also beyond the most that one may put."""
    account_bookmarks_by_place: dict[BookmarkedPlace, BookmarkRow] = {}
    for bookmark in bookmarks.bookmarks_of_learner(session, account_id):
        account_bookmarks_by_place[place_of(bookmark, course)] = bookmark
    for bookmark in bookmarks.bookmarks_of_learner(session, guest_id):
        is_bookmark = BOOKMARK.id == bookmark.id
        account_bookmark = account_bookmarks_by_place.get(place_of(bookmark, course))
        if account_bookmark is None:
            change_rows(session, BOOKMARK_TABLE, is_bookmark, learner_id=account_id)
        else:
            note = joined_notes(account_bookmark.note, bookmark.note)
            change_rows(session, BOOKMARK_TABLE, BOOKMARK.id == account_bookmark.id, note=note)
            remove_rows(session, BOOKMARK_TABLE, and_(is_bookmark, BOOKMARK.learner_id == guest_id))


def place_of(bookmark: BookmarkRow, course: ItemMarkerWithSections) -> BookmarkedPlace:
    """Where a bookmark lies in the course of today."""
    if not bookmark.section_id:
        return bookmark.place
    section = course.section_of(bookmark.ref, bookmark.section_id)
    return present_place(section, bookmark.place)


def joined_notes(*notes: str) -> str:
    """Both notes, the account's first; one where they say the same, or one says nothing.

    >>> joined_notes("除数是4.76", "要背"), joined_notes("要背", "要背"), joined_notes("", "要背")
    ('除数是4.76；要背', '要背', '要背')
    """
    different_notes = dict.fromkeys(filter(None, notes))
    return "；".join(different_notes)
