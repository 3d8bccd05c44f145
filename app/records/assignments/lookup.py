"""Assignments as the teacher of a class finds them. The lookup is the permission check."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, select

from app.course.content.refs import own_content_id_of
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.rows import (
    ASSIGNEE,
    ASSIGNMENT,
    ASSIGNMENTS_QUERY,
    EXTENSION,
    EXTENSIONS_QUERY,
    HAND_MARKS_QUERY,
    HAS_FIXED_QUESTIONS,
    IS_ASSIGNMENT,
    IS_ASSIGNMENT_OF_CLASS,
    OVERRIDE,
    PART,
    PARTS_QUERY,
    SUBMISSION,
    SUBMISSIONS_QUERY,
)
from app.records.assignments.values import (
    AssignmentAttempt,
    AssignmentKey,
    AssignmentRow,
    ExtensionRow,
    ListedAssignment,
    MarkByHand,
    PartRow,
    TaughtAssignment,
)
from app.records.classes import classrooms, groups
from app.records.classes.rights import Right
from app.records.classes.values import ClassGroup, ClassRow, Student, TaughtClass
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery

ASSIGNMENT_ID: Any = bindparam("assignment")

# One assignment, and whether it may be changed.


def taught_assignment(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey, needed_right: Right = Right.READ
) -> TaughtAssignment:
    """An assignment of a class in which whoever asks has the right; NotFound to those who have no role."""
    classroom = classrooms.taught_class(session, caller, assignment_key.classroom_id, needed_right)
    assignment = assignment_of_class(session, assignment_key)
    return TaughtAssignment(classroom, assignment)


def editable_assignment(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey, needed_right: Right = Right.TEACH
) -> TaughtAssignment:
    """An assignment that may be changed by whoever has the right: Refused once its class is archived."""
    classroom = classrooms.editable_class(session, caller, assignment_key.classroom_id, needed_right)
    assignment = assignment_of_class(session, assignment_key)
    return TaughtAssignment(classroom, assignment)


ASSIGNMENT_OF_CLASS = RowQuery(AssignmentRow, ASSIGNMENTS_QUERY.where(IS_ASSIGNMENT, IS_ASSIGNMENT_OF_CLASS))


def assignment_of_class(session: VerbSession, assignment_key: AssignmentKey) -> AssignmentRow:
    classroom_id, assignment_id = assignment_key
    assignment = session.first(ASSIGNMENT_OF_CLASS, assignment=assignment_id, classroom=classroom_id)
    if assignment is None:
        raise NotFound("没有这份作业，或者它已经删掉了。")
    return assignment


# What belongs to it.

PARTS_OF_ASSIGNMENT = RowQuery(PartRow, PARTS_QUERY.where(PART.assignment_id == ASSIGNMENT_ID))


def parts_of(session: VerbSession, assignment_id: int) -> tuple[PartRow, ...]:
    """What an assignment asks for, in order."""
    parts = session.all(PARTS_OF_ASSIGNMENT, assignment=assignment_id)
    return tuple(parts)


SUBMITTED_ATTEMPTS = select(SUBMISSION.attempt_id).where(SUBMISSION.assignment_id == ASSIGNMENT_ID)
FIRST_SUBMISSION = PreparedStatement(SUBMITTED_ATTEMPTS.limit(1))


def is_begun(session: VerbSession, assignment_id: int) -> bool:
    """Whether a student has opened it."""
    return session.first(FIRST_SUBMISSION, assignment=assignment_id) is not None


FIXED_ASSIGNMENT = PreparedStatement(select(ASSIGNMENT.id).where(IS_ASSIGNMENT, HAS_FIXED_QUESTIONS))


def has_fixed_questions(session: VerbSession, assignment_id: int) -> bool:
    """Whether a student has opened it, or a teacher has given points: of work on paper."""
    return session.first(FIXED_ASSIGNMENT, assignment=assignment_id) is not None


OPEN_SUBMISSION = PreparedStatement(SUBMITTED_ATTEMPTS.where(SUBMISSION.handed_in_at.is_(None)).limit(1))


def is_somebody_at_work(session: VerbSession, assignment_id: int) -> bool:
    """Whether an attempt is begun that is not handed in."""
    return session.first(OPEN_SUBMISSION, assignment=assignment_id) is not None


ASSIGNEES_OF_ASSIGNMENT = PreparedStatement(
    select(ASSIGNEE.enrolment_id).where(ASSIGNEE.assignment_id == ASSIGNMENT_ID)
)


def assignee_ids_of(session: VerbSession, assignment_id: int) -> frozenset[int]:
    """Enrolments of those it is for, where it is not for everyone."""
    assignee_rows = session.all(ASSIGNEES_OF_ASSIGNMENT, assignment=assignment_id)
    return frozenset(enrolment_id for (enrolment_id,) in assignee_rows)


EXTENSIONS_OF_ASSIGNMENT = RowQuery(
    ExtensionRow, EXTENSIONS_QUERY.where(EXTENSION.assignment_id == ASSIGNMENT_ID)
)


def extension_by_enrolment_id_of(session: VerbSession, assignment_id: int) -> dict[int, ExtensionRow]:
    """The latest extension of each student who has one, by enrolment."""
    extensions = session.all(EXTENSIONS_OF_ASSIGNMENT, assignment=assignment_id)
    return {extension.enrolment_id: extension for extension in extensions}


SUBMISSIONS_OF_ASSIGNMENT = RowQuery(
    AssignmentAttempt, SUBMISSIONS_QUERY.where(SUBMISSION.assignment_id == ASSIGNMENT_ID)
)


def attempts_of_assignment(session: VerbSession, assignment_id: int) -> tuple[AssignmentAttempt, ...]:
    """Every attempt of everybody, by student and number."""
    attempts = session.all(SUBMISSIONS_OF_ASSIGNMENT, assignment=assignment_id)
    return tuple(attempts)


def attempts_by_enrolment_id_of(attempts: Iterable[AssignmentAttempt]) -> dict[int, list[AssignmentAttempt]]:
    """The attempts of each student, in their order."""
    attempts_by_enrolment_id = defaultdict[int, list[AssignmentAttempt]](list)
    for attempt in attempts:
        attempts_by_enrolment_id[attempt.enrolment_id].append(attempt)
    return attempts_by_enrolment_id


HAND_MARKS_OF_ASSIGNMENT = PreparedStatement(HAND_MARKS_QUERY.where(OVERRIDE.assignment_id == ASSIGNMENT_ID))


def load_hand_mark_by_enrolment_id(session: VerbSession, assignment_id: int) -> dict[int, MarkByHand]:
    """What the teacher decided last about marks, by enrolment."""
    hand_mark_by_enrolment_id = {}
    hand_mark_rows = session.all(HAND_MARKS_OF_ASSIGNMENT, assignment=assignment_id)
    for _, enrolment_id, points, is_excused in hand_mark_rows:
        hand_mark_by_enrolment_id[enrolment_id] = MarkByHand(points, bool(is_excused))
    return hand_mark_by_enrolment_id


class AssignmentWithParts(NamedTuple):
    """An assignment and what it asks for, as those pages open it that show no student."""

    classroom: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]

    @property
    def newest_part_id(self) -> int:
        return newest_part_id_of(self.parts)


def newest_part_id_of(parts: Sequence[PartRow]) -> int:
    """The part that was put in last; 0 while there is none."""
    part_ids = [part.id for part in parts]
    return max(part_ids, default=0)


def load_assignment_with_parts(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey, needed_right: Right = Right.READ
) -> AssignmentWithParts:
    """An assignment with its parts, for whoever has the right: three queries."""
    classroom, assignment = taught_assignment(session, caller, assignment_key, needed_right)
    return AssignmentWithParts(classroom, assignment, parts_of(session, assignment.id))


class PairedTest(NamedTuple):
    """前测 or 后测 beside this one."""

    id: int
    title: str
    form: str


TESTS_OF_PAIR = RowQuery(
    PairedTest,
    select(ASSIGNMENT.id, ASSIGNMENT.title, ASSIGNMENT.form)
    .where(ASSIGNMENT.pair == bindparam("pair"), ~IS_ASSIGNMENT)
    .order_by(ASSIGNMENT.id),
)


def paired_tests(session: VerbSession, pair_id: int | None, assignment_id: int) -> tuple[PairedTest, ...]:
    """The tests of a pair, but for this one."""
    if pair_id is None:
        return ()
    other_tests = session.all(TESTS_OF_PAIR, pair=pair_id, assignment=assignment_id)
    return tuple(other_tests)


def own_content_ids(session: VerbSession, assignment_id: int) -> tuple[int, ...]:
    """The numbers of the contents of teachers that an assignment draws from."""
    content_ids = [own_content_id_of(part.ref) for part in parts_of(session, assignment_id)]
    distinct_ids = dict.fromkeys(content_ids)
    return tuple(own_content_id for own_content_id in distinct_ids if own_content_id is not None)


# Pages.


class AssignmentPage(NamedTuple):
    """An assignment as its teacher opens it. `students` are those of the class now;
    `hand_mark_by_enrolment_id`: what the teacher decided last about marks, by enrolment."""

    classroom: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    students: tuple[Student, ...]
    assignee_ids: frozenset[int]
    extension_by_enrolment_id: Mapping[int, ExtensionRow]
    attempts: tuple[AssignmentAttempt, ...]
    running_classes: tuple[TaughtClass, ...]
    paired_tests: tuple[PairedTest, ...]
    hand_mark_by_enrolment_id: Mapping[int, MarkByHand]
    groups: tuple[ClassGroup, ...]

    @property
    def receivers(self) -> tuple[Student, ...]:
        """Whom it is for, and who has worked at it."""
        assignee_ids = None
        if not self.assignment.everyone:
            assignee_ids = self.assignee_ids
        excused_enrolment_ids = {
            enrolment_id
            for enrolment_id, hand_mark in self.hand_mark_by_enrolment_id.items()
            if hand_mark.excused
        }
        task = AssignedTask(
            self.assignment, self.parts, assignee_ids, self.extension_by_enrolment_id, excused_enrolment_ids
        )
        enrolment_ids_with_work = {attempt.enrolment_id for attempt in self.attempts}
        return task.receivers(self.students, enrolment_ids_with_work)

    @property
    def newest_part_id(self) -> int:
        return newest_part_id_of(self.parts)

    @property
    def is_begun(self) -> bool:
        """Whether a student has opened it."""
        return bool(self.attempts)

    @property
    def has_fixed_questions(self) -> bool:
        """Whether a student has opened it, or a teacher has given points."""
        hand_marks = self.hand_mark_by_enrolment_id.values()
        return self.is_begun or any(hand_mark.points is not None for hand_mark in hand_marks)

    @property
    def is_frozen(self) -> bool:
        """Whether the content stays as it is."""
        return self.has_fixed_questions or not self.classroom.may_be_taught

    def attempts_of(self, enrolment_id: int) -> tuple[AssignmentAttempt, ...]:
        """The attempts of one student."""
        return tuple(attempt for attempt in self.attempts if attempt.enrolment_id == enrolment_id)


def load_assignment_page(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey, needed_right: Right = Right.READ
) -> AssignmentPage:
    """An assignment with everything that its page shows, for whoever has the right: eleven queries, however
    many students there are."""
    classroom, assignment = taught_assignment(session, caller, assignment_key, needed_right)
    classroom_id, assignment_id = assignment_key
    running_classes = classrooms.load_running_classes(session, caller)
    students = classrooms.load_present_students(session, classroom_id)
    other_tests = paired_tests(session, assignment.pair, assignment_id)
    return AssignmentPage(
        classroom,
        assignment,
        parts_of(session, assignment_id),
        students,
        assignee_ids_of(session, assignment_id),
        extension_by_enrolment_id_of(session, assignment_id),
        attempts_of_assignment(session, assignment_id),
        tuple(running_classes),
        other_tests,
        load_hand_mark_by_enrolment_id(session, assignment_id),
        groups.groups_of(session, classroom_id),
    )


LAST_HAND_INS_OF_CLASS = PreparedStatement(
    select(SUBMISSION.assignment_id, SUBMISSION.enrolment_id, func.max(SUBMISSION.handed_in_at))
    .where(SUBMISSION.assignment_id == ASSIGNMENT.id, IS_ASSIGNMENT_OF_CLASS)
    .group_by(SUBMISSION.assignment_id, SUBMISSION.enrolment_id)
)


def load_class_and_assignments(
    session: VerbSession, caller: Caller, classroom_id: int
) -> tuple[ClassRow, tuple[ListedAssignment, ...]]:
    """The assignments of a class, the newest first, with how many have begun and handed in: eight queries."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = classrooms.load_present_students(session, classroom_id)
    hand_in_flags_by_assignment_id = defaultdict[int, dict[int, bool]](dict)
    hand_in_rows = session.all(LAST_HAND_INS_OF_CLASS, classroom=classroom_id)
    for assignment_id, enrolment_id, last_handed_in_at in hand_in_rows:
        hand_in_flags_by_assignment_id[assignment_id][enrolment_id] = last_handed_in_at is not None
    listed_assignments = []
    for task in assigned.tasks_of_class(session, classroom_id):
        has_handed_in_by_enrolment_id = hand_in_flags_by_assignment_id[task.id]
        listed_assignments.append(listed_assignment(task, students, has_handed_in_by_enrolment_id))
    return classroom, tuple(listed_assignments)


def listed_assignment(
    task: AssignedTask, students: Sequence[Student], has_handed_in_by_enrolment_id: Mapping[int, bool]
) -> ListedAssignment:
    """An assignment with its numbers. `has_handed_in_by_enrolment_id`: of those who have begun. Whose mark
    the teacher set by hand has handed in, on paper or elsewhere."""
    receivers = task.receivers(students, has_handed_in_by_enrolment_id)
    is_finished_by_enrolment_id = {
        **has_handed_in_by_enrolment_id,
        **dict.fromkeys(task.hand_points_by_enrolment_id, True),
    }
    starters = [student for student in receivers if student.id in is_finished_by_enrolment_id]
    finishers = [student for student in starters if is_finished_by_enrolment_id[student.id]]
    parts = tuple(task.parts)
    return ListedAssignment(task.assignment, parts, len(receivers), len(starters), len(finishers))
