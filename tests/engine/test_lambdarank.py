"""LambdaRank: against gradients that XGBoost, LightGBM and finite differences confirmed, and its laws."""

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.engine import ndcg
from app.engine.pairwise.descent import descent, scores_after_step
from app.engine.pairwise.lambdarank import (
    delta_ndcg,
    gradients,
    pairs,
    ranknet_gradients,
    ranknet_loss,
    ranks,
)
from tests.tables import each

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "lambda_reference.json").read_text("utf-8"))["cases"]
CONVENTIONS = {"library": "library", "exact": "exact_delta_ndcg_at_k"}

LISTS = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
        st.lists(st.floats(-4, 4).map(lambda score: round(score, 2)), min_size=n, max_size=n),
    )
)
SIGMA = st.sampled_from([0.5, 1.0, 2.0])
K = st.none() | st.integers(1, 8)
GAIN = st.sampled_from(["linear", "exponential"])
CONVENTION = st.sampled_from(["library", "exact"])


def test_there_are_10_cases() -> None:
    assert len(CASES) == 10


@each("convention", CONVENTIONS)
@each("case", CASES)
def test_gradients_and_hessians_agree_with_the_reference(case: dict[str, Any], convention: str) -> None:
    expected = case[CONVENTIONS[convention]]
    pushes = gradients(
        case["labels"], case["scores"], case["sigma"], case["k"], case["gain"], convention=convention
    )
    assert pushes.grad == pytest.approx(expected["grad"], abs=1e-9)
    assert pushes.hess == pytest.approx(expected["hess"], abs=1e-9)
    assert ranks(case["scores"]) == tuple(case["ranks"])


@given(LISTS, SIGMA, K, GAIN, CONVENTION)
def test_what_is_pushed_up_is_pulled_down(drawn, sigma, k, gain, convention) -> None:  # type: ignore[no-untyped-def]
    pushes = gradients(drawn[0], drawn[1], sigma, k, gain, convention)
    assert sum(pushes.grad) == pytest.approx(0, abs=1e-12)
    assert min(pushes.hess) >= 0


@given(LISTS, SIGMA, GAIN)
def test_the_sweetest_go_up_and_the_plainest_down(drawn, sigma, gain) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    grad = gradients(labels, scores, sigma, gain=gain).grad
    assert all(grad[place] <= 0 for place, label in enumerate(labels) if label == max(labels))
    assert all(grad[place] >= 0 for place, label in enumerate(labels) if label == min(labels))


@given(LISTS, SIGMA, K, GAIN, CONVENTION)
def test_the_order_of_the_input_does_not_matter(drawn, sigma, k, gain, convention) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    assume(len(set(scores)) == len(scores))
    grad = gradients(labels, scores, sigma, k, gain, convention).grad
    back = gradients(labels[::-1], scores[::-1], sigma, k, gain, convention).grad
    assert back[::-1] == pytest.approx(grad, abs=1e-12)


@given(LISTS, GAIN)
def test_a_swap_changes_ndcg_by_what_the_pair_says(drawn, gain) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    for pair in pairs(labels, scores, gain=gain):
        swapped = list(scores)
        swapped[pair.better_index], swapped[pair.worse_index] = (
            scores[pair.worse_index],
            scores[pair.better_index],
        )
        assume(len(set(scores)) == len(scores))
        change = ranked_ndcg(labels, swapped, None, gain) - ranked_ndcg(labels, scores, None, gain)
        assert pair.delta_ndcg == pytest.approx(abs(change), abs=1e-12)


@given(LISTS, K, GAIN)
def test_exact_is_the_true_change_of_ndcg_at_k(drawn, k, gain) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    assume(len(set(scores)) == len(scores))
    for pair in pairs(labels, scores, k=k, gain=gain, convention="exact"):
        swapped = list(scores)
        swapped[pair.better_index], swapped[pair.worse_index] = (
            scores[pair.worse_index],
            scores[pair.better_index],
        )
        change = ranked_ndcg(labels, swapped, k, gain) - ranked_ndcg(labels, scores, k, gain)
        assert pair.delta_ndcg == pytest.approx(abs(change), abs=1e-12)


@given(LISTS, st.data())
def test_a_pair_is_what_two_ranks_say(drawn, data) -> None:  # type: ignore[no-untyped-def]
    labels, _ = drawn
    assume(len(set(labels)) > 1)
    descending = [float(-place) for place in range(len(labels))]
    pair = data.draw(st.sampled_from(pairs(labels, descending)))
    assert delta_ndcg(labels, pair.better_index + 1, pair.worse_index + 1) == pytest.approx(pair.delta_ndcg)


@given(LISTS, SIGMA)
def test_ranknet_is_the_derivative_of_its_loss(drawn, sigma) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    grad, small = ranknet_gradients(labels, scores, sigma).grad, 1e-5
    for place in range(len(scores)):
        above, below = list(scores), list(scores)
        above[place] += small
        below[place] -= small
        slope = (ranknet_loss(labels, above, sigma) - ranknet_loss(labels, below, sigma)) / (2 * small)
        assert grad[place] == pytest.approx(slope, abs=1e-6)


@given(LISTS, SIGMA)
def test_ranknet_weighs_every_pair_alike(drawn, sigma) -> None:  # type: ignore[no-untyped-def]
    for pair in pairs(drawn[0], drawn[1], sigma, weight="none"):
        assert pair.force == pytest.approx(sigma * pair.rho)
        assert pair.curvature == pytest.approx(sigma**2 * pair.rho * (1 - pair.rho))


def test_the_pair_at_the_top_weighs_most_and_ranknet_does_not_care() -> None:
    labels, scores = [0, 1, 0, 1], [4.0, 3.0, 2.0, 1.0]
    top, bottom = (pair for pair in pairs(labels, scores) if pair.gap == -1.0)
    assert top.delta_ndcg > 5 * bottom.delta_ndcg
    assert top.rho == bottom.rho


def test_beyond_k_nothing_pulls_and_the_library_still_discounts() -> None:
    labels, scores = [0, 1, 3], [3.0, 2.0, 1.0]
    exact = {
        (p.better_index, p.worse_index): p.delta_ndcg for p in pairs(labels, scores, k=1, convention="exact")
    }
    library = {(p.better_index, p.worse_index): p.delta_ndcg for p in pairs(labels, scores, k=1)}
    assert exact[2, 1] == library[2, 1] == 0  # ranks 2 and 3 are both out of sight
    assert exact[2, 0] == 1.0
    assert library[2, 0] == pytest.approx(0.5)


@each("labels", [[0, 0, 0], [2, 2, 2], [1]])
def test_nothing_to_prefer_is_nothing_to_do(labels: list[int]) -> None:
    pushes = gradients(labels, [float(place) for place in range(len(labels))])
    assert set(pushes.grad + pushes.hess) == {0.0}


def test_scores_far_apart_do_not_overflow() -> None:
    pushes = gradients([0, 1], [1e6, -1e6])
    assert pushes.grad == pytest.approx((1 - 1 / math.log2(3), 1 / math.log2(3) - 1))
    assert gradients([1, 0], [1e6, -1e6]).grad == (0.0, 0.0)
    assert ranknet_loss([0, 1], [1e6, -1e6]) == 2e6


@given(LISTS, K, GAIN)
def test_descent_is_step_after_step(drawn, k, gain) -> None:  # type: ignore[no-untyped-def]
    labels, scores = drawn
    states = descent(labels, scores, 3, rate=0.5, k=k, gain=gain)
    assert len(states) == 4
    assert states[0].scores == tuple(scores)
    for before, after in pairwise(states):
        grad = gradients(labels, before.scores, k=k, gain=gain).grad
        assert before.grad == grad
        assert after.scores == scores_after_step(before.scores, grad, 0.5)
        assert after.ndcg == ranked_ndcg(labels, after.scores, k, gain)
        assert after.ranks == ranks(after.scores)


def test_small_steps_arrive_at_the_best_order() -> None:
    states = descent([0, 3, 1, 2], [1.5, 0.5, 1.0, 0.2], 60)
    assert states[0].ndcg < 0.8
    assert states[-1].ndcg == 1.0


@each(
    ("call", "message"),
    [
        (lambda: gradients([1, None], [1, 2]), r"labels\[1\] = None: expected .* training needs a label"),
        (lambda: gradients([1, -1], [1, 2]), r"labels\[1\] = -1: expected"),
        (lambda: gradients([1, 0], [1]), r"scores = \[1\]: expected 2 numbers"),
        (lambda: gradients([1, 0], [1, 2], sigma=0), "sigma = 0: expected a finite number > 0"),
        (
            lambda: gradients([1, 0], [1, 2], sigma=1e200),
            "sigma = 1e\\+200: expected a number above 0, at most",
        ),
        (lambda: gradients([1, 0], [1, 2], k=0), "k = 0: expected a whole number >= 1"),
        (lambda: gradients([1, 0], [1, 2], gain="square"), "gain = 'square': expected one of"),
        (
            lambda: gradients([1, 0], [1, 2], convention="mine"),
            "convention = 'mine': expected one of library",
        ),
        (lambda: pairs([1, 0], [1, 2], weight="mine"), "weight = 'mine': expected one of ndcg, none"),
        (lambda: descent([1, 0], [1, 2], -1), "steps = -1: expected a whole number >= 0"),
        (lambda: descent([1, 0], [1, 2], 1, rate=0), "rate = 0: expected a finite number > 0"),
        (lambda: delta_ndcg([1, 0], 1, 3), "other_rank = 3: expected a whole number from 1 to 2"),
    ],
)
def test_bad_input_is_refused_in_words(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def ranked_ndcg(labels: list[int], scores: Any, k: int | None, gain: str) -> float:
    order = sorted(range(len(labels)), key=lambda place: -scores[place])
    return ndcg([labels[place] for place in order], k, gain)


def test_a_swap_names_the_grades_that_it_refuses() -> None:
    with pytest.raises(ValueError, match=r"grades\[0\] = -1"):
        delta_ndcg([-1, 2], 1, 2)
    with pytest.raises(ValueError, match=r"grades\[1\] = None"):
        delta_ndcg([1, None], 1, 2)
