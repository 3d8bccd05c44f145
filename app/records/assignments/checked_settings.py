"""What a teacher sets for an assignment, checked: titles and notes without signs that nobody sees, times that
hold together."""

import unicodedata
from datetime import datetime

from app.course.text import typed
from app.records.assignments.deadlines import ends_at, expect_valid_factor, lies_ahead
from app.records.assignments.values import AssignmentRow, AssignmentRules, AssignmentSettings
from app.records.db.errors import Refused

LONGEST_TITLE, LONGEST_NOTE = 60, 1000
LONGEST_ATTEMPT_MINUTES = 600


def checked_title(typed_title: str) -> str:
    """A title; Refused says what is wrong with another."""
    title = " ".join(tidy_text(typed_title).split())
    if not title:
        raise Refused("给作业起个名字，比如“第一周：算DCG”。", "title")
    if len(title) > LONGEST_TITLE:
        raise Refused(f"名字最多{LONGEST_TITLE}个字。", "title")
    return title


def checked_note(typed_note: str) -> str:
    """What a teacher wrote, as much of it as is stored."""
    return tidy_text(typed_note)[:LONGEST_NOTE]


def tidy_text(typed_text: str) -> str:
    """Text without invisible characters; line breaks stay."""
    composed_text = typed.composed_text(typed_text.strip(), 4 * LONGEST_NOTE)
    visible_characters = [
        character
        for character in composed_text
        if character == "\n" or not unicodedata.category(character).startswith("C")
    ]
    return "".join(visible_characters).strip()


# Rules and their times.


def checked_rules(assignment_rules: AssignmentRules) -> AssignmentRules:
    """Rules that hold together; Refused says which do not."""
    title = checked_title(assignment_rules.title)
    expect_valid_times(assignment_rules)
    expect_valid_factor(assignment_rules.late_factor)
    expect_valid_minutes(assignment_rules)
    if not 0 <= assignment_rules.passes <= 20 or not 0 <= assignment_rules.tries <= 20:
        raise Refused("次数写0到20，0表示不限。")
    assignment_note = checked_note(assignment_rules.note)
    return assignment_rules._replace(title=title, note=assignment_note)


def expect_valid_times(assignment_rules: AssignmentRules) -> None:
    """Refused where the times do not hold together."""
    due_at, late_until = assignment_rules.due_at, assignment_rules.late_until
    if assignment_rules.opens_at and due_at and due_at <= assignment_rules.opens_at:
        raise Refused("截止时间要在开始时间之后。", "due")
    if late_until and due_at is None:
        raise Refused("没有截止时间，就没有迟交。先写截止时间。", "due")
    if late_until and due_at and late_until <= due_at:
        raise Refused("迟交收到的时间要在截止时间之后。", "late_until")


def expect_valid_minutes(assignment_rules: AssignmentRules) -> None:
    if not 0 <= assignment_rules.minutes <= LONGEST_ATTEMPT_MINUTES:
        raise Refused(f"做题时间写1到{LONGEST_ATTEMPT_MINUTES}分钟；空着就不限。", "minutes")


def expect_no_less_time(former_rules: AssignmentRules, assignment_rules: AssignmentRules) -> None:
    """Refused where those who have begun would have less time than they were told."""
    has_less_time = assignment_rules.minutes > 0 and (
        not former_rules.minutes or assignment_rules.minutes < former_rules.minutes
    )
    if has_less_time:
        raise Refused("已经有人开始做了，做题时间只能加长，或者改成不限。", "minutes")


def expect_time_left(assignment: AssignmentRow, now: datetime) -> None:
    """Refused where nobody could begin any more; late work counts."""
    if ends_at(assignment, None) <= now:
        raise Refused("截止时间已经过去了，发布了谁也做不了。写一个以后的时间；不想截止，就空着。", "due")


def expect_future_time(due_at: datetime | None, now: datetime) -> None:
    if due_at and not lies_ahead(due_at, now):
        raise Refused("这个时间已经过去了，没有改。写一个以后的时间；要现在就结束，用“收卷”。", "due")


def expect_time_for_work(assignment_rules: AssignmentRules, now: datetime) -> None:
    """Refused for times that are over, while somebody is at work: they would hear it in the midst of it. Late
    work counts."""
    last_time = assignment_rules.late_until or assignment_rules.due_at
    if last_time and not lies_ahead(last_time, now):
        raise Refused(
            "有同学正在做，这个截止时间已经过去了。写一个以后的时间；要现在就结束，用“结束”或者“收卷”。",
            "due",
        )


def expect_later_than_due(assignment: AssignmentRow, due_at: datetime | None) -> None:
    """Refused for an extension that ends before the due time for all, while that still holds."""
    if due_at is None or assignment.due_at is None:
        return
    if assignment.closed_at:
        return
    if due_at <= assignment.due_at:
        raise Refused("延到的时间要比原来的截止时间晚。", "due")


def merged_rules(assignment: AssignmentRow, assignment_settings: AssignmentSettings) -> AssignmentRules:
    """The rules that a form of settings means.

    What nobody touched in it is what holds now, which may have been set on another page since it was opened.
    The due time and the end of late work go together.
    """
    assignment_rules, former_rules = assignment_settings.rules, assignment_settings.former_rules
    if former_rules is None:
        return assignment_rules
    untouched_setting_names = {
        setting_name
        for setting_name in assignment_rules._fields
        if getattr(assignment_rules, setting_name) == getattr(former_rules, setting_name)
    }
    if not untouched_setting_names >= {"due_at", "late_until"}:
        untouched_setting_names -= {"due_at", "late_until"}
    if former_rules.late_until is None and assignment_rules.late_until:
        # A form that took no late work said nothing of what it counts for.
        untouched_setting_names.discard("late_factor")
    return assignment_rules._replace(
        **{setting_name: getattr(assignment, setting_name) for setting_name in untouched_setting_names}
    )


def with_times_of(assignment: AssignmentRow, assignment_rules: AssignmentRules) -> AssignmentRules:
    """These rules with the times that an assignment has already. Rules that take no late work say nothing of
    what it costs: that stays as well."""
    late_factor = assignment_rules.late_factor
    if assignment_rules.late_until is None:
        late_factor = assignment.late_factor
    return assignment_rules._replace(
        opens_at=assignment.opens_at,
        due_at=assignment.due_at,
        late_until=assignment.late_until,
        late_factor=late_factor,
    )
