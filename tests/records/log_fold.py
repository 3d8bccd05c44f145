"""The oracle of the sums: a learner's whole log, in the order of time, counted in the plainest way."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from app.course import Course
from app.course.content.refs import item_ref_of
from app.course.items.marks import WHOLE_SCORE
from app.course.practice.item_mistakes import WrongResponse
from app.course.practice.mastery import FEWEST_RIGHT_TO_CLEAR, WINDOW_LENGTH
from app.course.practice.notebook import MistakeKind, certain_misconception_ids, mistake_kind_of
from app.course.practice.skill_states import AnswerMoment
from app.records.db.days import TimeZones
from app.records.db.stored_times import stored_time, time_of
from tests.records.cast import Desk

AWAY = timedelta(minutes=5)
LOG = """
SELECT response.id, item, try_number, verdict, score, hints, misconception, response.created_at, source
FROM response JOIN attempt ON attempt.id = attempt_id
WHERE attempt.learner_id = ? AND (shown_from IS NULL OR shown_from <= ?)
ORDER BY response.created_at, response.id
"""
MOMENTS = """
SELECT response.created_at FROM response JOIN attempt ON attempt.id = attempt_id
    WHERE attempt.learner_id = :learner
UNION ALL SELECT created_at FROM reveal WHERE learner_id = :learner
UNION ALL SELECT updated_at FROM lesson_place WHERE learner_id = :learner
UNION ALL SELECT visited_at FROM lesson_visit WHERE learner_id = :learner
UNION ALL SELECT created_at FROM game_move WHERE learner_id = :learner
UNION ALL SELECT reviewed_at FROM review_log WHERE learner_id = :learner AND undone_at IS NULL
"""


@dataclass(frozen=True)
class LoggedAnswer:
    """An answer as the log has it."""

    number: int
    item: str
    try_number: int
    verdict: str
    score: float
    hints: int
    misconception: str | None
    at: str
    source: str

    @property
    def moment(self) -> AnswerMoment:
        return AnswerMoment(self.at, self.number)

    @property
    def unaided(self) -> bool:
        return self.try_number == 1 and self.hints == 0

    @property
    def clean(self) -> bool:
        return self.unaided and self.verdict == "right" and self.score >= WHOLE_SCORE


def log_of(desk: Desk, learner: int, now: datetime) -> list[LoggedAnswer]:
    return [LoggedAnswer(*row) for row in desk.rows(LOG, learner, stored_time(now))]


@dataclass
class FoldedPast:
    """What `AnswerHistory` holds."""

    recent: dict[str, list[tuple[str, int, bool]]] = field(default_factory=dict)
    since: dict[str, str] = field(default_factory=dict)
    clean: Counter[str] = field(default_factory=Counter)
    later: Counter[str] = field(default_factory=Counter)


def past_of(log: list[LoggedAnswer], time_zones: TimeZones) -> FoldedPast:
    past = FoldedPast()
    for answer in log:
        if answer.clean:
            past.since[answer.item] = min(answer.at, past.since.get(answer.item, answer.at))
            past.clean[answer.item] += answer.source == "practice"
        elif answer.verdict == "right":
            past.later[answer.item] += answer.source == "practice"
            continue
        if answer.unaided:
            of_item = past.recent.setdefault(answer.item, [])
            of_item.insert(0, (answer.at, answer.number, answer.clean))
    for item, answers in past.recent.items():
        days = [time_zones.day_of_moment(at) for at, _, _ in answers]
        of_newest_day = answers[: next((n for n, day in enumerate(days) if day != days[0]), len(days))]
        past.recent[item] = answers[:WINDOW_LENGTH] + of_newest_day[WINDOW_LENGTH:][-1:]
    return past_by_item_ref(past)


def past_by_item_ref(of_questions: FoldedPast) -> FoldedPast:
    """What is known of each question, put together by item."""
    past = FoldedPast()
    for question, answers in of_questions.recent.items():
        past.recent[item_ref_of(question)] = sorted([*past.recent.get(item_ref_of(question), []), *answers])
    for question, since in of_questions.since.items():
        past.since[item_ref_of(question)] = min(since, past.since.get(item_ref_of(question), since))
    for question, count in of_questions.clean.items():
        past.clean[item_ref_of(question)] += count
    for question, count in of_questions.later.items():
        past.later[item_ref_of(question)] += count
    return past


@dataclass
class FoldedKind:
    """What the notebook tells of a kind."""

    wrongs: list[WrongResponse]
    clean: int

    @property
    def remaining_count(self) -> int:
        return max(0, FEWEST_RIGHT_TO_CLEAR - self.clean)


def kinds_of(course: Course, log: list[LoggedAnswer], time_zones: TimeZones) -> dict[MistakeKind, FoldedKind]:
    """Wrong answers by kind, the newest first; the kind of the newest one first."""
    wrongs = defaultdict[MistakeKind, list[WrongResponse]](list)
    for answer in reversed(log):
        name = course.bare_id(answer.item)
        kind = mistake_kind_of(course, name)
        if kind and answer.verdict == "wrong":
            day = time_zones.day_of_moment(time_of(answer.at))
            wrongs[kind].append(WrongResponse(answer.moment, name, day, answer.misconception))
    return {
        kind: FoldedKind(wrongs[kind], cleans_after(course, log, kind, wrongs[kind][0].moment))
        for kind in wrongs
    }


def cleans_after(course: Course, log: list[LoggedAnswer], kind: MistakeKind, moment: AnswerMoment) -> int:
    cleans = 0
    for answer in log:
        name = course.bare_id(answer.item)
        of_item = mistake_kind_of(course, name)
        if of_item and answer.clean and answer.moment > moment and name not in course.item_id_by_twin_id:
            cleans += kind in {of_item, MistakeKind(of_item.skill_id)}
    return cleans


def misconceptions_of(
    course: Course, log: list[LoggedAnswer], time_zones: TimeZones
) -> Mapping[str, tuple[int, date, int]]:
    """By misconception: how often at questions, when last, how many right of those kinds since."""
    wrongs = defaultdict[str, list[tuple[WrongResponse, MistakeKind]]](list)
    for kind, folded in kinds_of(course, log, time_zones).items():
        for wrong in folded.wrongs:
            for name in certain_misconception_ids(wrong.misconception_code):
                wrongs[name].append((wrong, kind))
    misconceptions = {}
    for name, of_name in wrongs.items():
        last, _ = max(of_name)
        kinds = {kind for _, kind in of_name}
        clean = sum(cleans_after(course, log, kind, last.moment) for kind in kinds)
        misconceptions[name] = (len(of_name), last.day, clean)
    return misconceptions


def moments_of(desk: Desk, learner: int) -> list[datetime]:
    rows: list[tuple[Any, ...]] = desk.rows(MOMENTS.replace(":learner", str(learner)))
    return sorted(time_of(at) for (at,) in rows)


def days_of(moments: list[datetime], time_zones: TimeZones) -> set[date]:
    """Each moment by the zone of then, but never earlier than the day before it that counts."""
    days: list[date] = []
    for moment in moments:
        days.append(max([time_zones.day_of_moment(moment), *days]))
    return set(days)


def learning(moments: list[datetime]) -> timedelta:
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    return sum((gap for gap in gaps if gap <= AWAY), timedelta())


def streak(days: set[date], today: date) -> int:
    last = max([today - timedelta(days=1), *days])
    length = 0
    while last - timedelta(days=length) in days:
        length += 1
    return length
