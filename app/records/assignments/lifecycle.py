"""An assignment from its settings to its end: set up, published, closed, opened again, postponed."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from app.records.accounts.values import Caller
from app.records.assignments import (
    audience,
    audit,
    checked_settings,
    deadlines,
    lookup,
)
from app.records.assignments.checked_settings import checked_note
from app.records.assignments.rows import SET_LATE_FACTOR, SET_PAIR, assignment_update
from app.records.assignments.tables import Extension
from app.records.assignments.values import (
    AssignmentKey,
    AssignmentRow,
    AssignmentRules,
    AssignmentSettings,
    ExtensionRow,
    TaughtAssignment,
)
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_insert
from app.records.learning import item_sums

# Settings.


def set_up_assignment(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    assignment_settings: AssignmentSettings,
    now: datetime,
) -> None:
    """Replace the settings of an assignment; NotFound or Refused as `editable_assignment`."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    apply_settings(session, taught_assignment, assignment_settings, now)


def apply_settings(
    session: VerbSession,
    taught_assignment: TaughtAssignment,
    assignment_settings: AssignmentSettings,
    now: datetime,
) -> AssignmentRow:
    """Everything that the form of settings says. Returns the assignment as it is now."""
    if assignment_settings.is_pre_test is not None:
        set_pre_test(session, taught_assignment.assignment, assignment_settings.is_pre_test)
    assignment_rules = checked_settings.merged_rules(taught_assignment.assignment, assignment_settings)
    assignment = set_rules(session, taught_assignment, assignment_rules, now)
    if assignment_settings.audience is not None:
        audience.set_audience(session, taught_assignment, assignment_settings.audience, now)
    return assignment


def set_rules(
    session: VerbSession,
    taught_assignment: TaughtAssignment,
    assignment_rules: AssignmentRules,
    now: datetime,
) -> AssignmentRow:
    """Replace the rules of an assignment; the assignment as it is now.

    Times may change, and another due time that is still to come opens again what was closed. Once
    somebody has begun, Refused says what may not: when answers are marked, less time, and while they are at
    work, an end that is past.
    """
    former_assignment = taught_assignment.assignment
    expect_same_marking(session, former_assignment, assignment_rules)
    has_new_due_time = assignment_rules.due_at != former_assignment.due_at
    if has_new_due_time and lookup.is_somebody_at_work(session, former_assignment.id):
        checked_settings.expect_time_for_work(assignment_rules, now)
    assignment, rule_changes = store_rules_and_find_changes(session, taught_assignment, assignment_rules)
    if has_new_due_time and deadlines.lies_ahead(assignment_rules.due_at, now):
        taught_assignment = taught_assignment._replace(assignment=assignment)
        assignment = reopen_assignment(session, taught_assignment, now)
    if former_assignment.published_at and rule_changes:
        action = "settings"
        if {"opens_at", "due_at", "late_until"}.intersection(rule_changes):
            action = "due"
        audit.add_line(session, taught_assignment, action, rule_changes, now)
    return assignment


SET_RULES = assignment_update(*AssignmentRules._fields)


def store_rules_and_find_changes(
    session: VerbSession, taught_assignment: TaughtAssignment, assignment_rules: AssignmentRules
) -> tuple[AssignmentRow, dict[str, Any]]:
    """Store rules. Returns the assignment with them, and what they changed, as the log keeps it.

    Refused where they do not hold together. Results are shown when the new rules say.
    """
    former_assignment = taught_assignment.assignment
    valid_rules = checked_settings.checked_rules(assignment_rules)
    session.run(SET_RULES, assignment=former_assignment.id, **valid_rules._asdict())
    assignment = lookup.assignment_of_class(session, taught_assignment.key)
    old_settings = setting_by_name_of(former_assignment)
    rule_changes = audit.setting_changes(old_settings, setting_by_name_of(assignment))
    if former_assignment.published_at and rule_changes:
        set_shown_from_anew(session, assignment)
    if {"due_at", "late_until", "late_factor"}.intersection(rule_changes):
        forgive_lateness(session, assignment)
    return assignment, rule_changes


def expect_same_marking(
    session: VerbSession, assignment: AssignmentRow, assignment_rules: AssignmentRules
) -> None:
    """Refused where answers would have to be marked at another moment, or time would be taken away."""
    if not lookup.is_begun(session, assignment.id):
        return
    checked_settings.expect_no_less_time(assignment.rules, assignment_rules)
    marks_at_once = assignment_rules.answers == "at_once"
    marked_at_once = assignment.answers == "at_once"
    if marks_at_once != marked_at_once:
        raise Refused("已经有人开始做了，“每答一题就批改”和“交了再批”之间不能再换。")


def setting_by_name_of(assignment: AssignmentRow) -> dict[str, Any]:
    """The settings of which the log tells."""
    value_by_rule = assignment.rules._asdict()
    return value_by_rule | {"form": assignment.form}


def set_pre_test(session: VerbSession, assignment: AssignmentRow, is_pre_test_wanted: bool) -> None:
    """Call it a 前测, or neither; a 后测 is made by `create_post_test_draft`. Refused for a 前测 with one."""
    is_pre_test = assignment.form == "pre"
    if assignment.form == "post" or is_pre_test == is_pre_test_wanted:
        return
    for post_test in lookup.paired_tests(session, assignment.id, assignment.id):
        raise Refused(
            f"这份有后测“{post_test.title}”，还得是前测。后测还是草稿的话，删掉它，这里就能改；"
            "要让前测也算进总评，在成绩册的“总评怎么算”里勾。"
        )
    test_form, pair_id = None, None
    if is_pre_test_wanted:
        test_form, pair_id = "pre", assignment.id
    session.run(SET_PAIR, assignment=assignment.id, form=test_form, pair=pair_id)


# Published, closed, opened again.

SET_PUBLISHED = assignment_update("published_at")


def publish_assignment(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    now: datetime,
    assignment_settings: AssignmentSettings | None = None,
) -> None:
    """From now on its students see it, with these settings. A second click changes nothing."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    assignment = taught_assignment.assignment
    if assignment.published_at:
        return
    if assignment_settings is not None:
        assignment = apply_settings(session, taught_assignment, assignment_settings, now)
    if not lookup.parts_of(session, assignment.id):
        raise Refused("作业里还什么都没有。先加几道题，再发布。")
    checked_settings.expect_time_left(assignment, now)
    session.run(SET_PUBLISHED, assignment=assignment.id, published_at=now)
    audit.add_line(session, taught_assignment, "publish", {}, now)


SET_CLOSED = assignment_update("closed_at")


def take_back_publication(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey, now: datetime
) -> None:
    """A draft again, which its students do not see; Refused once there is work or a mark. A second click
    changes nothing."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    assignment = taught_assignment.assignment
    if assignment.published_at is None:
        return
    if lookup.is_begun(session, assignment.id):
        raise Refused("已经有人开始做了，收不回来了；不想再收，就收卷。")
    hand_marks = lookup.load_hand_mark_by_enrolment_id(session, assignment.id).values()
    if any(hand_mark.is_set for hand_mark in hand_marks):
        raise Refused("已经给过分，或者让谁免做了：先一位一位收回，再收回这份作业。")
    session.run(SET_PUBLISHED, assignment=assignment.id, published_at=None)
    session.run(SET_CLOSED, assignment=assignment.id, closed_at=None)
    audit.add_line(session, taught_assignment, "take-back", {}, now)


def close(session: VerbSession, caller: Caller, assignment_key: AssignmentKey, now: datetime) -> None:
    """Nothing is taken any more. What was not handed in stays saved."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    close_assignment(session, taught_assignment, now)


def close_assignment(
    session: VerbSession, taught_assignment: TaughtAssignment, now: datetime
) -> AssignmentRow:
    """Close what is open; the assignment as it is now."""
    if taught_assignment.assignment.published_at is None or taught_assignment.assignment.closed_at:
        return taught_assignment.assignment
    closed_assignment = taught_assignment.assignment._replace(closed_at=now)
    session.run(SET_CLOSED, assignment=closed_assignment.id, closed_at=now)
    set_shown_from_anew(session, closed_assignment)
    audit.add_line(session, taught_assignment, "close", {}, now)
    return closed_assignment


def reopen(session: VerbSession, caller: Caller, assignment_key: AssignmentKey, now: datetime) -> None:
    """Take back the closing; the due time holds again."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    reopen_assignment(session, taught_assignment, now)


def reopen_assignment(
    session: VerbSession, taught_assignment: TaughtAssignment, now: datetime
) -> AssignmentRow:
    """Open what is closed; the assignment as it is now."""
    closed_at = taught_assignment.assignment.closed_at
    if closed_at is None:
        return taught_assignment.assignment
    reopened_assignment = taught_assignment.assignment._replace(closed_at=None)
    session.run(SET_CLOSED, assignment=reopened_assignment.id, closed_at=None)
    set_shown_from_anew(session, reopened_assignment)
    audit.add_line(session, taught_assignment, "reopen", {"closed_at": audit.setting_as_json(closed_at)}, now)
    return reopened_assignment


def set_shown_from_anew(session: VerbSession, assignment: AssignmentRow) -> None:
    """After a change of times: from when students may see how their attempts went."""
    extension_by_enrolment_id = lookup.extension_by_enrolment_id_of(session, assignment.id)
    for attempt in lookup.attempts_of_assignment(session, assignment.id):
        extension = extension_by_enrolment_id.get(attempt.enrolment_id)
        shown_from = deadlines.shown_from(assignment, extension, attempt.handed_in_at)
        item_sums.set_shown_from(session, attempt.attempt_id, shown_from)


def forgive_lateness(session: VerbSession, assignment: AssignmentRow) -> None:
    """After other times or another cost: what being late costs the attempts that were handed in."""
    extension_by_enrolment_id = lookup.extension_by_enrolment_id_of(session, assignment.id)
    for attempt in lookup.attempts_of_assignment(session, assignment.id):
        extension = extension_by_enrolment_id.get(attempt.enrolment_id)
        late_factor = deadlines.student_times(assignment, extension).forgiven_factor(attempt)
        if late_factor != attempt.late_factor:
            session.run(SET_LATE_FACTOR, attempt=attempt.attempt_id, late_factor=late_factor)


# Another due time.

ADD_EXTENSION = prepared_insert(Extension)


def extend_due_times(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    enrolment_ids: Collection[int],
    due_at: datetime | None,
    reason: str,
    now: datetime,
    group_ids: Collection[int] = (),
) -> Collection[int]:
    """Another due time for these students and groups; None takes it back. Earlier ones stay in the log.

    Whose it is now, by enrolment.
    """
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    classroom_id, assignment_id = assignment_key
    present_students = classrooms.load_present_students(session, classroom_id)
    chosen_enrolment_ids = audience.chosen_enrolment_ids_among(
        present_students, enrolment_ids, group_ids, "一位同学也没选。勾上要延期的人。"
    )
    checked_settings.expect_future_time(due_at, now)
    checked_settings.expect_later_than_due(taught_assignment.assignment, due_at)
    extension_by_enrolment_id = lookup.extension_by_enrolment_id_of(session, assignment_id)
    if due_at is None:
        chosen_enrolment_ids = extended_enrolment_ids_among(chosen_enrolment_ids, extension_by_enrolment_id)
    extension_note = checked_note(reason)
    for enrolment_id in chosen_enrolment_ids:
        extension = ExtensionRow(enrolment_id, due_at, extension_note, now, assignment_id)
        session.run(ADD_EXTENSION, **extension._asdict())
        former_extension = extension_by_enrolment_id.get(enrolment_id)
        former_times = deadlines.student_times(taught_assignment.assignment, former_extension)
        log_detail = audit.due_time_detail(former_times.due_at, due_at, extension_note)
        audit.add_line(session, taught_assignment, "extension", log_detail, now, enrolment_id)
    set_shown_from_anew(session, taught_assignment.assignment)
    forgive_lateness(session, taught_assignment.assignment)
    return tuple(chosen_enrolment_ids)


def extended_enrolment_ids_among(
    enrolment_ids: Iterable[int], extension_by_enrolment_id: Mapping[int, ExtensionRow]
) -> list[int]:
    """Those of the enrolments that have an extension; Refused where none has."""
    extended_enrolment_ids = []
    for enrolment_id in enrolment_ids:
        extension = extension_by_enrolment_id.get(enrolment_id)
        if extension and extension.due_at:
            extended_enrolment_ids.append(enrolment_id)
    if not extended_enrolment_ids:
        raise Refused("勾上的同学都没有延期，没有可以收回的。")
    return extended_enrolment_ids


def postpone_assignment(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    due_at: datetime | None,
    reason: str,
    now: datetime,
) -> None:
    """Another due time for all, None for no due time; what was closed is open again. Late work is taken for
    as long after it as after the old one."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    checked_settings.expect_future_time(due_at, now)
    reopened_assignment = reopen_assignment(session, taught_assignment, now)
    assignment_rules = deadlines.postponed_rules(reopened_assignment.rules, due_at)
    taught_assignment = taught_assignment._replace(assignment=reopened_assignment)
    _, rule_changes = store_rules_and_find_changes(session, taught_assignment, assignment_rules)
    postponement_note = checked_note(reason)
    log_detail = rule_changes | audit.due_time_detail(reopened_assignment.due_at, due_at, postponement_note)
    audit.add_line(session, taught_assignment, "due", log_detail, now)
