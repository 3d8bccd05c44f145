"""小组: parts of a class, made by its teacher. A student is in one of them or in none; students are told of
none.
"""

import re
import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from random import Random
from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, func, select

from app.course.text.typed import name_key, single_spaced_name
from app.records.accounts.values import Caller
from app.records.classes import class_log, classrooms
from app.records.classes.classrooms import GROUP_MEMBER
from app.records.classes.tables import GroupMember, StudentGroup
from app.records.classes.values import ClassGroup, ClassRow, Student, students_with_account
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, prepared_insert, prepared_update

MOST_GROUPS = 20
LONGEST_GROUP_NAME = 20
LONGEST_PASTED_LIST = 10_000
NUMERALS = "一二三四五六七八九十"
LAST_SEED = 2**31 - 1
SPLIT_ACTION = "groups-split"

GROUP = table(StudentGroup).c
IS_GROUP_OF_CLASS = GROUP.classroom_id == bindparam("classroom")
IS_THIS_GROUP = GROUP.id == bindparam("group")
GROUPS_QUERY = select(GROUP.id, GROUP.name).where(IS_GROUP_OF_CLASS)
GROUPS_OF_CLASS = RowQuery(ClassGroup, GROUPS_QUERY.order_by(GROUP.id))
GROUP_OF_CLASS = RowQuery(ClassGroup, GROUPS_QUERY.where(IS_THIS_GROUP))


class GroupsPage(NamedTuple):
    """A class with its groups and its students, who know their group; how often it was split by chance."""

    classroom: ClassRow
    groups: tuple[ClassGroup, ...]
    students: tuple[Student, ...]
    random_split_count: int

    def members_of(self, group_id: int | None) -> list[Student]:
        """The students of a group; of None those who are in no group."""
        return [student for student in self.students if student.group_id == group_id]

    @property
    def split_student_count(self) -> int:
        """Among how many a split by chance draws."""
        return len(students_with_account(self.students))


def load_groups(session: VerbSession, caller: Caller, classroom_id: int) -> GroupsPage:
    """The groups of a class, for all who teach it."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = classrooms.load_present_students(session, classroom.id)
    class_groups = groups_of(session, classroom.id)
    return GroupsPage(classroom, class_groups, students, random_split_count(session, classroom.id))


def groups_of(session: VerbSession, classroom_id: int) -> tuple[ClassGroup, ...]:
    """The groups of a class, the oldest first."""
    return tuple(session.all(GROUPS_OF_CLASS, classroom=classroom_id))


def group_of_class(session: VerbSession, classroom_id: int, group_id: int) -> ClassGroup:
    """A group of a class; NotFound for another class's."""
    class_group = session.first(GROUP_OF_CLASS, classroom=classroom_id, group=group_id)
    if class_group is None:
        raise NotFound("这个班没有这个小组，也许刚刚解散了。")
    return class_group


def known_group_id(class_groups: Iterable[ClassGroup], group_id: int | None) -> int | None:
    """The group that an address names; None for one that the class does not have: then it is about everybody.

    >>> known_group_id([ClassGroup(7, "第一组")], 7), known_group_id([], 7)
    (7, None)
    """
    if group_id in [class_group.id for class_group in class_groups]:
        return group_id
    return None


# Made, named, gone.

ADD_GROUP = prepared_insert(StudentGroup)


def add_group(
    session: VerbSession, caller: Caller, classroom_id: int, group_name: str, now: datetime
) -> None:
    """A new group, empty; a second click finds the first. Refused for a name that another one has."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    class_groups = groups_of(session, classroom.id)
    if is_name_of_empty_group(session, group_name, class_groups, classroom.id):
        return
    group_name = checked_group_name(group_name, class_groups)
    if len(class_groups) >= MOST_GROUPS:
        raise Refused(f"一个班最多{MOST_GROUPS}个小组。")
    session.run(ADD_GROUP, classroom_id=classroom.id, name=group_name)
    class_log.add_line(session, classroom, "group-added", {"group": group_name}, now)


def is_name_of_empty_group(
    session: VerbSession, group_name: str, class_groups: Iterable[ClassGroup], classroom_id: int
) -> bool:
    """Whether a group that nobody is in has exactly this name."""
    for class_group in class_groups:
        if class_group.name == single_spaced_name(group_name):
            present_students = classrooms.load_present_students(session, classroom_id)
            return class_group.id not in [student.group_id for student in present_students]
    return False


SET_GROUP_NAME = prepared_update(StudentGroup, IS_THIS_GROUP, ["name"])


def rename_group(
    session: VerbSession, caller: Caller, classroom_id: int, group_id: int, group_name: str, now: datetime
) -> None:
    """Another name for a group. Refused for one that another group has."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    class_group = group_of_class(session, classroom.id, group_id)
    other_groups = [
        listed_group for listed_group in groups_of(session, classroom.id) if listed_group.id != class_group.id
    ]
    group_name = checked_group_name(group_name, other_groups)
    if group_name != class_group.name:
        session.run(SET_GROUP_NAME, group=class_group.id, name=group_name)
        class_log.add_line(
            session, classroom, "group-renamed", {"group": [class_group.name, group_name]}, now
        )


def checked_group_name(group_name: str, other_groups: Iterable[ClassGroup]) -> str:
    """A name as it is kept; Refused says what is wrong with another.

    >>> checked_group_name(" 第一 组 ", [])
    '第一 组'
    """
    group_name = single_spaced_name(group_name)
    if not group_name:
        raise Refused("给小组起个名字，比如“第一组”。")
    if len(group_name) > LONGEST_GROUP_NAME or not group_name.isprintable():
        raise Refused(f"小组的名字最多{LONGEST_GROUP_NAME}个字，不带看不见的符号。")
    if name_key(group_name) in [name_key(class_group.name) for class_group in other_groups]:
        raise Refused(f"班里已经有“{group_name}”了，换一个名字。")
    return group_name


ANY_GROUP = PreparedStatement(select(GROUP.id).where(IS_THIS_GROUP))
REMOVE_GROUP = PreparedStatement(delete(table(StudentGroup)).where(IS_THIS_GROUP))


def remove_group(
    session: VerbSession, caller: Caller, classroom_id: int, group_id: int, now: datetime
) -> None:
    """The group is no more; its students stay in the class, and what they were given stays theirs. A second
    click finds none."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    if session.first(ANY_GROUP, group=group_id) is None:
        return
    class_group = group_of_class(session, classroom.id, group_id)
    session.run(REMOVE_GROUP, group=class_group.id)
    class_log.add_line(session, classroom, "group-removed", {"group": class_group.name}, now)


# Who is in which.

LEAVE_GROUP = PreparedStatement(
    delete(table(GroupMember)).where(GROUP_MEMBER.enrolment_id == bindparam("enrolment"))
)
ENTER_GROUP = prepared_insert(GroupMember)


def place_students(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    group_id: int | None,
    enrolment_ids: Collection[int],
    pasted_text: str,
    now: datetime,
) -> None:
    """These students into a group, out of the one they were in; None: into no group.

    `pasted_text`: more of them, by 学号 or name. Refused where one of these is nobody of the class.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    group_name = ""
    if group_id is not None:
        group_name = group_of_class(session, classroom.id, group_id).name
    present_students = classrooms.load_present_students(session, classroom.id)
    chosen_enrolment_ids = {
        *enrolment_ids,
        *(student.id for student in students_named(pasted_text, present_students)),
    }
    chosen_students = [student for student in present_students if student.id in chosen_enrolment_ids]
    if not chosen_students:
        raise Refused("一位同学也没选。勾上要分的人，或者把学号、姓名贴进来。")
    put_into_group(session, chosen_students, group_id)
    log_detail = {"group": group_name, "students": [student.id for student in chosen_students]}
    class_log.add_line(session, classroom, "group-placed", log_detail, now)


def put_into_group(session: VerbSession, students: Iterable[Student], group_id: int | None) -> None:
    for student in students:
        session.run(LEAVE_GROUP, enrolment=student.id)
        if group_id is not None:
            session.run(ENTER_GROUP, enrolment_id=student.id, group_id=group_id)


SEPARATORS = re.compile(r"[\n\r\t,，、;；]+")


def students_named(pasted_text: str, students: Sequence[Student]) -> list[Student]:
    """Who is meant by a list of 学号 and names; Refused names all that are nobody, or more than one.

    >>> tang = Student(1, 1, "小糖", "2026001", datetime.min, None, None)
    >>> students_named("2026001，小糖", [tang]) == [tang, tang]
    True
    """
    if len(pasted_text) > LONGEST_PASTED_LIST:
        raise Refused("贴进来的太长了。一次贴一个班的学号或者姓名。")
    students_by_name_key = defaultdict[str, set[Student]](set)
    for student in students:
        for name_or_number in filter(None, (student.student_number, student.name)):
            students_by_name_key[name_key(name_or_number)].add(student)
    named_students: list[Student] = []
    unclear_texts = []
    for listed_text in SEPARATORS.split(pasted_text):
        name_or_number = listed_text.strip()
        if not name_or_number:
            continue
        matching_students = students_by_name_key.get(name_key(name_or_number), set())
        if len(matching_students) == 1:
            named_students += matching_students
        else:
            unclear_texts.append(name_or_number)
    if unclear_texts:
        joined_unclear_texts = "、".join(unclear_texts[:5])
        raise Refused(
            f"这几位对不上班里的一个人，谁也没有动：{joined_unclear_texts}。写全学号，或者和名单上一样的姓名。"
        )
    return named_students


# Split by chance.


def split_class(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    group_count: int,
    replaces_groups: bool,
    now: datetime,
    seed: int | None = None,
    known_split_count: int | None = None,
) -> None:
    """The whole class into so many groups of the same size, one more or less, by chance; into none whoever
    deleted their account.

    `replaces_groups`: the groups that are there go. Refused without it while there are any. `seed`: of the
    draw; one is drawn where there is none. `known_split_count`: how often the class had been split when the
    form was drawn: where that is less than by now, this is a second click, which draws nothing.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    if known_split_count is not None and known_split_count < random_split_count(session, classroom.id):
        return
    students = students_with_account(classrooms.load_present_students(session, classroom.id))
    if not 2 <= group_count <= MOST_GROUPS:
        raise Refused(f"分成几组？写2到{MOST_GROUPS}。")
    if group_count > len(students):
        raise Refused(f"班里只有{len(students)}位同学，分不成{group_count}组。")
    former_groups = groups_of(session, classroom.id)
    if former_groups and not replaces_groups:
        raise Refused("班里已经有小组了。勾上“换掉现在的小组”，再分。")
    for class_group in former_groups:
        session.run(REMOVE_GROUP, group=class_group.id)
    if seed is None:
        seed = secrets.randbelow(LAST_SEED) + 1
    random_generator = Random(seed)  # noqa: S311  # a draw, not a secret
    random_generator.shuffle(students)
    for group_index in range(group_count):
        group_name = ordinal_name(group_index + 1)
        [(group_id, *_)] = session.all(ADD_GROUP, classroom_id=classroom.id, name=group_name)
        put_into_group(session, students[group_index::group_count], group_id)
    class_log.add_line(session, classroom, SPLIT_ACTION, {"count": group_count}, now)


IS_LINE_OF_RANDOM_SPLIT = and_(
    class_log.AUDIT.classroom_id == bindparam("classroom"), class_log.AUDIT.action == SPLIT_ACTION
)
RANDOM_SPLIT_COUNT = PreparedStatement(select(func.count(class_log.AUDIT.id)).where(IS_LINE_OF_RANDOM_SPLIT))


def random_split_count(session: VerbSession, classroom_id: int) -> int:
    """How often a class was split by chance."""
    [(split_count,)] = session.all(RANDOM_SPLIT_COUNT, classroom=classroom_id)
    return int(split_count)


def ordinal_name(position: int) -> str:
    """The name of a group by its position, 1 to 20.

    >>> ordinal_name(2), ordinal_name(10), ordinal_name(12), ordinal_name(20)
    ('第二组', '第十组', '第十二组', '第二十组')
    """
    tens, units = divmod(position, 10)
    numeral = ""
    if tens:
        numeral = NUMERALS[tens - 1].removeprefix("一") + "十"
    if units:
        numeral += NUMERALS[units - 1]
    return f"第{numeral}组"


def copy_groups(session: VerbSession, source_class_id: int, target_class_id: int) -> None:
    """The same groups with the same students in another class, where that has none of their names and room
    for more."""
    students = classrooms.load_present_students(session, source_class_id)
    target_group_names = {class_group.name for class_group in groups_of(session, target_class_id)}
    groups_to_copy = [
        class_group
        for class_group in groups_of(session, source_class_id)
        if class_group.name not in target_group_names
    ]
    for class_group in groups_to_copy[: MOST_GROUPS - len(target_group_names)]:
        [(new_group_id, *_)] = session.all(ADD_GROUP, classroom_id=target_class_id, name=class_group.name)
        for student in students:
            if student.group_id != class_group.id:
                continue
            target_student = classrooms.student_of_learner(session, target_class_id, student.learner_id)
            if target_student is not None:
                put_into_group(session, [target_student], new_group_id)
