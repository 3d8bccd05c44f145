"""When an assignment may be done: opening, due time, late work, extensions, the closing.

The whole late rule stands here: when work is late, how long it is taken, what it costs, and the sentences
that refuse what comes too late.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from app.records.assignments.values import (
    AssignmentAttempt,
    AssignmentRow,
    AssignmentRules,
    AssignmentSettings,
    ExtensionRow,
    StudentAssignment,
)
from app.records.db.errors import Refused
from app.records.learning.values import FAR_FUTURE

MINUTE = timedelta(minutes=1)
"""A time that a teacher sets is a minute: what is due at 23:59 may be handed in at 23:59:40."""

GRACE = timedelta(seconds=15)
"""What was written in time may take so long to arrive."""
LONGEST_ATTEMPT_MINUTES = 600

NOT_YET_WORDS = "这份作业还没有开始。"
CLOSED_WORDS = "已经截止，不再收了。你存下的都在，老师收卷时照那些算。"
LATE_PERCENT_WORDS = "迟交按几成算，写0到100之间的整数，比如80。"

ScheduleState = Literal["draft", "soon", "open", "late", "over"]


@dataclass(frozen=True, slots=True)
class StudentTimes:
    """When one student may work at an assignment.

    `taken_until`: the last minute in which work is taken, as people are told; `ends_at`: the first moment in
    which it is not. `late_factor`: what a mark is multiplied with that is earned after the due time.
    """

    opens_at: datetime | None
    due_at: datetime | None
    taken_until: datetime | None
    ends_at: datetime | None
    late_factor: float

    def is_late(self, handed_in_at: datetime | None) -> bool:
        """Whether a student handed in after the due time."""
        if handed_in_at is None or self.due_at is None:
            return False
        # Most attempts are in time: the first comparison spares them the addition.
        return handed_in_at >= self.due_at and has_passed(self.due_at, handed_in_at)

    @property
    def takes_late_work(self) -> bool:
        """Whether anything is taken after the due time."""
        return bool(self.due_at and self.taken_until and self.taken_until > self.due_at)

    @property
    def late_cost_words(self) -> str:
        return late_cost_words(self.late_factor)

    def was_over(self, joined_at: datetime) -> bool:
        """Whether it was over before a student came into the class: then it is not theirs."""
        return self.ends_at is not None and joined_at > self.ends_at


@dataclass(frozen=True, slots=True)
class Schedule(StudentTimes):
    """When one student may work at an assignment, and where the present moment lies in it."""

    state: ScheduleState

    @property
    def takes_work(self) -> bool:
        """Whether work is taken now."""
        return self.state in ("open", "late")

    @property
    def factor_now(self) -> float:
        """What a mark is multiplied with that is earned now."""
        return self.late_factor if self.state == "late" else 1.0

    @property
    def late_words(self) -> str:
        """What handing in late costs; empty while it is not late."""
        if self.state != "late":
            return ""
        return f"已经过了截止时间，现在交算迟交，{self.late_cost_words}。"

    @property
    def closed_words(self) -> str:
        """Why no work is taken now; empty while it is."""
        if self.takes_work:
            return ""
        if self.state == "soon":
            return NOT_YET_WORDS
        return CLOSED_WORDS


# What being late costs.


def points_after_lateness(points: float, late_factor: float) -> float:
    """What points count for in an attempt, of which `late_factor` says what being late costs it."""
    return points * late_factor


def late_cost_words(late_factor: float) -> str:
    """What being late costs, as everybody reads it.

    >>> late_cost_words(0.6), late_cost_words(1)
    ('得分按60%算', '不扣分')
    """
    if late_factor == 1:
        return "不扣分"
    return f"得分按{late_factor * 100:g}%算"


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
    state = state_at(assignment, times_of_student, now)
    return Schedule(
        times_of_student.opens_at,
        times_of_student.due_at,
        times_of_student.taken_until,
        times_of_student.ends_at,
        times_of_student.late_factor,
        state,
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
        late_until = None
        closed_at = None
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
    if times_of_student.ends_at and now >= times_of_student.ends_at:
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


# A time from the beginning of an attempt.


def time_up_at(student_assignment: StudentAssignment, attempt: AssignmentAttempt) -> datetime | None:
    """When the time for an attempt is up, by the clock of the server; None where it has no limit."""
    if not student_assignment.minutes:
        return None
    return attempt.started_at + timedelta(minutes=student_assignment.minutes)


def last_counting_moment(
    student_assignment: StudentAssignment, attempt: AssignmentAttempt, now: datetime
) -> datetime:
    """Until when work on an attempt counts: now, or when its time was up."""
    time_is_up_at = time_up_at(student_assignment, attempt)
    if time_is_up_at is None:
        return now
    return min(now, time_is_up_at)


def time_up_words(student_assignment: StudentAssignment, attempt: AssignmentAttempt, now: datetime) -> str:
    """Why nothing is taken any more in an attempt that was begun; empty while there is time."""
    time_is_up_at = time_up_at(student_assignment, attempt)
    if time_is_up_at is None or now < time_is_up_at + GRACE:
        return ""
    minutes_text = f"{student_assignment.minutes:g}"
    return f"{minutes_text}分钟到了，不能再改。存下的都在，去交卷；不交，过一会儿服务器照那些替你交。"


def expect_no_less_time(former_rules: AssignmentRules, rules: AssignmentRules) -> None:
    """Refused where those who have begun would have less time than they were told."""
    is_shorter = rules.minutes and (not former_rules.minutes or rules.minutes < former_rules.minutes)
    if is_shorter:
        raise Refused("已经有人开始做了，做题时间只能加长，或者改成不限。", "minutes")


# What comes too late, and times that do not hold together.


def expect_work_is_taken(
    student_assignment: StudentAssignment, now: datetime, refused_work_words: str
) -> Schedule:
    """The times of a student who may work now, else Refused. `refused_work_words`: what is not taken."""
    expect_still_given(student_assignment)
    student_schedule = schedule_of(student_assignment, now)
    if student_schedule.state == "soon":
        raise Refused(NOT_YET_WORDS)
    if not student_schedule.takes_work:
        raise Refused(f"已经截止，不再收了：{refused_work_words}。")
    return student_schedule


def expect_still_given(student_assignment: StudentAssignment) -> None:
    if not student_assignment.is_still_given:
        raise Refused("这份作业已经不布置给你了，不能再做；交过的和存下的都在。")


def expect_time_left(assignment: AssignmentRow, now: datetime) -> None:
    """Refused where nobody could begin any more; late work counts."""
    if ends_at(assignment, None) <= now:
        raise Refused("截止时间已经过去了，发布了谁也做不了。写一个以后的时间；不想截止，就空着。", "due")


def expect_future_time(due_at: datetime | None, now: datetime) -> None:
    if due_at and due_at <= now:
        raise Refused("这个时间已经过去了，没有改。写一个以后的时间；要现在就结束，用“收卷”。", "due")


def expect_later_than_due(assignment: AssignmentRow, due_at: datetime | None) -> None:
    """Refused for an extension that ends before the due time for all, while that still holds."""
    if due_at is None or assignment.due_at is None:
        return
    if assignment.closed_at:
        return
    if due_at <= assignment.due_at:
        raise Refused("延到的时间要比原来的截止时间晚。", "due")


def expect_valid_times(rules: AssignmentRules) -> None:
    """Refused where the times, or what late work costs, do not hold together."""
    due_at, late_until = rules.due_at, rules.late_until
    if rules.opens_at and due_at and due_at <= rules.opens_at:
        raise Refused("截止时间要在开始时间之后。", "due")
    if late_until and due_at is None:
        raise Refused("没有截止时间，就没有迟交。先写截止时间。", "due")
    if late_until and due_at and late_until <= due_at:
        raise Refused("迟交收到的时间要在截止时间之后。", "late_until")
    if not 0 <= rules.minutes <= LONGEST_ATTEMPT_MINUTES:
        raise Refused(f"做题时间写1到{LONGEST_ATTEMPT_MINUTES}分钟；空着就不限。", "minutes")
    if not 0 <= rules.late_factor <= 1:
        raise Refused(LATE_PERCENT_WORDS, "late_percent")


def with_times_of(assignment: AssignmentRow, rules: AssignmentRules) -> AssignmentRules:
    """These rules with the times that an assignment has already."""
    return rules._replace(
        opens_at=assignment.opens_at, due_at=assignment.due_at, late_until=assignment.late_until
    )


def merged_rules(assignment: AssignmentRow, settings: AssignmentSettings) -> AssignmentRules:
    """The rules that a form of settings means.

    What nobody touched in it is what holds now, which may have been set on another page since it was opened.
    The due time and the end of late work go together.
    """
    rules, former_rules = settings.rules, settings.former_rules
    if former_rules is None:
        return rules
    untouched_names = {name for name in rules._fields if getattr(rules, name) == getattr(former_rules, name)}
    if not untouched_names >= {"due_at", "late_until"}:
        untouched_names -= {"due_at", "late_until"}
    merged = rules._replace(**{name: getattr(assignment, name) for name in untouched_names})
    if merged.late_until is None:
        return merged._replace(late_factor=rules.late_factor)
    return merged


def postponed_rules(rules: AssignmentRules, due_at: datetime | None) -> AssignmentRules:
    """Another due time for all; late work is taken for as long after it as after the old one."""
    late_until = rules.late_until
    if due_at is None:
        late_until = None
    elif late_until and rules.due_at:
        late_until = due_at + (late_until - rules.due_at)
    return rules._replace(due_at=due_at, late_until=late_until)
