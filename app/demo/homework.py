"""What the teachers of the demonstration assigned in the term, and how each pupil did it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion, prefix_of, total_of
from app.course.items.kinds import Item
from app.demo.answering import answer
from app.demo.living import Life
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.assignments import assignments
from app.records.assignments.values import Answers, AssignmentRules, NewPart
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.grading import mark_overrides, submissions
from app.records.grading.marks import mark_of, short

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
HANDED_OUT = timedelta(minutes=25)
"""So long ago the class got the exercise that it works at now."""
GROWN = 0.35
"""By how much less one knew before the term."""
MOST_TRIES = 4
Where = tuple[VerbSession, Caller, int, int, int]
"""A question of a pass, as the verbs of students ask for it."""


def items(*names: str) -> tuple[NewPart, ...]:
    return tuple([NewPart("item", f"content:{name}", points=2) for name in names])


def practice(exercise: str, level: int, count: int) -> NewPart:
    return NewPart("practice", f"content:{exercise}", level, count, points=2)


@dataclass(frozen=True)
class Homework:
    """An assignment: the day of the term on which it was published, for how long, and how it is marked."""

    title: str
    day: int
    days: int
    parts: tuple[NewPart, ...]
    note: str = ""
    answers: Answers = "handed_in"
    hints: bool = True
    passes: int = 1
    tries: int = 1
    late_days: int = 0
    pre: bool = False

    def settings(self, published: datetime) -> AssignmentRules:
        due = published + self.days * DAY
        late = due + self.late_days * DAY if self.late_days else None
        return AssignmentRules(
            *(self.title, self.note, None, due, late, 0.8 if late else 1.0),
            *(self.passes, self.tries, self.hints, self.answers, "best"),
        )


PRETEST = Homework(
    "DCG前测",
    7,
    2,
    (practice("term", 1, 2), practice("dcg", 1, 2)),
    "会多少写多少，不算平时分。",
    answers="never",
    hints=False,
    pre=True,
)
POSTTEST = replace(
    PRETEST, title="DCG后测", day=33, pre=False, answers="handed_in", note="和前测一样难，换了一组数。"
)
TERM = (
    Homework("先后和甜度", 4, 3, items("cg-chengdu", "lipstick-bags", "equal-bags"), "三道题，五分钟。"),
    PRETEST,
    Homework(
        "一项一项算DCG",
        14,
        4,
        (practice("term", 1, 2), practice("dcg", 1, 2), practice("dcg", 2, 1)),
        "每人的数都不一样：方法可以商量，答案抄不了。",
        passes=2,
        late_days=3,
    ),
    Homework(
        "理想排序与NDCG",
        22,
        4,
        (practice("idcg", 1, 2), practice("ndcg", 1, 2), practice("ideal-order", 1, 1)),
        answers="at_once",
        tries=3,
        late_days=2,
    ),
    Homework(
        "复习周",
        28,
        6,
        (NewPart("cards", "content:definitions", count=12, points=10), NewPart("game", "duel", points=5)),
        "翻12张闪卡，再玩一局《谁的推荐更懂我》。",
    ),
    Homework("截断k", 37, 6, (practice("ndcg-at-k", 1, 3), practice("idcg-cut", 1, 2)), passes=2),
)
IN_CLASS = Homework(
    "课堂练习：看懂截断",
    42,
    1,
    (practice("idcg-cut", 1, 2), practice("dcg", 2, 1), practice("ndcg-at-k", 2, 1)),
    "一起做，卡住了举手。",
    answers="at_once",
    tries=0,
)


@dataclass
class Room:
    """A class with its teacher and the lives of its pupils."""

    session: VerbSession
    course: Course
    teacher: Caller
    number: int
    lives: Sequence[Life]
    begin: datetime
    now: datetime

    def run(self) -> None:
        """All assignments of the term, in their order; the last one is being done now."""
        for one in TERM:
            self.set_and_do(one, self.assign(one, self.begin + one.day * DAY + HOUR))
        self.test_again()
        self.class_work()

    def assign(self, one: Homework, at: datetime) -> int:
        """Make it, set it up, publish it."""
        where = (self.session, self.teacher, self.number)
        made = assignments.create(*where, one.title, at, seed=100 * self.number + one.day)
        assignments.add_parts(*where, made, one.parts, at)
        assignments.set_up(*where, made, one.settings(at), at, pre=one.pre)
        assignments.publish(*where, made, at)
        return made

    def set_and_do(self, one: Homework, made: int) -> None:
        """Everybody in their own time; who seldom comes forgets, or hands in late."""
        for life in self.lives:
            if life.chance.random() < 0.35 + life.pupil.diligence:
                delay = life.chance.uniform(0.2, one.days + one.late_days * (1 - life.pupil.diligence))
                self.sit_down(life, made, self.begin + (one.day + delay) * DAY + HOUR, one.pre)
        if one.late_days:
            self.forgive(made, self.begin + (one.day + one.days) * DAY)

    def sit_down(self, life: Life, made: int, at: datetime, pre: bool = False) -> None:
        if at < self.now - HOUR:
            grown = life.pupil
            life.pupil = replace(grown, skill=max(0.2, grown.skill - GROWN)) if pre else grown
            Sitting(life, made, at, self.now).run()
            life.pupil = grown

    def test_again(self) -> None:
        """The 后测 of the 前测: the same exercises, other numbers."""
        where = (self.session, self.teacher, self.number)
        pre = next(one.assignment.id for one in assignments.listed(*where)[1] if one.assignment.form == "pre")
        at = self.begin + POSTTEST.day * DAY
        post = assignments.follow_up(*where, pre, at)
        assignments.set_up(*where, post, POSTTEST.settings(at), at)
        assignments.publish(*where, post, at)
        self.set_and_do(POSTTEST, post)

    def forgive(self, made: int, at: datetime) -> None:
        """Somebody was ill and gets more time; whoever did worst explained it aloud and gets two points."""
        where = (self.session, self.teacher, self.number, made)
        seen = assignments.opened(*where)
        ill = next(one.id for one in seen.students if one.learner_id == self.learner(self.lives[-1]))
        assignments.extend(*where, [ill], at + 9 * DAY, "发烧请假三天", at)
        counts, found = seen.assignment.counts, {one.enrolment_id for one in seen.submissions} - {ill}
        marks = {one: mark_of(counts, mark_overrides.handed(seen.of(one))) for one in sorted(found)}
        total = total_of(seen.parts)
        if short_of := {one: mark for one, mark in marks.items() if mark is not None and mark < total}:
            worst = min(short_of, key=lambda one: short_of[one])
            points = short(min(short_of[worst] + 2, total))
            mark_overrides.override_mark(*where, worst, points, "课上讲得一清二楚，口头补答", at + DAY)

    def learner(self, life: Life) -> int:
        return learners.arrive(self.session, life.who, self.now).learner_id

    def class_work(self) -> None:
        """The last half hour: of five pupils two are done, one is stuck, one works, one has not begun."""
        begun = self.now - HANDED_OUT
        made = self.assign(IN_CLASS, begun)
        for number, life in enumerate(self.lives):
            at = begun + timedelta(seconds=life.chance.randint(20, 300))
            match number % 5:
                case 0 | 1:
                    Sitting(life, made, at, self.now).run()
                case 2:
                    Sitting(life, made, at, self.now, stuck_at=life.chance.choice((1, 2, 3))).run()
                case 3:
                    Sitting(life, made, self.now - timedelta(seconds=100), self.now).run()


@dataclass
class Sitting:
    """One pupil at one assignment, from the first question on; time may run out.

    `stuck_at`: the question that this pupil does not get over. `known`: courses of teachers, as they
    should be.
    """

    life: Life
    assignment: int
    at: datetime
    now: datetime
    stuck_at: int = 0
    known: Mapping[str, Course] = field(default_factory=dict)

    @property
    def courses(self) -> Mapping[str, Course]:
        return {self.life.course.prefix: self.life.course, **self.known}

    def run(self, marking: Mapping[str, Course] | None = None) -> None:
        """`marking`: courses of teachers as they stand when it is marked, if these are others."""
        life, life.clock = self.life, self.at
        courses = {**self.courses, **(marking or {})}
        try:
            number = submissions.begin(life.session, life.who, self.assignment, life.clock)
            if self.solve(number):
                submissions.hand_in(life.session, life.who, self.assignment, number, courses, life.clock)
        except Refused:  # too late, or no pass is left: as in life
            return

    def solve(self, sitting: int) -> bool:
        """Every question in order; whether all were reached in time."""
        life = self.life
        given = submissions.given(life.session, life.who, self.assignment)
        chosen = submissions.attempt_of(given, sitting)
        paper = submissions.paper_of(given, chosen, self.courses)
        self.elsewhere({part.kind for part in given.parts})
        most = given.assignment.tries or MOST_TRIES
        save = given.assignment.answers != "at_once"
        for question in paper.questions:
            if not (self.save if save else self.try_out)(sitting, question, paper.seed_of(question), most):
                return False
        return True

    def elsewhere(self, kinds: set[str]) -> None:
        """What is done on other pages before one hands in."""
        if "cards" in kinds:
            self.life.review(self.life.chance.randint(6, 16))
        if "game" in kinds:
            self.life.play(self.life.chance.randint(1, 900))

    def save(self, sitting: int, question: AssignedQuestion, seed: int, _most: int) -> bool:
        life, item = self.life, self.item(question, seed)
        seconds = life.spend(20, 45 * item.minutes)
        raw = answer(item, life.pupil, 1, life.chance)
        where = (life.session, life.who, self.assignment, sitting, question.number)
        self.hint(where, item)
        submissions.save(*where, raw, seconds, life.clock)
        return True

    def item(self, question: AssignedQuestion, seed: int) -> Item:
        course = self.courses[prefix_of(question.ref)]
        return course.variant(course.bare(question.item), seed)

    def hint(self, where: Where, item: Item) -> None:
        """A look at the first hint, where the teacher allows it."""
        allowed = submissions.given(self.life.session, self.life.who, self.assignment).assignment.hints
        if item.hints and allowed and self.life.is_unsure():
            submissions.hint(*where, 1, self.life.clock)

    def try_out(self, sitting: int, question: AssignedQuestion, seed: int, most: int) -> bool:
        """Tries until it is right; whether one goes on to the next question."""
        life, item = self.life, self.item(question, seed)
        where = (life.session, life.who, self.assignment, sitting, question.number)
        stuck = question.number == self.stuck_at
        self.hint(where, item)
        pupil = replace(life.pupil, skill=0.0) if stuck else life.pupil
        for number in range(1, most + 1):
            seconds = life.spend(15, 30 * item.minutes)
            if life.clock > self.now - timedelta(seconds=20):
                return False
            raw = answer(item, pupil, 1, life.chance)
            log = submissions.answer(*where, number, raw, seconds, self.courses, life.clock)
            if log.of(question.ref)[-1].verdict == "right":
                return True
        return not stuck
