"""Drafts: which one a second click finds, what a 后测 takes from its 前测, and what is thrown away."""

from datetime import datetime, timedelta

import pytest

from app.records.assignments import drafts, lifecycle
from app.records.assignments.drafts import LAST_ASSIGNMENT_SEED
from app.records.classes import classrooms
from app.records.db.errors import NotFound
from app.records.insight import pre_post
from tests.records.assigned import DCG, TEACHER, Class
from tests.records.cast import NOW


def create(room: Class, classroom_id: int, now: datetime = NOW, seed: int | None = None) -> int:
    return room.desk.write(drafts.create_draft, TEACHER, classroom_id, "第一周", now, seed)


def post_test(room: Class, assignment_id: int) -> int:
    return room.desk.write(pre_post.create_post_test_draft, TEACHER, room.key(assignment_id), NOW)


def test_a_second_click_finds_the_draft_of_its_class_that_was_just_made(room: Class) -> None:
    """Not one that is older, nor one of another class."""
    other_class_id = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    elsewhere_id, draft_id = create(room, other_class_id), create(room, room.classroom)
    assert draft_id != elsewhere_id
    assert create(room, room.classroom, NOW + timedelta(seconds=119)) == draft_id
    assert create(room, room.classroom, NOW + timedelta(seconds=120)) != draft_id


def test_what_is_published_is_no_draft_that_a_second_click_finds(room: Class) -> None:
    copied = (TEACHER, room.key(room.assign(DCG)), room.classroom, NOW)
    copy_id = room.desk.write(drafts.copy_as_draft, *copied)
    assert room.desk.write(drafts.copy_as_draft, *copied) == copy_id
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(copy_id), NOW)
    assert room.desk.write(drafts.copy_as_draft, *copied) != copy_id


def test_a_post_test_that_is_not_published_is_found_again(room: Class) -> None:
    """Its 前测 may be a draft too, and others have their own."""
    pre_test_id, other_pre_test_id = room.assign(DCG, publish=False), room.assign(DCG)
    post_test_id = post_test(room, pre_test_id)
    other_post_test_id = post_test(room, other_pre_test_id)
    assert post_test(room, pre_test_id) == post_test_id
    assert len({pre_test_id, post_test_id, other_pre_test_id, other_post_test_id}) == 4
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(post_test_id), NOW)
    assert post_test(room, pre_test_id) not in (pre_test_id, post_test_id, other_post_test_id)


@pytest.mark.parametrize(("seed", "next_seed"), [(2_000_000_000, 2_000_000_001), (LAST_ASSIGNMENT_SEED, 1)])
def test_a_post_test_has_the_seed_after_that_of_its_pre_test(room: Class, seed: int, next_seed: int) -> None:
    pre_test_id = create(room, room.classroom, seed=seed)
    assert room.row(post_test(room, pre_test_id)).seed == next_seed


def test_a_draft_is_thrown_away_alone(room: Class) -> None:
    draft_id, neighbour_id = room.assign(DCG, publish=False), room.assign(DCG, publish=False)
    room.desk.write(pre_post.remove_draft, TEACHER, room.key(draft_id), NOW)
    assert room.row(neighbour_id).id == neighbour_id
    with pytest.raises(NotFound):
        room.row(draft_id)
