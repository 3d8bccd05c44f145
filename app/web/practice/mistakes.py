"""错题本: every wrong answer with what was wrong, and another question of the kind until it sits.

And 我常犯的错, by the step of the formula.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from app.course import Course, Unreadable
from app.course.content.recorded_misconceptions import named_misconception
from app.course.items.kinds import Generated, Item, MultipleChoice
from app.course.practice.item_mistakes import WrongResponse
from app.course.practice.mastery import CLEARING_RULE
from app.course.practice.notebook import LearnerMisconception, NotebookEntry
from app.records.db.errors import NotFound
from app.records.practice.notebook import MOST_KINDS, NotebookData, WrongAnswer, load_notebook
from app.web.items.answered import answer_line_html
from app.web.items.variants import exercise_url, next_question_url
from app.web.site.clock import day_words
from app.web.site.rendering import line_html, markup, text_html, text_htmls
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
WORD_BY_SOURCE = {"questions": "做题", "cards": "闪卡", "games": "打怪兽"}
MOST_MISCONCEPTIONS = 6


@router.get("/mistakes")
async def index(request: RequestDep, kind: str = "") -> Response:
    """我常犯的错, the newest open kinds, the titles of the others; `?kind=` shows all answers of one kind."""
    notebook_data = await request.read(load_notebook, request.course, request.now, kind)
    shown_entry_htmls = entry_htmls(request.site, notebook_data, kind)
    if kind and not shown_entry_htmls:
        raise NotFound("错题本里没有这一类题，也许还没错过。")
    notebook = notebook_data.notebook
    title = "错题本"
    if kind:
        title = next(
            notebook_entry.title for notebook_entry in notebook.entries if notebook_entry.kind.id == kind
        )
    mistake_count_by_step_name: Mapping[str, int] = {}
    if any(notebook.mistake_count_by_step_name.values()):
        mistake_count_by_step_name = notebook.mistake_count_by_step_name
    return request.page(
        "practice/notebook",
        is_signed_in=notebook_data.learner_id is not None,
        page="practice",
        title=title,
        kind=kind,
        entries=shown_entry_htmls,
        waiting_entries=notebook.open_entries[MOST_KINDS:],
        cleared_entries=notebook.cleared_entries,
        misconceptions=recurring_misconception_views(request.course, notebook.misconceptions),
        mistake_count_by_step_name=mistake_count_by_step_name,
        clearing_rule=CLEARING_RULE,
    )


class WrongAnswerView(NamedTuple):
    """A wrong answer: what was sent, in words, and what the tutor says to it. `options_with_feedback`: where
    there may be several, each with what is said to it."""

    day_text: str
    answer_html: Markup
    options_with_feedback: Sequence[tuple[Markup, Markup]]
    diagnosis_words: str
    feedback_htmls: Sequence[Markup]
    url: str


class EntryView(NamedTuple):
    """A kind of question with its mistakes. `another_question_url`: another question; `older_answer_count`:
    how many of its mistakes are not shown. `lost_answer_count`: how many cannot be shown, because the
    assignment that asked them is gone.
    """

    another_question_url: str
    wrong_answers: Sequence[WrongAnswerView]
    lost_answer_count: int
    older_answer_count: int


class MisconceptionView(NamedTuple):
    """A misconception that came back, with what to hold on to."""

    misconception: LearnerMisconception
    hint_html: Markup
    places_words: str
    day_text: str


def entry_htmls(site: Site, notebook_data: NotebookData, mistake_kind: str) -> list[Markup]:
    """The newest kinds that are not cleared; or the one that is named, cleared or not."""
    notebook_entries = notebook_data.notebook.open_entries[:MOST_KINDS]
    if mistake_kind:
        notebook_entries = [
            notebook_entry
            for notebook_entry in notebook_data.notebook.entries
            if notebook_entry.kind.id == mistake_kind
        ]
    return [
        entry_html(site, notebook_data, notebook_entry, mistake_kind, notebook_entry is notebook_entries[0])
        for notebook_entry in notebook_entries
    ]


def entry_html(
    site: Site, notebook_data: NotebookData, notebook_entry: NotebookEntry, mistake_kind: str, is_first: bool
) -> Markup:
    """A kind with its mistakes, kept by what it says."""
    course = site.course
    template_name = "practice/_mistake.html"
    shown_responses = [
        wrong_response
        for wrong_response in notebook_entry.wrong_responses
        if wrong_response.response_id in notebook_data.wrong_answer_by_response_id
    ]
    wrong_answers = [
        notebook_data.wrong_answer_by_response_id[wrong_response.response_id]
        for wrong_response in shown_responses
    ]
    entry_figures = (notebook_entry.kind, notebook_entry.remaining_count, notebook_entry.mistake_count)
    cache_key = (
        template_name,
        course.digest,
        mistake_kind,
        is_first,
        *entry_figures,
        *shown_responses,
        *wrong_answers,
    )

    def render() -> Markup:
        view_of_entry = entry_view(course, notebook_entry, shown_responses, wrong_answers, bool(mistake_kind))
        return site.render(
            template_name, view=view_of_entry, entry=notebook_entry, kind=mistake_kind, is_first=is_first
        )

    return markup(site.cached_html(cache_key, render))


def entry_view(
    course: Course,
    notebook_entry: NotebookEntry,
    shown_responses: Sequence[WrongResponse],
    wrong_answers: Sequence[WrongAnswer | None],
    has_feedback_of_each: bool,
) -> EntryView:
    """What the tutor said stands under the newest mistake; or under each, where a kind is looked at alone."""
    wrong_answer_views: list[WrongAnswerView] = []
    for wrong_response, wrong_answer in zip(shown_responses, wrong_answers, strict=True):
        if wrong_answer is not None:
            wrong_answer_views.append(
                wrong_answer_view(
                    course, wrong_response, wrong_answer, has_feedback_of_each or not wrong_answer_views
                )
            )
    lost_answer_count = len(wrong_answers) - len(wrong_answer_views)
    older_answer_count = notebook_entry.mistake_count - len(wrong_answers)
    return EntryView(
        another_question_url(course, notebook_entry),
        wrong_answer_views,
        lost_answer_count,
        older_answer_count,
    )


def another_question_url(course: Course, notebook_entry: NotebookEntry) -> str:
    """再来一道同类: another variant at the level of the mistake, or another question of the skill."""
    source_item = course.items[notebook_entry.wrong_responses[0].item_id]
    if notebook_entry.kind.exercise_id and isinstance(source_item, Generated):
        return exercise_url(notebook_entry.kind.exercise_id, source_item.level)
    return next_question_url(notebook_entry.kind.skill_id)


def wrong_answer_view(
    course: Course, wrong_response: WrongResponse, wrong_answer: WrongAnswer, has_feedback: bool
) -> WrongAnswerView:
    """One answer; what the tutor said to it is made again."""
    item_id = course.bare_id(wrong_answer.item_ref)
    item = course.variant(item_id, wrong_answer.seed)
    anchor_item_id = course.item_id_by_twin_id.get(item_id, item_id)
    wrong_answer_url = f"/attempts/{wrong_answer.attempt_id}#item-{anchor_item_id}"
    misconception_name = ""
    if wrong_response.misconception_code:
        misconception_name = named_misconception(wrong_response.misconception_code).name
    tutor_htmls: Sequence[Markup] = ()
    if has_feedback:
        tutor_htmls = feedback_htmls(course, item, wrong_answer)
    return WrongAnswerView(
        day_words(wrong_response.day),
        answer_line_html(course, item, wrong_answer.raw_answer),
        chosen_options_with_feedback(course, item, wrong_answer.raw_answer, has_feedback),
        misconception_name,
        tutor_htmls,
        wrong_answer_url,
    )


def chosen_options_with_feedback(
    course: Course, item: Item, raw_answer: Sequence[str], has_feedback: bool
) -> list[tuple[Markup, Markup]]:
    """Of a question with several right options those that were chosen, each with what is said to it; nothing
    of another kind."""
    if not isinstance(item, MultipleChoice):
        return []
    option_html_pairs = []
    for choice in item.choices:
        if choice.id in raw_answer:
            feedback_html = Markup()
            if has_feedback:
                feedback_html = text_html(course, choice.feedback)
            option_html_pairs.append((line_html(course, choice.text), feedback_html))
    return option_html_pairs


def feedback_htmls(course: Course, item: Item, wrong_answer: WrongAnswer) -> list[Markup]:
    """What the tutor said then; nothing where the item has changed since."""
    try:
        mark = item.mark(wrong_answer.raw_answer, wrong_answer.try_number)
    except Unreadable:
        return []
    if mark.verdict == "right":
        return []
    return text_htmls(course, mark.feedback)


def recurring_misconception_views(
    course: Course, learner_misconceptions: Sequence[LearnerMisconception]
) -> list[MisconceptionView]:
    """The mistakes that came back, the commonest ones."""
    recurring_misconceptions = [
        learner_misconception
        for learner_misconception in learner_misconceptions
        if learner_misconception.mistake_count > 1
    ]
    misconception_views = []
    for learner_misconception in recurring_misconceptions[:MOST_MISCONCEPTIONS]:
        hint_html = line_html(course, learner_misconception.hint)
        source_words = places_words(learner_misconception.mistake_count_by_source)
        misconception_views.append(
            MisconceptionView(
                learner_misconception, hint_html, source_words, day_words(learner_misconception.last_day)
            )
        )
    return misconception_views


def places_words(mistake_count_by_source: Mapping[str, int]) -> str:
    """Where a mistake was made; nothing while it was at questions only.

    >>> places_words({"cards": 2, "questions": 1}), places_words({"questions": 3})
    ('做题1次、闪卡2次', '')
    """
    if set(mistake_count_by_source) == {"questions"}:
        return ""
    count_clauses = []
    for attempt_source, source_word in WORD_BY_SOURCE.items():
        if attempt_source in mistake_count_by_source:
            count_clauses.append(f"{source_word}{mistake_count_by_source[attempt_source]}次")
    return "、".join(count_clauses)
