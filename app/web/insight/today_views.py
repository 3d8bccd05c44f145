"""今天 as a teacher sees it: what is open, and everybody of the class once, by state."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from app.course import Course
from app.course.content.recorded_misconceptions import named_misconception
from app.course.content.refs import question_number_of
from app.records.classes.values import Student
from app.records.grading.marks import shown_points_text
from app.records.insight.class_activity import ClassActivity
from app.records.insight.live_status import Failure, LiveStatus, StuckReason
from app.records.insight.today import OpenAssignment, TodayData
from app.web.insight.past_moments import MINUTE, earlier_day_words, time_ago_words
from app.web.insight.question_words import question_title
from app.web.site.clock import days_ago
from app.web.site.responses import Context

WORDS_BY_STATE: Mapping[str, str] = {
    "stuck": "卡住了",
    "failed": "交了没过",
    "elsewhere": "别的没过",
    "new": "没开始",
    "working": "在做",
    "ready": "做完没交",
    "done": "交了",
    "over": "过了时间",
}
WORDS_BY_PRESENCE: Mapping[str, str] = {
    "stuck": "卡住了",
    "here": "在学",
    "today": "今天学过",
    "away": "今天还没学",
}
MOST_CARDS = 4
"""How many open assignments have a card: all of them, and the class, are to fit on one screen."""


def states_context(course: Course, today_data: TodayData, assignment_id: int | None) -> Context:
    """The class at a moment, by state. Without a choice it is about the assignment that most are at.

    `tasks_without_card`: further open assignments, so that the class stays on one screen.
    """
    now = today_data.activity.now
    far_future = datetime.max.replace(tzinfo=now.tzinfo)
    open_assignments = sorted(
        today_data.open_assignments, key=lambda assignment: assignment.task.assignment.due_at or far_future
    )
    selected_assignment = selected_assignment_of(today_data.activity, open_assignments, assignment_id)
    assignments_with_card = open_assignments[:MOST_CARDS]
    if selected_assignment is None:
        word_by_state = WORDS_BY_PRESENCE
        chips_by_state = chips_by_presence(course, today_data)
    else:
        word_by_state = WORDS_BY_STATE
        chips_by_state = chips_by_live_status(course, today_data, selected_assignment)
        if "failed" in chips_by_state:
            word_by_state = {**WORDS_BY_STATE, "done": "其余交了"}
        if selected_assignment not in assignments_with_card:
            assignments_with_card[-1] = selected_assignment
    return {
        "assignments_with_card": assignments_with_card,
        "tasks_without_card": [
            open_assignment.task
            for open_assignment in open_assignments
            if open_assignment not in assignments_with_card
        ],
        "upcoming_tasks": sorted(today_data.upcoming_tasks, key=lambda task: task.assignment.opens_at or now),
        "selected_assignment": selected_assignment,
        "word_by_state": word_by_state,
        "chips_by_state": chips_by_state,
    }


class StudentChip(NamedTuple):
    """A student among those who stand alike. `standing_words`: how far, or why stuck; `misconception_name`:
    of the one that they are stuck at or failed by; `url`: for more."""

    id: int
    name: str
    standing_words: str
    url: str
    is_present: bool
    misconception_name: str = ""


ChipsByState = Mapping[str, Sequence[StudentChip]]
"""Students who stand alike, by state."""


def student_count_by_misconception_name(chips_by_state: ChipsByState) -> Mapping[str, int]:
    """How many students are held up by each misconception at what is shown, the most frequent first."""
    misconception_names = [
        chip.misconception_name
        for live_state, student_chips in chips_by_state.items()
        for chip in student_chips
        if chip.misconception_name and live_state != "elsewhere"
    ]
    return dict(Counter(misconception_names).most_common())


def selected_assignment_of(
    class_activity: ClassActivity, open_assignments: Sequence[OpenAssignment], assignment_id: int | None
) -> OpenAssignment | None:
    """The one that the address names, else the one that most are at; of several what is due first."""

    def present_and_begun_counts(open_assignment: OpenAssignment) -> tuple[int, int]:
        """Of those who are there now, and of all who have begun and left it, perhaps days ago."""
        enrolment_ids_at_work = [
            enrolment_id
            for enrolment_id, live_status in open_assignment.status_by_enrolment_id.items()
            if live_status.state in ("working", "stuck")
        ]
        return sum(map(class_activity.is_present, enrolment_ids_at_work)), len(enrolment_ids_at_work)

    for open_assignment in open_assignments:
        if open_assignment.task.id == assignment_id:
            return open_assignment
    return max(open_assignments, key=present_and_begun_counts, default=None)


def chips_by_live_status(
    course: Course, today_data: TodayData, selected_assignment: OpenAssignment
) -> ChipsByState:
    """Everybody who is to do it, by state; whoever is stuck in other work is stuck."""
    chips_by_state: dict[str, list[StudentChip]] = defaultdict(list)
    for student in today_data.activity.students:
        live_status = selected_assignment.status_by_enrolment_id.get(student.id)
        stuck_reason = stuck_reason_elsewhere(today_data, selected_assignment, student)
        if stuck_reason is not None and (live_status is None or live_status.state != "stuck"):
            live_status = (live_status or LiveStatus("stuck"))._replace(
                state="stuck", stuck_reason=stuck_reason
            )
        if live_status is not None:
            chips_by_state[live_status.state].append(
                student_chip(course, today_data, student, live_status, selected_assignment)
            )
        chips_by_state["elsewhere"] += chips_of_other_failures(
            course, today_data, selected_assignment, student
        )
    if not chips_by_state["elsewhere"]:
        del chips_by_state["elsewhere"]
    return chips_by_state


def chips_of_other_failures(
    course: Course, today_data: TodayData, selected_assignment: OpenAssignment, student: Student
) -> list[StudentChip]:
    """What a student handed in below the pass line in other open assignments."""
    failure_chips = []
    for open_assignment in today_data.open_assignments:
        live_status = open_assignment.status_by_enrolment_id.get(student.id)
        if open_assignment is selected_assignment or live_status is None or live_status.failure is None:
            continue
        failure_chip = student_chip(course, today_data, student, live_status, open_assignment)
        chip_words = f"《{open_assignment.task.title}》{failure_chip.standing_words}"
        failure_chips.append(failure_chip._replace(standing_words=chip_words))
    return failure_chips


def stuck_reason_elsewhere(
    today_data: TodayData, selected_assignment: OpenAssignment, student: Student
) -> StuckReason | None:
    """At a question of a lesson, of practice, or of another open assignment; silence there is no matter."""
    if student.id in today_data.stuck_reason_by_enrolment_id:
        return today_data.stuck_reason_by_enrolment_id[student.id]
    for open_assignment in today_data.open_assignments:
        live_status = open_assignment.status_by_enrolment_id.get(student.id)
        if (
            open_assignment is not selected_assignment
            and live_status
            and live_status.stuck_reason
            and live_status.stuck_reason.item_ref
        ):
            return live_status.stuck_reason
    return None


def chips_by_presence(course: Course, today_data: TodayData) -> ChipsByState:
    """While nothing is open: who is at work, who learnt today, who did not."""
    chips_by_state = defaultdict(list)
    for student in today_data.activity.students:
        live_status = LiveStatus("new", stuck_reason=today_data.stuck_reason_by_enrolment_id.get(student.id))
        chips_by_state[presence_state(today_data, student)].append(
            student_chip(course, today_data, student, live_status, None)
        )
    return chips_by_state


def presence_state(today_data: TodayData, student: Student) -> str:
    """One of `WORDS_BY_PRESENCE`."""
    if student.id in today_data.stuck_reason_by_enrolment_id:
        return "stuck"
    if today_data.activity.is_present(student.id):
        return "here"
    last_active_at = today_data.activity.last_active_time_by_enrolment_id.get(student.id)
    if last_active_at is not None and days_ago(last_active_at, today_data.activity.now) == 0:
        return "today"
    return "away"


def student_chip(
    course: Course,
    today_data: TodayData,
    student: Student,
    live_status: LiveStatus,
    selected_assignment: OpenAssignment | None,
) -> StudentChip:
    """A student among those who stand alike, with what is to be said of this state."""
    class_activity = today_data.activity
    is_present = class_activity.is_present(student.id)
    chip_words = ""
    if live_status.stuck_reason is not None:
        chip_words = stuck_words(course, live_status.stuck_reason, class_activity.now)
    elif live_status.failure is not None:
        chip_words = failure_words(live_status.failure)
    elif (
        live_status.state == "working"
        and selected_assignment is not None
        and selected_assignment.question_count
    ):
        chip_words = f"{live_status.answered_count}/{selected_assignment.question_count}"
    elif live_status.state == "new" and not is_present:
        last_active_at = class_activity.last_active_time_by_enrolment_id.get(student.id)
        chip_words = absence_words(student, last_active_at, class_activity.now)
    chip_url = work_url(today_data, student, live_status, selected_assignment)
    misconception_name = misconception_name_of(live_status.stuck_reason or live_status.failure)
    return StudentChip(
        student.id, student.distinct_name, chip_words, chip_url, is_present, misconception_name
    )


def misconception_name_of(reason_or_failure: StuckReason | Failure | None) -> str:
    """The misconception behind it; empty where none was diagnosed."""
    if reason_or_failure is None or reason_or_failure.misconception_code is None:
        return ""
    return named_misconception(reason_or_failure.misconception_code).name


def absence_words(student: Student, last_active_at: datetime | None, now: datetime) -> str:
    """When somebody was last active who has not begun. Who did nothing yet may sit in the room all the
    same."""
    if days_ago(student.joined_at, now) == 0:
        return "刚进班"
    if last_active_at is None:
        return "还没做过题"
    return time_ago_words(last_active_at, now)


def work_url(
    today_data: TodayData,
    student: Student,
    live_status: LiveStatus,
    selected_assignment: OpenAssignment | None,
) -> str:
    """Their work at the assignment; the attempt at which they are stuck otherwise; else all that they did."""
    classroom_url = f"/classrooms/{today_data.classroom.id}"
    if live_status.stuck_reason is not None and live_status.stuck_reason.attempt_id != live_status.attempt_id:
        return f"{classroom_url}/students/{student.id}/attempts/{live_status.stuck_reason.attempt_id}"
    if selected_assignment is not None and live_status.attempt_id is not None:
        return f"{classroom_url}/assignments/{selected_assignment.task.id}/students/{student.id}"
    return f"{classroom_url}/students/{student.id}"


def stuck_words(course: Course, stuck_reason: StuckReason, now: datetime) -> str:
    """Why somebody is stuck, in few words: for how long, or at which question by which mistake."""
    if stuck_reason.item_ref is None:
        return f"{(now - stuck_reason.stuck_since) // MINUTE}分钟没动"
    stuck_note = f"{question_name(course, stuck_reason.item_ref)}错{stuck_reason.wrong_count}次"
    words_of_earlier_day = earlier_day_words(stuck_reason.stuck_since, now)
    if words_of_earlier_day:
        stuck_note += f"（{words_of_earlier_day}）"
    if stuck_reason.misconception_code:
        stuck_note += f"，{misconception_name_of(stuck_reason)}"
    return stuck_note


def failure_words(failure: Failure) -> str:
    """The mark of somebody who failed, and the mistake that brought it about.

    >>> failure_words(Failure(2.5, 10))
    '2.5/10'
    """
    failure_note = f"{shown_points_text(failure.points)}/{shown_points_text(failure.full_marks)}"
    if failure.misconception_code:
        failure_note += f"，{misconception_name_of(failure)}"
    return failure_note


def question_name(course: Course, item_ref: str) -> str:
    """By its number in an assignment, else by its title."""
    question_number = question_number_of(item_ref)
    if question_number:
        return f"第{question_number}题"
    return question_title({course.prefix: course}, item_ref).text
