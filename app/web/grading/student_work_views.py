"""The questions of a student's attempt as their teacher reads them."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from app.course.assignments.question_sets import AssignedQuestion, QuestionSet
from app.course.content.refs import MAIN_PREFIX, prefix_of
from app.records.assignments import attempt_seeds
from app.records.assignments.values import AssignmentAttempt
from app.records.grading.comments import CommentByPlace
from app.records.grading.mark_overrides import AttemptInCell, CellData
from app.records.grading.marks import shown_points_text
from app.records.grading.regraded_marks import GrantRow, SecondMark, is_marked_by_teacher
from app.records.grading.values import QuestionKey
from app.records.learning.values import ResponseRow
from app.records.marking import question_marks
from app.web.assignments.question_links import (
    LinkState,
    QuestionLink,
    is_answer_written,
    link_state_of_share,
    link_state_without_mark,
)
from app.web.assignments.question_views import current_question, saved_html
from app.web.items import answered
from app.web.items.answered import AnsweredItem
from app.web.site.site import CourseByPrefix
from app.web.site.slots import NOTHING

SYMBOL_BY_VERDICT = {"right": "✓", "wrong": "✗", "shown": "…"}


class QuestionView(NamedTuple):
    """A question of an attempt. `responses_with_second_marks`: what was answered, each with what a teacher or
    a 重新评分 made of it since.

    `grant`: by which it counts in full for everyone; `comment`: what the teacher wrote beside it;
    `link_state_without_mark`: how it stands where nothing was answered that was marked;
    `position_on_paper`: where it stands on the student's own paper, where that is elsewhere; `is_worded`: the
    teacher marks it by a rubric.
    """

    assigned_question: AssignedQuestion
    answered_item: AnsweredItem | None
    responses_with_second_marks: Sequence[tuple[ResponseRow, SecondMark | None]]
    grant: GrantRow | None
    comment: str
    saved_answer_html: Markup
    link_state_without_mark: LinkState
    position_on_paper: int
    is_worded: bool

    @property
    def number(self) -> int:
        return self.assigned_question.number

    @property
    def earned_share(self) -> float:
        """What counts of the points, 0..1: the best try, or all by a grant."""
        if self.grant:
            return 1.0
        try_shares = [
            (second_mark or response).score for response, second_mark in self.responses_with_second_marks
        ]
        return max(try_shares, default=0.0)

    @property
    def earned_points(self) -> float:
        """The points that count."""
        return self.assigned_question.points * self.earned_share

    def link_in(self, attempt: AssignmentAttempt) -> QuestionLink:
        """The link to it on the page, with how it stands in this attempt, as on the page of its student."""
        question_url = f"#{anchor_of(QuestionKey(attempt.number, self.number))}"
        return QuestionLink(self.number, self.link_state, question_url)

    @property
    def link_state(self) -> LinkState:
        """How it stands."""
        if self.is_answered and self.waits_for_teacher:
            return "waiting"
        if self.is_answered or self.grant:
            return link_state_of_share(self.earned_share)
        return self.link_state_without_mark

    @property
    def waits_for_teacher(self) -> bool:
        """Whether it has words that the teacher marks, and has not yet."""
        second_marks = [second_mark for _, second_mark in self.responses_with_second_marks if second_mark]
        is_settled = any(second_mark.author in ("rubric", "hand") for second_mark in second_marks)
        return self.is_worded and not (is_settled or self.grant)

    @property
    def mark_words(self) -> str:
        """What stands for it, by which a form says over what it was filled in."""
        full_points = self.assigned_question.points
        return question_marks.words_of_mark(self.earned_points, full_points, self.is_by_hand)

    @property
    def full_points_text(self) -> str:
        return shown_points_text(self.assigned_question.points)

    def regrade_sentences(self, shown_points: float) -> Sequence[str]:
        """What was made of each try since. `shown_points`: what the question earned, as `points_that_add_up`
        has it, so that the try that counts says the same."""
        regrade_sentences = []
        for _, second_mark in self.responses_with_second_marks:
            if second_mark is None:
                regrade_sentences.append("")
                continue
            try_points = self.assigned_question.points * second_mark.score
            if try_points == self.earned_points:
                try_points = shown_points
            regrade_sentences.append(regrade_sentence(second_mark, try_points))
        return regrade_sentences

    @property
    def is_by_hand(self) -> bool:
        """Whether the teacher gave other points than the program."""
        second_marks = [second_mark for _, second_mark in self.responses_with_second_marks if second_mark]
        return any(second_mark.author == "hand" for second_mark in second_marks)

    @property
    def is_answered(self) -> bool:
        """Whether something was sent to it that could be marked."""
        return bool(self.responses_with_second_marks)


def anchor_of(question_key: QuestionKey) -> str:
    """Where a question of an attempt stands on the page."""
    return f"p{question_key.attempt_number}-q{question_key.question_number}"


def question_views(
    course_by_prefix: CourseByPrefix,
    cell_data: CellData,
    attempt_in_cell: AttemptInCell,
    comment_by_place: CommentByPlace,
) -> list[QuestionView]:
    attempt_number = attempt_in_cell.attempt.number
    is_handed_in = attempt_in_cell.attempt.handed_in_at is not None
    question_set = attempt_seeds.question_set_of(
        course_by_prefix, cell_data.parts, cell_data.assignment, attempt_in_cell.attempt
    )
    responses_by_question_ref = defaultdict[str, list[ResponseRow]](list)
    for response in attempt_in_cell.attempt_data.responses:
        responses_by_question_ref[response.item_ref].append(response)
    views_of_questions = []
    for position, assigned_question in enumerate(question_set.questions, 1):
        responses_to_question = responses_by_question_ref[assigned_question.ref]
        saved_answer_html = NOTHING
        saved_answer = attempt_in_cell.saved_answer_by_question_ref.get(assigned_question.ref)
        if saved_answer and is_answer_written(saved_answer.raw) and not responses_to_question:
            saved_answer_html = saved_html(saved_answer, current_question(question_set, assigned_question))
        position_on_paper = 0
        if position != assigned_question.number:
            position_on_paper = position
        view_of_question = QuestionView(
            assigned_question,
            item_of_question(
                course_by_prefix, question_set, attempt_in_cell, assigned_question, responses_to_question
            ),
            [
                (
                    response,
                    attempt_in_cell.second_mark_by_try.get((assigned_question.ref, response.try_number)),
                )
                for response in responses_to_question
            ],
            cell_data.grant_by_part_id.get(assigned_question.part_id),
            comment_by_place.get((attempt_number, assigned_question.ref), ""),
            saved_answer_html,
            link_state_without_mark(question_set, assigned_question, saved_answer, is_handed_in),
            position_on_paper,
            is_marked_by_teacher(question_set, assigned_question),
        )
        views_of_questions.append(view_of_question)
    return views_of_questions


def item_of_question(
    course_by_prefix: CourseByPrefix,
    question_set: QuestionSet,
    attempt_in_cell: AttemptInCell,
    assigned_question: AssignedQuestion,
    responses: Sequence[ResponseRow],
) -> AnsweredItem | None:
    """The question from its frozen body, in the variant of this student and this attempt; as it is now where
    it was not answered. None where that is gone."""
    course = course_by_prefix.get(prefix_of(assigned_question.ref)) or course_by_prefix[MAIN_PREFIX]
    if responses:
        seed = question_set.variant_seed_of(assigned_question)
        attempt_with_seed = attempt_in_cell.attempt_data.attempt._replace(seed=seed)
        answered_item = answered.answered_item(
            course, attempt_in_cell.attempt_data._replace(attempt=attempt_with_seed), responses
        )
        last_try_key = (assigned_question.ref, responses[-1].try_number)
        second_mark = attempt_in_cell.second_mark_by_try.get(last_try_key)
        if second_mark is None or second_mark.item_version_hash == responses[-1].item_version_hash:
            return answered_item
        corrected_body_json = attempt_in_cell.attempt_data.body_by_hash[second_mark.item_version_hash]
        return answered.with_corrected_key(course, answered_item, corrected_body_json, seed)
    asked_question = current_question(question_set, assigned_question)
    if asked_question is None:
        return None
    return answered.answered_item_with_key(course, asked_question.course, asked_question.item)


def regrade_sentence(second_mark: SecondMark, try_points: float) -> str:
    """What a 重新评分 or a teacher made of a try.

    >>> from datetime import UTC, datetime
    >>> regraded = SecondMark(1, "right", 1.0, None, "v", datetime(2026, 9, 1, tzinfo=UTC))
    >>> regrade_sentence(regraded, 2), regrade_sentence(regraded._replace(score=0.5, ticks="[0]"), 1)
    ('重新评分后：✓ 对，得2分。', '老师批了，得1分。')
    """
    points_text = shown_points_text(try_points)
    if second_mark.author == "hand":
        return f"老师改成了{points_text}分。"
    if second_mark.author == "rubric":
        return f"老师批了，得{points_text}分。"
    verdict_symbol = SYMBOL_BY_VERDICT.get(second_mark.verdict, "")
    verdict_word = answered.WORD_BY_VERDICT.get(second_mark.verdict, second_mark.verdict)
    return f"重新评分后：{verdict_symbol} {verdict_word}，得{points_text}分。"
