"""Assignments as their teacher sees them: the list, one of them, and what can be put into it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.course import Course
from app.course.assignments.question_sets import items_of, total_of
from app.course.authoring.own_content import id_of
from app.records.assignments.deadlines import Schedule, schedule
from app.records.assignments.values import (
    AssignmentPage,
    AssignmentRow,
    ExtensionRow,
    ListedAssignment,
    SubmissionRow,
)
from app.records.classes.values import Student
from app.records.grading.mark_overrides import handed
from app.records.grading.marks import mark_of, short
from app.web.assignments.part_views import LEVELS, Described, described

ANSWERS = {
    "handed_in": "交了就看：交上去马上看到结果和讲解",
    "due": "截止以后看：各人自己的时间截止了才看到",
    "at_once": "每答一题就批改：像练习一样，错了当场讲",
    "never": "不给看：结果留着课上讲",
}
COUNTS = {"best": "最好的一遍", "last": "最后交的一遍", "first": "第一遍"}
PASSES = {1: "一遍", 2: "两遍", 3: "三遍", 5: "五遍", 0: "几遍都行"}
TRIES = {1: "一次", 2: "两次", 3: "三次", 5: "五次", 0: "几次都行"}
CHOICES = {"answers": ANSWERS, "counts": COUNTS, "passes": PASSES, "tries": TRIES}
STATES = {"draft": "草稿", "soon": "还没开始", "open": "进行中", "late": "收迟交的", "over": "结束了"}


@dataclass(frozen=True)
class ListedEntry:
    """An assignment in the list."""

    listed: ListedAssignment
    times: Schedule

    @property
    def row(self) -> AssignmentRow:
        return self.listed.assignment

    @property
    def asked(self) -> int:
        return sum(len(items_of(part)) for part in self.listed.parts)

    @property
    def word(self) -> str:
        return STATES[self.times.state]


@dataclass(frozen=True)
class TeacherLists:
    """Drafts, what runs, what is over."""

    drafts: Sequence[ListedEntry]
    running: Sequence[ListedEntry]
    over: Sequence[ListedEntry]


def teacher_lists(found: Sequence[ListedAssignment], at: datetime) -> TeacherLists:
    entries = [ListedEntry(one, schedule(one.assignment, None, at)) for one in found]
    return TeacherLists(
        drafts=[one for one in entries if one.times.state == "draft"],
        running=[one for one in entries if one.times.state in ("soon", "open", "late")],
        over=[one for one in entries if one.times.state == "over"],
    )


@dataclass(frozen=True)
class StudentDoing:
    """How far one student is."""

    student: Student
    passes: Sequence[SubmissionRow]
    extension: ExtensionRow | None
    times: Schedule
    outlives: bool
    mark: float | None
    total: float

    @property
    def extended(self) -> datetime | None:
        """Until when an extension gives time, where it is what holds, or will once all others are closed."""
        longer = self.extension.due_at if self.extension else None
        return longer if self.times.due_at in (None, longer) else None

    @property
    def unfinished(self) -> bool:
        """Whether a pass was begun and not handed in."""
        return any(one.handed_in_at is None for one in self.passes)

    @property
    def handed_in(self) -> SubmissionRow | None:
        done = [one for one in self.passes if one.handed_in_at]
        return done[-1] if done else None

    @property
    def state(self) -> str:
        if self.handed_in:
            return "done"
        return "begun" if self.passes else "new"

    @property
    def score(self) -> str:
        return "" if self.mark is None else f"{short(self.mark)}/{short(self.total)}"


@dataclass(frozen=True)
class AssignmentView:
    """The page of one assignment."""

    opened: AssignmentPage
    times: Schedule
    parts: Sequence[Described]
    doing: Sequence[StudentDoing]
    options: Mapping[str, Any]

    @property
    def row(self) -> AssignmentRow:
        return self.opened.assignment

    @property
    def here(self) -> str:
        return f"/classrooms/{self.opened.row.id}/assignments/{self.row.id}"

    @property
    def asked(self) -> int:
        return sum(len(items_of(part)) for part in self.opened.parts)

    @property
    def total(self) -> str:
        return short(total_of(self.opened.parts))

    @property
    def word(self) -> str:
        return STATES[self.times.state]

    @property
    def frozen(self) -> bool:
        """Whether the content stays as it is."""
        return self.opened.begun or self.opened.row.archived_at is not None

    @property
    def handed_in(self) -> int:
        return sum(one.handed_in is not None for one in self.doing)

    @property
    def left(self) -> Sequence[StudentDoing]:
        """Whose papers 收卷 takes in: begun and not handed in."""
        return [one for one in self.doing if one.unfinished and not one.outlives]

    @property
    def waiting(self) -> Sequence[StudentDoing]:
        """Who still has time after 收卷."""
        return [one for one in self.doing if one.outlives and (one.unfinished or one.handed_in is None)]

    @property
    def untouched(self) -> int:
        """Of how many there is nothing to take in."""
        return sum(not one.passes and not one.outlives for one in self.doing)

    @property
    def asks_elsewhere(self) -> bool:
        """Whether something is done on other pages: that is taken in of whoever did not begin, too."""
        return any(not one.asks for one in self.parts)


def assignment_view(courses: Mapping[str, Course], found: AssignmentPage, at: datetime) -> AssignmentView:
    extended, row = found.extensions, found.assignment
    closed = row._replace(closed_at=row.closed_at or at)
    return AssignmentView(
        opened=found,
        times=schedule(row, None, at),
        parts=described(courses, found.parts),
        doing=[
            StudentDoing(
                one,
                found.of(one.id),
                extended.get(one.id),
                schedule(row, extended.get(one.id), at),
                schedule(closed, extended.get(one.id), at).takes,
                mark_of(row.counts, handed(found.of(one.id)), found.by_hand.get(one.id)),
                total_of(found.parts),
            )
            for one in found.receivers
        ],
        options=options(courses) if not found.begun else {},
    )


def options(courses: Mapping[str, Course]) -> Mapping[str, Any]:
    """What the forms offer beside items: exercises, sections, stages with cards, games."""
    exercises: list[tuple[str, list[tuple[str, str]]]] = []
    stages, cards = [], []
    for course in courses.values():
        for skill, one in course.skills.items() if id_of(course.prefix) is None else ():
            found = [
                (course.ref(name), exercise.title)
                for name, exercise in course.exercises.items()
                if exercise.skill == skill
            ]
            exercises += [(one.name, found)] if found else []
        for stage in course.stages:
            if stage.sections:
                sections = [(f"{course.ref(stage.id)}/{each.id}", each.title) for each in stage.sections]
                stages.append((course.ref(stage.id), stage.title, sections))
            if course.card_sets.get(stage.id):
                cards.append((course.ref(stage.id), stage.title, len(course.card_sets[stage.id])))
    games = [game for course in courses.values() if course.prefix == "content" for game in games_of(course)]
    return {"exercises": exercises, "levels": LEVELS, "stages": stages, "cards": cards, "games": games}


def games_of(course: Course) -> list[tuple[str, str]]:
    """Both games by their names; the one with levels also from each level on."""
    if course.games is None:
        return []
    duel, monster = course.games.duel, course.games.monster
    levels = [
        (f"monster/{number}", f"{monster.title}，第{number}关以上：{level.name}")
        for number, level in enumerate(monster.levels, 1)
    ]
    return [("duel", duel.title), ("monster", f"{monster.title}，哪一关都行"), *levels]
