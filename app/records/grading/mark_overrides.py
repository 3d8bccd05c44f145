"""A cell of the gradebook, opened: the work of a student, and a mark that the teacher sets by hand."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from app.course.assignments.question_sets import full_points_of
from app.records.accounts.values import Caller
from app.records.assignments import audit, deadlines, lookup
from app.records.assignments.deadlines import Schedule
from app.records.assignments.rows import HAS_CELL_AT_ASSIGNMENT
from app.records.assignments.tables import MarkOverride
from app.records.assignments.values import (
    NOTHING_BY_HAND,
    AssignmentAttempt,
    AssignmentRow,
    MarkByHand,
    OverrideRow,
    PartRow,
    SavedAnswerRow,
    TaughtAssignment,
)
from app.records.classes.classrooms import ENROLMENT, HAS_PRESENT_NAMESAKE
from app.records.classes.rights import Right
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery, prepared_insert
from app.records.grading import gradebook, marks, regraded_marks
from app.records.grading.extra_marks import ABSENT_SENTENCE, ABSENT_WORDS, EXCUSED_WORDS
from app.records.grading.marks import HandedInAttempt
from app.records.grading.regraded_marks import GrantRow, SecondMarksOfAttempt
from app.records.grading.regrades import changed_marks
from app.records.grading.student_assignments import ENROLMENT_ID, cell_records_of
from app.records.grading.student_work import load_saved_answer_by_question_ref
from app.records.grading.values import CellKey, CellRecords, GradebookCell, GradebookStudent
from app.records.learning import attempts
from app.records.learning.values import AttemptData

LONGEST_REASON = 200


class AttemptInCell(NamedTuple):
    """An attempt as its student saw it. `second_mark_by_try`: the last second mark by question and try.

    `saved_answer_by_question_ref`: what was saved in its questions: after the hand-in what could not be read
    stands only here.
    """

    attempt: AssignmentAttempt
    attempt_data: AttemptData
    second_mark_by_try: SecondMarksOfAttempt
    saved_answer_by_question_ref: Mapping[str, SavedAnswerRow]

    @property
    def points_by_part_id(self) -> Mapping[int, float]:
        """What it earned, by part."""
        return marks.read_points_by_part_id(self.attempt.points_json)


class CellData(NamedTuple):
    """A cell of the gradebook, opened. `counting_attempt`: the attempt that counts."""

    classroom: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    student: GradebookStudent
    cell: GradebookCell
    schedule: Schedule
    counting_attempt: HandedInAttempt | None
    attempts: Sequence[AttemptInCell]
    cell_records: CellRecords
    grant_by_part_id: Mapping[int, GrantRow]

    @property
    def mark_words(self) -> str:
        """What stands in it, by which a form says over what it was filled in."""
        hand_mark = self.cell_records.hand_mark
        return marks.mark_words(self.assignment, self.parts, self.cell_records.attempts, hand_mark)


# What can be seen.

STUDENTS_QUERY = select(*gradebook.STUDENT_COLUMNS, HAS_PRESENT_NAMESAKE.label("has_namesake"))
STUDENT_OF_CELL = RowQuery(
    GradebookStudent, STUDENTS_QUERY.where(ENROLMENT.id == ENROLMENT_ID, HAS_CELL_AT_ASSIGNMENT)
)


def load_cell(session: VerbSession, caller: Caller, cell_key: CellKey, now: datetime) -> CellData:
    """Everything about a cell: every attempt as it was seen, what was decided, where the mark comes from."""
    taught_assignment = lookup.taught_assignment(session, caller, cell_key.assignment_key)
    opened_cell = cell_data_of(session, taught_assignment, cell_key.enrolment_id, now)
    if opened_cell.counting_attempt is None or opened_cell.cell.points is None or opened_cell.cell.is_by_hand:
        return opened_cell
    hand_in_records = changed_marks.load_hand_in_records(
        session, changed_marks.QUERIES_OF_LEARNER_WORK, learner=opened_cell.student.learner_id
    )
    is_regraded = changed_marks.is_mark_changed(
        taught_assignment.assignment, opened_cell.cell_records.attempts, hand_in_records
    )
    return opened_cell._replace(cell=opened_cell.cell._replace(is_regraded=is_regraded))


def cell_data_of(
    session: VerbSession, taught_assignment: TaughtAssignment, enrolment_id: int, now: datetime
) -> CellData:
    """A student at an assignment: one who is in the class, or has left work or a mark behind. Whether work
    was marked anew since its hand-in is not looked at."""
    classroom, assignment = taught_assignment
    cell_parameters = {"assignment": assignment.id, "enrolment": enrolment_id}
    gradebook_student = session.first(STUDENT_OF_CELL, classroom=classroom.id, **cell_parameters)
    if gradebook_student is None or assignment.published_at is None:
        raise NotFound("班里没有这位同学，或者这份作业还没有发布。")
    cell_records = cell_records_of(session, assignment.id, enrolment_id)
    attempts_in_cell = [
        attempt_in_cell(session, gradebook_student, attempt) for attempt in cell_records.attempts
    ]
    student_schedule = deadlines.schedule(assignment, cell_records.extension, now)
    handed_in_attempts = marks.handed_in_attempts(cell_records.attempts)
    if handed_in_attempts:
        gradebook_cell = gradebook.cell_with_submission(
            assignment, handed_in_attempts, student_schedule, cell_records.hand_mark, is_regraded=False
        )
    else:
        is_assigned = is_assignment_given_to(session, assignment, enrolment_id)
        answered_question_count = answered_count(attempts_in_cell)
        gradebook_cell = gradebook.cell_without_submission(
            gradebook_student, student_schedule, cell_records.hand_mark, answered_question_count, is_assigned
        )
    parts = lookup.parts_of(session, assignment.id)
    counting_attempt = marks.counting_attempt(assignment.counts, handed_in_attempts)
    grant_by_part_id = regraded_marks.standing_grant_by_part_id(session, assignment.id)
    return CellData(
        *taught_assignment,
        parts,
        gradebook_student,
        gradebook_cell,
        student_schedule,
        counting_attempt,
        attempts_in_cell,
        cell_records,
        grant_by_part_id,
    )


def is_assignment_given_to(session: VerbSession, assignment: AssignmentRow, enrolment_id: int) -> bool:
    """Whether a student is to do an assignment."""
    if assignment.everyone:
        return True
    return enrolment_id in lookup.assignee_ids_of(session, assignment.id)


def attempt_in_cell(
    session: VerbSession, gradebook_student: GradebookStudent, attempt: AssignmentAttempt
) -> AttemptInCell:
    """An attempt of a student with its answers, marked and saved."""
    attempt_id = attempt.attempt_id
    attempt_data = attempts.attempt_data_of(session, gradebook_student.learner_id, attempt_id)
    second_mark_by_try = regraded_marks.second_mark_by_try_of_attempt(session, attempt_id)
    saved_answer_by_question_ref = load_saved_answer_by_question_ref(session, attempt_id)
    if second_mark_by_try:
        corrected_body_by_hash = regraded_marks.corrected_body_json_by_version_hash_of_attempt(
            session, attempt_id
        )
        attempt_data = attempt_data._replace(
            body_by_hash={**attempt_data.body_by_hash, **corrected_body_by_hash}
        )
    return AttemptInCell(attempt, attempt_data, second_mark_by_try, saved_answer_by_question_ref)


def answered_count(attempts_in_cell: Sequence[AttemptInCell]) -> int | None:
    """How many questions of the open attempt have an answer, marked or only saved; None without one."""
    for opened_attempt in attempts_in_cell:
        if opened_attempt.attempt.handed_in_at is None:
            answered_refs = {response.item_ref for response in opened_attempt.attempt_data.responses}
            return len(answered_refs.union(opened_attempt.saved_answer_by_question_ref))
    return None


# What a teacher sets by hand.


def override_mark(
    session: VerbSession,
    caller: Caller,
    cell_key: CellKey,
    typed_points_text: str,
    reason: str,
    now: datetime,
    seen_mark_words: str | None = None,
) -> None:
    """Another mark than the computed one, with a reason; also where nothing was handed in.

    `seen_mark_words`: what stood there when the form was made, None where that is not known: a mark that
    came since is not replaced unseen.
    """
    taught_assignment, opened_cell = assignment_and_cell_for_marking(session, caller, cell_key, now)
    points = checked_points(typed_points_text, full_points_of(opened_cell.parts))
    reason = checked_reason(reason)
    last_override = opened_cell.cell_records.override
    if last_override and (last_override.points, last_override.reason) == (points, reason):
        return  # a second click
    expect_mark_as_seen(opened_cell, seen_mark_words)
    add_override(session, opened_cell, OverrideRow(points, reason, now, told=True))
    log_detail = {"points": [opened_cell.cell.points, points], "reason": reason}
    audit.add_line(session, taught_assignment, "override", log_detail, now, cell_key.enrolment_id)


def excuse_student(
    session: VerbSession,
    caller: Caller,
    cell_key: CellKey,
    reason: str,
    now: datetime,
    seen_mark_words: str | None = None,
) -> None:
    """免: this student's work does not enter 总评, whether it was handed in or not. They read the reason.

    `seen_mark_words`: as for another mark.
    """
    taught_assignment, opened_cell = assignment_and_cell_for_marking(session, caller, cell_key, now)
    reason = checked_reason(reason)
    if opened_cell.cell_records.hand_mark == MarkByHand(None, True, reason):
        return  # a second click
    expect_mark_as_seen(opened_cell, seen_mark_words, "还是要免做，再来一次")
    add_override(session, opened_cell, OverrideRow(None, reason, now, excused=True, told=True))
    log_detail = {"points": [opened_cell.cell.points, None], "reason": reason}
    audit.add_line(session, taught_assignment, "excuse", log_detail, now, cell_key.enrolment_id)


def set_mark(
    session: VerbSession,
    caller: Caller,
    cell_key: CellKey,
    mark_text: str,
    reason: str,
    now: datetime,
    seen_words: str | None,
) -> None:
    """What a list has for a student: points or 免."""
    if mark_text in ABSENT_WORDS:
        raise Refused(ABSENT_SENTENCE)
    if mark_text in EXCUSED_WORDS:
        excuse_student(session, caller, cell_key, reason, now, seen_words)
    else:
        override_mark(session, caller, cell_key, mark_text, reason, now, seen_words)


def expect_mark_as_seen(
    opened_cell: CellData, seen_mark_words: str | None, way_on: str = "要照你的，再存一次"
) -> None:
    """`way_on`: how to go on with what was sent."""
    present_words = opened_cell.mark_words
    if seen_mark_words not in (None, present_words):
        raise Refused(f"这一格刚才变成了{present_words or '空着'}，你填的还在；{way_on}。")


def mark_words_by_enrolment_id(session: VerbSession, assignment: AssignmentRow) -> Mapping[int, str]:
    """What stands in the cells of an assignment, of whoever has work or a mark by hand."""
    parts = lookup.parts_of(session, assignment.id)
    hand_mark_by_enrolment_id = lookup.load_hand_mark_by_enrolment_id(session, assignment.id)
    attempts_by_enrolment_id = lookup.attempts_by_enrolment_id_of(
        lookup.attempts_of_assignment(session, assignment.id)
    )
    words_by_enrolment_id = {}
    for enrolment_id in {*attempts_by_enrolment_id, *hand_mark_by_enrolment_id}:
        attempts_of_student = attempts_by_enrolment_id.get(enrolment_id, ())
        hand_mark = hand_mark_by_enrolment_id.get(enrolment_id, NOTHING_BY_HAND)
        words_by_enrolment_id[enrolment_id] = marks.mark_words(
            assignment, parts, attempts_of_student, hand_mark
        )
    return words_by_enrolment_id


def take_back_override(session: VerbSession, caller: Caller, cell_key: CellKey, now: datetime) -> None:
    """The computed mark counts again, also after 免. What was set stays in the history."""
    taught_assignment, opened_cell = assignment_and_cell_for_marking(session, caller, cell_key, now)
    hand_mark = opened_cell.cell_records.hand_mark
    if not hand_mark.is_set:
        return
    add_override(session, opened_cell, OverrideRow(None, "", now))
    computed_mark = None
    if opened_cell.counting_attempt:
        computed_mark = opened_cell.counting_attempt.counted_points
    log_detail = {"points": [opened_cell.cell.points, computed_mark], "reason": ""}
    action = "override-back"
    if hand_mark.excused:
        action = "excuse-back"
    audit.add_line(session, taught_assignment, action, log_detail, now, cell_key.enrolment_id)


def assignment_and_cell_for_marking(
    session: VerbSession, caller: Caller, cell_key: CellKey, now: datetime
) -> tuple[TaughtAssignment, CellData]:
    """A cell with its assignment, for whoever may mark."""
    taught_assignment = lookup.editable_assignment(session, caller, cell_key.assignment_key, Right.MARK)
    return taught_assignment, cell_data_of(session, taught_assignment, cell_key.enrolment_id, now)


ADD_OVERRIDE = prepared_insert(MarkOverride)


def add_override(session: VerbSession, opened_cell: CellData, override: OverrideRow) -> None:
    cell_columns = {"assignment_id": opened_cell.assignment.id, "enrolment_id": opened_cell.student.id}
    session.run(ADD_OVERRIDE, **cell_columns, **override._asdict())


def checked_points(typed_points_text: str, full_marks: float) -> float:
    """Points as somebody typed them, from nought to full marks; Refused says how to write others.

    >>> checked_points("８。5", 10), checked_points("-0.001", 10)
    (8.5, 0.0)
    """
    if not full_marks:
        raise Refused("这份作业不计分，没有分数可改。")
    full_marks_text = marks.shown_points_text(full_marks)
    points = marks.typed_points(typed_points_text)
    if points is None:
        half_marks_text = marks.shown_points_text(full_marks / 2)
        raise Refused(f"分数请写一个0到{full_marks_text}的数，比如{half_marks_text}。", "points")
    if not 0 <= points <= full_marks:
        raise Refused(f"满分是{full_marks_text}，分数要在0到{full_marks_text}之间。", "points")
    return points


def mark_fault_sentence(typed_mark: str, full_marks: float) -> str:
    """Why a mark of a list cannot be stored, as a sentence; empty where it can, and where there is none.

    >>> mark_fault_sentence("免", 10), mark_fault_sentence(" ", 10), mark_fault_sentence("11", 10)
    ('', '', '满分是10，分数要在0到10之间。')
    """
    mark_text = typed_mark.strip()
    try:
        if mark_text and mark_text not in EXCUSED_WORDS:
            checked_points(mark_text, full_marks)
    except Refused as refusal:
        return str(refusal)
    return ""


def checked_reason(reason_text: str) -> str:
    reason = " ".join(reason_text.split())
    if not reason:
        raise Refused("写一句理由，以后谁问起都说得清。", "reason")
    if len(reason) > LONGEST_REASON:
        raise Refused(f"理由最多{LONGEST_REASON}个字。", "reason")
    return reason
