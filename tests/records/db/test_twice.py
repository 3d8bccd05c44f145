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
    return room.desk.write(drafts.create, TEACHER, room.classroom, title, NOW + later)


def copy(room: Class, assignment_id: int, to: int, later: timedelta = SOON) -> int:
    return room.desk.write(drafts.copy, TEACHER, room.classroom, assignment_id, to, NOW + later)


def follow_up(room: Class, pre: int, later: timedelta = SOON) -> int:
    return room.desk.write(drafts.follow_up, TEACHER, room.classroom, pre, NOW + later)


def put_in(room: Class, assignment_id: int, *parts: NewPart, seen: int | None = None) -> bool:
    where = (TEACHER, room.classroom, assignment_id)
    return room.desk.write(parts_verbs.add_parts, *where, list(parts), room.now, seen)


def refs(room: Class, assignment_id: int) -> list[str]:
    return [one.ref for one in room.desk.read(lookup.parts_of, assignment_id)]


def lines(room: Class) -> list[Any]:
    return room.desk.rows("SELECT action FROM audit")


def test_a_draft_that_nobody_has_touched_is_not_made_again(room: Class) -> None:
    made = create(room)
    assert create(room, " 第一周 ") == made
    assert create(room, "第二周") != made
    assert create(room, later=DAY) != made


def test_a_draft_that_was_worked_on_is_no_twin(room: Class) -> None:
    filled, noted, published = create(room), create(room, "有说明"), create(room, "发布了")
    put_in(room, filled, DCG)
    room.set_up(noted, note="带尺子")
    put_in(room, published, DCG)
    room.desk.write(lifecycle.publish, TEACHER, room.classroom, published, NOW)
    again = create(room), create(room, "有说明"), create(room, "发布了")
    assert not {filled, noted, published} & {*again}


def test_a_copy_is_made_once(room: Class) -> None:
    assignment_id = room.assign(DCG, PRACTICE, note="带尺子")
    other = room.desk.write(classrooms.create, TEACHER, "高一4班", NOW)
    made, here = copy(room, assignment_id, other), copy(room, assignment_id, room.classroom)
    told = lines(room)
    assert (copy(room, assignment_id, other), copy(room, assignment_id, room.classroom)) == (made, here)
    assert lines(room) == told, "the second click is nothing to tell of"
    assert len({assignment_id, made, here}) == 3
    assert copy(room, assignment_id, other, DAY) != made


def test_a_copy_is_never_what_it_was_copied_from(room: Class) -> None:
    draft = room.assign(publish=False)
    made = copy(room, draft, room.classroom)
    last = copy(room, made, room.classroom)
    assert len({draft, made, last}) == 3


def test_a_copy_that_was_changed_is_no_twin(room: Class) -> None:
    assignment_id = room.assign()
    made = copy(room, assignment_id, room.classroom)
    put_in(room, made, PRACTICE)
    assert copy(room, assignment_id, room.classroom) != made


def test_the_copy_of_a_pretest_is_made_once(room: Class) -> None:
    assignment_id = room.assign()
    follow_up(room, assignment_id)
    made = copy(room, assignment_id, room.classroom)
    assert copy(room, assignment_id, room.classroom) == made
    assert (room.row(made).form, room.row(made).pair) == ("pre", made)


def test_a_pretest_has_one_posttest_that_is_not_published(room: Class) -> None:
    pre = room.assign()
    made = follow_up(room, pre)
    told = lines(room)
    assert follow_up(room, pre) == follow_up(room, pre, DAY) == made
    assert lines(room) == told
    _, [pair] = room.desk.read(pre_post.load_pre_post, TEACHER, room.classroom)
    assert pair.post
    assert (pair.pre.id, pair.post.id) == (pre, made)
    room.desk.write(drafts.remove, TEACHER, room.classroom, made)
    assert room.row(follow_up(room, pre)).pair == pre


def test_the_posttest_of_a_pair_of_drafts_is_there_already(room: Class) -> None:
    exercises = [("content:dcg", 2, 2)]
    pre = room.desk.write(pre_post.draft_pair, TEACHER, room.classroom, "定义", exercises, (1, 2), NOW)
    assert room.row(follow_up(room, pre)).title == "后测：定义"


def test_the_same_addition_to_what_was_seen_is_made_once(room: Class) -> None:
    assignment_id = create(room)
    assert put_in(room, assignment_id, DCG, DCG, PRACTICE, seen=0)
    assert not put_in(room, assignment_id, DCG, DCG, PRACTICE, seen=0)
    assert refs(room, assignment_id) == [DCG.ref, DCG.ref, PRACTICE.ref], "twice in one form is wished for"


def test_who_sees_a_part_may_put_it_in_again(room: Class) -> None:
    assignment_id = create(room)
    put_in(room, assignment_id, DCG, seen=0)
    [first] = room.desk.read(lookup.parts_of, assignment_id)
    assert put_in(room, assignment_id, DCG, seen=first.id)
    assert put_in(room, assignment_id, DCG), "a form that does not say what it saw"
    assert refs(room, assignment_id) == [DCG.ref] * 3


def test_another_addition_to_what_was_seen_is_put_in(room: Class) -> None:
    assignment_id = create(room)
    put_in(room, assignment_id, DCG, seen=0)
    assert put_in(room, assignment_id, NewPart("item", DCG.ref, points=2.0), seen=0), "worth more"
    assert not put_in(room, assignment_id, DCG, PRACTICE, seen=0)
    assert refs(room, assignment_id) == [DCG.ref, DCG.ref, PRACTICE.ref]


def test_what_was_taken_out_may_come_again(room: Class) -> None:
    assignment_id = create(room)
    put_in(room, assignment_id, PRACTICE, DCG, seen=0)
    gone = room.desk.read(lookup.parts_of, assignment_id)[-1].id
    room.desk.write(parts_verbs.remove_part, TEACHER, room.classroom, assignment_id, gone, {}, NOW)
    assert put_in(room, assignment_id, DCG, seen=0)


def test_own_content_is_kept_once(room: Class) -> None:
    def keep(text: str, later: timedelta = SOON) -> int:
        return room.desk.write(own_courses.create, TEACHER, "甜", text, NOW + later)

    made = keep("title: 甜\n")
    assert keep("title: 甜\n") == made
    assert keep("title: 甜\nsections: {}\n") != made
    assert keep("title: 甜\n", DAY) != made
    colleague = room.desk.write(own_courses.create, COLLEAGUE, "甜", "title: 甜\n", NOW)
    assert colleague != made


def test_own_content_that_is_shared_or_gone_is_no_twin(room: Class) -> None:
    def keep() -> int:
        return room.desk.write(own_courses.create, TEACHER, "甜", "title: 甜\n", NOW)

    shared = keep()
    room.desk.write(own_courses.share, TEACHER, shared)
    gone = keep()
    room.desk.write(own_courses.delete, TEACHER, gone, NOW)
    assert len({shared, gone, keep()}) == 3


def test_own_content_is_copied_once(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    own = room.desk.write(own_courses.create, TEACHER, "甜", "title: 甜\n", NOW)
    made = room.desk.write(own_courses.copy, TEACHER, own, "", NOW)
    assert made != own
    monkeypatch.setattr(own_courses, "MOST_OWN_CONTENTS", 2)
    assert room.desk.write(own_courses.copy, TEACHER, own, "", NOW) == made, (
        "also where there is no more room"
    )
