"""The convention card: every library with its figure, and the way to one of them."""

from dataclasses import replace
from typing import Any

from app.course import Course
from app.course.workbench.comparing import (
    AxisStep,
    AxisWay,
    ConventionCard,
    FigureGroup,
    axis_way,
    card_of,
    is_same,
)
from app.course.workbench.evaluating import ListScores
from app.course.workbench.wording import (
    ALL_AXIS_NAMES,
    HELP_OF_AXIS,
    answer_words,
    change_words,
    short_name,
    version_words,
)
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.signatures import parse_signature, signature
from app.web.workbench.links import ComparisonLinks, short_link

Context = dict[str, Any]
LIBRARIES_ASKED_MOST = ("scikit-learn", "trec_eval", "lightgbm", "xgboost", "catboost")
"""With these a list is compared first, where nobody has asked for another one."""


def card_view(course: Course, scores: ListScores) -> Context:
    """Every library, and the way to one of them in detail."""
    convention_card = card_of(scores)
    our_convention = scores.state.convention
    links = ComparisonLinks(scores.state)
    view: Context = {
        "groups": [group_view(scores, group, links) for group in convention_card.groups],
        "refusals": [
            library_view(links, convention, words) for convention, words in convention_card.refusals
        ],
        "unanimous": convention_card.is_unanimous,
        "way": None,
    }
    their_convention = compared_library(scores, convention_card)
    if their_convention is not None and not scores.refusal(our_convention):
        view["way"] = way_view(course, scores, their_convention)
    return view


def compared_library(scores: ListScores, convention_card: ConventionCard) -> Convention | None:
    """The library that is compared in detail: the one asked for, else the first with another figure."""
    state = scores.state
    if state.versus:
        their_convention = CONVENTIONS[state.versus]
        if scores.refusal(their_convention):
            return None
        return their_convention
    ndcg = scores.value(state.convention)
    computing_conventions: list[Convention] = []
    for group in convention_card.groups:
        computing_conventions += group.conventions
    presets = dict.fromkeys([*LIBRARIES_ASKED_MOST, *CONVENTIONS])
    for convention in [CONVENTIONS[preset] for preset in presets]:
        if convention in computing_conventions and not is_same(scores.value(convention), ndcg):
            return convention
    return None


def group_view(scores: ListScores, group: FigureGroup, links: ComparisonLinks) -> Context:
    """A figure, who prints it, and in what it differs from ours."""
    our_convention = scores.state.convention
    first_convention = group.conventions[0]
    is_ours = False
    way = AxisWay((), ())
    if not scores.refusal(our_convention):
        is_ours = is_same(group.value, scores.value(replace(our_convention, decimals=None)))
        way = axis_way(scores, our_convention, replace(first_convention, decimals=our_convention.decimals))
    return {
        "value": group.value,
        "ours": is_ours,
        "libraries": [library_view(links, convention) for convention in group.conventions],
        "steps": [step_view(step) for step in way.steps],
    }


def library_view(links: ComparisonLinks, convention: Convention, words: str = "") -> Context:
    """A library, its version, and the page that compares it in detail."""
    printed_words = ""
    if convention.decimals is not None:
        printed_words = answer_words("decimals", convention.decimals)
    return {
        "name": short_name(convention),
        "call": convention.library,
        "id": convention.name,
        "version": version_words(convention),
        "printed": printed_words,
        "url": links.to(convention.name),
        "words": words,
    }


def way_view(course: Course, scores: ListScores, their_convention: Convention) -> Context:
    """From our figure to theirs, axis by axis, and where each axis is taught."""
    our_convention = scores.state.convention
    way = axis_way(scores, our_convention, their_convention)
    adopted_state = replace(
        scores.state, convention=parse_signature(signature(their_convention))[0], versus=""
    )
    steps = [{**step_view(step), **help_view(course, step.axis)} for step in way.steps]
    return {
        "name": short_name(their_convention),
        "version": version_words(their_convention),
        "from": scores.value(our_convention),
        "to": scores.value(their_convention),
        "steps": steps,
        "unseen": [ALL_AXIS_NAMES[axis] for axis in way.unseen],
        "signature": signature(their_convention, scores.k),
        "adopt": short_link(adopted_state),
        "adopted": signature(their_convention, scores.k),
    }


def step_view(step: AxisStep) -> Context:
    """One answer changed, in words."""
    return {
        "axis": ALL_AXIS_NAMES[step.axis],
        "before": answer_words(step.axis, step.before),
        "after": answer_words(step.axis, step.after),
        "delta": step.delta,
        "change": change_words(step.delta),
        "value": step.value,
    }


def help_view(course: Course, axis: str) -> Context:
    """Where an axis is taught, has gone wrong, and is practised, as far as the course has it."""
    help_at = HELP_OF_AXIS[axis]
    stage_id, section_id = help_at.section
    lesson = None
    for stage in course.stages:
        section = stage.section(section_id)
        if stage.id == stage_id and section is not None:
            lesson = f"/lessons/{stage_id}/{section_id}", section.title
    case = None
    if help_at.case in course.errata:
        case = f"/errata/{help_at.case}", course.errata[help_at.case].title
    drill = None
    if help_at.skill in course.skills:
        drill = f"/practice/next?point={help_at.skill}"
    return {"lesson": lesson, "case": case, "drill": drill}
