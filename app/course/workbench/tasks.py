"""What a list is moved for: up to 0.95 in the fewest swaps, or down without touching the first document."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.course.items.printed_figures import figure_and_gap_texts
from app.course.items.reordering import move_count_by_reachable_row
from app.course.workbench.documents import ListedDocument
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.state import WorkbenchState
from app.engine.checks import Grade
from app.engine.rounding import FLOAT_NOISE

GOAL_NDCG = 0.95
MOST_DOCUMENTS_WITH_FEWEST_SWAPS = 6
"""Of a list with more documents nobody counts the fewest swaps: there are too many orders."""
SENTENCE_BY_TASK = {
    "reach": f"换座位，把NDCG换到{GOAL_NDCG:g}：最少几次？",
    "worsen": "第1位不许动，让分数变差。",
}


class TaskStanding(NamedTuple):
    """How a task stands, in words; `is_done`: as well as it can be, or nearly."""

    is_done: bool
    standing_words: str


def task_standing(
    workbench_state: WorkbenchState, ordered_state: WorkbenchState, ndcg: float
) -> TaskStanding:
    """How the task of a state stands; `ordered_state` is its list in its order, with this NDCG."""
    if workbench_state.task == "worsen":
        return _standing_of_worsen(workbench_state, ordered_state, ndcg)
    return _standing_of_reach(workbench_state, ordered_state, ndcg)


def can_be_done(task: str, evaluation: ListEvaluation, ordered_state: WorkbenchState) -> bool:
    """Whether a list leaves something to do: it may be too good, too bad, or all alike."""
    convention = ordered_state.convention
    if task == "reach":
        ndcg = evaluation.ndcg(convention)
        return ndcg is not None and ndcg < GOAL_NDCG <= evaluation.ndcg_range(convention).best
    grades = ordered_state.pasted_list.grades
    worst_row = [*grades[:1], *sorted(grades[1:], key=lambda grade: grade or 0)]
    return ndcg_of(ordered_state, worst_row) < ndcg_of(ordered_state, grades) - FLOAT_NOISE


def _standing_of_reach(
    workbench_state: WorkbenchState, ordered_state: WorkbenchState, ndcg: float
) -> TaskStanding:
    if ndcg < GOAL_NDCG - FLOAT_NOISE:
        ndcg_text, gap_text = figure_and_gap_texts(ndcg, GOAL_NDCG)
        return TaskStanding(False, f"现在是{ndcg_text}，离{GOAL_NDCG:g}还差{gap_text}。")
    if len(workbench_state.start_grades) > MOST_DOCUMENTS_WITH_FEWEST_SWAPS:
        return TaskStanding(True, f"到了：{ndcg:.3f}。")
    swap_count_by_row = move_count_by_reachable_row(tuple(workbench_state.start_grades), True)
    needed_swap_count = swap_count_by_row[tuple(ordered_state.pasted_list.grades)]
    goal_ndcg = GOAL_NDCG - FLOAT_NOISE
    fewest_swap_count = min(
        swap_count
        for grade_row, swap_count in swap_count_by_row.items()
        if ndcg_of(workbench_state, grade_row) >= goal_ndcg
    )
    if needed_swap_count > fewest_swap_count:
        return TaskStanding(
            False,
            f"到了，{ndcg:.3f}。这样坐至少要换{needed_swap_count}次，其实{fewest_swap_count}次就够：再省省？",
        )
    if needed_swap_count == 0:
        return TaskStanding(True, f"一次不换就有{ndcg:.3f}，本来就够甜。")
    return TaskStanding(True, f"到了，{ndcg:.3f}，只换{needed_swap_count}次，没有更省的。")


def _standing_of_worsen(
    workbench_state: WorkbenchState, ordered_state: WorkbenchState, ndcg: float
) -> TaskStanding:
    ndcg_before = ndcg_of(workbench_state, workbench_state.start_grades)
    if ordered_state.documents[0].judged_grade != workbench_state.start_grades[0]:
        return TaskStanding(False, "第1位换人了。把它请回来，只动后面的。")
    if ndcg > ndcg_before - FLOAT_NOISE:
        return TaskStanding(False, f"还是{ndcg:.3f}，没有变差：后面的换换看。")
    ndcg_text_before, loss_text = figure_and_gap_texts(ndcg_before, ndcg)
    ndcg_text, _ = figure_and_gap_texts(ndcg, ndcg_before)
    return TaskStanding(
        True, f"变差了：从{ndcg_text_before}掉到{ndcg_text}，少了{loss_text}。第1位没动，后面照样丢分。"
    )


def ndcg_of(workbench_state: WorkbenchState, grade_row: Sequence[Grade]) -> float:
    """The NDCG of the grades of a state in another order."""
    documents = tuple(ListedDocument(grade) for grade in grade_row)
    return (
        ListEvaluation(replace(workbench_state, documents=documents)).ndcg(workbench_state.convention) or 0.0
    )
