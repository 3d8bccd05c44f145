"""What the templates of 对账 are given."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.course.items.marks import Unreadable
from app.course.text.typed import AddressFields, last_value
from app.course.workbench.cells import PrintedFigure, read_printed
from app.course.workbench.checkup import WORDS_BY_ANSWER_BY_ATTRIBUTE
from app.course.workbench.documents import LineFault
from app.course.workbench.reconciling import (
    Evidence,
    MatchingConventions,
    Reconciliation,
    reconciliation_of,
)
from app.course.workbench.state import (
    WorkbenchState,
    fields_of_state,
    read_state,
)
from app.course.workbench.suspecting import Suspicion, suspicions
from app.course.workbench.wording import NAME_BY_AXIS, WORD_BY_ANSWER_BY_AXIS, answers_in_words, version_words
from app.engine.conventions import CONVENTIONS, COURSE
from app.engine.diagnosis import Diagnosis
from app.engine.misconceptions.table import MISCONCEPTIONS
from app.engine.reconciling import AXES, all_conventions
from app.engine.signatures import signature
from app.web.workbench.links import RECONCILE_PATH, WORKBENCH_PATH, reconcile_url, short_state_url
from app.web.workbench.matching_views import (
    AxisAnswers,
    ProbeView,
    axis_answers,
    library_names_words,
    probe_view,
)

MOST_FURTHER_LISTS = 3
"""Further lists that are run one after the other."""
FIELDS_WHOSE_FAULTS_ARE_SHOWN = frozenset({"list", "k", "pool", "printed"})
"""Fields whose faults are told; the others are of the workbench."""
MOST_OPEN_CONVENTIONS = 3
"""Conventions of no library that stand unfolded."""


class FurtherRound(NamedTuple):
    """A further list that a library was run on, and the figure that it printed."""

    probe: ProbeView
    figure_text: str


class LibraryView(NamedTuple):
    """A library with its signature, and what differs from ours: where the list shows it, and elsewhere."""

    name: str
    version: str
    signature: str
    visible_differences: Sequence[str]
    hidden_differences: Sequence[str]


class GroupView(NamedTuple):
    """Conventions that look alike on the list. `heading`: their libraries in a sentence;
    `is_own_reading`: only how they read grades and scores differs; `partly_open_axes`: axes on which
    several answers print the figure, with these; `hidden_axis_words`: of those on which all do."""

    libraries: Sequence[LibraryView]
    heading: str
    is_like_ours: bool
    is_own_reading: bool
    differences: Sequence[AxisAnswers]
    partly_open_axes: Sequence[str]
    hidden_axis_words: str
    signature: str


class DiagnosisView(NamedTuple):
    """The mistake that prints the figure; `names`: of several of which any one does."""

    name: str
    names: Sequence[str]
    diagnosis_words: str
    step: str


class SuspicionView(NamedTuple):
    """A small change of the list in words, the libraries that print the figure then, and the page of it."""

    suspicion_words: str
    library_words: str
    url: str


class ResultView(NamedTuple):
    """What prints the figure. `folded_groups`: conventions of no library beyond the first few."""

    printed_figure: PrintedFigure
    has_convention: bool
    library_groups: Sequence[GroupView]
    other_groups: Sequence[GroupView]
    folded_groups: Sequence[GroupView]
    mistake: DiagnosisView | None
    rounds: Sequence[FurtherRound]
    next_probe: ProbeView | None
    kept_fields: Sequence[tuple[str, str]]
    suspicions: Sequence[SuspicionView]
    tried_convention_count: int


class ReconcileView(NamedTuple):
    """The form as it was sent, with its faults, and what prints the figure. `is_unsaved`: no address holds
    what was typed."""

    path: str
    typed_fields: Mapping[str, str]
    line_faults: Sequence[LineFault]
    below_zero_words: str
    fault_by_field: Mapping[str, str]
    result: ResultView | None
    workbench_url: str
    is_unsaved: bool


def reconcile_view(address_fields: AddressFields, is_unsaved: bool = False) -> ReconcileView:
    """What `workbench/_reconcile.html` is given.

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
    typed_text_by_field = {"list": state_reading.typed_list_text, "pool": last_value(address_fields, "pool")}
    typed_text_by_field["printed"] = last_value(address_fields, "printed")
    typed_text_by_field["k"] = f"{workbench_state.k or last_value(address_fields, 'k')}"
    result_view = None
    if printed_figure and not fault_by_field:
        further_figure_texts = list(filter(str.strip, address_fields.get("again", ())))[:MOST_FURTHER_LISTS]
        reconciled_rounds = _reconcile_in_turn(
            _evidence_of(workbench_state, printed_figure), further_figure_texts
        )
        result_view = reconciliation_result_view(workbench_state, reconciled_rounds)
        if reconciled_rounds.fault:
            fault_by_field["again"] = reconciled_rounds.fault
    return ReconcileView(
        RECONCILE_PATH,
        typed_text_by_field,
        state_reading.pasted_list.faults,
        state_reading.state.pasted_list.below_zero_words,
        fault_by_field,
        result_view,
        short_state_url(workbench_state) or WORKBENCH_PATH,
        is_unsaved,
    )


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
    further_rounds: Sequence[FurtherRound]
    fault: str = ""


def _reconcile_in_turn(first_evidence: Evidence, further_figure_texts: Sequence[str]) -> ReconciledRounds:
    """Each further figure belongs to the list that was named after the one before."""
    evidence_list = [first_evidence]
    reconciliation = reconciliation_of(first_evidence)
    further_rounds: list[FurtherRound] = []
    for figure_text in further_figure_texts:
        probe = reconciliation.next_probe
        if probe is None:
            break
        try:
            printed_figure = read_printed(figure_text)
        except Unreadable as error:
            return ReconciledRounds(first_evidence, reconciliation, further_rounds, str(error))
        evidence_list.append(
            Evidence(probe.grades, printed_figure, probe.scores, probe.docs, probe.k, probe.pool)
        )
        reconciliation = reconciliation_of(*evidence_list)
        further_rounds.append(FurtherRound(probe_view(probe), printed_figure.signed_text))
    return ReconciledRounds(first_evidence, reconciliation, further_rounds)


def reconciliation_result_view(
    workbench_state: WorkbenchState, reconciled_rounds: ReconciledRounds
) -> ResultView:
    """What prints the figure of a list, and what else there is to say of it."""
    printed_figure = reconciled_rounds.first_evidence.printed_figure
    reconciliation, further_rounds = reconciled_rounds.reconciliation, reconciled_rounds.further_rounds
    library_groups, other_groups = [], []
    for matching_conventions in reconciliation.groups:
        if matching_conventions.presets:
            library_groups.append(group_view(matching_conventions, workbench_state.k))
        else:
            other_groups.append(group_view(matching_conventions, workbench_state.k))
    suspicion_views: list[SuspicionView] = []
    if not reconciliation.groups and not further_rounds:
        suspicion_views = [
            suspicion_view(suspicion, workbench_state, printed_figure)
            for suspicion in suspicions(reconciled_rounds.first_evidence)
        ]
    return ResultView(
        reconciliation.printed_figure,
        bool(reconciliation.groups),
        library_groups,
        other_groups[:MOST_OPEN_CONVENTIONS],
        other_groups[MOST_OPEN_CONVENTIONS:],
        diagnosis_view(reconciliation.diagnosis),
        further_rounds,
        next_probe_view(reconciliation, further_rounds),
        [*fields_of_state(workbench_state), ("printed", printed_figure.signed_text)],
        suspicion_views,
        len(all_conventions()),
    )


def group_view(matching_conventions: MatchingConventions, k: int | None) -> GroupView:
    """Conventions that look alike on the list: their libraries, and what differs from ours axis by axis."""
    partly_open_axes = [
        f"{NAME_BY_AXIS[axis]}：{answer_words_of(axis, matching_conventions)}"
        for axis in AXES
        if axis not in (*matching_conventions.different_axes, *matching_conventions.hidden_axes)
        and len(matching_conventions.answers_by_axis[axis]) > 1
    ]
    return GroupView(
        [library_view(preset, matching_conventions, k) for preset in matching_conventions.presets],
        library_names_words(matching_conventions.presets),
        not matching_conventions.different_axes and not matching_conventions.is_own_reading,
        matching_conventions.is_own_reading,
        [
            axis_answers(axis, answer_words_of(axis, matching_conventions))
            for axis in matching_conventions.different_axes
        ],
        partly_open_axes,
        "、".join(map(NAME_BY_AXIS.__getitem__, matching_conventions.hidden_axes)),
        signature(matching_conventions.nearest_convention, k),
    )


def answer_words_of(axis: str, matching_conventions: MatchingConventions) -> str:
    """What conventions that look alike answer on an axis."""
    return answers_in_words(axis, sorted(matching_conventions.answers_by_axis[axis]))


def library_view(preset: str, matching_conventions: MatchingConventions, k: int | None) -> LibraryView:
    """A library, and what of its convention differs from ours."""
    convention = CONVENTIONS[preset]
    visible_differences: list[str] = []
    hidden_differences: list[str] = []
    for axis in AXES:
        axis_answer = getattr(convention, axis)
        if axis_answer == getattr(COURSE, axis):
            continue
        answer_clause = f"{NAME_BY_AXIS[axis]}：{WORD_BY_ANSWER_BY_AXIS[axis][axis_answer]}"
        if axis in matching_conventions.hidden_axes:
            hidden_differences.append(answer_clause)
        else:
            visible_differences.append(answer_clause)
    if matching_conventions.is_own_reading:
        for field_name, words_by_answer in WORDS_BY_ANSWER_BY_ATTRIBUTE.items():
            visible_differences.append(words_by_answer[getattr(convention, field_name)])
    return LibraryView(
        convention.library,
        version_words(convention),
        signature(convention, k),
        visible_differences,
        hidden_differences,
    )


def diagnosis_view(diagnosis: Diagnosis | None) -> DiagnosisView | None:
    """The mistake that prints the figure, or the names of several."""
    if diagnosis is None:
        return None
    possible_names: list[str] = []
    if diagnosis.are_alternatives:
        possible_names = [MISCONCEPTIONS[misconception_id].name for misconception_id in diagnosis.ids]
    return DiagnosisView(diagnosis.name, possible_names, diagnosis.explanation, diagnosis.step)


def next_probe_view(
    reconciliation: Reconciliation, further_rounds: Sequence[FurtherRound]
) -> ProbeView | None:
    """The list to run next, unless it was run already."""
    if (
        reconciliation.next_probe is None
        or len(further_rounds) >= MOST_FURTHER_LISTS
        or not reconciliation.groups
    ):
        return None
    return probe_view(reconciliation.next_probe)


def suspicion_view(
    suspicion: Suspicion, workbench_state: WorkbenchState, printed_figure: PrintedFigure
) -> SuspicionView:
    """A small change of the list, and the page that shows it."""
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
    changed_url = reconcile_url(changed_state, printed_figure.signed_text)
    return SuspicionView(suspicion_words, library_names_words(suspicion.presets), changed_url)
