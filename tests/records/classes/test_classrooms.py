"""Classes: reached by their teacher alone, joined by an open code, left and entered again without loss."""

from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from app.records.accounts import accounts, learners, throttle
from app.records.accounts.values import Browser, Caller
from app.records.assignments import audit
from app.records.classes import class_members, classrooms, joining, password_slips, roster_imports
from app.records.classes.roster_files import RosterEntry
from app.records.db.errors import NotFound, NotPermitted, Refused, Throttled
from app.records.db.statements import ReusableStatement, Row
from app.records.insight import attended_class, class_progress, item_stats, student_progress
from app.records.learning import lesson_progress
from app.records.learning.responding import respond
from app.records.learning.values import ProgressData, StageTally
from app.records.people import class_ends, class_staff, my_data, operator_accounts, teachers
from tests.records.assigned import Class, account
from tests.records.cast import COURSE, ITEM, LESSON, NOW, STAGE, WHY, Desk, answer, newcomer
from tests.records.classes.classroom import COLLEAGUE, TEACHER, code, join, students
from tests.records.term import term


def test_a_code_has_no_look_alikes_and_is_read_as_typed(desk: Desk, classroom: int) -> None:
    join_code = code(desk, classroom)
    assert len(join_code) == 6
    assert not set(join_code) & set("01OIL")
    assert (
        desk.read(
            joining.load_open_class, Caller(), f" {join_code[:3].lower()}-{join_code[3:]} ", NOW
        ).teacher_login
        == "王"
    )


def test_a_double_click_makes_one_class(desk: Desk, classroom: int) -> None:
    soon = NOW + timedelta(seconds=30)
    assert desk.write(classrooms.create_class, TEACHER, " 高一3班 ", soon) == classroom
    assert desk.write(classrooms.create_class, COLLEAGUE, "高一3班", soon) != classroom
    join(desk, classroom, "小糖", "t")
    second = desk.write(classrooms.create_class, TEACHER, "高一3班", soon)
    assert second != classroom, "the first one is in use"
    assert desk.write(classrooms.create_class, TEACHER, "高一3班", soon + timedelta(hours=1)) not in (
        classroom,
        second,
    )


@pytest.mark.parametrize("how", ["late", "closed", "renewed", "archived"])
def test_a_closed_code_opens_nothing(desk: Desk, classroom: int, how: str) -> None:
    old, at = code(desk, classroom), NOW
    match how:
        case "late":
            at = NOW + timedelta(minutes=45)
        case "closed":
            desk.write(classrooms.close_join_code, TEACHER, classroom)
        case "renewed":
            desk.write(classrooms.open_join_code, TEACHER, classroom, NOW, True)
        case "archived":
            desk.write(classrooms.archive_class, TEACHER, classroom, NOW)
    with pytest.raises(NotFound):
        desk.read(joining.load_open_class, Caller(), old, at)
    with pytest.raises(NotFound):
        desk.write(joining.join_with_new_account, Caller(), old, *newcomer("小糖", "t"), at)
    assert desk.count("enrolment") == 0


def test_a_code_is_open_for_a_lesson(desk: Desk, classroom: int) -> None:
    last_moment = NOW + timedelta(minutes=45) - timedelta(seconds=1)
    open_class = desk.read(joining.load_open_class, Caller(), code(desk, classroom), last_moment)
    assert open_class.teacher_login == "王"


def test_a_code_leads_to_its_own_class(desk: Desk, classroom: int) -> None:
    colleagues_class = desk.write(classrooms.create_class, COLLEAGUE, "数学社", NOW)
    desk.write(classrooms.open_join_code, COLLEAGUE, colleagues_class, NOW, True)
    join_code = desk.read(classrooms.taught_class, COLLEAGUE, colleagues_class).code
    open_class = desk.read(joining.load_open_class, Caller(), join_code, NOW)
    assert (open_class.classroom.name, open_class.teacher_login) == ("数学社", "李")
    open_class = desk.read(joining.load_open_class, Caller(), code(desk, classroom), NOW)
    assert (open_class.classroom.name, open_class.teacher_login) == ("高一3班", "王")


def test_an_account_is_of_the_class_with_which_it_was_made(desk: Desk, classroom: int) -> None:
    tang = join(desk, classroom, "小糖", "t")
    account(desk, "小序", "u")
    desk.write(joining.join_class, Caller("u"), code(desk, classroom), "小序", "here", NOW)
    [xu] = [student for student in students(desk, classroom) if student.name == "小序"]
    are_class_accounts = [desk.read(joining.has_class_account, student.id) for student in (tang, xu)]
    assert are_class_accounts == [True, False]


def test_a_class_account_gets_a_name_of_its_own_to_sign_in_with(desk: Desk, classroom: int) -> None:
    account(desk, "小糖", "elsewhere")
    assert join(desk, classroom, "小糖", "t").login == "小糖2"


def test_a_name_in_a_class_is_never_shared(desk: Desk, classroom: int) -> None:
    join(desk, classroom, "小糖", "t")
    with pytest.raises(Refused, match="班里已经有一位"):
        join(desk, classroom, " 小 糖", "u")
    assert desk.count("account") == 3


def test_a_guest_s_work_comes_along_into_the_class(desk: Desk, classroom: int) -> None:
    desk.write(respond, Caller(proposed_token="guest"), LESSON, answer("4.26"), COURSE, NOW)
    desk.write(
        joining.join_with_new_account, Caller("guest"), code(desk, classroom), *newcomer("小糖", "t"), NOW
    )
    class_data = desk.read(class_progress.load_class, TEACHER, classroom)
    assert class_data.first_tries_by_learner_id[class_data.students[0].learner_id] == (ITEM, "1000001")
    assert desk.read(learners.find_learner_id, Caller("guest")) is None


def test_what_was_worked_out_together_was_not_right_at_once(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    desk.write(respond, Caller("t"), LESSON, answer("4.2"), COURSE, NOW)
    firsts = desk.read(class_progress.load_class, TEACHER, classroom).first_tries_by_learner_id
    assert firsts[student.learner_id] == (ITEM, "1000000")
    student_data, _ = desk.read(
        student_progress.load_student_and_classes, TEACHER, classroom, student.id, {}, ()
    )
    [work] = student_data.listed_attempts
    assert (work.item_count, work.right_count) == (1, 0)
    [first] = desk.read(item_stats.load_item_stats, TEACHER, classroom, None).first_answers
    assert not first.is_right


def test_a_teacher_sees_what_a_student_learnt_also_once_it_is_learnt_again(
    desk: Desk, classroom: int
) -> None:
    student = join(desk, classroom, "小糖", "t")
    caller = Caller("t")
    desk.write(lesson_progress.save_place, caller, STAGE, WHY, 6, True, NOW)
    desk.write(respond, caller, LESSON, answer("4.26"), COURSE, NOW)

    def student_progress_data() -> ProgressData:
        student_data, _ = desk.read(
            student_progress.load_student_and_classes, TEACHER, classroom, student.id, {}, ()
        )
        return student_data.progress

    progress_before = student_progress_data()
    assert [place.is_done for place in progress_before.reached_places] == [True]
    assert progress_before.stage_tallies == (StageTally(STAGE, right_count=1),)
    desk.write(lesson_progress.begin_stage_again, caller, STAGE, WHY, NOW)
    assert student_progress_data() == progress_before


def test_joining_twice_is_harmless_and_may_be_in_several_classes(desk: Desk, classroom: int) -> None:
    account(desk, "小糖", "t")
    other_class = desk.write(classrooms.create_class, COLLEAGUE, "数学社", NOW)
    for _ in range(2):
        desk.write(joining.join_class, Caller("t"), code(desk, classroom), "糖糖", "here", NOW)
    other_code = desk.read(classrooms.taught_class, COLLEAGUE, other_class).code
    desk.write(joining.join_class, Caller("t"), other_code, "小糖", "here", NOW)
    assert [entry.name for entry in desk.read(classrooms.load_class_lists, Caller("t")).joined_classes] == [
        "数学社",
        "高一3班",
    ]
    assert desk.count("enrolment") == 2


def test_removed_and_put_back_with_everything(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    desk.write(respond, Caller("t"), LESSON, answer("4.26"), COURSE, NOW)
    desk.write(class_members.remove_student, TEACHER, classroom, student.id, NOW)
    class_data = desk.read(class_progress.load_class, TEACHER, classroom)
    assert (
        class_data.students,
        [member.name for member in class_data.removed_students],
        class_data.first_tries_by_learner_id,
    ) == (
        (),
        ["小糖"],
        {},
    )
    with pytest.raises(NotFound):
        desk.read(student_progress.load_student_and_classes, TEACHER, classroom, student.id, {}, ())
    with pytest.raises(NotFound):
        desk.read(attended_class.load_attended_class, Caller("t"), classroom)
    desk.write(class_members.put_back_into_class, TEACHER, classroom, student.id, NOW)
    class_data = desk.read(class_progress.load_class, TEACHER, classroom)
    assert class_data.first_tries_by_learner_id[student.learner_id] == (ITEM, "1000001")


def test_moving_there_and_back(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    other_class = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    foreign = desk.write(classrooms.create_class, COLLEAGUE, "数学社", NOW)
    with pytest.raises(NotFound):
        desk.write(class_members.move_student, TEACHER, classroom, student.id, foreign, NOW)
    desk.write(class_members.move_student, TEACHER, classroom, student.id, other_class, NOW)
    assert students(desk, classroom) == ()
    [moved] = students(desk, other_class)
    desk.write(class_members.move_student, TEACHER, other_class, moved.id, classroom, NOW)
    assert [member.name for member in students(desk, classroom)] == ["小糖"]
    with pytest.raises(Refused):
        desk.write(class_members.move_student, TEACHER, classroom, moved.id, classroom, NOW)


def test_who_moves_into_a_class_of_before_leaves_the_present_one(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    other_class = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    desk.write(class_members.remove_student, TEACHER, classroom, student.id, NOW)
    code_of_other = desk.read(classrooms.taught_class, TEACHER, other_class).code
    desk.write(joining.join_class, Caller("t"), code_of_other, "糖糖", "here", NOW)
    [present] = students(desk, other_class)
    later = NOW + timedelta(days=1)
    desk.write(class_members.move_student, TEACHER, other_class, present.id, classroom, later)
    [returned] = students(desk, classroom)
    assert (returned.id, returned.name) == (student.id, "小糖"), "the enrolment of before"
    assert students(desk, other_class) == ()
    [left] = desk.read(classrooms.load_present_and_former_students, other_class)
    assert (left.id, left.removed_at) == (present.id, later)


CLOSE_CODE, RENAME = (
    classrooms.close_join_code,
    partial(classrooms.rename_class, class_name="别的班", now=NOW),
)
ARCHIVE, RESTORE = (partial(verb, now=NOW) for verb in (classrooms.archive_class, class_ends.restore_class))


HELPER, PARTNER = (
    ("assistant", "助教，这件事要老师或者合作老师"),
    ("co-teacher", "合作老师，这件事要老师本人"),
)


@pytest.mark.parametrize(
    ("role_and_words", "verb"),
    [(HELPER, CLOSE_CODE), (HELPER, RENAME), (PARTNER, ARCHIVE), (PARTNER, RESTORE)],
)
def test_who_helps_may_not_do_what_is_for_more_than_their_role(
    room: Class, role_and_words: tuple[str, str], verb: Any
) -> None:
    role, words = role_and_words
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, role, NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    with pytest.raises(NotPermitted, match=f"^你在这个班是{words}来做。请找王。$"):
        room.desk.write(lambda session: verb(session, COLLEAGUE, room.classroom))


def test_restoring_what_is_not_archived_leaves_its_code_open(desk: Desk, classroom: int) -> None:
    before = desk.read(classrooms.taught_class, TEACHER, classroom)
    desk.write(class_ends.restore_class, TEACHER, classroom, NOW)
    assert desk.read(classrooms.taught_class, TEACHER, classroom) == before


def test_an_archived_class_is_only_looked_at(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    desk.write(classrooms.archive_class, TEACHER, classroom, NOW)
    for verb, *args in (
        (classrooms.rename_class, "新名", NOW),
        (class_members.remove_student, student.id, NOW),
        (classrooms.open_join_code, NOW),
        (password_slips.reset_passwords, {student.id: "x"}, NOW),
    ):
        with pytest.raises(Refused, match="归档"):
            desk.write(verb, TEACHER, classroom, *args)
    assert students(desk, classroom)
    class_lists = desk.read(classrooms.load_class_lists, Caller("t"))
    assert class_lists.joined_classes == ()
    assert [ended_class.name for ended_class in class_lists.ended_classes] == ["高一3班"]
    desk.write(class_ends.restore_class, TEACHER, classroom, NOW)
    class_lists = desk.read(classrooms.load_class_lists, Caller("t"))
    assert [joined_class.name for joined_class in class_lists.joined_classes] == ["高一3班"]
    assert class_lists.ended_classes == ()


def test_a_reset_signs_the_student_out_but_never_a_teacher(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    desk.write(password_slips.reset_passwords, TEACHER, classroom, {student.id: "new"}, NOW)
    assert desk.read(learners.find_learner_id, Caller("t")) is None
    assert desk.write(accounts.count_sign_in_try, "小糖", Browser("here"), NOW) == "new"
    desk.write(joining.join_class, COLLEAGUE, code(desk, classroom), "李", "here", NOW)
    colleague = next(member for member in students(desk, classroom) if member.name == "李")
    with pytest.raises(Refused, match="也是一位老师"):
        desk.write(
            password_slips.reset_passwords, TEACHER, classroom, {student.id: "x", colleague.id: "x"}, NOW
        )
    assert desk.write(accounts.count_sign_in_try, "小糖", Browser("here"), NOW) == "new", "nothing half-done"


def test_slips_are_for_accounts_that_were_made_for_a_class_of_this_teacher(
    desk: Desk, classroom: int
) -> None:
    """By its code or its roster, also after a move to another of their classes; nobody else's password."""
    enrolment_id = join(desk, classroom, "小糖", "t")
    desk.write(
        roster_imports.import_entries, TEACHER, classroom, (RosterEntry(2, "小序", "01"),), ("a",), NOW
    )
    account(desk, "小方", "own")
    desk.write(joining.join_class, Caller("own"), code(desk, classroom), "小方", "here", NOW)
    of_teacher = {student.name: student for student in students(desk, classroom)}
    assert desk.read(password_slips.resettable_enrolment_ids, TEACHER, classroom) == [
        of_teacher["小序"].id,
        enrolment_id.id,
    ]
    hashes = {enrolment_id.id: "x", of_teacher["小方"].id: "x"}
    with pytest.raises(Refused, match="小方用的是自己的账号"):
        desk.write(password_slips.reset_passwords, TEACHER, classroom, hashes, NOW)
    assert desk.read(learners.find_learner_id, Caller("own")) is not None
    other_class = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    desk.write(
        class_members.move_student, TEACHER, classroom, enrolment_id.id, other_class, NOW + timedelta(days=1)
    )
    assert desk.read(password_slips.resettable_enrolment_ids, TEACHER, other_class) == [enrolment_id.id]
    foreign = desk.write(classrooms.create_class, COLLEAGUE, "社团", NOW)
    desk.write(classrooms.open_join_code, COLLEAGUE, foreign, NOW)
    foreign_code = desk.read(classrooms.taught_class, COLLEAGUE, foreign).code
    desk.write(joining.join_class, Caller("t"), foreign_code, "小糖", "here", NOW)
    assert desk.read(password_slips.resettable_enrolment_ids, COLLEAGUE, foreign) == []
    [member] = desk.read(classrooms.load_present_and_former_students, foreign)
    with pytest.raises(Refused, match="自己的账号"):
        desk.write(password_slips.reset_passwords, COLLEAGUE, foreign, {member.id: "x"}, NOW)


def test_no_password_is_set_for_who_has_left_or_has_no_account_any_more(desk: Desk, classroom: int) -> None:
    """A page that was open before still shows them."""
    leaver = join(desk, classroom, "小糖", "t")
    leaver_without_account = join(desk, classroom, "小序", "x")
    desk.write(class_members.remove_student, TEACHER, classroom, leaver.id, NOW)
    with desk.other_program() as connection:
        connection.execute("DELETE FROM account WHERE login = ?", ("小序",))
    for student in (leaver, leaver_without_account):
        with pytest.raises(Refused, match=f"{student.name}现在没有账号，或者已经不在班里"):
            desk.read(password_slips.load_resettable_students, TEACHER, classroom, [student.id])
        with pytest.raises(Refused, match="不在班里"):
            desk.write(password_slips.reset_passwords, TEACHER, classroom, {student.id: "new"}, NOW)
    assert desk.rows("SELECT password_hash FROM account WHERE login = ?", "小糖") == [("hash",)]


def test_so_many_passwords_are_set_at_once(desk: Desk, classroom: int) -> None:
    with pytest.raises(NotFound):
        desk.read(password_slips.load_resettable_students, TEACHER, classroom, range(1000, 1200))
    with pytest.raises(Refused, match="一次最多给200位换密码"):
        desk.read(password_slips.load_resettable_students, TEACHER, classroom, range(1000, 1201))


def test_wrong_codes_are_limited_for_each_address(
    desk: Desk, classroom: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    join_code, at = code(desk, classroom), NOW + throttle.WRONG_CODE_LIMIT.period
    monkeypatch.setattr(
        throttle, "WRONG_CODES_OF_ADDRESS_LIMIT", throttle.WRONG_CODES_OF_ADDRESS_LIMIT._replace(most_tries=4)
    )
    for _ in range(4):
        desk.write(joining.count_wrong_join_code, "here", NOW)
    for verb in (desk.read, desk.write):
        with pytest.raises(Throttled, match="10分钟"):
            verb(joining.load_joinable_class, Caller(), join_code, "here", NOW)
    with pytest.raises(Throttled):
        join(desk, classroom, "小糖", "t")
    assert desk.read(joining.load_joinable_class, Caller(), join_code, "elsewhere", NOW).teacher_login == "王"
    assert desk.read(joining.load_joinable_class, Caller(), join_code, "here", at).teacher_login == "王"


def test_a_class_comes_in_from_one_address_while_somebody_guesses(desk: Desk, classroom: int) -> None:
    join_code = code(desk, classroom)
    for number in range(60):
        with suppress(Throttled):
            desk.write(joining.count_wrong_join_code, "here", NOW, "guesser")
        assert (
            desk.read(
                joining.load_joinable_class, Caller(), join_code, "here", NOW, f"phone {number}"
            ).teacher_login
            == "王"
        )
        join(desk, classroom, f"同学{number}", f"t{number}")
    assert len(students(desk, classroom)) == 60
    with pytest.raises(Throttled):
        desk.read(joining.load_joinable_class, Caller(), join_code, "here", NOW, "guesser")


def test_who_was_removed_waits_for_the_teacher(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    desk.write(class_members.remove_student, TEACHER, classroom, student.id, NOW)
    open_class = desk.read(joining.load_open_class, Caller("t"), code(desk, classroom), NOW)
    assert open_class.student
    assert (open_class.student.name, open_class.student.removed_at) == ("小糖", NOW)
    with pytest.raises(Refused, match="请老师放你回来"):
        desk.write(joining.join_class, Caller("t"), code(desk, classroom), "换个名字", "here", NOW)
    assert students(desk, classroom) == ()
    desk.write(class_members.put_back_into_class, TEACHER, classroom, student.id, NOW)
    desk.write(joining.join_class, Caller("t"), code(desk, classroom), "小糖", "here", NOW)
    assert [member.name for member in students(desk, classroom)] == ["小糖"]


def test_who_is_signed_in_is_told_that_an_account_may_be_there(desk: Desk, classroom: int) -> None:
    join(desk, classroom, "小糖", "t")
    account(desk, "糖糖", "u")
    with pytest.raises(Refused, match="老师可能已经替你建了一个账号"):
        desk.write(joining.join_class, Caller("u"), code(desk, classroom), "小糖", "here", NOW)


def test_an_invitation_makes_one_teacher_within_a_week(desk: Desk) -> None:
    account(desk, "小糖", "t")
    first = desk.write(teachers.invite_first_teacher, NOW)
    assert first
    assert desk.write(teachers.invite_first_teacher, NOW) is None, "said once"
    with pytest.raises(NotFound):
        desk.read(teachers.expect_open_invitation, first, NOW + timedelta(days=7))
    desk.read(teachers.expect_open_invitation, first, NOW + timedelta(days=7) - timedelta(seconds=1))
    desk.write(teachers.sign_up, Caller(), first, *newcomer("王", "teacher"), NOW)
    with pytest.raises(NotFound):
        desk.write(teachers.sign_up, Caller(), first, *newcomer("李", "colleague"), NOW)
    second = desk.write(teachers.create_invitation_token, NOW)
    desk.write(teachers.accept_invitation, Caller("t"), second, NOW)
    assert [row.login for row in desk.read(operator_accounts.load_teachers)] == ["小糖", "王"]
    desk.write(teachers.accept_invitation, Caller("t"), second, NOW)
    assert desk.write(teachers.create_invitation_token, NOW), "an open one, which opens nothing to them"
    for caller, token in ((Caller("teacher"), "no such link"), (Caller("colleague"), second)):
        with pytest.raises(NotFound, match="用过了"):
            desk.write(teachers.accept_invitation, caller, token, NOW)


def test_who_teaches_already_uses_up_no_invitation(desk: Desk) -> None:
    account(desk, "王", "teacher", teacher=True)
    token = desk.write(teachers.create_invitation_token, NOW)
    assert not desk.write(teachers.accept_invitation, Caller("teacher"), token, NOW)
    assert desk.write(teachers.sign_up, Caller(), token, *newcomer("李", "colleague"), NOW)


def test_the_operator_stops_and_helps_any_account(desk: Desk, classroom: int) -> None:
    account(desk, "小糖", "t")
    join(desk, classroom, "小圆", "u")
    left = join(desk, classroom, "小方", "f")
    desk.write(class_members.remove_student, TEACHER, classroom, left.id, NOW)
    desk.write(operator_accounts.reset_password, "小 糖", "x", NOW)
    assert desk.write(accounts.count_sign_in_try, "小糖", Browser("here"), NOW) == "x", "also without a class"
    assert desk.read(learners.find_learner_id, Caller("t")) is None
    with pytest.raises(Refused, match="没有叫“小序”的账号"):
        desk.write(operator_accounts.reset_password, "小序", "x", NOW)
    desk.write(operator_accounts.disable_account, "王", NOW)
    assert desk.write(accounts.count_sign_in_try, "王", Browser("here"), NOW) is None
    with pytest.raises(NotFound):
        desk.read(classrooms.taught_class, TEACHER, classroom)
    desk.write(operator_accounts.enable_account, "王")
    desk.write(operator_accounts.reset_password, "王", "new", NOW)
    assert desk.write(accounts.count_sign_in_try, "王", Browser("here"), NOW) == "new"
    listed = [
        (row.login, row.taught_class_count, row.attended_class_count)
        for row in desk.read(operator_accounts.all_accounts)
    ]
    assert sorted(listed) == [("小圆", 0, 1), ("小方", 0, 0), ("小糖", 0, 0), ("李", 0, 0), ("王", 1, 0)]


def test_my_data_is_all_of_mine_and_nothing_else(desk: Desk, classroom: int) -> None:
    join(desk, classroom, "小糖", "t")
    join(desk, classroom, "小序", "u")
    desk.write(respond, Caller("t"), LESSON, answer("4.26"), COURSE, NOW)
    told_rows = desk.read(my_data.load_my_data, Caller("t"), NOW)
    assert [row["name"] for row in told_rows["enrolment"]] == ["小糖"]
    assert [row["raw"] for row in told_rows["response"]] == ['["4.26"]']
    assert "小序" not in str(told_rows)
    assert "hash" not in {name for rows in told_rows.values() for row in rows for name in row}
    assert not any("token" in name for rows in told_rows.values() for row in rows for name in row)


def test_deleting_oneself_outside_of_classes_leaves_nothing(desk: Desk, classroom: int) -> None:
    account(desk, "小糖", "t")
    desk.write(respond, Caller("t"), LESSON, answer("4.26"), COURSE, NOW)
    with pytest.raises(NotFound):
        desk.write(my_data.delete_me, Caller("t"), "a wrong hash", NOW)
    with pytest.raises(NotFound):
        desk.write(my_data.delete_me, Caller("t"), None, NOW)
    desk.write(my_data.delete_me, Caller("t"), "hash of 小糖", NOW)
    assert [desk.count(name) for name in ("learner", "account", "attempt", "response")] == [2, 2, 0, 0]


def test_deleting_oneself_in_a_class_leaves_results_without_a_name(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    for number, text in ((1, "4.76"), (2, "4.26")):
        desk.write(respond, Caller("t"), LESSON, answer(text, number), COURSE, NOW)
    desk.write(my_data.delete_me, Caller("t"), "hash", NOW)
    class_data = desk.read(class_progress.load_class, TEACHER, classroom)
    assert [(member.name, member.login, member.student_number) for member in class_data.students] == [
        (my_data.NAME_OF_DELETED, None, "")
    ]
    assert class_data.first_tries_by_learner_id[student.learner_id] == (ITEM, "1000000")
    assert desk.rows("SELECT verdict, raw, value FROM response") == [
        ("wrong", "[]", None),
        ("right", "[]", None),
    ]
    rows = str(
        [desk.rows(f"SELECT * FROM {name}") for name in ("account", "enrolment", "sign_in", "learner")]
    )
    assert "小糖" not in rows
    assert desk.read(learners.find_learner_id, Caller("t")) is None
    join(desk, classroom, "小糖", "again")


def test_a_teacher_goes_after_the_classes(desk: Desk, classroom: int) -> None:
    with pytest.raises(Refused, match="高一3班"):
        desk.write(my_data.delete_me, TEACHER, "hash of 王", NOW)
    desk.write(classrooms.archive_class, TEACHER, classroom, NOW + timedelta(1))
    desk.write(my_data.delete_me, TEACHER, "hash of 王", NOW)
    assert desk.count("classroom") == 0


@pytest.mark.parametrize(
    ("kind", "moment", "values"),
    [
        ("reveal", "created_at", {"ref": "x", "round": 1, "position": 1}),
        (
            "game_move",
            "created_at",
            {"game": "duel", "level": 0, "seed": 1, "position": 1}
            | {"move": "guess", "raw": "", "step": "1", "verdict": "right"},
        ),
        (
            "review_log",
            "reviewed_at",
            {"card": "x", "number": 1, "rating": 3, "day": "2026-09-01", "state": "new", "interval_days": 0}
            | {"first": True, "retention": 0.9, "scheduler": "s", "before": "{}", "after": "{}"},
        ),
    ],
)
def test_whatever_a_student_does_is_a_sign_of_them(
    desk: Desk, classroom: int, kind: str, moment: str, values: dict[str, Any]
) -> None:
    desk.is_summed = False
    student = join(desk, classroom, "小糖", "t")
    join(desk, classroom, "小序", "u")
    desk.write(respond, Caller("t"), LESSON, answer("4.26"), COURSE, NOW)
    with term(desk.url, classroom, NOW) as write:
        write.insert("scheduler_version", hash="s", version="", parameters="", created_at=write.at(0))
        write.insert(kind, learner_id=student.learner_id, **{moment: write.at(30)}, **values)
    last_active = desk.read(class_progress.load_class, TEACHER, classroom).last_active_time_by_learner_id
    assert last_active == {student.learner_id: NOW + timedelta(minutes=30)}


def test_another_try_is_a_sign_of_a_student_as_the_first_one_is(desk: Desk, classroom: int) -> None:
    student = join(desk, classroom, "小糖", "t")
    for number, minutes in ((1, 0), (2, 5)):
        now = NOW + timedelta(minutes=minutes)
        desk.write(respond, Caller("t"), LESSON, answer("9", number), COURSE, now)
    last_active = desk.read(class_progress.load_class, TEACHER, classroom).last_active_time_by_learner_id
    assert last_active == {student.learner_id: NOW + timedelta(minutes=5)}


def test_a_class_page_asks_a_fixed_number_of_questions(desk: Desk, classroom: int) -> None:
    for number in range(3):
        join(desk, classroom, f"同学{number}", f"t{number}")
    assert statement_count(desk, classroom) <= 6


def statement_count(desk: Desk, classroom: int) -> int:
    """How many statements the page of a class takes."""
    counted: list[ReusableStatement] = []
    real = ReusableStatement.run

    def counting(self: ReusableStatement, *args: Any) -> list[Row]:
        counted.append(self)
        return real(self, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReusableStatement, "run", counting)
        desk.read(class_progress.load_class, TEACHER, classroom)
    return len(counted)


def test_a_class_has_its_new_name_and_the_log_both(desk: Desk, classroom: int) -> None:
    former_name = desk.read(classrooms.taught_class, TEACHER, classroom).name
    for _ in range(2):
        desk.write(classrooms.rename_class, TEACHER, classroom, " 高二 3班 ", NOW)
    assert desk.read(classrooms.taught_class, TEACHER, classroom).name == "高二 3班"
    lines = desk.read(audit.load_audit, TEACHER, classroom).lines
    assert [(line.action, line.detail) for line in lines] == [
        ("class-name", {"name": [former_name, "高二 3班"]})
    ]


def test_a_code_stays_until_another_is_asked_for(desk: Desk, classroom: int) -> None:
    first_code = code(desk, classroom)
    desk.write(classrooms.open_join_code, TEACHER, classroom, NOW)
    assert code(desk, classroom) == first_code
    desk.write(classrooms.open_join_code, TEACHER, classroom, NOW, True)
    assert code(desk, classroom) != first_code


def test_whoever_is_in_the_other_class_too_is_not_moved_there(desk: Desk, classroom: int) -> None:
    present = join(desk, classroom, "小糖", "tang")
    other_class = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    desk.write(classrooms.open_join_code, TEACHER, other_class, NOW)
    desk.write(joining.join_class, Caller("tang"), code(desk, other_class), "小糖", "here", NOW)
    with pytest.raises(Refused, match="小糖已经在那个班里了"):
        desk.write(class_members.move_student, TEACHER, classroom, present.id, other_class, NOW)
