"""Assignments as their teacher sees them: the list, one of them, and what can be put into it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.course import Course
from app.course.assignments.question_sets import items_of, total_of
from app.course.assignments.words import ANSWERS, COUNTS
from app.course.authoring.own_content import id_of
from app.course.exercises.exercises import LEVEL_NAMES
from app.records.assignments.deadlines import Schedule, schedule
from app.records.assignments.values import (
    AssignmentPage,
    ExtensionRow,
    ListedAssignment,
    PartRow,
    SubmissionRow,
)
from app.records.classes.values import Student
from app.records.grading.mark_overrides import handed
from app.records.grading.marks import mark_of, short
from app.web.assignments.part_views import PartView, part_views

CHOICES: Mapping[str, Mapping[Any, str]] = {
    "answers": {answers: words.choice for answers, words in ANSWERS.items()},
    "counts": {counts: words.choice for counts, words in COUNTS.items()},
    "passes": {1: "一遍", 2: "两遍", 3: "三遍", 5: "五遍", 0: "几遍都行"},
    "tries": {1: "一次", 2: "两次", 3: "三次", 5: "五次", 0: "几次都行"},
}
"""What the form of the settings offers, by the name of the field."""
STATES = {"draft": "草稿", "soon": "还没开始", "open": "进行中", "late": "收迟交的", "over": "结束了"}


@dataclass(frozen=True)
class ListedEntry:
    """An assignment in the list. `questions`: how many it asks."""

    listed: ListedAssignment
    schedule: Schedule
    questions: int


@dataclass
class TeacherLists:
    """Drafts, what runs, what is over."""

    drafts: list[ListedEntry] = field(default_factory=list)
    running: list[ListedEntry] = field(default_factory=list)
    over: list[ListedEntry] = field(default_factory=list)


def teacher_lists(assignments: Sequence[ListedAssignment], now: datetime) -> TeacherLists:
    lists = TeacherLists()
    for listed in assignments:
        entry = ListedEntry(listed, schedule(listed.assignment, None, now), question_count(listed.parts))
        if entry.schedule.state == "draft":
            lists.drafts.append(entry)
        elif entry.schedule.state == "over":
            lists.over.append(entry)
        else:
            lists.running.append(entry)
    return lists


def question_count(parts: Sequence[PartRow]) -> int:
    return sum(len(items_of(part)) for part in parts)


@dataclass(frozen=True)
class StudentProgress:
    """How far one student is. `outlives`: an extension gives time also after the closing."""

    student: Student
    attempts: Sequence[SubmissionRow]
    extension: ExtensionRow | None
    schedule: Schedule
    outlives: bool
    points: str

    @property
    def extended_until(self) -> datetime | None:
        """Until when an extension gives time, where it holds, or will once all others are closed."""
        due_at = None
        if self.extension:
            due_at = self.extension.due_at
        if self.schedule.due_at in (None, due_at):
            return due_at
        return None

    @property
    def unfinished(self) -> bool:
        """Whether an attempt was begun and not handed in."""
        return any(attempt.handed_in_at is None for attempt in self.attempts)

    @property
    def handed_in(self) -> SubmissionRow | None:
        """The latest attempt that was handed in."""
        return next((attempt for attempt in reversed(self.attempts) if attempt.handed_in_at), None)

    @property
    def state(self) -> str:
        if self.handed_in:
            return "done"
        if self.attempts:
            return "begun"
        return "new"


@dataclass(frozen=True)
class AssignmentView:
    """The page of one assignment. `options`: what can be put into it, while it may change."""

    opened: AssignmentPage
    schedule: Schedule
    parts: Sequence[PartView]
    students: Sequence[StudentProgress]
    options: Mapping[str, Any]

    @property
    def url(self) -> str:
        return f"/classrooms/{self.opened.row.id}/assignments/{self.opened.assignment.id}"

    @property
    def questions(self) -> int:
        return question_count(self.opened.parts)

    @property
    def total(self) -> str:
        return short(total_of(self.opened.parts))

    @property
    def word(self) -> str:
        return STATES[self.schedule.state]

    @property
    def frozen(self) -> bool:
        """Whether the content stays as it is."""
        return self.opened.begun or self.opened.row.archived_at is not None

    @property
    def handed_in(self) -> int:
        """How many students have handed in."""
        return sum(progress.handed_in is not None for progress in self.students)

    @property
    def collectable(self) -> Sequence[StudentProgress]:
        """Whose attempts 收卷 takes in: begun and not handed in."""
        return [progress for progress in self.students if progress.unfinished and not progress.outlives]

    @property
    def waiting(self) -> Sequence[StudentProgress]:
        """Who still has time after 收卷."""
        with_time = [progress for progress in self.students if progress.outlives]
        return [progress for progress in with_time if progress.unfinished or not progress.handed_in]

    @property
    def untouched(self) -> int:
        """Of how many students there is nothing to take in."""
        return sum(not progress.attempts and not progress.outlives for progress in self.students)

    @property
    def has_outside_parts(self) -> bool:
        """Whether something is done on other pages: that is taken in of whoever did not begin, too."""
        return any(not part.asks for part in self.parts)


def assignment_view(courses: Mapping[str, Course], opened: AssignmentPage, now: datetime) -> AssignmentView:
    offers: Mapping[str, Any] = {}
    if not opened.begun:
        offers = options(courses)
    return AssignmentView(
        opened=opened,
        schedule=schedule(opened.assignment, None, now),
        parts=part_views(courses, opened.parts),
        students=[student_progress(opened, student, now) for student in opened.receivers],
        options=offers,
    )


def student_progress(opened: AssignmentPage, student: Student, now: datetime) -> StudentProgress:
    row = opened.assignment
    attempts = opened.of(student.id)
    extension = opened.extensions.get(student.id)
    closed = row._replace(closed_at=row.closed_at or now)
    after_closing = schedule(closed, extension, now)
    mark = mark_of(row.counts, handed(attempts), opened.by_hand.get(student.id))
    points = ""
    if mark is not None:
        points = f"{short(mark)}/{short(total_of(opened.parts))}"
    return StudentProgress(
        student=student,
        attempts=attempts,
        extension=extension,
        schedule=schedule(row, extension, now),
        outlives=after_closing.takes,
        points=points,
    )


def options(courses: Mapping[str, Course]) -> Mapping[str, Any]:
    """What the forms offer beside items: exercises, sections, stages with cards, games."""
    offers: dict[str, Any] = {"exercises": [], "levels": LEVEL_NAMES, "stages": [], "cards": [], "games": []}
    for course in courses.values():
        if id_of(course.prefix) is None:
            offers["exercises"] += exercise_options(course)
        if course.prefix == "content":
            offers["games"] += game_options(course)
        for stage in course.stages:
            ref = course.ref(stage.id)
            if stage.sections:
                sections = [(f"{ref}/{section.id}", section.title) for section in stage.sections]
                offers["stages"].append((ref, stage.title, sections))
            if cards := course.card_sets.get(stage.id):
                offers["cards"].append((ref, stage.title, len(cards)))
    return offers


def exercise_options(course: Course) -> list[tuple[str, list[tuple[str, str]]]]:
    """The exercises with their titles, by the name of their knowledge point."""
    groups = []
    for skill_id, skill in course.skills.items():
        exercises = [
            (course.ref(exercise_id), exercise.title)
            for exercise_id, exercise in course.exercises.items()
            if exercise.skill == skill_id
        ]
        if exercises:
            groups.append((skill.name, exercises))
    return groups


def game_options(course: Course) -> list[tuple[str, str]]:
    """Both games by their names; the one with levels also from each level on."""
    if course.games is None:
        return []
    duel = course.games.duel
    monster = course.games.monster
    choices = [("duel", duel.title), ("monster", f"{monster.title}，哪一关都行")]
    for number, level in enumerate(monster.levels, 1):
        choices.append((f"monster/{number}", f"{monster.title}，第{number}关以上：{level.name}"))
    return choices
