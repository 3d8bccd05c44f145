"""What becomes a 前测 by its 后测: it counts in 总评 as before, and without that 后测 it is none again."""

import json

import pytest

from app.records.assignments import lifecycle
from app.records.assignments.values import AssignmentSettings
from app.records.db.errors import Refused
from app.records.grading import gradebook
from app.records.grading.totals import total_rules
from app.records.grading.totals.weighted_marks import ColumnRule, TotalRules
from app.records.insight import pre_post
from tests.records.assigned import DAY, DCG, TANG, TEACHER, XU, Class
from tests.records.cast import NOW


def create_post_test_draft(room: Class, pre_test_id: int) -> int:
    return room.desk.write(pre_post.create_post_test_draft, TEACHER, room.key(pre_test_id), NOW)


def remove_draft(room: Class, draft_id: int) -> None:
    room.desk.write(pre_post.remove_draft, TEACHER, room.key(draft_id), NOW)


def tick_pre_test(room: Class, assignment_id: int, is_pre_test: bool) -> None:
    settings = AssignmentSettings(room.row(assignment_id).rules, is_pre_test)
    room.desk.write(lifecycle.set_up_assignment, TEACHER, room.key(assignment_id), settings, NOW)


def is_counted(room: Class, assignment_id: int) -> bool:
    columns = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, NOW).columns
    [column] = [column for column in columns if column.assignment and column.assignment.id == assignment_id]
    return column.rule.counted


def test_what_was_done_counts_in_the_total_as_before(room: Class) -> None:
    room.join("小糖", "tang")
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.hand_in(TANG, assignment_id)
    post_test_id = create_post_test_draft(room, assignment_id)
    assert room.row(assignment_id).form == "pre"
    [row] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, NOW).rows
    assert row.total_of_hundred == 100.0
    logged = room.desk.rows("SELECT detail FROM audit WHERE action = 'pair'")
    assert [json.loads(detail) for (detail,) in logged] == [
        {"assignment": post_test_id, "form": [None, "pre"]}
    ]


def test_what_did_not_count_still_does_not(room: Class) -> None:
    """A 前测 that its teacher ticked, and what was taken out of 总评 before."""
    ticked_id, uncounted_id = room.assign(DCG), room.assign(DCG)
    tick_pre_test(room, ticked_id, True)
    rule_by_assignment_id = {uncounted_id: ColumnRule(counted=False)}
    room.desk.write(
        total_rules.set_total_rules, TEACHER, room.classroom, TotalRules(), rule_by_assignment_id, NOW
    )
    for assignment_id in (ticked_id, uncounted_id):
        create_post_test_draft(room, assignment_id)
        assert not is_counted(room, assignment_id)


def test_a_pre_test_is_listed_before_it_has_a_post_test(room: Class) -> None:
    """Alone, and what is no test is not."""
    pre_test_id, _ = room.assign(DCG), room.assign(DCG)
    tick_pre_test(room, pre_test_id, True)
    _, [pair] = room.desk.read(pre_post.load_class_and_pre_post, TEACHER, room.classroom)
    assert (pair.pre_test.id, pair.post_test, pair.is_matched) == (pre_test_id, None, True)


def test_who_did_one_of_the_two_is_listed_and_who_did_none_is_not(room: Class) -> None:
    for name, token in (("小糖", "tang"), ("小序", "xu"), ("小圆", "yuan")):
        room.join(name, token)
    pre_test_id = room.assign(DCG)
    post_test_id = create_post_test_draft(room, pre_test_id)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(post_test_id), NOW)
    for caller, assignment_id in ((TANG, pre_test_id), (XU, post_test_id)):
        room.begin(caller, assignment_id)
        room.save(caller, assignment_id, 1, "4")
        room.hand_in(caller, assignment_id)
    _, [pair] = room.desk.read(pre_post.load_class_and_pre_post, TEACHER, room.classroom)
    shares = [(result.student.name, result.share_before, result.share_after) for result in pair.results]
    assert shares == [("小糖", 1.0, None), ("小序", None, 1.0)]
    assert (pair.uncounted_student_count, pair.learning_gain) == (2, None)


def test_a_pre_test_stays_one_while_it_has_a_post_test(room: Class) -> None:
    assignment_id = room.assign(DCG)
    post_test_id = create_post_test_draft(room, assignment_id)
    with pytest.raises(Refused, match="有后测“第一周后测”"):
        tick_pre_test(room, assignment_id, False)
    remove_draft(room, post_test_id)
    tick_pre_test(room, assignment_id, True)
    assert room.row(assignment_id).form == "pre"
    tick_pre_test(room, assignment_id, False)
    assert room.row(assignment_id).form is None


def test_without_its_post_test_it_is_what_it_was(room: Class) -> None:
    """None again, or the 前测 that its teacher ticked, also after it had been none again once."""
    assignment_id, draft_id, ticked_id = room.assign(DCG), room.assign(DCG, publish=False), room.assign(DCG)
    tick_pre_test(room, ticked_id, True)
    for pre_test_id in (assignment_id, draft_id, ticked_id):
        remove_draft(room, create_post_test_draft(room, pre_test_id))
    forms = [
        (room.row(row_id).form, room.row(row_id).pair) for row_id in (assignment_id, draft_id, ticked_id)
    ]
    assert forms == [(None, None), (None, None), ("pre", ticked_id)]
    assert is_counted(room, assignment_id)
    tick_pre_test(room, draft_id, True)
    remove_draft(room, create_post_test_draft(room, draft_id))
    assert room.row(draft_id).form == "pre"


def test_a_pre_test_that_is_ticked_later_does_not_count(room: Class) -> None:
    """What kept it in 总评 went with the 后测; what its teacher set for it besides stays."""
    plain_id, heavy_id = room.assign(DCG), room.assign(DCG)
    rule_by_assignment_id = {heavy_id: ColumnRule(weight=3.0)}
    room.desk.write(
        total_rules.set_total_rules, TEACHER, room.classroom, TotalRules(), rule_by_assignment_id, NOW
    )
    for assignment_id in (plain_id, heavy_id):
        remove_draft(room, create_post_test_draft(room, assignment_id))
        tick_pre_test(room, assignment_id, True)
    assert not is_counted(room, plain_id)
    assert room.desk.read(total_rules.load_rule_by_assignment_id, room.classroom) == rule_by_assignment_id


def test_it_stays_a_pre_test_for_another_post_test(room: Class) -> None:
    assignment_id = room.assign(DCG)
    first_id = create_post_test_draft(room, assignment_id)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(first_id), NOW)
    remove_draft(room, create_post_test_draft(room, assignment_id))
    assert room.row(assignment_id).form == "pre"
    room.desk.write(lifecycle.take_back_publication, TEACHER, room.key(first_id), NOW)
    remove_draft(room, first_id)
    assert room.row(assignment_id).form is None


@pytest.mark.parametrize(
    ("is_collected", "saved_after_days", "gain"),
    [(True, 0, 100), (True, 3, None), (False, 0, None)],
)
def test_a_collected_pre_test_is_of_the_day_on_which_it_was_worked_at(
    room: Class, is_collected: bool, saved_after_days: int, gain: int | None
) -> None:
    """Of what a student hands in themselves, the hand-in counts; worked at after the 后测 it is too late."""
    room.join("小糖", "tang")
    pre_test_id = room.assign(DCG)
    post_test_id = create_post_test_draft(room, pre_test_id)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(post_test_id), NOW)
    room.begin(TANG, pre_test_id)
    room.save(TANG, pre_test_id, 1, "5")
    room.now = NOW + 2 * DAY
    room.begin(TANG, post_test_id)
    room.save(TANG, post_test_id, 1, "4")
    room.hand_in(TANG, post_test_id)
    room.now = NOW + saved_after_days * DAY
    room.save(TANG, pre_test_id, 1, "7")
    room.now = NOW + 4 * DAY
    if is_collected:
        room.collect(pre_test_id)
    else:
        room.hand_in(TANG, pre_test_id)
    _, [pair] = room.desk.read(pre_post.load_class_and_pre_post, TEACHER, room.classroom)
    [pre_post_result] = pair.results
    assert pre_post_result.is_before_too_late == (gain is None)
    assert pre_post_result.gained_percentage_points == gain


@pytest.mark.parametrize(("saved_after_days", "is_too_late"), [(1, True), (3, False)])
def test_a_collected_post_test_is_of_the_day_on_which_it_was_worked_at(
    room: Class, saved_after_days: int, is_too_late: bool
) -> None:
    room.join("小糖", "tang")
    pre_test_id = room.assign(DCG)
    post_test_id = create_post_test_draft(room, pre_test_id)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(post_test_id), NOW)
    room.begin(TANG, pre_test_id)
    room.save(TANG, pre_test_id, 1, "5")
    room.begin(TANG, post_test_id)
    room.now = NOW + saved_after_days * DAY
    room.save(TANG, post_test_id, 1, "4")
    room.now = NOW + 2 * DAY
    room.hand_in(TANG, pre_test_id)
    room.now = NOW + 4 * DAY
    room.collect(post_test_id)
    _, [pair] = room.desk.read(pre_post.load_class_and_pre_post, TEACHER, room.classroom)
    [pre_post_result] = pair.results
    assert pre_post_result.is_before_too_late == is_too_late
