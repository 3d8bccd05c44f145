"""What a list is moved for: up to 0.95 in the fewest swaps, or down without touching the first document."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from app.course.workbench.documents import Grade, ListedDocument
from app.course.workbench.evaluating import ListScores
from app.course.workbench.state import WorkbenchState
from app.engine.cumulative import FLOAT_NOISE

GOAL = 0.95
MOST_DOCUMENTS_COUNTED = 6
"""Of a list with more documents nobody counts the fewest swaps: there are too many orders."""
TASK_WORDS = {
    "reach": f"换座位，把NDCG换到{GOAL:g}：最少几次？",
    "worsen": "第1位不许动，让分数变差。",
}
Row = tuple[Grade, ...]


@dataclass(frozen=True)
class TaskStanding:
    """How a task stands, in words; `is_done`: as well as it can be, or nearly."""

    is_done: bool
    words: str


def standing(state: WorkbenchState, ordered_state: WorkbenchState, ndcg: float) -> TaskStanding:
    """How the task of a state stands; `ordered_state` is its list in its order, with this NDCG."""
    if state.task == "worsen":
        return _worsened(state, ordered_state, ndcg)
    return _reached(state, ordered_state, ndcg)


def can_be_done(task: str, scores: ListScores, ordered_state: WorkbenchState) -> bool:
    """Whether a list leaves something to do: it may be too good, too bad, or all alike."""
    convention = ordered_state.convention
    if task == "reach":
        ndcg = scores.value(convention)
        return ndcg is not None and ndcg < GOAL <= scores.range(convention).best
    grades = [document.grade or 0 for document in ordered_state.documents[1:]]
    return grades != sorted(grades)


def fewest_swap_counts(start_grades: Sequence[Grade]) -> Mapping[Row, int]:
    """Every order of these grades, and how many swaps lead there at least; for few grades.

    >>> fewest_swap_counts([0, 1, 2])[1, 2, 0], fewest_swap_counts([0, 1, 2])[2, 1, 0]
    (2, 1)
    """
    swap_counts: dict[Row, int] = {tuple(start_grades): 0}
    pending_rows = deque([tuple(start_grades)])
    while pending_rows:
        row = pending_rows.popleft()
        for index, other_index in combinations(range(len(row)), 2):
            swapped_row = list(row)
            swapped_row[index], swapped_row[other_index] = swapped_row[other_index], swapped_row[index]
            swapped_grades = tuple(swapped_row)
            if swapped_grades not in swap_counts:
                swap_counts[swapped_grades] = swap_counts[row] + 1
                pending_rows.append(swapped_grades)
    return swap_counts


def _reached(state: WorkbenchState, ordered_state: WorkbenchState, ndcg: float) -> TaskStanding:
    if ndcg < GOAL - FLOAT_NOISE:
        return TaskStanding(False, f"现在是{ndcg:.3f}，离{GOAL:g}还差{GOAL - ndcg:.3f}。")
    if len(state.start) > MOST_DOCUMENTS_COUNTED:
        return TaskStanding(True, f"到了：{ndcg:.3f}。")
    swap_counts = fewest_swap_counts(state.start)
    used_count = swap_counts[tuple(ordered_state.listed.grades)]
    least_ndcg = GOAL - FLOAT_NOISE
    fewest_count = min(count for row, count in swap_counts.items() if ndcg_of(state, row) >= least_ndcg)
    if used_count > fewest_count:
        return TaskStanding(
            False, f"到了，{ndcg:.3f}。这样坐至少要换{used_count}次，其实{fewest_count}次就够：再省省？"
        )
    if used_count == 0:
        return TaskStanding(True, f"一次不换就有{ndcg:.3f}，本来就够甜。")
    return TaskStanding(True, f"到了，{ndcg:.3f}，只换{used_count}次，没有更省的。")


def _worsened(state: WorkbenchState, ordered_state: WorkbenchState, ndcg: float) -> TaskStanding:
    ndcg_before = ndcg_of(state, state.start)
    if ordered_state.documents[0].grade != state.start[0]:
        return TaskStanding(False, "第1位换人了。把它请回来，只动后面的。")
    if ndcg > ndcg_before - FLOAT_NOISE:
        return TaskStanding(False, f"还是{ndcg:.3f}，没有变差：后面的换换看。")
    return TaskStanding(
        True,
        f"变差了：从{ndcg_before:.3f}掉到{ndcg:.3f}，少了{ndcg_before - ndcg:.3f}。第1位没动，后面照样丢分。",
    )


def ndcg_of(state: WorkbenchState, row: Sequence[Grade]) -> float:
    """The NDCG of the grades of a state in another order."""
    documents = tuple(ListedDocument(grade) for grade in row)
    return ListScores(replace(state, documents=documents)).value(state.convention) or 0.0
