"""The workbench as a step of a lesson: the figure, the convention card, and the way to the whole page."""

from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from app.course.learning.steps import WorkbenchLab
from app.course.workbench.comparing import axis_way, card_of
from app.course.workbench.evaluating import ListScores
from app.course.workbench.state import address_fields, query_of
from app.course.workbench.wording import ALL_AXIS_NAMES, change_words, convention_line, short_name
from app.web.site.site import Site

PAGE = "/workbench"
OPEN_CONVENTIONS = ("scikit-learn", "trec_eval", "lightgbm", "catboost")
"""Whose figures are open in a lesson; the others are folded."""


class FigureRow(NamedTuple):
    """A figure, who prints it, in what it differs from ours, and whether it is open."""

    value: float | None
    names: list[str]
    differences: list[str]
    is_open: bool


def render_workbench(site: Site, step: WorkbenchLab) -> Markup:
    """The lab of a step."""
    state = step.start.reading.state
    scores = ListScores(state)
    convention = state.convention
    return site.render(
        "learning/_workbench_lab.html",
        id=step.id,
        documents=state.documents,
        line=convention_line(convention, state.k),
        ndcg=scores.value(convention),
        groups=group_rows(scores),
        page=f"{PAGE}?{query_of(state)}",
        action=PAGE,
        fields=[field for field in address_fields(state) if field[0] not in ("k", "gain")],
        k=state.k,
        gain=convention.gain,
    )


def group_rows(scores: ListScores) -> list[FigureRow]:
    """Figure by figure: who prints it, and in what it differs from ours."""
    rows = []
    our_convention = scores.state.convention
    for group in card_of(scores).groups:
        names = [short_name(convention) for convention in group.conventions]
        their_convention = replace(group.conventions[0], decimals=our_convention.decimals)
        axis_steps = axis_way(scores, our_convention, their_convention).steps
        differences = [f"{ALL_AXIS_NAMES[step.axis]}{change_words(step.delta)}" for step in axis_steps]
        is_open = not axis_steps or any(
            convention.name in OPEN_CONVENTIONS for convention in group.conventions
        )
        rows.append(FigureRow(group.value, names, differences, is_open))
    return rows
