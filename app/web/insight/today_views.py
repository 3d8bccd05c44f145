"""今天 as a page shows it: the assignments that are open, and everybody of the class once, by state."""

from collections.abc import Iterator, Mapping, Sequence
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
AROUND: Mapping[str, str] = {"stuck": "卡住了", "here": "在学", "today": "今天来过", "away": "今天没来"}
DAY = timedelta(hours=16)
"""Whoever was seen within it was here today."""
EVENING = 18
MOST_CARDS = 4


@dataclass(frozen=True)
class Chip:
    """A student in a group. `note`: how far, or why stuck; `url`: where to look."""

    id: int
    name: str
    note: str
    url: str
    here: bool


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
    chosen: bool
    counts: Sequence[tuple[str, str, int]]
    total: int


@dataclass(frozen=True)
class TodayView:
    """The page. `chosen` is the assignment that the groups are about; None while nothing is open.

    `rest`: open assignments that have no card, so that the class stays on one screen.
    """

    now: datetime
    cards: Sequence[AssignmentCard]
    rest: Sequence[AssignedTask]
    chosen: OpenAssignment | None
    groups: Sequence[StatusGroup]
    next: Sequence[AssignedTask]
    here: int
    total: int
    reports: int


def today(course: Course, look: TodayData, chosen: int | None, now: datetime) -> TodayView:
    """The page at a moment. Without a choice it is about the assignment that most are at."""
    opened = sorted(look.open, key=lambda one: one.task.row.due_at or datetime.max.replace(tzinfo=now.tzinfo))
    about = next((one for one in opened if one.task.id == chosen), None) or busiest(opened)
    shown = in_a_row(opened, about)
    groups = by_state(course, look, about, now) if about else by_presence(course, look, now)
    return TodayView(
        now=now,
        cards=[card(one, one is about) for one in shown],
        rest=[one.task for one in opened if one not in shown],
        chosen=about,
        groups=groups,
        next=sorted(look.next, key=lambda task: task.row.opens_at or now),
        here=sum(look.here(one.id, now) for one in look.students),
        total=len(look.students),
        reports=look.reports,
    )


def in_a_row(opened: Sequence[OpenAssignment], about: OpenAssignment | None) -> Sequence[OpenAssignment]:
    """Those that get a card: what is due first, and always the one that the page is about."""
    first = list(opened[:MOST_CARDS])
    return first if about is None or about in first else [*first[:-1], about]


def busiest(opened: Sequence[OpenAssignment]) -> OpenAssignment | None:
    """What most are at; of several what is due first."""
    return max(opened, key=lambda one: counts(one)["working"] + counts(one)["stuck"], default=None)


def counts(one: OpenAssignment) -> Mapping[str, int]:
    states: list[str] = [standing.state for standing in one.standings.values()]
    return {state: states.count(state) for state in GROUPS}


def card(one: OpenAssignment, chosen: bool) -> AssignmentCard:
    counted = counts(one)
    parts = [(state, word, counted[state]) for state, word in GROUPS.items() if counted[state]]
    return AssignmentCard(one.task, chosen, parts, len(one.standings))


def by_state(course: Course, look: TodayData, about: OpenAssignment, now: datetime) -> list[StatusGroup]:
    """Everybody who is to do it, by state; whoever is stuck elsewhere is stuck."""
    found: dict[str, list[Chip]] = {state: [] for state in GROUPS}
    for student in look.students:
        standing = about.standings.get(student.id)
        elsewhere = stuck_elsewhere(look, about, student)
        if standing is None and elsewhere is None:
            continue
        if elsewhere is not None and (standing is None or standing.state != "stuck"):
            standing = replace(standing or LiveStatus("stuck"), state="stuck", stuck=elsewhere)
        if standing is not None:
            found[standing.state].append(chip(course, look, student, standing, about, now))
    return [StatusGroup(state, word, found[state]) for state, word in GROUPS.items() if found[state]]


def stuck_elsewhere(look: TodayData, about: OpenAssignment, student: Student) -> Stuck | None:
    """At a question of a lesson, of practice, or of another open assignment; silence there is no matter."""
    if student.id in look.stuck:
        return look.stuck[student.id]
    others = (one.standings.get(student.id) for one in look.open if one is not about)
    return next((one.stuck for one in others if one and one.stuck and one.stuck.item), None)


def by_presence(course: Course, look: TodayData, now: datetime) -> list[StatusGroup]:
    """While nothing is open: who is here, who was, who was not."""
    found: dict[str, list[Chip]] = {state: [] for state in AROUND}
    for student in look.students:
        stuck, seen = look.stuck.get(student.id), look.seen.get(student.id)
        was_here = seen is not None and now - seen < DAY
        state = (
            "stuck" if stuck else "here" if look.here(student.id, now) else "today" if was_here else "away"
        )
        found[state].append(chip(course, look, student, LiveStatus("new", stuck=stuck), None, now))
    return [StatusGroup(state, word, found[state]) for state, word in AROUND.items() if found[state]]


def chip(
    course: Course,
    look: TodayData,
    student: Student,
    standing: LiveStatus,
    about: OpenAssignment | None,
    now: datetime,
) -> Chip:
    here = look.here(student.id, now)
    said = list(notes(course, standing, about, now))
    if not said and standing.state == "new" and not here:
        said = [absence(student, about, look.seen.get(student.id), now)]
    return Chip(student.id, student.name, "，".join(said), url(look, student, standing, about), here)


def absence(student: Student, about: OpenAssignment | None, seen: datetime | None, now: datetime) -> str:
    """When somebody was last here who has not begun."""
    since = about.task.row.opens_at or about.task.row.published_at if about else None
    if since is not None and student.joined_at > since:
        return "刚进班"
    return ago(now - seen) if seen else "没来过"


def ago(span: timedelta) -> str:
    """
    >>> ago(timedelta(minutes=40)), ago(timedelta(hours=5)), ago(timedelta(days=2, hours=3))
    ('40分钟前', '5小时前', '2天前')
    """
    minutes = int(span.total_seconds() // 60)
    if minutes < 60:
        return f"{minutes}分钟前"
    return f"{minutes // 60}小时前" if minutes < 24 * 60 else f"{span.days}天前"


def url(look: TodayData, student: Student, standing: LiveStatus, about: OpenAssignment | None) -> str:
    """Their work at the assignment; where they are stuck elsewhere; else all that they did."""
    here = f"/classrooms/{look.row.id}"
    if standing.stuck is not None and standing.stuck.attempt_id != standing.attempt_id:
        return f"{here}/students/{student.id}/attempts/{standing.stuck.attempt_id}"
    if about is not None and standing.attempt_id is not None:
        return f"{here}/assignments/{about.task.id}/students/{student.id}"
    return f"{here}/students/{student.id}"


def notes(course: Course, standing: LiveStatus, about: OpenAssignment | None, now: datetime) -> Iterator[str]:
    """How far somebody is, in few words."""
    if standing.stuck is not None:
        yield from stuck_words(course, standing.stuck, now)
    elif standing.state == "working" and about is not None and about.questions:
        yield f"{standing.answered}/{about.questions}"


def stuck_words(course: Course, stuck: Stuck, now: datetime) -> Iterator[str]:
    if stuck.item is None:
        yield f"{stuck.minutes}分钟没动"
        return
    number = number_of(stuck.item)
    where = f"第{number}题" if number else titled({course.prefix: course}, stuck.item).text
    when = earlier(stuck.at, now)
    yield f"{where}错{stuck.wrong}次{f'（{when}）' if when else ''}"
    if stuck.mistake:
        yield named(stuck.mistake).name


def earlier(at: datetime, now: datetime) -> str:
    """When something was on an earlier day, by the clock of `now`; nothing for today.

    >>> evening, now = datetime(2026, 9, 1, 21, 40), datetime(2026, 9, 2, 8, 0)
    >>> earlier(evening, now), earlier(evening.replace(hour=9), now), earlier(now, now)
    ('昨晚21:40', '昨天9:40', '')
    >>> earlier(evening, now.replace(day=5))
    '9月1日21:40'
    """
    local = at.astimezone(now.tzinfo) if now.tzinfo else at
    days = (now.date() - local.date()).days
    if days < 1:
        return ""
    day = f"{local.month}月{local.day}日"
    if days == 1:
        day = "昨晚" if local.hour >= EVENING else "昨天"
    return f"{day}{local.hour}:{local.minute:02}"
