"""When an assignment may be done: opening, due time, late work, extensions, the closing.

The whole late rule stands here, with its sentences: which work is late, how long it is taken, what it costs,
what statements ask of it. Nobody else compares a due time (`tests/records/assignments/test_late_rule.py`).
"""

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol

from sqlalchemy import and_, bindparam, or_, select

from app.records.assignments.rows import ASSIGNMENT, EXTENSION, IS_STANDING_EXTENSION, SUBMISSION
from app.records.assignments.tables import Extension
from app.records.assignments.values import AssignmentRow, AssignmentRules, ExtensionRow, StudentAssignment
from app.records.classes.values import AttendingStudent
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.learning.values import FAR_FUTURE

MINUTE = timedelta(minutes=1)
"""A time that a teacher sets is a minute: what is due at 23:59 may be handed in at 23:59:40."""

NOT_YET_SENTENCE = "这份作业还没有开始。"
CLOSED_SENTENCE = "已经截止，不再收了。你存下的都在，老师收卷时照那些算。"
USUAL_LATE_PERCENT = 80
LATE_PERCENT_LABEL, LATE_PERCENT_UNIT = "得分按", "%算"
LATE_WORK_WORDS = "截止以后还做过的，整份算迟交；以前做好、以后才交的不算"
LATE_PERCENT_SENTENCE = f"迟交按几成算，写0到100之间的整数，比如{USUAL_LATE_PERCENT}。"

ScheduleState = Literal["draft", "soon", "open", "late", "over"]


class HandedInWork(Protocol):
    """An attempt that was handed in, by whomever. `last_work_at`: when something was last done in it, None
    where nothing was; `late_factor`: what being late costs it."""

    @property
    def last_work_at(self) -> datetime | None: ...
    @property
    def late_factor(self) -> float: ...


@dataclass(frozen=True, slots=True)
class StudentTimes:
    """When one student may work at an assignment.

    `taken_until`: the last minute in which work is taken, as people are told; `ends_at`: the first moment in
    which it is not. `late_factor`: what a mark is multiplied with that is earned after the due time."""

    opens_at: datetime | None
    due_at: datetime | None
    taken_until: datetime | None
    ends_at: datetime | None
    late_factor: float

    def is_late(self, moment: datetime | None) -> bool:
        """Whether what was done at a moment was done after the due time."""
        if moment is None or self.due_at is None:
            return False
        # Most attempts are in time: the first comparison spares them the addition.
        return moment >= self.due_at and moment >= first_moment_after(self.due_at)

    def is_late_work(self, last_work_at: datetime | None) -> bool:
        """Whether work is late, by when something was last done for it, whoever handed it in later. A time in
        which nothing is taken now was in time when it was used: so its student was told."""
        return last_work_at is not None and self.is_late(last_work_at) and not self.is_over_at(last_work_at)

    def is_called_late(self, handed_in_work: HandedInWork) -> bool:
        """Whether an attempt is called late: as it was done, or as it costs."""
        return costs_points(handed_in_work.late_factor) or self.is_late_work(handed_in_work.last_work_at)

    def factor_at(self, last_work_at: datetime | None) -> float:
        """What a mark is multiplied with, by when something was last done for it."""
        return self.late_factor if self.is_late_work(last_work_at) else 1.0

    def forgiven_factor(self, handed_in_work: HandedInWork) -> float:
        """What being late costs an attempt once the rules are others: nothing if it is late no longer, and
        never more than its student was told, or than who comes now."""
        if not self.is_late(handed_in_work.last_work_at):
            return 1.0
        factor_at_present = self.late_factor if self.takes_late_work else 0.0
        return max(handed_in_work.late_factor, factor_at_present)

    @property
    def takes_late_work(self) -> bool:
        """Whether anything is taken after the due time."""
        return bool(self.due_at and self.taken_until and self.taken_until > self.due_at)

    @property
    def ends_before_due(self) -> bool:
        """Whether it ends earlier than by its due time, or without one: it was closed."""
        return bool(self.taken_until and (self.due_at is None or self.taken_until < self.due_at))

    def is_due_before(self, time_up_at: datetime | None) -> bool:
        """Whether the due time comes before an own time is up, or nothing but it ends the work."""
        return time_up_at is None or (self.due_at is not None and self.due_at < time_up_at)

    @property
    def late_cost_words(self) -> str:
        return late_cost_words(self.late_factor)

    def is_over_at(self, moment: datetime) -> bool:
        return self.ends_at is not None and moment >= self.ends_at

    def ended_without(self, student: AttendingStudent) -> bool:
        """Whether it was over before a student came into the class, or ended while they were out of it: then
        it is not theirs."""
        ends_at = self.ends_at
        if ends_at is None:
            return False
        if student.joined_at > ends_at:
            return True
        if student.absences is None:
            return False
        return any(
            datetime.fromisoformat(left_at) < ends_at < datetime.fromisoformat(back_at)
            for left_at, back_at in json.loads(student.absences)
        )


@dataclass(frozen=True, slots=True)
class Schedule(StudentTimes):
    """When one student may work at an assignment, and where the present moment lies in it."""

    state: ScheduleState

    @property
    def takes_work(self) -> bool:
        """Whether work is taken now."""
        return self.state in ("open", "late")

    @property
    def late_sentence(self) -> str:
        """What work costs now, and that one answer makes all of it late; empty while it is not late."""
        if self.state != "late":
            return ""
        return f"已经过了截止时间；再做一题，整份都算迟交，{self.late_cost_words}。"

    def hand_in_sentence(self, last_work_at: datetime | None) -> str:
        """What handing in costs now, by when something was last done; empty while it is not late."""
        if self.is_late_work(last_work_at):
            return f"截止以后还做过，这一份算迟交，{self.late_cost_words}。"
        if self.state != "late":
            return ""
        return f"已经过了截止时间。截止以后没再做，照这样交不算迟交；再做，整份就算，{self.late_cost_words}。"

    def hand_in_label(self, last_work_at: datetime | None) -> str:
        return "迟交这一份" if self.is_late_work(last_work_at) else "交卷"

    @property
    def closed_sentence(self) -> str:
        """Why no work is taken now; empty while it is."""
        if self.takes_work:
            return ""
        if self.state == "soon":
            return NOT_YET_SENTENCE
        return CLOSED_SENTENCE


# What is late, and what that costs.


def costs_points(late_factor: float) -> bool:
    """Whether being late costs an attempt anything."""
    return late_factor != 1


def points_after_lateness(points: float, late_factor: float) -> float:
    """What points count for in an attempt, of which `late_factor` says what being late costs it."""
    return points * late_factor


def late_cost_words(late_factor: float) -> str:
    """What being late costs, as everybody reads it.

    >>> late_cost_words(0.6), late_cost_words(1)
    ('得分按60%算', '不扣分')
    """
    if not costs_points(late_factor):
        return "不扣分"
    return f"得分按{late_factor * 100:g}%算"


def expect_valid_factor(late_factor: float) -> None:
    if not 0 <= late_factor <= 1:
        raise Refused(LATE_PERCENT_SENTENCE, "late_percent")


def late_percentage_text(assignment: AssignmentRow) -> str:
    """What late work counts for, as it stands in the form of settings; a copy without times keeps it."""
    if assignment.late_until is None and not costs_points(assignment.late_factor):
        return str(USUAL_LATE_PERCENT)
    return f"{assignment.late_factor * 100:g}"


# A time that a teacher sets.


def first_moment_after(set_time: datetime) -> datetime:
    """When a time has passed that a teacher set.

    >>> first_moment_after(datetime(2026, 9, 1, 23, 59))
    datetime.datetime(2026, 9, 2, 0, 0)
    """
    return set_time + MINUTE


def has_passed(set_time: datetime, moment: datetime) -> bool:
    """Whether a time that a teacher set had passed at a moment."""
    return moment >= first_moment_after(set_time)


def newest_passed_time(now: datetime) -> datetime:
    """The newest time that may have passed: what was set for later has not."""
    return now - MINUTE


def lies_ahead(set_time: datetime | None, now: datetime) -> bool:
    """Whether a time is set and still to come."""
    return set_time is not None and set_time > now


# What statements ask; of a single assignment `schedule` says it exactly.

MAY_BE_LATE = SUBMISSION.last_work_at >= ASSIGNMENT.due_at
"""The condition that an attempt may be late: what was done before the due time for all is not."""

NEWEST_PASSED: Any = bindparam("newest_passed_time", type_=ASSIGNMENT.due_at.type)
"""`newest_passed_time` of the moment that a statement asks about."""
IS_DUE_LATER = or_(
    ASSIGNMENT.due_at.is_(None), ASSIGNMENT.due_at > NEWEST_PASSED, ASSIGNMENT.late_until > NEWEST_PASSED
)
"""The condition that an assignment is not over by its own times: late work counts."""
EXTENSIONS_DUE_LATER = (
    select(EXTENSION.id)
    .where(EXTENSION.assignment_id == ASSIGNMENT.id, EXTENSION.due_at > NEWEST_PASSED, IS_STANDING_EXTENSION)
    .correlate_except(table(Extension))
)
"""The extensions of an assignment that still give time to somebody."""
MAY_BE_WORKED_AT = or_(and_(ASSIGNMENT.closed_at.is_(None), IS_DUE_LATER), EXTENSIONS_DUE_LATER.exists())
"""The condition that somebody may work at an assignment, at the moment that is asked about or later."""

# The times of a student.


def schedule_of(student_assignment: StudentAssignment, now: datetime) -> Schedule:
    """The times of a student at their assignment; over once it is no longer theirs."""
    student_schedule = schedule(student_assignment.assignment, student_assignment.extension, now)
    if not student_assignment.is_still_given:
        return replace(student_schedule, state="over")
    return student_schedule


def schedule(assignment: AssignmentRow, extension: ExtensionRow | None, now: datetime) -> Schedule:
    """The times of one student, and where `now` lies in them."""
    times_of_student = student_times(assignment, extension)
    schedule_state = state_at(assignment, times_of_student, now)
    return Schedule(
        times_of_student.opens_at,
        times_of_student.due_at,
        times_of_student.taken_until,
        times_of_student.ends_at,
        times_of_student.late_factor,
        schedule_state,
    )


def student_times(assignment: AssignmentRow, extension: ExtensionRow | None) -> StudentTimes:
    """The times of one student. Of the due time for all and an extension the later one holds, and no due time
    for all is the latest; an extension that ends after the closing outlives it, and holds alone then."""
    extension_due_at = extension.due_at if extension else None
    due_at = assignment.due_at
    late_until = assignment.late_until
    closed_at = assignment.closed_at
    if extension_due_at and closed_at and first_moment_after(extension_due_at) > closed_at:
        due_at = extension_due_at
        late_until = closed_at = None
    elif due_at and extension_due_at:
        due_at = max(due_at, extension_due_at)
    taken_until = work_ends_at = closed_at
    if due_at:
        last_minute_unless_closed = max(due_at, late_until or due_at)
        taken_until = min(last_minute_unless_closed, closed_at or last_minute_unless_closed)
        end_of_last_minute = first_moment_after(last_minute_unless_closed)
        work_ends_at = min(end_of_last_minute, closed_at or end_of_last_minute)
    return StudentTimes(assignment.opens_at, due_at, taken_until, work_ends_at, assignment.late_factor)


def state_at(assignment: AssignmentRow, times_of_student: StudentTimes, now: datetime) -> ScheduleState:
    """Where `now` lies in the times of a student."""
    if assignment.published_at is None:
        return "draft"
    if times_of_student.is_over_at(now):
        return "over"
    if times_of_student.opens_at and now < times_of_student.opens_at:
        return "soon"
    if times_of_student.is_late(now):
        return "late"
    return "open"


def shown_from(
    assignment: AssignmentRow, extension: ExtensionRow | None, handed_in_at: datetime | None
) -> datetime | None:
    """From when a student may see how an attempt went; None: always."""
    if assignment.answers == "at_once":
        return None
    if handed_in_at is None or assignment.answers == "never":
        return FAR_FUTURE
    if assignment.answers == "handed_in":
        return handed_in_at
    return max(handed_in_at, ends_at(assignment, extension))


def ends_at(assignment: AssignmentRow, extension: ExtensionRow | None) -> datetime:
    """From when nothing is taken any more of one student; FAR_FUTURE while nobody knows."""
    return student_times(assignment, extension).ends_at or FAR_FUTURE


# What comes too late.


def expect_work_is_taken(
    student_assignment: StudentAssignment, now: datetime, refused_work_words: str
) -> Schedule:
    """The times of a student who may work now, else Refused. `refused_work_words`: what is not taken."""
    expect_still_given(student_assignment)
    student_schedule = schedule_of(student_assignment, now)
    if student_schedule.state == "soon":
        raise Refused(NOT_YET_SENTENCE)
    if not student_schedule.takes_work:
        raise Refused(f"已经截止，不再收了：{refused_work_words}。")
    return student_schedule


def expect_still_given(student_assignment: StudentAssignment) -> None:
    if not student_assignment.is_still_given:
        raise Refused("这份作业已经不布置给你了，不能再做；交过的和存下的都在。")


def postponed_rules(assignment_rules: AssignmentRules, due_at: datetime | None) -> AssignmentRules:
    """Another due time for all; late work is taken for as long after it as after the old one."""
    late_until = assignment_rules.late_until
    if due_at is None:
        late_until = None
    elif late_until and assignment_rules.due_at:
        late_until = due_at + (late_until - assignment_rules.due_at)
    return assignment_rules._replace(due_at=due_at, late_until=late_until)
