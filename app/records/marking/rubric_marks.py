"""批改: answers in words that a teacher marks, line by line of a rubric.

The mark lies over the response as that of a 重新评分 does, so that every sum and page counts it the same way.
Marking again writes another one; the last one counts.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam

from app.course.assignments.question_sets import (
    AssignedQuestion,
    MarkingCourseByPrefix,
    QuestionSet,
    questions_of_parts,
)
from app.course.items.kinds import Rubric, rubric_share
from app.course.items.marks import ItemGone, mark_of_share
from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.rows import SUBMISSION
from app.records.assignments.values import AssignmentKey, AssignmentRow, PartRow, TaughtAssignment
from app.records.classes.rights import Right
from app.records.classes.values import ClassRow
from app.records.db.codes import fingerprint
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading import comments, marks, regraded_marks
from app.records.grading.regraded_marks import SecondMark, with_mark
from app.records.grading.regrades.regrade_answers import PartAnswers, load_part_answers
from app.records.grading.regrades.regrade_plans import RegradePlan
from app.records.grading.regrades.regrading import write_plan
from app.records.grading.values import CellKey, GradebookStudent, QuestionKey
from app.records.learning.attempts import answer_texts
from app.records.learning.rows import RESPONSE
from app.records.marking.lost_rubrics import NumberedAttempt, unmarkable_count_of
from app.records.marking.rubric_lines import rubric_line_texts_of, ticks_on_present_lines


class WordedAnswer(NamedTuple):
    """An answer in words, with whose it is. `ticks`: the lines that it meets; None until it was marked.
    `is_marked_by_former_lines`: it was marked by lines that have changed since."""

    id: int
    student: GradebookStudent
    attempt_number: int
    text: str
    earned_share: float
    ticks: tuple[int, ...] | None = None
    comment: str = ""
    is_marked_by_former_lines: bool = False

    @property
    def ticks_text(self) -> str:
        """The ticks as a form carries them, to say later what its teacher saw."""
        return json.dumps(self.ticks)


class RubricQuestion(NamedTuple):
    """A question that a teacher marks, with the answers to it in the order of the students. `is_granted`: it
    counts in full for everybody."""

    assigned_question: AssignedQuestion
    rubric: Rubric
    answers: Sequence[WordedAnswer]
    is_granted: bool = False

    @property
    def rubric_digest(self) -> str:
        """Changes with the rubric."""
        texts_and_points = [(rubric_line.text, rubric_line.points) for rubric_line in self.rubric]
        return fingerprint(repr(texts_and_points))

    @property
    def unmarked_answers(self) -> Sequence[WordedAnswer]:
        """The answers that wait."""
        return [worded_answer for worded_answer in self.answers if self.waits(worded_answer)]

    def waits(self, worded_answer: WordedAnswer) -> bool:
        """Whether an answer waits for its teacher; what counts in full for everybody may still be ticked."""
        return worded_answer.ticks is None and not self.is_granted


class SeenMark(NamedTuple):
    """The mark that stood beside an answer when its teacher read it; `ticks_text`: as the answer has it."""

    ticks_text: str
    comment: str


class TickedAnswer(NamedTuple):
    """What a teacher ticked beside an answer to a question, and said about it.

    `comment`: None leaves what was said; `rubric_digest`: that of the rubric from which the lines were
    ticked, empty where nobody knows; `seen_mark`: None where nobody knows.
    """

    question_number: int
    response_id: int
    ticks: Collection[int]
    comment: str | None = None
    rubric_digest: str = ""
    seen_mark: SeenMark | None = None


class MarkingPage(NamedTuple):
    """Everything in an assignment that its teacher marks. `unmarkable_count`: how many answers wait for them
    in the gradebook that cannot be marked here, as their rubric was taken out meanwhile."""

    classroom: ClassRow
    assignment: AssignmentRow
    questions: Sequence[RubricQuestion]
    unmarkable_count: int = 0


def load_marking(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    course_by_prefix: MarkingCourseByPrefix,
) -> MarkingPage:
    """The questions with a rubric and all answers to them, for the teacher of the class."""
    taught_assignment = lookup.taught_assignment(session, caller, assignment_key)
    marking_page = marking_page_of(session, taught_assignment, course_by_prefix)
    unmarked_count_by_attempt = Counter[NumberedAttempt]()
    for rubric_question in marking_page.questions:
        if rubric_question.assigned_question.points:
            for worded_answer in rubric_question.unmarked_answers:
                unmarked_count_by_attempt[worded_answer.student.id, worded_answer.attempt_number] += 1
    unmarkable_count = unmarkable_count_of(session, marking_page.assignment, unmarked_count_by_attempt)
    return marking_page._replace(unmarkable_count=unmarkable_count)


def marking_page_of(
    session: VerbSession, taught_assignment: TaughtAssignment, course_by_prefix: MarkingCourseByPrefix
) -> MarkingPage:
    """The questions with a rubric and all answers to them; NotFound for a draft."""
    assignment = taught_assignment.assignment
    if assignment.published_at is None:
        raise NotFound("这份作业还没有发布，没有可以批改的。")
    parts = lookup.parts_of(session, assignment.id)
    grant_by_part_id = regraded_marks.standing_grant_by_part_id(session, assignment.id)
    rubric_questions = []
    for assigned_question, rubric in questions_with_rubric(parts, course_by_prefix):
        part_answers = load_part_answers(
            session, assignment, parts, assigned_question.part_id, course_by_prefix
        )
        answers = worded_answers(session, part_answers, assigned_question, rubric)
        is_granted = assigned_question.part_id in grant_by_part_id
        rubric_questions.append(RubricQuestion(assigned_question, rubric, answers, is_granted))
    return MarkingPage(*taught_assignment, rubric_questions)


def questions_with_rubric(
    parts: Sequence[PartRow], course_by_prefix: MarkingCourseByPrefix
) -> Iterator[tuple[AssignedQuestion, Rubric]]:
    """The questions that a teacher marks. One whose item is gone has no rubric any more."""
    question_set = QuestionSet(course_by_prefix, parts, seed=0)
    for assigned_question in questions_of_parts(parts):
        try:
            rubric = question_set.rubric(assigned_question.ref)
        except ItemGone:
            continue
        if rubric:
            yield assigned_question, rubric


def worded_answers(
    session: VerbSession, part_answers: PartAnswers, assigned_question: AssignedQuestion, rubric: Rubric
) -> Sequence[WordedAnswer]:
    """What students wrote, without those whose learner has deleted their account."""
    assignment_id = part_answers.assignment.id
    attempts_by_enrolment_id = lookup.attempts_by_enrolment_id_of(part_answers.attempts)
    lines_by_version_hash = load_lines_by_version_hash(session, assignment_id)
    present_lines = [rubric_line.text for rubric_line in rubric]
    answers = []
    for student in part_answers.students:
        comment_by_place = comments.comment_by_place_of(session, assignment_id, student.id)
        for attempt in attempts_by_enrolment_id.get(student.id, ()):
            comment = comment_by_place.get((attempt.number, assigned_question.ref), "")
            for response in part_answers.responses_by_attempt_id.get(attempt.attempt_id, ()):
                answer_text = "\n".join(answer_texts(response.raw)).strip()
                if not answer_text:
                    continue
                worded_answer = WordedAnswer(
                    response.id, student, attempt.number, answer_text, response.score, comment=comment
                )
                second_mark = part_answers.second_mark_by_response_id.get(response.id)
                answers.append(with_ticks(worded_answer, second_mark, lines_by_version_hash, present_lines))
    return answers


def with_ticks(
    worded_answer: WordedAnswer,
    second_mark: SecondMark | None,
    lines_by_version_hash: Mapping[str, Sequence[str]],
    present_lines: Sequence[str],
) -> WordedAnswer:
    """An answer with the lines that its teacher ticked, where they stand in the rubric of now.

    `lines_by_version_hash`: those of the rubrics by which answers were marked, by version of their item.
    """
    if second_mark is None or second_mark.author == "program":
        return worded_answer
    former_lines = lines_by_version_hash.get(second_mark.item_version_hash) or present_lines
    ticks = ticks_on_present_lines(second_mark.ticked_line_indexes, former_lines, present_lines)
    return worded_answer._replace(ticks=ticks, is_marked_by_former_lines=former_lines != present_lines)


IS_IN_ASSIGNMENT = (
    RESPONSE.attempt_id == SUBMISSION.attempt_id,
    SUBMISSION.assignment_id == bindparam("assignment"),
)
MARKED_ITEMS = PreparedStatement(regraded_marks.BODIES_BY_ANSWER.where(*IS_IN_ASSIGNMENT).distinct())


def load_lines_by_version_hash(session: VerbSession, assignment_id: int) -> Mapping[str, Sequence[str]]:
    """The lines of the rubrics by which answers were marked, by version of their item."""
    lines_by_version_hash = {}
    for version_hash, item_body_json in session.all(MARKED_ITEMS, assignment=assignment_id):
        lines_by_version_hash[version_hash] = rubric_line_texts_of(item_body_json)
    return lines_by_version_hash


def mark_answer(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    ticked_answer: TickedAnswer,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> None:
    """Mark an answer by the lines that it meets, and say something about it.

    NotFound where there is no such answer; Refused for a rubric that was changed meanwhile, and for a mark
    of somebody else that this teacher has not seen.
    """
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key, Right.MARK)
    marking_page = marking_page_of(session, taught_assignment, course_by_prefix)
    rubric_question = rubric_question_of(marking_page, ticked_answer.question_number)
    worded_answer = worded_answer_of(rubric_question, ticked_answer.response_id)
    is_other_rubric = ticked_answer.rubric_digest not in ("", rubric_question.rubric_digest)
    if is_other_rubric or any(
        line_index >= len(rubric_question.rubric) for line_index in ticked_answer.ticks
    ):
        raise Refused("这道题的要点刚才改过了，和你看到的不一样。照新的再勾一遍。")
    expect_seen_mark(rubric_question, worded_answer, ticked_answer)
    if ticked_answer.comment is not None and ticked_answer.comment != worded_answer.comment:
        question_key = QuestionKey(worded_answer.attempt_number, ticked_answer.question_number)
        cell_key = CellKey(*assignment_key, worded_answer.student.id, question_key)
        comments.set_comment(session, caller, cell_key, ticked_answer.comment, now)
    ticked_line_indexes = tuple(sorted(ticked_answer.ticks))
    earned_share = rubric_share(rubric_question.rubric, ticked_line_indexes)
    if (ticked_line_indexes, earned_share) == (worded_answer.ticks, worded_answer.earned_share):
        return  # a second click, or only the comment is new
    parts = lookup.parts_of(session, assignment_key.assignment_id)
    part_answers = load_part_answers(
        session,
        taught_assignment.assignment,
        parts,
        rubric_question.assigned_question.part_id,
        course_by_prefix,
    )
    mark_plan = plan_of_mark(session, part_answers, worded_answer.id, earned_share)
    write_plan(session, part_answers, mark_plan, now, ticks_json=json.dumps(ticked_line_indexes))
    full_points = rubric_question.assigned_question.points
    former_points = (
        None if worded_answer.ticks is None else round(full_points * worded_answer.earned_share, 4)
    )
    log_detail = {
        "question": ticked_answer.question_number,
        "points": [former_points, round(full_points * earned_share, 4)],
    }
    audit.add_line(session, taught_assignment, "rubric", log_detail, now, worded_answer.student.id)


def expect_seen_mark(
    rubric_question: RubricQuestion, worded_answer: WordedAnswer, ticked_answer: TickedAnswer
) -> None:
    """Refused where a mark or words of somebody else would be replaced that the teacher has not seen."""
    seen_mark = ticked_answer.seen_mark
    if seen_mark is None:
        return
    is_mark_new = seen_mark.ticks_text != worded_answer.ticks_text
    is_mark_replaced = tuple(sorted(ticked_answer.ticks)) != worded_answer.ticks
    is_comment_new = seen_mark.comment.splitlines() != worded_answer.comment.splitlines()
    is_comment_replaced = ticked_answer.comment not in (None, worded_answer.comment)
    if (is_mark_new and is_mark_replaced) or (is_comment_new and is_comment_replaced):
        deed_words = deed_words_of(rubric_question, worded_answer)
        raise Refused(f"这份刚才有人{deed_words}。你勾的、写的还在这里；要照你的，再存一次。")


def deed_words_of(rubric_question: RubricQuestion, worded_answer: WordedAnswer) -> str:
    """What somebody made of an answer, in a sentence."""
    comment_words = f"评语“{worded_answer.comment}”"
    if worded_answer.ticks is None:
        return f"写了{comment_words}" if worded_answer.comment else "撤回了原来的分"
    points_text = marks.shown_points_text(
        rubric_question.assigned_question.points * worded_answer.earned_share
    )
    if worded_answer.comment:
        return f"批过：{points_text}分，{comment_words}"
    return f"批过：{points_text}分"


def rubric_question_of(marking_page: MarkingPage, question_number: int) -> RubricQuestion:
    """NotFound where the question is none that a teacher marks."""
    for rubric_question in marking_page.questions:
        if rubric_question.assigned_question.number == question_number:
            return rubric_question
    raise NotFound(f"第{question_number}题不用老师批，或者题目已经没有了。")


def worded_answer_of(rubric_question: RubricQuestion, response_id: int) -> WordedAnswer:
    for worded_answer in rubric_question.answers:
        if worded_answer.id == response_id:
            return worded_answer
    raise NotFound("没有这份回答，也许写它的人已经注销了。")


def plan_of_mark(
    session: VerbSession, part_answers: PartAnswers, response_id: int, earned_share: float
) -> RegradePlan:
    """The mark of one response, and the points of its attempt where that was handed in."""
    regrade_plan = RegradePlan()
    grant_by_part_id = regraded_marks.standing_grant_by_part_id(session, part_answers.assignment.id)
    for attempt in part_answers.attempts:
        counted_responses = part_answers.responses_by_attempt_id.get(attempt.attempt_id, ())
        marked_responses = [response for response in counted_responses if response.id == response_id]
        if not marked_responses:
            continue
        mark = mark_of_share(earned_share)
        regrade_plan.responses_marked_anew += [with_mark(response, mark) for response in marked_responses]
        if attempt.handed_in_at:
            refs_and_scores = [
                (response.item_ref, response.score)
                for response in counted_responses
                if response.id != response_id
            ]
            refs_and_scores += [(response.item_ref, earned_share) for response in marked_responses]
            regrade_plan.points_by_part_id_by_attempt_id[attempt.attempt_id] = (
                part_answers.points_by_part_id_with_scores(attempt, refs_and_scores, grant_by_part_id)
            )
    return regrade_plan
