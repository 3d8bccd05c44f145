"""Bookmarks: put once at a place, noted, taken off, and never anybody else's; they outlive their step's id,
a merge, an export and a restore."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound, Refused
from app.records.db.sqlite.backup import backup
from app.records.db.sqlite.restore import restore
from app.records.learning import bookmarks
from app.records.learning.bookmarks import BookmarkedPlace, SavedBookmark
from app.records.people import my_data, signing_in
from tests.records.cast import (
    COURSE,
    EXAMPLE,
    NOW,
    STAGE,
    XIAOTANG,
    XIAOXU,
    Desk,
    SmallCourse,
    newcomer,
    section_of,
)

AT_B = BookmarkedPlace("lesson", STAGE, "why", "b")
AT_C = BookmarkedPlace("lesson", STAGE, "why", "c")
AT_EXAMPLE = BookmarkedPlace("example", EXAMPLE)
TANG, XU = Caller(XIAOTANG.proposed_token), Caller(XIAOXU.proposed_token)


def put_bookmark(
    desk: Desk,
    place: BookmarkedPlace,
    note: str = "",
    learner: Caller = XIAOTANG,
    former: tuple[str, ...] = (),
) -> SavedBookmark:
    return desk.write(bookmarks.put_bookmark, learner, place, note, NOW, former)


def notes(desk: Desk, learner: Caller = TANG) -> list[tuple[str, str]]:
    """Step and note of each bookmark, the newest first."""
    return [(row.step_id, row.note) for row in desk.read(bookmarks.load_bookmarks, learner).bookmarks]


def test_a_bookmark_is_put_once_and_noted_anew(desk: Desk) -> None:
    first = put_bookmark(desk, AT_B, "除数在这里")
    assert put_bookmark(desk, AT_B, "要背").id == first.id, "a double click, or another note"
    put_bookmark(desk, AT_EXAMPLE)
    put_bookmark(desk, AT_C)
    assert notes(desk) == [("c", ""), ("", ""), ("b", "要背")]
    assert desk.read(bookmarks.load_bookmarks, Caller()).bookmarks == ()
    assert desk.read(bookmarks.load_bookmark, TANG, AT_B).bookmarks[0].note == "要背"
    assert desk.read(bookmarks.load_bookmark, XU, AT_B).bookmarks == ()


def test_a_step_that_took_over_an_id_has_its_bookmark(desk: Desk) -> None:
    old = put_bookmark(desk, AT_B, "旧的那一步")
    assert put_bookmark(desk, AT_C, "新的", former=("b",)).id == old.id
    assert notes(desk) == [("b", "新的")]
    section = section_of("why", ("a", "c/b"))
    assert bookmarks.present_place(section, AT_B) == AT_C
    assert bookmarks.present_place(section_of("why", ("a",)), AT_B) == AT_B, "gone, and nobody took it over"
    assert bookmarks.present_place(None, AT_EXAMPLE) == AT_EXAMPLE


def test_only_so_many(desk: Desk) -> None:
    for number in range(bookmarks.MOST_BOOKMARKS):
        put_bookmark(desk, AT_B._replace(step_id=f"s{number}"))
    with pytest.raises(Refused, match="200张"):
        put_bookmark(desk, AT_EXAMPLE)
    put_bookmark(desk, AT_B._replace(step_id="s7"), "一张已经在的还能改")
    put_bookmark(desk, AT_EXAMPLE, learner=XIAOXU)
    assert desk.count("bookmark") == bookmarks.MOST_BOOKMARKS + 1


def test_taken_off_by_its_owner_alone(desk: Desk) -> None:
    bookmark = put_bookmark(desk, AT_B)
    put_bookmark(desk, AT_C, learner=XIAOXU)
    with pytest.raises(NotFound):
        desk.write(bookmarks.remove_bookmark, XU, bookmark.id, NOW)
    assert notes(desk) == [("b", "")]
    desk.write(bookmarks.remove_bookmark, TANG, bookmark.id, NOW)
    assert notes(desk) == []
    with pytest.raises(NotFound):
        desk.write(bookmarks.remove_bookmark, TANG, bookmark.id, NOW)
    assert notes(desk, XU) == [("c", "")]


@pytest.mark.parametrize(
    ("of_account", "of_guest", "joined"),
    [("要背", "要背", "要背"), ("除数", "要背", "除数；要背"), ("", "要背", "要背"), ("要背", "", "要背")],
)
def test_a_guest_brings_bookmarks_into_an_account(
    desk: Desk, of_account: str, of_guest: str, joined: str
) -> None:
    desk.write(
        accounts.create_account, Caller(), *newcomer("小糖", XIAOTANG.proposed_token or "", "$argon2$"), NOW
    )
    put_bookmark(desk, AT_C, of_account, TANG)
    put_bookmark(desk, AT_EXAMPLE, "我的", TANG)
    put_bookmark(desk, AT_B, of_guest, XIAOXU)
    put_bookmark(desk, AT_B._replace(step_id="f"), "客人的", XIAOXU)
    course = SmallCourse(sections=[section_of("why", ("a", "c/b", "f"))])
    later = NOW + timedelta(days=1)
    desk.write(signing_in.sign_in, XU, *newcomer("小糖", "home", "$argon2$"), course, later)
    assert notes(desk, Caller("home")) == [("f", "客人的"), ("", "我的"), ("c", joined)]
    assert desk.count("bookmark") == 3


def test_a_bookmark_without_a_section_of_today_moves_as_it_is(desk: Desk) -> None:
    desk.write(
        accounts.create_account, Caller(), *newcomer("小糖", XIAOTANG.proposed_token or "", "$argon2$"), NOW
    )
    put_bookmark(desk, AT_B, "要背", XIAOXU)
    desk.write(signing_in.sign_in, XU, *newcomer("小糖", "home", "$argon2$"), COURSE, NOW + timedelta(days=1))
    assert notes(desk, Caller("home")) == [("b", "要背")]


def test_bookmarks_are_taken_along_and_go_with_their_learner(desk: Desk) -> None:
    put_bookmark(desk, AT_B, "要背")
    put_bookmark(desk, AT_C, learner=XIAOXU)
    exported = desk.read(my_data.load_my_data, TANG, NOW)
    assert [(line["step_id"], line["note"]) for line in exported["bookmark"]] == [("b", "要背")]
    assert json.dumps(exported["bookmark"])
    desk.write(my_data.delete_me, TANG, None, NOW)
    assert desk.rows("SELECT step_id FROM bookmark") == [("c",)]


def test_a_backup_brings_bookmarks_back(file: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{file}"
    desk = Desk(file)
    put_bookmark(desk, AT_B, "要背")
    desk.close()
    copy = backup(url, None, tmp_path)
    desk = Desk(file)
    desk.write(bookmarks.remove_bookmark, TANG, 1, NOW)
    desk.close()
    restore(url, copy)
    desk = Desk(file)
    assert notes(desk) == [("b", "要背")]
    desk.close()
