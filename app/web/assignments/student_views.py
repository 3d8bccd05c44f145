"""Assignments as their students see them: the list, and one of them before its questions are opened."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from app.course.assignments.question_sets import full_points_of, parts_by_bank_number, question_count
from app.records.assignments.deadlines import (
    Schedule,
    late_cost_words,
    points_after_lateness,
    schedule_of,
    shown_from,
)
from app.records.assignments.values import AssignmentAttempt, StudentAssignment
from app.records.grading import marks
from app.records.grading.marks import shown_points_text
from app.records.grading.student_assignments import is_to_do, order_of_work
from app.web.assignments.assignment_settings import OPTION_WORDS_BY_RESULT_TIME, rule_lines
from app.web.assignments.part_views import OutsidePartView, PartView


class StudentAssignmentEntry(NamedTuple):
    """An assignment in the list of a student."""

    student_assignment: StudentAssignment
    schedule: Schedule
    now: datetime

    @property
    def latest_submission(self) -> AssignmentAttempt | None:
        """The latest attempt that was handed in."""
        return next(reversed(submissions_in_order(self.student_assignment)), None)

    @property
    def list_name(self) -> str:
        """The list that it stands in."""
        student_assignment = self.student_assignment
        if not student_assignment.is_still_given:
            return "past"
        if self.schedule.state == "soon":
            return "soon"
        if is_to_do(student_assignment, self.schedule):
            return "to_do"
        if self.latest_submission or student_assignment.hand_mark.is_set:
            return "done"
        return "missed"

    @property
    def mark_words(self) -> str:
        """The mark, as far as the student may know it: `6/8分`."""
        return mark_words(self.student_assignment, self.now)

    @property
    def is_mark_changed(self) -> bool:
        """Whether the mark is another than when it was handed in, as far as the student may know it."""
        student_assignment = self.student_assignment
        if student_assignment.hand_mark.excused or not is_mark_visible(student_assignment, self.now):
            return False
        return student_assignment.is_mark_changed


def entries_by_list_name_of(
    student_assignments: Sequence[StudentAssignment], now: datetime
) -> dict[str, list[StudentAssignmentEntry]]:
    """All assignments: to be done, the soonest first; soon to open; done and no longer theirs,
    the newest first; missed."""
    entries_by_list_name: dict[str, list[StudentAssignmentEntry]] = {
        "to_do": [],
        "soon": [],
        "done": [],
        "missed": [],
        "past": [],
    }
    for student_assignment in student_assignments:
        student_entry = StudentAssignmentEntry(student_assignment, schedule_of(student_assignment, now), now)
        entries_by_list_name[student_entry.list_name].append(student_entry)
    for list_name in ("to_do", "soon"):
        entries_by_list_name[list_name].sort(
            key=lambda student_entry: order_of_work(student_entry.student_assignment, student_entry.schedule)
        )
    for list_name in ("done", "past"):
        entries_by_list_name[list_name].sort(key=handed_in_moment, reverse=True)
    return entries_by_list_name


def handed_in_moment(student_entry: StudentAssignmentEntry) -> datetime:
    """When it was handed in last; before all moments where it never was."""
    submission = student_entry.latest_submission
    if submission is None or submission.handed_in_at is None:
        return datetime.min.replace(tzinfo=UTC)
    return submission.handed_in_at


class StudentAssignmentView(NamedTuple):
    """The page of an assignment. `done_share_by_part_id`: of the parts without questions."""

    student_assignment: StudentAssignment
    part_views: Sequence[PartView]
    done_share_by_part_id: Mapping[int, float]
    schedule: Schedule
    now: datetime

    @property
    def can_begin(self) -> bool:
        """Whether an attempt can be begun or gone on with."""
        return self.schedule.takes_work and (
            self.student_assignment.open_attempt is not None
            or self.student_assignment.remaining_attempt_count != 0
        )

    @property
    def is_extended(self) -> bool:
        """Whether the due time is this student's alone."""
        extension = self.student_assignment.extension
        return bool(extension and extension.due_at and extension.due_at == self.schedule.due_at)

    @property
    def question_count(self) -> int:
        """How many questions it asks."""
        return question_count(self.student_assignment.parts)

    @property
    def has_bank(self) -> bool:
        """Whether others may get other questions."""
        return bool(parts_by_bank_number(self.student_assignment.parts))

    @property
    def total_points_text(self) -> str:
        return shown_points_text(full_points_of(self.student_assignment.parts))

    @property
    def outside_part_views(self) -> Sequence[OutsidePartView]:
        counted_points_by_part_id: Mapping[int, float] = {}
        if not self.can_begin:
            counted_points_by_part_id = counting_points_by_part_id(self.student_assignment)
        return outside_part_views(
            self.part_views,
            self.done_share_by_part_id,
            counted_points_by_part_id,
            self.schedule.state == "over",
        )

    @property
    def attempts_with_words(self) -> Sequence[tuple[AssignmentAttempt, str]]:
        """The attempts that were handed in, each with its points."""
        attempts_with_words = []
        for submission in submissions_in_order(self.student_assignment):
            result_words = attempt_points_words(submission, self.student_assignment, self.now)
            result_words = result_words or unmarked_words(self.student_assignment)
            attempts_with_words.append((submission, result_words))
        return attempts_with_words

    @property
    def hand_mark_words(self) -> str:
        return hand_mark_words(self.student_assignment, self.now)

    @property
    def comment_words(self) -> str:
        return comment_words(self.student_assignment, self.now)

    @property
    def practice_parts(self) -> Sequence[PartView]:
        """What can be practised once it is over: where results stay secret, only what is drawn anew, for that
        gives nothing away."""
        if not self.student_assignment.is_still_given or self.schedule.state != "over":
            return ()
        part_views = [
            part_view
            for part_view in self.part_views
            if part_view.asks_questions and not part_view.is_missing
        ]
        if self.student_assignment.assignment.answers == "never":
            return [part_view for part_view in part_views if part_view.has_fresh_numbers]
        return part_views

    @property
    def practice_has_fresh_numbers(self) -> bool:
        """Whether practising brings other numbers each time."""
        return any(part_view.has_fresh_numbers for part_view in self.practice_parts)

    @property
    def rule_lines(self) -> list[str]:
        """What a student is to know before they begin, a line each."""
        return rule_lines(self.student_assignment.assignment, self.student_assignment.minutes)


def counting_points_by_part_id(student_assignment: StudentAssignment) -> Mapping[int, float]:
    """The points of the attempt that counts, by part id; empty without one."""
    handed_in_attempt = marks.counting_attempt(
        student_assignment.assignment.counts, marks.handed_in_attempts(student_assignment.attempts)
    )
    if handed_in_attempt is None:
        return {}
    submission = student_assignment.attempt_with_number(handed_in_attempt.number)
    if submission is None:
        return {}
    return marks.read_points_by_part_id(submission.points_json)


def outside_part_views(
    part_views: Sequence[PartView],
    done_share_by_part_id: Mapping[int, float],
    counted_points_by_part_id: Mapping[int, float] | None = None,
    is_over: bool = False,
) -> list[OutsidePartView]:
    """The parts that make no questions. The counted points: of the counting attempt, once settled."""
    views_of_outside_parts = []
    for part_view in part_views:
        if part_view.asks_questions:
            continue
        part = part_view.part
        counted_share = None
        if counted_points_by_part_id and part.points:
            counted_share = counted_points_by_part_id.get(part.id, 0.0) / part.points
        views_of_outside_parts.append(
            OutsidePartView(part_view, done_share_by_part_id.get(part.id, 0.0), counted_share, is_over)
        )
    return views_of_outside_parts


def submissions_in_order(student_assignment: StudentAssignment) -> list[AssignmentAttempt]:
    """The attempts that were handed in, in their order."""
    return [submission for submission in student_assignment.attempts if submission.handed_in_at]


def is_mark_visible(student_assignment: StudentAssignment, now: datetime) -> bool:
    """Whether the student may know the mark: from the first attempt with visible points on, and never where
    results are kept for the lesson."""
    if student_assignment.assignment.answers == "never":
        return False
    submissions = submissions_in_order(student_assignment)
    return not submissions or any(
        attempt_points_words(submission, student_assignment, now) for submission in submissions
    )


def comment_words(student_assignment: StudentAssignment, now: datetime) -> str:
    """What the teacher wrote about the whole: with the mark, or when time is up where no mark is shown."""
    is_over = schedule_of(student_assignment, now).state == "over"
    is_told_in_class = student_assignment.assignment.answers == "never" and is_over
    if is_told_in_class or is_mark_visible(student_assignment, now):
        return student_assignment.comment
    return ""


def mark_words(student_assignment: StudentAssignment, now: datetime) -> str:
    """The mark in a word: of the attempt that counts, or the one that the teacher set."""
    if student_assignment.hand_mark.excused:
        return "免做"
    if not is_mark_visible(student_assignment, now):
        return unmarked_words(student_assignment)
    submissions = submissions_in_order(student_assignment)
    handed_in_attempts = marks.handed_in_attempts(submissions)
    counting_rule, hand_points = student_assignment.assignment.counts, student_assignment.hand_mark.points
    counted_points = marks.mark_of(counting_rule, handed_in_attempts, hand_points)
    if counted_points is None:
        return ""
    if not submissions:
        return f"老师给了{shown_points_text(counted_points)}分"
    full_points = submissions[-1].full_marks
    if not full_points:
        return ""
    unmarked_answer_count = marks.waiting_count_of(counting_rule, handed_in_attempts, hand_points)
    if unmarked_answer_count:
        return f"等老师批{unmarked_answer_count}题"
    return f"{shown_points_text(counted_points)}/{shown_points_text(full_points)}分"


def unmarked_words(student_assignment: StudentAssignment) -> str:
    """What stands in the place of a mark that is not visible."""
    if student_assignment.assignment.answers == "never":
        return OPTION_WORDS_BY_RESULT_TIME["never"].rule_words
    return "结果还没公布"


def hand_mark_words(student_assignment: StudentAssignment, now: datetime) -> str:
    """What the teacher decided about the mark: 免 at once, another mark once marks are visible."""
    hand_mark = student_assignment.hand_mark
    reason_words = ""
    if hand_mark.reason:
        reason_words = f"理由：{hand_mark.reason}"
    if hand_mark.excused:
        return f"老师让你免做这份作业：做不做都行，不算进总评。{reason_words}"
    if hand_mark.points is None or not is_mark_visible(student_assignment, now):
        return ""
    full_points_text = shown_points_text(full_points_of(student_assignment.parts))
    verb_words = "老师把这份作业的成绩改成了" if submissions_in_order(student_assignment) else "老师给了"
    return f"{verb_words}{shown_points_text(hand_mark.points)}分，满分{full_points_text}分。{reason_words}"


def attempt_points_words(
    submission: AssignmentAttempt, student_assignment: StudentAssignment, now: datetime
) -> str:
    """The points of an attempt, once they are visible: `8分，满分10分`."""
    visible_from = shown_from(
        student_assignment.assignment, student_assignment.extension, submission.handed_in_at
    )
    if submission.points is None or (visible_from and now < visible_from):
        return ""
    late_words = ""
    if schedule_of(student_assignment, now).is_called_late(submission):
        cost_words = late_cost_words(submission.late_factor)
        late_words = f"（{shown_points_text(submission.points)}分，迟交，{cost_words}）"
    earned_points_text = shown_points_text(points_after_lateness(submission.points, submission.late_factor))
    full_marks_text = shown_points_text(submission.full_marks or 0)
    points_words = f"{earned_points_text}分{late_words}，满分{full_marks_text}分"
    if submission.waiting_count:
        return f"已得{points_words}，还有{submission.waiting_count}题等老师批"
    return points_words
