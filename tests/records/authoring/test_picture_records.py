"""Pictures of teachers: how much each may have, and when nothing names one any more."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest

from app.course.text import markdown
from app.records.accounts.values import Caller
from app.records.assignments import drafts, lifecycle, parts
from app.records.assignments.values import AssignmentKey, NewPart
from app.records.authoring import own_courses, picture_files, pictures
from app.records.authoring.pictures import NewPicture
from app.records.classes import classrooms
from app.records.db.errors import NotFound, Refused
from app.records.learning import responding
from app.records.people import my_data
from tests.records.assigned import account
from tests.records.cast import LESSON, NOW, Desk, SmallCourse, answer

WANG, LI = Caller("wang"), Caller("li")
NAME, OTHER = f"{'a' * 32}-64x48", f"{'b' * 32}-64x48"
TEXT = f"title: 图\nitems:\n  q: {{stem: '![线](picture:{NAME})', answer: true}}\n"
LONG_AGO = NOW - timedelta(days=8)


@pytest.fixture
def desk_of_two(desk: Desk) -> Desk:
    account(desk, "王", "wang", teacher=True)
    account(desk, "李", "li", teacher=True)
    return desk


def send(desk: Desk, teacher: Caller, name: str, size: int = 100) -> None:
    desk.write(pictures.add_pictures, teacher, [NewPicture(name, size)], NOW)


def names(desk: Desk, teacher: Caller) -> list[str]:
    return [row.name for row in desk.read(pictures.load_pictures, teacher)]


def test_a_teacher_has_so_many_megabytes(desk_of_two: Desk) -> None:
    most = pictures.MOST_PICTURE_MEGABYTES * pictures.MEGABYTE
    send(desk_of_two, WANG, NAME, most - 100)
    send(desk_of_two, WANG, NAME, most - 100)
    with pytest.raises(Refused, match="最多20MB"):
        desk_of_two.write(pictures.add_pictures, WANG, [NewPicture(OTHER, 50), NewPicture("c", 51)], NOW)
    assert names(desk_of_two, WANG) == [NAME], "none of those that were sent together"
    send(desk_of_two, WANG, OTHER, 100)
    send(desk_of_two, LI, NAME)
    assert names(desk_of_two, LI) == [NAME]


def test_only_teachers_have_pictures(desk_of_two: Desk) -> None:
    account(desk_of_two, "小糖", "tang")
    for verb in (pictures.load_pictures, pictures.naming_key):
        with pytest.raises(NotFound):
            desk_of_two.read(verb, Caller("tang"))
    with pytest.raises(NotFound):
        send(desk_of_two, Caller("tang"), NAME)


def test_a_picture_stays_while_a_text_names_it(desk_of_two: Desk) -> None:
    send(desk_of_two, WANG, NAME)
    send(desk_of_two, WANG, OTHER)
    own = desk_of_two.write(own_courses.create_content, LI, "抄来的", TEXT, NOW)
    assert desk_of_two.write(pictures.forget_own_unused_pictures, WANG, {OTHER}) == set(), "just sent"
    assert desk_of_two.write(pictures.forget_own_unused_pictures, WANG, set()) == {OTHER}
    assert names(desk_of_two, WANG) == [NAME], "a colleague has copied the text"
    desk_of_two.write(own_courses.delete_content, LI, own, NOW)
    assert desk_of_two.write(pictures.forget_unused_pictures, {NAME, OTHER}) == {NAME, OTHER}
    assert names(desk_of_two, WANG) == []


def test_a_picture_stays_while_its_text_may_come_back(desk_of_two: Desk) -> None:
    """李 asks it in an assignment that is closed; opened again, it shows what 王 deleted meanwhile."""
    own = desk_of_two.write(own_courses.create_content, WANG, "图", TEXT, NOW)
    classroom = desk_of_two.write(classrooms.create_class, LI, "高一3班", NOW)
    key = AssignmentKey(classroom, desk_of_two.write(drafts.create_draft, LI, classroom, "第一周", NOW))
    question = NewPart("item", f"own-{own}:q")
    desk_of_two.write(parts.add_parts, LI, key, [question], NOW)
    desk_of_two.write(lifecycle.publish_assignment, LI, key, NOW)
    desk_of_two.write(lifecycle.close, LI, key, NOW)
    desk_of_two.write(own_courses.delete_content, WANG, own, NOW)
    assert desk_of_two.read(pictures.unused_picture_names, {NAME, OTHER}) == {OTHER}
    desk_of_two.write(lifecycle.reopen, LI, key, NOW)
    assert desk_of_two.read(own_courses.load_text_by_own_content_id, (own,)) == {own: TEXT}


def test_a_picture_stays_however_a_text_names_it(desk_of_two: Desk) -> None:
    stem = f"![线][1]\n\n[1]: picture:{NAME}"
    assert "<img" in markdown.render(stem)
    desk_of_two.write(own_courses.create_content, LI, "图", f"items: {{q: {{stem: {stem!r}}}}}", NOW)
    assert desk_of_two.read(pictures.unused_picture_names, {NAME, OTHER}) == {OTHER}


def test_a_picture_stays_while_an_answer_to_its_item_is_kept(desk_of_two: Desk) -> None:
    course = SmallCourse(f'{{"stem": "![线](picture:{NAME})"}}')
    assert desk_of_two.read(pictures.unused_picture_names, {NAME, OTHER}) == {NAME, OTHER}
    desk_of_two.write(responding.respond, LI, LESSON, answer("4.26"), course, NOW)
    assert desk_of_two.read(pictures.unused_picture_names, {NAME, OTHER}) == {OTHER}
    desk_of_two.write(my_data.delete_me, LI, "hash of 李", NOW)
    assert desk_of_two.read(pictures.unused_picture_names, {NAME, OTHER}) == {NAME, OTHER}, (
        "the answer is gone"
    )


def test_with_the_teacher_go_the_rows(desk_of_two: Desk) -> None:
    send(desk_of_two, WANG, NAME)
    assert [line["name"] for line in desk_of_two.read(my_data.load_my_data, WANG, NOW)["picture"]] == [NAME]
    desk_of_two.write(my_data.delete_me, WANG, "hash of 王", NOW)
    assert desk_of_two.read(pictures.all_picture_names) == set()


def test_files_wait_a_week_and_are_copied_once(tmp_path: Path) -> None:
    site, backups = (
        picture_files.picture_folder_in(tmp_path / "data"),
        picture_files.picture_folder_in(tmp_path / "backups"),
    )
    for name in (NAME, OTHER):
        picture_files.keep_picture(site, name, b"points")
    os.utime(picture_files.picture_path(site, NAME), (LONG_AGO.timestamp(),) * 2)
    os.utime(picture_files.picture_path(site, OTHER), (NOW.timestamp(),) * 2)
    assert picture_files.picture_names_sent_before(site, NOW - picture_files.KEPT_UNUSED_FOR) == {NAME}
    assert (
        picture_files.copy_missing_pictures(site, backups),
        picture_files.copy_missing_pictures(site, backups),
    ) == (2, 0)
    picture_files.remove_pictures_sent_before(site, [NAME, OTHER], NOW - picture_files.KEPT_UNUSED_FOR)
    assert set(picture_files.kept_picture_names(site)) == {OTHER}
    assert picture_files.copy_missing_pictures(backups, site) == 1
    assert picture_files.picture_path(site, NAME).read_bytes() == b"points"
    picture_files.keep_picture(site, NAME, b"points")
    assert set(picture_files.kept_picture_names(site)) == {NAME, OTHER}
    picture_files.remove_pictures_sent_before(site, [NAME], NOW - picture_files.KEPT_UNUSED_FOR)
    assert set(picture_files.kept_picture_names(site)) == {NAME, OTHER}, "it was sent again meanwhile"
    assert list(site.rglob("*.unfinished")) == []


def test_a_picture_that_goes_meanwhile_stops_no_copy(tmp_path: Path) -> None:
    """It was listed and is gone when it is read, as this link that leads nowhere."""
    site, backups = tmp_path / "data", tmp_path / "backups"
    picture_files.keep_picture(site, OTHER, b"points")
    gone_picture = picture_files.picture_path(site, NAME)
    gone_picture.parent.mkdir()
    gone_picture.symlink_to(tmp_path / "nowhere")
    assert picture_files.copy_missing_pictures(site, backups) == 1
    assert set(picture_files.kept_picture_names(backups)) == {OTHER}


def test_a_picture_that_a_colleague_sends_meanwhile_stays(tmp_path: Path) -> None:
    """Its file lies there before its row does: who gives it up in between takes nobody's file."""
    picture_files.keep_picture(tmp_path, NAME, b"points")
    picture_files.keep_picture(tmp_path, OTHER, b"points")
    two_hours_ago = (NOW - timedelta(hours=2)).timestamp()
    os.utime(picture_files.picture_path(tmp_path, OTHER), (two_hours_ago, two_hours_ago))
    an_hour_ago = NOW - picture_files.TIME_FOR_OPEN_TEXT
    picture_files.remove_pictures_sent_before(tmp_path, {NAME, OTHER}, an_hour_ago)
    assert set(picture_files.kept_picture_names(tmp_path)) == {NAME}


def test_one_picture_sent_twice_at_once_is_kept_once(tmp_path: Path) -> None:
    picture_names = [f"{number:032x}-64x48" for number in range(200)]
    start = Barrier(2)

    def keep_all() -> None:
        start.wait()
        for picture_name in picture_names:
            picture_files.keep_picture(tmp_path, picture_name, b"points")

    with ThreadPoolExecutor(2) as threads:
        for sending in [threads.submit(keep_all) for _ in range(2)]:
            sending.result()
    assert set(picture_files.kept_picture_names(tmp_path)) == set(picture_names)
    assert list(tmp_path.rglob("*.unfinished")) == []


def test_what_a_killed_process_left_behind_goes_after_a_week(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    picture_files.keep_picture(folder, NAME, b"points")
    old_file = folder / NAME[:2] / f"{NAME}.webp.7{picture_files.UNFINISHED_ENDING}"
    new_file = old_file.with_name(f"{OTHER}.webp.8{picture_files.UNFINISHED_ENDING}")
    for file in (old_file, new_file):
        file.write_bytes(b"po")
    week_ago = (NOW - picture_files.KEPT_UNUSED_FOR - timedelta(minutes=1)).timestamp()
    os.utime(old_file, (week_ago, week_ago))
    picture_files.remove_unfinished_files(folder, NOW)
    assert (old_file.exists(), new_file.exists()) == (False, True)
    assert list(picture_files.kept_picture_names(folder)) == [NAME]
