"""Swaps: every pair tried out on the list itself."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine import dcg, ndcg, swaps

GRADES = st.lists(st.integers(0, 4), min_size=2, max_size=9)


@given(GRADES, st.none() | st.integers(1, 10), st.sampled_from(["linear", "exponential"]))
def test_they_are_what_changing_places_really_does(grades: list[int], k: int | None, gain: str) -> None:
    tried = []
    for first, second in combinations(range(len(grades)), 2):
        swapped = grades.copy()
        swapped[first], swapped[second] = grades[second], grades[first]
        change = dcg(swapped, k, gain) - dcg(grades, k, gain)
        tried.append((first + 1, second + 1, change, ndcg(swapped, k, gain) - ndcg(grades, k, gain)))
    tried.sort(key=lambda row: -abs(round(row[2], 9)))
    best = swaps(grades, k, gain, most=5)
    assert len(best) == min(5, len(tried))
    for swap, (_, _, delta_dcg, delta_ndcg) in zip(best, tried, strict=False):
        assert abs(swap.delta_dcg) == pytest.approx(abs(delta_dcg), abs=1e-9)
        assert abs(swap.delta_ndcg) == pytest.approx(abs(delta_ndcg), abs=1e-9)
        same = next(row for row in tried if row[:2] == (swap.first, swap.second))
        assert swap.delta_ndcg == pytest.approx(same[3], abs=1e-9)


def test_a_list_of_one_has_none_and_equal_ones_stand_in_order() -> None:
    assert swaps([3]) == []
    assert [(swap.first, swap.second) for swap in swaps([1, 1, 1])] == [(1, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize("most", [0, -1, 1.5, True])
def test_most_is_a_whole_number(most: int) -> None:
    with pytest.raises(ValueError, match="most"):
        swaps([3, 2], most=most)
