"""What the verbs on classes take and give: frozen values. A row is a NamedTuple."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple, Protocol

from app.course.text.typed import name_key
from app.records.accounts.values import Visitor
from app.records.classes.rights import DESCRIPTION_BY_ROLE, RIGHT_BY_ROLE, WORD_BY_ROLE, Right
from app.records.learning.values import AnswerSource, FirstTries, ProgressData


class ClassRow(NamedTuple):
    """A class. `role`: of whoever asked, as which they may see and change it (`rights.RIGHT_BY_ROLE`);
    `actor_id`: the learner who asked. `code` opens joining until `code_until`. `asks_number_kind`: whether
    its teacher is to say if the numbers of its students are 学号 or 座号, which shared a column once.
    `number_at_door`: whether whoever joins by the code is asked for their 学号. `notice`: what its students
    read until `notice_until`."""

    id: int
    name: str
    created_at: datetime
    archived_at: datetime | None
    code: str
    code_until: datetime | None
    asks_number_kind: bool = False
    number_at_door: bool = False
    notice: str = ""
    notice_until: datetime | None = None
    role: str = ""
    actor_id: int | None = None

    def may(self, right: Right) -> bool:
        """Whether the role of whoever asked gives them a right."""
        return self.role in RIGHT_BY_ROLE and RIGHT_BY_ROLE[self.role] >= right

    @property
    def is_owned(self) -> bool:
        """Whether its teacher asked, and nobody who helps them."""
        return self.may(Right.OWN)

    @property
    def may_be_taught(self) -> bool:
        """Whether whoever asked may change assignments and students now."""
        return self.archived_at is None and self.may(Right.TEACH)

    @property
    def may_be_marked(self) -> bool:
        """Whether whoever asked may change marks now."""
        return self.archived_at is None and self.may(Right.MARK)

    @property
    def role_note(self) -> str:
        """What whoever helps may do; empty for its teacher."""
        if self.role not in DESCRIPTION_BY_ROLE:
            return ""
        return f"你在这个班是{WORD_BY_ROLE[self.role]}：{DESCRIPTION_BY_ROLE[self.role]}"

    def is_open(self, now: datetime) -> bool:
        """Whether its code lets people in."""
        return self.archived_at is None and self.code_until is not None and now < self.code_until

    def current_notice(self, now: datetime) -> str:
        """The line that its students read; empty once its time is over."""
        return current_notice(self.notice, self.notice_until, now)


def current_notice(notice: str, shown_until: datetime | None, now: datetime) -> str:
    """A line for students as long as it holds.

    >>> current_notice("周五小测", datetime(2026, 9, 4), datetime(2026, 9, 3))
    '周五小测'
    >>> current_notice("周五小测", datetime(2026, 9, 4), datetime(2026, 9, 4))
    ''
    """
    if shown_until is None or now >= shown_until:
        return ""
    return notice


class Student(NamedTuple):
    """The enrolment of a student in a class: `student_number` is 学号, empty where nobody knows it; `seat` is
    座号.

    `login` is None once the account was deleted. `time_factor`: how much longer a timed assignment is for
    them. `group_id`: of their group in the class, None where they are in none. `has_namesake`: as in
    `NamedStudent`.
    """

    id: int
    learner_id: int
    name: str
    student_number: str
    joined_at: datetime
    removed_at: datetime | None
    login: str | None
    seat: int | None = None
    time_factor: float = 1.0
    group_id: int | None = None
    absences: str | None = None
    has_namesake: bool = False

    @property
    def numbers_in_words(self) -> str:
        return numbers_in_words(self)

    @property
    def distinct_name(self) -> str:
        return distinct_name(self)


class AttendingStudent(Protocol):
    """A student of a class: since when, and when they were out of it (see the column)."""

    @property
    def joined_at(self) -> datetime: ...
    @property
    def absences(self) -> str | None: ...


class NamedStudent(Protocol):
    """What a student is called by. `has_namesake`: whether another one in the same list has that name."""

    @property
    def name(self) -> str: ...
    @property
    def student_number(self) -> str: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def has_namesake(self) -> bool: ...


def numbers_in_words(student: NamedStudent) -> str:
    """座号 and 学号 as they stand beside a name.

    >>> numbers_in_words(Student(1, 1, "小糖", "2026", datetime.min, None, None, 7))
    '7号 · 2026'
    """
    number_texts = []
    if student.seat is not None:
        number_texts.append(f"{student.seat}号")
    if student.student_number:
        number_texts.append(student.student_number)
    return " · ".join(number_texts)


def distinct_name(student: NamedStudent) -> str:
    """What a student is called where others stand beside: one of several with one name with 座号 and 学号.

    >>> tang = Student(1, 1, "小糖", "2026", datetime.min, None, None)
    >>> distinct_name(tang), distinct_name(tang._replace(has_namesake=True))
    ('小糖', '小糖（2026）')
    """
    if student.has_namesake and (number_words := numbers_in_words(student)):
        return f"{student.name}（{number_words}）"
    return student.name


def present_students_among(students: Iterable[Student]) -> tuple[Student, ...]:
    """Those of the students who are in the class now; namesakes only of each other."""
    return with_namesake_flags([student for student in students if student.removed_at is None])


def students_with_account(students: Iterable[Student]) -> list[Student]:
    """Those of the students who have not deleted their account: of the others nothing stays but results."""
    return [student for student in students if student.login is not None]


def with_namesake_flags(students: Collection[Student]) -> tuple[Student, ...]:
    """Students each with whether another one of them has that name."""
    student_count_by_name_key = Counter(name_key(student.name) for student in students)
    return tuple(
        student._replace(has_namesake=student_count_by_name_key[name_key(student.name)] > 1)
        for student in students
    )


class ClassGroup(NamedTuple):
    """小组: a part of a class."""

    id: int
    name: str


class TaughtClass(NamedTuple):
    """A class in the list of its teacher, or of somebody who helps: `role` says as what, `teacher_login`
    whom.
    """

    id: int
    name: str
    archived_at: datetime | None
    student_count: int
    role: str = "teacher"
    teacher_login: str = ""

    @property
    def role_word(self) -> str:
        return WORD_BY_ROLE[self.role]

    @property
    def is_owned(self) -> bool:
        """Whether it is the teacher's own."""
        return RIGHT_BY_ROLE[self.role] >= Right.OWN

    @property
    def may_be_taught(self) -> bool:
        """Whether assignments can be given in it now."""
        return self.archived_at is None and RIGHT_BY_ROLE[self.role] >= Right.TEACH


class JoinedClass(NamedTuple):
    """A class in the list of a student; once it is archived, only its own page is left."""

    id: int
    name: str
    teacher_login: str
    archived_at: datetime | None
    notice: str = ""
    notice_until: datetime | None = None

    def current_notice(self, now: datetime) -> str:
        """The line that its students read; empty once its time is over."""
        return current_notice(self.notice, self.notice_until, now)


class ClassLists(NamedTuple):
    """The classes of a caller. `ended_classes`: those that they were in when they were put away."""

    visitor: Visitor
    taught_classes: tuple[TaughtClass, ...] = ()
    joined_classes: tuple[JoinedClass, ...] = ()
    ended_classes: tuple[JoinedClass, ...] = ()

    @property
    def is_teaching(self) -> bool:
        """Whether the caller is a teacher, or helps one."""
        return self.visitor.is_teacher or bool(self.taught_classes)


class LastSection(NamedTuple):
    """The section in which a learner was last, of which lesson, and when."""

    stage_id: str
    section_id: str
    is_done: bool
    reached_at: datetime


class ClassData(NamedTuple):
    """A class with its students, the removed ones apart. By learner: the first tries at items, the section
    at work last, when they were last active, and the title of the assignment that they began last. A page
    that shows no more leaves all but the tries empty.
    """

    classroom: ClassRow
    students: tuple[Student, ...]
    removed_students: tuple[Student, ...]
    first_tries_by_learner_id: Mapping[int, FirstTries]
    last_section_by_learner_id: Mapping[int, LastSection] = MappingProxyType({})
    last_active_time_by_learner_id: Mapping[int, datetime] = MappingProxyType({})
    last_assignment_title_by_learner_id: Mapping[int, str] = MappingProxyType({})
    groups: tuple[ClassGroup, ...] = ()

    @property
    def has_work(self) -> bool:
        """Whether anybody has answered something, or begun an assignment."""
        return bool(self.first_tries_by_learner_id or self.last_assignment_title_by_learner_id)

    def of_group(self, group_id: int | None) -> "ClassData":
        """This class with the students of one group alone; of None with everybody."""
        if group_id is None:
            return self
        students = tuple(student for student in self.students if student.group_id == group_id)
        return self._replace(students=students)


class JoinableClass(NamedTuple):
    """A class as somebody sees it who comes with its code.

    `student`: the enrolment of the caller, if they are in it, or were until the teacher removed them.
    """

    classroom: ClassRow
    teacher_login: str
    visitor: Visitor
    student: Student | None

    @property
    def is_of_visitor(self) -> bool:
        """Whether its teacher tries the code."""
        return self.visitor.account is not None and self.visitor.account.login == self.teacher_login


class ListedAttempt(NamedTuple):
    """An attempt in the list of what a student did: how many items, how many of them right at once.

    `last_acted_at`: when it was answered last; without an answer, when its student handed it in, else began.
    """

    id: int
    source: AnswerSource
    ref: str
    round: int
    created_at: datetime
    last_acted_at: datetime
    item_count: int
    right_count: int


class AssignedAttempt(NamedTuple):
    """An attempt at an assignment: of which class, and under which enrolment its student was there then."""

    attempt_id: int
    assignment_id: int
    title: str
    classroom_id: int
    class_name: str
    enrolment_id: int


class StudentData(NamedTuple):
    """A student as the teacher sees them. `assigned_attempt_by_id`: which of `listed_attempts` are at
    assignments, also of another class of the teacher, in which the student was before.
    """

    classroom: ClassRow
    student: Student
    progress: ProgressData
    listed_attempts: tuple[ListedAttempt, ...]
    first_tries: FirstTries
    assigned_attempt_by_id: Mapping[int, AssignedAttempt]
