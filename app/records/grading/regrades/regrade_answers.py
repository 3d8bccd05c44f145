"""The answers to one part of an assignment, all read at once, as a 重新评分 needs them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, select

from app.course.assignments.question_sets import (
    AssignedQuestion,
    MarkingCourseByPrefix,
    QuestionSet,
    questions_of_parts,
)
from app.course.authoring import snapshots
from app.course.items.marks import ItemGone
from app.records.assignments import attempt_seeds, lookup
from app.records.assignments.lookup import ASSIGNMENT_ID
from app.records.assignments.rows import SAVED_ANSWER, SUBMISSION
from app.records.assignments.values import AssignmentAttempt, AssignmentRow, MarkByHand, PartRow
from app.records.classes.classrooms import ENROLMENT
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery, columns_of
from app.records.grading import gradebook, marks, regraded_marks
from app.records.grading.regraded_marks import MarkAuthor, SecondMark, with_second_mark
from app.records.grading.submissions import with_unfilled_signs
from app.records.grading.values import CountedResponse, GradebookStudent
from app.records.learning.attempts import answer_texts
from app.records.learning.rows import ITEM_VERSION, RESPONSE
from app.records.learning.tables import Response

IS_OF_ASSIGNMENT = SUBMISSION.assignment_id == ASSIGNMENT_ID
IS_ANSWER_OF_SUBMISSION = and_(RESPONSE.attempt_id == SUBMISSION.attempt_id, IS_OF_ASSIGNMENT)


class SavedPartAnswer(NamedTuple):
    """What a student saved. In a plan: what was not marked at the hand-in, as its item was missing."""

    attempt_id: int
    question_ref: str
    raw_json: str
    seconds: int | None
    saved_at: datetime

    @property
    def texts_to_mark(self) -> tuple[str, ...]:
        """What is marked of it."""
        return with_unfilled_signs(answer_texts(self.raw_json))


class PartAnswers(NamedTuple):
    """A part of an assignment with all its answers: responses by attempt, as they count now, and what was
    saved and perhaps never marked, by attempt and question. `responses_below_hand_by_attempt_id`: the same
    responses in the same order, without the points that a teacher gave single ones by hand.
    `hand_mark_by_enrolment_id`: of the teacher; `second_mark_by_response_id`: the last one of each response.
    `body_json_by_version_hash`: the items by which they were marked; from `with_frozen_bodies`, else empty.
    """

    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    part_id: int
    course_by_prefix: MarkingCourseByPrefix
    questions: Sequence[AssignedQuestion]
    attempts: Sequence[AssignmentAttempt]
    responses_by_attempt_id: Mapping[int, Sequence[CountedResponse]]
    responses_below_hand_by_attempt_id: Mapping[int, Sequence[CountedResponse]]
    saved_answer_by_attempt_id_and_ref: Mapping[tuple[int, str], SavedPartAnswer]
    students: Sequence[GradebookStudent]
    hand_mark_by_enrolment_id: Mapping[int, MarkByHand]
    second_mark_by_response_id: Mapping[int, SecondMark]
    body_json_by_version_hash: Mapping[str, str] = {}

    def question_set(self, attempt: AssignmentAttempt) -> QuestionSet:
        """The questions of an attempt, with the numbers that its student saw."""
        return attempt_seeds.question_set_of(self.course_by_prefix, self.parts, self.assignment, attempt)

    def is_asked_in(self, attempt: AssignmentAttempt) -> bool:
        """Whether an attempt asks the part at all: of a bank each asks some."""
        return self.question_set(attempt).asks_question(self.part_id)

    def author_of_mark(self, response_id: int) -> MarkAuthor:
        """Who judges a response, as things stand."""
        second_mark = self.second_mark_by_response_id.get(response_id)
        if second_mark is None:
            return "program"
        return second_mark.author

    def is_key_corrected(self, question_set: QuestionSet, counted_response: CountedResponse) -> bool:
        """Whether the item of today calls another answer right than the one by which a response is judged;
        not where it is no longer in the course."""
        try:
            present_hash, present_body_json = question_set.version_hash_and_body(counted_response.item_ref)
        except ItemGone:
            return False
        if counted_response.item_version_hash == present_hash:
            return False
        former_body_json = self.body_json_by_version_hash.get(counted_response.item_version_hash, "")
        return snapshots.is_key_changed(former_body_json, present_body_json)

    def saved_answers_without_response(
        self, attempt: AssignmentAttempt, answered_refs: Collection[str]
    ) -> Sequence[SavedPartAnswer]:
        """What was saved in an attempt to questions that have no response."""
        saved_answers = []
        for assigned_question in self.questions:
            saved_answer = self.saved_answer_by_attempt_id_and_ref.get(
                (attempt.attempt_id, assigned_question.ref)
            )
            if saved_answer and assigned_question.ref not in answered_refs:
                saved_answers.append(saved_answer)
        return saved_answers

    def attempts_handed_in_by_student(
        self, gradebook_student: GradebookStudent
    ) -> Sequence[AssignmentAttempt]:
        """The attempts that a student has handed in."""
        attempts_of_student = [
            attempt for attempt in self.attempts if attempt.enrolment_id == gradebook_student.id
        ]
        return [attempt for attempt in attempts_of_student if attempt.handed_in_at is not None]

    def points_by_part_id_with_scores(
        self,
        attempt: AssignmentAttempt,
        refs_and_scores: Iterable[tuple[str, float]],
        granted_part_ids: Collection[int] = (),
    ) -> dict[int, float]:
        """The points of an attempt by part, once its tries at questions of this part have these scores."""
        former_points_by_part_id = marks.read_points_by_part_id(attempt.points_json)
        share_by_question_ref = marks.best_share_by_question_ref_of(refs_and_scores)
        return marks.corrected_points_by_part_id_of(
            self.parts, former_points_by_part_id, [self.part_id], share_by_question_ref, granted_part_ids
        )


HAS_SUBMISSION = ENROLMENT.id.in_(select(SUBMISSION.enrolment_id).where(IS_OF_ASSIGNMENT))
STUDENTS_WITH_WORK = RowQuery(GradebookStudent, gradebook.STUDENTS_QUERY.where(HAS_SUBMISSION))
SAVED_OF_ASSIGNMENT = RowQuery(
    SavedPartAnswer,
    select(
        SAVED_ANSWER.attempt_id,
        SAVED_ANSWER.question_ref,
        SAVED_ANSWER.raw.label("raw_json"),
        SAVED_ANSWER.seconds,
        SAVED_ANSWER.saved_at,
    ).where(SAVED_ANSWER.attempt_id == SUBMISSION.attempt_id, IS_OF_ASSIGNMENT),
)


def load_part_answers(
    session: VerbSession,
    assignment: AssignmentRow,
    parts: tuple[PartRow, ...],
    part_id: int,
    course_by_prefix: MarkingCourseByPrefix,
) -> PartAnswers:
    """All answers to a part that is asked question by question; NotFound for others: they have no answers."""
    part_questions = [
        assigned_question
        for assigned_question in questions_of_parts(parts)
        if assigned_question.part_id == part_id
    ]
    if not part_questions:
        raise NotFound("这份作业里没有这道题。")
    assignment_id = assignment.id
    question_refs = {assigned_question.ref for assigned_question in part_questions}
    second_marks = session.all(SECOND_MARKS_OF_ASSIGNMENT, assignment=assignment_id)
    marks_below_hand = [second_mark for second_mark in second_marks if second_mark.author != "hand"]
    second_mark_by_response_id = last_mark_by_response_id(second_marks)
    responses_as_first_marked = [
        response
        for response in session.all(RESPONSES_OF_ASSIGNMENT, assignment=assignment_id)
        if response.item_ref in question_refs
    ]
    saved_part_answers = session.all(SAVED_OF_ASSIGNMENT, assignment=assignment_id)
    saved_answer_by_attempt_id_and_ref = {
        (saved_part_answer.attempt_id, saved_part_answer.question_ref): saved_part_answer
        for saved_part_answer in saved_part_answers
    }
    assignment_parameters = {"assignment": assignment_id, "classroom": assignment.classroom_id}
    return PartAnswers(
        assignment,
        parts,
        part_id,
        course_by_prefix,
        part_questions,
        lookup.attempts_of_assignment(session, assignment_id),
        responses_by_attempt_id_with_marks(responses_as_first_marked, second_mark_by_response_id),
        responses_by_attempt_id_with_marks(
            responses_as_first_marked, last_mark_by_response_id(marks_below_hand)
        ),
        saved_answer_by_attempt_id_and_ref,
        session.all(STUDENTS_WITH_WORK, **assignment_parameters),
        lookup.load_hand_mark_by_enrolment_id(session, assignment_id),
        second_mark_by_response_id,
    )


def with_frozen_bodies(session: VerbSession, part_answers: PartAnswers) -> PartAnswers:
    """The answers to a part with the items by which they were marked."""
    version_hashes = set[str]()
    for responses in part_answers.responses_below_hand_by_attempt_id.values():
        version_hashes.update(response.item_version_hash for response in responses)
    bodies_query = select(ITEM_VERSION.hash, ITEM_VERSION.body).where(ITEM_VERSION.hash.in_(version_hashes))
    body_rows = session.execute(bodies_query).all()
    return part_answers._replace(
        body_json_by_version_hash={version_row.hash: version_row.body for version_row in body_rows}
    )


RESPONSES_OF_ASSIGNMENT = RowQuery(
    CountedResponse,
    select(*columns_of(Response, CountedResponse)).where(IS_ANSWER_OF_SUBMISSION).order_by(RESPONSE.id),
)
SECOND_MARKS_OF_ASSIGNMENT = RowQuery(SecondMark, regraded_marks.RE_MARKS.where(IS_ANSWER_OF_SUBMISSION))


def last_mark_by_response_id(second_marks: Sequence[SecondMark]) -> dict[int, SecondMark]:
    """Second marks by response: of several the last one."""
    return {second_mark.response_id: second_mark for second_mark in second_marks}


def responses_by_attempt_id_with_marks(
    responses_as_first_marked: Sequence[CountedResponse], second_mark_by_response_id: Mapping[int, SecondMark]
) -> dict[int, list[CountedResponse]]:
    """Responses by attempt, as these second marks judge them."""
    responses_by_attempt_id: dict[int, list[CountedResponse]] = {}
    for response in responses_as_first_marked:
        counted_response = response
        second_mark = second_mark_by_response_id.get(response.id)
        if second_mark:
            counted_response = with_second_mark(response, second_mark)
        responses_by_attempt_id.setdefault(response.attempt_id, []).append(counted_response)
    return responses_by_attempt_id
