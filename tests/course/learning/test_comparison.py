"""What stage 6 says in words about the neighbours of NDCG, held against the engine."""

import json
from pathlib import Path

import pytest

from app import engine
from tests.published import published
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
SEEDS = json.loads((ROOT / "tests/data/seed_examples.json").read_text(encoding="utf-8"))
SEED = {one["id"]: one for one in SEEDS}
GUIDES = ("chengdu-guide-a", "chengdu-guide-b")

COURSE = published()


def value(name: str) -> float:
    return COURSE.value_by_name[f"cmp-{name}"].figure()


@each("name", GUIDES)
def test_the_guides_are_those_of_the_source(name: str) -> None:
    example, seed = COURSE.examples[name], SEED[name]
    assert [document.title for document in example.documents] == seed["documents"]
    assert (example.grades, example.cutoff, example.pool) == (seed["grades"], seed["k"], seed["pool"])
    assert example.trace.ndcg == pytest.approx(seed["true"]["ndcg"])


@each("gain", sorted(engine.GAINS))
def test_no_pool_gives_both_printed_figures(gain: str) -> None:
    """Both are divided by one IDCG, so their ratio is that of the DCGs whatever the pool."""
    first, second = (COURSE.examples[name].grades for name in GUIDES)
    ratio = engine.dcg(second, gain=gain) / engine.dcg(first, gain=gain)
    for extra in ([], [2], [4, 4, 3]):
        pool = [4, 2, 2, 2, 1, 0, 0, 0, 0, *extra]
        both = [engine.ndcg(grades, gain=gain, pool=pool) for grades in (first, second)]
        assert both[1] / both[0] == pytest.approx(ratio)
    assert not 0.545 / 0.955 <= ratio <= 0.555 / 0.945


@each(
    ("ahead", "then_behind"),
    [
        ("lone-max3 crowd-max3", "lone-max4 crowd-max4"),  # ERR: another top of the scale
        ("early-half later-half", "early-eight later-eight"),  # RBP: another patience
        ("even-plain star-plain", "even-steep star-steep"),  # NDCG: another gain
        ("pork1-ap pork2-ap", "pork1-err pork2-err"),  # AP against ERR
        ("middle-auc top-auc", "middle-rr top-rr"),  # AUC against the reciprocal rank
    ],
)
def test_the_winner_changes_as_the_lesson_says(ahead: str, then_behind: str) -> None:
    first, second = map(value, ahead.split())
    assert first > second
    first, second = map(value, then_behind.split())
    assert first < second


def test_a_pair_put_right_counts_the_same_for_auc_wherever_it_stands() -> None:
    top = engine.auc([1, 0, 0, 0, 0, 0, 0, 0, 0, 1]) - engine.auc([0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    tail = engine.auc([1, 0, 0, 0, 0, 0, 0, 0, 1, 0]) - engine.auc([1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    assert top == pytest.approx(tail) == pytest.approx(1 / 16)
    weight = engine.discount_weight
    assert (weight(1) - weight(2)) / (weight(9) - weight(10)) == pytest.approx(30, rel=0.05)


def test_auc_is_nearly_full_though_the_first_hundred_hold_nothing() -> None:
    grades = [0] * 100 + [1] * 10 + [0] * 9890
    assert engine.auc(grades) == pytest.approx(98900 / 99900)
    assert engine.ndcg(grades, k=100) == 0


def test_three_reciprocal_ranks_have_the_mean_of_the_question() -> None:
    ranks = [[1], [0, 1], [0, 0, 0, 1]]
    assert sum(map(engine.reciprocal_rank, ranks)) / 3 == pytest.approx(7 / 12)
