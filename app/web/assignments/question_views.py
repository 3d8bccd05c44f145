"""A question of an assignment as a student sees it: while it is open, and when its result is shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion, QuestionSet
from app.course.authoring.snapshots import course_with_frozen_item
from app.course.content.refs import prefix_of
from app.course.items.kinds import Item, ShortAnswer
from app.course.items.marks import AnswerState, answer_state
from app.course.text.typed import LARGEST_WHOLE_NUMBER
from app.records.assignments.values import AssignmentRow, AttemptWork, SavedAnswerRow
from app.records.grading.marks import shown_points_text
from app.records.grading.submissions import with_unfilled_signs
from app.records.learning.attempts import is_blank_answer
from app.records.learning.values import ResponseRow
from app.web.items import answered, feedback
from app.web.items.item_views import ItemView, seen_answers
from app.web.items.kinds import ItemWithAnswers, KindView, SeenAnswer, kind_view_of
from app.web.items.kinds.written import ShortKindView
from app.web.items.typed_answers import TypedAnswer, untouched_answer
from app.web.site import slots
from app.web.site.rendering import text_html, text_htmls
from app.web.site.site import Site


class AskedQuestion(NamedTuple):
    """A question with the variant that it asks, and the course that the variant lives in."""

    assigned_question: AssignedQuestion
    seed: int
    course: Course
    item: Item


def course_of(question_set: QuestionSet, assigned_question: AssignedQuestion) -> Course | None:
    course = question_set.course_by_prefix.get(prefix_of(assigned_question.ref))
    if isinstance(course, Course):
        return course
    return None


def current_question(question_set: QuestionSet, assigned_question: AssignedQuestion) -> AskedQuestion | None:
    """The variant of a question as the course has it now; None where its item is gone."""
    course = course_of(question_set, assigned_question)
    if course is None or course.bare_id(assigned_question.ref) not in course.items:
        return None
    seed = question_set.variant_seed_of(assigned_question)
    item = course.variant(course.bare_id(assigned_question.ref), seed)
    return AskedQuestion(assigned_question, seed, course, item)


def answered_question(
    site: Site, question_set: QuestionSet, assigned_question: AssignedQuestion, attempt_work: AttemptWork
) -> AskedQuestion | None:
    """A question as it was when it was answered, also when its content is gone; as it is now, where it was
    not answered."""
    frozen_body_json = None
    if responses := attempt_work.responses_to_question(assigned_question.ref):
        frozen_body_json = attempt_work.body_json_by_version_hash.get(responses[-1].item_version_hash)
    if frozen_body_json:
        seed = question_set.variant_seed_of(assigned_question)
        frozen_course = course_with_frozen_item(
            course_of(question_set, assigned_question) or site.course, frozen_body_json, seed
        )
        if frozen_course:
            [item] = frozen_course.items.values()
            return AskedQuestion(assigned_question, seed, frozen_course, item)
    return current_question(question_set, assigned_question)


class QuestionState(NamedTuple):
    """How a question is asked: by which rules, where its answers go, what was answered, what stands in it.

    `hint_count`: how many hints are open. `seconds`: for how long what stands there was thought over on
    earlier visits. `draft_html`: the box that saves what is being written.
    """

    assignment: AssignmentRow
    url: str
    answer_label: str
    attempt_number: int = 0
    responses: Sequence[ResponseRow] = ()
    saved_answer: SavedAnswerRow | None = None
    seconds: int = 0
    hint_count: int = 0
    typed_answer: TypedAnswer | None = None
    error_sentence: str = ""
    draft_html: Markup = slots.NOTHING
    is_closed: bool = False

    @property
    def is_marked_at_once(self) -> bool:
        return self.assignment.answers == "at_once"


def asked_view(asked_question: AskedQuestion, question_state: QuestionState) -> ItemView:
    """A question that may be answered: no solution, no twin, no way out; hints where they are allowed."""
    item = asked_question.item
    answers = seen_answers(question_state.responses)
    answer_state = answer_state_of_tries(item, answers, question_state.assignment.tries)
    raw_answer = texts_in_form(question_state, answers)
    kind_view = kind_view_of(ItemWithAnswers(asked_question.course, item, answers, answer_state, raw_answer))
    if not question_state.is_marked_at_once:
        kind_view = replace(kind_view, answer_label=question_state.answer_label)
    remaining_hint_count = 0
    if question_state.assignment.hints and answer_state == "open" and not question_state.is_closed:
        remaining_hint_count = len(item.hints) - question_state.hint_count
    return replace(
        question_view(
            asked_question,
            answers,
            answer_state,
            kind_view,
            question_state.hint_count,
            question_state.assignment.id,
            question_state.url,
        ),
        base_url=Markup.escape(question_state.url),
        try_number=len(answers) + 1,
        error_sentence=question_state.error_sentence
        or unreadable_words(item, question_state, raw_answer, answers),
        remaining_hint_count=remaining_hint_count,
        answer_fields={
            "sitting": question_state.attempt_number,
            "spent": min(question_state.seconds, LARGEST_WHOLE_NUMBER),
        },
        extra_html=question_state.draft_html,
        may_leave_cells=question_state.is_marked_at_once,
        is_closed=question_state.is_closed,
    )


def answer_state_of_tries(item: Item, seen_answers: Sequence[SeenAnswer], most_tries: int) -> AnswerState:
    """The state of an item that may be answered only so many times; 0: as often as one likes."""
    state_without_limit = answer_state(item, seen_answers)
    if state_without_limit == "open" and most_tries and len(seen_answers) >= most_tries:
        return "ended"
    return state_without_limit


def texts_in_form(
    question_state: QuestionState, seen_answers: Sequence[SeenAnswer]
) -> tuple[str, ...] | None:
    """What was just typed, or what was saved and not answered yet."""
    if question_state.typed_answer:
        return question_state.typed_answer.raw
    if question_state.saved_answer and not seen_answers:
        return question_state.saved_answer.raw
    return None


def untouched_texts(question_set: QuestionSet, assigned_question: AssignedQuestion) -> tuple[str, ...]:
    """What the form of a question sends before anything is done in it; nothing where its item is gone."""
    asked_question = current_question(question_set, assigned_question)
    if asked_question is None:
        return ()
    return untouched_answer(asked_question.item)


def unreadable_words(
    item: Item,
    question_state: QuestionState,
    raw_answer: tuple[str, ...] | None,
    seen_answers: Sequence[SeenAnswer],
) -> str:
    """Why what stands in the form cannot be read; nothing while it is only being moved about."""
    is_moving = question_state.typed_answer is not None and not question_state.typed_answer.is_refused
    if not raw_answer or not any(raw_answer) or is_moving:
        return ""
    if question_state.is_marked_at_once:
        return feedback.unreadable_reason(item, raw_answer, seen_answers)
    return marking_error_words(item, raw_answer)


def marking_error_words(item: Item, raw_answer: Sequence[str]) -> str:
    """Why a saved answer could not be marked; of several cells or blanks some may stay empty."""
    return feedback.unreadable_reason(item, with_unfilled_signs(raw_answer) or tuple(raw_answer))


def question_result_view(
    asked_question: AskedQuestion, attempt_work: AttemptWork, shown_points: float
) -> ItemView:
    """A question with its last answer and everything that is to be said to it. `shown_points`: what it
    earned, as `points_that_add_up` has it."""
    question_ref = asked_question.assigned_question.ref
    is_by_hand = question_ref in attempt_work.hand_marked_refs
    answers = seen_answers(attempt_work.responses_to_question(question_ref), is_by_hand)
    answer_state: AnswerState = "shown"
    if answers:
        answer_state = "ended"
    if answers and answers[-1].verdict == "right":
        answer_state = "right"
    kind_view = kind_view_of(
        ItemWithAnswers(asked_question.course, asked_question.item, answers, answer_state, None)
    )
    kind_view = replace(kind_view, end_words=result_words(asked_question, attempt_work, shown_points))
    if isinstance(kind_view, ShortKindView):
        kind_view = with_marking(kind_view, question_ref, attempt_work)
    assignment_id = attempt_work.student_assignment.assignment.id
    question_number = asked_question.assigned_question.number
    result_url = f"/assignments/{assignment_id}/passes/{attempt_work.attempt.number}#q{question_number}"
    hint_count = attempt_work.hint_count_by_question_ref.get(question_ref, 0)
    item_view = question_view(
        asked_question, answers, answer_state, kind_view, hint_count, assignment_id, result_url
    )
    if isinstance(kind_view, ShortKindView) and kind_view.model_answer_html:
        return replace(item_view, worked_line_htmls=())  # all that a solution says stands there already
    return item_view


def with_marking(kind_view: ShortKindView, question_ref: str, attempt_work: AttemptWork) -> ShortKindView:
    """What a teacher has found in an answer in words, or that they have still to read it."""
    waits_for_teacher = kind_view.is_marked and not attempt_work.is_settled_by_teacher(question_ref)
    kind_view = replace(kind_view, waits_for_teacher=waits_for_teacher)
    if question_ref not in attempt_work.ticks_by_question_ref:
        return kind_view
    ticked_line_indexes = attempt_work.ticks_by_question_ref[question_ref]
    line_htmls_with_ticks = [
        (line_html, line_index in ticked_line_indexes)
        for line_index, line_html in enumerate(kind_view.checkpoint_htmls)
    ]
    return replace(kind_view, line_htmls_with_ticks=line_htmls_with_ticks)


def question_view(
    asked_question: AskedQuestion,
    seen_answers: Sequence[SeenAnswer],
    answer_state: AnswerState,
    kind_view: KindView,
    hint_count: int,
    assignment_id: int,
    question_url: str,
) -> ItemView:
    """What open and marked questions share. `question_url`: its page. The solution is said to whom it was not
    right, once it is over. A report names the question by its number, for its id may be in two courses."""
    course, item = asked_question.course, asked_question.item
    dom_id = f"question-{asked_question.assigned_question.number}"
    worked_line_htmls: Sequence[Markup] = ()
    if answer_state in ("ended", "shown"):
        worked_line_htmls = feedback.worked_line_htmls(course, item)
    explanation_html = None
    if item.explanation and answer_state != "open":
        explanation_html = text_html(course, item.explanation)
    return ItemView(
        id=item.id,
        dom_id=dom_id,
        target_id=dom_id,
        kind=item.kind,
        minutes=item.minutes,
        stem_html=text_html(course, item.stem),
        state=answer_state,
        base_url=slots.NOTHING,
        next_url=question_url,
        kind_view=kind_view,
        tutor_remarks=feedback.feedback_remarks(course, item, seen_answers),
        hint_htmls=text_htmls(course, item.hints[:hint_count]),
        worked_line_htmls=worked_line_htmls,
        explanation_html=explanation_html,
        report_fields={"item": asked_question.assigned_question.ref, "assignment": assignment_id},
    )


def render_question(site: Site, item_view: ItemView) -> Markup:
    return site.render("items/_item.html", item=item_view)


def seconds_of(saved_answer: SavedAnswerRow | None) -> int:
    """For how long what was saved was thought over."""
    if saved_answer:
        return saved_answer.seconds or 0
    return 0


def render_gone(
    site: Site, question_set: QuestionSet, assigned_question: AssignedQuestion, answer_text: str
) -> Markup:
    """Says of a question that cannot be asked whether it is gone, or in content that has faults now."""
    is_content_readable = course_of(question_set, assigned_question) is not None
    return site.render("assignments/_gone.html", saved=answer_text, is_content_readable=is_content_readable)


def saved_html(
    answer: SavedAnswerRow | ResponseRow | None, asked_question: AskedQuestion | None = None
) -> Markup:
    """An answer in one line, in the words of its question where that is there; empty where there is none."""
    if answer is None:
        return slots.NOTHING
    if asked_question is None:
        return answered.plain_line_html(answer.raw)
    return answered.answer_line_html(asked_question.course, asked_question.item, answer.raw)


def result_words(asked_question: AskedQuestion, attempt_work: AttemptWork, shown_points: float) -> str:
    """What a question came to; a reason that nobody marks is no matter of points."""
    question_ref = asked_question.assigned_question.ref
    if not attempt_work.responses_to_question(question_ref):
        return question_points_words(
            asked_question.assigned_question,
            attempt_work,
            shown_points,
            unmarked_reason_words(asked_question, attempt_work),
        )
    if not isinstance(asked_question.item, ShortAnswer):
        return question_points_words(asked_question.assigned_question, attempt_work, shown_points)
    if attempt_work.is_settled_by_teacher(question_ref):
        return question_points_words(asked_question.assigned_question, attempt_work, shown_points)
    if asked_question.item.rubric:
        return "等老师批"
    return "写下来了"


def unmarked_reason_words(asked_question: AskedQuestion, attempt_work: AttemptWork) -> str:
    """Why a question that was handed in has no answer that was marked."""
    saved_answer = attempt_work.saved_answer_by_question_ref.get(asked_question.assigned_question.ref)
    if saved_answer is None or is_blank_answer(saved_answer.raw):
        return "没答"
    if marking_error_words(asked_question.item, saved_answer.raw):
        return "写的看不懂"
    return "还没批"


def question_points_words(
    assigned_question: AssignedQuestion,
    attempt_work: AttemptWork,
    shown_points: float,
    missing_words: str = "没答",
) -> str:
    """The points of a question in a few words: `2分里得1分`. `missing_words`: why no answer was marked."""
    full_points, question_ref = assigned_question.points, assigned_question.ref
    earned_words = f"{shown_points_text(full_points)}分里得{shown_points_text(shown_points)}分"
    if not attempt_work.responses_to_question(question_ref):
        earned_words = f"{missing_words} · {earned_words}"
    if question_ref in attempt_work.hand_marked_refs:
        change_words = "老师改过"
    elif (
        question_ref in attempt_work.new_share_by_question_ref
        and question_ref not in attempt_work.ticks_by_question_ref
    ):
        change_words = "重新评分过"
    else:
        return earned_words
    former_points = full_points * attempt_work.former_share_by_question_ref[question_ref]
    if shown_points_text(former_points) != shown_points_text(shown_points):
        change_words += f"，原来{shown_points_text(former_points)}分"
    return f"{earned_words}（{change_words}）"
