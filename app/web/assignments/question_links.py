"""The links to the questions of an attempt, each with how its question stands."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from markupsafe import Markup

from app.course.assignments.question_sets import AssignedQuestion, QuestionSet
from app.course.items.marks import ItemGone
from app.records.assignments.values import AttemptWork, SavedAnswerRow
from app.records.grading.submissions import with_unfilled_signs
from app.records.learning.attempts import is_blank_answer
from app.web.assignments.question_views import current_question, marking_error_words
from app.web.site.site import Site

LinkState = Literal[
    "open", "unsent", "saved", "gaps", "unreadable", "waiting", "right", "partly", "wrong", "none"
]
WORD_BY_LINK_STATE: dict[LinkState, str] = {
    "open": "没答",
    "unsent": "写了没回答",
    "saved": "存好了",
    "gaps": "有空着的",
    "unreadable": "看不懂",
    "waiting": "还没批",
    "right": "对",
    "partly": "对了一部分",
    "wrong": "不对",
    "none": "没答",
}


class QuestionLink(NamedTuple):
    """A question in the row of links to all of them."""

    number: int
    state: LinkState
    url: str

    @property
    def state_word(self) -> str:
        return WORD_BY_LINK_STATE[self.state]

    @property
    def is_unanswered(self) -> bool:
        """Whether nothing stands there that can be marked."""
        return self.state in ("open", "unsent", "none", "unreadable")

    @property
    def is_unreadable(self) -> bool:
        """Whether something was written that cannot be marked."""
        return self.state == "unreadable"


def render_links(
    site: Site,
    question_links: Sequence[QuestionLink],
    current_question_number: int = 0,
    is_out_of_band: bool = False,
) -> Markup:
    """The row of links; `current_question_number`: of the present question. `is_out_of_band`: it
    replaces the one on the page."""
    return site.render(
        "assignments/_question_nav.html",
        links=question_links,
        number=current_question_number,
        is_out_of_band=is_out_of_band,
        form_id="",
    )


def link_state_of(
    question_set: QuestionSet,
    assigned_question: AssignedQuestion,
    attempt_work: AttemptWork,
    are_marks_visible: bool,
) -> LinkState:
    """How a question stands, as far as the student may know; `are_marks_visible`: marks may be seen."""
    responses = attempt_work.responses_to_question(assigned_question.ref)
    saved_answer = attempt_work.saved_answer_by_question_ref.get(assigned_question.ref)
    is_handed_in = attempt_work.attempt.handed_in_at is not None
    if responses and waits_for_teacher(question_set, assigned_question.ref, attempt_work):
        return "waiting"
    if are_marks_visible and (responses or assigned_question.ref in attempt_work.new_share_by_question_ref):
        return link_state_of_share(attempt_work.earned_share(assigned_question.ref))
    if responses:
        return "saved"
    unsent_answer = attempt_work.unsent_answer_by_question_ref.get(assigned_question.ref)
    link_state = link_state_without_mark(question_set, assigned_question, saved_answer, is_handed_in)
    if link_state == "open" and unsent_answer and is_answer_written(unsent_answer.raw):
        return "unsent"
    return link_state


def link_state_without_mark(
    question_set: QuestionSet,
    assigned_question: AssignedQuestion,
    saved_answer: SavedAnswerRow | None,
    is_handed_in: bool,
) -> LinkState:
    """How a question stands to which nothing was sent that was marked."""
    if saved_answer is None or not is_answer_written(saved_answer.raw):
        if is_handed_in:
            return "none"
        return "open"
    if is_unreadable(question_set, assigned_question, saved_answer.raw):
        return "unreadable"
    if is_handed_in:
        return "waiting"
    return link_state_of_saved_answer(saved_answer.raw)


def link_state_of_saved_answer(raw_answer: Sequence[str]) -> LinkState:
    """What an answer that can be marked is called before the hand-in.

    >>> [link_state_of_saved_answer(["31", cell_text]) for cell_text in ("0.5", " ", "~")]
    ['saved', 'gaps', 'gaps']
    """
    if with_unfilled_signs(raw_answer) == tuple(raw_answer):
        return "saved"
    return "gaps"


def waits_for_teacher(question_set: QuestionSet, question_ref: str, attempt_work: AttemptWork) -> bool:
    """Whether an answer is one that a teacher marks, and has not yet."""
    try:
        return not attempt_work.is_settled_by_teacher(question_ref) and bool(
            question_set.rubric(question_ref)
        )
    except ItemGone:  # its item is gone
        return False


def link_state_of_share(earned_share: float) -> LinkState:
    """What a share of the points, 0..1, is called."""
    if earned_share >= 1:
        return "right"
    if earned_share > 0:
        return "partly"
    return "wrong"


def is_answer_written(raw_answer: Sequence[str]) -> bool:
    """Whether anything was written that the hand-in will mark.

    >>> is_answer_written(["", "31"]), is_answer_written([" ", "~"]), is_answer_written([" "])
    (True, False, False)
    """
    return not is_blank_answer(with_unfilled_signs(raw_answer))


def is_unreadable(
    question_set: QuestionSet, assigned_question: AssignedQuestion, raw_answer: Sequence[str]
) -> bool:
    """Whether something was written that could not be marked."""
    if not is_answer_written(raw_answer):
        return False
    asked_question = current_question(question_set, assigned_question)
    return asked_question is not None and bool(marking_error_words(asked_question.item, raw_answer))
