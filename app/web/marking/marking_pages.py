"""批改: the answers in words to one question, one after the other, each held against the rubric."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.course.content.refs import prefix_of
from app.course.items.kinds import ShortAnswer
from app.records.db.errors import NotFound, Refused
from app.records.grading.marks import shown_points_text
from app.records.marking import rubric_marks
from app.records.marking.rubric_lines import shown_points_of_lines
from app.records.marking.rubric_marks import MarkingPage, RubricQuestion, SeenMark, TickedAnswer, WordedAnswer
from app.web.assignments.assignment_requests import ASSIGNMENT_ADDRESS, TeacherDep, TeacherRequest
from app.web.site.posted_forms import PostedForm
from app.web.site.rendering import line_html, text_html
from app.web.site.requests import small_number_of_text
from app.web.site.routing import LazyRouter

router = LazyRouter()
MARKING_ADDRESS = ASSIGNMENT_ADDRESS + "/marking"


class RubricLineView(NamedTuple):
    """A line of a rubric: its position, its words, and what it is worth here."""

    line_index: int
    text_html: Markup
    points_text: str
    is_ticked: bool


class QuestionHtmls(NamedTuple):
    """What a question asks, and how a good answer sounds."""

    stem_html: Markup
    model_answer_html: Markup


@router.get(MARKING_ADDRESS)
async def show(request: TeacherDep) -> Response:
    """The first answer that waits; with `?question=` that of one question, with `?answer=` this answer."""
    question_number = small_number_of_text(request.query.get("question", ""))
    return await marking_page(request, question_number or 0, request.query_number("answer") or 0)


async def marking_page(
    request: TeacherRequest,
    question_number: int,
    response_id: int,
    sent_line_indexes: tuple[int, ...] | None = None,
    error_sentence: str = "",
) -> Response:
    """The page; `sent_line_indexes`: what was ticked in a form that was refused, `error_sentence`: why."""
    course_by_prefix = await request.load_course_by_prefix()
    marking_data = await load_marking_page(request, course_by_prefix)
    rubric_question = chosen_question(marking_data, question_number)
    context: Mapping[str, Any] = {"answer": None}
    if rubric_question:
        worded_answer = chosen_answer(rubric_question, response_id)
        if worded_answer:
            ticked_line_indexes = sent_line_indexes
            if ticked_line_indexes is None:
                ticked_line_indexes = worded_answer.ticks or ()
            context = worded_answer_context(
                course_by_prefix, rubric_question, worded_answer, ticked_line_indexes
            )
    return request.page(
        "marking/marking",
        title=f"批改：{marking_data.assignment.title}",
        page_data=marking_data,
        rubric_question=rubric_question,
        typed_comment=request.form.text("comment"),
        error_sentence=error_sentence,
        hides_names=hides_names(request),
        comes_from_answer="answer" in request.query or "done" in request.query,
        **context,
    )


async def load_marking_page(request: TeacherRequest, course_by_prefix: Mapping[str, Course]) -> MarkingPage:
    """All that is to be marked, with names or without."""
    marking_data = await request.read(rubric_marks.load_marking, course_by_prefix)
    if not hides_names(request):
        return marking_data
    return marking_data._replace(
        questions=[without_names(rubric_question) for rubric_question in marking_data.questions]
    )


def hides_names(request: TeacherRequest) -> bool:
    """Whether the teacher wants not to know whose words they read: in the address, and in the form."""
    return "no" in (request.query.get("names"), request.form.text("names"))


def without_names(rubric_question: RubricQuestion) -> RubricQuestion:
    """The answers to a question under numbers, in an order of their own that stays."""

    def order_key(worded_answer: WordedAnswer) -> bytes:
        return hashlib.sha256(f"{rubric_question.assigned_question.ref} {worded_answer.id}".encode()).digest()

    nameless_answers = []
    for answer_number, worded_answer in enumerate(sorted(rubric_question.answers, key=order_key), 1):
        nameless_student = worded_answer.student._replace(name=f"第{answer_number}份", has_namesake=False)
        nameless_answers.append(worded_answer._replace(student=nameless_student, attempt_number=1))
    return rubric_question._replace(answers=nameless_answers)


def worded_answer_context(
    course_by_prefix: Mapping[str, Course],
    rubric_question: RubricQuestion,
    worded_answer: WordedAnswer,
    ticked_line_indexes: Sequence[int],
) -> Mapping[str, Any]:
    """What the page shows of one answer."""
    return {
        "answer": worded_answer,
        "words": question_htmls(course_by_prefix, rubric_question),
        "lines": rubric_line_views(course_by_prefix, rubric_question, ticked_line_indexes),
        "points": shown_points_text(rubric_question.assigned_question.points * worded_answer.earned_share),
        "next_answer": next_waiting_answer(rubric_question, worded_answer),
    }


def chosen_question(marking_data: MarkingPage, question_number: int) -> RubricQuestion | None:
    """The question of a number; without one, the first with answers that wait, else the first."""
    if question_number:
        return rubric_marks.rubric_question_of(marking_data, question_number)
    waiting_questions = [
        rubric_question for rubric_question in marking_data.questions if rubric_question.unmarked_answers
    ]
    return next(iter((*waiting_questions, *marking_data.questions)), None)


def chosen_answer(rubric_question: RubricQuestion, response_id: int) -> WordedAnswer | None:
    """The answer of an id; without one, the first that waits."""
    if response_id:
        return rubric_marks.worded_answer_of(rubric_question, response_id)
    return next(iter(rubric_question.unmarked_answers), None)


def next_waiting_answer(rubric_question: RubricQuestion, worded_answer: WordedAnswer) -> WordedAnswer | None:
    """The answer that waits after this one, from the beginning again after the last."""
    answers = rubric_question.answers
    answer_index = [listed_answer.id for listed_answer in answers].index(worded_answer.id)
    for listed_answer in (*answers[answer_index + 1 :], *answers[:answer_index]):
        if rubric_question.waits(listed_answer):
            return listed_answer
    return None


def question_htmls(course_by_prefix: Mapping[str, Course], rubric_question: RubricQuestion) -> QuestionHtmls:
    course = course_by_prefix[prefix_of(rubric_question.assigned_question.ref)]
    item = course.item(rubric_question.assigned_question.ref)
    if not isinstance(item, ShortAnswer):
        raise NotFound("这道题不用老师批。")
    return QuestionHtmls(text_html(course, item.stem), text_html(course, item.model))


def rubric_line_views(
    course_by_prefix: Mapping[str, Course],
    rubric_question: RubricQuestion,
    ticked_line_indexes: Sequence[int],
) -> Sequence[RubricLineView]:
    """The rubric with what is ticked."""
    course = course_by_prefix[prefix_of(rubric_question.assigned_question.ref)]
    points_of_lines = shown_points_of_lines(rubric_question.assigned_question.points, rubric_question.rubric)
    views_of_lines = []
    for line_index, (rubric_line, line_points) in enumerate(
        zip(rubric_question.rubric, points_of_lines, strict=True)
    ):
        points_text = shown_points_text(line_points)
        views_of_lines.append(
            RubricLineView(
                line_index,
                line_html(course, rubric_line.text),
                points_text,
                line_index in ticked_line_indexes,
            )
        )
    return views_of_lines


@router.post(MARKING_ADDRESS)
async def mark_answer(request: TeacherDep) -> Response:
    """Keep the mark of an answer, and on to the next that waits."""
    question_number = request.form.number("question", 0)
    response_id = request.form.id("answer")
    course_by_prefix = await request.load_course_by_prefix()
    sent_line_indexes = line_indexes_of(request.form)
    rubric_digest = request.form.text("seal")
    ticked_answer = TickedAnswer(
        question_number,
        response_id,
        sent_line_indexes,
        typed_comment(request),
        rubric_digest,
        seen_mark_of(request),
    )
    try:
        await request.write(rubric_marks.mark_answer, ticked_answer, course_by_prefix, request.now)
    except Refused as error:
        return await marking_page(request, question_number, response_id, sent_line_indexes, str(error))
    marking_data = await load_marking_page(request, course_by_prefix)
    rubric_question = rubric_marks.rubric_question_of(marking_data, question_number)
    worded_answer = rubric_marks.worded_answer_of(rubric_question, response_id)
    next_answer = next_waiting_answer(rubric_question, worded_answer)
    names_query = "&names=no" if hides_names(request) else ""
    if next_answer is None:
        return request.redirect_within(f"/marking?done=yes{names_query}")
    return request.redirect_within(
        f"/marking?question={question_number}&answer={next_answer.id}{names_query}"
    )


def typed_comment(request: TeacherRequest) -> str | None:
    """What was typed about an answer; None where it is what stood there, for a colleague may have written
    something else meanwhile."""
    comment_lines = request.form.text("comment").strip().splitlines()
    if comment_lines == request.form.text("seen_comment").splitlines():
        return None
    return "\n".join(comment_lines)


def seen_mark_of(request: TeacherRequest) -> SeenMark | None:
    """The mark that the page showed; None for a form of a page from before it said so."""
    ticks_text = request.form.text("seen_ticks")
    if not ticks_text:
        return None
    return SeenMark(ticks_text, request.form.text("seen_comment"))


def line_indexes_of(form: PostedForm) -> tuple[int, ...]:
    """The indexes of the lines that are ticked in a form; none may be named that is no number."""
    ticked_line_indexes = set()
    for tick_text in form.texts("tick"):
        line_index = small_number_of_text(tick_text, 2)
        if line_index is not None:
            ticked_line_indexes.add(line_index)
    return tuple(sorted(ticked_line_indexes))
