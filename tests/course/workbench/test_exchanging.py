"""Swaps, moves and tasks: what is promised for a swap is what the list after it has."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.course.items.reordering import move_count_by_reachable_row
from app.course.workbench.comparing import are_same_figure
from app.course.workbench.documents import ListedDocument
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.exchanging import best_swaps, move_document, state_in_order, swap_documents
from app.course.workbench.state import REORDERING_TASKS, WorkbenchState, read_state
from app.course.workbench.tasks import (
    MOST_DOCUMENTS_WITH_FEWEST_SWAPS,
    can_be_done,
    task_standing,
)
from app.engine.conventions import CONVENTIONS, COURSE
from tests.tables import each

NAMES = ["course", "lightgbm", "jk2002", "trec_eval", "catboost-exp", "ranx", "quepid"]
STATES = st.builds(
    WorkbenchState,
    st.lists(
        st.builds(ListedDocument, st.integers(0, 4), st.none(), st.just("")), min_size=2, max_size=9
    ).map(tuple),
    st.lists(st.integers(0, 4), max_size=3).map(tuple),
    st.none() | st.integers(1, 9),
    st.sampled_from([CONVENTIONS[name] for name in NAMES]),
)


def value(workbench_state: WorkbenchState) -> float:
    return ListEvaluation(workbench_state).ndcg(workbench_state.convention) or 0.0


@given(STATES)
def test_a_swap_is_worth_what_it_says(workbench_state: WorkbenchState) -> None:
    before = value(workbench_state)
    ordered_state = state_in_order(ListEvaluation(workbench_state), workbench_state.convention)
    for swap in best_swaps(ListEvaluation(workbench_state), workbench_state.convention):
        state_after = swap_documents(ordered_state, swap.first_rank, swap.second_rank)
        assert are_same_figure(value(state_after) - before, swap.delta_ndcg)
        gains = swap.first_gain - swap.second_gain
        assert are_same_figure(gains * (swap.second_discount - swap.first_discount), swap.delta_dcg)
        assert swap.delta_dcg


@each(
    ("text", "name"),
    [
        ("3 1\n0 1\n2 0.5", "scikit-learn"),
        ("3 2 -1 1", "catboost"),
        ("3 2 -1 1", "course"),
        ("3 9\n2 8\n-1 7\n1 6", "catboost"),
        ("-3 -2 -1", "torchmetrics"),
        *[("3 9\n-1 8\n2 7\n0 6\n1 5", name) for name in CONVENTIONS],
        *[("1 1\n-1 1\n2.5 1\n0 0.5\n3 0.5", name) for name in CONVENTIONS],
    ],
)
def test_a_swap_brings_what_it_says_with_ties_and_losses(text: str, name: str) -> None:
    """It was said for the order in which ties stand, though the figure averages them, and without losses."""
    convention = replace(CONVENTIONS[name], decimals=None)
    evaluation = ListEvaluation(read_state({"list": [text]}).state)
    ordered_state = state_in_order(evaluation, convention)
    valued_swaps = best_swaps(evaluation, convention)
    for swap in valued_swaps:
        after = ListEvaluation(swap_documents(ordered_state, swap.first_rank, swap.second_rank))
        ndcg_change = (after.ndcg(convention) or 0.0) - (evaluation.ndcg(convention) or 0.0)
        assert are_same_figure(ndcg_change, swap.delta_ndcg)
    changes = [round(abs(swap.delta_ndcg), 9) for swap in valued_swaps]
    assert changes == sorted(changes, reverse=True)


def test_parted_ties_are_no_product_of_gains_and_discounts() -> None:
    evaluation = ListEvaluation(read_state({"list": ["3 1\n0 1\n2 0.5"]}).state)
    changes = {
        (swap.first_rank, swap.second_rank): (round(swap.delta_ndcg, 3), swap.is_product)
        for swap in best_swaps(evaluation, CONVENTIONS["scikit-learn"])
    }
    assert changes == {(2, 3): (0.191, False), (1, 2): (-0.13, False), (1, 3): (0.013, False)}


def test_scores_stay_with_ranks_and_go_with_ties() -> None:
    workbench_state = read_state({"list": ["1 0.2\n3 0.9\n2 0.5"]}).state
    ordered = state_in_order(ListEvaluation(workbench_state), workbench_state.convention)
    assert [tuple(document)[:2] for document in ordered.documents] == [(3, 0.9), (2, 0.5), (1, 0.2)]
    after = move_document(ordered, 3, 1)
    assert [tuple(document)[:2] for document in after.documents] == [(1, 0.9), (3, 0.5), (2, 0.2)]
    assert move_document(ordered, 1, 99).pasted_list.grades == [2, 1, 3]
    tied = read_state({"list": ["1 0.5\n3 0.5"]}).state
    assert state_in_order(ListEvaluation(tied), CONVENTIONS["trec_eval"]).documents == (
        ListedDocument(3),
        ListedDocument(1),
    )


def test_no_swap_where_nothing_can_change() -> None:
    for text in ("0 0 0", "2 2", "3"):
        workbench_state = read_state({"list": [text]}).state
        assert best_swaps(ListEvaluation(workbench_state), workbench_state.convention) == []


@each(
    ("task", "start", "row", "is_done", "words"),
    [
        ("reach", [0, 3, 2, 1], [0, 3, 2, 1], False, "还差"),
        ("reach", [3, 2, 1, 2, 3], [3, 2, 1, 2, 3], False, "现在是0.94998，离0.95还差0.00002。"),
        ("reach", [0, 3, 2, 1], [3, 2, 0, 1], True, "只换2次"),
        ("reach", [0, 1, 3], [3, 1, 0], True, "只换1次"),
        ("reach", [3, 2, 1], [3, 2, 1], True, "一次不换"),
        ("reach", [0, 3], [3, 0], True, "只换1次"),
        ("reach", [2, 3, 0, 1, 1], [3, 2, 1, 1, 0], False, "再省省"),
        (
            "reach",
            [0] * MOST_DOCUMENTS_WITH_FEWEST_SWAPS + [3],
            [3] + [0] * MOST_DOCUMENTS_WITH_FEWEST_SWAPS,
            True,
            "到了",
        ),
        ("worsen", [3, 2, 0], [3, 0, 2], True, "变差了"),
        ("worsen", [3, 2, 0], [2, 3, 0], False, "换人了"),
        ("worsen", [3, 0, 2], [3, 2, 0], False, "没有变差"),
    ],
)
def test_tasks(task: str, start: list[int], row: list[int], is_done: bool, words: str) -> None:
    documents = tuple(ListedDocument(grade) for grade in row)
    workbench_state = WorkbenchState(documents, task=task, start_grades=tuple(start))
    result = task_standing(workbench_state, workbench_state, value(workbench_state))
    assert words in result.standing_words
    assert result.is_done is is_done


@each(
    ("query", "tasks"),
    [
        ({"list": ["0 3 2 1"]}, ["reach", "worsen"]),
        ({"list": ["3 2 1 0"]}, ["worsen"]),
        ({"list": ["0 1 2 3"]}, ["reach"]),
        ({"list": ["0 2 1"], "pool": ["5x9"]}, ["worsen"]),
        ({"list": ["2 2"]}, []),
        ({"list": ["3"]}, []),
        ({"list": ["3 2 1 0"], "k": ["1"]}, []),
        ({"list": ["3 2 1 0"], "k": ["2"]}, ["worsen"]),
        ({"list": ["3 2 1 0"], "discount": ["none"]}, []),
        ({"list": ["3 2 1 0"], "discount": ["none"], "k": ["2"]}, ["worsen"]),
        ({"list": ["0 0"]}, []),
    ],
)
def test_a_task_is_given_where_something_can_be_done(query: dict[str, list[str]], tasks: list[str]) -> None:
    evaluation = ListEvaluation(read_state(query).state)
    ordered = state_in_order(evaluation, COURSE)
    assert [task for task in REORDERING_TASKS if can_be_done(task, evaluation, ordered)] == tasks


def test_fewest_swaps_reach_every_order_of_equal_grades_too() -> None:
    counts = move_count_by_reachable_row((3, 3, 0, 0), True)
    assert len(counts) == 6
    assert counts[0, 0, 3, 3] == 2
