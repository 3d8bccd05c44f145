"""The workbench as a step of a lesson: the figure, the convention card, and the way to the whole page."""

from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from app.course.learning.steps import WorkbenchLab
from app.course.workbench.comparing import compare_conventions, convention_card_of
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.state import fields_of_state
from app.course.workbench.wording import NAME_BY_ANY_AXIS, change_text, convention_line, short_name
from app.web.site.site import Site

WORKBENCH_PATH = "/workbench"
OPEN_CONVENTION_NAMES = ("scikit-learn", "trec_eval", "lightgbm", "catboost")
"""Whose figures are open in a lesson; the others are folded."""


class FigureRow(NamedTuple):
    """A figure, who prints it, in what it differs from ours, and whether it is open."""

    figure: float | None
    convention_names: list[str]
    difference_texts: list[str]
    is_open: bool


def render_workbench(site: Site, workbench_lab: WorkbenchLab) -> Markup:
    """The lab of a step."""
    workbench_state = workbench_lab.start.state_reading.state
    evaluation = ListEvaluation(workbench_state)
    convention = workbench_state.convention
    return site.render(
        "learning/_workbench_lab.html",
        id=workbench_lab.id,
        documents=workbench_state.documents,
        convention_line=convention_line(convention, workbench_state.k),
        ndcg=evaluation.ndcg(convention),
        groups=figure_rows(evaluation),
        action=WORKBENCH_PATH,
        fields=[
            (field_name, field_text)
            for field_name, field_text in fields_of_state(workbench_state)
            if field_name not in ("k", "gain")
        ],
        k=workbench_state.k,
        gain=convention.gain,
    )


def figure_rows(evaluation: ListEvaluation) -> list[FigureRow]:
    """Figure by figure: who prints it, and in what it differs from ours."""
    rows_of_figures = []
    our_convention = evaluation.state.convention
    for figure_group in convention_card_of(evaluation).groups:
        convention_names = [short_name(convention) for convention in figure_group.conventions]
        their_convention = replace(figure_group.conventions[0], decimals=our_convention.decimals)
        axis_changes = compare_conventions(evaluation, our_convention, their_convention).axis_changes
        difference_texts = [
            f"{NAME_BY_ANY_AXIS[axis_change.axis]}{change_text(axis_change.ndcg_change)}"
            for axis_change in axis_changes
        ]
        is_open = not axis_changes or any(
            convention.name in OPEN_CONVENTION_NAMES for convention in figure_group.conventions
        )
        rows_of_figures.append(FigureRow(figure_group.figure, convention_names, difference_texts, is_open))
    return rows_of_figures
