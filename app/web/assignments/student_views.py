"""Assignments as their students see them: the list, one from outside, and how a pass went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from markupsafe import Markup

from app.course import Course
from app.course.assignments.question_sets import items_of, total_of
from app.records.assignments.deadlines import FAR, Schedule, schedule_of, shown_from
from app.records.assignments.values import (
    AssignmentRow,
    AttemptWork,
    StudentAssignment,
    SubmissionRow,
)
from app.records.grading.mark_overrides import handed
from app.records.grading.marks import by_part, counting, short
from app.records.grading.marks import mark_of as mark_of_passes
from app.records.grading.submissions import paper_of
from app.web.assignments.part_views import Described, described
from app.web.assignments.question_views import Mark, frozen, mark_of, shown_view, sum_words
from app.web.site.site import Site, moment

CLOSED = "已经截止，不再收了。你存下的都在，老师收卷时照那些算。"
NOT_DONE = {"section": "还没学完", "cards": "还没复习", "game": "还没打"}
COUNTS = {"best": "几遍里最好的一遍算数", "last": "最后交的一遍算数", "first": "第一遍算数"}
WHEN = {
    "at_once": "每答一题就批改",
    "handed_in": "交了就能看结果和讲解",
    "due": "你的时间截止以后，看结果和讲解",
    "never": "结果老师来讲",
}


@dataclass(frozen=True)
class StudentEntry:
    """An assignment in the list."""

    given: StudentAssignment
    times: Schedule
    at: datetime

    @property
    def assignment(self) -> AssignmentRow:
        return self.given.assignment

    @property
    def last(self) -> SubmissionRow | None:
        """The latest pass that was handed in."""
        done = [one for one in self.given.submissions if one.handed_in_at]
        return done[-1] if done else None

    @property
    def mark(self) -> str:
        """What it came to, as far as it may be told: `6/8分`."""
        return mark_words(self.given, self.at)

    @property
    def to_do(self) -> bool:
        """Whether it waits for something: a pass that is open, or one that was never begun."""
        return self.times.takes and (self.given.begun is not None or not self.given.used)

    @property
    def can_begin(self) -> bool:
        """Whether a pass may be begun, or goes on."""
        return self.times.takes and (self.given.begun is not None or self.given.left != 0)

    @property
    def settled(self) -> Mapping[int, float]:
        """What each part of the pass that counts earned, once no pass can follow; empty before."""
        counts = counting(self.assignment.counts, handed(self.given.submissions))
        done = self.given.submission(counts.number) if counts and not self.can_begin else None
        return by_part(done.parts) if done else {}


@dataclass(frozen=True)
class StudentLists:
    """All assignments: to be done, the soonest first; soon to open; done; missed; no longer one's own."""

    to_do: Sequence[StudentEntry]
    soon: Sequence[StudentEntry]
    done: Sequence[StudentEntry]
    missed: Sequence[StudentEntry]
    past: Sequence[StudentEntry]

    @property
    def empty(self) -> bool:
        return not (self.to_do or self.soon or self.done or self.missed or self.past)


def student_lists(found: Sequence[StudentAssignment], at: datetime) -> StudentLists:
    entries = [StudentEntry(one, schedule_of(one, at), at) for one in found if one.live]
    waiting = [one for one in entries if one.to_do]
    rest = [one for one in entries if not one.to_do and one.times.state != "soon"]
    return StudentLists(
        to_do=sorted(waiting, key=lambda one: (one.times.due_at or FAR, one.assignment.id)),
        soon=sorted(
            (one for one in entries if one.times.state == "soon"),
            key=lambda one: one.times.opens_at or FAR,
        ),
        done=[one for one in rest if one.last],
        missed=[one for one in rest if one.last is None],
        past=[StudentEntry(one, schedule_of(one, at), at) for one in found if not one.live],
    )


@dataclass(frozen=True)
class OutsideView:
    """A part that is done elsewhere, and how far. `counted`: how far it was in the pass that counts, where no
    other can follow; `over`: whether time is up."""

    part: Described
    share: float
    counted: float | None = None
    over: bool = False

    @property
    def done(self) -> bool:
        return self.share >= 1

    @property
    def left(self) -> str:
        """What it costs to hand in now."""
        points = short((1 - self.share) * self.part.part.points)
        so_far = f"才完成{self.share:.0%}" if self.share else NOT_DONE.get(self.part.part.kind, "还没做")
        return f"{so_far}，现在交就没有这{points}分"

    @property
    def too_late(self) -> bool:
        """Whether some of it was done when it could not count any more."""
        return self.counted is not None and self.share - self.counted > 0.005

    @property
    def word(self) -> str:
        if self.done:
            return "交卷后才完成" if self.too_late else "完成了"
        if self.share:
            return f"{'截止前' if self.over else ''}完成了{self.share:.0%}"
        return "截止前没做" if self.over else "还没做"


@dataclass(frozen=True)
class TaskView:
    """An assignment from outside."""

    entry: StudentEntry
    asked: int
    total: str
    elsewhere: Sequence[OutsideView]
    passes: Sequence[tuple[SubmissionRow, str]]
    by_hand: str
    practice: Sequence[Described]

    @property
    def assignment(self) -> AssignmentRow:
        return self.entry.assignment

    @property
    def given(self) -> StudentAssignment:
        return self.entry.given

    @property
    def times(self) -> Schedule:
        return self.entry.times

    @property
    def extended(self) -> bool:
        """Whether the time is one's own, and not that of all."""
        longer = self.given.extension
        return bool(longer and longer.due_at and longer.due_at == self.times.due_at)

    @property
    def draws(self) -> bool:
        """Whether practising brings other numbers each time."""
        return any(one.drawn for one in self.practice)

    @property
    def can_begin(self) -> bool:
        return self.entry.can_begin

    @property
    def rules(self) -> list[str]:
        """What to know beforehand, a line each."""
        row = self.assignment
        found = [WHEN[row.answers]]
        if row.answers == "at_once":
            found.append(f"每题可以试{row.tries}次" if row.tries else "每题试几次都行")
        found.append("可以看提示" if row.hints else "这次没有提示")
        found.append(
            f"最多交{row.passes}遍，{COUNTS[row.counts]}" if row.passes > 1
            else "只交一遍" if row.passes
            else f"交几遍都行，{COUNTS[row.counts]}"
        )  # fmt: skip
        return found

    @property
    def late_words(self) -> str:
        return late_words(self.times)


def late_words(times: Schedule) -> str:
    """What handing in late costs, said before it is done."""
    if times.state != "late":
        return ""
    cost = "不扣分" if times.late_factor == 1 else f"得分按{times.late_factor * 100:g}%算"
    return f"已经过了截止时间，现在交算迟交，{cost}。"


def closed_words(times: Schedule) -> str:
    """Why nothing is taken now, and what becomes of what there is; empty while it is taken."""
    if times.takes:
        return ""
    return "这份作业还没有开始。" if times.state == "soon" else CLOSED


def task(
    courses: Mapping[str, Course], found: StudentAssignment, shares: Mapping[int, float], at: datetime
) -> TaskView:
    entry = StudentEntry(found, schedule_of(found, at), at)
    parts = described(courses, found.parts)
    over = found.live and entry.times.state == "over"
    return TaskView(
        entry=entry,
        asked=sum(len(items_of(part)) for part in found.parts),
        total=short(total_of(found.parts)),
        elsewhere=settled(elsewhere(courses, found, shares), entry),
        passes=[
            (one, score(one, found, at) or sealed(found.assignment))
            for one in found.submissions
            if one.handed_in_at
        ],
        by_hand=by_hand(found, at),
        practice=practice(found, parts) if over else [],
    )


def elsewhere(
    courses: Mapping[str, Course], found: StudentAssignment, shares: Mapping[int, float]
) -> list[OutsideView]:
    """The parts that are done elsewhere, with how much of each is done."""
    outside = [one for one in described(courses, found.parts) if not one.asks]
    return [OutsideView(one, shares.get(one.part.id, 0.0)) for one in outside]


def settled(outside: Sequence[OutsideView], entry: StudentEntry) -> list[OutsideView]:
    """The same with what came of each, where that is settled."""
    earned, over = entry.settled, entry.times.state == "over"
    parts = [one.part.part for one in outside]
    counted = [earned.get(part.id, 0.0) / part.points if earned and part.points else None for part in parts]
    return [replace(one, counted=share, over=over) for one, share in zip(outside, counted, strict=True)]


def practice(found: StudentAssignment, parts: Sequence[Described]) -> list[Described]:
    """What can be practised afterwards. Where results stay secret, only what comes with other numbers: it
    gives nothing away."""
    secret = found.assignment.answers == "never"
    return [one for one in parts if one.asks and not one.missing and (one.drawn or not secret)]


def is_told(found: StudentAssignment, at: datetime) -> bool:
    """Whether the mark may be told: never where results are kept for the lesson, else with the first pass."""
    ended = [one for one in found.submissions if one.handed_in_at]
    if found.assignment.answers == "never":
        return False
    return not ended or any(score(one, found, at) for one in ended)


def mark_words(found: StudentAssignment, at: datetime) -> str:
    """The mark in a word: of the pass that counts, or the one that the teacher set."""
    ended = [one for one in found.submissions if one.handed_in_at]
    if not is_told(found, at):
        return sealed(found.assignment)
    mark = mark_of_passes(found.assignment.counts, handed(ended), found.by_hand)
    total = ended[-1].total if ended else None
    if mark is None or (ended and not total):
        return ""
    return f"{short(mark)}/{short(total)}分" if total else f"老师给了{short(mark)}分"


def sealed(row: AssignmentRow) -> str:
    """What stands in the place of a mark that is not told."""
    return "结果老师来讲" if row.answers == "never" else "结果还没公布"


def by_hand(found: StudentAssignment, at: datetime) -> str:
    """The mark that the teacher set, once it may be told."""
    if found.by_hand is None or not is_told(found, at):
        return ""
    return f"老师把这份作业的成绩改成了{short(found.by_hand)}分，满分{short(total_of(found.parts))}分。"


def score(done: SubmissionRow, found: StudentAssignment, at: datetime) -> str:
    """What a pass came to, if that may be told: `8分，满分10分`."""
    told = shown_from(found.assignment, found.extension, done.handed_in_at)
    if done.points is None or (told is not None and at < told):
        return ""
    late = f"（{short(done.points)}分，迟交按{done.factor * 100:g}%算）" if done.factor != 1 else ""
    return f"{short(done.points * done.factor)}分{late}，满分{short(done.total or 0)}分"


@dataclass(frozen=True)
class AnswerView:
    """A question as it was asked, with what was answered and what is said to it."""

    number: int
    mark: Mark
    html: Markup


@dataclass(frozen=True)
class AttemptResult:
    """A pass that was handed in. `answers` is empty while nothing is told; `when` says from when. `by_hand`:
    what the teacher made of the mark, whatever this pass came to."""

    work: AttemptWork
    score: str
    by_hand: str
    answers: Sequence[AnswerView]
    elsewhere: Sequence[tuple[Described, str]]
    when: str
    unanswered: int
    undone: int
    times: Schedule

    @property
    def submission(self) -> SubmissionRow:
        return self.work.submission

    @property
    def assignment(self) -> AssignmentRow:
        return self.work.given.assignment

    @property
    def once_more(self) -> bool:
        """Whether another pass may be begun, or one goes on."""
        return self.times.takes and self.work.given.left != 0


def result(site: Site, courses: Mapping[str, Course], work: AttemptWork, at: datetime) -> AttemptResult:
    """The receipt of a pass, with the questions once they may be seen."""
    given, told = work.given, work.is_shown(at)
    paper = paper_of(given, work.submission, courses)
    marks = [mark_of(paper, one, work, told) for one in paper.questions]
    got = by_part(work.submission.parts)
    outside = [one for one in described(courses, given.parts) if not one.asks]
    return AttemptResult(
        work=work,
        score=score(work.submission, given, at) if told else "",
        by_hand=by_hand(given, at),
        answers=answers(site, courses, work, marks) if told else [],
        elsewhere=[
            (one, f"{one.points}分里得{short(got.get(one.part.id, 0.0))}分" if told else "")
            for one in outside
        ],
        when="" if told else when(site, work),
        unanswered=sum(mark in ("none", "unreadable") for mark in marks),
        undone=sum(got.get(one.part.id, 0.0) < one.part.points for one in outside),
        times=schedule_of(given, at),
    )


def answers(
    site: Site, courses: Mapping[str, Course], work: AttemptWork, marks: Sequence[Mark]
) -> list[AnswerView]:
    """Every question, from the body that was frozen with its answer."""
    paper = paper_of(work.given, work.submission, courses)
    return [
        AnswerView(question.number, mark, one_answer(site, courses, work, question.number, mark))
        for question, mark in zip(paper.questions, marks, strict=True)
    ]


def one_answer(
    site: Site, courses: Mapping[str, Course], work: AttemptWork, number: int, mark: Mark
) -> Markup:
    """One question as it was, with its answer. One that was not there at the hand-in waits to be marked."""
    paper = paper_of(work.given, work.submission, courses)
    question = paper.questions[number - 1]
    asked, rows = frozen(site, paper, question, work), work.of(question.ref)
    saved = work.saved.get(question.ref)
    kept = "、".join(saved.raw) if saved and not rows else ""
    if asked is None and mark == "waiting":
        return site.render("assignments/_gone.html", kept=kept)
    if asked is None:
        said = kept or ("、".join(rows[-1].raw) if rows else "")
        return site.render("assignments/_lost.html", said=said, end=sum_words(question, work))
    why = work.why.get(question.ref, "") if question.ref in work.again else ""
    context = {"kept": kept, "waiting": mark == "waiting", "why": why}
    return site.render("assignments/_answer.html", item=shown_view(asked, work), **context)


def when(site: Site, work: AttemptWork) -> str:
    """From when the results may be seen."""
    if work.given.assignment.answers == "never":
        return "结果由老师来讲，这里不显示。"
    if work.shown_from is None or work.shown_from >= FAR:
        return "等老师结束这份作业，这里就能看结果和讲解。"
    return f"{moment('%m月%d日%H:%M', site_zone(site), work.shown_from)}以后，这里能看结果和讲解。"


def site_zone(site: Site) -> ZoneInfo:
    """The clock of the place."""
    return ZoneInfo(site.settings.time_zone)
