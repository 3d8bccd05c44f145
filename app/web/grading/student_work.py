"""A cell of the gradebook, opened: a student's work as they saw it, and a mark that is set by hand."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course.assignments.question_sets import AssignedQuestion, QuestionSet, full_points_of
from app.course.content.refs import prefix_of
from app.course.items.kinds import Order
from app.records.assignments import attempt_seeds
from app.records.assignments.deadlines import costs_points, late_cost_words, points_after_lateness
from app.records.assignments.values import SavedRow
from app.records.db.errors import Refused, sentence_and_field
from app.records.grading import comments, mark_overrides
from app.records.grading.comments import CommentByPlace
from app.records.grading.mark_overrides import AttemptInCell, CellData
from app.records.grading.marks import shown_points_text
from app.records.grading.regraded_marks import (
    GrantRow,
    SecondMark,
    is_marked_by_teacher,
)
from app.records.grading.values import QuestionKey
from app.records.insight import work_signs
from app.records.learning.values import ResponseRow
from app.records.marking import question_marks
from app.web.assignments.assignment_requests import ASSIGNMENT_ADDRESS, CellDep, CellRequest
from app.web.assignments.assignment_settings import COUNTING_RULE_OPTIONS
from app.web.assignments.part_views import PointsByPlace, shown_points_by_place, views_without_questions
from app.web.assignments.question_views import current_question, saved_text
from app.web.grading.gradebook import word_and_note
from app.web.items import answered
from app.web.items.answered import AnsweredItem
from app.web.site.routing import LazyRouter
from app.web.site.site import CourseByPrefix
from app.web.site.slots import NOTHING

router = LazyRouter()
CELL_ADDRESS = ASSIGNMENT_ADDRESS + "/students/{student_id}"
SYMBOL_BY_VERDICT = {"right": "✓", "wrong": "✗", "shown": "…"}


@router.get(CELL_ADDRESS)
async def show(request: CellDep) -> Response:
    """Every attempt, question by question; what the mark comes from, and what was decided."""
    return await cell_page(request)


async def cell_page(
    request: CellRequest, refusal: Refused | None = None, error_place: str = "override"
) -> Response:
    """The page; `refusal`: why what the form at `error_place` said was refused."""
    error_sentence, refused_field = sentence_and_field(refusal)
    cell_data, work_signs_of_cell, comment_by_place = await request.read(
        work_signs.load_cell_page, request.now
    )
    course_by_prefix = await request.load_course_by_prefix()
    outside_parts = views_without_questions(course_by_prefix, cell_data.parts)
    attempts = []
    for attempt_in_cell in reversed(cell_data.attempts):
        questions = question_views(course_by_prefix, cell_data, attempt_in_cell, comment_by_place)
        points_by_question_ref: PointsByPlace = {
            question_view.assigned_question.ref: question_view.earned_points for question_view in questions
        }
        points_by_place = shown_points_by_place(
            points_by_question_ref, outside_parts, attempt_in_cell.points_by_part_id
        )
        attempts.append((attempt_in_cell, questions, points_by_place))
    question_count = 0
    if attempts:
        _, latest_questions, _ = attempts[0]
        question_count = len(latest_questions)
    full_points = full_points_of(cell_data.parts)
    return request.page(
        "grading/cell",
        title=f"{cell_data.student.name}：{cell_data.assignment.title}",
        cell_data=cell_data,
        signs=work_signs_of_cell,
        attempts=attempts,
        outside_parts=outside_parts,
        comment=comment_by_place.get(comments.WHOLE_WORK_PLACE, ""),
        typed_comment=request.form.text("text"),
        counts_words=COUNTING_RULE_OPTIONS[cell_data.assignment.counts].rule_words,
        full_points=full_points,
        costs_points=costs_points,
        late_cost_words=late_cost_words,
        points_after_lateness=points_after_lateness,
        mark_words=word_and_note(cell_data.cell, question_count, full_points),
        error_sentence=error_sentence,
        error_place=error_place,
        refused_field=refused_field,
        typed_points=request.form.text("points"),
        reason=request.form.text("reason"),
    )


class QuestionView(NamedTuple):
    """A question of an attempt. `marked_tries`: what was answered, each with what a teacher or a
    重新评分 made of it since.

    `grant`: by which it counts in full for everyone; `comment`: what the teacher wrote beside it;
    `position_on_paper`: where it stands on the student's own paper, where that is elsewhere; `is_worded`: the
    teacher marks it by a rubric.
    """

    assigned_question: AssignedQuestion
    answered_item: AnsweredItem | None
    marked_tries: Sequence[tuple[ResponseRow, SecondMark | None]]
    grant: GrantRow | None
    comment: str
    saved_answer_html: Markup
    position_on_paper: int
    is_worded: bool

    @property
    def number(self) -> int:
        return self.assigned_question.number

    @property
    def earned_points(self) -> float:
        """The points that count: of the best try, or all by a grant."""
        if self.grant:
            return self.assigned_question.points
        shares = [(second_mark or response).score for response, second_mark in self.marked_tries]
        return self.assigned_question.points * max(shares, default=0.0)

    @property
    def mark_words(self) -> str:
        """What stands for it, by which a form says over what it was filled in."""
        full_points = self.assigned_question.points
        return question_marks.words_of_mark(self.earned_points, full_points, self.is_by_hand)

    @property
    def full_points_text(self) -> str:
        return shown_points_text(self.assigned_question.points)

    def regrade_texts(self, shown_points: float) -> Sequence[str]:
        """What was made of each try since. `shown_points`: what the question earned, as `points_that_add_up`
        has it, so that the try that counts says the same."""
        texts = []
        for _, second_mark in self.marked_tries:
            if second_mark is None:
                texts.append("")
                continue
            try_points = self.assigned_question.points * second_mark.score
            if try_points == self.earned_points:
                try_points = shown_points
            texts.append(regrade_sentence(second_mark, try_points))
        return texts

    @property
    def is_by_hand(self) -> bool:
        """Whether the teacher gave other points than the program."""
        second_marks = [second_mark for _, second_mark in self.marked_tries if second_mark]
        return any(second_mark.author == "hand" for second_mark in second_marks)

    @property
    def is_answered(self) -> bool:
        """Whether something was sent to it that could be marked."""
        return bool(self.marked_tries)


def question_views(
    course_by_prefix: CourseByPrefix,
    cell_data: CellData,
    attempt_in_cell: AttemptInCell,
    comment_by_place: CommentByPlace,
) -> list[QuestionView]:
    attempt_number = attempt_in_cell.attempt.number
    question_set = attempt_seeds.question_set_of(
        course_by_prefix, cell_data.parts, cell_data.assignment, attempt_in_cell.attempt
    )
    responses_by_item_ref = defaultdict[str, list[ResponseRow]](list)
    for response in attempt_in_cell.attempt_data.responses:
        responses_by_item_ref[response.item_ref].append(response)
    views_of_questions = []
    for position, assigned_question in enumerate(question_set.questions, 1):
        responses_to_question = responses_by_item_ref[assigned_question.ref]
        saved_html = NOTHING
        saved_answer = attempt_in_cell.saved_answer_by_question_ref.get(assigned_question.ref)
        if saved_answer and not responses_to_question:
            saved_html = saved_answer_html(question_set, assigned_question, saved_answer)
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
            saved_html,
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
    course = course_by_prefix.get(prefix_of(assigned_question.ref)) or course_by_prefix["content"]
    if responses:
        attempt_with_seed = attempt_in_cell.attempt_data.attempt._replace(
            seed=question_set.variant_seed_of(assigned_question)
        )
        return answered.answered_item(
            course, attempt_in_cell.attempt_data._replace(attempt=attempt_with_seed), responses
        )
    asked_question = current_question(question_set, assigned_question)
    if asked_question is None:
        return None
    return answered.answered_item_with_key(course, asked_question.course, asked_question.item)


def saved_answer_html(
    question_set: QuestionSet, assigned_question: AssignedQuestion, saved_answer: SavedRow
) -> Markup:
    """What was saved, in the words of the item as it is now; as it was sent where that is gone."""
    asked_question = current_question(question_set, assigned_question)
    if asked_question is None:
        return Markup.escape(saved_text(saved_answer))
    separator_html = Markup("、")
    if isinstance(asked_question.item, Order):
        separator_html = Markup(" → ")
    chosen_htmls = answered.answer_htmls(asked_question.course, asked_question.item, saved_answer.raw)
    return separator_html.join(chosen_htmls)


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


@router.post(CELL_ADDRESS + "/overrides")
async def override_mark(request: CellDep) -> Response:
    """Another mark, with a reason."""
    points = request.form.text("points")
    reason = request.form.text("reason")
    try:
        await request.write(
            mark_overrides.override_mark, points, reason, request.now, request.form.text_if_sent("stored")
        )
    except Refused as error:
        return await cell_page(request, error)
    return request.redirect_within()


@router.post(CELL_ADDRESS + "/comments")
async def set_comment(request: CellDep) -> Response:
    """What the student shall read, beside an answer or about the whole."""
    comment_text = request.form.text("text")
    seen_text = request.form.text_if_sent("seen")
    anchor = "mark-title"
    if request.question_key.attempt_number:
        anchor = anchor_of(request.question_key)
    try:
        await request.write(comments.set_comment, comment_text, request.now, seen_text)
    except Refused as error:
        return await cell_page(request, error, f"comment-{anchor}")
    return request.redirect_within(f"#{anchor}")


def anchor_of(question_key: QuestionKey) -> str:
    """Where a question of an attempt stands on the page."""
    return f"p{question_key.attempt_number}-q{question_key.question_number}"


@router.post(CELL_ADDRESS + "/question-marks")
async def mark_question(request: CellDep) -> Response:
    """Other points for one question, with a reason; or `back`: those of the program."""
    form = request.form
    anchor = anchor_of(request.question_key)
    course_by_prefix = await request.load_course_by_prefix()
    try:
        if form.text("back"):
            await request.write(question_marks.withdraw_mark, course_by_prefix, request.now)
        else:
            points, reason = form.text("points"), form.text("reason")
            seen_mark_words = form.text_if_sent("stored")
            await request.write(
                question_marks.mark_question, points, reason, course_by_prefix, request.now, seen_mark_words
            )
    except Refused as error:
        return await cell_page(request, error, f"mark-{anchor}")
    return request.redirect_within(f"#{anchor}")


@router.post(CELL_ADDRESS + "/excuses")
async def excuse_student(request: CellDep) -> Response:
    """免, with a reason."""
    reason = request.form.text("reason")
    seen_mark_words = request.form.text_if_sent("stored")
    try:
        await request.write(mark_overrides.excuse_student, reason, request.now, seen_mark_words)
    except Refused as error:
        return await cell_page(request, error, "excuse")
    return request.redirect_within()


@router.post(CELL_ADDRESS + "/withdrawals")
async def withdraw_override(request: CellDep) -> Response:
    """The mark that was set by hand is withdrawn."""
    try:
        await request.write(mark_overrides.take_back_override, request.now)
    except Refused as error:
        return await cell_page(request, error)
    return request.redirect_within()
