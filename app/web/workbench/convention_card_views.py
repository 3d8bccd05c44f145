"""The convention card: every library with its figure, and the way to one of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.course import Course
from app.course.workbench.comparing import (
    AxisChange,
    ConventionCard,
    ConventionComparison,
    FigureGroup,
    are_same_figure,
    compare_conventions,
    convention_card_of,
)
from app.course.workbench.evaluating import UNKNOWN_BELOW_ZERO_WORDS, ListEvaluation
from app.course.workbench.wording import (
    HELP_BY_AXIS,
    NAME_BY_ANY_AXIS,
    answer_words,
    change_text,
    short_name,
    version_words,
)
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.signatures import named_convention, signature
from app.web.site.responses import Context
from app.web.workbench.links import short_state_url

PRESETS_COMPARED_FIRST = ("scikit-learn", "trec_eval", "lightgbm", "xgboost", "catboost")
"""With these a list is compared first, where nobody has asked for another one."""


def convention_card_view(course: Course, evaluation: ListEvaluation) -> Context:
    """Every library, and the way to one of them in detail."""
    convention_card = convention_card_of(evaluation)
    our_convention = evaluation.state.convention
    context: Context = {
        "figure_groups": [
            printed_figure_row(evaluation, figure_group) for figure_group in convention_card.groups
        ],
        "refusals": [
            listed_library(convention, refusal)
            for convention, refusal in convention_card.conventions_with_refusals
        ],
        "is_unanimous": convention_card.is_unanimous,
        "comparison": None,
    }
    their_convention = compared_convention(evaluation, convention_card)
    if their_convention is not None and not evaluation.refusal_words(our_convention):
        context["comparison"] = comparison_view(course, evaluation, their_convention)
    return context


def compared_convention(evaluation: ListEvaluation, convention_card: ConventionCard) -> Convention | None:
    """The library that is compared in detail: the one asked for, else the first with another figure."""
    workbench_state = evaluation.state
    if workbench_state.compared_preset:
        their_convention = CONVENTIONS[workbench_state.compared_preset]
        if evaluation.refusal_words(their_convention):
            return None
        return their_convention
    ndcg = evaluation.ndcg(workbench_state.convention)
    computing_conventions: list[Convention] = []
    for figure_group in convention_card.groups:
        computing_conventions += figure_group.conventions
    presets = dict.fromkeys([*PRESETS_COMPARED_FIRST, *CONVENTIONS])
    for convention in [CONVENTIONS[preset] for preset in presets]:
        if convention in computing_conventions and not are_same_figure(evaluation.ndcg(convention), ndcg):
            return convention
    return None


class ListedLibrary(NamedTuple):
    """A library, with the `preset` that names it where it is compared in detail. `refusal`: why it prints
    nothing for the list; `is_unknown`: nobody knows what it prints."""

    name: str
    full_name: str
    preset: str
    version: str
    decimals_words: str
    refusal: str
    is_unknown: bool


class AxisStep(NamedTuple):
    """One answer changed, in words; with what the course has of the axis, where it is told in detail."""

    axis_name: str
    answer_before: str
    answer_after: str
    ndcg_change: float | None
    change_text: str
    ndcg: float | None
    lesson_link: tuple[str, str] | None = None
    case_link: tuple[str, str] | None = None
    practice_url: str | None = None


class PrintedFigureRow(NamedTuple):
    """A figure, who prints it, and in what it differs from ours."""

    figure: float | None
    is_ours: bool
    libraries: Sequence[ListedLibrary]
    axis_steps: Sequence[AxisStep]


def printed_figure_row(evaluation: ListEvaluation, figure_group: FigureGroup) -> PrintedFigureRow:
    """A row of the card."""
    our_convention = evaluation.state.convention
    first_convention = figure_group.conventions[0]
    is_ours = False
    convention_comparison = ConventionComparison((), ())
    if not evaluation.refusal_words(our_convention):
        is_ours = are_same_figure(
            figure_group.figure, evaluation.ndcg(replace(our_convention, decimals=None))
        )
        convention_comparison = compare_conventions(
            evaluation, our_convention, replace(first_convention, decimals=our_convention.decimals)
        )
    listed_libraries = [listed_library(convention) for convention in figure_group.conventions]
    return PrintedFigureRow(
        figure_group.figure,
        is_ours,
        listed_libraries,
        list(map(axis_step, convention_comparison.axis_changes)),
    )


def listed_library(convention: Convention, refusal: str = "") -> ListedLibrary:
    """A library as the card lists it."""
    decimals_words = ""
    if convention.decimals is not None:
        decimals_words = answer_words("decimals", convention.decimals)
    return ListedLibrary(
        short_name(convention),
        convention.library,
        convention.name,
        version_words(convention),
        decimals_words,
        refusal,
        is_unknown=refusal == UNKNOWN_BELOW_ZERO_WORDS,
    )


class ComparisonView(NamedTuple):
    """From our figure to theirs, axis by axis. `adopting_url`: the list counted their way, where an address
    holds it."""

    name: str
    version: str
    our_figure: float | None
    axis_steps: Sequence[AxisStep]
    unseen_axis_names: Sequence[str]
    adopting_url: str | None
    signature: str


def comparison_view(
    course: Course, evaluation: ListEvaluation, their_convention: Convention
) -> ComparisonView:
    """The way to a library, with where each axis is taught."""
    our_convention = evaluation.state.convention
    convention_comparison = compare_conventions(evaluation, our_convention, their_convention)
    adopted_state = replace(
        evaluation.state, convention=named_convention(their_convention), compared_preset=""
    )
    return ComparisonView(
        short_name(their_convention),
        version_words(their_convention),
        evaluation.ndcg(our_convention),
        [explained_step(course, axis_change) for axis_change in convention_comparison.axis_changes],
        [NAME_BY_ANY_AXIS[axis] for axis in convention_comparison.unseen_axes],
        short_state_url(adopted_state),
        signature(their_convention, evaluation.k),
    )


def axis_step(axis_change: AxisChange) -> AxisStep:
    """One answer changed, in words."""
    return AxisStep(
        NAME_BY_ANY_AXIS[axis_change.axis],
        answer_words(axis_change.axis, axis_change.answer_before),
        answer_words(axis_change.axis, axis_change.answer_after),
        axis_change.ndcg_change,
        change_text(axis_change.ndcg_change),
        axis_change.ndcg,
    )


def explained_step(course: Course, axis_change: AxisChange) -> AxisStep:
    """The same, with where the axis is taught, has gone wrong, and is practised, as far as the course has
    it."""
    axis_help = HELP_BY_AXIS[axis_change.axis]
    stage_id, section_id = axis_help.section_key
    lesson_link = None
    for stage in course.stages:
        section = stage.section(section_id)
        if stage.id == stage_id and section is not None:
            lesson_link = f"/lessons/{stage_id}/{section_id}", section.title
    case_link = None
    if axis_help.case_id in course.errata:
        case_link = f"/errata/{axis_help.case_id}", course.errata[axis_help.case_id].title
    practice_url = None
    if axis_help.skill_id in course.skills:
        practice_url = f"/practice/next?point={axis_help.skill_id}"
    return axis_step(axis_change)._replace(
        lesson_link=lesson_link, case_link=case_link, practice_url=practice_url
    )
