"""How a class ends: it is gone for good, or its students go on into the class of the next semester; and how
one that was put away comes back."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, exists, func, or_, select, union

from app.course.text.typed import name_key
from app.records.accounts import learners
from app.records.accounts.learners import ACCOUNT
from app.records.accounts.values import Caller
from app.records.assignments import assigned, deadlines, drafts, time_limits
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.rows import (
    ASSIGNMENT,
    IS_ASSIGNMENT_OF_CLASS,
    IS_HANDED_IN,
    OVERRIDE,
    SUBMISSION,
)
from app.records.classes import (
    class_log,
    class_members,
    classrooms,
    groups,
    joining,
    password_slips,
    student_numbers,
)
from app.records.classes.classrooms import (
    CLASS_ROLE,
    CLASSROOM,
    DOUBLE_CLICK_PERIOD,
    ENROLMENT,
    IS_MEMBER,
    IS_THIS_CLASS,
    checked_class_name,
)
from app.records.classes.rights import Right
from app.records.classes.tables import Classroom
from app.records.classes.values import ClassRow, Student, students_with_account
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading import extra_columns
from app.records.grading.comments import COMMENT
from app.records.grading.extra_columns import EXTRA_COLUMN, EXTRA_MARK
from app.records.grading.totals import total_rules
from app.records.people import class_staff, my_data

CLASS_ID: Any = bindparam("classroom")
COUNTS_OF_CLASS = PreparedStatement(
    select(
        select(func.count()).where(ENROLMENT.classroom_id == CLASS_ID).scalar_subquery(),
        select(func.count()).where(ENROLMENT.classroom_id == CLASS_ID, IS_MEMBER).scalar_subquery(),
        select(func.count())
        .where(ENROLMENT.classroom_id == CLASS_ID, IS_MEMBER, ACCOUNT.learner_id == ENROLMENT.learner_id)
        .scalar_subquery(),
        select(func.count()).where(IS_ASSIGNMENT_OF_CLASS).scalar_subquery(),
        select(func.count()).where(IS_ASSIGNMENT_OF_CLASS, IS_HANDED_IN).scalar_subquery(),
        select(func.count()).where(CLASS_ROLE.classroom_id == CLASS_ID).scalar_subquery(),
    )
)
"""The fields of `ClassContents`."""


class ClassContents(NamedTuple):
    """What would be gone with a class. `member_count`: of its students those who are in it now;
    `account_count`: of these, who has an account still and can go on; `staff_count`: who helps in it."""

    classroom: ClassRow
    student_count: int
    member_count: int
    account_count: int
    assignment_count: int
    submission_count: int
    staff_count: int


def load_class_contents(session: VerbSession, caller: Caller, classroom_id: int) -> ClassContents:
    """A class of the teacher who calls, with what is in it."""
    classroom = classrooms.taught_class(session, caller, classroom_id, Right.OWN)
    [content_counts] = session.all(COUNTS_OF_CLASS, classroom=classroom.id)
    return ClassContents(classroom, *content_counts)


def work_left_behind_query(left_work: Any) -> Any:
    """Enrolments of `classroom` with the other class at whose assignments they have such work."""
    work_conditions = (
        left_work.enrolment_id == ENROLMENT.id,
        left_work.assignment_id == ASSIGNMENT.id,
    )
    is_elsewhere = ASSIGNMENT.classroom_id != CLASS_ID
    work_query = select(ENROLMENT.id, ENROLMENT.learner_id, ENROLMENT.name, ASSIGNMENT.classroom_id)
    return work_query.where(ENROLMENT.classroom_id == CLASS_ID, *work_conditions, is_elsewhere)


EXTRA_MARKS_LEFT_BEHIND = select(
    ENROLMENT.id, ENROLMENT.learner_id, ENROLMENT.name, EXTRA_COLUMN.classroom_id
).where(
    ENROLMENT.classroom_id == CLASS_ID,
    EXTRA_MARK.enrolment_id == ENROLMENT.id,
    EXTRA_MARK.column_id == EXTRA_COLUMN.id,
    EXTRA_COLUMN.classroom_id != CLASS_ID,
)
WORK_LEFT_BEHIND = union(
    work_left_behind_query(SUBMISSION),
    work_left_behind_query(OVERRIDE),
    work_left_behind_query(COMMENT),
    EXTRA_MARKS_LEFT_BEHIND,
).subquery("work_left_behind")
LEFT_WORK = WORK_LEFT_BEHIND.c
MARKS_LEFT_BEHIND = PreparedStatement(
    select(LEFT_WORK.id, LEFT_WORK.learner_id, LEFT_WORK.name, LEFT_WORK.classroom_id, CLASSROOM.name)
    .where(CLASSROOM.id == LEFT_WORK.classroom_id)
    .order_by(LEFT_WORK.id, LEFT_WORK.classroom_id.desc())
)


def send_back_moved_students(session: VerbSession, classroom: ClassRow) -> None:
    """Students who were moved into a class and left marks in another go back there, as removed ones: their
    enrolment holds those marks. Refused where that class has another enrolment of theirs."""
    sent_back_enrolment_ids = set[int]()
    stuck_name_by_enrolment_id: dict[int, str] = {}
    left_work_rows = session.all(MARKS_LEFT_BEHIND, classroom=classroom.id)
    for enrolment_id, learner_id, student_name, former_class_id, former_class_name in left_work_rows:
        if enrolment_id in sent_back_enrolment_ids:
            continue
        if classrooms.student_of_learner(session, former_class_id, learner_id):
            stuck_name_by_enrolment_id[enrolment_id] = f"{student_name or '一位同学'}（{former_class_name}）"
            continue
        class_members.send_back(session, enrolment_id, classroom.id, former_class_id)
        sent_back_enrolment_ids.add(enrolment_id)
        stuck_name_by_enrolment_id.pop(enrolment_id, None)
    if stuck_name_by_enrolment_id:
        joined_stuck_names = "、".join(stuck_name_by_enrolment_id.values())
        raise Refused(
            f"{joined_stuck_names}在括号里的班有成绩，那些成绩记在这个班的名单上；在那个班又另有一份名单。"
            "删了这个班，那些成绩就没有了，所以没有删；让它归档着就好。"
        )


ANY_CLASS = PreparedStatement(select(CLASSROOM.id).where(IS_THIS_CLASS))
REMOVE_CLASS = PreparedStatement(delete(table(Classroom)).where(IS_THIS_CLASS))


def remove_class(
    session: VerbSession, caller: Caller, classroom_id: int, typed_name: str
) -> ClassContents | None:
    """A class that was put away, gone for good: its assignments, marks, comments and log with it.

    Returns what that was; None for a second click, which finds no class.

    Accounts of students stay, and what they answered stays theirs; so do marks that they left in another
    class before they were moved into this one. What students left who deleted their accounts goes with their
    last class. Refused unless its name is typed.
    """
    if session.first(ANY_CLASS, classroom=classroom_id) is None:
        return None
    class_contents = load_class_contents(session, caller, classroom_id)
    classroom = class_contents.classroom
    if classroom.archived_at is None:
        raise Refused("先归档，再删。归档以后还可以恢复，删了就没有了。")
    if name_key(typed_name) != name_key(classroom.name):
        raise Refused(f"要删的话，把班级名“{classroom.name}”照着写一遍。")
    send_back_moved_students(session, classroom)
    password_slips.keep_class_accounts(session, classroom.id)
    learner_ids = my_data.learner_ids_in_classes(session, CLASSROOM.id == classroom.id)
    session.run(REMOVE_CLASS, classroom=classroom.id)
    my_data.remove_unreachable(session, learner_ids)
    return class_contents


HANDED_IN_WORK = PreparedStatement(
    select(SUBMISSION.assignment_id, SUBMISSION.enrolment_id).where(IS_ASSIGNMENT_OF_CLASS, IS_HANDED_IN)
)


def restore_class(session: VerbSession, caller: Caller, classroom_id: int, now: datetime) -> list[int]:
    """A class that was put away runs again. Returns the assignments that ended meanwhile for its students, or
    for one with more time who has not handed in, when they could not see them: what they did not hand in is
    缺交 until they get more time."""
    classroom = classrooms.taught_class(session, caller, classroom_id, Right.OWN)
    archived_at = classroom.archived_at
    if archived_at is None:
        return []
    session.run(
        classrooms.SET_ARCHIVED, classroom=classroom.id, archived_at=None, code_until=classroom.code_until
    )
    class_log.add_line(session, classroom, "restore", {"archived_at": archived_at.isoformat()}, now)
    students = classrooms.load_present_students(session, classroom.id)
    submitted_enrolment_ids_by_assignment_id = defaultdict[int, set[int]](set)
    for assignment_id, enrolment_id in session.all(HANDED_IN_WORK, classroom=classroom.id):
        submitted_enrolment_ids_by_assignment_id[assignment_id].add(enrolment_id)
    ended_assignment_ids = []
    for task in assigned.tasks_of_class(session, classroom.id):
        submitted_enrolment_ids = submitted_enrolment_ids_by_assignment_id[task.id]
        students_without_submission = [
            student for student in students if student.id not in submitted_enrolment_ids
        ]
        end_times = end_times_of(task, students_without_submission)
        is_ended_meanwhile = any(archived_at < end_time <= now for end_time in end_times)
        if task.assignment.published_at and is_ended_meanwhile:
            ended_assignment_ids.append(task.id)
    return ended_assignment_ids


def end_times_of(task: AssignedTask, students: Sequence[Student]) -> set[datetime]:
    """When an assignment ends: for all, and for those of the students who have a time of their own."""
    end_times = {deadlines.ends_at(task.assignment, None)}
    for student in students:
        if task.is_for(student.id):
            extension = task.extension_by_enrolment_id.get(student.id)
            end_times.add(deadlines.ends_at(task.assignment, extension))
    return end_times


def load_title_by_ended_assignment_id(
    session: VerbSession, caller: Caller, classroom_id: int, assignment_ids: Collection[int]
) -> dict[int, str]:
    """Titles of those of the assignments that are of this class, by assignment, for whoever teaches it."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    return {
        task.id: task.title
        for task in assigned.tasks_of_class(session, classroom.id)
        if task.id in assignment_ids
    }


CLASSES_JUST_MADE = PreparedStatement(
    select(CLASSROOM.id, CLASSROOM.code_until)
    .where(
        CLASSROOM.teacher_id == learners.CALLER_ID,
        CLASSROOM.name == bindparam("name"),
        CLASSROOM.created_at > bindparam("since", type_=CLASSROOM.created_at.type),
    )
    .order_by(CLASSROOM.id)
)


def id_of_class_just_carried_over(
    session: VerbSession, caller: Caller, class_name: str, students: Sequence[Student], now: datetime
) -> int | None:
    """The class that a first click made: so new, of this name, and with these students in it. One made by
    hand is none: where there are no students to tell by, its code is open."""
    token_hash = learners.caller_token_hash(caller)
    learner_ids = {student.learner_id for student in students}
    class_rows = session.all(
        CLASSES_JUST_MADE, hash=token_hash, name=class_name, since=now - DOUBLE_CLICK_PERIOD
    )
    for fresh_class_id, code_until in class_rows:
        if not learner_ids and code_until is not None:
            continue
        fresh_students = classrooms.load_present_and_former_students(session, fresh_class_id)
        if learner_ids.issubset(student.learner_id for student in fresh_students):
            return int(fresh_class_id)
    return None


IS_WITH_RULES = or_(
    exists().where(total_rules.SCHEME.classroom_id == CLASS_ID),
    exists().where(EXTRA_COLUMN.classroom_id == CLASS_ID),
    exists().where(groups.GROUP.classroom_id == CLASS_ID),
)
CLASS_WITH_RULES = PreparedStatement(select(CLASSROOM.id).where(IS_THIS_CLASS, IS_WITH_RULES))
"""The class, where it has what `copy_class_rules` would bring."""


class NextSemester(NamedTuple):
    """What a teacher wants of the class of the next semester. `takes_drafts`: every assignment, drafts too,
    comes along as a draft; `takes_staff`: whoever helps here helps there in the same role;
    `archives_old_class`: this class is put away."""

    class_name: str
    takes_drafts: bool = False
    takes_staff: bool = False
    archives_old_class: bool = False


def carry_class_over(
    session: VerbSession, caller: Caller, classroom_id: int, next_semester: NextSemester, now: datetime
) -> int:
    """A class for the next semester: the same students with name, 学号, 座号 and groups, the same rules for
    总评 and for 学号, and the columns of the teacher's own, empty. Marks and answers stay there. A second
    click finds the first class. Returns its id.
    """
    source_class = classrooms.taught_class(session, caller, classroom_id, Right.OWN)
    class_name = checked_class_name(next_semester.class_name)
    if name_key(class_name) == name_key(source_class.name):
        raise Refused("下学期的班另起一个名字，两个班才分得清，比如加上“下”。")
    students = students_with_account(classrooms.load_present_students(session, source_class.id))
    class_id_of_first_click = id_of_class_just_carried_over(session, caller, class_name, students, now)
    if class_id_of_first_click:
        return class_id_of_first_click
    # Only now: after a first click that put the class away, a second one is still no mistake.
    classrooms.editable_class(session, caller, source_class.id, Right.OWN)
    target_class_id = classrooms.create_class(session, caller, class_name, now)
    if session.first(CLASS_WITH_RULES, classroom=target_class_id):
        raise Refused(
            f"刚才建的“{class_name}”里已经定了总评、分了小组或者加了栏，接不进去。给下学期的班另起一个名字。"
        )
    classrooms.close_join_code(session, caller, target_class_id)
    student_numbers.set_number_at_door(session, caller, target_class_id, source_class.number_at_door, now)
    session.run(
        student_numbers.SET_ASKS_NUMBER_KIND,
        classroom=target_class_id,
        asks_number_kind=source_class.asks_number_kind,
    )
    enrol_in_carried_class(session, students, target_class_id, now)
    copy_class_rules(session, source_class.id, target_class_id, now)
    if next_semester.takes_staff:
        class_staff.copy_roles(session, caller, source_class.id, target_class_id, now)
    if next_semester.takes_drafts:
        drafts.copy_all_as_drafts(session, caller, source_class.id, target_class_id, now)
    if next_semester.archives_old_class:
        classrooms.archive_class(session, caller, source_class.id, now)
    return target_class_id


def enrol_in_carried_class(
    session: VerbSession, students: Sequence[Student], target_class_id: int, now: datetime
) -> None:
    """The students in another class too, by the same name, 学号 and 座号."""
    for student in students:
        joining.enrol_learner(
            session,
            target_class_id,
            student.learner_id,
            student.name,
            student.student_number,
            now,
            has_account=joining.has_class_account(session, student.id),
            seat=student.seat,
        )


def copy_class_rules(session: VerbSession, source_class_id: int, target_class_id: int, now: datetime) -> None:
    """What a class goes by, without its marks: more time for some, groups, 总评 and the teacher's columns."""
    time_limits.copy_time_factors(session, source_class_id, target_class_id)
    groups.copy_groups(session, source_class_id, target_class_id)
    total_rules.copy_total_rules(session, source_class_id, target_class_id)
    extra_columns.copy_columns(session, source_class_id, target_class_id, now)
