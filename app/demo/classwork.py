"""A class of the demonstration at its assignments: what is assigned, and when its students work."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import yaml

from app.course import Course
from app.course.assignments.question_sets import full_points_of
from app.demo.attempts import DemoAttempt
from app.demo.living import SimulatedLearner
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.assignments import drafts, lifecycle, lookup, parts
from app.records.assignments.deadlines import USUAL_LATE_PERCENT
from app.records.assignments.lookup import AssignmentPage
from app.records.assignments.values import (
    AnswersShown,
    AssignmentKey,
    AssignmentRow,
    AssignmentRules,
    AssignmentSettings,
    NewPart,
)
from app.records.authoring.picture_files import Folder
from app.records.db.session import VerbSession
from app.records.grading import mark_overrides
from app.records.grading.marks import handed_in_attempts, mark_of, shown_points_text
from app.records.grading.values import CellKey
from app.records.insight import pre_post

T = TypeVar("T")
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
TIME_SINCE_HANDED_OUT = timedelta(minutes=25)
"""So long ago the class got the exercise that it works at now."""
ABILITY_GAINED_IN_TERM = 0.35
"""How much ability a student has gained since the test before the term."""


class Homework(NamedTuple):
    """An assignment: the day of the term on which it was published, for how long, and how it is marked."""

    title: str
    published_on_day: int
    open_days: int
    parts: tuple[NewPart, ...]
    note: str = ""
    answers: AnswersShown = "handed_in"
    has_hints: bool = True
    pass_count: int = 1
    try_count: int = 1
    late_days: int = 0
    is_pre_test: bool = False
    time_limit_minutes: int = 0

    def rules(self, published_at: datetime) -> AssignmentRules:
        due_at = published_at + self.open_days * DAY
        late_until = None
        late_factor = 1.0
        if self.late_days:
            late_until = due_at + self.late_days * DAY
            late_factor = USUAL_LATE_PERCENT / 100
        assignment_row = AssignmentRow(
            title=self.title,
            note=self.note,
            due_at=due_at,
            late_until=late_until,
            late_factor=late_factor,
            passes=self.pass_count,
            tries=self.try_count,
            hints=self.has_hints,
            answers=self.answers,
            minutes=self.time_limit_minutes,
        )
        return assignment_row.rules


def homework_of(homework_fields: Mapping[str, Any]) -> Homework:
    """An assignment of the file beside this module, where every part says what a new part has."""
    new_parts = tuple(NewPart(**part) for part in homework_fields["parts"])
    return Homework(**{**homework_fields, "parts": new_parts})


HOMEWORK_FIELDS_BY_PLACE = yaml.safe_load(Path(__file__).with_name("classwork.yaml").read_text("utf-8"))
HOMEWORK_OF_TERM = tuple(map(homework_of, HOMEWORK_FIELDS_BY_PLACE["term"]))
POSTTEST_HOMEWORK = homework_of(HOMEWORK_FIELDS_BY_PLACE["posttest"])
EXERCISE_IN_CLASS = homework_of(HOMEWORK_FIELDS_BY_PLACE["in_class"])


@dataclass
class DemoClass:
    """A class with its teacher and its simulated learners."""

    session: VerbSession
    course: Course
    teacher: Caller
    classroom_id: int
    pupils: Sequence[SimulatedLearner]
    term_begins_at: datetime
    now: datetime
    picture_folder: Folder

    def run_term(self) -> None:
        """All assignments of the term, in their order; the last one is being done now."""
        for homework in HOMEWORK_OF_TERM:
            published_at = self.term_begins_at + homework.published_on_day * DAY + HOUR
            assignment_id = self.assign(homework, published_at)
            self.work_at_home(homework, assignment_id)
        self.give_post_test()
        self.work_in_class()

    def call_verb(self, verb: Callable[..., T], *arguments: object, **options: object) -> T:
        """What a verb of the records does for the teacher of this class."""
        return verb(self.session, self.teacher, self.classroom_id, *arguments, **options)

    def call_verb_about(self, verb: Callable[..., T], assignment_id: int, *arguments: object) -> T:
        """What a verb of the records does for the teacher about an assignment of this class."""
        assignment_key = AssignmentKey(self.classroom_id, assignment_id)
        return verb(self.session, self.teacher, assignment_key, *arguments)

    def assign(self, homework: Homework, assigned_at: datetime) -> int:
        """Make it, set it up, publish it."""
        seed = 100 * self.classroom_id + homework.published_on_day
        assignment_id = self.call_verb(drafts.create_draft, homework.title, assigned_at, seed)
        self.call_verb_about(parts.add_parts, assignment_id, homework.parts, assigned_at)
        self.publish(homework, assignment_id, assigned_at, homework.is_pre_test)
        return assignment_id

    def publish(
        self, homework: Homework, assignment_id: int, published_at: datetime, is_pre_test: bool | None = None
    ) -> None:
        assignment_settings = AssignmentSettings(homework.rules(published_at), is_pre_test)
        self.call_verb_about(lifecycle.set_up_assignment, assignment_id, assignment_settings, published_at)
        self.call_verb_about(lifecycle.publish_assignment, assignment_id, published_at)

    def work_at_home(self, homework: Homework, assignment_id: int) -> None:
        """Everybody in their own time; who seldom comes forgets, or hands in late."""
        for pupil in self.pupils:
            diligence = pupil.student.diligence
            # Of its own, so that no other answer of the term decides who comes to this work.
            plan_stream = Random(f"{pupil.student.name}: {homework.title}")  # noqa: S311
            if plan_stream.random() < 0.35 + diligence:
                longest_delay_days = homework.open_days + homework.late_days * (1 - diligence)
                delay_days = plan_stream.uniform(0.2, longest_delay_days)
                begins_at = self.term_begins_at + (homework.published_on_day + delay_days) * DAY + HOUR
                self.sit_down(pupil, assignment_id, begins_at, homework.is_pre_test)
        if homework.late_days:
            due_at = self.term_begins_at + (homework.published_on_day + homework.open_days) * DAY
            self.help_two_students(assignment_id, due_at)

    def sit_down(
        self, pupil: SimulatedLearner, assignment_id: int, begins_at: datetime, is_pre_test: bool
    ) -> None:
        if begins_at >= self.now - HOUR:
            return
        demo_student = pupil.student
        if is_pre_test:
            ability = max(0.2, demo_student.ability - ABILITY_GAINED_IN_TERM)
            pupil.student = demo_student._replace(ability=ability)
        DemoAttempt(pupil, assignment_id, begins_at, self.now).attempt_assignment()
        pupil.student = demo_student

    def give_post_test(self) -> None:
        """The 后测 of the 前测: the same exercises, other numbers."""
        _, listed_assignments = self.call_verb(lookup.load_class_and_assignments)
        pre_test_id = next(
            listed_assignment.assignment.id
            for listed_assignment in listed_assignments
            if listed_assignment.assignment.form == "pre"
        )
        assigned_at = self.term_begins_at + POSTTEST_HOMEWORK.published_on_day * DAY
        post_test_id = self.call_verb_about(pre_post.create_post_test_draft, pre_test_id, assigned_at)
        self.publish(POSTTEST_HOMEWORK, post_test_id, assigned_at)
        self.work_at_home(POSTTEST_HOMEWORK, post_test_id)

    def help_two_students(self, assignment_id: int, helped_at: datetime) -> None:
        """Somebody was ill and gets more time; whoever did worst explained it aloud and gets two points."""
        assignment_page = self.call_verb_about(lookup.load_assignment_page, assignment_id)
        last_pupil = self.pupils[-1]
        arrived_learner = learners.find_or_add_learner(self.session, last_pupil.caller, self.now)
        ill_enrolment_id = next(
            student.id
            for student in assignment_page.students
            if student.learner_id == arrived_learner.learner_id
        )
        new_due_at = helped_at + 9 * DAY
        self.call_verb_about(
            lifecycle.extend_due_times,
            assignment_id,
            [ill_enrolment_id],
            new_due_at,
            "发烧请假三天",
            helped_at,
        )
        full_points = full_points_of(assignment_page.parts)
        for enrolment_id, mark in mark_by_enrolment_id_of(assignment_page).items():
            if enrolment_id != ill_enrolment_id and mark < full_points:
                new_mark_text = shown_points_text(min(mark + 2, full_points))
                reason = "课上讲得一清二楚，口头补答"
                cell_key = CellKey(self.classroom_id, assignment_id, enrolment_id)
                mark_overrides.override_mark(
                    self.session, self.teacher, cell_key, new_mark_text, reason, helped_at + DAY
                )
                return

    def work_in_class(self) -> None:
        """The last half hour: of five students two are done, one is stuck, one works, one has not begun."""
        begun_at = self.now - TIME_SINCE_HANDED_OUT
        assignment_id = self.assign(EXERCISE_IN_CLASS, begun_at)
        for pupil_index, pupil in enumerate(self.pupils):
            delay_seconds = pupil.random.randint(20, 300)
            begins_at = begun_at + timedelta(seconds=delay_seconds)
            demo_attempt = DemoAttempt(pupil, assignment_id, begins_at, self.now)
            match pupil_index % 5:
                case 2:
                    demo_attempt.stuck_question_number = pupil.random.choice((1, 2, 3))
                case 3:
                    demo_attempt.begins_at = self.now - timedelta(seconds=100)
                case 4:
                    continue
            demo_attempt.attempt_assignment()


def mark_by_enrolment_id_of(assignment_page: AssignmentPage) -> dict[int, float]:
    """The mark of everybody who handed in, by enrolment, the lowest first."""
    mark_by_enrolment_id: dict[int, float] = {}
    enrolment_ids = {submission.enrolment_id for submission in assignment_page.attempts}
    for enrolment_id in sorted(enrolment_ids):
        attempts_of_student = handed_in_attempts(assignment_page.attempts_of(enrolment_id))
        mark = mark_of(assignment_page.assignment.counts, attempts_of_student)
        if mark is not None:
            mark_by_enrolment_id[enrolment_id] = mark
    return dict(sorted(mark_by_enrolment_id.items(), key=itemgetter(1)))
