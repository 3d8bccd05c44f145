"""One assignment of several classes: what is shared, what is each class's own, and whose classes they are."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import lifecycle, lookup, series
from app.records.assignments import parts as parts_verbs
from app.records.assignments.series import ClassPlan
from app.records.assignments.values import AssignmentKey, AssignmentRow, AssignmentSettings
from app.records.classes import classrooms
from app.records.db.errors import NotFound, Refused
from app.records.grading import gradebook, mark_overrides
from app.records.grading.values import CellKey
from app.records.insight import pre_post
from app.records.people import class_ends, class_staff
from tests.records.assigned import COLLEAGUE, DAY, DCG, HOUR, PRACTICE, TANG, TEACHER, XU, Class, account
from tests.records.cast import NOW

HELPER = Caller("helper")


@dataclass
class Classes:
    """王 has three classes; `rooms[0]` is the one of `Class`."""

    room: Class
    rooms: tuple[int, ...]

    def of(self, classroom: int) -> AssignmentRow:
        """The one assignment that a class has."""
        _, listed = self.room.desk.read(lookup.load_class_and_assignments, TEACHER, classroom)
        [only] = listed
        return only.assignment

    def parts(self, classroom: int) -> list[str]:
        rows = self.room.desk.read(lookup.parts_of, self.of(classroom).id)
        return [part.ref for part in rows]

    def write(self, verb: Any, *arguments: Any) -> Any:
        """A verb about the assignment of the first class."""
        first = self.rooms[0]
        assignment_key = AssignmentKey(first, self.of(first).id)
        return self.room.desk.write(verb, TEACHER, assignment_key, *arguments)

    def settings(self, **wishes: Any) -> AssignmentSettings:
        return AssignmentSettings(self.of(self.rooms[0]).rules._replace(**wishes))

    def add(self, part: Any) -> None:
        self.write(series.change_parts, NOW, parts_verbs.add_parts, [part], NOW)


@pytest.fixture
def classes(room: Class) -> Classes:
    """A draft in all three, with one question."""
    writes = [room.desk.write(classrooms.create_class, TEACHER, name, NOW) for name in ("高一4班", "高一5班")]
    rooms = (room.classroom, *writes)
    for _ in range(2):  # a double click
        room.desk.write(series.create_drafts, TEACHER, rooms, "第一周", NOW)
    several_classes = Classes(room, rooms)
    several_classes.add(DCG)
    return several_classes


def publish(classes: Classes, *plans: ClassPlan, **wishes: Any) -> None:
    for _ in range(2):
        classes.write(series.publish_series, NOW, classes.settings(**wishes), plans)


def test_one_draft_is_published_to_each_class_until_its_own_time(classes: Classes) -> None:
    """A class without a time of its own has that of the first, and late work for as long after its own."""
    _, second, third = classes.rooms
    late = {"due_at": NOW + DAY, "late_until": NOW + 2 * DAY, "answers": "due"}
    publish(classes, ClassPlan(second, NOW + 3 * DAY), ClassPlan(third), **late)
    assignments = [classes.of(room) for room in classes.rooms]
    assert [room.due_at for room in assignments] == [NOW + DAY, NOW + 3 * DAY, NOW + DAY]
    assert [room.late_until for room in assignments] == [NOW + 2 * DAY, NOW + 4 * DAY, NOW + 2 * DAY]
    assert [room.answers for room in assignments] == ["due"] * 3
    assert [room.published_at for room in assignments] == [NOW] * 3
    assert [classes.parts(room) for room in classes.rooms] == [["content:dcg"]] * 3
    assert len({room.seed for room in assignments}) == 3, "numbers of their own"
    assert len({room.series for room in assignments} - {None}) == 1


def test_where_one_class_is_refused_none_is_published(classes: Classes) -> None:
    _, second, third = classes.rooms
    with pytest.raises(Refused, match="高一5班：截止时间已经过去"):
        publish(classes, ClassPlan(second), ClassPlan(third, NOW - DAY))
    assert [classes.of(room).published_at for room in classes.rooms] == [None] * 3


def test_rules_change_for_all_or_for_one_and_times_for_each(classes: Classes) -> None:
    _, second, third = classes.rooms
    publish(classes, ClassPlan(second, NOW + 2 * DAY), due_at=NOW + DAY)
    classes.write(
        series.set_up_series, classes.settings(title="第一周（改）", passes=2, due_at=NOW + HOUR), NOW
    )
    assert [classes.of(room).title for room in classes.rooms] == ["第一周（改）"] * 3
    assert [classes.of(room).due_at for room in classes.rooms] == [NOW + HOUR, NOW + 2 * DAY, None]
    classes.write(lifecycle.set_up_assignment, classes.settings(passes=3), NOW)
    assert [classes.of(room).passes for room in classes.rooms] == [3, 2, 2]
    times = [ClassPlan(room, NOW + 5 * DAY) for room in classes.rooms[:2]]
    classes.write(series.change_classes, times, [ClassPlan(third)], NOW)
    assert [classes.of(room).due_at for room in classes.rooms] == [NOW + 5 * DAY] * 3
    log = "SELECT classroom_id, action FROM audit ORDER BY id"
    assert (second, "due") in classes.room.desk.rows(log)


def test_other_rules_leave_every_class_its_own_times(classes: Classes) -> None:
    _, second, third = classes.rooms
    times = {"opens_at": NOW + HOUR, "due_at": NOW + DAY, "late_until": NOW + 2 * DAY}
    publish(classes, ClassPlan(second, NOW + 3 * DAY), ClassPlan(third), **times)
    assignments = [classes.of(classroom) for classroom in classes.rooms]
    classes.write(
        series.set_up_series, classes.settings(passes=2, opens_at=None, late_until=NOW + 9 * DAY), NOW
    )
    changed = [classes.of(classroom) for classroom in classes.rooms]
    assert [assignment.passes for assignment in changed] == [2] * 3
    assert (changed[0].opens_at, changed[0].late_until) == (None, NOW + 9 * DAY)
    for before, after in zip(assignments[1:], changed[1:], strict=True):
        assert (after.opens_at, after.due_at, after.late_until) == (
            before.opens_at,
            before.due_at,
            before.late_until,
        )


@pytest.mark.parametrize(("share_of_others", "late_factor"), [(None, 0.5), (0.8, 0.8)])
def test_a_class_that_stops_taking_late_work_leaves_the_others_what_it_costs(
    classes: Classes, share_of_others: float | None, late_factor: float
) -> None:
    """A form that takes no late work says nothing of what it counts for; another share is for all."""
    _, second, _ = classes.rooms
    publish(classes, ClassPlan(second), due_at=NOW + HOUR, late_until=NOW + 3 * DAY, late_factor=0.5)
    other_class = Class(classes.room.desk, second)
    other_class.join("小序", "xu")
    other_id = classes.of(second).id
    other_class.begin(XU, other_id)
    other_class.now = NOW + 5 * HOUR
    other_class.save(XU, other_id, 1, "4")
    other_class.hand_in(XU, other_id)
    former_rules = classes.of(classes.rooms[0]).rules
    new_rules = former_rules._replace(late_until=None, late_factor=1.0)
    if share_of_others is not None:
        new_rules = former_rules._replace(late_factor=share_of_others)
    settings = AssignmentSettings(new_rules, former_rules=former_rules)
    classes.write(series.set_up_series, settings, NOW + 6 * HOUR)
    assert classes.of(classes.rooms[0]).late_until == new_rules.late_until
    assert (classes.of(second).late_until, classes.of(second).late_factor) == (NOW + 3 * DAY, late_factor)
    assert other_class.given(XU, other_id).attempts[0].late_factor == late_factor


def test_questions_change_for_all_until_somebody_has_begun(classes: Classes) -> None:
    """What is not of the series is left, begun or not."""
    first, second, third = classes.rooms
    publish(classes, ClassPlan(second))
    other_class = Class(
        classes.room.desk, classes.room.desk.write(classrooms.create_class, TEACHER, "高一6班", NOW)
    )
    other_class.join("小序", "xu")
    other_id = other_class.assign(DCG)
    other_class.begin(XU, other_id)
    classes.room.classroom = second
    classes.room.join("小糖", "tang")
    classes.room.begin(TANG, classes.of(second).id)
    classes.add(PRACTICE)
    assert [len(classes.parts(classroom)) for classroom in (first, second, third)] == [2, 1, 2]
    assert len(classes.room.desk.read(lookup.parts_of, other_id)) == 1


def test_questions_stay_in_a_class_where_work_on_paper_was_marked(classes: Classes) -> None:
    _, second, third = classes.rooms
    publish(classes, ClassPlan(second), ClassPlan(third))
    classes.room.classroom = second
    student = classes.room.join("小糖", "tang")
    cell_key = CellKey(second, classes.of(second).id, student.id)
    classes.room.desk.write(mark_overrides.override_mark, TEACHER, cell_key, "1", "纸上做的", NOW)
    classes.add(PRACTICE)
    assert [len(classes.parts(classroom)) for classroom in classes.rooms] == [2, 1, 2]
    classes.room.desk.write(mark_overrides.excuse_student, TEACHER, cell_key, "病假", NOW)
    classes.add(DCG)
    assert [len(classes.parts(classroom)) for classroom in classes.rooms] == [3, 3, 3]


def test_assignments_of_different_series_have_different_numbers(room: Class) -> None:
    other_class_id = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    series_numbers = set()
    for title in ("第一周", "第二周", "第三周"):
        key = room.desk.write(series.create_drafts, TEACHER, (room.classroom, other_class_id), title, NOW)
        series_numbers.add(room.row(key.assignment_id).series)
        assignment_by_class_id = room.desk.read(series.load_series_assignment_by_class_id, TEACHER, key)
        assert list(assignment_by_class_id) == [other_class_id], "beside its own class"
    assert max(series_numbers) > 2**20, "numbers up to a thousand would meet within a term"


def test_a_class_that_leaves_is_changed_alone(classes: Classes) -> None:
    first, second, third = classes.rooms
    of_third = classes.of(third).id
    classes.room.desk.write(series.leave_series, TEACHER, AssignmentKey(third, of_third), NOW)
    classes.write(series.set_up_series, classes.settings(title="另一个名字"), NOW)
    classes.add(PRACTICE)
    assert [classes.of(classroom).title for classroom in (first, second, third)] == [
        "另一个名字",
        "另一个名字",
        "第一周",
    ]
    assert [len(classes.parts(classroom)) for classroom in (first, second, third)] == [2, 2, 1]


def test_only_classes_that_the_teacher_may_change_are_reached(classes: Classes) -> None:
    """Neither another teacher's, nor one that is put away: nothing at all is given then."""
    _, second, third = classes.rooms
    foreign = classes.room.desk.write(classrooms.create_class, COLLEAGUE, "数学社", NOW)
    with pytest.raises(NotFound):
        publish(classes, ClassPlan(second), ClassPlan(foreign))
    assert classes.of(second).published_at is None
    classes.room.desk.write(classrooms.archive_class, TEACHER, third, NOW)
    classes.write(series.set_up_series, classes.settings(title="新的"), NOW)
    assert [classes.of(classroom).title for classroom in (second, third)] == ["新的", "第一周"]
    with pytest.raises(Refused, match="归档"):
        publish(classes, ClassPlan(third))


def test_who_teaches_one_class_and_only_reads_in_another_changes_the_first_alone(classes: Classes) -> None:
    first, second, third = classes.rooms
    publish(classes, ClassPlan(second), ClassPlan(third))
    account(classes.room.desk, "周", "helper")
    for classroom, role in ((first, "co-teacher"), (second, "reader"), (third, "co-teacher")):
        token = classes.room.desk.write(class_staff.create_role_token, TEACHER, classroom, role, NOW)
        classes.room.desk.write(class_staff.accept_role, HELPER, token, NOW)
    assignment_key = AssignmentKey(first, classes.of(first).id)
    new_settings = classes.settings(title="改过的")
    classes.room.desk.write(series.set_up_series, HELPER, assignment_key, new_settings, NOW)
    classes.room.desk.write(
        series.change_parts, HELPER, assignment_key, NOW, parts_verbs.add_parts, [PRACTICE], NOW
    )
    assert [classes.of(classroom).title for classroom in classes.rooms] == ["改过的", "第一周", "改过的"]
    assert [len(classes.parts(classroom)) for classroom in classes.rooms] == [2, 1, 2]


@pytest.fixture
def helper_key(classes: Classes) -> AssignmentKey:
    """The assignment of the first class, in which alone HELPER is a 合作老师."""
    first = classes.rooms[0]
    account(classes.room.desk, "周", "helper")
    token = classes.room.desk.write(class_staff.create_role_token, TEACHER, first, "co-teacher", NOW)
    classes.room.desk.write(class_staff.accept_role, HELPER, token, NOW)
    return AssignmentKey(first, classes.of(first).id)


def test_a_class_gets_the_questions_that_it_missed_when_it_is_published(
    classes: Classes, helper_key: AssignmentKey
) -> None:
    """A colleague of one class added one; another class was put away meanwhile."""
    desk = classes.room.desk
    _, second, third = classes.rooms
    desk.write(classrooms.archive_class, TEACHER, third, NOW)
    desk.write(series.change_parts, HELPER, helper_key, NOW, parts_verbs.add_parts, [PRACTICE], NOW)
    assert [len(classes.parts(classroom)) for classroom in classes.rooms] == [2, 1, 1]
    desk.write(class_ends.restore_class, TEACHER, third, NOW)
    publish(classes, ClassPlan(second), ClassPlan(third))
    assert [classes.parts(classroom) for classroom in classes.rooms] == [["content:dcg", "content:term"]] * 3
    assert {classes.of(classroom).published_at for classroom in classes.rooms} == {NOW}


def test_what_is_published_keeps_its_questions_when_more_classes_get_it(
    classes: Classes, helper_key: AssignmentKey
) -> None:
    _, second, third = classes.rooms
    publish(classes, ClassPlan(second))
    desk = classes.room.desk
    desk.write(series.change_parts, HELPER, helper_key, NOW, parts_verbs.add_parts, [PRACTICE], NOW)
    classes.write(series.change_classes, [], [ClassPlan(second), ClassPlan(third)], NOW)
    assert [len(classes.parts(classroom)) for classroom in classes.rooms] == [2, 1, 2]


def forms_and_counted(classes: Classes) -> list[Any]:
    """Of each class: whether it is a 前测, at the head of its own pair, whether it counts in 总评."""
    rows = []
    for classroom in classes.rooms:
        assignment = classes.of(classroom)
        page = classes.room.desk.read(gradebook.load_gradebook, TEACHER, classroom, NOW)
        [is_counted] = [column.rule.counted for column in page.columns]
        rows.append((assignment.form, assignment.pair == assignment.id, is_counted))
    return rows


@pytest.mark.parametrize("is_drafted_before", [True, False])
def test_a_pre_test_is_one_in_every_class(room: Class, is_drafted_before: bool) -> None:
    other = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    classes = Classes(room, (room.classroom, other))
    drafted = classes.rooms if is_drafted_before else classes.rooms[:1]
    room.desk.write(series.create_drafts, TEACHER, drafted, "前测", NOW)
    classes.add(DCG)
    ticked = classes.settings()._replace(is_pre_test=True)
    classes.write(series.publish_series, NOW, ticked, [ClassPlan(other)])
    assert forms_and_counted(classes) == [("pre", True, False)] * 2
    untouched = classes.settings(note="带草稿纸")
    classes.write(series.set_up_series, untouched, NOW)
    assert forms_and_counted(classes) == [("pre", True, False)] * 2
    classes.write(series.set_up_series, untouched._replace(is_pre_test=False), NOW)
    assert forms_and_counted(classes) == [(None, False, True)] * 2
    classes.write(lifecycle.set_up_assignment, ticked, NOW)
    assert forms_and_counted(classes) == [("pre", True, False), (None, False, True)]


def test_what_was_set_for_one_class_stays_where_others_change_something_else(classes: Classes) -> None:
    first, second, third = classes.rooms
    publish(classes, ClassPlan(second), ClassPlan(third))
    of_second = classes.of(second)
    own_settings = AssignmentSettings(of_second.rules._replace(passes=5), former_rules=of_second.rules)
    second_key = AssignmentKey(second, of_second.id)
    classes.room.desk.write(lifecycle.set_up_assignment, TEACHER, second_key, own_settings, NOW)
    former_rules = classes.of(first).rules
    classes.write(
        series.set_up_series, classes.settings(note="加油")._replace(former_rules=former_rules), NOW
    )
    assert [classes.of(room).note for room in classes.rooms] == ["加油"] * 3
    assert [classes.of(room).passes for room in classes.rooms] == [1, 5, 1]
    former_rules = classes.of(first).rules
    classes.write(series.set_up_series, classes.settings(passes=2)._replace(former_rules=former_rules), NOW)
    assert [classes.of(room).passes for room in classes.rooms] == [2, 2, 2]


def test_the_log_of_every_class_tells_the_same_change_of_the_questions(classes: Classes) -> None:
    """Added, worth more, moved, another in the place of one, taken out."""
    first, second, third = classes.rooms
    publish(classes, ClassPlan(second), ClassPlan(third))
    classes.add(PRACTICE)

    def change(verb: Any, *arguments: Any) -> None:
        ids = [part.id for part in classes.room.desk.read(lookup.parts_of, classes.of(first).id)]
        called = [argument(ids) if callable(argument) else argument for argument in arguments]
        classes.write(series.change_parts, NOW, verb, *called, NOW)

    change(parts_verbs.set_parts, lambda ids: {ids[1]: {"points": 2.0, "count": 3}})
    change(parts_verbs.move_part, lambda ids: ids[0], 1, {})
    change(parts_verbs.add_parts, [replace(PRACTICE, level=2), replace(DCG, ref="content:cg")])
    change(parts_verbs.remove_part, lambda ids: ids[1], {})
    log = "SELECT detail FROM audit WHERE action = 'parts' AND classroom_id = {} ORDER BY id"
    details = [classes.room.desk.rows(log.format(classroom)) for classroom in classes.rooms]
    assert len(details[0]) == 5
    assert details[0] == details[1] == details[2], details
    contents = [
        classes.room.desk.read(parts_verbs.part_contents_of, classes.of(classroom).id)
        for classroom in classes.rooms
    ]
    assert contents[0] == contents[1] == contents[2]
    assert [part.count for part in contents[0]] == [3, 2, 1]


def test_a_post_test_belongs_to_the_pre_test_of_its_class(classes: Classes) -> None:
    _, second, _ = classes.rooms
    with classes.room.desk.other_program() as connection:
        connection.execute("UPDATE assignment SET form = 'post' WHERE id = 1")
    with pytest.raises(Refused, match="后测要和本班的前测配成对"):
        classes.write(series.change_classes, [], [ClassPlan(second)], NOW)


def test_a_draft_that_became_a_pre_test_is_one_in_every_class(classes: Classes) -> None:
    """It was one before anybody did it, and its form says so: not counted anywhere."""
    first, second, third = classes.rooms
    first_key = AssignmentKey(first, classes.of(first).id)
    create_post_test_draft(classes, first)
    desk = classes.room.desk
    settings = AssignmentSettings(classes.room.row(first_key.assignment_id).rules)
    plans = [ClassPlan(second)]
    desk.write(series.publish_series, TEACHER, first_key, NOW + HOUR, settings, plans)
    assert form_and_time(classes, classes.of(second).id) == ("pre", True)
    desk.write(series.change_classes, TEACHER, first_key, [], [ClassPlan(third)], NOW + DAY)
    assert form_and_time(classes, classes.of(third).id) == ("pre", True)
    for classroom in (second, third):
        page = desk.read(gradebook.load_gradebook, TEACHER, classroom, NOW + DAY)
        assert [column.rule.counted for column in page.columns] == [False]


def test_a_pre_test_with_a_post_test_stays_one_where_the_others_are_none_again(classes: Classes) -> None:
    """Its class is named to whoever asked; what else changed for all changes there too."""
    first, second, third = classes.rooms
    ticked = classes.settings()._replace(is_pre_test=True)
    classes.write(series.publish_series, NOW, ticked, [ClassPlan(second), ClassPlan(third)])
    of_second = classes.of(second).id
    create_post_test_draft(classes, second)
    unticked = classes.settings(passes=2)._replace(is_pre_test=False)
    kept_class_ids = classes.write(series.set_up_series, unticked, NOW)
    assert kept_class_ids == [second]
    assert [classes.of(classroom).form for classroom in (first, third)] == [None, None]
    form_and_passes = f"SELECT form, passes FROM assignment WHERE id = {of_second}"
    assert classes.room.desk.rows(form_and_passes) == [("pre", 2)]
    assert classes.write(series.set_up_series, classes.settings(passes=3), NOW) == []


def create_post_test_draft(classes: Classes, classroom: int) -> int:
    assignment_key = AssignmentKey(classroom, classes.of(classroom).id)
    return classes.room.desk.write(pre_post.create_post_test_draft, TEACHER, assignment_key, NOW)


def form_and_time(classes: Classes, assignment_id: int) -> tuple[Any, ...]:
    [row] = classes.room.desk.rows(f"SELECT form, published_at FROM assignment WHERE id = {assignment_id}")
    return row[0], row[1] is not None


def test_a_class_with_a_post_test_keeps_its_pre_test_when_it_is_published(classes: Classes) -> None:
    _, second, third = classes.rooms
    of_second, of_third = classes.of(second).id, classes.of(third).id
    create_post_test_draft(classes, second)
    untouched = classes.settings()._replace(is_pre_test=False)
    classes.write(series.publish_series, NOW, untouched, [ClassPlan(second), ClassPlan(third)])
    assert form_and_time(classes, of_second) == ("pre", True)
    assert form_and_time(classes, of_third) == (None, True)


def test_what_became_a_pre_test_by_its_post_test_is_none_in_another_class(classes: Classes) -> None:
    """It counts in 总评 in both; one that its teacher ticked is a 前测 in both, with a 后测 or without."""
    first, second, third = classes.rooms
    publish(classes)
    first_key = AssignmentKey(first, classes.of(first).id)
    desk = classes.room.desk
    post_test_id = create_post_test_draft(classes, first)
    desk.write(series.change_classes, TEACHER, first_key, [], [ClassPlan(second)], NOW)
    assert form_and_time(classes, first_key.assignment_id) == ("pre", True)
    assert form_and_time(classes, classes.of(second).id) == (None, True)
    for classroom in (first, second):
        page = desk.read(gradebook.load_gradebook, TEACHER, classroom, NOW)
        assert [column.rule.counted for column in page.columns] == [True]
    desk.write(pre_post.remove_draft, TEACHER, AssignmentKey(first, post_test_id), NOW)
    ticked = classes.settings()._replace(is_pre_test=True)
    desk.write(lifecycle.set_up_assignment, TEACHER, first_key, ticked, NOW)
    create_post_test_draft(classes, first)
    desk.write(series.change_classes, TEACHER, first_key, [], [ClassPlan(third)], NOW)
    assert form_and_time(classes, classes.of(third).id) == ("pre", True)
