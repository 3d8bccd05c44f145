"""Who helps in a class: the link, what each role may do and may not, whose name the log has, and the end."""

from datetime import timedelta
from typing import Any

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audit, lifecycle
from app.records.classes import (
    class_members,
    classrooms,
    joining,
    notices,
    password_slips,
    roster_imports,
    student_numbers,
)
from app.records.classes.rights import DESCRIPTION_BY_ROLE, INVITED_ROLES, RIGHT_BY_ROLE, WORD_BY_ROLE, Right
from app.records.classes.roster_files import RosterEntry
from app.records.classes.values import Student
from app.records.db.errors import NotFound, NotPermitted, Refused
from app.records.grading import comments, extra_columns, mark_overrides
from app.records.grading.values import CellKey
from app.records.insight import class_progress, class_responses, student_progress
from app.records.people import class_ends, class_staff, my_data, teachers
from tests.records.assigned import COLLEAGUE, TANG, TEACHER, XU, Class, account
from tests.records.cast import NOW, newcomer

HELPER = Caller("helper")


def link(room: Class, role: str) -> str:
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, role, NOW)
    return str(token)


def take_role(room: Class, caller: Caller, role: str, token: str = "") -> None:
    room.desk.write(class_staff.accept_role, caller, token or link(room, role), NOW)


@pytest.fixture
def helped(room: Class) -> Class:
    """What anybody does in it is done by somebody who has an account and no role yet."""
    account(room.desk, "周", "helper")
    return room


def test_every_role_has_its_words_and_a_right() -> None:
    assert set(RIGHT_BY_ROLE) == set(WORD_BY_ROLE) == {"teacher", *INVITED_ROLES}
    assert set(DESCRIPTION_BY_ROLE) == set(INVITED_ROLES)


def read_class(room: Class, _: Student, __: int) -> Any:
    return room.desk.read(class_progress.load_class, HELPER, room.classroom)


def mark(room: Class, student: Student, assignment_id: int) -> Any:
    cell = CellKey(room.classroom, assignment_id, student.id)
    return room.desk.write(mark_overrides.override_mark, HELPER, cell, "1", "口头补答", NOW)


def teach(room: Class, _: Student, assignment_id: int) -> Any:
    return room.desk.write(lifecycle.close, HELPER, room.key(assignment_id), NOW)


def own(room: Class, student: Student, _: int) -> Any:
    return room.desk.write(password_slips.reset_passwords, HELPER, room.classroom, {student.id: "x"}, NOW)


DEEDS = {Right.READ: read_class, Right.MARK: mark, Right.TEACH: teach, Right.OWN: own}


@pytest.mark.parametrize("role", INVITED_ROLES)
@pytest.mark.parametrize("right", DEEDS)
def test_a_role_gives_its_rights_and_no_others(helped: Class, role: str, right: Right) -> None:
    """What is done stands in the log under the name of whoever did it."""
    tang = helped.join("小糖", "tang")
    assignment_id = helped.assign()
    take_role(helped, HELPER, role)
    if right > RIGHT_BY_ROLE[role]:
        with pytest.raises(NotPermitted, match="请找王"):
            DEEDS[right](helped, tang, assignment_id)
        return
    DEEDS[right](helped, tang, assignment_id)
    log = helped.desk.read(audit.load_audit, TEACHER, helped.classroom).lines
    assert log[0].actor_login == "周"
    assert log[-1].actor_login == "王"


def test_the_code_is_closed_by_who_teaches_and_a_class_restored_by_its_owner(helped: Class) -> None:
    key = (HELPER, helped.classroom)
    take_role(helped, HELPER, "assistant")
    with pytest.raises(NotPermitted, match="请找王"):
        helped.desk.write(classrooms.close_join_code, *key)
    take_role(helped, HELPER, "co-teacher")
    helped.desk.write(classrooms.close_join_code, *key)
    helped.desk.write(classrooms.archive_class, TEACHER, helped.classroom, NOW)
    with pytest.raises(NotPermitted, match="请找王"):
        helped.desk.write(class_ends.restore_class, *key, NOW)
    helped.desk.write(class_ends.restore_class, TEACHER, helped.classroom, NOW)
    assert helped.desk.read(classrooms.taught_class, TEACHER, helped.classroom).archived_at is None


def test_a_link_is_for_one_and_for_a_week(helped: Class) -> None:
    token, late = link(helped, "assistant"), link(helped, "reader")
    take_role(helped, HELPER, "", token)
    with pytest.raises(NotFound, match="用过了"):
        take_role(helped, COLLEAGUE, "", token)
    with pytest.raises(NotFound):
        helped.desk.read(class_staff.load_offer_and_visitor, COLLEAGUE, late, NOW + timedelta(days=7))
    helped.desk.write(class_staff.withdraw_links, TEACHER, helped.classroom)
    with pytest.raises(NotFound):
        take_role(helped, COLLEAGUE, "", late)
    page = helped.desk.read(class_staff.load_staff, TEACHER, helped.classroom, NOW)
    assert [(member.login, member.role) for member in page.staff] == [("周", "assistant")]
    [role] = [listed.role for listed in helped.desk.read(classrooms.load_class_lists, HELPER).taught_classes]
    assert role == "assistant"


def test_a_link_lasts_until_its_last_moment_and_in_a_class_that_is_not_put_away(helped: Class) -> None:
    token = link(helped, "reader")
    last_moment = NOW + timedelta(days=7) - timedelta(seconds=1)
    offer, _ = helped.desk.read(class_staff.load_offer_and_visitor, HELPER, token, last_moment)
    assert offer.role == "reader"
    helped.desk.write(classrooms.archive_class, TEACHER, helped.classroom, NOW)
    with pytest.raises(NotFound):
        helped.desk.read(class_staff.load_offer_and_visitor, HELPER, token, NOW)
    with pytest.raises(NotFound):
        take_role(helped, HELPER, "", token)
    assert helped.desk.count("class_role") == 0


def test_a_class_has_so_many_who_help_with_those_who_are_invited(helped: Class) -> None:
    take_role(helped, HELPER, "reader")
    for _ in range(29):
        link(helped, "assistant")
    with pytest.raises(Refused, match=r"^一个班最多请30个人，还没用的链接也算。先收回几个。$"):
        link(helped, "assistant")
    helped.desk.write(class_staff.withdraw_links, TEACHER, helped.classroom)
    link(helped, "assistant")


def test_a_role_is_taken_once_and_by_an_account(helped: Class) -> None:
    """A second click says what was offered, and writes nothing; a guest is told of an open link alone."""
    token, guest = link(helped, "co-teacher"), Caller()
    assert helped.desk.read(class_staff.load_offer_and_visitor, guest, token, NOW)[0].role == "co-teacher"
    with pytest.raises(NotFound):
        take_role(helped, guest, "", token)
    take_role(helped, HELPER, "", token)
    log = helped.desk.read(audit.load_audit, TEACHER, helped.classroom).lines
    taken_offer = helped.desk.write(class_staff.accept_role, HELPER, token, NOW + timedelta(days=8))
    assert (taken_offer.role, taken_offer.is_taken) == ("co-teacher", True)
    assert helped.desk.read(audit.load_audit, TEACHER, helped.classroom).lines == log
    with pytest.raises(NotFound, match="用过了"):
        helped.desk.read(class_staff.load_offer_and_visitor, guest, token, NOW)


def test_no_link_gives_what_is_the_teachers_alone(helped: Class) -> None:
    for role in ("teacher", "Co-teacher", ""):
        with pytest.raises(Refused, match="从合作老师、助教、只看的人里选一个"):
            link(helped, role)
    assert helped.desk.count("role_invitation") == 0


def test_another_link_changes_the_role(helped: Class) -> None:
    for role in ("co-teacher", "reader"):
        take_role(helped, HELPER, role)
    page = helped.desk.read(class_staff.load_staff, TEACHER, helped.classroom, NOW)
    assert [member.role for member in page.staff] == ["reader"]


def test_what_is_done_in_a_class_stays_in_it_and_with_whom_it_is_about(helped: Class) -> None:
    """周 and 赵 help in two classes of 王: each link and each role is of one class and of one of them."""
    desk, first = helped.desk, helped.classroom
    account(desk, "赵", "zhao")
    zhao = Caller("zhao")

    def roles() -> list[list[tuple[str, str]]]:
        pages = [desk.read(class_staff.load_staff, TEACHER, classroom, NOW) for classroom in (first, second)]
        return [[(member.login, member.role) for member in page.staff] for page in pages]

    second = second_class(helped)
    for caller in (HELPER, zhao):
        for helped.classroom in (first, second):
            take_role(helped, caller, "assistant")
    used_token = link(helped, "reader")
    take_role(helped, HELPER, "", used_token)
    assert roles() == [[("周", "assistant"), ("赵", "assistant")], [("周", "reader"), ("赵", "assistant")]]
    tokens = {"高一4班": link(helped, "co-teacher")}
    helped.classroom = first
    tokens["高一3班"] = link(helped, "co-teacher")
    for class_name, token in tokens.items():
        offer, _ = desk.read(class_staff.load_offer_and_visitor, COLLEAGUE, token, NOW)
        assert (offer.class_name, offer.role, offer.teacher_login) == (class_name, "co-teacher", "王")
    desk.write(class_staff.withdraw_links, TEACHER, second)
    pages = [desk.read(class_staff.load_staff, TEACHER, classroom, NOW) for classroom in (first, second)]
    assert [page.open_link_count for page in pages] == [1, 0]
    offer, _ = desk.read(class_staff.load_offer_and_visitor, HELPER, used_token, NOW)
    assert (offer.class_name, offer.role, offer.is_taken) == ("高一4班", "reader", True)
    for caller in (HELPER, COLLEAGUE):
        with pytest.raises(NotFound):
            desk.read(class_staff.load_offer_and_visitor, caller, "made up", NOW)
    with pytest.raises(NotFound):
        desk.read(class_staff.load_offer_and_visitor, COLLEAGUE, used_token, NOW)
    [_, second_of_second] = desk.read(class_staff.load_staff, TEACHER, second, NOW).staff
    with pytest.raises(NotFound):
        desk.write(class_staff.remove_staff_member, TEACHER, first, second_of_second.id, NOW)
    desk.write(class_staff.remove_staff_member, TEACHER, second, second_of_second.id + 1, NOW)
    assert roles()[1] == [("周", "reader"), ("赵", "assistant")]
    desk.write(class_staff.remove_staff_member, TEACHER, second, second_of_second.id, NOW)
    assert roles() == [[("周", "assistant"), ("赵", "assistant")], [("周", "reader")]]
    desk.write(class_staff.leave_staff, HELPER, first, NOW)
    assert roles() == [[("赵", "assistant")], [("周", "reader")]]
    for caller, classroom in ((COLLEAGUE, first), (HELPER, second_class(helped, "高一5班"))):
        with pytest.raises(NotFound):
            desk.write(class_staff.leave_staff, caller, classroom, NOW)


def test_who_teaches_or_helps_elsewhere_comes_and_goes_here(helped: Class) -> None:
    """李 has a class of their own and helps 王; 周 helps both, and goes from here alone, tapping twice."""
    desk = helped.desk
    club = desk.write(classrooms.create_class, COLLEAGUE, "社团", NOW)
    token = desk.write(class_staff.create_role_token, COLLEAGUE, club, "reader", NOW)
    offer, _ = desk.read(class_staff.load_offer_and_visitor, HELPER, token, NOW)
    assert offer.teacher_login == "李"
    take_role(helped, HELPER, "", token)
    for caller in (COLLEAGUE, HELPER):
        take_role(helped, caller, "assistant")
    for _ in range(2):
        desk.write(class_staff.leave_staff, HELPER, helped.classroom, NOW)
    for caller, classroom, login in ((TEACHER, helped.classroom, "李"), (COLLEAGUE, club, "周")):
        staff = desk.read(class_staff.load_staff, caller, classroom, NOW).staff
        assert [member.login for member in staff] == [login]


def test_nobody_is_student_and_helper_of_a_class(helped: Class) -> None:
    """They could mark themselves. Neither way in is open, nor that of a student who left."""
    tang = helped.join("小糖", "tang")
    with pytest.raises(Refused, match="改得了自己的分"):
        take_role(helped, TANG, "assistant")
    helped.desk.write(class_members.remove_student, TEACHER, helped.classroom, tang.id, NOW)
    with pytest.raises(Refused, match="改得了自己的分"):
        take_role(helped, TANG, "reader")
    take_role(helped, HELPER, "assistant")
    with pytest.raises(Refused, match="不能再当它的同学"):
        helped.desk.write(joining.join_class, HELPER, helped.code(), "周", "here", NOW)
    with pytest.raises(Refused, match="就是这个班的老师"):
        take_role(helped, TEACHER, "reader")


def second_class(room: Class, name: str = "高一4班") -> int:
    return int(room.desk.write(classrooms.create_class, TEACHER, name, NOW))


@pytest.mark.parametrize("left_work", ["own work", "a mark by hand", "a comment", "a column's mark"])
def test_who_was_moved_away_helps_not_where_their_marks_are(helped: Class, left_work: str) -> None:
    """Their enrolment is another class's now; their work here could still be marked by whoever helps here.
    Who was beside them has no work here, and may help; so may they, where there is none of theirs."""
    desk = helped.desk
    tang, _ = helped.join("小糖", "tang"), helped.join("小序", "xu")
    assignment_id = helped.assign(answers="at_once")
    cell = CellKey(helped.classroom, assignment_id, tang.id)
    if left_work == "own work":
        helped.begin(TANG, assignment_id)
    elif left_work == "a mark by hand":
        desk.write(mark_overrides.override_mark, TEACHER, cell, "1", "口头补答", NOW)
    elif left_work == "a comment":
        desk.write(comments.set_comment, TEACHER, cell, "写得清楚。", NOW)
    else:
        column_id = desk.write(extra_columns.add_column, TEACHER, helped.classroom, "期中", "100", NOW)
        desk.write(extra_columns.set_extra_marks, TEACHER, helped.classroom, column_id, {tang.id: "88"}, NOW)
    other_class, third_class = second_class(helped), second_class(helped, "高一5班")
    for student in helped.students():
        desk.write(class_members.move_student, TEACHER, helped.classroom, student.id, other_class, NOW)
    with pytest.raises(Refused, match="改得了自己的分"):
        take_role(helped, TANG, "assistant")
    take_role(helped, XU, "assistant")
    helped.classroom = third_class
    desk.write(extra_columns.add_column, TEACHER, third_class, "期末", "100", NOW)
    take_role(helped, TANG, "assistant")


def test_who_was_moved_away_before_any_work_may_help(helped: Class) -> None:
    tang = helped.join("小糖", "tang")
    other_class = second_class(helped)
    helped.desk.write(class_members.move_student, TEACHER, helped.classroom, tang.id, other_class, NOW)
    take_role(helped, TANG, "assistant")
    assert helped.desk.count("class_role") == 1


def test_no_helper_is_put_back_as_a_student(helped: Class) -> None:
    """However they came to help: a class that is removed sends back whom it took."""
    tang = helped.join("小糖", "tang")
    helped.desk.write(class_members.remove_student, TEACHER, helped.classroom, tang.id, NOW)
    role_columns = {"classroom_id": helped.classroom, "learner_id": tang.learner_id, "role": "assistant"}
    helped.desk.write(lambda session: session.run(class_staff.ADD_ROLE, **role_columns, created_at=NOW))
    with pytest.raises(Refused, match="不能再当它的同学"):
        helped.desk.write(class_members.put_back_into_class, TEACHER, helped.classroom, tang.id, NOW)


def test_who_helps_reads_nothing_of_the_teachers_other_classes(helped: Class) -> None:
    """小糖 is in two classes of 王; 周 helps in one of them."""
    tang = helped.join("小糖", "tang")
    first = helped.classroom
    helped.classroom = helped.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    helped.desk.write(joining.join_class, TANG, helped.code(), "小糖", "here", NOW)
    assignment_id = helped.assign(answers="at_once")
    helped.begin(TANG, assignment_id)
    helped.answer(TANG, assignment_id, 1, "6")
    helped.classroom = first
    take_role(helped, HELPER, "co-teacher")
    sought: tuple[Any, ...] = (first, tang.id, {}, frozenset())
    for caller, count in ((TEACHER, 1), (HELPER, 0)):
        data, targets = helped.desk.read(student_progress.load_student_and_classes, caller, *sought)
        assert len(data.listed_attempts) == count
        assert len(targets) == count, "to move them there"
        [student] = helped.desk.read(
            class_responses.load_class_and_students, caller, first
        ).gradebook_students
        responses = helped.desk.read(class_responses.load_responses, caller, first, student)
        assert len(responses) == count
        tries = helped.desk.read(class_progress.load_class, caller, first).first_tries_by_learner_id
        assert len(tries) == count


def test_who_is_sent_away_or_goes_or_deletes_the_account_is_out_at_once(helped: Class) -> None:
    take_role(helped, HELPER, "co-teacher")
    [member] = helped.desk.read(class_staff.load_staff, TEACHER, helped.classroom, NOW).staff
    other_class = helped.desk.write(classrooms.create_class, COLLEAGUE, "高二1班", NOW)
    with pytest.raises(NotFound):
        helped.desk.write(class_staff.remove_staff_member, COLLEAGUE, other_class, member.id, NOW)
    for _ in range(2):
        helped.desk.write(class_staff.remove_staff_member, TEACHER, helped.classroom, member.id, NOW)
    with pytest.raises(NotFound):
        helped.desk.write(class_staff.leave_staff, HELPER, helped.classroom, NOW)
    with pytest.raises(NotFound):
        helped.desk.read(class_progress.load_class, HELPER, helped.classroom)
    take_role(helped, HELPER, "reader")
    for _ in range(2):
        helped.desk.write(class_staff.leave_staff, HELPER, helped.classroom, NOW)
    with pytest.raises(NotFound):
        helped.desk.read(class_progress.load_class, HELPER, helped.classroom)
    with pytest.raises(Refused, match="走不了"):
        helped.desk.write(class_staff.leave_staff, TEACHER, helped.classroom, NOW)
    take_role(helped, HELPER, "assistant")
    helped.desk.write(class_staff.leave_staff, HELPER, helped.classroom, NOW)
    assert helped.desk.read(class_staff.load_staff, TEACHER, helped.classroom, NOW).staff == ()
    take_role(helped, HELPER, "assistant")
    assert helped.desk.read(my_data.load_my_data, HELPER, NOW)["class_role"][0]["role"] == "assistant"
    helped.desk.write(my_data.delete_me, HELPER, "hash of 周", NOW)
    assert helped.desk.read(class_staff.load_staff, TEACHER, helped.classroom, NOW).staff == ()
    actions = [line.action for line in helped.desk.read(audit.load_audit, TEACHER, helped.classroom).lines]
    assert actions[:3] == ["staff-joined", "staff-invited", "staff-left"]


def test_the_log_of_a_helper_who_deletes_the_account_still_says_what_was_done(helped: Class) -> None:
    """周 is a student elsewhere, so that their row stays: what was written about them there goes."""
    first, training = helped.classroom, helped.desk.write(classrooms.create_class, TEACHER, "教师培训班", NOW)
    helped.classroom = training
    helped.desk.write(joining.join_class, HELPER, helped.code(), "周", "here", NOW)
    [enrolment] = helped.students()
    mark_of_helper = (CellKey(training, helped.assign(), enrolment.id), "1", "周说病了", NOW)
    helped.desk.write(mark_overrides.override_mark, TEACHER, *mark_of_helper)
    helped.classroom = first
    tang, assignment_id = helped.join("小糖", "tang"), helped.assign()
    take_role(helped, HELPER, "co-teacher")
    mark(helped, tang, assignment_id)
    before = helped.desk.read(audit.load_audit, TEACHER, first).lines[0]
    assert (before.action, before.actor_login, before.detail["reason"]) == ("override", "周", "口头补答")
    helped.desk.write(my_data.delete_me, HELPER, "hash of 周", NOW)
    after = helped.desk.read(audit.load_audit, TEACHER, first).lines[0]
    assert after == before._replace(actor_login=None)
    assert helped.desk.read(audit.load_audit, TEACHER, training).lines[0].detail == {}
    actor_ids = {actor_id for (actor_id,) in helped.desk.rows("SELECT actor_id FROM audit")}
    [teacher_row] = helped.desk.rows("SELECT learner_id FROM account WHERE login = ?", "王")
    assert actor_ids == {None, *teacher_row}


def test_the_password_of_a_student_who_helps_another_teacher_is_not_reset(helped: Class) -> None:
    """With it 李 could sign in and mark in the class of 王. Who helps 李 alone is reset as before."""
    desk, reset = helped.desk, password_slips.reset_passwords
    club = desk.write(classrooms.create_class, COLLEAGUE, "社团", NOW)
    choir = desk.write(classrooms.create_class, COLLEAGUE, "合唱团", NOW)
    code = desk.read(classrooms.taught_class, COLLEAGUE, club).code
    lin = Caller("lin")
    desk.write(joining.join_with_new_account, Caller(), code, *newcomer("小林", "lin"), NOW)
    [student] = desk.read(classrooms.load_present_and_former_students, club)
    token = desk.write(class_staff.create_role_token, COLLEAGUE, choir, "assistant", NOW)
    take_role(helped, lin, "", token)
    take_role(helped, lin, "reader")
    assert desk.read(password_slips.resettable_enrolment_ids, COLLEAGUE, club) == []
    with pytest.raises(Refused, match="小林在别的老师的班里帮着教"):
        desk.write(reset, COLLEAGUE, club, {student.id: "new"}, NOW)
    assert password_hash(helped) == "hash"
    desk.write(class_staff.leave_staff, lin, helped.classroom, NOW)
    assert desk.read(password_slips.resettable_enrolment_ids, COLLEAGUE, club) == [student.id]
    desk.write(reset, COLLEAGUE, club, {student.id: "new"}, NOW)
    assert password_hash(helped) == "new"


def password_hash(room: Class) -> str:
    [(stored_hash,)] = room.desk.rows("SELECT password_hash FROM account WHERE login = ?", "小林")
    return str(stored_hash)


def test_what_a_helper_does_to_roster_and_notices_is_in_the_log(helped: Class) -> None:
    """Each with the name of who did it; what changed nothing leaves no line."""
    desk, classroom = helped.desk, helped.classroom
    tang = helped.join("小糖", "tang")
    take_role(helped, HELPER, "co-teacher")
    deeds: dict[str, tuple[Any, ...]] = {
        "class-name": (classrooms.rename_class, "高一33班", NOW),
        "notice": (notices.set_notice, "周五小测", 7, NOW),
        "number-at-door": (student_numbers.set_number_at_door, True, NOW),
        "student-details": (student_numbers.set_student_details, tang.id, "小唐", "2026", "7", NOW),
        "student-out": (class_members.remove_student, tang.id, NOW),
        "student-back": (class_members.put_back_into_class, tang.id, NOW),
        "roster": (roster_imports.import_entries, (RosterEntry(2, "小序"),), ("hash",), NOW),
    }
    for verb, *arguments in deeds.values():
        desk.write(verb, HELPER, classroom, *arguments)
    lines = desk.read(audit.load_audit, TEACHER, classroom).lines[: len(deeds)]
    assert {line.action for line in lines} == set(deeds)
    assert {line.actor_login for line in lines} == {"周"}
    for action in ("class-name", "notice", "number-at-door", "student-details", "student-back"):
        verb, *arguments = deeds[action]
        desk.write(verb, HELPER, classroom, *arguments)
    assert desk.read(audit.load_audit, TEACHER, classroom).lines[: len(deeds)] == lines


@pytest.mark.parametrize("with_staff", [True, False])
def test_who_helps_goes_on_into_the_next_term_where_that_is_wanted(helped: Class, with_staff: bool) -> None:
    take_role(helped, HELPER, "assistant")
    next_semester = class_ends.NextSemester("高二3班", takes_staff=with_staff)
    target = helped.desk.write(class_ends.carry_class_over, TEACHER, helped.classroom, next_semester, NOW)
    staff = helped.desk.read(class_staff.load_staff, TEACHER, target, NOW).staff
    expected = []
    if with_staff:
        expected = [("周", "assistant")]
    assert [(member.login, member.role) for member in staff] == expected


def test_who_has_a_role_in_the_next_class_keeps_that_one(helped: Class) -> None:
    """The log says how many came along, and nothing where nobody did."""
    desk, first = helped.desk, helped.classroom
    take_role(helped, HELPER, "assistant")
    second = helped.classroom = second_class(helped)
    take_role(helped, HELPER, "reader")
    desk.write(class_staff.copy_roles, TEACHER, first, second, NOW)
    assert desk.read(audit.load_audit, TEACHER, second).lines[0].action == "staff-joined"
    helped.classroom = first
    take_role(helped, COLLEAGUE, "co-teacher")
    desk.write(class_staff.copy_roles, TEACHER, first, second, NOW)
    staff = desk.read(class_staff.load_staff, TEACHER, second, NOW).staff
    assert [(member.login, member.role) for member in staff] == [("周", "reader"), ("李", "co-teacher")]
    line = desk.read(audit.load_audit, TEACHER, second).lines[0]
    assert (line.action, line.detail) == ("staff-carried", {"count": 1})


def test_the_password_of_who_still_has_classes_is_not_reset(helped: Class) -> None:
    """小糖 was a teacher once, and is called one no more; the password still opens the class."""
    desk = helped.desk
    tang = helped.join("小糖", "tang")
    desk.write(teachers.accept_invitation, TANG, desk.write(teachers.create_invitation_token, NOW), NOW)
    desk.write(classrooms.create_class, TANG, "社团", NOW)
    with desk.other_program() as connection:
        connection.execute("UPDATE account SET teacher = ? WHERE login = ?", (False, "小糖"))
    assert desk.read(password_slips.resettable_enrolment_ids, TEACHER, helped.classroom) == []
    with pytest.raises(Refused, match="也是一位老师"):
        desk.write(password_slips.reset_passwords, TEACHER, helped.classroom, {tang.id: "x"}, NOW)
