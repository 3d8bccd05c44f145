"""Laws that hold for every list, tried on many."""

import math
from itertools import combinations, permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.engine import DISCOUNTS, auc, cg, dcg, discount_weight, idcg, ndcg, ndcg_range, trace

GRADE = st.none() | st.integers(0, 5) | st.floats(0, 5, allow_subnormal=False)
GRADES = st.lists(GRADE, min_size=1, max_size=12)
SHORT = st.lists(GRADE, min_size=1, max_size=5)
K = st.none() | st.integers(1, 15)
GAIN = st.sampled_from(["linear", "exponential"])
DISCOUNT = st.sampled_from(sorted(DISCOUNTS))
BASE = st.sampled_from([2, 2.5, math.e, 10])


def near(value: float) -> object:
    return pytest.approx(value, abs=1e-12, rel=1e-12)


@given(GRADES, K, GAIN, DISCOUNT, BASE, st.randoms(use_true_random=False))
def test_no_order_beats_the_ideal(grades, k, gain, discount, base, random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(grades, len(grades))
    assert 0 <= ndcg(shuffled, k, gain, discount, grades, base) <= 1 + 1e-12
    assert idcg(shuffled, k, gain, discount, base=base) == idcg(grades, k, gain, discount, base=base)


@given(GRADES, K, GAIN, DISCOUNT, BASE, st.data())
def test_putting_an_inversion_right_never_lowers_ndcg(  # type: ignore[no-untyped-def]
    grades, k, gain, discount, base, data
) -> None:
    inversions = [
        (upper, lower)
        for upper, lower in combinations(range(len(grades)), 2)
        if (grades[upper] or 0) < (grades[lower] or 0)
    ]
    assume(inversions)
    upper, lower = data.draw(st.sampled_from(inversions))
    mended = list(grades)
    mended[upper], mended[lower] = grades[lower], grades[upper]
    before = ndcg(grades, k, gain, discount, base=base)
    assert ndcg(mended, k, gain, discount, base=base) >= before - 1e-12


def test_putting_the_first_inversion_right_raises_ndcg() -> None:
    assert ndcg([1, 3, 2]) < ndcg([3, 1, 2]) < ndcg([3, 2, 1])


@given(GRADES, K, DISCOUNT, st.floats(0.01, 100))
def test_a_scale_cancels_in_linear_gain(grades, k, discount, scale) -> None:  # type: ignore[no-untyped-def]
    scaled = [None if grade is None else grade * scale for grade in grades]
    assert ndcg(scaled, k, "linear", discount) == near(ndcg(grades, k, "linear", discount))
    assert dcg(scaled, k) == near(dcg(grades, k) * scale)


def test_a_scale_does_not_cancel_in_exponential_gain() -> None:
    assert ndcg([2, 4], gain="exponential") != near(ndcg([1, 2], gain="exponential"))


@given(GRADES, K, GAIN, st.floats(1.01, 1000))
def test_the_base_of_log2_cancels(grades, k, gain, base) -> None:  # type: ignore[no-untyped-def]
    assert ndcg(grades, k, gain, base=base) == near(ndcg(grades, k, gain))
    assert dcg(grades, k, gain, base=base) == near(dcg(grades, k, gain) * math.log2(base))


@given(GRADES, K, GAIN, st.sampled_from(["reciprocal", "none"]), st.floats(1.01, 1000))
def test_the_base_plays_no_part_without_a_logarithm(  # type: ignore[no-untyped-def]
    grades, k, gain, discount, base
) -> None:
    assert dcg(grades, k, gain, discount, base=base) == dcg(grades, k, gain, discount)


def test_the_base_does_not_cancel_in_the_discount_of_2002() -> None:
    grades = [3, 2, 3, 0, 1, 2]
    assert ndcg(grades, discount="jk2002", base=2) == near(0.9315085232327253)
    assert ndcg(grades, discount="jk2002", base=10) == 1.0


def test_the_discount_of_2002_begins_after_its_base() -> None:
    weights = [discount_weight(rank, "jk2002", 10) for rank in (1, 9, 10, 100)]
    assert weights == near([1.0, 1.0, 1.0, 0.5])  # type: ignore[arg-type]


def test_one_list_under_the_conventions_of_other_libraries() -> None:
    grades = [3, 2, 3, 0, 1, 2]
    assert ndcg(grades) == near(0.9608081943360617)
    assert ndcg(grades, gain="exponential") == near(0.9488107485678985)
    assert ndcg(grades, discount="reciprocal") == near(0.9431818181818181)
    assert dcg(grades, base=10) == pytest.approx(22.79, abs=0.005)


def test_the_ideal_may_be_of_another_pool() -> None:
    pool = [1, 0, 3, 2]
    assert ndcg([1, 0]) == 1.0
    assert ndcg([1, 0], pool=pool) == pytest.approx(0.210002, abs=1e-6)
    assert ndcg([1, 0], 2, pool=pool) == pytest.approx(0.234639, abs=1e-6)
    assert ndcg([1, 0], 2, "exponential", pool=pool) == pytest.approx(0.11245, abs=1e-6)


def test_a_pool_that_lacks_the_documents_of_the_list_is_taken_as_given() -> None:
    assert idcg([3, 2], pool=[1]) == 1.0
    assert ndcg([3, 2], pool=[1]) > 1
    assert ndcg([3, 2], pool=[0]) == 0.0


def test_the_ideal_is_sorted_whole_and_then_cut() -> None:
    assert ndcg([0, 0, 3], k=2) == 0.0
    assert idcg([0, 0, 3], k=2) == 3.0


@given(GRADES, GAIN, DISCOUNT, st.integers(0, 5))
def test_a_cutoff_beyond_the_list_changes_nothing(grades, gain, discount, more) -> None:  # type: ignore[no-untyped-def]
    k = len(grades) + more
    for measure in (dcg, idcg, ndcg):
        assert measure(grades, k, gain, discount) == measure(grades, None, gain, discount)
    assert cg(grades, k) == cg(grades)


@given(GRADES, K, GAIN, DISCOUNT)
def test_an_unjudged_document_gains_nothing_and_keeps_its_rank(grades, k, gain, discount) -> None:  # type: ignore[no-untyped-def]
    plain = [0 if grade is None else grade for grade in grades]
    assert ndcg(grades, k, gain, discount) == ndcg(plain, k, gain, discount)


@given(GRADES, K, GAIN, DISCOUNT, st.none() | GRADES, BASE)
def test_the_trace_says_the_same_as_the_measures(grades, k, gain, discount, pool, base) -> None:  # type: ignore[no-untyped-def]
    """To the last bit: both add the same values in the same order."""
    steps = trace(grades, k, gain, discount, pool, base)
    assert steps.cg == cg(grades, k)
    assert steps.dcg == dcg(grades, k, gain, discount, pool, base)
    assert steps.idcg == idcg(grades, k, gain, discount, pool, base)
    assert steps.ndcg == ndcg(grades, k, gain, discount, pool, base)
    assert steps.zero_ideal == (steps.idcg == 0)


@given(GRADES, K, GAIN, DISCOUNT, st.none() | GRADES)
def test_the_terms_of_a_trace_add_up(grades, k, gain, discount, pool) -> None:  # type: ignore[no-untyped-def]
    steps = trace(grades, k, gain, discount, pool)
    assert [term.grade for term in steps.terms] == grades[:k]
    assert len(steps.ideal_terms) == len((grades if pool is None else pool)[:k])
    for terms, total in ((steps.terms, steps.dcg), (steps.ideal_terms, steps.idcg)):
        assert [term.rank for term in terms] == list(range(1, len(terms) + 1))
        assert all(term.value == term.gain * term.discount for term in terms)
        assert all(term.discount == discount_weight(term.rank, discount) for term in terms)
        running = [sum(term.value for term in terms[:rank]) for rank in range(1, len(terms) + 1)]
        assert [term.running_total for term in terms] == near(running)  # type: ignore[arg-type]
        assert terms[-1].running_total == total


def test_the_ideal_of_a_trace_runs_from_sweet_to_plain_with_the_unjudged_last() -> None:
    steps = trace([0, None, 3, 1], k=4, pool=[0, None, 3, 1, 2, None])
    assert [term.grade for term in steps.ideal_terms] == [3, 2, 1, 0]
    assert [term.grade for term in trace([None, 0]).ideal_terms] == [0, None]


@given(GRADES, K)
def test_cg_is_dcg_without_discount_and_blind_to_order_within_k(grades, k) -> None:  # type: ignore[no-untyped-def]
    assert cg(grades, k) == near(dcg(grades, k, discount="none"))
    assert cg(grades[:k][::-1], k) == near(cg(grades, k))
    assert trace(grades, k, "exponential").cg == near(cg(grades, k))


def test_nothing_to_find_gives_zero_and_says_so() -> None:
    for grades in ([0, 0], [None], [0.0, None]):
        steps = trace(grades)
        assert (steps.zero_ideal, steps.ndcg, ndcg(grades)) == (True, 0.0, 0.0)
    assert not trace([0, 1]).zero_ideal


@given(SHORT, K, GAIN, DISCOUNT, st.none() | GRADES)
def test_the_range_is_that_of_all_orders(grades, k, gain, discount, pool) -> None:  # type: ignore[no-untyped-def]
    every = [ndcg(order, k, gain, discount, pool) for order in permutations(grades)]
    room = ndcg_range(grades, k, gain, discount, pool)
    assert room.worst == near(min(every))
    assert room.best == near(max(every))
    assert room.mean == pytest.approx(sum(every) / len(every), abs=1e-9, rel=1e-9)


@given(GRADES)
def test_auc_counts_the_pairs_that_stand_rightly(grades) -> None:  # type: ignore[no-untyped-def]
    hits = [(grade or 0) >= 1 for grade in grades]
    assume(any(hits) and not all(hits))
    pairs = [i < j for i, hit in enumerate(hits) if hit for j, other_hit in enumerate(hits) if not other_hit]
    assert auc(grades) == near(sum(pairs) / len(pairs))


def test_long_lists_go_beyond_the_kept_table_of_discounts() -> None:
    grades = [3, 0] * 1500
    by_hand = math.fsum(3 / math.log2(rank + 1) for rank in range(1, 3001, 2))
    assert dcg(grades) == pytest.approx(by_hand, abs=1e-9)
    assert trace(grades).terms[-1].discount == pytest.approx(1 / math.log2(3001))
    assert ndcg([3], pool=grades) < 0.01
