"""今天: who has not begun, who is stuck, who is at work, read anew while a class works.

A fixed number of statements however many students there are; nothing of it is stored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, or_, select

from app.course.assignments.question_sets import question_count
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.deadlines import (
    MAY_BE_WORKED_AT,
    lies_ahead,
    newest_passed_time,
    schedule,
    student_times,
)
from app.records.assignments.rows import ASSIGNMENT, SUBMISSION
from app.records.classes import classrooms, groups
from app.records.classes.classrooms import CLASSROOM, IS_HELPER, IS_TEACHER
from app.records.classes.values import ClassGroup, ClassLists, ClassRow, Student
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.grading.collecting import UNCOLLECTED_WORKS_QUERY, UncollectedWork
from app.records.insight.class_activity import (
    QUERIES_OF_CLASS,
    QUERIES_OF_CLASSES,
    ClassActivity,
    load_activity,
    load_students_by_class_id,
    newest_time_passed_lately,
)
from app.records.insight.failures import FailureByCellIds, load_failure_by_cell_ids
from app.records.insight.item_stats import load_reports_by_item_ref
from app.records.insight.live_status import (
    LiveStatus,
    StuckReason,
    live_status_of,
    stuck_reason_at_question,
)

REPORTS_WITHIN = timedelta(days=14)
"""So long a report of a problem is pointed at."""
POINTED_AT_WITHIN = timedelta(days=60)
"""So long after an assignment was published it is pointed at what waits of it: a class has done many more."""


class OpenAssignment(NamedTuple):
    """An assignment that is worked at, with where everybody stands who is to do it, by enrolment."""

    task: AssignedTask
    question_count: int
    status_by_enrolment_id: Mapping[int, LiveStatus]

    @property
    def student_count_by_state(self) -> Counter[str]:
        """How many students are in each state."""
        return Counter(live_status.state for live_status in self.status_by_enrolment_id.values())

    def enrolment_ids_in(self, *states: str) -> set[int]:
        """Who is in one of these states."""
        return {
            enrolment_id
            for enrolment_id, live_status in self.status_by_enrolment_id.items()
            if live_status.state in states
        }


class UnmarkedWork(NamedTuple):
    """An assignment with answers in words that its teacher has still to mark, and how many these are."""

    assignment_id: int
    title: str
    answer_count: int


class TodayData(NamedTuple):
    """A class at this moment. `stuck_reason_by_enrolment_id`: of who is stuck in what nobody assigned.

    `upcoming_tasks`: published, and not open yet; `report_count`: how many problems were reported lately;
    `group_id`: of the one group that it is about.
    """

    classroom: ClassRow
    activity: ClassActivity
    open_assignments: Sequence[OpenAssignment]
    upcoming_tasks: Sequence[AssignedTask]
    stuck_reason_by_enrolment_id: Mapping[int, StuckReason]
    report_count: int
    unmarked_works: Sequence[UnmarkedWork]
    uncollected_works: Sequence[UncollectedWork]
    groups: tuple[ClassGroup, ...]
    group_id: int | None


IS_PUBLISHED_LATELY = ASSIGNMENT.published_at > bindparam("since")
UNCOLLECTED_WORKS = RowQuery(UncollectedWork, UNCOLLECTED_WORKS_QUERY.where(IS_PUBLISHED_LATELY))
UNMARKED_WORKS = RowQuery(
    UnmarkedWork,
    select(
        ASSIGNMENT.id.label("assignment_id"),
        ASSIGNMENT.title,
        func.sum(SUBMISSION.waiting_count).label("answer_count"),
    )
    .where(
        ASSIGNMENT.classroom_id == bindparam("classroom"),
        IS_PUBLISHED_LATELY,
        SUBMISSION.assignment_id == ASSIGNMENT.id,
        SUBMISSION.waiting_count > 0,
    )
    .group_by(ASSIGNMENT.id, ASSIGNMENT.title)
    .order_by(ASSIGNMENT.id),
)


def load_today(
    session: VerbSession, caller: Caller, classroom_id: int, now: datetime, group_id: int | None = None
) -> TodayData:
    """A class as it works, or one group of it, for its teacher: a fixed number of statements."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = classrooms.load_present_students(session, classroom.id)
    tasks = assigned.load_tasks(
        session,
        QUERIES_OF_CLASS.recent_tasks,
        classroom=classroom.id,
        newest_passed_time=newest_time_passed_lately(now),
    )
    class_groups = groups.groups_of(session, classroom.id)
    group_id = groups.known_group_id(class_groups, group_id)
    class_activity = load_activity(
        session, QUERIES_OF_CLASS, students, now, classroom.actor_id, classroom=classroom.id
    )
    class_activity = class_activity.of_class(students)
    if group_id is not None:
        students = tuple(student for student in students if student.group_id == group_id)
        class_activity = class_activity.of_students(students)
    open_tasks = [task for task in tasks if task.is_open_to_anybody(now)]
    failure_by_cell_ids = load_failure_by_cell_ids(session, open_tasks, class_activity)
    open_assignments = open_assignments_of(open_tasks, class_activity, failure_by_cell_ids)
    upcoming_tasks = [task for task in tasks if schedule(task.assignment, None, now).state == "soon"]
    unmarked_works: Sequence[UnmarkedWork] = ()
    uncollected_works: Sequence[UncollectedWork] = ()
    if classroom.may_be_marked:
        unmarked_works = session.all(UNMARKED_WORKS, classroom=classroom.id, since=now - POINTED_AT_WITHIN)
    if classroom.may_be_taught:
        time_parameters = {"since": now - POINTED_AT_WITHIN, "newest_passed_time": newest_passed_time(now)}
        uncollected_works = session.all(UNCOLLECTED_WORKS, classroom=classroom.id, **time_parameters)
    stuck_reason_by_enrolment_id = own_work_stuck_reason_by_enrolment_id(class_activity)
    return TodayData(
        classroom,
        class_activity,
        open_assignments,
        upcoming_tasks,
        stuck_reason_by_enrolment_id,
        report_count_of(session, classroom, students, now),
        unmarked_works,
        uncollected_works,
        groups=class_groups,
        group_id=group_id,
    )


def report_count_of(
    session: VerbSession, classroom: ClassRow, students: Iterable[Student], now: datetime
) -> int:
    """How many problems these students of a class reported lately, of those that 题目分析 shows."""
    reports_by_item_ref = load_reports_by_item_ref(session, classroom, now - REPORTS_WITHIN)
    enrolment_ids = {student.id for student in students}
    class_reports = chain.from_iterable(reports_by_item_ref.values())
    return sum(class_report.enrolment_id in enrolment_ids for class_report in class_reports)


def open_assignments_of(
    open_tasks: Sequence[AssignedTask], class_activity: ClassActivity, failure_by_cell_ids: FailureByCellIds
) -> list[OpenAssignment]:
    """What a class works at, with where everybody stands."""
    open_assignments = []
    for task in open_tasks:
        open_assignment = open_assignment_of(task, class_activity, failure_by_cell_ids)
        if open_assignment is not None:
            open_assignments.append(open_assignment)
    return open_assignments


def open_assignment_of(
    task: AssignedTask, class_activity: ClassActivity, failure_by_cell_ids: FailureByCellIds
) -> OpenAssignment | None:
    """An assignment with where everybody stands; None when nobody may work at it now."""
    now = class_activity.now
    attempts_by_enrolment_id = class_activity.attempts_by_enrolment_id_of_task(task)
    receivers = task.receivers(class_activity.students, attempts_by_enrolment_id)
    schedule_of = task.schedule_lookup_at(now)
    permitted_enrolment_ids = {student.id for student in receivers if schedule_of(student.id).takes_work}
    if not permitted_enrolment_ids:
        return None
    asked_question_count = question_count(task.parts)
    status_by_enrolment_id = {}
    for student in receivers:
        attempts_of_student = attempts_by_enrolment_id.get(student.id, ())
        # Nobody is quiet who was active elsewhere a moment ago.
        counts_silence = class_activity.is_beside_others_at_work(
            student.id
        ) and not class_activity.is_active_elsewhere(student.id, attempts_of_student)
        is_open = student.id in permitted_enrolment_ids
        has_hand_mark = student.id in task.hand_points_by_enrolment_id
        failure = failure_by_cell_ids.get((task.id, student.id))
        status_by_enrolment_id[student.id] = live_status_of(
            attempts_of_student,
            class_activity.progress_by_attempt_id,
            asked_question_count,
            counts_silence,
            now,
            is_open,
            has_hand_mark,
            failure,
        )
    return OpenAssignment(task, asked_question_count, status_by_enrolment_id)


def own_work_stuck_reason_by_enrolment_id(class_activity: ClassActivity) -> Mapping[int, StuckReason]:
    """Who is stuck in what nobody assigned, by enrolment: in the lesson or the practice they are at.

    What another teacher assigned or wrote is not shown, and what was closed is over.
    """
    stuck_reason_by_enrolment_id = {}
    for student in class_activity.students:
        latest_answer = class_activity.latest_answer_by_enrolment_id.get(student.id)
        if latest_answer is None or not latest_answer.is_own_work:
            continue
        question_progresses = class_activity.progress_by_attempt_id.get(latest_answer.attempt_id, ())
        stuck_reason = stuck_reason_at_question(question_progresses)
        if stuck_reason is not None:
            stuck_reason_by_enrolment_id[student.id] = stuck_reason
    return stuck_reason_by_enrolment_id


# The classes of a teacher, each in one line.

NOW_PARAMETER: Any = bindparam("now", type_=ASSIGNMENT.opens_at.type)
HAS_ASSIGNMENT_OPENED = or_(ASSIGNMENT.opens_at.is_(None), ASSIGNMENT.opens_at <= NOW_PARAMETER)
CLASSES_AT_WORK = PreparedStatement(
    select(ASSIGNMENT.classroom_id)
    .where(
        ASSIGNMENT.published_at.is_not(None),
        ASSIGNMENT.classroom_id == CLASSROOM.id,
        or_(IS_TEACHER, IS_HELPER),
        HAS_ASSIGNMENT_OPENED,
        MAY_BE_WORKED_AT,
    )
    .distinct()
)


class ClassSummary(NamedTuple):
    """A class with open work in one line: how many students are stuck, or handed in and failed; and how many
    have still to hand in what is due next, at `due_at`.

    Where nothing that somebody has to hand in is due at a time: how many have to hand in any of it.
    """

    stuck_count: int
    failed_count: int
    missing_count: int
    due_at: datetime | None


def load_classes_and_summaries(
    session: VerbSession, caller: Caller, now: datetime
) -> tuple[ClassLists, Mapping[int, ClassSummary]]:
    """The classes of the caller, and how those stand that have open work, by class."""
    class_lists = classrooms.load_class_lists(session, caller)
    time_parameters = {"now": now, "newest_passed_time": newest_passed_time(now)}
    classroom_rows = session.all(CLASSES_AT_WORK, learner=class_lists.visitor.learner_id, **time_parameters)
    class_ids_at_work = {classroom_id for (classroom_id,) in classroom_rows}
    classroom_ids = [
        taught_class.id
        for taught_class in class_lists.taught_classes
        if taught_class.archived_at is None and taught_class.id in class_ids_at_work
    ]
    if not classroom_ids:
        return class_lists, {}
    return class_lists, load_summary_by_class_id(session, classroom_ids, now, class_lists.visitor.learner_id)


def load_summary_by_class_id(
    session: VerbSession, classroom_ids: Sequence[int], now: datetime, actor_id: int | None
) -> Mapping[int, ClassSummary]:
    """How these classes stand, all read together. `actor_id`: the learner who asks."""
    students_by_class_id = load_students_by_class_id(session, classroom_ids)
    tasks = assigned.load_tasks(
        session,
        QUERIES_OF_CLASSES.recent_tasks,
        classrooms=classroom_ids,
        newest_passed_time=newest_time_passed_lately(now),
    )
    all_students = [student for students in students_by_class_id.values() for student in students]
    activity_of_classes = load_activity(
        session, QUERIES_OF_CLASSES, all_students, now, actor_id, classrooms=classroom_ids
    )
    open_tasks = [task for task in tasks if task.is_open_to_anybody(now)]
    failure_by_cell_ids = load_failure_by_cell_ids(session, open_tasks, activity_of_classes)
    summary_by_class_id = {}
    for classroom_id in classroom_ids:
        class_activity = activity_of_classes.of_class(students_by_class_id[classroom_id])
        class_tasks = [task for task in open_tasks if task.assignment.classroom_id == classroom_id]
        summary_by_class_id[classroom_id] = class_summary(
            open_assignments_of(class_tasks, class_activity, failure_by_cell_ids),
            own_work_stuck_reason_by_enrolment_id(class_activity),
            now,
        )
    return summary_by_class_id


MISSING_STATES = ("stuck", "new", "working", "ready")


def class_summary(
    open_assignments: Sequence[OpenAssignment], ids_stuck_in_own_work: Iterable[int], now: datetime
) -> ClassSummary:
    """A class in one line. Each student counts once in a column, whatever they are at."""
    stuck_enrolment_ids = set(ids_stuck_in_own_work)
    failed_enrolment_ids = set[int]()
    missing_enrolment_ids = set[int]()
    due_times_and_missing_counts = []
    for open_assignment in open_assignments:
        stuck_enrolment_ids |= open_assignment.enrolment_ids_in("stuck")
        failed_enrolment_ids |= open_assignment.enrolment_ids_in("failed")
        missing_ids_of_assignment = open_assignment.enrolment_ids_in(*MISSING_STATES)
        missing_enrolment_ids |= missing_ids_of_assignment
        assignment = open_assignment.task.assignment
        due_at = assignment.due_at
        # What was closed early is due no more: whoever still works there has an extension.
        if due_at and not student_times(assignment, None).ends_before_due and lies_ahead(due_at, now):
            due_times_and_missing_counts.append((due_at, len(missing_ids_of_assignment)))
    stuck_and_failed_counts = len(stuck_enrolment_ids), len(failed_enrolment_ids)
    for due_at, missing_count in sorted(due_times_and_missing_counts):
        if missing_count or not missing_enrolment_ids:
            return ClassSummary(*stuck_and_failed_counts, missing_count, due_at)
    return ClassSummary(*stuck_and_failed_counts, len(missing_enrolment_ids), None)
