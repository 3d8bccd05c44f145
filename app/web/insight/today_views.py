"""今天 as a page shows it: the assignments that are open, and everybody of the class once, by state."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.course import Course
from app.course.content.misconception_names import named
from app.records.assignments.assigned import AssignedTask
from app.records.classes.values import Student
from app.records.insight.live_status import LiveStatus, Stuck
from app.records.insight.today import OpenAssignment, TodayData
from app.web.insight.question_words import number_of, titled

GROUPS: Mapping[str, str] = {
    "stuck": "卡住了",
    "new": "没开始",
    "working": "在做",
    "ready": "做完没交",
    "done": "交了",
    "over": "过了时间",
}
PRESENCE: Mapping[str, str] = {"stuck": "卡住了", "here": "在学", "today": "今天来过", "away": "今天没来"}
DAY = timedelta(hours=16)
"""Whoever was active within it was there today."""
EVENING = 18
MOST_CARDS = 4


@dataclass(frozen=True)
class Chip:
    """A student in a group. `note`: how far, or why stuck; `url`: where to read more."""

    id: int
    name: str
    note: str
    url: str
    present: bool


@dataclass(frozen=True)
class StatusGroup:
    """Students who stand alike."""

    id: str
    word: str
    chips: Sequence[Chip]


@dataclass(frozen=True)
class AssignmentCard:
    """An open assignment: when it is due, and how many stand where."""

    task: AssignedTask
    selected: bool
    counts: Sequence[tuple[str, str, int]]
    total: int


@dataclass(frozen=True)
class TodayView:
    """The page. `selected`: the open assignment that the groups are about; None while nothing is open.

    `without_card`: further open assignments, so that the class stays on one screen.
    """

    now: datetime
    cards: Sequence[AssignmentCard]
    without_card: Sequence[AssignedTask]
    selected: OpenAssignment | None
    groups: Sequence[StatusGroup]
    upcoming: Sequence[AssignedTask]
    present: int
    total: int
    reports: int


def today_view(course: Course, data: TodayData, assignment_id: int | None, now: datetime) -> TodayView:
    """The page at a moment. Without a choice it is about the assignment that most are at."""
    never = datetime.max.replace(tzinfo=now.tzinfo)
    opened = sorted(data.open, key=lambda assignment: assignment.task.row.due_at or never)
    selected = selected_of(opened, assignment_id)
    with_card = opened[:MOST_CARDS]
    if selected is None:
        groups = groups_by_presence(course, data, now)
    else:
        groups = groups_by_state(course, data, selected, now)
        if selected not in with_card:
            with_card[-1] = selected
    return TodayView(
        now=now,
        cards=[card(assignment, assignment is selected) for assignment in with_card],
        without_card=[assignment.task for assignment in opened if assignment not in with_card],
        selected=selected,
        groups=groups,
        upcoming=sorted(data.upcoming, key=lambda task: task.row.opens_at or now),
        present=sum(data.is_present(student.id, now) for student in data.students),
        total=len(data.students),
        reports=data.reports,
    )


def selected_of(opened: Sequence[OpenAssignment], assignment_id: int | None) -> OpenAssignment | None:
    """The one that the address names, else the one that most are at; of several what is due first."""
    for assignment in opened:
        if assignment.task.id == assignment_id:
            return assignment
    return max(opened, key=at_work, default=None)


def at_work(assignment: OpenAssignment) -> int:
    """How many students are at it."""
    counts = count_states(assignment)
    return counts["working"] + counts["stuck"]


def count_states(assignment: OpenAssignment) -> Counter[str]:
    return Counter(status.state for status in assignment.statuses.values())


def card(assignment: OpenAssignment, selected: bool) -> AssignmentCard:
    counts = count_states(assignment)
    parts = [(state, word, counts[state]) for state, word in GROUPS.items() if counts[state]]
    return AssignmentCard(assignment.task, selected, parts, len(assignment.statuses))


def groups_by_state(
    course: Course, data: TodayData, selected: OpenAssignment, now: datetime
) -> list[StatusGroup]:
    """Everybody who is to do it, by state; whoever is stuck in other work is stuck."""
    chips: dict[str, list[Chip]] = defaultdict(list)
    for student in data.students:
        status = selected.statuses.get(student.id)
        stuck = stuck_in_other_work(data, selected, student)
        if stuck is not None and (status is None or status.state != "stuck"):
            status = replace(status or LiveStatus("stuck"), state="stuck", stuck=stuck)
        if status is not None:
            chips[status.state].append(chip(course, data, student, status, selected, now))
    return status_groups(GROUPS, chips)


def status_groups(words: Mapping[str, str], chips: Mapping[str, Sequence[Chip]]) -> list[StatusGroup]:
    return [StatusGroup(state, word, chips[state]) for state, word in words.items() if state in chips]


def stuck_in_other_work(data: TodayData, selected: OpenAssignment, student: Student) -> Stuck | None:
    """At a question of a lesson, of practice, or of another open assignment; silence there is no matter."""
    if student.id in data.stuck:
        return data.stuck[student.id]
    for assignment in data.open:
        status = assignment.statuses.get(student.id)
        if assignment is not selected and status and status.stuck and status.stuck.item:
            return status.stuck
    return None


def groups_by_presence(course: Course, data: TodayData, now: datetime) -> list[StatusGroup]:
    """While nothing is open: who is at work, who was there today, who was not."""
    chips = defaultdict(list)
    for student in data.students:
        status = LiveStatus("new", stuck=data.stuck.get(student.id))
        state = presence(data, student, now)
        chips[state].append(chip(course, data, student, status, None, now))
    return status_groups(PRESENCE, chips)


def presence(data: TodayData, student: Student, now: datetime) -> str:
    if student.id in data.stuck:
        return "stuck"
    if data.is_present(student.id, now):
        return "here"
    active_at = data.last_active.get(student.id)
    if active_at is not None and now - active_at < DAY:
        return "today"
    return "away"


def chip(
    course: Course,
    data: TodayData,
    student: Student,
    status: LiveStatus,
    selected: OpenAssignment | None,
    now: datetime,
) -> Chip:
    present = data.is_present(student.id, now)
    note = ""
    if status.stuck is not None:
        note = stuck_note(course, status.stuck, now)
    elif status.state == "working" and selected is not None and selected.questions:
        note = f"{status.answered}/{selected.questions}"
    elif status.state == "new" and not present:
        note = absence(student, selected, data.last_active.get(student.id), now)
    return Chip(student.id, student.name, note, url(data, student, status, selected), present)


def absence(
    student: Student, selected: OpenAssignment | None, active_at: datetime | None, now: datetime
) -> str:
    """When somebody was last active who has not begun."""
    if selected is not None:
        since = selected.task.row.opens_at or selected.task.row.published_at
        if since is not None and student.joined_at > since:
            return "刚进班"
    if active_at is None:
        return "没来过"
    return ago(now - active_at)


def ago(span: timedelta) -> str:
    """
    >>> ago(timedelta(minutes=40)), ago(timedelta(hours=5)), ago(timedelta(days=2, hours=3))
    ('40分钟前', '5小时前', '2天前')
    """
    minutes = int(span.total_seconds() // 60)
    if minutes < 60:
        return f"{minutes}分钟前"
    if minutes < 24 * 60:
        return f"{minutes // 60}小时前"
    return f"{span.days}天前"


def url(data: TodayData, student: Student, status: LiveStatus, selected: OpenAssignment | None) -> str:
    """Their work at the assignment; the attempt at which they are stuck otherwise; else all that they did."""
    classroom_url = f"/classrooms/{data.row.id}"
    if status.stuck is not None and status.stuck.attempt_id != status.attempt_id:
        return f"{classroom_url}/students/{student.id}/attempts/{status.stuck.attempt_id}"
    if selected is not None and status.attempt_id is not None:
        return f"{classroom_url}/assignments/{selected.task.id}/students/{student.id}"
    return f"{classroom_url}/students/{student.id}"


def stuck_note(course: Course, stuck: Stuck, now: datetime) -> str:
    """Why somebody is stuck, in few words: for how long, or at which question by which mistake."""
    if stuck.item is None:
        return f"{stuck.minutes}分钟没动"
    note = f"{question_name(course, stuck.item)}错{stuck.wrong}次"
    day = earlier(stuck.at, now)
    if day:
        note += f"（{day}）"
    if stuck.mistake:
        note += f"，{named(stuck.mistake).name}"
    return note


def question_name(course: Course, ref: str) -> str:
    """By its number in an assignment, else by its title."""
    number = number_of(ref)
    if number:
        return f"第{number}题"
    return titled({course.prefix: course}, ref).text


def earlier(at: datetime, now: datetime) -> str:
    """When something was on an earlier day, by the clock of `now`; nothing for today.

    >>> evening, now = datetime(2026, 9, 1, 21, 40), datetime(2026, 9, 2, 8, 0)
    >>> earlier(evening, now), earlier(evening.replace(hour=9), now), earlier(now, now)
    ('昨晚21:40', '昨天9:40', '')
    >>> earlier(evening, now.replace(day=5))
    '9月1日21:40'
    """
    local = at
    if now.tzinfo:
        local = at.astimezone(now.tzinfo)
    days = (now.date() - local.date()).days
    if days < 1:
        return ""
    day = f"{local.month}月{local.day}日"
    if days == 1 and local.hour >= EVENING:
        day = "昨晚"
    elif days == 1:
        day = "昨天"
    return f"{day}{local.hour}:{local.minute:02}"
