"""What the templates of the workbench are given."""

from dataclasses import dataclass, replace
from typing import Any

from app.course import Course
from app.course.learning.toys.setting import (
    HIGHEST_GRADE,
    MOST_CANDIES,
    MOST_CANDIES_IN_POOL,
    ToyReading,
    ToySetting,
)
from app.course.workbench import tasks
from app.course.workbench.evaluating import ListScores
from app.course.workbench.exchanging import best_swaps, state_in_order
from app.course.workbench.state import StateReading, WorkbenchState, address_fields, pool_text
from app.course.workbench.wording import change_words, convention_line, grammar, short_name
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.signatures import signature
from app.web.learning import toy_views
from app.web.learning.toy_views import ToyPlace
from app.web.site.site import Site
from app.web.workbench.card_views import card_view
from app.web.workbench.links import PATH, link, qr_link, short_link

Context = dict[str, Any]
MOST_OPEN_TERMS = 20
"""So many ranks are open; the others are folded."""
MOST_MOVABLE = 60
"""Of a longer list no document has buttons of its own."""
GAIN_NAMES = {"linear": "线性", "exponential": "指数"}
DISCOUNT_NAMES = {"log2": "1/log₂(名次+1)", "jk2002": "1/log₂名次", "reciprocal": "1/名次", "none": "不打折"}


@dataclass(frozen=True)
class WorkbenchRow(ToyPlace):
    """The movable row on the workbench; what the address says beside the row stands in `kept_fields`."""

    page_url: str = PATH
    kept_fields: tuple[tuple[str, str], ...] = ()

    @property
    def fields(self) -> list[tuple[str, str]]:
        return [*self.kept_fields]


def board_view(site: Site, course: Course, reading: StateReading, site_address: str) -> Context:
    """The context of `workbench/_board.html`; what is sent to others begins with `site_address`."""
    state = reading.state
    shared_url = short_link(state)
    board: Context = {
        **form_view(reading),
        "line_faults": reading.listed.faults,
        "more_faults": reading.listed.more_fault_count,
        "faults": reading.faults,
        "signature": signature(state.convention, state.k),
        "line": convention_line(state.convention, state.k),
        "library": library_name(state.convention),
        "shared": shared_url,
        "shared_address": f"{site_address}{shared_url}",
        "qr": qr_link(state),
        "hidden": dict(address_fields(state)),
        "result": None,
        "refusal": "",
        "typed_documents": bool(state.documents),
        "documents": len(state.documents),
        "grammar": grammar(),
    }
    if not state.documents:
        return board
    scores = ListScores(state)
    board["refusal"] = scores.refusal(state.convention)
    board.update(card_view(course, scores))
    if not board["refusal"]:
        board.update(result_view(scores))
        board.update(row_view(site, course, scores))
        board["swaps"] = swaps_view(scores)
    return board


def form_view(reading: StateReading) -> Context:
    """The fields as they were typed, or as they are in the address."""
    state = reading.state
    fields = dict(address_fields(state))
    hidden_fields = {field: fields[field] for field in ("convention", "versus") if field in fields}
    return {
        "typed": reading.typed,
        "k": reading.unread.get("k", state.k or ""),
        "depth": state.k,
        "pool": reading.unread.get("pool", pool_text(state.grades_beyond)),
        "unread_signature": reading.unread.get("convention", ""),
        "gain": state.convention.gain,
        "discount": state.convention.discount,
        "gains": GAIN_NAMES,
        "discounts": DISCOUNT_NAMES,
        "form_hidden": hidden_fields,
    }


def library_name(convention: Convention) -> str:
    """Whose convention it is; nothing for one that no library has."""
    if convention.name in CONVENTIONS:
        return short_name(convention)
    return ""


def result_view(scores: ListScores) -> Context:
    """The figure with its terms."""
    convention = scores.state.convention
    ndcg = scores.value(convention)
    terms = scores.terms(convention)
    ideal_terms = scores.ideal_terms(convention)
    tallest_term = max([1e-9, *(term.value for term in terms), *(term.value for term in ideal_terms)])
    return {
        "result": {
            "ndcg": ndcg,
            "dcg": scores.dcg(convention),
            "idcg": scores.idcg(convention),
            "range": scores.range(convention),
        },
        "terms": terms,
        "ideal_terms": ideal_terms,
        "open_terms": MOST_OPEN_TERMS,
        "tallest": tallest_term,
        "counted": len(terms),
        "tied": scores.has_ties,
        "averaged": convention.ties == "average" and scores.has_ties,
    }


def row_view(site: Site, course: Course, scores: ListScores) -> Context:
    """The row in the hand: the movable candies of the lessons, or buttons for a longer list."""
    state = scores.state
    ordered_state = state_in_order(scores, state.convention)
    setting = setting_of(ordered_state)
    is_short = 1 < len(state.documents) <= MOST_MOVABLE
    view: Context = {"toy_html": None, "movable": is_short and setting is None}
    if setting is not None:
        fields = [field for field in address_fields(ordered_state) if field[0] != "k"]
        workbench_row = WorkbenchRow(
            start=setting, handles=frozenset({"order", "grade"}), kept_fields=tuple(fields)
        )
        toy = toy_views.view_toy(course, workbench_row, ToyReading(setting), {})
        view["toy_html"] = toy_views.render_toy(site, toy)
    ndcg = scores.value(state.convention)
    view["task"] = None
    if state.task and ndcg is not None:
        view["task"] = tasks.TASK_WORDS[state.task]
        view["standing"] = tasks.standing(state, ordered_state, ndcg)
        view["task_start"] = link(with_start(ordered_state))
        view["task_end"] = link(replace(state, task="", start=()))
    view["tasks"] = task_links(scores, ordered_state)
    return view


def with_start(state: WorkbenchState) -> WorkbenchState:
    """The list as it stood when its task was given."""
    unplaced_documents = list(state.documents)
    documents = []
    for present_document, grade in zip(state.documents, state.start, strict=True):
        former_document = next(document for document in unplaced_documents if document.grade == grade)
        unplaced_documents.remove(former_document)
        documents.append(former_document._replace(score=present_document.score))
    return replace(state, documents=tuple(documents))


def task_links(scores: ListScores, ordered_state: WorkbenchState) -> dict[str, str]:
    """Words of a task → the page that gives it, if it can be done and an address holds the list."""
    links = {}
    for task, words in tasks.TASK_WORDS.items():
        if not tasks.can_be_done(task, scores, ordered_state):
            continue
        state = replace(ordered_state, task=task, start=tuple(ordered_state.listed.grades))
        url = short_link(state)
        if url is not None:
            links[words] = url
    return links


def setting_of(ordered_state: WorkbenchState) -> ToySetting | None:
    """The list as a movable row; None where it has too many candies, or is counted as no row can show."""
    convention = ordered_state.convention
    grades = ordered_state.listed.grades
    pool = ordered_state.listed.pool
    if (convention.discount, convention.cut) != ("log2", "k") or convention.decimals is not None:
        return None
    if not 2 <= len(grades) <= MOST_CANDIES or len(pool) > MOST_CANDIES_IN_POOL:
        return None
    for grade in pool:
        if grade is None or grade != int(grade) or grade > HIGHEST_GRADE:
            return None
    setting_fields: dict[str, Any] = {"row": grades, "gain": convention.gain}
    if ordered_state.grades_beyond and convention.pool == "judged":
        setting_fields["pool"] = pool
    if ordered_state.k is not None:
        if ordered_state.k > MOST_CANDIES:
            return None
        setting_fields["k"] = ordered_state.k
    return ToySetting(**setting_fields)


def swaps_view(scores: ListScores) -> list[Context]:
    """The swaps worth most, each with the way to the list after it."""
    views: list[Context] = []
    for swap in best_swaps(scores, scores.state.convention):
        change = change_words(swap.delta_ndcg)
        views.append({"swap": swap, "url": short_link(swap.after), "change": change})
    return views
