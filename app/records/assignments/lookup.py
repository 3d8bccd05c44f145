"""Assignments as the teacher of a class finds them. The lookup is the permission check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, select

from app.course.content.refs import own_id_of
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.rows import (
    ASSIGNEE,
    ASSIGNMENT,
    ASSIGNMENTS,
    EXTENSION,
    EXTENSIONS,
    OVERRIDE,
    PART,
    PARTS,
    SUBMISSION,
    SUBMISSIONS,
)
from app.records.assignments.values import (
    AssignmentRow,
    ExtensionRow,
    ListedAssignment,
    PartRow,
    SubmissionRow,
    TaughtAssignment,
)
from app.records.classes import classrooms
from app.records.classes.values import ClassRow, Student, TaughtClass
from app.records.db.errors import NotFound
from app.records.db.session import Prepared, RowQuery, VerbSession

ASSIGNMENT_ID: Any = bindparam("assignment")

# One assignment, and whether it may be changed.


def taught_assignment(
    session: VerbSession, caller: Caller, classroom_id: int, assignment_id: int
) -> TaughtAssignment:
    """An assignment of a class of the teacher who asks; NotFound to everybody else."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    return TaughtAssignment(classroom, of_class(session, classroom_id, assignment_id))


def editable_assignment(
    session: VerbSession, caller: Caller, classroom_id: int, assignment_id: int
) -> TaughtAssignment:
    """An assignment that may be changed: Refused once its class is archived."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    return TaughtAssignment(classroom, of_class(session, classroom_id, assignment_id))


ASSIGNMENT_OF_CLASS = RowQuery(
    AssignmentRow,
    ASSIGNMENTS.where(ASSIGNMENT.id == ASSIGNMENT_ID, ASSIGNMENT.classroom_id == bindparam("classroom")),
)


def of_class(session: VerbSession, classroom_id: int, assignment_id: int) -> AssignmentRow:
    assignment = session.first(ASSIGNMENT_OF_CLASS, assignment=assignment_id, classroom=classroom_id)
    if assignment is None:
        raise NotFound("没有这份作业，或者它已经删掉了。")
    return assignment


# What belongs to it.

PARTS_OF_ASSIGNMENT = RowQuery(PartRow, PARTS.where(PART.assignment_id == ASSIGNMENT_ID))


def parts_of(session: VerbSession, assignment_id: int) -> tuple[PartRow, ...]:
    """What an assignment asks for, in order."""
    return tuple(session.all(PARTS_OF_ASSIGNMENT, assignment=assignment_id))


ASSIGNEES_OF_ASSIGNMENT = Prepared(
    select(ASSIGNEE.enrolment_id).where(ASSIGNEE.assignment_id == ASSIGNMENT_ID)
)


def assignees_of(session: VerbSession, assignment_id: int) -> frozenset[int]:
    """Enrolments of those it is for, where it is not for everyone."""
    rows = session.all(ASSIGNEES_OF_ASSIGNMENT, assignment=assignment_id)
    return frozenset(enrolment_id for (enrolment_id,) in rows)


EXTENSIONS_OF_ASSIGNMENT = RowQuery(ExtensionRow, EXTENSIONS.where(EXTENSION.assignment_id == ASSIGNMENT_ID))


def extensions_of(session: VerbSession, assignment_id: int) -> dict[int, ExtensionRow]:
    """The latest extension of each student who has one, by enrolment."""
    extensions = session.all(EXTENSIONS_OF_ASSIGNMENT, assignment=assignment_id)
    return {extension.enrolment_id: extension for extension in extensions}


SUBMISSIONS_OF_ASSIGNMENT = RowQuery(
    SubmissionRow, SUBMISSIONS.where(SUBMISSION.assignment_id == ASSIGNMENT_ID)
)


def submissions_of(session: VerbSession, assignment_id: int) -> tuple[SubmissionRow, ...]:
    """Every attempt of everybody, by student and number."""
    return tuple(session.all(SUBMISSIONS_OF_ASSIGNMENT, assignment=assignment_id))


OVERRIDES_OF_ASSIGNMENT = Prepared(
    select(OVERRIDE.enrolment_id, OVERRIDE.points)
    .where(OVERRIDE.assignment_id == ASSIGNMENT_ID)
    .order_by(OVERRIDE.id)
)


def overrides_of(session: VerbSession, assignment_id: int) -> dict[int, float | None]:
    """The mark that the teacher set last, by enrolment; None where it was taken back."""
    return dict(session.all(OVERRIDES_OF_ASSIGNMENT, assignment=assignment_id))


class PairedTest(NamedTuple):
    """前测 or 后测 beside this one."""

    id: int
    title: str
    form: str


TESTS_OF_PAIR = RowQuery(
    PairedTest,
    select(ASSIGNMENT.id, ASSIGNMENT.title, ASSIGNMENT.form)
    .where(ASSIGNMENT.pair == bindparam("pair"), ASSIGNMENT.id != ASSIGNMENT_ID)
    .order_by(ASSIGNMENT.id),
)


def paired_tests(session: VerbSession, pair: int | None, assignment_id: int) -> tuple[PairedTest, ...]:
    """The tests of a pair, but for this one."""
    if pair is None:
        return ()
    return tuple(session.all(TESTS_OF_PAIR, pair=pair, assignment=assignment_id))


# Pages.


@dataclass(frozen=True, slots=True)
class AssignmentPage:
    """An assignment as its teacher opens it. `students` are those of the class now; `by_hand`: the mark that
    the teacher set last, by enrolment."""

    row: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    students: tuple[Student, ...]
    assignees: frozenset[int]
    extensions: Mapping[int, ExtensionRow]
    submissions: tuple[SubmissionRow, ...]
    classes: tuple[TaughtClass, ...]
    pair: tuple[PairedTest, ...]
    by_hand: Mapping[int, float | None]

    @property
    def receivers(self) -> tuple[Student, ...]:
        """Whom it is for, and who has worked at it."""
        only_ids = None
        if not self.assignment.everyone:
            only_ids = self.assignees
        task = AssignedTask(self.assignment, self.parts, only_ids, self.extensions)
        return task.receivers(self.students, {attempt.enrolment_id for attempt in self.submissions})

    @property
    def newest(self) -> int:
        """The part that was put in last; 0 while there is none."""
        return max((part.id for part in self.parts), default=0)

    @property
    def begun(self) -> bool:
        """Whether a student has begun it: then its content stays as it is."""
        return bool(self.submissions)

    def of(self, enrolment_id: int) -> tuple[SubmissionRow, ...]:
        """The attempts of one student."""
        return tuple(attempt for attempt in self.submissions if attempt.enrolment_id == enrolment_id)


def load_page(session: VerbSession, caller: Caller, classroom_id: int, assignment_id: int) -> AssignmentPage:
    """An assignment with everything that its page shows: eleven queries, however many students there are."""
    classroom, assignment = taught_assignment(session, caller, classroom_id, assignment_id)
    taught_classes = classrooms.class_lists(session, caller).taught
    return AssignmentPage(
        classroom,
        assignment,
        parts=parts_of(session, assignment_id),
        students=present_students(session, classroom_id),
        assignees=assignees_of(session, assignment_id),
        extensions=extensions_of(session, assignment_id),
        submissions=submissions_of(session, assignment_id),
        classes=tuple(listed for listed in taught_classes if listed.archived_at is None),
        pair=paired_tests(session, assignment.pair, assignment_id),
        by_hand=overrides_of(session, assignment_id),
    )


def present_students(session: VerbSession, classroom_id: int) -> tuple[Student, ...]:
    """Those who are in the class now."""
    students = classrooms.students(session, classroom_id)
    return tuple(student for student in students if student.removed_at is None)


LAST_HAND_INS_OF_CLASS = Prepared(
    select(SUBMISSION.assignment_id, SUBMISSION.enrolment_id, func.max(SUBMISSION.handed_in_at))
    .where(SUBMISSION.assignment_id == ASSIGNMENT.id, ASSIGNMENT.classroom_id == bindparam("classroom"))
    .group_by(SUBMISSION.assignment_id, SUBMISSION.enrolment_id)
)


def load_list(
    session: VerbSession, caller: Caller, classroom_id: int
) -> tuple[ClassRow, tuple[ListedAssignment, ...]]:
    """The assignments of a class, the newest first, with how many have begun and handed in: seven queries."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = present_students(session, classroom_id)
    handed_in: dict[int, dict[int, bool]] = {}
    for assignment_id, enrolment_id, handed_in_at in session.all(
        LAST_HAND_INS_OF_CLASS, classroom=classroom_id
    ):
        handed_in.setdefault(assignment_id, {})[enrolment_id] = handed_in_at is not None
    tasks = assigned.of_class(session, classroom_id)
    return classroom, tuple(listed_assignment(task, students, handed_in.get(task.id, {})) for task in tasks)


def listed_assignment(
    task: AssignedTask, students: Sequence[Student], handed_in: Mapping[int, bool]
) -> ListedAssignment:
    """An assignment with its numbers. `handed_in`: of those who have begun, by enrolment."""
    receivers = task.receivers(students, handed_in)
    begun = [student for student in receivers if student.id in handed_in]
    finished = [student for student in begun if handed_in[student.id]]
    return ListedAssignment(task.row, tuple(task.parts), len(receivers), len(begun), len(finished))


OWN_REFS = Prepared(select(PART.ref).where(PART.assignment_id == ASSIGNMENT_ID, PART.ref.startswith("own-")))


def own_contents(session: VerbSession, assignment_id: int) -> tuple[int, ...]:
    """The numbers of the contents of teachers that an assignment draws from."""
    own_ids = [own_id_of(ref) for (ref,) in session.all(OWN_REFS, assignment=assignment_id)]
    return tuple(dict.fromkeys(own_id for own_id in own_ids if own_id is not None))
