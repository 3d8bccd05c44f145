"""小组: one of them for each student, by ticks, by a pasted list, by chance; and what is given to a group."""

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audience, lifecycle, lookup
from app.records.assignments.values import Audience
from app.records.classes import class_members, classrooms, groups
from app.records.classes.values import ClassGroup, Student
from app.records.db.errors import NotFound, Refused
from app.records.grading import gradebook
from app.records.insight import today
from app.records.people import class_ends, my_data
from tests.records.assigned import COLLEAGUE, DAY, TANG, TEACHER, XU, Class
from tests.records.cast import NOW


def add(room: Class, name: str) -> int:
    room.desk.write(groups.add_group, TEACHER, room.classroom, name, NOW)
    return groups_of(room)[-1].id


def groups_of(room: Class) -> tuple[ClassGroup, ...]:
    return room.desk.read(groups.load_groups, TEACHER, room.classroom).groups


def place(room: Class, group_id: int | None, *students: Student, pasted: str = "") -> None:
    choice = ([student.id for student in students], pasted)
    room.desk.write(groups.place_students, TEACHER, room.classroom, group_id, *choice, NOW)


def members(room: Class, group_id: int | None) -> list[str]:
    page = room.desk.read(groups.load_groups, TEACHER, room.classroom)
    return [student.name for student in page.members_of(group_id)]


def test_a_student_is_in_one_group_of_the_class_at_most(room: Class, tang: Student, xu: Student) -> None:
    first, second = add(room, "第一组"), add(room, "第二组")
    place(room, first, tang, xu)
    place(room, second, xu)
    assert (members(room, first), members(room, second), members(room, None)) == (["小糖"], ["小序"], [])
    place(room, None, tang)
    assert members(room, None) == ["小糖"]
    for _ in range(2):
        room.desk.write(groups.remove_group, TEACHER, room.classroom, second, NOW)
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'group-removed'") == [(1,)]
    assert members(room, None) == ["小糖", "小序"]
    assert [group.id for group in groups_of(room)] == [first], "the other one stays"
    with pytest.raises(NotFound):
        place(room, second, tang)
    with pytest.raises(NotFound):
        room.desk.write(groups.add_group, COLLEAGUE, room.classroom, "第三组", NOW)


def test_a_pasted_list_places_all_or_nobody(room: Class, tang: Student, xu: Student) -> None:
    first = add(room, "第一组")
    for pasted, words in (
        ("小糖\n小方，小圆", "小方、小圆"),
        ("", "一位同学也没选"),
        ("糖" * 10_001, "太长"),
        ("糖" * 10_000, "糖"),
    ):
        with pytest.raises(Refused, match=words):
            place(room, first, pasted=pasted)
    assert members(room, first) == []
    place(room, first, tang, pasted=" 小糖 ；小序\n")
    assert members(room, first) == ["小糖", "小序"]
    twin = xu._replace(id=xu.id + 1, student_number="2026002")
    assert groups.students_named("２０２６００２", [xu, twin]) == [twin]
    with pytest.raises(Refused, match="对不上"):
        groups.students_named("小序", [xu, twin])


def test_a_second_click_makes_no_second_group(room: Class, tang: Student) -> None:
    """As long as nobody is in it, for a name may be wanted twice by mistake later."""
    for _ in range(2):
        add(room, "第一组")
    [group] = groups_of(room)
    place(room, group.id, tang)
    with pytest.raises(Refused, match="已经有"):
        add(room, "第一组")
    actions = room.desk.rows("SELECT action FROM audit WHERE action LIKE 'group-%' ORDER BY id")
    assert actions == [("group-added",), ("group-placed",)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("第一 组", "已经有"),
        ("", "起个名字"),
        ("组" * 21, "最多20个字"),
        ("甲\u202e组", "不带看不见的符号"),
    ],
)
def test_names_of_groups_differ_and_can_be_read(room: Class, name: str, words: str) -> None:
    first = add(room, "第一组")
    other_group = add(room, "组" * 20)
    with pytest.raises(Refused, match=words):
        add(room, name)
    with pytest.raises(Refused, match=words):
        room.desk.write(groups.rename_group, TEACHER, room.classroom, other_group, name, NOW)
    for _ in range(2):
        room.desk.write(groups.rename_group, TEACHER, room.classroom, first, "第一 组", NOW)
    assert [group.name for group in groups_of(room)] == ["第一 组", "组" * 20]
    assert room.desk.rows("SELECT count(*) FROM audit WHERE action = 'group-renamed'") == [(1,)]


def test_a_group_is_changed_by_who_teaches_its_class(room: Class, tang: Student) -> None:
    group_id = add(room, "第一组")
    place(room, group_id, tang)
    other_class = room.desk.write(classrooms.create_class, COLLEAGUE, "高二1班", NOW)
    for arguments in (
        (groups.rename_group, COLLEAGUE, other_class, group_id, "别的名字", NOW),
        (groups.remove_group, COLLEAGUE, other_class, group_id, NOW),
        (groups.place_students, COLLEAGUE, other_class, group_id, [tang.id], "", NOW),
    ):
        with pytest.raises(NotFound):
            room.desk.write(*arguments)
    assert [group.name for group in groups_of(room)] == ["第一组"]
    assert members(room, group_id) == ["小糖"]


def test_a_class_has_twenty_groups_at_most(room: Class) -> None:
    for number in range(20):
        add(room, f"第{number}组")
    with pytest.raises(Refused, match=r"^一个班最多20个小组。$"):
        add(room, "第20组")
    assert len(groups_of(room)) == 20


def split(room: Class, count: int, replaces: bool, seed: int) -> None:
    room.desk.write(groups.split_class, TEACHER, room.classroom, count, replaces, NOW, seed)


def test_a_split_by_chance_is_even_and_replaces_only_where_that_is_wanted(room: Class) -> None:
    for number in range(7):
        room.join(f"同学{number}", f"token{number}")
    split(room, 3, False, 7)
    sizes = [len(members(room, group.id)) for group in groups_of(room)]
    assert (sizes, [group.name for group in groups_of(room)]) == ([3, 2, 2], ["第一组", "第二组", "第三组"])
    first_split = [members(room, group.id) for group in groups_of(room)]
    refusals = ((3, False, "换掉"), (1, True, "2到20"), (8, True, "只有7位"), (20, True, "只有7位"))
    for count, replaces, words in (*refusals, (21, True, "2到20")):
        with pytest.raises(Refused, match=words):
            split(room, count, replaces, 8)
    for count, group_sizes in ((2, [4, 3]), (7, [1] * 7)):
        split(room, count, True, 8)
        assert [len(members(room, group.id)) for group in groups_of(room)] == group_sizes
    split(room, 3, True, 8)
    assert [members(room, group.id) for group in groups_of(room)] != first_split
    split(room, 3, True, 0)
    split_by_nought = [members(room, group.id) for group in groups_of(room)]
    split(room, 3, True, 0)
    assert [members(room, group.id) for group in groups_of(room)] == split_by_nought, "it is a seed as well"
    assert members(room, None) == []


def test_whoever_deleted_their_account_takes_no_place_in_a_split(room: Class, tang: Student) -> None:
    for name in ("小圆", "小方", "小满"):
        room.join(name, name)
    room.desk.write(my_data.delete_me, Caller("小圆"), "hash", NOW)
    with pytest.raises(Refused, match="只有3位"):
        split(room, 4, False, 7)
    assert room.desk.read(groups.load_groups, TEACHER, room.classroom).split_student_count == 3
    split(room, 3, False, 7)
    groups_with_members = [members(room, group.id) for group in groups_of(room)]
    assert sorted(groups_with_members) == [["小方"], ["小满"], [tang.name]]


def test_a_second_click_draws_nothing(room: Class) -> None:
    for number in range(12):
        room.join(f"同学{number}", f"token{number}")
    drawn = []
    for known_splits in (0, 0, 1, 1):
        command = (TEACHER, room.classroom, 3, True, NOW, None, known_splits)
        room.desk.write(groups.split_class, *command)
        drawn.append([members(room, group.id) for group in groups_of(room)])
    assert drawn[0] == drawn[1] != drawn[2] == drawn[3]
    colleagues_class = room.desk.write(classrooms.create_class, COLLEAGUE, "高二1班", NOW)
    page = room.desk.read(groups.load_groups, COLLEAGUE, colleagues_class)
    assert page.random_split_count == 0
    room.desk.write(groups.rename_group, TEACHER, room.classroom, groups_of(room)[0].id, "先锋组", NOW)
    assert room.desk.read(groups.load_groups, TEACHER, room.classroom).random_split_count == 2


def test_an_assignment_and_more_time_are_given_to_a_group(room: Class, tang: Student, xu: Student) -> None:
    """To those who are in it at that moment."""
    first, assignment_id = add(room, "第一组"), room.assign(publish=False, due_at=NOW + DAY)
    place(room, first, tang)
    with pytest.raises(Refused, match="一位同学也没选"):
        room.desk.write(
            audience.change_audience,
            TEACHER,
            room.key(assignment_id),
            Audience(False, [], [first + 1]),
            NOW,
        )
    room.desk.write(
        audience.change_audience, TEACHER, room.key(assignment_id), Audience(False, [], [first]), NOW
    )
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(assignment_id), NOW)
    place(room, first, xu)
    assert room.given(TANG, assignment_id).is_still_given
    with pytest.raises(NotFound):
        room.given(XU, assignment_id)
    everyone = room.assign(due_at=NOW + DAY)
    later = NOW + 2 * DAY
    room.desk.write(lifecycle.extend_due_times, TEACHER, room.key(everyone), [], later, "停电", NOW, [first])
    extensions = room.desk.read(
        lookup.load_assignment_page, TEACHER, room.key(everyone)
    ).extension_by_enrolment_id
    assert set(extensions) == {tang.id, xu.id}


@pytest.mark.usefixtures("tang", "xu")  # who came first
def test_the_pages_of_a_class_can_be_about_one_group(room: Class, tang: Student) -> None:
    first = add(room, "第一组")
    place(room, first, tang)
    room.assign()
    for group_id, names in ((first, ["小糖"]), (None, ["小糖", "小序"]), (first + 1, ["小糖", "小序"])):
        data = room.desk.read(today.load_today, TEACHER, room.classroom, NOW, group_id)
        assert [student.name for student in data.activity.students] == names
        assert len(data.open_assignments[0].status_by_enrolment_id) == len(names)
    rows = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, NOW).rows
    assert [row.student.group_id for row in rows] == [first, None]


def test_groups_go_on_into_the_next_term_and_stay_behind_at_a_move(
    room: Class, tang: Student, xu: Student
) -> None:
    first = add(room, "第一组")
    place(room, first, tang, xu)
    target = room.desk.write(
        class_ends.carry_class_over, TEACHER, room.classroom, class_ends.NextSemester("高二3班"), NOW
    )
    other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, xu.id, other_class, NOW)
    assert members(room, first) == ["小糖"]
    assert [
        student.group_id for student in room.desk.read(classrooms.load_present_students, other_class)
    ] == [None]
    room.classroom = target
    [copy] = groups_of(room)
    assert (copy.name, members(room, copy.id)) == ("第一组", ["小糖", "小序"])
    room.desk.write(classrooms.archive_class, TEACHER, target, NOW)
    room.desk.write(class_ends.remove_class, TEACHER, target, "高二3班")
    assert [(group_id,) for group_id in [first]] == room.desk.rows("SELECT id FROM student_group")


def test_no_more_groups_go_on_than_a_class_may_have(room: Class) -> None:
    target = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    for place_in_list in range(groups.MOST_GROUPS - 1):
        room.desk.write(groups.add_group, TEACHER, target, f"旧{place_in_list}组", NOW)
    for name in ("甲组", "乙组"):
        add(room, name)
    room.desk.write(groups.copy_groups, room.classroom, target)
    names = [group.name for group in room.desk.read(groups.groups_of, target)]
    assert (len(names), names[-1]) == (groups.MOST_GROUPS, "甲组")


def test_a_group_whose_students_have_left_is_nobody(room: Class, tang: Student, xu: Student) -> None:
    """It shows 0位. The assignment was for whoever had left, and for nobody who is here."""
    group_id = add(room, "第一组")
    place(room, group_id, tang)
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, NOW)
    key = room.key(room.assign(publish=False))
    with pytest.raises(Refused, match=r"^一位同学也没选。"):
        room.desk.write(audience.change_audience, TEACHER, key, Audience(False, [], [group_id]), NOW)
    place(room, group_id, xu)
    room.desk.write(audience.change_audience, TEACHER, key, Audience(False, [], [group_id]), NOW)
    assert room.desk.read(lookup.assignee_ids_of, key.assignment_id) == {xu.id}
