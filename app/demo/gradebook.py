"""What the teacher of the demonstration does with the gradebook, and who helps: columns of one's own, 免,
categories of which the lowest is dropped, comments, other points for a question, a co-teacher and an
assistant."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from app.course.assignments.question_sets import questions_of_parts
from app.demo.classwork import DAY, DemoClass, mark_by_enrolment_id_of
from app.records.accounts import accounts
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.assignments import lookup
from app.records.classes import classrooms, groups, notices
from app.records.classes.values import Student
from app.records.grading import comments, extra_columns, mark_overrides
from app.records.grading.mark_overrides import CellData
from app.records.grading.marks import best_share_by_question_ref_of
from app.records.grading.totals import total_rules
from app.records.grading.totals.weighted_marks import ColumnRule, TotalRules
from app.records.grading.values import CellKey, QuestionKey
from app.records.marking import question_marks
from app.records.people import class_staff

ASSISTANT_NAME = "陈助教"
ASSISTANT_TOKEN = "demo assistant"  # noqa: S105
DAILY_CATEGORY, TESTS_CATEGORY = "平时", "期中"
FULL_ATTENDANCE_POINTS, FULL_MIDTERM_POINTS = 10, 100
GROUP_COUNT, GROUP_SEED = 3, 7
NOTICE_TEXT = "周五带草稿纸：课上做一份限时小测，可以看折损表。"


def keep_gradebook(demo_class: DemoClass, other_teacher: Caller, password_hash: str) -> None:
    """All of it, in the last weeks of the term."""
    midterm_at = demo_class.term_begins_at + 28 * DAY
    extra_column_ids = fill_columns(demo_class, midterm_at)
    set_weights(demo_class, extra_column_ids, midterm_at + DAY)
    invite_helpers(demo_class, other_teacher, password_hash, midterm_at + 2 * DAY)
    write_comments(demo_class, midterm_at + 3 * DAY)
    give_point_for_slip(demo_class, midterm_at + 4 * DAY)
    demo_class.call_verb(notices.set_notice, NOTICE_TEXT, 7, demo_class.now - DAY)
    if len(students_of_class(demo_class)) >= GROUP_COUNT:  # a drill makes a term of a few
        demo_class.call_verb(groups.split_class, GROUP_COUNT, False, midterm_at, GROUP_SEED)


def fill_columns(demo_class: DemoClass, filled_at: datetime) -> list[int]:
    """出勤 and 期中 of everybody; of the midterm one was ill."""
    attendance_column_id = demo_class.call_verb(
        extra_columns.add_column, "出勤", str(FULL_ATTENDANCE_POINTS), filled_at
    )
    midterm_column_id = demo_class.call_verb(
        extra_columns.add_column, "期中", str(FULL_MIDTERM_POINTS), filled_at
    )
    attendance_text_by_student_id, midterm_text_by_student_id = {}, {}
    for student, pupil in zip(students_of_class(demo_class), demo_class.pupils, strict=True):
        missed_days = round((1 - pupil.student.diligence) * 3)
        attendance_text_by_student_id[student.id] = str(FULL_ATTENDANCE_POINTS - missed_days)
        midterm_text_by_student_id[student.id] = str(round(45 + 50 * pupil.student.ability))
    ill_student = students_of_class(demo_class)[-1]
    midterm_text_by_student_id[ill_student.id] = "免"
    demo_class.call_verb(
        extra_columns.set_extra_marks, attendance_column_id, attendance_text_by_student_id, filled_at
    )
    demo_class.call_verb(
        extra_columns.set_extra_marks, midterm_column_id, midterm_text_by_student_id, filled_at
    )
    return [attendance_column_id, midterm_column_id]


def students_of_class(demo_class: DemoClass) -> list[Student]:
    """The students in the order in which they came, which is that of the pupils."""
    students = classrooms.load_present_students(demo_class.session, demo_class.classroom_id)
    return sorted(students, key=lambda student: student.id)


def set_weights(demo_class: DemoClass, extra_column_ids: list[int], weighed_at: datetime) -> None:
    """平时 forty, of which the lowest is dropped, 期中 sixty; 前测 and 后测 do not count."""
    weight_by_category: dict[str, float] = {DAILY_CATEGORY: 40, TESTS_CATEGORY: 60}
    class_total_rules = TotalRules("categories", "zero", weight_by_category, {DAILY_CATEGORY: 1})
    rule_by_assignment_id = {}
    _, listed_assignments = demo_class.call_verb(lookup.load_class_and_assignments)
    for listed_assignment in listed_assignments:
        is_counted = listed_assignment.assignment.form is None
        rule_by_assignment_id[listed_assignment.assignment.id] = ColumnRule(
            counted=is_counted, category=DAILY_CATEGORY
        )
    weighed_extra_columns = []
    for extra_column_id, category in zip(extra_column_ids, (DAILY_CATEGORY, TESTS_CATEGORY), strict=True):
        extra_column_row = demo_class.call_verb(extra_columns.load_column, extra_column_id).column
        weighed_extra_columns.append(extra_column_row._replace(counted=True, weight=1.0, category=category))
    demo_class.call_verb(
        total_rules.set_total_rules,
        class_total_rules,
        rule_by_assignment_id,
        weighed_at,
        weighed_extra_columns,
    )


def invite_helpers(
    demo_class: DemoClass, other_teacher: Caller, password_hash: str, invited_at: datetime
) -> None:
    """The colleague teaches along; an assistant marks."""
    desktop_browser = Browser(ASSISTANT_NAME, ASSISTANT_TOKEN, "电脑 · Chrome")
    credentials = Credentials(ASSISTANT_NAME, password_hash)
    accounts.create_account(demo_class.session, Caller(), credentials, desktop_browser, invited_at)
    for caller, role in ((other_teacher, "co-teacher"), (Caller(ASSISTANT_TOKEN), "assistant")):
        invitation_token = demo_class.call_verb(class_staff.create_role_token, role, invited_at)
        class_staff.accept_role(demo_class.session, caller, invitation_token, invited_at + timedelta(hours=1))


def write_comments(demo_class: DemoClass, written_at: datetime) -> None:
    """The assistant writes to the two with the lowest marks, and excuses whoever was ill all week."""
    _, listed_assignments = demo_class.call_verb(lookup.load_class_and_assignments)
    homework_id = min(
        listed_assignment.assignment.id
        for listed_assignment in listed_assignments
        if listed_assignment.assignment.late_until
    )
    assignment_page = demo_class.call_verb_about(lookup.load_assignment_page, homework_id)
    mark_by_enrolment_id = mark_by_enrolment_id_of(assignment_page)
    lowest_enrolment_ids = list(mark_by_enrolment_id)[:2]
    session_and_assistant = (demo_class.session, Caller(ASSISTANT_TOKEN))
    comment_texts = (
        "前两项都对，第3位的折损看错了一行。照着折损表再算一遍。",
        "方法全对，中间少留了两位小数。",
    )
    for enrolment_id, comment_text in zip(lowest_enrolment_ids, comment_texts, strict=False):
        cell_key = CellKey(demo_class.classroom_id, homework_id, enrolment_id)
        comments.set_comment(*session_and_assistant, cell_key, comment_text, written_at)
    missing_enrolment_ids = [
        student.id for student in assignment_page.receivers if student.id not in mark_by_enrolment_id
    ]
    if missing_enrolment_ids:
        cell_key = CellKey(demo_class.classroom_id, homework_id, missing_enrolment_ids[0])
        mark_overrides.excuse_student(
            *session_and_assistant, cell_key, "参加竞赛集训，这一周免做", written_at
        )


def give_point_for_slip(demo_class: DemoClass, marked_at: datetime) -> None:
    """Half the points for an answer that a program calls wrong, to somebody whose mark nobody has set."""
    session_and_teacher = (demo_class.session, demo_class.teacher)
    course_by_prefix = {demo_class.course.prefix: demo_class.course}
    _, listed_assignments = demo_class.call_verb(lookup.load_class_and_assignments)
    for assignment_id in sorted(
        listed_assignment.assignment.id
        for listed_assignment in listed_assignments
        if listed_assignment.assignment.form is None
    ):
        assignment_page = demo_class.call_verb_about(lookup.load_assignment_page, assignment_id)
        number_by_question_ref = {
            assigned_question.ref: assigned_question.number
            for assigned_question in questions_of_parts(assignment_page.parts)
        }
        for enrolment_id in mark_by_enrolment_id_of(assignment_page):
            cell_key = CellKey(demo_class.classroom_id, assignment_id, enrolment_id)
            cell_data = mark_overrides.load_cell(*session_and_teacher, cell_key, marked_at)
            question_key = zero_point_question_key(cell_data, number_by_question_ref)
            if question_key is not None and cell_data.cell_records.override is None:
                reason = "式子列对了，最后一步抄错一个数"
                question_cell_key = cell_key._replace(question_key=question_key)
                question_marks.mark_question(
                    *session_and_teacher, question_cell_key, "1", reason, course_by_prefix, marked_at
                )
                return


def zero_point_question_key(
    cell_data: CellData, number_by_question_ref: Mapping[str, int]
) -> QuestionKey | None:
    """A question that earned nothing in the attempt that counts; None where there is none."""
    for attempt_in_cell in cell_data.attempts:
        if (
            cell_data.counting_attempt is None
            or attempt_in_cell.attempt.number != cell_data.counting_attempt.number
        ):
            continue
        refs_with_scores = [
            (response.item_ref, response.score) for response in attempt_in_cell.attempt_data.responses
        ]
        for question_ref, score_share in best_share_by_question_ref_of(refs_with_scores).items():
            if score_share == 0 and question_ref in number_by_question_ref:
                return QuestionKey(attempt_in_cell.attempt.number, number_by_question_ref[question_ref])
    return None
