"""Drafts: made and copied."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam

from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup, parts
from app.records.assignments.checked_settings import checked_title
from app.records.assignments.rows import (
    ASSIGNMENT,
    ASSIGNMENTS_QUERY,
    IS_ASSIGNMENT_OF_CLASS,
    SET_PAIR,
)
from app.records.assignments.tables import Assignment
from app.records.assignments.values import (
    NEWEST_VERSION,
    AssignmentKey,
    AssignmentRow,
    NewPart,
    TaughtAssignment,
)
from app.records.classes import classrooms
from app.records.classes.classrooms import DOUBLE_CLICK_PERIOD
from app.records.classes.rights import Right
from app.records.classes.values import ClassRow
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery, prepared_insert, without_id

LAST_ASSIGNMENT_SEED = 2**31 - 1


def create_draft(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    title: str,
    now: datetime,
    seed: int | None = None,
) -> int:
    """A new draft without anything to do in it; a double click finds the first. `seed` makes its variants;
    without one it is drawn."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    draft_assignment = AssignmentRow(title=checked_title(title))
    first_draft_id = first_click_draft_id(session, classroom.id, draft_assignment, (), now)
    if first_draft_id:
        return first_draft_id
    return add_draft(session, classroom.id, draft_assignment, now, seed)


IS_DRAFT = ASSIGNMENT.published_at.is_(None)
DRAFTS_OF_TITLE = RowQuery(
    AssignmentRow,
    ASSIGNMENTS_QUERY.where(
        IS_DRAFT,
        ASSIGNMENT.created_at > bindparam("since"),
        IS_ASSIGNMENT_OF_CLASS,
        ASSIGNMENT.title == bindparam("title"),
    ).order_by(ASSIGNMENT.id),
)
ASSIGNMENTS_OF_CLASS = RowQuery(
    AssignmentRow, ASSIGNMENTS_QUERY.where(IS_ASSIGNMENT_OF_CLASS).order_by(ASSIGNMENT.id)
)


def drafts_just_made(
    session: VerbSession, classroom_id: int, title: str, now: datetime
) -> list[AssignmentRow]:
    """Drafts with this title that were made so lately that another click may mean them."""
    earliest_creation_time = now - DOUBLE_CLICK_PERIOD
    return session.all(DRAFTS_OF_TITLE, classroom=classroom_id, title=title, since=earliest_creation_time)


def first_click_draft_id(
    session: VerbSession,
    classroom_id: int,
    source_assignment: AssignmentRow,
    part_contents: Sequence[NewPart],
    now: datetime,
    original_id: int = 0,
) -> int | None:
    """The draft that a first click made like this, with these parts, and that nobody has touched since.
    A copy is newer than `original_id`, from which it was copied."""
    source_settings = (source_assignment.rules, source_assignment.form, source_assignment.everyone)
    recent_drafts = drafts_just_made(session, classroom_id, source_assignment.title, now)
    for draft_assignment in recent_drafts:
        draft_settings = (draft_assignment.rules, draft_assignment.form, draft_assignment.everyone)
        if draft_assignment.id <= original_id or draft_settings != source_settings:
            continue
        if parts.part_contents_of(session, draft_assignment.id) == part_contents:
            return draft_assignment.id
    return None


ADD_ASSIGNMENT = prepared_insert(Assignment)


def add_draft(
    session: VerbSession,
    classroom_id: int,
    source_assignment: AssignmentRow,
    now: datetime,
    seed: int | None = None,
) -> int:
    """A draft with the settings of another row, and a seed of its own."""
    if not seed:
        seed = secrets.randbelow(LAST_ASSIGNMENT_SEED) + 1
    new_draft = source_assignment._replace(published_at=None, closed_at=None, version=NEWEST_VERSION)
    draft_assignment = new_draft._replace(classroom_id=classroom_id, seed=seed, created_at=now)
    draft_columns = without_id(draft_assignment)
    del draft_columns["secret"]
    assignment_id: int
    [(assignment_id,)] = session.all(ADD_ASSIGNMENT, **draft_columns)
    return assignment_id


def copy_as_draft(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey, target_class_id: int, now: datetime
) -> int:
    """A draft of the same in this or another class of the teacher: without times, for everyone, changed by
    itself from then on. A double click finds the first copy.
    """
    taught_assignment = lookup.taught_assignment(session, caller, assignment_key, Right.TEACH)
    target_class = classrooms.editable_class(session, caller, target_class_id)
    assignment_id = assignment_key.assignment_id
    part_contents = parts.part_contents_of(session, assignment_id)
    first_copy_id = first_click_draft_id(
        session,
        target_class.id,
        template_of_copy(taught_assignment.assignment),
        part_contents,
        now,
        original_id=assignment_id,
    )
    if first_copy_id:
        return first_copy_id
    return add_logged_copy(session, taught_assignment, part_contents, target_class, now)


def copy_all_as_drafts(
    session: VerbSession, caller: Caller, source_class_id: int, target_class_id: int, now: datetime
) -> None:
    """A draft of every assignment of a class, drafts too, in another class of the teacher: also of those that
    are alike."""
    source_class = classrooms.taught_class(session, caller, source_class_id, Right.TEACH)
    target_class = classrooms.editable_class(session, caller, target_class_id)
    for assignment in session.all(ASSIGNMENTS_OF_CLASS, classroom=source_class.id):
        part_contents = parts.part_contents_of(session, assignment.id)
        add_logged_copy(session, TaughtAssignment(source_class, assignment), part_contents, target_class, now)


def template_of_copy(assignment: AssignmentRow) -> AssignmentRow:
    """What a copy begins with. A 前测 stays one, at the head of a pair of its own; a 后测 is nothing without
    its 前测."""
    copied_assignment = without_class_settings(assignment)._replace(pair=None)
    if copied_assignment.form == "post":
        return copied_assignment._replace(form=None)
    return copied_assignment


def add_logged_copy(
    session: VerbSession,
    taught_assignment: TaughtAssignment,
    part_contents: Sequence[NewPart],
    target_class: ClassRow,
    now: datetime,
) -> int:
    """A copy in another class, with a line in the log of its own."""
    copied_assignment = template_of_copy(taught_assignment.assignment)
    copy_id = add_draft(session, target_class.id, copied_assignment, now)
    parts.put_parts(session, copy_id, part_contents)
    if copied_assignment.form:
        session.run(SET_PAIR, assignment=copy_id, form="pre", pair=copy_id)
    log_detail = {"to": target_class.id, "class": target_class.name, "assignment": copy_id}
    audit.add_line(session, taught_assignment, "copy", log_detail, now)
    return copy_id


def without_class_settings(assignment: AssignmentRow) -> AssignmentRow:
    """What is of its class alone left out: times, students, the series."""
    return assignment._replace(opens_at=None, due_at=None, late_until=None, everyone=True, series=None)
