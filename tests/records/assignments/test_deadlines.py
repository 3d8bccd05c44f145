"""Times of an assignment as values: each edge just before it, at it and after it."""

import json
from datetime import UTC, datetime, timedelta

from app.records.assignments import deadlines
from app.records.assignments.values import AssignmentRow, AssignmentRules, ExtensionRow, StudentAssignment
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.grading.marks import HandedInAttempt
from app.records.learning import values
from tests.tables import each

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OPENS = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)
DUE = datetime(2026, 9, 3, 23, 59, tzinfo=UTC)
LATE_UNTIL = datetime(2026, 9, 5, 23, 59, tzinfo=UTC)
CLOSED = datetime(2026, 9, 4, 12, 0, tzinfo=UTC)
PUBLISHED = datetime(2026, 8, 31, 8, 0, tzinfo=UTC)
FAR = datetime(9999, 1, 1, tzinfo=UTC)

PLAIN = AssignmentRow(published_at=PUBLISHED)
TIMED = PLAIN._replace(opens_at=OPENS, due_at=DUE)
LATE = TIMED._replace(late_until=LATE_UNTIL, late_factor=0.5)


def extended(due_at: datetime | None) -> ExtensionRow:
    return ExtensionRow(31, due_at, "病了", PUBLISHED)


def at_student(
    assignment: AssignmentRow, extension: ExtensionRow | None = None, live: bool = True
) -> StudentAssignment:
    return StudentAssignment(assignment, "高一3班", 31, 7, PUBLISHED, extension, is_still_given=live)


def test_never_is_the_year_9999_and_a_due_time_lasts_its_minute() -> None:
    assert values.FAR_FUTURE == FAR
    assert timedelta(seconds=60) == deadlines.MINUTE


# Where a moment lies.


@each(
    ("assignment", "now", "state"),
    [
        (TIMED._replace(published_at=None), OPENS, "draft"),
        (TIMED._replace(published_at=None), LATE_UNTIL, "draft"),
        (PLAIN, PUBLISHED, "open"),
        (PLAIN, FAR, "open"),
        (TIMED, OPENS - SECOND, "soon"),
        (TIMED, OPENS, "open"),
        (TIMED, OPENS + SECOND, "open"),
        (TIMED, DUE - SECOND, "open"),
        (TIMED, DUE, "open"),
        (TIMED, DUE + MINUTE - SECOND, "open"),
        (TIMED, DUE + MINUTE, "over"),
        (LATE, DUE, "open"),
        (LATE, DUE + MINUTE - SECOND, "open"),
        (LATE, DUE + MINUTE, "late"),
        (LATE, LATE_UNTIL, "late"),
        (LATE, LATE_UNTIL + MINUTE - SECOND, "late"),
        (LATE, LATE_UNTIL + MINUTE, "over"),
        (LATE, LATE_UNTIL + DAY, "over"),
        (PLAIN._replace(closed_at=CLOSED), CLOSED - SECOND, "open"),
        (PLAIN._replace(closed_at=CLOSED), CLOSED, "over"),
        (PLAIN._replace(closed_at=CLOSED), CLOSED + SECOND, "over"),
        (LATE._replace(closed_at=CLOSED), CLOSED - SECOND, "late"),
        (LATE._replace(closed_at=CLOSED), CLOSED, "over"),
        (PLAIN._replace(opens_at=CLOSED + DAY, closed_at=CLOSED), CLOSED, "over"),
        (PLAIN._replace(late_until=LATE_UNTIL), LATE_UNTIL + DAY, "open"),
        (LATE._replace(late_until=DUE - DAY), DUE, "open"),
        (LATE._replace(late_until=DUE - DAY), DUE + MINUTE, "over"),
    ],
)
def test_where_a_moment_lies(assignment: AssignmentRow, now: datetime, state: str) -> None:
    assert deadlines.schedule(assignment, None, now).state == state


@each(
    ("schedule_state", "takes"),
    [("draft", False), ("soon", False), ("open", True), ("late", True), ("over", False)],
)
def test_what_a_state_takes(schedule_state: deadlines.ScheduleState, takes: bool) -> None:
    times = deadlines.Schedule(OPENS, DUE, LATE_UNTIL, LATE_UNTIL + MINUTE, 0.5, schedule_state)
    assert times.takes_work is takes


@each(
    ("assignment", "worked_at", "factor"),
    [
        (PLAIN, FAR, 1.0),
        (LATE, DUE, 1.0),
        (LATE, DUE + MINUTE - SECOND, 1.0),
        (LATE, DUE + MINUTE, 0.5),
        (LATE, LATE_UNTIL + MINUTE - SECOND, 0.5),
        (LATE, None, 1.0),
        # Nothing is taken at such a time: it was in time when it was used.
        (LATE, LATE_UNTIL + MINUTE, 1.0),
        (LATE._replace(closed_at=CLOSED), CLOSED - SECOND, 0.5),
        (LATE._replace(closed_at=CLOSED), CLOSED, 1.0),
    ],
)
def test_what_work_at_a_moment_costs(
    assignment: AssignmentRow, worked_at: datetime | None, factor: float
) -> None:
    assert deadlines.student_times(assignment, None).factor_at(worked_at) == factor


def worked(
    last_work_at: datetime | None, late_factor: float = 1.0, is_collected: bool = False
) -> HandedInAttempt:
    return HandedInAttempt(1, 8.0, late_factor, last_work_at, is_collected)


@each(
    ("attempt", "late", "forgiven_factor"),
    [
        (worked(DUE), False, 1.0),
        (worked(DUE + MINUTE), True, 1.0),
        (worked(DUE + MINUTE, late_factor=0.5), True, 0.5),
        (worked(DUE + MINUTE, late_factor=0.7), True, 0.7),
        # As after a lower cost for all: nobody pays more than who comes now.
        (worked(DUE + MINUTE, late_factor=0.3), True, 0.5),
        # As after an extension: what it cost until now was paid for another due time.
        (worked(DUE, late_factor=0.5), True, 1.0),
        # Whoever handed it in.
        (worked(DUE + MINUTE, is_collected=True), True, 1.0),
        (worked(DUE, is_collected=True), False, 1.0),
        (worked(DUE + MINUTE, late_factor=0.5, is_collected=True), True, 0.5),
        (worked(DUE, late_factor=0.5, is_collected=True), True, 1.0),
        (worked(None), False, 1.0),
        # As after another end: what was done later was in time when it was done.
        (worked(LATE_UNTIL + MINUTE - SECOND), True, 1.0),
        (worked(LATE_UNTIL + MINUTE), False, 1.0),
        (worked(LATE_UNTIL + MINUTE, late_factor=0.7), True, 0.7),
    ],
)
def test_what_is_called_late_and_what_of_it_is_forgiven(
    attempt: HandedInAttempt, late: bool, forgiven_factor: float
) -> None:
    times = deadlines.student_times(LATE, None)
    assert (times.is_called_late(attempt), times.forgiven_factor(attempt)) == (late, forgiven_factor)


def test_where_nothing_late_is_taken_any_more_it_costs_what_was_told() -> None:
    times = deadlines.student_times(LATE._replace(late_until=None), None)
    assert times.forgiven_factor(worked(DUE + MINUTE, late_factor=0.3)) == 0.3


def test_what_late_work_counts_for() -> None:
    assert deadlines.points_after_lateness(8.0, 0.5) == 4.0


def test_a_set_time_has_passed_once_its_minute_is_over() -> None:
    moments = (DUE, DUE + MINUTE - SECOND, DUE + MINUTE, DUE + MINUTE + SECOND)
    assert [deadlines.has_passed(DUE, moment) for moment in moments] == [False, False, True, True]


@each(
    ("assignment", "extension", "early"),
    [
        (PLAIN, None, False),
        (LATE, None, False),
        (LATE._replace(closed_at=DUE), None, False),
        (LATE._replace(closed_at=DUE - SECOND), None, True),
        (PLAIN._replace(closed_at=CLOSED), None, True),
        (LATE._replace(closed_at=OPENS), extended(DUE + DAY), False),
    ],
)
def test_what_was_closed_before_it_was_due(
    assignment: AssignmentRow, extension: ExtensionRow | None, early: bool
) -> None:
    assert deadlines.student_times(assignment, extension).ends_before_due is early


@each(
    ("late_until", "late_factor", "text"),
    [(None, 1.0, "80"), (None, 0.5, "50"), (LATE_UNTIL, 1.0, "100"), (LATE_UNTIL, 0.75, "75")],
)
def test_what_late_work_counts_for_in_the_form(
    late_until: datetime | None, late_factor: float, text: str
) -> None:
    assignment = TIMED._replace(late_until=late_until, late_factor=late_factor)
    assert deadlines.late_percentage_text(assignment) == text


@each(("set_time", "ahead"), [(None, False), (DUE - SECOND, False), (DUE, False), (DUE + SECOND, True)])
def test_a_time_that_lies_ahead(set_time: datetime | None, ahead: bool) -> None:
    assert deadlines.lies_ahead(set_time, DUE) is ahead


IN_TIME_WORDS = "已经过了截止时间。截止以后没再做，照这样交不算迟交；再做，整份就算，得分按50%算。"


@each(
    ("schedule_state", "factor", "words"),
    [
        ("late", 0.5, "已经过了截止时间；再做一题，整份都算迟交，得分按50%算。"),
        ("late", 0.0, "已经过了截止时间；再做一题，整份都算迟交，得分按0%算。"),
        ("late", 1.0, "已经过了截止时间；再做一题，整份都算迟交，不扣分。"),
        ("open", 0.5, ""),
        ("over", 0.5, ""),
    ],
)
def test_whoever_is_late_is_told_what_it_costs(
    schedule_state: deadlines.ScheduleState, factor: float, words: str
) -> None:
    times = deadlines.Schedule(OPENS, DUE, LATE_UNTIL, LATE_UNTIL + MINUTE, factor, schedule_state)
    assert times.late_sentence == words


@each(
    ("schedule_state", "last_work_at", "words", "label"),
    [
        ("open", DUE, "", "交卷"),
        ("late", None, IN_TIME_WORDS, "交卷"),
        ("late", DUE + MINUTE - SECOND, IN_TIME_WORDS, "交卷"),
        ("late", DUE + MINUTE, "截止以后还做过，这一份算迟交，得分按50%算。", "迟交这一份"),
    ],
)
def test_handing_in_is_late_by_what_was_done_and_not_by_the_button(
    schedule_state: deadlines.ScheduleState, last_work_at: datetime | None, words: str, label: str
) -> None:
    times = deadlines.Schedule(OPENS, DUE, LATE_UNTIL, LATE_UNTIL + MINUTE, 0.5, schedule_state)
    assert (times.hand_in_sentence(last_work_at), times.hand_in_label(last_work_at)) == (words, label)


@each(
    ("due_at", "moment", "first"),
    [
        (DUE, None, True),
        (None, None, True),
        (None, DUE, False),
        (DUE, DUE, False),
        (DUE, DUE + SECOND, True),
    ],
)
def test_whether_the_due_time_comes_before_the_own_time_is_up(
    due_at: datetime | None, moment: datetime | None, first: bool
) -> None:
    times = deadlines.Schedule(OPENS, due_at, due_at, None, 0.5, "open")
    assert times.is_due_before(moment) is first


@each(
    ("schedule_state", "words"),
    [
        ("soon", "这份作业还没有开始。"),
        ("open", ""),
        ("late", ""),
        ("over", "已经截止，不再收了。你存下的都在，老师收卷时照那些算。"),
    ],
)
def test_where_no_work_is_taken_it_is_said_why(schedule_state: deadlines.ScheduleState, words: str) -> None:
    times = deadlines.Schedule(OPENS, DUE, LATE_UNTIL, LATE_UNTIL + MINUTE, 0.5, schedule_state)
    assert times.closed_sentence == words


# The times of one student.


@each(
    ("assignment", "extension", "times"),
    [
        (PLAIN, None, (None, None, None, 1.0)),
        (TIMED, None, (OPENS, DUE, DUE, 1.0)),
        (LATE, None, (OPENS, DUE, LATE_UNTIL, 0.5)),
        (LATE, extended(None), (OPENS, DUE, LATE_UNTIL, 0.5)),
        # Of two due times the later one holds; no due time for all is the latest.
        (TIMED, extended(DUE + DAY), (OPENS, DUE + DAY, DUE + DAY, 1.0)),
        (TIMED, extended(DUE - DAY), (OPENS, DUE, DUE, 1.0)),
        (PLAIN, extended(DUE), (None, None, None, 1.0)),
        (LATE, extended(DUE + DAY), (OPENS, DUE + DAY, LATE_UNTIL, 0.5)),
        (LATE, extended(LATE_UNTIL + DAY), (OPENS, LATE_UNTIL + DAY, LATE_UNTIL + DAY, 0.5)),
        # The closing ends what it comes before.
        (PLAIN._replace(closed_at=CLOSED), None, (None, None, CLOSED, 1.0)),
        (LATE._replace(closed_at=CLOSED), None, (OPENS, DUE, CLOSED, 0.5)),
        (TIMED._replace(closed_at=CLOSED), None, (OPENS, DUE, DUE, 1.0)),
        # What ends after the closing outlives it, by the minute that it lasts.
        (LATE._replace(closed_at=CLOSED), extended(CLOSED + DAY), (OPENS, CLOSED + DAY, CLOSED + DAY, 0.5)),
        (PLAIN._replace(closed_at=CLOSED), extended(CLOSED), (None, CLOSED, CLOSED, 1.0)),
        (
            PLAIN._replace(closed_at=CLOSED),
            extended(CLOSED - MINUTE + SECOND),
            (None, CLOSED - MINUTE + SECOND, CLOSED - MINUTE + SECOND, 1.0),
        ),
        (PLAIN._replace(closed_at=CLOSED), extended(CLOSED - MINUTE), (None, None, CLOSED, 1.0)),
        (LATE._replace(closed_at=CLOSED), extended(CLOSED - HOUR), (OPENS, CLOSED - HOUR, CLOSED, 0.5)),
    ],
)
def test_the_times_of_a_student(
    assignment: AssignmentRow,
    extension: ExtensionRow | None,
    times: tuple[datetime | None, datetime | None, datetime | None, float],
) -> None:
    schedule = deadlines.schedule(assignment, extension, OPENS)
    assert (schedule.opens_at, schedule.due_at, schedule.taken_until, schedule.late_factor) == times


@each(
    ("extension", "now", "state"),
    [
        (None, CLOSED, "over"),
        (extended(CLOSED + HOUR), CLOSED, "open"),
        (extended(CLOSED + HOUR), CLOSED + HOUR + MINUTE - SECOND, "open"),
        (extended(CLOSED + HOUR), CLOSED + HOUR + MINUTE, "over"),
        (extended(CLOSED - HOUR), CLOSED - SECOND, "late"),
        (extended(CLOSED - HOUR), CLOSED, "over"),
    ],
)
def test_an_extension_and_the_closing(extension: ExtensionRow | None, now: datetime, state: str) -> None:
    assert deadlines.schedule(LATE._replace(closed_at=CLOSED), extension, now).state == state


def test_what_is_no_longer_theirs_is_over_and_keeps_its_times() -> None:
    live = deadlines.schedule_of(at_student(LATE, extended(DUE + DAY)), DUE)
    past = deadlines.schedule_of(at_student(LATE, extended(DUE + DAY), live=False), DUE)
    assert (live.state, past.state) == ("open", "over")
    assert (live.due_at, past.due_at, past.taken_until) == (DUE + DAY, DUE + DAY, LATE_UNTIL)
    assert deadlines.schedule_of(at_student(LATE), DUE + HOUR).state == "late"


@each(
    ("due_at", "handed_in_at", "late"),
    [
        (DUE, None, False),
        (None, DUE, False),
        (DUE, DUE - SECOND, False),
        (DUE, DUE, False),
        (DUE, DUE + MINUTE - SECOND, False),
        (DUE, DUE + MINUTE, True),
        (DUE, DUE + MINUTE + SECOND, True),
    ],
)
def test_who_is_late(due_at: datetime | None, handed_in_at: datetime | None, late: bool) -> None:
    times = deadlines.Schedule(OPENS, due_at, due_at, None, 0.5, "over")
    assert times.is_late(handed_in_at) is late


@each(
    ("assignment", "moment", "over"),
    [
        (PLAIN, FAR, False),
        (LATE, LATE_UNTIL + MINUTE, False),
        (LATE, LATE_UNTIL + MINUTE + SECOND, True),
        (LATE._replace(closed_at=CLOSED), CLOSED, False),
        (LATE._replace(closed_at=CLOSED), CLOSED + SECOND, True),
    ],
)
def test_what_was_over_before_one_came_or_came_back(
    assignment: AssignmentRow, moment: datetime, over: bool
) -> None:
    times = deadlines.schedule(assignment, None, FAR)
    assert times.ended_without(Student(1, 1, "小糖", "", moment, None, None)) is over
    absences = json.dumps([(OPENS.isoformat(), moment.isoformat())])
    student_who_is_back = Student(1, 1, "小糖", "", OPENS, None, None, absences=absences)
    assert times.ended_without(student_who_is_back) is over
    absences = json.dumps([(moment.isoformat(), (FAR + DAY).isoformat())])
    assert times.ended_without(student_who_is_back._replace(absences=absences)) is False


@each(
    ("closed_at", "end"),
    [
        (None, LATE_UNTIL + MINUTE),
        (LATE_UNTIL + MINUTE + SECOND, LATE_UNTIL + MINUTE),
        (LATE_UNTIL + MINUTE, LATE_UNTIL + MINUTE),
        (LATE_UNTIL + SECOND, LATE_UNTIL + SECOND),
    ],
)
def test_the_last_minute_lasts_unless_it_is_closed(closed_at: datetime | None, end: datetime) -> None:
    assert deadlines.ends_at(LATE._replace(closed_at=closed_at), None) == end


# When results are shown.


@each(
    ("assignment", "extension", "handed_in_at", "shown_from"),
    [
        (LATE._replace(answers="at_once"), None, None, None),
        (LATE._replace(answers="at_once"), None, DUE, None),
        (LATE._replace(answers="handed_in"), None, None, FAR),
        (LATE._replace(answers="handed_in"), None, OPENS, OPENS),
        (LATE._replace(answers="never"), None, None, FAR),
        (LATE._replace(answers="never"), None, OPENS, FAR),
        (LATE._replace(answers="due"), None, None, FAR),
        (LATE._replace(answers="due"), None, OPENS, LATE_UNTIL + MINUTE),
        (LATE._replace(answers="due"), None, LATE_UNTIL + HOUR, LATE_UNTIL + HOUR),
        (TIMED._replace(answers="due"), None, OPENS, DUE + MINUTE),
        (TIMED._replace(answers="due"), extended(DUE + DAY), OPENS, DUE + DAY + MINUTE),
        (PLAIN._replace(answers="due"), None, OPENS, FAR),
        (PLAIN._replace(answers="due", closed_at=CLOSED), None, OPENS, CLOSED),
        (LATE._replace(answers="due", closed_at=CLOSED), None, OPENS, CLOSED),
        (
            LATE._replace(answers="due", closed_at=CLOSED),
            extended(CLOSED + DAY),
            OPENS,
            CLOSED + DAY + MINUTE,
        ),
    ],
)
def test_when_results_are_shown(
    assignment: AssignmentRow,
    extension: ExtensionRow | None,
    handed_in_at: datetime | None,
    shown_from: datetime | None,
) -> None:
    assert deadlines.shown_from(assignment, extension, handed_in_at) == shown_from


# What comes too late.


def refusal_of_work(task: StudentAssignment, now: datetime) -> str:
    try:
        deadlines.expect_work_is_taken(task, now, "这一步没有存下")
    except Refused as refused:
        return str(refused)
    return ""


NO_LONGER = "这份作业已经不布置给你了，不能再做；交过的和存下的都在。"
SOON = "这份作业还没有开始。"
OVER = "已经截止，不再收了：这一步没有存下。"


@each(
    ("task", "now", "sentence"),
    [
        (at_student(LATE), OPENS - SECOND, SOON),
        (at_student(LATE), OPENS, ""),
        (at_student(LATE), DUE + HOUR, ""),
        (at_student(LATE), LATE_UNTIL + MINUTE - SECOND, ""),
        (at_student(LATE), LATE_UNTIL + MINUTE, OVER),
        (at_student(TIMED, extended(DUE + DAY)), DUE + DAY, ""),
        (at_student(TIMED, extended(DUE + DAY)), DUE + DAY + MINUTE, OVER),
        (at_student(PLAIN._replace(published_at=None)), DUE, OVER),
        (at_student(LATE, live=False), OPENS, NO_LONGER),
        (at_student(LATE, live=False), LATE_UNTIL + DAY, NO_LONGER),
    ],
)
def test_work_is_taken_in_its_time(task: StudentAssignment, now: datetime, sentence: str) -> None:
    assert refusal_of_work(task, now) == sentence


def test_what_is_taken_comes_with_its_times() -> None:
    assert deadlines.expect_work_is_taken(at_student(LATE), DUE + HOUR, "").state == "late"
    deadlines.expect_still_given(at_student(LATE))


def ruled(**changes: object) -> AssignmentRules:
    return LATE.rules._replace(**changes)  # type: ignore[arg-type]


@each(
    ("rules", "due_at", "late_until"),
    [
        (ruled(), DUE + HOUR, LATE_UNTIL + HOUR),
        (ruled(), DUE - DAY, LATE_UNTIL - DAY),
        (ruled(), None, None),
        (ruled(late_until=None), DUE + HOUR, None),
        (ruled(due_at=None, late_until=None), DUE, None),
        (ruled(due_at=None), DUE, LATE_UNTIL),
    ],
)
def test_late_work_is_taken_for_as_long_as_before(
    rules: AssignmentRules, due_at: datetime | None, late_until: datetime | None
) -> None:
    assert deadlines.postponed_rules(rules, due_at) == rules._replace(due_at=due_at, late_until=late_until)
