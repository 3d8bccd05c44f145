"""What the templates of the workbench are given."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from app.course import Course
from app.course.items.printed_figures import STEP_DECIMALS
from app.course.items.solutions import dividend_and_divisor_texts
from app.course.learning.toys.setting import (
    HIGHEST_GRADE,
    MOST_CANDIES,
    MOST_CANDIES_IN_POOL,
    ToyReading,
    ToySetting,
)
from app.course.workbench import tasks
from app.course.workbench.comparing import are_same_figure
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.exchanging import ValuedSwap, best_swaps, state_in_order
from app.course.workbench.state import StateReading, WorkbenchState, fields_of_state
from app.course.workbench.tasks import TaskStanding
from app.course.workbench.wording import (
    WORD_BY_ANSWER_BY_AXIS,
    change_text,
    convention_line,
    grammar,
    short_name,
)
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.cumulative import NdcgRange
from app.engine.scoring import counts_as_empty
from app.engine.signatures import signature
from app.web.learning import toy_views
from app.web.learning.toy_views import CandyMove, ToyPlace
from app.web.site.responses import Context
from app.web.site.site import Site
from app.web.workbench.convention_card_views import convention_card_view
from app.web.workbench.links import WORKBENCH_PATH, qr_code_url, short_state_url, state_url

MOST_OPEN_TERMS = 20
"""So many ranks are open; the others are folded."""
MOST_MOVABLE_DOCUMENTS = 60
"""Of a longer list no document has buttons of its own."""


@dataclass(frozen=True)
class WorkbenchRow(ToyPlace):
    """The movable row on the workbench; what the address says beside the row stands in `kept_fields`.

    Without a script a press goes with the form of the list: what is typed there and not counted yet stays.
    `is_whole`: whether that list could be read; of another one the rest is moved.
    """

    page_url: str = WORKBENCH_PATH
    kept_fields: tuple[tuple[str, str], ...] = ()
    is_whole: bool = True

    @property
    def form_id(self) -> str:
        if self.is_whole:
            return "workbench-form"
        return super().form_id

    @property
    def page_fields(self) -> list[tuple[str, str]]:
        return [*self.kept_fields]

    def move_for(self, toy_setting: ToySetting, change_field: tuple[str, str]) -> CandyMove:
        return CandyMove(self.url(toy_setting), *change_field)


def workbench_view(
    site: Site, course: Course, state_reading: StateReading, site_address: str, is_unsaved: bool
) -> Context:
    """The context of `workbench/_workbench.html`; what is sent to others begins with `site_address`.
    `is_unsaved`: no address shows again what was typed."""
    workbench_state = state_reading.state
    shared_url = short_state_url(workbench_state)
    context: Context = {
        **list_form_view(state_reading),
        "line_faults": state_reading.pasted_list.faults,
        "below_zero_words": state_reading.state.pasted_list.below_zero_words,
        "more_fault_count": state_reading.pasted_list.more_fault_count,
        "faults": state_reading.fault_by_field,
        "signature": signature(workbench_state.convention, workbench_state.k),
        "convention_line": convention_line(workbench_state.convention, workbench_state.k),
        "library_name": library_name(workbench_state.convention),
        "is_unsaved": is_unsaved,
        "short_url": shared_url,
        "short_address": f"{site_address}{shared_url}",
        "qr_url": qr_code_url(workbench_state),
        "state_fields": dict(fields_of_state(workbench_state)),
        "result": None,
        "refusal": "",
        "has_documents": bool(workbench_state.documents),
        "document_count": len(workbench_state.documents),
        "grammar": grammar(),
    }
    if not workbench_state.documents:
        return context
    evaluation = ListEvaluation(workbench_state)
    context["refusal"] = evaluation.refusal_words(workbench_state.convention)
    context.update(convention_card_view(course, evaluation))
    if not context["refusal"]:
        context.update(list_result_view(evaluation))
        context.update(row_view(site, course, evaluation, state_reading.is_whole))
        context["swaps"] = views_of_swaps(evaluation)
    return context


def list_form_view(state_reading: StateReading) -> Context:
    """The fields as they were typed, or as they are in the address."""
    workbench_state = state_reading.state
    state_text_by_field = dict(fields_of_state(workbench_state))
    kept_text_by_field = {
        field_name: state_text_by_field[field_name]
        for field_name in ("convention", "versus", "task", "start")
        if field_name in state_text_by_field
    }
    return {
        "typed_list_text": state_reading.typed_list_text,
        "typed_k": state_reading.unread_text_by_field.get("k", workbench_state.k or ""),
        "k": workbench_state.k,
        "typed_pool_text": state_reading.unread_text_by_field.get("pool", state_reading.typed_pool_text),
        "unread_signature": state_reading.unread_text_by_field.get("convention", ""),
        "gain": workbench_state.convention.gain,
        "discount": workbench_state.convention.discount,
        "gain_names": WORD_BY_ANSWER_BY_AXIS["gain"],
        "discount_names": WORD_BY_ANSWER_BY_AXIS["discount"],
        "kept_fields": kept_text_by_field,
    }


def library_name(convention: Convention) -> str:
    """Whose convention it is; nothing for one that no library has."""
    if convention.name in CONVENTIONS:
        return short_name(convention)
    return ""


class ListFigures(NamedTuple):
    """What is computed of a list. `ndcg_text`: with no more decimals than a library prints;
    `dividend_and_divisor_texts`: DCG and IDCG, to be divided on paper; `is_empty`: whether the ideal is none
    to divide by; `range`: of all its orders.
    """

    ndcg: float | None
    ndcg_text: str
    dividend_and_divisor_texts: tuple[str, str]
    idcg: float
    is_empty: bool
    range: NdcgRange


def list_result_view(evaluation: ListEvaluation) -> Context:
    """The figure with its terms."""
    convention = evaluation.state.convention
    ranked_terms = evaluation.terms(convention)
    return {
        "result": figures_of_list(evaluation, convention),
        "terms": ranked_terms,
        "ideal_terms": evaluation.ideal_terms(convention),
        "most_open_terms": MOST_OPEN_TERMS,
        "counted_rank_count": len(ranked_terms),
        "has_ties": evaluation.has_ties,
        "has_averaged_ties": convention.ties == "average" and evaluation.has_ties,
    }


def figures_of_list(evaluation: ListEvaluation, convention: Convention) -> ListFigures:
    """The figures of a list, as they are printed above its row."""
    ndcg, ideal_dcg = evaluation.ndcg(convention), evaluation.idcg(convention)
    decimal_count = STEP_DECIMALS
    if convention.decimals is not None:
        decimal_count = min(decimal_count, convention.decimals)
    ndcg_text = ""
    if ndcg is not None:
        ndcg_text = f"{ndcg:.{decimal_count}f}"
    return ListFigures(
        ndcg,
        ndcg_text,
        dividend_and_divisor_texts(evaluation.dcg(convention), ideal_dcg, ndcg or 0.0, decimal_count),
        ideal_dcg,
        counts_as_empty(ideal_dcg, convention),
        evaluation.ndcg_range(convention),
    )


def row_view(site: Site, course: Course, evaluation: ListEvaluation, is_whole: bool) -> Context:
    """The row in the hand: the movable candies of the lessons, or buttons for a longer list."""
    workbench_state = evaluation.state
    ordered_state = state_in_order(evaluation, workbench_state.convention)
    ndcg = evaluation.ndcg(workbench_state.convention)
    toy_setting = setting_of(ordered_state)
    if toy_setting is not None and not are_same_figure(toy_setting.trace.ndcg, ndcg):
        toy_setting = None  # averaged ties, or an ideal of 0 that does not count 0
    is_short = 1 < len(workbench_state.documents) <= MOST_MOVABLE_DOCUMENTS
    context: Context = {"toy_html": None, "is_movable": is_short and toy_setting is None}
    if toy_setting is not None:
        state_fields = [field for field in fields_of_state(ordered_state) if field[0] != "k"]
        workbench_row = WorkbenchRow(
            start_setting=toy_setting,
            handles=frozenset({"order", "grade"}),
            kept_fields=tuple(state_fields),
            is_whole=is_whole,
        )
        toy_view = toy_views.toy_view_of(course, workbench_row, ToyReading(toy_setting), {})
        context["toy_html"] = toy_views.render_toy(site, toy_view)
    context["task"], context["url_by_task_sentence"] = None, {}
    if are_same_figure(tasks.ndcg_of(ordered_state, ordered_state.pasted_list.grades), ndcg):
        context["task"] = list_task_view(evaluation, ordered_state)
        context["url_by_task_sentence"] = url_by_task_sentence(evaluation, ordered_state)
    return context


class TaskView(NamedTuple):
    """A task at work: how far it is done, the list as it was when it was given, and the list without it."""

    task_sentence: str
    standing: TaskStanding
    start_url: str
    end_url: str


def list_task_view(evaluation: ListEvaluation, ordered_state: WorkbenchState) -> TaskView | None:
    """The task of the address, where the list has a figure."""
    workbench_state = evaluation.state
    ndcg = evaluation.ndcg(workbench_state.convention)
    if not workbench_state.task or ndcg is None:
        return None
    return TaskView(
        tasks.SENTENCE_BY_TASK[workbench_state.task],
        tasks.task_standing(workbench_state, ordered_state, ndcg),
        state_url(state_at_start(ordered_state)),
        state_url(replace(workbench_state, task="", start_grades=())),
    )


def state_at_start(workbench_state: WorkbenchState) -> WorkbenchState:
    """The list as it stood when its task was given."""
    unplaced_documents = list(workbench_state.documents)
    documents = []
    for present_document, grade in zip(workbench_state.documents, workbench_state.start_grades, strict=True):
        former_document = next(document for document in unplaced_documents if document.judged_grade == grade)
        unplaced_documents.remove(former_document)
        documents.append(former_document._replace(score=present_document.score))
    return replace(workbench_state, documents=tuple(documents))


def url_by_task_sentence(evaluation: ListEvaluation, ordered_state: WorkbenchState) -> dict[str, str]:
    """The sentence of a task → the page that gives it, if it can be done and an address holds the list."""
    url_by_sentence = {}
    for task, task_sentence in tasks.SENTENCE_BY_TASK.items():
        if not tasks.can_be_done(task, evaluation, ordered_state):
            continue
        workbench_state = replace(
            ordered_state, task=task, start_grades=tuple(ordered_state.pasted_list.grades)
        )
        list_url = short_state_url(workbench_state)
        if list_url is not None:
            url_by_sentence[task_sentence] = list_url
    return url_by_sentence


def setting_of(ordered_state: WorkbenchState) -> ToySetting | None:
    """The list as a movable row; None where it has too many candies, or is counted as no row can show."""
    convention = ordered_state.convention
    grades = ordered_state.pasted_list.grades
    pool = ordered_state.pasted_list.pool
    if (convention.discount, convention.cut) != ("log2", "k") or convention.decimals is not None:
        return None
    if not 2 <= len(grades) <= MOST_CANDIES or len(pool) > MOST_CANDIES_IN_POOL:
        return None
    for grade in pool:
        if grade is None or grade != int(grade) or grade > HIGHEST_GRADE:
            return None
    setting_fields: dict[str, Any] = {"row": grades, "gain": convention.gain}
    if ordered_state.unlisted_grades and convention.pool == "judged":
        setting_fields["pool"] = pool
    if ordered_state.k is not None:
        if ordered_state.k > MOST_CANDIES:
            return None
        setting_fields["k"] = ordered_state.k
    return ToySetting(**setting_fields)


class SwapView(NamedTuple):
    """A swap of two documents, and what it changes in words."""

    swap: ValuedSwap
    change_text: str


def views_of_swaps(evaluation: ListEvaluation) -> list[SwapView]:
    """The swaps worth most."""
    valued_swaps = best_swaps(evaluation, evaluation.state.convention)
    return [SwapView(valued_swap, change_text(valued_swap.delta_ndcg)) for valued_swap in valued_swaps]
