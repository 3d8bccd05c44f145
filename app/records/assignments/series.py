"""One assignment of several classes: given together, changed together or for one class alone.

Its title, note, rules, questions and whether its teacher ticked 前测 are shared; times, students, extensions,
marks, a 后测 and what became a 前测 by it once it was published are each class's own. Each form shares what
it changes: settings change no questions of another class.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import bindparam

from app.records.accounts.values import Caller
from app.records.assignments import audit, checked_settings, deadlines, drafts, lifecycle, lookup, parts
from app.records.assignments.rows import (
    ASSIGNMENT,
    ASSIGNMENTS_QUERY,
    HAS_FIXED_QUESTIONS,
    assignment_update,
)
from app.records.assignments.values import (
    AssignmentKey,
    AssignmentRow,
    AssignmentSettings,
    NewPart,
    TaughtAssignment,
)
from app.records.classes import classrooms
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, NotPermitted, Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, field_names

P = ParamSpec("P")
T = TypeVar("T")
PartsChange = Callable[Concatenate[VerbSession, Caller, AssignmentKey, P], T]

LARGEST_SERIES_NUMBER = 2**31 - 1
"""A series is a number drawn at random: that of a row that is gone would come again on SQLite."""
NO_CLASS_SENTENCE = "一个班也没勾。勾上要布置的班。"
NOT_A_POST_TEST_SENTENCE = (
    "后测要和本班的前测配成对，不能直接布置给别的班。到那个班的前测里，点“做一份后测”。"
)


class ClassPlan(NamedTuple):
    """A class that is to have the assignment, and until when; `due_at` None where nothing was typed."""

    classroom_id: int
    due_at: datetime | None = None


class SeriesAssignment(NamedTuple):
    """The same assignment in another class. `has_fixed_questions`: whether somebody there began it or
    was given points."""

    classroom: ClassRow
    assignment: AssignmentRow
    has_fixed_questions: bool

    @property
    def taught_assignment(self) -> TaughtAssignment:
        return TaughtAssignment(self.classroom, self.assignment)


IS_OTHER_OF_SERIES = (ASSIGNMENT.series == bindparam("series"), ASSIGNMENT.id != bindparam("assignment"))
OTHER_ASSIGNMENTS = PreparedStatement(
    ASSIGNMENTS_QUERY.add_columns(HAS_FIXED_QUESTIONS).where(*IS_OTHER_OF_SERIES).order_by(ASSIGNMENT.id)
)


def load_series_assignment_by_class_id(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey
) -> Mapping[int, SeriesAssignment]:
    """The same assignment in those other classes that the caller may change, by class."""
    taught_assignment = lookup.taught_assignment(session, caller, assignment_key)
    return series_assignment_by_class_id_of(session, caller, taught_assignment.assignment)


def series_assignment_by_class_id_of(
    session: VerbSession, caller: Caller, assignment: AssignmentRow
) -> dict[int, SeriesAssignment]:
    """An assignment in those other classes that the caller may change, by class."""
    if assignment.series is None:
        return {}
    series_assignment_by_class_id = {}
    assignment_rows = session.all(OTHER_ASSIGNMENTS, series=assignment.series, assignment=assignment.id)
    for *assignment_values, has_fixed_questions in assignment_rows:
        other_assignment = AssignmentRow(*assignment_values)
        classroom = changeable_class(session, caller, other_assignment.classroom_id)
        if classroom is not None:
            series_assignment_by_class_id[classroom.id] = SeriesAssignment(
                classroom, other_assignment, bool(has_fixed_questions)
            )
    return series_assignment_by_class_id


def changeable_class(session: VerbSession, caller: Caller, classroom_id: int) -> ClassRow | None:
    """A class that the caller may change now; None for one that is put away, or another teacher's."""
    try:
        return classrooms.editable_class(session, caller, classroom_id)
    except (NotFound, NotPermitted, Refused):
        return None


# A new one.


def create_drafts(
    session: VerbSession, caller: Caller, classroom_ids: Sequence[int], title: str, now: datetime
) -> AssignmentKey:
    """A draft in each of these classes, one series. Returns the key of the first; a double click finds them
    again."""
    if not classroom_ids:
        raise Refused(NO_CLASS_SENTENCE)
    first_class_id = classroom_ids[0]
    first_draft_id = drafts.create_draft(session, caller, first_class_id, title, now)
    class_plans = [ClassPlan(classroom_id) for classroom_id in classroom_ids[1:]]
    first_assignment_key = AssignmentKey(first_class_id, first_draft_id)
    add_classes(session, caller, first_assignment_key, class_plans, now)
    return first_assignment_key


SET_SERIES = assignment_update("series")
SET_WHOLE_PART = parts.part_update("position", *field_names(NewPart))


def ensure_series(session: VerbSession, assignment: AssignmentRow) -> AssignmentRow:
    """Put an assignment that was alone into a series of its own; the assignment as it is now."""
    if assignment.series is not None:
        return assignment
    series_number = secrets.randbelow(LARGEST_SERIES_NUMBER) + 1
    session.run(SET_SERIES, assignment=assignment.id, series=series_number)
    return assignment._replace(series=series_number)


def add_classes(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    class_plans: Sequence[ClassPlan],
    now: datetime,
) -> dict[int, SeriesAssignment]:
    """An empty draft in each of these classes that has none yet. Returns what others have, by class."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    other_class_ids = {class_plan.classroom_id for class_plan in class_plans} - {assignment_key.classroom_id}
    if not other_class_ids:
        return {}
    if taught_assignment.assignment.form == "post":
        raise Refused(NOT_A_POST_TEST_SENTENCE)
    source_assignment = ensure_series(session, taught_assignment.assignment)
    series_assignment_by_class_id = series_assignment_by_class_id_of(session, caller, source_assignment)
    draft_template = source_assignment._replace(form=None, pair=None, everyone=True)
    for classroom_id in sorted(other_class_ids):
        other_classroom = classrooms.editable_class(session, caller, classroom_id)
        if other_classroom.id not in series_assignment_by_class_id:
            drafts.add_draft(session, other_classroom.id, draft_template, now)
    return series_assignment_by_class_id_of(session, caller, source_assignment)


def publish_series(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    now: datetime,
    assignment_settings: AssignmentSettings,
    class_plans: Sequence[ClassPlan],
) -> None:
    """To its own class, and to these with the same rules. A second click changes nothing."""
    lifecycle.publish_assignment(session, caller, assignment_key, now, assignment_settings)
    give_to_classes(session, caller, assignment_key, class_plans, now)


def give_to_classes(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    class_plans: Sequence[ClassPlan],
    now: datetime,
) -> None:
    """Published in these classes too, as it is here, due as each plan says or else as in the class it comes
    from. What a class has published already stays as it is."""
    if not class_plans:
        return
    series_assignment_by_class_id = add_classes(session, caller, assignment_key, class_plans, now)
    source_assignment = lookup.taught_assignment(session, caller, assignment_key).assignment
    for class_plan in class_plans:
        series_assignment = series_assignment_by_class_id.get(class_plan.classroom_id)
        if series_assignment is None or series_assignment.assignment.published_at:
            continue
        assignment_rules = deadlines.postponed_rules(
            source_assignment.rules, class_plan.due_at or source_assignment.due_at
        )
        is_pre_test = shared_pre_test_tick(session, source_assignment, series_assignment.assignment)
        assignment_settings = AssignmentSettings(assignment_rules, is_pre_test)
        share_parts(session, source_assignment.id, series_assignment, now)
        with naming_class(series_assignment.classroom):
            lifecycle.apply_settings(session, series_assignment.taught_assignment, assignment_settings, now)
            lifecycle.publish_assignment(session, caller, series_assignment.taught_assignment.key, now)


def shared_pre_test_tick(
    session: VerbSession, source_assignment: AssignmentRow, other_assignment: AssignmentRow
) -> bool | None:
    """Whether another class has it as a 前测 too; None where a 后测 decides, that of either class."""
    if source_assignment.form == "pre":
        became_pre_test_at = audit.became_pre_test_by_pair_at(session, source_assignment.id)
        published_at = source_assignment.published_at
        if became_pre_test_at and published_at and became_pre_test_at >= published_at:
            return None  # it was given as an ordinary assignment, and counts in 总评
        return True
    if lookup.paired_tests(session, other_assignment.id, other_assignment.id):
        return None
    return False


def share_parts(
    session: VerbSession, source_assignment_id: int, series_assignment: SeriesAssignment, now: datetime
) -> None:
    """The questions of an assignment also in another class, where they are not fixed. A row that asks for the
    same stays: the log tells of the others."""
    other_assignment_id = series_assignment.assignment.id
    source_contents = parts.part_contents_of(session, source_assignment_id)
    former_parts = lookup.parts_of(session, other_assignment_id)
    former_contents = tuple(part.content for part in former_parts)
    if series_assignment.has_fixed_questions or former_contents == source_contents:
        return
    part_id_by_position = parts.reusable_part_id_by_position(former_parts, source_contents)
    for part in former_parts:
        if part.id not in part_id_by_position.values():
            session.run(parts.REMOVE_PART, part=part.id)
    for position, part_content in enumerate(source_contents, 1):
        part_columns = asdict(part_content) | {"position": position}
        if position in part_id_by_position:
            session.run(SET_WHOLE_PART, part=part_id_by_position[position], **part_columns)
        else:
            session.run(parts.ADD_PART, assignment_id=other_assignment_id, **part_columns)
    if series_assignment.assignment.published_at:
        log_detail = parts.part_differences(former_parts, lookup.parts_of(session, other_assignment_id))
        audit.add_line(session, series_assignment.taught_assignment, "parts", log_detail, now)


@contextmanager
def naming_class(classroom: ClassRow) -> Iterator[None]:
    """What is refused inside is refused for all; the sentence names the class."""
    try:
        yield
    except Refused as refusal:
        raise Refused(f"{classroom.name}：{refusal}哪个班都还没有改。") from refusal


# Changed for all.


def set_up_series(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    assignment_settings: AssignmentSettings,
    now: datetime,
) -> list[int]:
    """Other settings. What they change of title, note, rules and kind changes in the other classes too, whose
    times stay their own. Returns the classes in which a 后测 keeps its 前测 one."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    assignment = taught_assignment.assignment
    lifecycle.apply_settings(session, taught_assignment, assignment_settings, now)
    pre_test_class_ids = []
    series_assignment_by_class_id = series_assignment_by_class_id_of(session, caller, assignment)
    for other_class_id, series_assignment in series_assignment_by_class_id.items():
        other_assignment = series_assignment.assignment
        changed_rules = checked_settings.merged_rules(other_assignment, assignment_settings)
        rules_of_class = checked_settings.with_times_of(other_assignment, changed_rules)
        is_pre_test = assignment_settings.is_pre_test
        if is_pre_test is False and lookup.paired_tests(session, other_assignment.id, other_assignment.id):
            is_pre_test = None
            pre_test_class_ids.append(other_class_id)
        settings_of_class = AssignmentSettings(rules_of_class, is_pre_test)
        with naming_class(series_assignment.classroom):
            lifecycle.apply_settings(session, series_assignment.taught_assignment, settings_of_class, now)
    return pre_test_class_ids


def set_due_times(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    class_plans: Sequence[ClassPlan],
    now: datetime,
) -> None:
    """Another due time in each of these classes that has the assignment; where it is the same, nothing
    changes."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    series_assignment_by_class_id = series_assignment_by_class_id_of(
        session, caller, taught_assignment.assignment
    )
    taught_assignment_by_class_id = {assignment_key.classroom_id: taught_assignment}
    for other_class_id, series_assignment in series_assignment_by_class_id.items():
        taught_assignment_by_class_id[other_class_id] = series_assignment.taught_assignment
    for class_plan in class_plans:
        if class_plan.classroom_id not in taught_assignment_by_class_id:
            continue
        taught_assignment = taught_assignment_by_class_id[class_plan.classroom_id]
        assignment = taught_assignment.assignment
        if assignment.due_at != class_plan.due_at:
            assignment_rules = deadlines.postponed_rules(assignment.rules, class_plan.due_at)
            with naming_class(taught_assignment.classroom):
                lifecycle.set_rules(session, taught_assignment, assignment_rules, now)


def change_parts(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    now: datetime,
    change_verb: PartsChange[P, T],
    *arguments: P.args,
    **options: P.kwargs,
) -> T:
    """What a verb changes in the questions here, and in the other classes where they are not fixed."""
    verb_outcome = change_verb(session, caller, assignment_key, *arguments, **options)
    series_assignment_by_class_id = load_series_assignment_by_class_id(session, caller, assignment_key)
    for series_assignment in series_assignment_by_class_id.values():
        share_parts(session, assignment_key.assignment_id, series_assignment, now)
    return verb_outcome


def change_classes(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    due_plans: Sequence[ClassPlan],
    new_plans: Sequence[ClassPlan],
    now: datetime,
) -> None:
    """Other due times for the classes that have it, then the same for more classes."""
    set_due_times(session, caller, assignment_key, due_plans, now)
    give_to_classes(session, caller, assignment_key, new_plans, now)


def leave_series(session: VerbSession, caller: Caller, assignment_key: AssignmentKey, now: datetime) -> None:
    """From now on this class has it for itself: what changes in the others does not change here."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    if taught_assignment.assignment.series is None:
        return
    session.run(SET_SERIES, assignment=assignment_key.assignment_id, series=None)
    audit.add_line(session, taught_assignment, "series-left", {}, now)
