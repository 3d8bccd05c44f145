"""An assignment through its life: published, extended, postponed, closed, opened again; what its log says."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.records.assignments import drafts, lifecycle, lookup
from app.records.assignments import parts as parts_verbs
from app.records.assignments.values import (
    AssignmentKey,
    AssignmentSettings,
    Audience,
)
from app.records.classes import classrooms
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.grading import mark_overrides
from app.records.grading.values import CellKey
from app.records.insight import pre_post
from tests.records.assigned import COLLEAGUE, DAY, DCG, HOUR, TANG, TEACHER, XU, Class
from tests.records.cast import NOW


@pytest.mark.usefixtures("xu")
def test_an_extension_is_for_one_and_its_latest_word_counts(room: Class, tang: Student) -> None:
    assignment_id, due = room.assign(due_at=NOW + HOUR), NOW + DAY
    room.extend(assignment_id, tang, due)
    room.now += 2 * HOUR
    room.begin(TANG, assignment_id)
    with pytest.raises(Refused, match="已经截止"):
        room.begin(XU, assignment_id)
    room.extend(assignment_id, tang, None)
    with pytest.raises(Refused, match="已经截止"):
        room.hand_in(TANG, assignment_id)
    room.extend(assignment_id, tang, due)
    assert room.hand_in(TANG, assignment_id).late_factor == 1.0
    assert [action for (action,) in room.desk.rows("SELECT action FROM audit ORDER BY id")][1:] == [
        "extension"
    ] * 3


def test_only_an_extension_that_there_is_is_taken_back(room: Class, tang: Student, xu: Student) -> None:
    """And the log says of each extension what held before it."""
    due = NOW + DAY
    assignment_id = room.assign(due_at=due)
    with pytest.raises(Refused, match="都没有延期，没有可以收回的"):
        room.extend(assignment_id, tang, None)
    assert room.desk.rows("SELECT count(*) FROM extension") == [(0,)]
    room.extend(assignment_id, tang, due + DAY)
    both = [tang.id, xu.id]
    room.desk.write(lifecycle.extend_due_times, TEACHER, room.key(assignment_id), both, None, "", room.now)
    room.extend(assignment_id, tang, due + 2 * DAY)
    room.extend(assignment_id, tang, due + 3 * DAY)
    logged = room.desk.rows("SELECT enrolment_id, detail FROM audit WHERE action = 'extension' ORDER BY id")
    times = [tuple(map(day_after(due), json.loads(detail)["due_at"])) for _, detail in logged]
    assert times == [(0, 1), (1, None), (0, 2), (2, 3)]
    assert {place for place, _ in logged} == {tang.id}, "小序 had none"


def day_after(due: datetime) -> Callable[[str | None], int | None]:
    return lambda text: (datetime.fromisoformat(text) - due).days if text else None


@pytest.mark.usefixtures("tang")
def test_a_due_time_that_is_past_is_not_published(room: Class) -> None:
    """Late work that is still taken is worth publishing; what is published may be ended by its due time."""
    for wishes in ({"due_at": NOW - DAY}, {"due_at": NOW - 2 * DAY, "late_until": NOW - DAY}):
        assignment_id = room.assign(publish=False, **wishes)
        with pytest.raises(Refused, match="截止时间已经过去"):
            room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(assignment_id), NOW)
        assert room.row(assignment_id).published_at is None
    assignment_id = room.assign(due_at=NOW - DAY, late_until=NOW + DAY)
    assert room.begin(TANG, assignment_id) == 1
    room.set_up(assignment_id, late_until=None)
    assert room.row(assignment_id).due_at == NOW - DAY


def test_an_extension_ends_later_than_the_due_time_for_all(room: Class, tang: Student) -> None:
    assignment_id = room.assign(due_at=NOW + DAY)
    for due_at in (NOW + DAY - HOUR, NOW + DAY):
        with pytest.raises(Refused, match=r"^延到的时间要比原来的截止时间晚。$"):
            room.extend(assignment_id, tang, due_at)
    room.extend(assignment_id, tang, NOW + DAY + HOUR)
    assert room.given(TANG, assignment_id).extension


def test_it_is_published_for_those_who_are_chosen_beside_the_button(room: Class, tang: Student) -> None:
    """In one go: where nobody is chosen, nothing is published."""
    assignment_id = room.assign(publish=False)
    arguments = (TEACHER, room.key(assignment_id), NOW)
    settings = AssignmentSettings(room.row(assignment_id).rules)
    with pytest.raises(Refused, match="一位同学也没选"):
        room.desk.write(
            lifecycle.publish_assignment, *arguments, settings._replace(audience=Audience(False, ()))
        )
    assert (room.row(assignment_id).published_at, room.row(assignment_id).everyone) == (None, True)
    room.desk.write(
        lifecycle.publish_assignment, *arguments, settings._replace(audience=Audience(False, (tang.id,)))
    )
    assert not room.row(assignment_id).everyone
    assert room.desk.read(lookup.assignee_ids_of, assignment_id) == {tang.id}
    assert room.desk.rows("SELECT action FROM audit") == [("publish",)]


@pytest.mark.usefixtures("xu")
def test_an_extension_after_the_closing_is_for_one(room: Class, tang: Student) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    room.close(assignment_id)
    with pytest.raises(Refused):
        room.save(TANG, assignment_id, 1, "4")
    room.now += HOUR
    room.extend(assignment_id, tang, room.now + DAY)
    room.save(TANG, assignment_id, 1, "4")
    with pytest.raises(Refused):
        room.begin(XU, assignment_id)
    assert room.collect(assignment_id) == 0
    assert room.hand_in(TANG, assignment_id).points == 1.0


@pytest.mark.usefixtures("xu")
def test_an_extension_that_still_runs_outlives_the_closing(room: Class, tang: Student) -> None:
    """Whether or not there is a due time for all; one that is given after it does, too."""
    for due in (None, NOW + HOUR):
        room.now = NOW
        assignment_id = room.assign(due_at=due)
        for caller in (TANG, XU):
            room.begin(caller, assignment_id)
        room.extend(assignment_id, tang, NOW + 3 * DAY)
        room.now = NOW + DAY
        assert room.collect(assignment_id) == 1, "that of 小序"
        room.save(TANG, assignment_id, 1, "4")
        assert room.hand_in(TANG, assignment_id).points == 1.0
        with pytest.raises(Refused, match="已经截止"):
            room.begin(XU, assignment_id)


def test_an_extension_that_is_over_is_collected(room: Class, tang: Student) -> None:
    assignment_id = room.assign(due_at=NOW + HOUR)
    room.begin(TANG, assignment_id)
    room.extend(assignment_id, tang, NOW + DAY)
    room.now += HOUR
    assert room.collect(assignment_id) == 0
    room.now += 2 * DAY
    assert room.collect(assignment_id) == 1


def test_of_two_due_times_the_later_one_holds(room: Class, tang: Student) -> None:
    assignment_id = room.assign(due_at=NOW + HOUR)
    room.extend(assignment_id, tang, NOW + DAY)
    room.postpone(assignment_id, NOW + 2 * DAY)
    room.now = NOW + DAY + HOUR
    room.begin(TANG, assignment_id)
    room.extend(assignment_id, tang, NOW + 3 * DAY)
    room.postpone(assignment_id, None)
    room.now = NOW + 4 * DAY
    assert room.hand_in(TANG, assignment_id).late_factor == 1.0


@pytest.mark.usefixtures("tang")
def test_another_due_time_opens_what_was_closed(room: Class) -> None:
    for due in (NOW + 2 * DAY, None):
        assignment_id = room.assign(due_at=NOW + HOUR)
        room.close(assignment_id)
        room.postpone(assignment_id, due)
        assert room.begin(TANG, assignment_id) == 1
        assert room.row(assignment_id).closed_at is None
    room.close(assignment_id)
    room.set_up(assignment_id, due_at=NOW + DAY)
    assert room.row(assignment_id).closed_at is None
    actions = [action for (action,) in room.desk.rows("SELECT action FROM audit ORDER BY id")]
    assert actions == [*["publish", "close", "reopen", "due"] * 2, "close", "reopen", "due"]


def test_what_was_published_by_mistake_is_a_draft_again(room: Class, tang: Student) -> None:
    assignment_id = room.assign()
    room.close(assignment_id)
    key = room.key(assignment_id)
    for _ in range(2):
        room.desk.write(lifecycle.take_back_publication, TEACHER, key, room.now)
        assert (room.row(assignment_id).published_at, room.row(assignment_id).closed_at) == (None, None)
    assert [action for (action,) in room.desk.rows("SELECT action FROM audit ORDER BY id")] == [
        *("publish", "close", "take-back")
    ]
    with pytest.raises(NotFound):
        room.begin(TANG, assignment_id)
    room.desk.write(lifecycle.publish_assignment, TEACHER, key, room.now)
    room.begin(TANG, assignment_id)
    with pytest.raises(Refused, match="已经有人开始做了"):
        room.desk.write(lifecycle.take_back_publication, TEACHER, key, room.now)
    on_paper = room.assign()
    cell_key = CellKey(room.classroom, on_paper, tang.id)
    room.desk.write(mark_overrides.override_mark, TEACHER, cell_key, "1", "在纸上做的", room.now)
    with pytest.raises(Refused, match="已经给过分"):
        room.desk.write(lifecycle.take_back_publication, TEACHER, room.key(on_paper), room.now)
    room.desk.write(mark_overrides.take_back_override, TEACHER, cell_key, room.now)
    room.desk.write(lifecycle.take_back_publication, TEACHER, room.key(on_paper), room.now)
    other_class = room.desk.write(classrooms.create_class, COLLEAGUE, "高二1班", room.now)
    with pytest.raises(NotFound):
        room.desk.write(pre_post.remove_draft, COLLEAGUE, AssignmentKey(other_class, on_paper), NOW)
    for _ in range(2):
        room.desk.write(pre_post.remove_draft, TEACHER, room.key(on_paper), NOW)
    with pytest.raises(NotFound):
        room.row(on_paper)


def test_a_time_that_is_past_is_refused(room: Class, tang: Student) -> None:
    assignment_id = room.assign()
    for due in (NOW - 30 * HOUR, NOW):
        with pytest.raises(Refused, match="已经过去"):
            room.extend(assignment_id, tang, due)
        with pytest.raises(Refused, match="已经过去"):
            room.postpone(assignment_id, due)
    assert room.begin(TANG, assignment_id) == 1


def test_what_nobody_touched_in_a_form_stays_as_it_was_set_meanwhile(room: Class) -> None:
    assignment_id = room.assign(due_at=NOW + DAY)
    former_rules = room.row(assignment_id).rules
    older_rules = former_rules._replace(note="写过程")
    room.set_up(
        assignment_id,
        title="第二周",
        passes=3,
        due_at=NOW + 2 * DAY,
        late_until=NOW + 3 * DAY,
        late_factor=0.5,
    )
    settings = AssignmentSettings(older_rules, former_rules=former_rules)
    room.desk.write(lifecycle.set_up_assignment, TEACHER, room.key(assignment_id), settings, room.now)
    rules = room.row(assignment_id).rules
    assert (rules.note, rules.due_at, rules.late_until) == ("写过程", NOW + 2 * DAY, NOW + 3 * DAY)
    assert (rules.late_factor, rules.title, rules.passes) == (0.5, "第二周", 3)
    settings = settings._replace(rules=older_rules._replace(due_at=NOW + 5 * DAY))
    room.desk.write(lifecycle.set_up_assignment, TEACHER, room.key(assignment_id), settings, room.now)
    assert room.row(assignment_id).due_at == NOW + 5 * DAY, "what was typed holds"


def test_of_an_older_form_only_what_was_touched_is_set(room: Class) -> None:
    """Each time for itself, and what late work costs beside them."""
    assignment_id = room.assign(due_at=NOW + 2 * DAY, late_until=NOW + 3 * DAY, late_factor=0.8)
    older_rules = room.row(assignment_id).rules
    room.set_up(assignment_id, due_at=NOW + 4 * DAY, late_until=NOW + 5 * DAY)
    typed_rules = older_rules._replace(opens_at=NOW + DAY, late_factor=0.5)
    settings = AssignmentSettings(typed_rules, former_rules=older_rules)
    room.desk.write(lifecycle.set_up_assignment, TEACHER, room.key(assignment_id), settings, room.now)
    rules = room.row(assignment_id).rules
    assert (rules.opens_at, rules.late_factor) == (NOW + DAY, 0.5)
    assert (rules.due_at, rules.late_until) == (NOW + 4 * DAY, NOW + 5 * DAY)


def test_the_log_says_all_that_another_due_time_moves(room: Class) -> None:
    """Late work is taken for as long after it; without a due time there is none."""
    due = NOW + DAY
    assignment_id = room.assign(due_at=due, late_until=due + HOUR)
    room.postpone(assignment_id, due + DAY)
    room.postpone(assignment_id, None)
    logged = room.desk.rows("SELECT detail FROM audit WHERE action = 'due' ORDER BY id")
    times = [due.isoformat(), (due + DAY).isoformat(), None]
    late_times = [(due + HOUR).isoformat(), (due + DAY + HOUR).isoformat(), None]
    assert [json.loads(detail) for (detail,) in logged] == [
        {"due_at": times[:2], "late_until": late_times[:2], "note": "停电"},
        {"due_at": times[1:], "late_until": late_times[1:], "note": "停电"},
    ]


@pytest.mark.usefixtures("tang")
def test_when_results_are_shown_moves_with_the_times(room: Class) -> None:
    due = NOW + HOUR
    assignment_id = room.assign(due_at=due, answers="due")
    room.begin(TANG, assignment_id)
    assert not room.work(TANG, assignment_id).is_shown(NOW + DAY)
    room.hand_in(TANG, assignment_id)
    assert not room.work(TANG, assignment_id).is_shown(due)
    assert room.work(TANG, assignment_id).is_shown(due + timedelta(minutes=1))
    room.postpone(assignment_id, due + DAY)
    assert not room.work(TANG, assignment_id).is_shown(due + HOUR)
    room.desk.write(lifecycle.close, TEACHER, room.key(assignment_id), NOW + 2 * HOUR)
    assert room.work(TANG, assignment_id).is_shown(NOW + 2 * HOUR)


def test_an_archived_class_is_only_looked_at(room: Class, tang: Student) -> None:
    assignment_id, other_assignment = room.assign(), room.assign(publish=False)
    room.desk.write(classrooms.archive_class, TEACHER, room.classroom, NOW)
    for refused in (
        lambda: room.desk.write(drafts.create_draft, TEACHER, room.classroom, "新的", NOW),
        lambda: room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(other_assignment), NOW),
        lambda: room.desk.write(lifecycle.close, TEACHER, room.key(assignment_id), NOW),
        lambda: room.desk.write(pre_post.remove_draft, TEACHER, room.key(other_assignment), NOW),
        lambda: room.desk.write(parts_verbs.add_parts, TEACHER, room.key(other_assignment), [DCG], NOW),
        lambda: room.desk.write(pre_post.create_post_test_draft, TEACHER, room.key(assignment_id), NOW),
        lambda: room.collect(assignment_id),
        lambda: room.extend(assignment_id, tang, NOW + DAY),
    ):
        with pytest.raises(Refused, match="已经归档"):
            refused()
    assert (
        room.desk.read(lookup.load_assignment_page, TEACHER, room.key(assignment_id)).assignment.id
        == assignment_id
    )
    with pytest.raises(NotFound):
        room.given(TANG, assignment_id)


@pytest.mark.usefixtures("tang")
def test_nobody_at_work_is_stopped_by_a_due_time_in_the_past(room: Class) -> None:
    """A slip of the keys, and 小糖 heard that it was over. It is ended by a button; and by a time
    while nobody is in the midst of it."""
    assignment_id = room.assign(due_at=NOW + DAY)
    room.begin(TANG, assignment_id)
    for wishes in ({"due_at": NOW - DAY}, {"due_at": NOW - 2 * DAY, "late_until": NOW - DAY}):
        with pytest.raises(Refused, match=r"^有同学正在做，这个截止时间已经过去了。") as refusal:
            room.set_up(assignment_id, **wishes)
        assert refusal.value.field == "due"
        assert room.row(assignment_id).due_at == NOW + DAY
    room.set_up(assignment_id, due_at=NOW - DAY, late_until=NOW + DAY)
    room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + 3 * DAY
    room.set_up(assignment_id, title="第二周")
    assert room.row(assignment_id).title == "第二周", "a time that has passed since may stay"
    room.set_up(assignment_id, due_at=None, late_until=None)
    room.hand_in(TANG, assignment_id)
    room.set_up(assignment_id, due_at=NOW)
    assert room.row(assignment_id).due_at == NOW


def test_what_late_work_counts_for_in_a_copy_stays_where_its_form_is_not_touched(room: Class) -> None:
    """Without times a copy takes no late work; with its own it does as the original."""
    late: dict[str, Any] = {"due_at": NOW + DAY, "late_until": NOW + 2 * DAY}
    original_id = room.assign(DCG, **late, late_factor=0.5)
    copy_id = room.desk.write(drafts.copy_as_draft, TEACHER, room.key(original_id), room.classroom, NOW)
    seen_rules = room.row(copy_id).rules._replace(late_factor=1.0)  # a form without late work says nothing
    settings = AssignmentSettings(seen_rules._replace(title="第二周"), former_rules=seen_rules)
    room.desk.write(lifecycle.set_up_assignment, TEACHER, room.key(copy_id), settings, NOW)
    assert room.row(copy_id).late_factor == 0.5
    for late_factor in (1.0, 0.8):
        typed_rules = seen_rules._replace(**late, late_factor=late_factor)
        settings = AssignmentSettings(typed_rules, former_rules=seen_rules)
        room.desk.write(lifecycle.set_up_assignment, TEACHER, room.key(copy_id), settings, NOW)
        assert room.row(copy_id).late_factor == late_factor, "as it was typed with the time"
        room.set_up(copy_id, due_at=None, late_until=None, late_factor=0.5)
