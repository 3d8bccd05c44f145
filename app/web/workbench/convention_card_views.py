"""The convention card: every library with its figure, and the way to one of them."""

from dataclasses import replace

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
    change_words,
    short_name,
    version_words,
)
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.signatures import parse_signature, signature
from app.web.site.responses import Context
from app.web.workbench.links import short_state_url

PRESETS_COMPARED_FIRST = ("scikit-learn", "trec_eval", "lightgbm", "xgboost", "catboost")
"""With these a list is compared first, where nobody has asked for another one."""


def convention_card_view(course: Course, evaluation: ListEvaluation) -> Context:
    """Every library, and the way to one of them in detail."""
    convention_card = convention_card_of(evaluation)
    our_convention = evaluation.state.convention
    view: Context = {
        "figure_groups": [group_view(evaluation, figure_group) for figure_group in convention_card.groups],
        "refusals": [library_view(convention, refusal) for convention, refusal in convention_card.refusals],
        "is_unanimous": convention_card.is_unanimous,
        "comparison": None,
    }
    their_convention = compared_convention(evaluation, convention_card)
    if their_convention is not None and not evaluation.refusal_words(our_convention):
        view["comparison"] = comparison_view(course, evaluation, their_convention)
    return view


def compared_convention(evaluation: ListEvaluation, convention_card: ConventionCard) -> Convention | None:
    """The library that is compared in detail: the one asked for, else the first with another figure."""
    state = evaluation.state
    if state.compared_preset:
        their_convention = CONVENTIONS[state.compared_preset]
        if evaluation.refusal_words(their_convention):
            return None
        return their_convention
    ndcg = evaluation.ndcg(state.convention)
    computing_conventions: list[Convention] = []
    for figure_group in convention_card.groups:
        computing_conventions += figure_group.conventions
    presets = dict.fromkeys([*PRESETS_COMPARED_FIRST, *CONVENTIONS])
    for convention in [CONVENTIONS[preset] for preset in presets]:
        if convention in computing_conventions and not are_same_figure(evaluation.ndcg(convention), ndcg):
            return convention
    return None


def group_view(evaluation: ListEvaluation, figure_group: FigureGroup) -> Context:
    """A figure, who prints it, and in what it differs from ours."""
    our_convention = evaluation.state.convention
    first_convention = figure_group.conventions[0]
    is_ours = False
    comparison = ConventionComparison((), ())
    if not evaluation.refusal_words(our_convention):
        is_ours = are_same_figure(
            figure_group.figure, evaluation.ndcg(replace(our_convention, decimals=None))
        )
        comparison = compare_conventions(
            evaluation, our_convention, replace(first_convention, decimals=our_convention.decimals)
        )
    return {
        "figure": figure_group.figure,
        "is_ours": is_ours,
        "libraries": [library_view(convention) for convention in figure_group.conventions],
        "changes": [axis_change_view(axis_change) for axis_change in comparison.changes],
    }


def library_view(convention: Convention, refusal: str = "") -> Context:
    """A library, its version, and how it is named where it is compared in detail."""
    decimals_words = ""
    if convention.decimals is not None:
        decimals_words = answer_words("decimals", convention.decimals)
    return {
        "name": short_name(convention),
        "full_name": convention.library,
        "preset": convention.name,
        "version": version_words(convention),
        "decimals_words": decimals_words,
        "refusal": refusal,
        "is_unknown": refusal == UNKNOWN_BELOW_ZERO_WORDS,
    }


def comparison_view(course: Course, evaluation: ListEvaluation, their_convention: Convention) -> Context:
    """From our figure to theirs, axis by axis, and where each axis is taught."""
    our_convention = evaluation.state.convention
    comparison = compare_conventions(evaluation, our_convention, their_convention)
    adopted_state = replace(
        evaluation.state, convention=parse_signature(signature(their_convention))[0], compared_preset=""
    )
    changes = [
        {**axis_change_view(axis_change), **help_view(course, axis_change.axis)}
        for axis_change in comparison.changes
    ]
    return {
        "name": short_name(their_convention),
        "version": version_words(their_convention),
        "our_figure": evaluation.ndcg(our_convention),
        "changes": changes,
        "unseen_axis_names": [NAME_BY_ANY_AXIS[axis] for axis in comparison.unseen_axes],
        "adopting_url": short_state_url(adopted_state),
        "signature": signature(their_convention, evaluation.k),
    }


def axis_change_view(axis_change: AxisChange) -> Context:
    """One answer changed, in words."""
    return {
        "axis_name": NAME_BY_ANY_AXIS[axis_change.axis],
        "answer_before": answer_words(axis_change.axis, axis_change.answer_before),
        "answer_after": answer_words(axis_change.axis, axis_change.answer_after),
        "ndcg_change": axis_change.ndcg_change,
        "change_words": change_words(axis_change.ndcg_change),
        "ndcg": axis_change.ndcg,
    }


def help_view(course: Course, axis: str) -> Context:
    """Where an axis is taught, has gone wrong, and is practised, as far as the course has it."""
    axis_help = HELP_BY_AXIS[axis]
    stage_id, section_id = axis_help.section_key
    lesson_link = None
    for stage in course.stages:
        section = stage.section(section_id)
        if stage.id == stage_id and section is not None:
            lesson_link = f"/lessons/{stage_id}/{section_id}", section.title
    case_link = None
    if axis_help.case_id in course.errata:
        case_link = f"/errata/{axis_help.case_id}", course.errata[axis_help.case_id].title
    drill_url = None
    if axis_help.skill_id in course.skills:
        drill_url = f"/practice/next?point={axis_help.skill_id}"
    return {"lesson_link": lesson_link, "case_link": case_link, "drill_url": drill_url}
