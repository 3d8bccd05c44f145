"""What the templates of 对账 are given."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.course.items.marks import Unreadable
from app.course.text.typed import AddressFields, last_value
from app.course.workbench.cells import PrintedFigure, read_printed
from app.course.workbench.checkup import WORDS_BY_ANSWER_BY_ATTRIBUTE
from app.course.workbench.reconciling import (
    Evidence,
    MatchingConventions,
    Reconciliation,
    reconciliation_of,
)
from app.course.workbench.snippets import list_line
from app.course.workbench.state import (
    WorkbenchState,
    fields_of_state,
    fits_in_address,
    read_state,
)
from app.course.workbench.suspecting import Suspicion, suspicions
from app.course.workbench.wording import NAME_BY_AXIS, WORD_BY_ANSWER_BY_AXIS, answers_in_words, version_words
from app.engine.conventions import CONVENTIONS, COURSE
from app.engine.diagnosis import Diagnosis
from app.engine.misconceptions.table import MISCONCEPTIONS
from app.engine.probing import Probe
from app.engine.reconciling import AXES, all_conventions
from app.engine.signatures import signature
from app.web.site.responses import Context
from app.web.workbench.links import RECONCILE_PATH, WORKBENCH_PATH, reconcile_url, short_state_url

MOST_FURTHER_LISTS = 3
"""Further lists that are run one after the other."""
FIELDS_WHOSE_FAULTS_ARE_SHOWN = frozenset({"list", "k", "pool", "printed"})
"""Fields whose faults are told; the others are of the workbench."""
MOST_OPEN_CONVENTIONS = 3
"""Conventions of no library that stand unfolded."""
MOST_NAMED_LIBRARIES = 4
"""Libraries in a sentence."""
WELL_KNOWN_PRESETS = (
    "scikit-learn",
    "trec_eval",
    "pytrec_eval",
    "lightgbm",
    "xgboost",
    "ranx",
    "torchmetrics",
    "catboost",
)
_FUNCTION_NAME_PATTERN = re.compile("[ （](?:ndcg|NDCG|nDCG|retrieval_|rank_eval|ir_measures)|（")


def reconcile_view(address_fields: AddressFields) -> Context:
    """The context of `workbench/_reconcile.html`: the form as it was sent, and what prints the figure.

    A figure that was copied with its cut-off brings it, where none was typed.
    """
    printed_figure, figure_fault = _printed_figure_and_fault(address_fields)
    cutoff_of_figure = printed_figure and printed_figure.cutoff
    if cutoff_of_figure is not None and not last_value(address_fields, "k").strip():
        address_fields = {**address_fields, "k": [f"{cutoff_of_figure}"]}
    state_reading = read_state(address_fields)
    workbench_state = state_reading.state
    fault_by_field = dict(state_reading.fault_by_field)
    if cutoff_of_figure not in (None, workbench_state.k):
        fault_by_field.setdefault("k", f"抄来的数写着@{cutoff_of_figure}，和这里的k不一样：看看哪个对。")
    if figure_fault:
        fault_by_field["printed"] = figure_fault
    for field_name in fault_by_field.keys() - FIELDS_WHOSE_FAULTS_ARE_SHOWN:
        del fault_by_field[field_name]
    typed_text_by_field = {"list": state_reading.typed_list}
    for field_name in ("printed", "k", "pool"):
        typed_text_by_field[field_name] = last_value(address_fields, field_name)
    result = None
    if printed_figure and not fault_by_field:
        further_figures = list(filter(str.strip, address_fields.get("again", ())))[:MOST_FURTHER_LISTS]
        rounds = _reconcile_in_turn(_evidence_of(workbench_state, printed_figure), further_figures)
        result = result_view(workbench_state, rounds)
        if rounds.fault:
            fault_by_field["again"] = rounds.fault
    return {
        "path": RECONCILE_PATH,
        "typed_fields": typed_text_by_field,
        "line_faults": state_reading.pasted_list.faults,
        "below_zero_words": state_reading.state.pasted_list.below_zero_words,
        "faults": fault_by_field,
        "result": result,
        "workbench_url": short_state_url(workbench_state) or WORKBENCH_PATH,
        "method": "get" if fits_in_address(workbench_state) else "post",
    }


def _printed_figure_and_fault(address_fields: AddressFields) -> tuple[PrintedFigure | None, str]:
    """The figure of an address, or what is wrong with it; nothing where none was sent."""
    if "printed" not in address_fields:
        return None, ""
    try:
        return read_printed(last_value(address_fields, "printed")), ""
    except Unreadable as error:
        return None, f"{error}"


def _evidence_of(workbench_state: WorkbenchState, printed_figure: PrintedFigure) -> Evidence:
    pasted_list = workbench_state.pasted_list
    return Evidence(
        pasted_list.written_grades,
        printed_figure,
        pasted_list.scores,
        pasted_list.unique_titles,
        workbench_state.k,
        workbench_state.written_pool,
    )


class ReconciledRounds(NamedTuple):
    """What prints the figure of a list, and those of the lists that were named in turn.

    `further_rounds`: each of these with its figure; `fault`: why one of the figures could not be read.
    """

    first_evidence: Evidence
    reconciliation: Reconciliation
    further_rounds: Sequence[Context]
    fault: str = ""


def _reconcile_in_turn(first_evidence: Evidence, further_figures: Sequence[str]) -> ReconciledRounds:
    """Each further figure belongs to the list that was named after the one before."""
    evidence_list = [first_evidence]
    reconciliation = reconciliation_of(first_evidence)
    further_rounds: list[Context] = []
    for text in further_figures:
        probe = reconciliation.next_probe
        if probe is None:
            break
        try:
            printed_figure = read_printed(text)
        except Unreadable as error:
            return ReconciledRounds(first_evidence, reconciliation, further_rounds, str(error))
        evidence_list.append(
            Evidence(probe.grades, printed_figure, probe.scores, probe.docs, probe.k, probe.pool)
        )
        reconciliation = reconciliation_of(*evidence_list)
        further_rounds.append({"probe": probe_view(probe), "figure_text": printed_figure.text})
    return ReconciledRounds(first_evidence, reconciliation, further_rounds)


def result_view(workbench_state: WorkbenchState, rounds: ReconciledRounds) -> Context:
    """What prints the figure of a list, and what else there is to say of it."""
    printed_figure = rounds.first_evidence.printed_figure
    reconciliation, further_rounds = rounds.reconciliation, rounds.further_rounds
    library_groups, other_groups = [], []
    for group in reconciliation.groups:
        if group.presets:
            library_groups.append(group_view(group, workbench_state.k))
        else:
            other_groups.append(group_view(group, workbench_state.k))
    suspicion_views: list[Context] = []
    if not reconciliation.groups and not further_rounds:
        suspicion_views = [
            suspicion_view(suspicion, workbench_state, printed_figure)
            for suspicion in suspicions(rounds.first_evidence)
        ]
    return {
        "printed_figure": reconciliation.printed_figure,
        "has_convention": bool(reconciliation.groups),
        "library_groups": library_groups,
        "other_groups": other_groups[:MOST_OPEN_CONVENTIONS],
        "folded_groups": other_groups[MOST_OPEN_CONVENTIONS:],
        "mistake": diagnosis_view(reconciliation.diagnosis),
        "rounds": further_rounds,
        "next_probe": next_probe_view(reconciliation, further_rounds),
        "kept_fields": [
            *fields_of_state(workbench_state),
            ("printed", printed_figure.text + "%" * printed_figure.is_in_percent),
        ],
        "suspicions": suspicion_views,
        "tried_convention_count": len(all_conventions()),
    }


def group_view(group: MatchingConventions, k: int | None) -> Context:
    """Conventions that look alike on the list: their libraries, and what differs from ours axis by axis."""
    partly_open_axes = []
    for axis in AXES:
        if axis not in (*group.different_axes, *group.hidden_axes) and len(group.answers_by_axis[axis]) > 1:
            answer_words = answers_in_words(axis, sorted(group.answers_by_axis[axis]))
            partly_open_axes.append(f"{NAME_BY_AXIS[axis]}：{answer_words}")
    return {
        "libraries": [library_view(preset, group, k) for preset in group.presets],
        "heading": library_names_words(group.presets),
        "is_like_ours": not group.different_axes and not group.is_own_reading,
        "is_own_reading": group.is_own_reading,
        "differences": [axis_difference(axis, group.answers_by_axis[axis]) for axis in group.different_axes],
        "partly_open_axes": partly_open_axes,
        "hidden_axis_names": "、".join(map(NAME_BY_AXIS.__getitem__, group.hidden_axes)),
        "signature": signature(group.nearest_convention, k),
    }


def axis_difference(axis: str, answers: frozenset[str]) -> Context:
    """An axis, what is answered there, and what we answer."""
    return {
        "axis_name": NAME_BY_AXIS[axis],
        "their_answer": answers_in_words(axis, sorted(answers)),
        "our_answer": WORD_BY_ANSWER_BY_AXIS[axis][getattr(COURSE, axis)],
    }


def library_view(preset: str, group: MatchingConventions, k: int | None) -> Context:
    """A library with its signature, and what differs from ours: where this list shows it, and elsewhere."""
    convention = CONVENTIONS[preset]
    visible_differences: list[str] = []
    hidden_differences: list[str] = []
    for axis in AXES:
        answer = getattr(convention, axis)
        if answer == getattr(COURSE, axis):
            continue
        answer_clause = f"{NAME_BY_AXIS[axis]}：{WORD_BY_ANSWER_BY_AXIS[axis][answer]}"
        if axis in group.hidden_axes:
            hidden_differences.append(answer_clause)
        else:
            visible_differences.append(answer_clause)
    if group.is_own_reading:
        for field_name, readings in WORDS_BY_ANSWER_BY_ATTRIBUTE.items():
            visible_differences.append(readings[getattr(convention, field_name)])
    return {
        "name": convention.library,
        "version": version_words(convention),
        "signature": signature(convention, k),
        "visible_differences": visible_differences,
        "hidden_differences": hidden_differences,
    }


def diagnosis_view(diagnosis: Diagnosis | None) -> Context | None:
    """The mistake that prints the figure, or the names of several."""
    if diagnosis is None:
        return None
    misconception_names = [
        MISCONCEPTIONS[misconception_id].name for misconception_id in diagnosis.possible_ids
    ]
    return {
        "name": diagnosis.name,
        "names": misconception_names,
        "words": diagnosis.explanation,
        "step": diagnosis.step,
    }


def next_probe_view(reconciliation: Reconciliation, further_rounds: Sequence[Context]) -> Context | None:
    """The list to run next, unless it was run already."""
    if (
        reconciliation.next_probe is None
        or len(further_rounds) >= MOST_FURTHER_LISTS
        or not reconciliation.groups
    ):
        return None
    return probe_view(reconciliation.next_probe)


def probe_view(probe: Probe) -> Context:
    """A list to run a library on, as a table and as a line of a program."""
    unlisted_grades = probe.pool[len(probe.grades) :]
    return {
        "rows": list(zip(probe.docs, probe.grades, probe.scores, strict=True)),
        "unlisted_grades": "、".join(map(str, unlisted_grades)),
        "k": probe.k,
        "code_line": list_line(probe).strip().rstrip(","),
    }


def suspicion_view(
    suspicion: Suspicion, workbench_state: WorkbenchState, printed_figure: PrintedFigure
) -> Context:
    """A small change of the list in words, and the page that shows it."""
    unlisted_grades = tuple(
        sorted([*workbench_state.unlisted_grades, *suspicion.unlisted_grades], reverse=True)
    )
    changed_state = replace(workbench_state, k=suspicion.k, unlisted_grades=unlisted_grades)
    if suspicion.unlisted_grades:
        suspicion_words = (
            f"评判池里还有{len(suspicion.unlisted_grades)}篇甜度{suspicion.unlisted_grades[0]:g}的没写上"
        )
    elif suspicion.k is None:
        suspicion_words = "别处没有截断"
    else:
        suspicion_words = f"别处的k是{suspicion.k}"
    return {
        "words": suspicion_words,
        "libraries": library_names_words(suspicion.presets),
        "url": reconcile_url(changed_state, printed_figure.text),
    }


def library_names_words(presets: Sequence[str]) -> str:
    """Some libraries in a sentence, those that most people use first.

    >>> library_names_words(["course", "scikit-learn", "ranx", "ranx-burges", "lightgbm", "xgboost"])
    'scikit-learn、LightGBM、XGBoost、ranx等5家'
    """
    library_names: dict[str, None] = {}
    for preset in sorted(presets, key=_rank_of_fame):
        library_names[without_function(CONVENTIONS[preset].library)] = None
    sentence = "、".join(list(library_names)[:MOST_NAMED_LIBRARIES])
    if len(library_names) > MOST_NAMED_LIBRARIES:
        sentence += f"等{len(library_names)}家"
    return sentence


def without_function(library: str) -> str:
    """A library without the name of its function.

    >>> [without_function(name) for name in ("scikit-learn ndcg_score", "CatBoost NDCG:type=Exp", "糖序")]
    ['scikit-learn', 'CatBoost', '糖序']
    """
    return _FUNCTION_NAME_PATTERN.split(library)[0]


def _rank_of_fame(preset: str) -> int:
    return (*WELL_KNOWN_PRESETS, *CONVENTIONS).index(preset)
