"""Assignments as their teacher sees them: the list, and one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from app.course.assignments.question_sets import full_points_of, parts_by_bank_number, question_count
from app.records.assignments.deadlines import Schedule, schedule
from app.records.assignments.lookup import AssignmentPage
from app.records.assignments.series import SeriesAssignment
from app.records.assignments.values import (
    NOTHING_BY_HAND,
    AssignmentAttempt,
    AssignmentRow,
    ExtensionRow,
    used_attempt_count_of,
)
from app.records.classes.values import Student
from app.records.grading.marks import (
    final_mark_of,
    handed_in_attempts,
    is_passing_mark,
    mark_words,
    shown_points_text,
)
from app.records.marking import rubric_marks
from app.web.assignments.part_choices import options_by_form
from app.web.assignments.part_views import PartView, part_views
from app.web.site.site import CourseByPrefix

WORD_BY_STATE = {"draft": "草稿", "soon": "还没开始", "open": "进行中", "late": "收迟交的", "over": "结束了"}


class StudentProgress(NamedTuple):
    """How far one student is. `is_given`: it is for them, and they are not excused;
    `has_time_after_closing`: an extension gives time also after the closing; `mark_words`: the mark, or why
    there is none; `has_failed`: it is below the pass line; `has_hand_mark`: what was done on paper or
    elsewhere is marked; `may_go_on`: an attempt is open, or left to begin; `answered_count`: of the
    questions of an open attempt."""

    student: Student
    attempts: Sequence[AssignmentAttempt]
    extension: ExtensionRow | None
    schedule: Schedule
    is_given: bool
    has_time_after_closing: bool
    mark_words: str
    has_failed: bool
    has_hand_mark: bool
    may_go_on: bool
    answered_count: int = 0

    @property
    def extended_until(self) -> datetime | None:
        """Until when an extension gives time, where it holds, or will once all others are closed."""
        due_at = None
        if self.extension:
            due_at = self.extension.due_at
        if self.schedule.due_at in (None, due_at):
            return due_at
        return None

    @property
    def is_unfinished(self) -> bool:
        """Whether an attempt was begun and not handed in."""
        return any(attempt.handed_in_at is None for attempt in self.attempts)

    @property
    def latest_submission(self) -> AssignmentAttempt | None:
        """The latest attempt that was handed in."""
        return next((attempt for attempt in reversed(self.attempts) if attempt.handed_in_at), None)

    @property
    def is_extended_in_vain(self) -> bool:
        """Whether more time was given to somebody who had handed in and may not begin again."""
        if self.may_go_on or self.extension is None or self.latest_submission is None:
            return False
        handed_in_at = self.latest_submission.handed_in_at
        return handed_in_at is not None and handed_in_at < self.extension.created_at

    @property
    def is_done(self) -> bool:
        """Whether there is something to mark, or a mark."""
        return self.latest_submission is not None or self.has_hand_mark

    @property
    def is_missing(self) -> bool:
        """Whether somebody who is to do it has not. Who began and was then excused, or left out, is not."""
        return self.is_given and not self.is_done

    @property
    def is_late(self) -> bool:
        """Whether the latest came late."""
        return self.latest_submission is not None and self.schedule.is_called_late(self.latest_submission)

    @property
    def state(self) -> str:
        if self.latest_submission:
            return "done"
        if self.attempts:
            return "begun"
        return "new"


class SeriesRow(NamedTuple):
    """A class in the list of those that have the assignment, or may have it. `assignment`: what it has."""

    id: int
    name: str
    student_count: int
    is_this_class: bool
    assignment: AssignmentRow | None = None
    has_fixed_questions: bool = False

    @property
    def is_published(self) -> bool:
        return self.assignment is not None and self.assignment.published_at is not None


@dataclass(frozen=True)
class AssignmentView:
    """The page of one assignment.

    `course_by_prefix`: what its parts are from; `series_assignment_by_class_id`: the same assignment in other
    classes; `offered_course_by_prefix`: what its teacher may pick from, while the content may change;
    `student_filter`: which students are listed; `answered_count_by_enrolment_id`: of those in the midst of an
    attempt.
    """

    course_by_prefix: CourseByPrefix
    page: AssignmentPage
    now: datetime
    series_assignment_by_class_id: Mapping[int, SeriesAssignment] = field(default_factory=dict)
    offered_course_by_prefix: CourseByPrefix = field(default_factory=dict)
    student_filter: str = ""
    answered_count_by_enrolment_id: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def schedule(self) -> Schedule:
        return schedule(self.page.assignment, None, self.now)

    @cached_property
    def part_views(self) -> Sequence[PartView]:
        return part_views(self.course_by_prefix, self.page.parts)

    @cached_property
    def progresses(self) -> Sequence[StudentProgress]:
        progresses = []
        for student in self.page.receivers:
            answered_count = self.answered_count_by_enrolment_id.get(student.id, 0)
            student_progress = progress_of_student(self.page, student, self.now)
            progresses.append(student_progress._replace(answered_count=answered_count))
        return progresses

    @property
    def excused_students(self) -> Sequence[Student]:
        """Those of the class who need not do it."""
        hand_mark_by_enrolment_id = self.page.hand_mark_by_enrolment_id
        return [
            student
            for student in self.page.students
            if hand_mark_by_enrolment_id.get(student.id, NOTHING_BY_HAND).excused
        ]

    def names_of(self, student_progresses: Sequence[StudentProgress]) -> list[str]:
        """What some of them are called."""
        return [student_progress.student.distinct_name for student_progress in student_progresses]

    @cached_property
    def options_by_form(self) -> Mapping[str, Any]:
        """What can be put into it, while it may change."""
        return options_by_form(self.offered_course_by_prefix)

    @property
    def url(self) -> str:
        return f"/classrooms/{self.page.classroom.id}/assignments/{self.page.assignment.id}"

    @property
    def bank_numbers(self) -> Sequence[int]:
        """The numbers of its banks."""
        return sorted(parts_by_bank_number(self.page.parts))

    @cached_property
    def question_count(self) -> int:
        return question_count(self.page.parts)

    @property
    def has_rubric(self) -> bool:
        """Whether it asks something that its teacher marks."""
        return any(rubric_marks.questions_with_rubric(self.page.parts, self.course_by_prefix))

    @property
    def total_points_text(self) -> str:
        return shown_points_text(full_points_of(self.page.parts))

    @property
    def state_word(self) -> str:
        return WORD_BY_STATE[self.schedule.state]

    @property
    def has_seldom_set_rules(self) -> bool:
        """Whether a rule that few teachers change is another than in a new draft."""
        assignment = self.page.assignment
        folded_rules = assignment.rules._replace(title="", note="", opens_at=None, due_at=None)
        return assignment.form == "pre" or folded_rules != AssignmentRow().rules

    @property
    def listed_progresses(self) -> Sequence[StudentProgress]:
        """The students that are listed: all, or those who have handed in, or have not."""
        if self.student_filter == "missing":
            return self.missing_progresses
        if self.student_filter == "done":
            return self.done_progresses
        return self.progresses

    @property
    def filter_choices(self) -> Sequence[tuple[str, str, int]]:
        """What can be listed: its name in the address, in words, and how many that are."""
        return (
            ("", "全部", len(self.progresses)),
            ("missing", "没交的", len(self.missing_progresses)),
            ("done", "交了的", len(self.done_progresses)),
        )

    @cached_property
    def done_progresses(self) -> Sequence[StudentProgress]:
        """Who has handed in, or has a mark for what was done elsewhere."""
        return [student_progress for student_progress in self.progresses if student_progress.is_done]

    @property
    def failed_count(self) -> int:
        """How many of these have a mark below the pass line."""
        return sum(student_progress.has_failed for student_progress in self.progresses)

    @cached_property
    def missing_progresses(self) -> Sequence[StudentProgress]:
        """Who is to hand in and has not."""
        return [student_progress for student_progress in self.progresses if student_progress.is_missing]

    @property
    def collectable_progresses(self) -> Sequence[StudentProgress]:
        """Whose attempts 收卷 takes in: begun and not handed in."""
        return [
            student_progress
            for student_progress in self.progresses
            if student_progress.is_unfinished and not student_progress.has_time_after_closing
        ]

    @property
    def unfinished_leaver_count(self) -> int:
        """How many have left the class in the midst of an attempt: 收卷 takes these in, too."""
        present_student_ids = {student.id for student in self.page.students}
        open_attempts = [attempt for attempt in self.page.attempts if attempt.handed_in_at is None]
        return sum(attempt.enrolment_id not in present_student_ids for attempt in open_attempts)

    @cached_property
    def series_rows(self) -> Sequence[SeriesRow]:
        """The running classes of the teacher, this one first, each with what it has of the assignment."""
        this_class_id = self.page.classroom.id
        series_rows: list[SeriesRow] = []
        for taught_class in self.page.running_classes:
            class_details = (taught_class.id, taught_class.name, taught_class.student_count)
            series_assignment = self.series_assignment_by_class_id.get(taught_class.id)
            if taught_class.id == this_class_id:
                series_rows.insert(
                    0, SeriesRow(*class_details, True, self.page.assignment, self.page.has_fixed_questions)
                )
            elif series_assignment is not None:
                series_rows.append(
                    SeriesRow(
                        *class_details,
                        False,
                        series_assignment.assignment,
                        series_assignment.has_fixed_questions,
                    )
                )
            else:
                series_rows.append(SeriesRow(*class_details, False))
        return series_rows

    @property
    def unreached_class_names(self) -> Sequence[str]:
        """The other classes of the series whose questions stay as they are, while these may change."""
        if self.page.is_frozen:
            return ()
        return [
            series_row.name
            for series_row in self.series_rows
            if series_row.has_fixed_questions and not series_row.is_this_class
        ]

    @property
    def waiting_progresses(self) -> Sequence[StudentProgress]:
        """Who still has time after 收卷."""
        return [
            student_progress
            for student_progress in self.progresses
            if student_progress.has_time_after_closing
            and (student_progress.is_unfinished or not student_progress.latest_submission)
        ]

    @property
    def untouched_count(self) -> int:
        """Of how many students there is nothing to take in."""
        return sum(
            not student_progress.attempts and not student_progress.has_time_after_closing
            for student_progress in self.missing_progresses
        )

    @property
    def has_outside_parts(self) -> bool:
        """Whether something is done on other pages: that is taken in of whoever did not begin, too."""
        return any(not part_view.asks_questions for part_view in self.part_views)


def progress_of_student(assignment_data: AssignmentPage, student: Student, now: datetime) -> StudentProgress:
    """How far a student is now, and whether there is time once the assignment is closed."""
    assignment = assignment_data.assignment
    attempts = assignment_data.attempts_of(student.id)
    extension = assignment_data.extension_by_enrolment_id.get(student.id)
    closed_assignment = assignment._replace(closed_at=assignment.closed_at or now)
    is_assigned = assignment.everyone or student.id in assignment_data.assignee_ids
    hand_mark = assignment_data.hand_mark_by_enrolment_id.get(student.id, NOTHING_BY_HAND)
    final_mark = None
    if not hand_mark.excused:
        final_mark = final_mark_of(assignment.counts, handed_in_attempts(attempts), hand_mark.points)
    full_marks = full_points_of(assignment_data.parts)
    return StudentProgress(
        student,
        attempts,
        extension,
        schedule(assignment, extension, now),
        is_given=is_assigned and not hand_mark.excused,
        has_time_after_closing=is_assigned and schedule(closed_assignment, extension, now).takes_work,
        mark_words=mark_words(assignment, assignment_data.parts, attempts, hand_mark),
        has_failed=final_mark is not None and not is_passing_mark(final_mark, full_marks),
        has_hand_mark=hand_mark.points is not None,
        may_go_on=may_go_on(assignment, attempts),
    )


def may_go_on(assignment: AssignmentRow, attempts: Sequence[AssignmentAttempt]) -> bool:
    """Whether whoever made these attempts has one open, or may begin one: what was collected is redone."""
    has_open_attempt = any(attempt.handed_in_at is None for attempt in attempts)
    return has_open_attempt or assignment.passes == 0 or used_attempt_count_of(attempts) < assignment.passes
