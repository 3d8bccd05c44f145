"""A teacher who presses a button twice, or goes back and presses it again, has made one thing."""

from datetime import timedelta
from typing import Any

import pytest

from app.records.assignments import drafts, lifecycle, lookup
from app.records.assignments import parts as parts_verbs
from app.records.assignments.values import NewPart
from app.records.authoring import own_courses
from app.records.classes import classrooms
from app.records.insight import pre_post
from tests.records.assigned import COLLEAGUE, DAY, DCG, PRACTICE, TEACHER, Class
from tests.records.cast import NOW

SOON = timedelta(seconds=20)


def create(room: Class, title: str = "第一周", later: timedelta = SOON) -> int:
    return room.desk.write(drafts.create_draft, TEACHER, room.classroom, title, NOW + later)


def copy(room: Class, assignment_id: int, to: int, later: timedelta = SOON) -> int:
    return room.desk.write(drafts.copy_as_draft, TEACHER, room.key(assignment_id), to, NOW + later)


def create_post_test_draft(room: Class, pre: int, later: timedelta = SOON) -> int:
    return room.desk.write(pre_post.create_post_test_draft, TEACHER, room.key(pre), NOW + later)


def put_in(room: Class, assignment_id: int, *parts: NewPart, seen_revision: int | None = None) -> bool:
    where = (TEACHER, room.key(assignment_id))
    return room.desk.write(parts_verbs.add_parts, *where, list(parts), room.now, seen_revision)


def refs(room: Class, assignment_id: int) -> list[str]:
    return [part.ref for part in room.desk.read(lookup.parts_of, assignment_id)]


def lines(room: Class) -> list[Any]:
    return room.desk.rows("SELECT action FROM audit")


def test_a_draft_that_nobody_has_touched_is_not_made_again(room: Class) -> None:
    new_id = create(room)
    assert create(room, " 第一周 ") == new_id
    assert create(room, "第二周") != new_id
    assert create(room, later=DAY) != new_id


def test_a_draft_that_was_worked_on_is_no_twin(room: Class) -> None:
    filled, noted, published = create(room), create(room, "有说明"), create(room, "发布了")
    put_in(room, filled, DCG)
    room.set_up(noted, note="带尺子")
    put_in(room, published, DCG)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(published), NOW)
    again = create(room), create(room, "有说明"), create(room, "发布了")
    assert not {filled, noted, published} & {*again}


def test_a_copy_is_made_once(room: Class) -> None:
    assignment_id = room.assign(DCG, PRACTICE, note="带尺子")
    other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    copy_id, same_copy = copy(room, assignment_id, other_class), copy(room, assignment_id, room.classroom)
    solution = lines(room)
    assert (copy(room, assignment_id, other_class), copy(room, assignment_id, room.classroom)) == (
        copy_id,
        same_copy,
    )
    assert lines(room) == solution, "the second click is nothing to tell of"
    assert len({assignment_id, copy_id, same_copy}) == 3
    assert copy(room, assignment_id, other_class, DAY) != copy_id


def test_a_copy_is_never_what_it_was_copied_from(room: Class) -> None:
    draft = room.assign(publish=False)
    copy_id = copy(room, draft, room.classroom)
    last = copy(room, copy_id, room.classroom)
    assert len({draft, copy_id, last}) == 3


def test_a_copy_that_was_changed_is_no_twin(room: Class) -> None:
    assignment_id = room.assign()
    copy_id = copy(room, assignment_id, room.classroom)
    put_in(room, copy_id, PRACTICE)
    assert copy(room, assignment_id, room.classroom) != copy_id


def test_the_copy_of_a_pretest_is_made_once(room: Class) -> None:
    assignment_id = room.assign()
    create_post_test_draft(room, assignment_id)
    copy_id = copy(room, assignment_id, room.classroom)
    assert copy(room, assignment_id, room.classroom) == copy_id
    assert (room.row(copy_id).form, room.row(copy_id).pair) == ("pre", copy_id)


def test_a_pretest_has_one_posttest_that_is_not_published(room: Class) -> None:
    pre = room.assign()
    draft_id = create_post_test_draft(room, pre)
    solution = lines(room)
    assert create_post_test_draft(room, pre) == create_post_test_draft(room, pre, DAY) == draft_id
    assert lines(room) == solution
    _, [pair] = room.desk.read(pre_post.load_class_and_pre_post, TEACHER, room.classroom)
    assert pair.post_test
    assert (pair.pre_test.id, pair.post_test.id) == (pre, draft_id)
    room.desk.write(pre_post.remove_draft, TEACHER, room.key(draft_id), NOW)
    assert room.row(create_post_test_draft(room, pre)).pair == pre


def test_the_posttest_of_a_pair_of_drafts_is_there_already(room: Class) -> None:
    exercises = [("content:dcg", 2, 2)]
    pre = room.desk.write(pre_post.create_pair_drafts, TEACHER, room.classroom, "定义", exercises, NOW)
    assert room.row(create_post_test_draft(room, pre)).title == "后测：定义"


def test_the_same_addition_to_what_was_seen_is_made_once(room: Class) -> None:
    assignment_id = create(room)
    assert put_in(room, assignment_id, DCG, DCG, PRACTICE, seen_revision=0)
    assert not put_in(room, assignment_id, DCG, DCG, PRACTICE, seen_revision=0)
    assert refs(room, assignment_id) == [DCG.ref, DCG.ref, PRACTICE.ref], "twice in one form is wished for"


def test_who_sees_a_part_may_put_it_in_again(room: Class) -> None:
    assignment_id = create(room)
    put_in(room, assignment_id, DCG, seen_revision=0)
    [first] = room.desk.read(lookup.parts_of, assignment_id)
    assert put_in(room, assignment_id, DCG, seen_revision=first.id)
    assert put_in(room, assignment_id, DCG), "a form that does not say what it saw"
    assert refs(room, assignment_id) == [DCG.ref] * 3


def test_another_addition_to_what_was_seen_is_put_in(room: Class) -> None:
    assignment_id = create(room)
    put_in(room, assignment_id, DCG, seen_revision=0)
    assert put_in(room, assignment_id, NewPart("item", DCG.ref, points=2.0), seen_revision=0), "worth more"
    assert not put_in(room, assignment_id, DCG, PRACTICE, seen_revision=0)
    assert refs(room, assignment_id) == [DCG.ref, DCG.ref, PRACTICE.ref]


def test_what_was_taken_out_may_come_again(room: Class) -> None:
    assignment_id = create(room)
    put_in(room, assignment_id, PRACTICE, DCG, seen_revision=0)
    part_id = room.desk.read(lookup.parts_of, assignment_id)[-1].id
    room.desk.write(parts_verbs.remove_part, TEACHER, room.key(assignment_id), part_id, {}, NOW)
    assert put_in(room, assignment_id, DCG, seen_revision=0)


def test_own_content_is_kept_once(room: Class) -> None:
    def keep(text: str, later: timedelta = SOON) -> int:
        return room.desk.write(own_courses.create_content, TEACHER, "甜", text, NOW + later)

    new_text = keep("title: 甜\n")
    assert keep("title: 甜\n") == new_text
    assert keep("title: 甜\nsections: {}\n") != new_text
    assert keep("title: 甜\n", DAY) != new_text
    colleague = room.desk.write(own_courses.create_content, COLLEAGUE, "甜", "title: 甜\n", NOW)
    assert colleague != new_text


def test_own_content_that_is_shared_or_gone_is_no_twin(room: Class) -> None:
    def keep() -> int:
        return room.desk.write(own_courses.create_content, TEACHER, "甜", "title: 甜\n", NOW)

    shared = keep()
    room.desk.write(own_courses.share_content, TEACHER, shared)
    content_id = keep()
    room.desk.write(own_courses.delete_content, TEACHER, content_id, NOW)
    assert len({shared, content_id, keep()}) == 3


def test_own_content_is_copied_once(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    own = room.desk.write(own_courses.create_content, TEACHER, "甜", "title: 甜\n", NOW)
    copy_id = room.desk.write(own_courses.copy_content, TEACHER, own, "", NOW)
    assert copy_id != own
    monkeypatch.setattr(own_courses, "MOST_OWN_CONTENTS", 2)
    assert room.desk.write(own_courses.copy_content, TEACHER, own, "", NOW) == copy_id, (
        "also where there is no more room"
    )
