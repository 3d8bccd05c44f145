"""我的数据: everything about one learner, to take along; and to be gone.

What hangs on a learner is found by `learner_rows`.
"""

import json
from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Table, and_, select, union

from app.records.accounts import accounts, learners
from app.records.accounts.tables import Account, Learner, SignIn
from app.records.accounts.values import Caller
from app.records.activity import row_limits
from app.records.assignments.tables import Assignment, AssignmentPart
from app.records.authoring import content_uses
from app.records.authoring.tables import OwnCourse, Picture
from app.records.cards.tables import CardMemory, Deck, OwnCard, ReviewLog
from app.records.cards.values import OWN_PREFIX
from app.records.classes import class_log
from app.records.classes.tables import Audit, ClassRole, Classroom, Enrolment
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning.tables import Bookmark, LessonVisit
from app.records.people import sums
from app.records.people.bulk_changes import change_rows, remove_rows
from app.records.people.learner_rows import owner_ids_by_table_of, tables_and_conditions_about

SECRET_COLUMNS = {"password_hash", "token_hash", "login_key", "name_key"}
NAME_OF_DELETED = "已注销的同学"

MARK_COLUMNS = {"verdict", "score", "misconception"}


class SealedColumns(NamedTuple):
    """The columns of a table that say how an assignment went; `key_column` leads to it, or to its attempt."""

    key_column: str
    result_columns: Collection[str]


SEALED_COLUMNS_BY_TABLE = {
    "response": SealedColumns("attempt_id", MARK_COLUMNS),
    "submission": SealedColumns("attempt_id", {"points", "total", "parts"}),
    "re_mark": SealedColumns("response_id", {*MARK_COLUMNS, "ticks"}),
    "mark_override": SealedColumns("assignment_id", {"points", "reason"}),
    "work_comment": SealedColumns("assignment_id", {"text"}),
    "audit": SealedColumns("assignment_id", {"detail"}),
}
"""What is left out until results are out: as the file names it, which is as SQL does."""

SUM_TABLES = {"first_try_count", "item_sum", "learning_day"}
"""Left out: they say no more than the logs, and of results that are not out yet too much."""

BLANK_COLUMNS: dict[str, dict[str, Any]] = {
    "learner": {"resume_code": None, "time_zone": learners.DEFAULT_TIME_ZONE, "past_zones": None},
    "enrolment": {"name": NAME_OF_DELETED, "name_key": "", "number": "", "seat": None, "time_factor": 1.0},
    "response": {"raw": "[]", "value": None},
    "saved_answer": {"raw": "[]"},
    "submission": {"waiting_count": 0, "open_points": 0.0},
    "extension": {"note": ""},
    "mark_override": {"reason": ""},
    "work_comment": {"text": ""},
    "reveal": {"guess": None},
    "game_move": {"raw": "", "value": None},
    "review_log": {"raw": None, "seconds": None},
    "problem_report": {"learner_id": None},
}
"""What was typed by or about somebody, or waits as words, and what is left of it when they go."""

REMOVED_TABLES = (
    *(Account, SignIn, ClassRole, OwnCourse, Picture, Bookmark),
    *(Deck, CardMemory, OwnCard, LessonVisit),
)
"""Of whoever goes and leaves results in a class: what no result is made of."""

ACTIONS_ON_MANY_MARKS = ("regrade", "extra_marks")
"""What the log notes of many students in one line, with the points of each before and after."""
NO_POINTS_BEFORE_AND_AFTER = (None, None)

ExportedRow = dict[str, Any]
"""A row as the file has it: by the names of its columns."""
MyData = dict[str, list[ExportedRow]]
"""Lines by the name of their table."""


def load_my_data(session: VerbSession, caller: Caller, now: datetime) -> MyData:
    """Every row about who is here, by table, but no results that are not out yet.

    NotFound for a mere reader.
    """
    learner_id = own_learner_id(session, caller)
    rows_by_table: MyData = {}
    for source_table, is_about_learner in tables_and_conditions_about(learner_id):
        if source_table.name in SUM_TABLES:
            continue
        rows_by_table[source_table.name] = exported_rows_of(session, source_table, is_about_learner)
    enrolment_ids = {enrolment["id"] for enrolment in rows_by_table["enrolment"]}
    for audit_row in rows_by_table["audit"]:
        hide_other_people(audit_row, enrolment_ids, learner_id)
    hide_results(rows_by_table, sealed_ids_by_key(session, rows_by_table, now))
    hide_seeds(rows_by_table)
    return rows_by_table


def exported_rows_of(
    session: VerbSession, source_table: Table, condition: ColumnElement[bool]
) -> list[ExportedRow]:
    """The rows of a table without its secrets; times as text."""
    exported_columns = [column for column in source_table.columns if column.name not in SECRET_COLUMNS]
    rows_query = select(*exported_columns).where(condition)
    ordered_rows_query = rows_query.order_by(*source_table.primary_key.columns)
    selected_rows = session.execute(ordered_rows_query)
    exported_rows: list[ExportedRow] = []
    for selected_row in selected_rows.mappings():
        exported_row: ExportedRow = dict(selected_row)
        for column_name, column_value in selected_row.items():
            if isinstance(column_value, date):
                exported_row[column_name] = column_value.isoformat()
        exported_rows.append(exported_row)
    return exported_rows


def hide_other_people(audit_row: ExportedRow, enrolment_ids: Collection[int], learner_id: int) -> None:
    """Keep of a line of a class's log what is one's own: what a teacher did for others is about them."""
    if audit_row["enrolment_id"] not in enrolment_ids:
        del audit_row["enrolment_id"], audit_row["detail"]
    elif audit_row["actor_id"] != learner_id:
        del audit_row["actor_id"]


def hide_results(rows_by_table: MyData, sealed_ids_by_key: Mapping[str, Collection[int]]) -> None:
    """Drop what says how attempts went whose results are not out yet."""
    for table_name, sealed_columns in SEALED_COLUMNS_BY_TABLE.items():
        sealed_ids = sealed_ids_by_key[sealed_columns.key_column]
        for exported_row in rows_by_table[table_name]:
            if exported_row[sealed_columns.key_column] in sealed_ids:
                for column_name in sealed_columns.result_columns:
                    exported_row.pop(column_name, None)


def hide_seeds(rows_by_table: MyData) -> None:
    """Drop the seed of attempts at assignments: it is that of the class, for the numbers of everybody; and
    those that were drawn from it."""
    for exported_row in rows_by_table["attempt"]:
        if exported_row["source"] == "assignment":
            del exported_row["seed"]
    for exported_row in rows_by_table["submission"]:
        del exported_row["seeds"]


def sealed_ids_by_key(
    session: VerbSession, rows_by_table: MyData, now: datetime
) -> dict[str, Collection[int]]:
    """Attempts, responses and assignments whose results are not out, by the name of the key to them."""
    sealed_attempt_ids = {
        attempt_row["id"] for attempt_row in rows_by_table["attempt"] if has_sealed_results(attempt_row, now)
    }
    sealed_assignment_ids: set[int] = set()
    shown_assignment_ids: set[int] = set()
    for submission_row in rows_by_table["submission"]:
        # While nothing was handed in, a mark is what the teacher set: it is told at once, as on the pages.
        if submission_row["handed_in_at"] is None:
            continue
        if submission_row["attempt_id"] in sealed_attempt_ids:
            sealed_assignment_ids.add(submission_row["assignment_id"])
        else:
            shown_assignment_ids.add(submission_row["assignment_id"])
    sealed_response_ids = {
        response_row["id"]
        for response_row in rows_by_table["response"]
        if response_row["attempt_id"] in sealed_attempt_ids
    }
    sealed_assignment_ids -= shown_assignment_ids
    return {
        "attempt_id": sealed_attempt_ids,
        "response_id": sealed_response_ids,
        "assignment_id": sealed_assignment_ids | never_shown_assignment_ids(session, rows_by_table),
    }


def never_shown_assignment_ids(session: VerbSession, rows_by_table: MyData) -> set[int]:
    """Assignments whose results stay a secret, also of a student who never began them and has a mark."""
    named_assignment_ids: set[int] = set()
    for table_name, sealed_columns in SEALED_COLUMNS_BY_TABLE.items():
        if sealed_columns.key_column == "assignment_id":
            named_assignment_ids.update(
                exported_row["assignment_id"]
                for exported_row in rows_by_table[table_name]
                if exported_row["assignment_id"]
            )
    assignment_table = table(Assignment)
    is_named = assignment_table.c.id.in_(named_assignment_ids)
    never_shown_query = select(assignment_table.c.id).where(is_named, assignment_table.c.answers == "never")
    return set(session.execute(never_shown_query).scalars())


def has_sealed_results(exported_attempt: ExportedRow, now: datetime) -> bool:
    shown_from_text = exported_attempt["shown_from"]
    return shown_from_text is not None and now < datetime.fromisoformat(shown_from_text)


def own_learner_id(session: VerbSession, caller: Caller) -> int:
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        raise NotFound("这里还没有你的记录。")
    return learner_id


def delete_me(session: VerbSession, caller: Caller, matched_hash: str | None, now: datetime) -> bool:
    """Really gone. Whoever is in a class leaves results there that say nothing of whose they were; a teacher
    leaves to colleagues what their assignments ask. Returns whether such results stay.

    `matched_hash`: the hash of the account that the typed password matched; None for a guest, who has none.
    """
    learner_id = own_learner_id(session, caller)
    password_hash = None
    account_secret = session.first(accounts.SECRET_OF_LEARNER, learner=learner_id)
    if account_secret:
        password_hash = account_secret.password_hash
    if password_hash != matched_hash:
        raise NotFound
    refuse_busy_teacher(session, learner_id)
    if account_secret:
        accounts.forget_all_tries(session, account_secret)
        row_limits.forget_rows_of_account(session, learner_id)
    content_uses.leave_content_to_colleagues(session, learner_id, now)
    learner_ids = learner_ids_in_classes(session, table(Classroom).c.teacher_id == learner_id)
    blank_class_logs(session, learner_id)
    leaves_results = is_in_class(session, learner_id)
    if leaves_results:
        make_nameless(session, learner_id)
    else:
        remove_rows(session, table(Learner), table(Learner).c.id == learner_id)
    remove_unreachable(session, learner_ids)
    return leaves_results


def learner_ids_in_classes(session: VerbSession, classroom_condition: ColumnElement[bool]) -> list[int]:
    """Learners who are or were in such classes."""
    classroom_table = table(Classroom)
    enrolment_table = table(Enrolment)
    is_in_such_class = and_(enrolment_table.c.classroom_id == classroom_table.c.id, classroom_condition)
    learner_ids_query = select(enrolment_table.c.learner_id).where(is_in_such_class)
    return list(session.execute(learner_ids_query).scalars())


def remove_unreachable(session: VerbSession, learner_ids: Collection[int]) -> None:
    """Of these learners, those whom nobody reaches any more: deleted ones, once their last class is gone."""
    learner_table = table(Learner)
    learner_id_column = table(Enrolment).c.learner_id
    is_in_any_class = select(learner_id_column).where(learner_id_column == learner_table.c.id).exists()
    is_unreachable = and_(learner_table.c.id.in_(learner_ids), ~learners.IS_REACHABLE, ~is_in_any_class)
    remove_rows(session, learner_table, is_unreachable)


def refuse_busy_teacher(session: VerbSession, learner_id: int) -> None:
    classroom_table = table(Classroom)
    is_running = and_(classroom_table.c.teacher_id == learner_id, classroom_table.c.archived_at.is_(None))
    running_classes_query = select(classroom_table.c.name).where(is_running).limit(1)
    class_name = session.execute(running_classes_query).scalar()
    if class_name:
        raise Refused(f"你还教着{class_name}。先把班级都归档，再删账号；归档的班级会一起删掉。")


def is_in_class(session: VerbSession, learner_id: int) -> bool:
    enrolment_table = table(Enrolment)
    is_enrolled = and_(enrolment_table.c.learner_id == learner_id, enrolment_table.c.removed_at.is_(None))
    present_enrolments_query = select(enrolment_table.c.id).where(is_enrolled).limit(1)
    return session.execute(present_enrolments_query).first() is not None


def make_nameless(session: VerbSession, learner_id: int) -> None:
    """What was right and what was wrong stays; who it was, and every word that was typed, does not."""
    classroom_table = table(Classroom)
    remove_rows(session, classroom_table, classroom_table.c.teacher_id == learner_id)
    for table_class in REMOVED_TABLES:
        owned_table = table(table_class)
        remove_rows(session, owned_table, owned_table.c.learner_id == learner_id)
    enrolment_table = table(Enrolment)
    is_removed = enrolment_table.c.removed_at.is_not(None)
    is_former_enrolment = and_(enrolment_table.c.learner_id == learner_id, is_removed)
    remove_rows(session, enrolment_table, is_former_enrolment)
    review_table = table(ReviewLog)
    is_review_without_mark = review_table.c.learner_id == learner_id
    if is_asked_for_cards(session, learner_id):
        is_review_without_mark &= review_table.c.card_ref.startswith(OWN_PREFIX)
    remove_rows(session, review_table, is_review_without_mark)
    for source_table, is_about_learner in tables_and_conditions_about(learner_id):
        blank_columns = BLANK_COLUMNS.get(source_table.name)
        if blank_columns is not None:
            change_rows(session, source_table, is_about_learner, **blank_columns)
    # What was assigned where they have left is not theirs any more, and days lie in another time zone.
    sums.refold_learner(session, learner_id)


def is_asked_for_cards(session: VerbSession, learner_id: int) -> bool:
    """Whether an assignment of the classes of a learner makes marks of their reviews."""
    part_table = table(AssignmentPart)
    assignment_table = table(Assignment)
    enrolment_table = table(Enrolment)
    card_parts_query = select(part_table.c.id).where(
        part_table.c.kind == "cards",
        part_table.c.assignment_id == assignment_table.c.id,
        assignment_table.c.classroom_id == enrolment_table.c.classroom_id,
        enrolment_table.c.learner_id == learner_id,
    )
    return session.execute(card_parts_query.limit(1)).first() is not None


def blank_class_logs(session: VerbSession, learner_id: int) -> None:
    """In the logs of classes, words about a student and their points go; what was done for others stays, done
    by nobody."""
    audit_table = table(Audit)
    enrolment_ids_query = owner_ids_by_table_of(learner_id)["enrolment"]
    is_about_student = audit_table.c.enrolment_id.in_(enrolment_ids_query)
    # Those of now; whoever was moved left a line about that in the class of before.
    class_ids_query = union(
        select(table(Enrolment).c.classroom_id).where(table(Enrolment).c.learner_id == learner_id),
        select(audit_table.c.classroom_id).where(is_about_student),
    )
    is_about_many = and_(
        audit_table.c.classroom_id.in_(class_ids_query), audit_table.c.action.in_(ACTIONS_ON_MANY_MARKS)
    )
    enrolment_ids = set(session.execute(enrolment_ids_query).scalars())
    lines_query = select(audit_table.c.id, audit_table.c.detail).where(is_about_many)
    for audit_line in session.execute(lines_query).all():
        blank_json = json_without_points(audit_line.detail, enrolment_ids)
        if blank_json != audit_line.detail:
            change_rows(session, audit_table, audit_table.c.id == audit_line.id, detail=blank_json)
    change_rows(session, audit_table, is_about_student, detail="{}")
    change_rows(session, audit_table, audit_table.c.actor_id == learner_id, actor_id=None)


def json_without_points(detail_json: str, enrolment_ids: Collection[int]) -> str:
    """The details of a line about marks of many students, without the points of some of them; that there were
    some stays.

    >>> json_without_points('{"reason": "题错了", "students": [[7, 0.5, 1.0], [8, 2, 0]]}', [8])
    '{"reason": "题错了", "students": [[7, 0.5, 1.0], [8, null, null]]}'
    """
    log_detail = json.loads(detail_json)
    for student_points in log_detail.get("students", []):
        if student_points[0] in enrolment_ids:
            student_points[1:] = NO_POINTS_BEFORE_AND_AFTER
    return class_log.detail_json_of(log_detail)
