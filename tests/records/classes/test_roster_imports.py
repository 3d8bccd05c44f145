"""A roster that lives: who is new, who is changed and who is missing is known before anything is done."""

import pytest
from sqlalchemy import update

from app.records.accounts import accounts
from app.records.accounts.values import Browser
from app.records.classes import class_members, classrooms, roster_imports, student_numbers
from app.records.classes.roster_files import RosterEntry
from app.records.classes.roster_imports import DetailChange, ImportPlan
from app.records.classes.tables import Classroom
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.insight import class_progress
from app.records.people import class_staff
from tests.records.assigned import Class
from tests.records.cast import NOW, Desk
from tests.records.classes.classroom import COLLEAGUE, TEACHER, join, students


def plan(desk: Desk, classroom: int, *entries: RosterEntry) -> ImportPlan:
    return desk.read(roster_imports.make_import_plan, TEACHER, classroom, entries)


def enter(desk: Desk, classroom: int, *entries: RosterEntry) -> ImportPlan:
    hashes = tuple(f"hash {entry.line_number}" for entry in entries)
    return desk.write(roster_imports.import_entries, TEACHER, classroom, entries, hashes, NOW)


def numbers(desk: Desk, classroom: int) -> list[tuple[str, str, int | None]]:
    return [(student.name, student.student_number, student.seat) for student in students(desk, classroom)]


def test_a_roster_is_entered_as_a_whole_or_not_at_all(desk: Desk, classroom: int) -> None:
    entries = (RosterEntry(2, "小糖", "01"), RosterEntry(3, "小方", login="王"))
    [fault] = plan(desk, classroom, *entries).faults
    assert (fault.line_number, fault.entry) == (3, entries[1])
    with pytest.raises(Refused, match="第3行"):
        desk.write(roster_imports.import_entries, TEACHER, classroom, entries, ("a", "b"), NOW)
    assert desk.count("account") == 2
    done = enter(desk, classroom, entries[0])
    assert [planned_entry.roster_entry.login for planned_entry in done.planned_entries] == ["小糖"]
    with pytest.raises(Refused, match="都已经在班里"):
        enter(desk, classroom, entries[0])


def test_a_pupil_of_one_s_own_keeps_the_account_in_another_class(desk: Desk, classroom: int) -> None:
    enrolment_id, other_class = (
        join(desk, classroom, "小糖", "t"),
        desk.write(classrooms.create_class, TEACHER, "社团", NOW),
    )
    entries = (RosterEntry(2, "小糖", "01"), RosterEntry(3, "小序"), RosterEntry(4, "糖糖", login="小糖"))
    [same, new] = desk.read(
        roster_imports.make_import_plan, TEACHER, other_class, entries[:2]
    ).planned_entries
    assert same.known_student
    assert (same.known_student.learner_id, same.roster_entry.login, same.new_login) == (
        enrolment_id.learner_id,
        "小糖",
        "小糖2",
    )
    assert (new.known_student, new.roster_entry.login) == (None, "小序")
    [named] = desk.read(roster_imports.make_import_plan, TEACHER, other_class, entries[2:]).planned_entries
    assert named.known_student == same.known_student, "a name to sign in with says who is meant"
    desk.write(roster_imports.import_entries, TEACHER, other_class, entries[:2], ("x", "y"), NOW)
    first, _ = desk.read(class_progress.load_class, TEACHER, other_class).students
    assert (first.learner_id, first.login) == (enrolment_id.learner_id, "小糖")
    assert desk.write(accounts.count_sign_in_try, "小糖", Browser("here"), NOW) == "hash", (
        "the password stays"
    )
    [renamed] = desk.read(roster_imports.make_import_plan, TEACHER, other_class, entries[2:]).planned_entries
    assert renamed.detail_changes == (DetailChange("姓名", "小糖", "糖糖"),)


def test_another_person_of_that_name_gets_a_new_account(desk: Desk, classroom: int) -> None:
    join(desk, classroom, "小糖", "t")
    other_class = desk.write(classrooms.create_class, TEACHER, "社团", NOW)
    desk.write(
        roster_imports.import_entries,
        TEACHER,
        other_class,
        (RosterEntry(2, "小糖", login="小糖2"),),
        ("x",),
        NOW,
    )
    assert desk.write(accounts.count_sign_in_try, "小糖2", Browser("here"), NOW) == "x"


def test_a_namesake_of_another_number_is_somebody_else(desk: Desk, classroom: int) -> None:
    enter(desk, classroom, RosterEntry(2, "小糖", "01"))
    other_class = desk.write(classrooms.create_class, TEACHER, "四班", NOW)
    [planned_entry] = plan(desk, other_class, RosterEntry(2, "小糖", "02")).planned_entries
    assert (planned_entry.known_student, planned_entry.roster_entry.login, len(planned_entry.namesakes)) == (
        None,
        "小糖2",
        1,
    )
    [planned_entry] = plan(desk, other_class, RosterEntry(2, "小糖", "０１")).planned_entries
    assert planned_entry.known_student == planned_entry.namesakes[0], "the same 学号: the same person"
    desk.write(roster_imports.import_entries, TEACHER, other_class, (RosterEntry(2, "小糖"),), ("x",), NOW)
    third = desk.write(classrooms.create_class, TEACHER, "社团", NOW)
    [planned_entry] = plan(desk, third, RosterEntry(2, "小糖", "02")).planned_entries
    assert planned_entry.known_student is None, "a 学号 that an older class knows counts too"


def test_pupils_of_others_are_neither_enrolled_nor_shown(desk: Desk, classroom: int) -> None:
    join(desk, classroom, "小糖", "t")
    other_class = desk.write(classrooms.create_class, COLLEAGUE, "数学社", NOW)
    [planned_entry] = desk.read(
        roster_imports.make_import_plan, COLLEAGUE, other_class, (RosterEntry(2, "小糖"),)
    ).planned_entries
    assert (planned_entry.known_student, planned_entry.namesakes, planned_entry.roster_entry.login) == (
        None,
        (),
        "小糖2",
    )
    [fault] = desk.read(
        roster_imports.make_import_plan, COLLEAGUE, other_class, (RosterEntry(2, "小糖", login="小糖"),)
    ).faults
    assert fault.fault_sentence == "登录名“小糖”已经有人用了，换一个或者空着。"


def test_a_name_by_number_is_a_correction_unless_it_is_somebody_else_s(desk: Desk, classroom: int) -> None:
    enter(desk, classroom, RosterEntry(2, "小糖", "01"), RosterEntry(3, "小序", "02"))
    [planned_entry] = plan(desk, classroom, RosterEntry(2, "小堂", "01")).planned_entries
    assert planned_entry.detail_changes == (DetailChange("姓名", "小糖", "小堂"),)
    [fault] = plan(desk, classroom, RosterEntry(2, "小序", "01")).faults
    assert fault.fault_sentence == "学号“01”在班里是小糖，班里又另有一位“小序”。"


def test_the_list_of_a_class_that_joined_by_code_brings_the_numbers(desk: Desk, classroom: int) -> None:
    """The recommended way: first the code on the wall, later the file of the 教务处."""
    for name in ("陈一诺", "林子墨", "王小明"):
        join(desk, classroom, name, name)
    entries = (
        RosterEntry(2, "陈一诺", "2026010001"),
        RosterEntry(3, "林 子墨", "2026010002", seat="12"),
        RosterEntry(4, "周雨桐", "2026010004"),
    )
    before = plan(desk, classroom, *entries)
    assert [planned_entry.member is None for planned_entry in before.planned_entries] == [False, False, True]
    assert before.planned_entries[0].detail_changes == (DetailChange("学号", "", "2026010001"),)
    assert before.planned_entries[1].detail_changes == (
        DetailChange("学号", "", "2026010002"),
        DetailChange("座号", "", "12"),
    )
    assert [student.name for student in before.unlisted_students] == ["王小明"]
    assert numbers(desk, classroom)[0] == ("陈一诺", "", None), "a plan does nothing"
    enter(desk, classroom, *entries)
    assert numbers(desk, classroom) == [
        ("林 子墨", "2026010002", 12),
        ("陈一诺", "2026010001", None),
        ("周雨桐", "2026010004", None),
        ("王小明", "", None),
    ]
    assert desk.count("account") == 2 + 4
    assert desk.write(accounts.count_sign_in_try, "陈一诺", Browser("here"), NOW) == "hash", (
        "the password stays"
    )


def test_an_empty_cell_takes_nothing_away(desk: Desk, classroom: int) -> None:
    enter(desk, classroom, RosterEntry(2, "小糖", "01", seat="7"))
    [planned_entry] = plan(desk, classroom, RosterEntry(2, "小糖")).planned_entries
    assert (planned_entry.is_new, planned_entry.detail_changes) == (False, ())
    enter(desk, classroom, RosterEntry(2, "小糖", seat="8"))
    assert numbers(desk, classroom) == [("小糖", "01", 8)]


def test_two_of_one_name_are_told_apart_by_number(desk: Desk, classroom: int) -> None:
    enter(desk, classroom, RosterEntry(2, "李四", "01"), RosterEntry(3, "李四", "02"))
    assert [student.login for student in students(desk, classroom)] == ["李四", "李四2"]
    again = plan(desk, classroom, RosterEntry(2, "李四", "02"), RosterEntry(3, "李四", "01"))
    assert [planned_entry.roster_entry.login for planned_entry in again.planned_entries] == ["李四2", "李四"]
    [fault] = plan(desk, classroom, RosterEntry(2, "李四")).faults
    assert fault.fault_sentence == "班里有2位“李四”，写上学号才知道是谁。"


def test_a_line_without_a_number_keeps_that_of_its_member(desk: Desk, classroom: int) -> None:
    enter(desk, classroom, RosterEntry(2, "李明", "01"), RosterEntry(3, "李明", "02"))
    enter(desk, classroom, RosterEntry(2, "李明", login="李明", seat="3"))
    assert numbers(desk, classroom) == [("李明", "01", 3), ("李明", "02", None)]


def test_numbers_are_compared_without_width_and_case(desk: Desk, classroom: int) -> None:
    """Lists that came in before numbers were folded are still there, as they were written."""
    enter(desk, classroom, RosterEntry(2, "小糖", "２０２６"), RosterEntry(3, "小序", "a01"))
    listed = plan(desk, classroom, RosterEntry(2, "小糖", "2026"), RosterEntry(3, "小序", "A01"))
    assert [
        (planned_entry.detail_changes, planned_entry.new_login) for planned_entry in listed.planned_entries
    ] == [
        ((), ""),
        ((), ""),
    ]
    newcomer = join(desk, classroom, "小方", "f")
    for taken_number, owner in {"2026": "小糖", "A01": "小序"}.items():
        with pytest.raises(Refused, match=f"学号“{taken_number}”在班里是{owner}"):
            details(desk, classroom, newcomer, "小方", taken_number, "")


def test_a_third_of_that_name_comes_in_beside_the_two(desk: Desk, classroom: int) -> None:
    enter(desk, classroom, RosterEntry(2, "李四", "01"))
    both = plan(desk, classroom, RosterEntry(2, "李四", "01"), RosterEntry(3, "李四", "02"))
    assert [planned_entry.is_new for planned_entry in both.planned_entries] == [False, True]
    enter(desk, classroom, *(planned_entry.roster_entry for planned_entry in both.planned_entries))
    assert numbers(desk, classroom) == [("李四", "01", None), ("李四", "02", None)]


def test_another_number_is_a_correction_or_another_person_and_the_teacher_says_which(
    desk: Desk, classroom: int
) -> None:
    enter(desk, classroom, RosterEntry(2, "李四", "5"))
    [planned_entry] = plan(desk, classroom, RosterEntry(2, "李四", "2026010005")).planned_entries
    assert (planned_entry.detail_changes, planned_entry.new_login) == (
        (DetailChange("学号", "5", "2026010005"),),
        "李四2",
    )
    enter(desk, classroom, planned_entry.roster_entry._replace(login=planned_entry.new_login))
    assert numbers(desk, classroom) == [("李四", "5", None), ("李四", "2026010005", None)]
    enter(desk, classroom, RosterEntry(2, "李四", "6", login="李四"))
    assert numbers(desk, classroom)[0] == ("李四", "6", None)


def test_nobody_takes_the_number_of_another_and_nobody_is_listed_twice(desk: Desk, classroom: int) -> None:
    enter(desk, classroom, RosterEntry(2, "甲", "01"), RosterEntry(3, "乙", "02"))
    [fault] = plan(desk, classroom, RosterEntry(2, "甲", "02", login="甲")).faults
    assert fault.fault_sentence == "学号“02”在班里是乙，核对一下是谁的。"
    [fault] = plan(desk, classroom, RosterEntry(2, "甲"), RosterEntry(2, "甲", "01")).faults
    assert fault.fault_sentence == "“甲”和第2行说的是同一位：甲。"


def test_nobody_is_renamed_into_a_namesake(desk: Desk, classroom: int) -> None:
    join(desk, classroom, "小糖", "t")
    join(desk, classroom, "小序", "x")
    with pytest.raises(Refused, match="已经有一位“小序”"):
        enter(desk, classroom, RosterEntry(2, "小序", login="小糖"))
    assert [name for name, _, _ in numbers(desk, classroom)] == ["小糖", "小序"]


def details(desk: Desk, classroom: int, student: Student, name: str, number: str, seat: str) -> None:
    desk.write(student_numbers.set_student_details, TEACHER, classroom, student.id, name, number, seat, NOW)


def test_number_and_seat_are_put_right_by_the_teacher_alone(desk: Desk, classroom: int) -> None:
    student, classmate = join(desk, classroom, "小糖", "t"), join(desk, classroom, "小序", "x")
    details(desk, classroom, student, "小唐", " 2026010001 ", "07")
    assert numbers(desk, classroom)[0] == ("小唐", "2026010001", 7)
    details(desk, classroom, student, "小唐", "", "")
    assert numbers(desk, classroom)[0] == ("小唐", "", None)
    details(desk, classroom, student, "小唐", "1", "")
    for values, words in {
        ("小序", "1", ""): "在班里是小唐",
        ("小唐", "", ""): "加个字区分",
        ("小序", "9" * 33, ""): "学号最多32个字",
        ("小序", "", "靠窗"): "不是1到9999的整数",
        ("小序", "", "00000123456"): "座号“00000123456”不是1到9999的整数",
    }.items():
        with pytest.raises(Refused, match=words):
            details(desk, classroom, classmate, *values)
    details(desk, classroom, classmate, "小唐", "2", "")
    assert numbers(desk, classroom) == [("小唐", "1", None), ("小唐", "2", None)]
    with pytest.raises(NotFound):
        desk.write(
            student_numbers.set_student_details, COLLEAGUE, classroom, classmate.id, "小序", "", "", NOW
        )


def test_seats_and_numbers_are_in_the_order_of_numbers(desk: Desk, classroom: int) -> None:
    seats = [RosterEntry(line, f"座{line}", seat=str(line)) for line in (12, 2, 1, 10)]
    plain = [RosterEntry(line, f"学{line}", str(line)) for line in (112, 12, 102)]
    enter(desk, classroom, *plain, *seats)
    assert [name for name, _, _ in numbers(desk, classroom)] == [
        *("座1", "座2", "座10", "座12"),
        *("学12", "学102", "学112"),
    ]


def ask_number_kind(session: VerbSession) -> None:
    session.execute(update(table(Classroom)).values(asks_number_kind=True))


@pytest.mark.parametrize(
    ("kind", "students"),
    [("seat", [("甲", "", 2), ("乙", "", 10)]), ("number", [("甲", "2", None), ("乙", "10", None)])],
)
def test_the_teacher_says_once_what_small_numbers_are(
    desk: Desk, classroom: int, kind: student_numbers.NumberKind, students: list[tuple[str, str, int | None]]
) -> None:
    enter(desk, classroom, RosterEntry(2, "乙", "10"), RosterEntry(3, "甲", "2"))
    desk.write(student_numbers.settle_number_kind, TEACHER, classroom, "seat", NOW)
    assert numbers(desk, classroom) == [("甲", "2", None), ("乙", "10", None)], "a class that does not ask"
    desk.write(ask_number_kind)
    desk.write(student_numbers.settle_number_kind, TEACHER, classroom, kind, NOW)
    assert numbers(desk, classroom) == students
    desk.write(student_numbers.settle_number_kind, TEACHER, classroom, "seat", NOW)
    assert numbers(desk, classroom) == students, "a second answer"


def test_what_is_no_small_number_of_the_class_stays_what_it_is(desk: Desk, classroom: int) -> None:
    """A long number, one with a letter, none at all; and a 座号 that is there."""
    entries = [RosterEntry(2, "甲", "1234"), RosterEntry(3, "乙", "3A"), RosterEntry(4, "丙", "")]
    enter(desk, classroom, *entries, RosterEntry(5, "丁", "7", seat="9"), RosterEntry(6, "戊", "123"))
    other_class = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    enter(desk, other_class, RosterEntry(2, "戊", "8"))
    desk.write(ask_number_kind)
    desk.write(student_numbers.settle_number_kind, TEACHER, classroom, "seat", NOW)
    assert set(numbers(desk, classroom)) == {
        ("甲", "1234", None),
        ("乙", "3A", None),
        ("丙", "", None),
        ("丁", "7", 9),
        ("戊", "", 123),
    }, "戊 of another class is no namesake of 戊 of this one"
    assert numbers(desk, other_class) == [("戊", "8", None)]


def test_namesakes_keep_the_number_that_tells_them_apart(desk: Desk, classroom: int) -> None:
    """It becomes their 座号 too; without a 学号 neither could be told from the other in any list."""
    namesakes = (RosterEntry(2, "小糖", "1"), RosterEntry(3, "小糖", "2"), RosterEntry(4, "小序", "3"))
    enter(desk, classroom, *namesakes)
    desk.write(ask_number_kind)
    desk.write(student_numbers.settle_number_kind, TEACHER, classroom, "seat", NOW)
    assert numbers(desk, classroom) == [("小糖", "1", 1), ("小糖", "2", 2), ("小序", "", 3)]


def test_of_namesakes_of_whom_one_has_left_neither_keeps_the_number(desk: Desk, classroom: int) -> None:
    """One alone tells nobody apart: whoever comes back is asked for a 学号."""
    enter(desk, classroom, RosterEntry(2, "小糖", "1"), RosterEntry(3, "小糖", "2"))
    [first, _] = students(desk, classroom)
    desk.write(class_members.remove_student, TEACHER, classroom, first.id, NOW)
    desk.write(ask_number_kind)
    desk.write(student_numbers.settle_number_kind, TEACHER, classroom, "seat", NOW)
    assert numbers(desk, classroom) == [("小糖", "", 2)]
    with pytest.raises(Refused, match="两位都写上学号"):
        desk.write(class_members.put_back_into_class, TEACHER, classroom, first.id, NOW)


@pytest.mark.parametrize("login", ["", "小糖"])
def test_who_was_removed_comes_back_as_the_list_says(desk: Desk, classroom: int, login: str) -> None:
    student = join(desk, classroom, "小糖", "t")
    desk.write(class_members.remove_student, TEACHER, classroom, student.id, NOW)
    entry = RosterEntry(2, "小 糖", "2026001", seat="7", login=login)
    [planned_entry] = plan(desk, classroom, entry).planned_entries
    assert planned_entry.known_student
    enter(desk, classroom, entry)
    assert numbers(desk, classroom) == [("小 糖", "2026001", 7)]
    assert [member.id for member in students(desk, classroom)] == [student.id]


def test_who_was_removed_comes_back_beside_a_new_namesake(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    desk.write(class_members.remove_student, TEACHER, classroom, student.id, NOW)
    enter(desk, classroom, RosterEntry(2, "小糖", "2026002", login="小糖2"))
    enter(desk, classroom, RosterEntry(2, "小糖", "2026001", login="小糖"))
    assert numbers(desk, classroom) == [("小糖", "2026001", None), ("小糖", "2026002", None)]


@pytest.mark.parametrize("login", ["", "小糖"])
def test_a_colleague_s_list_brings_back_who_was_removed(room: Class, tang: Student, login: str) -> None:
    """It made a second account, or said that the name to sign in with was somebody else's."""
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, "co-teacher", NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, NOW)
    entries = (RosterEntry(2, "小糖", login=login),)
    import_plan = room.desk.read(roster_imports.make_import_plan, COLLEAGUE, room.classroom, entries)
    assert import_plan.faults == ()
    [planned_entry] = import_plan.planned_entries
    assert planned_entry.known_student
    assert planned_entry.known_student.learner_id == tang.learner_id


def test_a_line_at_fault_is_on_the_list_too(desk: Desk, classroom: int) -> None:
    """Its owner is no other person's former 学号, and nobody who is missing."""
    enter(desk, classroom, RosterEntry(2, "小糖", "2026"), RosterEntry(3, "小序", "2028"))
    entries, faulty_entries = (RosterEntry(3, "小糖", "2027"),), (RosterEntry(2, "小糖", "2026", seat="abc"),)
    import_plan = desk.read(
        roster_imports.make_import_plan, TEACHER, classroom, entries, faulty_entries=faulty_entries
    )
    [planned_entry] = import_plan.planned_entries
    assert (planned_entry.is_new, planned_entry.roster_entry.login) == (True, "小糖2")
    assert [student.name for student in import_plan.unlisted_students] == ["小序"]
    twice = (RosterEntry(2, "小糖", "2028"),)
    import_plan = desk.read(roster_imports.make_import_plan, TEACHER, classroom, twice)
    assert len(import_plan.faults) == 1, "the number is 小序's"
    assert import_plan.unlisted_students == (), "whoever of the two is meant"


def test_of_two_of_one_name_neither_is_a_member_while_one_is_at_fault(desk: Desk, classroom: int) -> None:
    """The good line took the member, whose own line was a newcomer's once it was mended."""
    join(desk, classroom, "小糖", "t")
    entries, faulty_entries = (
        (RosterEntry(3, "小糖", "2027"),),
        (RosterEntry(2, "小 糖", "2026", seat="abc"),),
    )
    import_plan = desk.read(
        roster_imports.make_import_plan, TEACHER, classroom, entries, faulty_entries=faulty_entries
    )
    assert [(fault.line_number, fault.fault_sentence) for fault in import_plan.faults] == [
        (3, "第2行也是“小糖”，把它改好，才知道班里的是哪一位。")
    ]
    assert import_plan.unlisted_students == ()


def test_who_was_moved_away_comes_back_by_a_move_alone(desk: Desk, classroom: int) -> None:
    """A list gave them a second row, with every assignment before them again."""
    student = join(desk, classroom, "小糖", "t")
    other_class = desk.write(classrooms.create_class, TEACHER, "社团", NOW)
    desk.write(class_members.move_student, TEACHER, classroom, student.id, other_class, NOW)
    for entry in (RosterEntry(2, "小糖"), RosterEntry(2, "糖糖", login="小糖")):
        [fault] = plan(desk, classroom, entry).faults
        assert "到那个班里把TA换回来" in fault.fault_sentence
    namesake = RosterEntry(2, "小糖", login="小糖二")
    enter(desk, classroom, namesake)
    assert [student.name for student in students(desk, classroom)] == ["小糖"]
    desk.write(class_members.remove_student, TEACHER, classroom, students(desk, classroom)[0].id, NOW)
    desk.write(class_members.move_student, TEACHER, other_class, student.id, classroom, NOW)
    assert not plan(desk, classroom, RosterEntry(2, "小糖")).faults
