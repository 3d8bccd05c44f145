"""Whom a line of a list means: a member of its class, or somebody of a class of the same teacher."""

from collections.abc import Collection, Container, Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, or_, select

from app.course.text.typed import name_key
from app.records.accounts.learners import ACCOUNT, CALLER_ID
from app.records.classes.classrooms import CLASSROOM, ENROLMENT, IS_MEMBER
from app.records.classes.roster_columns import changed_number_sentence
from app.records.classes.roster_files import RosterEntry
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.db.statements import RowQuery


class KnownStudent(NamedTuple):
    """A student in a class of the teacher who imports, or in the class that the list is for, whoever's that
    is; `is_member`: of that one, from which others may have been removed."""

    name_key: str
    learner_id: int
    login: str
    class_name: str
    student_number: str = ""
    is_member: bool = False


IS_LISTED_CLASS = CLASSROOM.id == bindparam("classroom")
STUDENTS_OF_TEACHER = RowQuery(
    KnownStudent,
    select(
        ENROLMENT.name_key,
        ACCOUNT.learner_id,
        ACCOUNT.login,
        CLASSROOM.name.label("class_name"),
        ENROLMENT.number.label("student_number"),
        and_(IS_MEMBER, IS_LISTED_CLASS).label("is_member"),
    )
    .where(
        or_(CLASSROOM.teacher_id == CALLER_ID, IS_LISTED_CLASS),
        ENROLMENT.classroom_id == CLASSROOM.id,
        or_(IS_MEMBER, IS_LISTED_CLASS),
        ACCOUNT.learner_id == ENROLMENT.learner_id,
    )
    .order_by(IS_MEMBER, ENROLMENT.id.desc()),
)
"""Whoever was removed from `classroom` comes first, then the latest."""


def likeliest_student(roster_entry: RosterEntry, namesakes: Sequence[KnownStudent]) -> KnownStudent | None:
    """Whom a line means of those who have its name: the owner of its 学号, else one of whom none is known.
    Who has another is taken to be somebody else: in four classes two share a name before long.

    >>> first, second = (KnownStudent("小糖", number, "小糖", "一班", f"0{number}") for number in (1, 2))
    >>> likeliest_student(RosterEntry(2, "小糖", "02"), [first, second]) == second
    True
    >>> likeliest_student(RosterEntry(2, "小糖", "03"), [first, second]) is None
    True
    """
    if roster_entry.student_number:
        for known_student in namesakes:
            if name_key(known_student.student_number) == name_key(roster_entry.student_number):
                return known_student
        namesakes = [known_student for known_student in namesakes if not known_student.student_number]
    return next(iter(namesakes), None)


def split_cells(line_cells: list[str], number_and_name_keys: Container[str]) -> list[str]:
    """The cells of a line that somebody typed with spaces between them; `number_and_name_keys`: the keys
    of numbers and names, in which there may be spaces too.

    >>> split_cells(["2026 小糖 8.5"], {"2026", "小糖"}), split_cells(["zhang san 9"], {"zhangsan"})
    (['2026', '小糖', '8.5'], ['zhang san', '9'])
    """
    if len(line_cells) != 1 or name_key(line_cells[0]) in number_and_name_keys:
        return line_cells
    *leading_texts, last_text = line_cells[0].rsplit(maxsplit=1)
    if not leading_texts or name_key(leading_texts[0]) in number_and_name_keys:
        return [*leading_texts, last_text]
    return [*leading_texts[0].split(), last_text]


def student_and_last_cell(line_cells: Sequence[str], students: Sequence[Student]) -> tuple[Student, str]:
    """Whose a line without a head is, by 学号 or name, and what stands last in it: a mark, or nothing where
    that is the name."""
    number_keys = {name_key(student.student_number) for student in students if student.student_number}
    name_keys = {name_key(student.name) for student in students}
    *leading_cells, last_cell = split_cells(list(filter(None, line_cells)), number_keys | name_keys)
    is_name_last = name_key(last_cell) in name_keys
    if is_name_last or not leading_cells:  # the line says whose it is, and nothing else
        leading_cells.append(last_cell)
        last_cell = ""
    student_number = student_name = ""
    for cell in leading_cells:
        if name_key(cell) in number_keys:
            student_number = cell
        elif name_key(cell) in name_keys:
            student_name = cell
    if not student_number and not student_name:
        change_sentence = next(filter(None, map(changed_number_sentence, leading_cells)), "")
        if change_sentence:
            raise Refused(change_sentence)
        raise Refused(f"认不出是谁：{' '.join(line_cells)[:30]}。先写学号或姓名，再写分数。")
    return student_of(student_number, student_name, students), last_cell


def student_of(student_number: str, student_name: str, students: Sequence[Student]) -> Student:
    """The student of a 学号, or of a name where 学号 is not known; Refused where the two do not agree. Zeros
    before a 学号, which spreadsheets take away, are no other one where there is one student of that name.
    """
    namesakes = [student for student in students if name_key(student.name) == name_key(student_name)]
    if student_number:
        number_key = name_key(student_number)
        for student in students:
            if student.student_number and name_key(student.student_number) == number_key:
                if student_name and student not in namesakes:
                    raise Refused(
                        f"学号{student_number}在班里是{student.name}，这里写的是{student_name[:20]}。"
                    )
                return student
        namesakes = namesakes_for_unknown_number(student_number, namesakes, students)
    if not namesakes:
        raise Refused(f"班里没有“{student_name[:20]}”。")
    if len(namesakes) > 1:
        raise Refused(f"班里有{len(namesakes)}位“{student_name[:20]}”，写上学号才知道是谁。")
    return namesakes[0]


def namesakes_for_unknown_number(
    student_number: str, namesakes: Sequence[Student], students: Sequence[Student]
) -> list[Student]:
    """Those of a name whom a 学号 that nobody has may mean; Refused where there is none."""
    key_without_zeros = name_key(student_number).lstrip("0")
    owners_of_similar_number = [
        student
        for student in students
        if student.student_number and name_key(student.student_number).lstrip("0") == key_without_zeros
    ]
    if len(namesakes) == 1 and namesakes[0] in owners_of_similar_number:
        return [namesakes[0]]
    possible_namesakes = [student for student in namesakes if not student.student_number]
    if possible_namesakes:
        return possible_namesakes
    change_sentence = changed_number_sentence(student_number)
    if change_sentence:
        raise Refused(change_sentence)
    similar_words = ""
    if owners_of_similar_number:
        similar_words = f"，有{owners_of_similar_number[0].student_number}：前面的0不一样，改成班里的"
    raise Refused(f"班里没有学号{student_number[:32]}{similar_words}。")


class MemberMatcher:
    """The members of a class while a list is matched with them: each is taken by one line. `faulty_entries`:
    lines of the list that are to be mended first."""

    def __init__(
        self,
        students: Sequence[Student],
        roster_entries: Collection[RosterEntry],
        faulty_entries: Collection[RosterEntry],
    ) -> None:
        self.students = students
        self.faulty_entries = faulty_entries
        self.listed_number_keys = {
            name_key(roster_entry.student_number)
            for roster_entry in (*roster_entries, *faulty_entries)
            if roster_entry.student_number
        }
        self.entry_by_member_id: dict[int, RosterEntry] = {}

    def students_without_line(self, faulty_entries: Collection[RosterEntry]) -> tuple[Student, ...]:
        """Those whom no line took, and whom none at fault may mean."""
        return tuple(
            student
            for student in self.students
            if student.id not in self.entry_by_member_id
            and not any(may_mean(faulty_entry, student) for faulty_entry in faulty_entries)
        )

    def member_of(self, roster_entry: RosterEntry) -> Student | None:
        """The member whom a line means, None for nobody; Refused where it cannot be said who."""
        member = (
            self.member_with_login(roster_entry)
            or self.member_with_number(roster_entry)
            or self.member_with_name(roster_entry)
        )
        if member is None:
            return None
        first_entry = self.entry_by_member_id.setdefault(member.id, roster_entry)
        if first_entry is not roster_entry:
            raise Refused(
                f"“{roster_entry.name}”和第{first_entry.line_number}行说的是同一位：{member.name}。"
            )
        return member

    def member_with_login(self, roster_entry: RosterEntry) -> Student | None:
        """The owner of a name to sign in with, who cannot take the 学号 of another."""
        member = None
        for student in self.students:
            if roster_entry.login and name_key(student.login or "") == name_key(roster_entry.login):
                member = student
        number_owner = self.member_with_number(roster_entry)
        if member and number_owner and number_owner != member:
            raise Refused(f"学号“{roster_entry.student_number}”在班里是{number_owner.name}，核对一下是谁的。")
        return member

    def member_with_number(self, roster_entry: RosterEntry) -> Student | None:
        if not roster_entry.student_number:
            return None
        number_owners = [
            student
            for student in self.students
            if name_key(student.student_number) == name_key(roster_entry.student_number)
        ]
        if not number_owners:
            return None
        number_owner = number_owners[0]
        if roster_entry.login and name_key(number_owner.login or "") != name_key(roster_entry.login):
            raise Refused(f"学号“{roster_entry.student_number}”在班里是{number_owner.name}，核对一下是谁的。")
        if name_key(number_owner.name) != name_key(roster_entry.name) and self.namesakes(roster_entry):
            raise Refused(
                f"学号“{roster_entry.student_number}”在班里是{number_owner.name}，班里又另有一位“{roster_entry.name}”。"
            )
        return number_owner

    def member_with_name(self, roster_entry: RosterEntry) -> Student | None:
        """A namesake without a 学号, or with one that the list does not have: then it was put right."""
        namesakes = self.namesakes(roster_entry)
        if roster_entry.login:
            expect_distinguishable(roster_entry, namesakes)
            return None
        if roster_entry.student_number:
            namesakes = [
                student
                for student in namesakes
                if name_key(student.student_number) not in self.listed_number_keys
            ]
        if len(namesakes) > 1:
            raise Refused(f"班里有{len(namesakes)}位“{roster_entry.name}”，写上学号才知道是谁。")
        for faulty_entry in self.faulty_entries:
            if namesakes and name_key(faulty_entry.name) == name_key(roster_entry.name):
                raise Refused(
                    f"第{faulty_entry.line_number}行也是“{roster_entry.name}”，把它改好，才知道班里的是哪一位。"
                )
        return next(iter(namesakes), None)

    def namesakes(self, roster_entry: RosterEntry) -> list[Student]:
        return [student for student in self.students if name_key(student.name) == name_key(roster_entry.name)]


def may_mean(roster_entry: RosterEntry, student: Student) -> bool:
    """Whether a line that is to be mended has something of a student: the name, 学号, or what they sign in
    with."""
    entry_keys = {
        name_key(roster_entry.name),
        name_key(roster_entry.student_number),
        name_key(roster_entry.login),
    }
    student_keys = {name_key(student.name), name_key(student.student_number), name_key(student.login or "")}
    return bool(entry_keys & student_keys - {""})


def expect_distinguishable(roster_entry: RosterEntry, namesakes: Collection[Student]) -> None:
    """Refused where another person of the same name could not be told from a member."""
    if namesakes and not (
        roster_entry.student_number and all(student.student_number for student in namesakes)
    ):
        raise Refused(f"班里已经有一位“{roster_entry.name}”了。加个字区分，或者两位都写上学号。")
