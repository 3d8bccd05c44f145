"""Ties: every policy against all the orders there are, and against third parties on tied scores."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine import TIES, dcg, idcg, ndcg, ranked_gains
from app.engine.terms import gains_of
from app.engine.ties import indexes_in_rank_order
from tests.tables import each

DATA = Path(__file__).parents[1] / "data"
CASES = [
    case
    for case in json.loads((DATA / "engine_reference.json").read_text("utf-8"))["cases"]
    if case["group"] == "tied-scores"
]
POLICIES = {
    "ndcg_docno_desc": "docno-descending",
    "ndcg_average": "average",
    "ndcg_input_order": "input",
    "ndcg_worst_case": "worst",
}
SHORT = st.integers(1, 5).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
        st.lists(st.sampled_from([0.0, 0.5, 2.0]), min_size=n, max_size=n),
    )
)


def test_there_are_12_cases_and_every_policy_is_met_in_them() -> None:
    assert len(CASES) == 12
    assert all(set(POLICIES) < set(case["expected"]) for case in CASES)


@each("case", CASES)
@each("figure", POLICIES)
def test_every_figure_agrees_with_the_reference(case: dict[str, Any], figure: str) -> None:
    gains = gains_of(case["ranking"], case["gain"])
    ranked = ranked_gains(gains, case["scores"], POLICIES[figure], case["docnos"])
    ideal = idcg(case["ranking"], case["k"], case["gain"])
    assert dcg(ranked, case["k"]) / ideal == pytest.approx(case["expected"][figure], abs=1e-9)


@each("case", CASES)
def test_the_average_dcg_agrees_with_the_reference(case: dict[str, Any]) -> None:
    ranked = ranked_gains(gains_of(case["ranking"], case["gain"]), case["scores"], "average")
    assert dcg(ranked, case["k"]) == pytest.approx(case["expected"]["dcg_average"], abs=1e-9)


@given(SHORT, st.integers(1, 5))
def test_the_average_is_that_over_all_orders_of_the_ties(drawn, k) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    every = [dcg([labels[place] for place in order], k) for order in orders(scores)]
    assert dcg(ranked_gains(labels, scores, "average"), k) == pytest.approx(sum(every) / len(every))


@given(SHORT, st.integers(1, 5))
def test_best_and_worst_bound_every_order(drawn, k) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    every = [ndcg([labels[place] for place in order], k) for order in orders(scores)]
    assert ndcg(ranked_gains(labels, scores, "best"), k) == pytest.approx(max(every))
    assert ndcg(ranked_gains(labels, scores, "worst"), k) == pytest.approx(min(every))


@given(SHORT, st.sampled_from(sorted(TIES)))
def test_a_policy_only_moves_gains_within_a_tie(drawn, ties) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    ranked = ranked_gains(labels, scores, ties)
    places = indexes_in_rank_order(scores)
    for score in set(scores):
        ranks = [rank for rank, place in enumerate(places) if scores[place] == score]
        assert sum(ranked[rank] for rank in ranks) == pytest.approx(
            sum(labels[places[rank]] for rank in ranks)
        )


@each("ties", TIES)
def test_without_ties_all_policies_agree(ties: str) -> None:
    assert ranked_gains([3, 0, 2], [0.1, 0.3, 0.2], ties) == [0, 2, 3]


def test_renaming_the_documents_turns_the_tie_over() -> None:
    assert ranked_gains([3, 0], [1, 1], "docno-descending", ["d000", "d001"]) == [0, 3]
    assert ranked_gains([3, 0], [1, 1], "docno-descending", ["d001", "d000"]) == [3, 0]
    assert ranked_gains([3, 0], [1, 1], "docno-ascending", ["d001", "d000"]) == [0, 3]


def test_without_names_the_input_order_names_the_documents() -> None:
    many = list(range(12_000))
    assert ranked_gains(many, [0.0] * len(many), "docno-ascending") == many


@each(
    ("arguments", "message"),
    [
        (([1, 2], [1]), r"scores = \[1\]: expected 2 numbers"),
        (([1, 2], [1, 1], "mean"), "ties = 'mean': expected one of average, input"),
    ],
)
def test_bad_input_is_refused_in_words(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ranked_gains(*arguments)


def test_numpy_scores_are_welcome() -> None:
    import numpy as np

    assert ranked_gains([3, 0], np.array([0.1, 0.2], dtype=np.float32)) == [0, 3]


def orders(scores: list[float]) -> list[tuple[int, ...]]:
    """Every order of the documents that the scores allow."""
    allowed = sorted(scores, reverse=True)
    every = permutations(range(len(scores)))
    return [order for order in every if [scores[place] for place in order] == allowed]
