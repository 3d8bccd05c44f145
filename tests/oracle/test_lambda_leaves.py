"""What stage 7 says of XGBoost's leaves and knobs, against what it answered itself on the lesson's list."""

import json
from pathlib import Path

import pytest

from app.engine.pairwise.lambdarank import gradients, pairs

RECORD = json.loads((Path(__file__).parents[1] / "data" / "xgboost_leaves.json").read_text(encoding="utf-8"))
LABELS, SCORES = RECORD["labels"], RECORD["scores"]
SINGLE = 2e-6
TWICE = 2
"""XGBoost's second derivative is twice that of the book."""
LEAST_GAP = 0.01


def leaves_divided_by_gap() -> list[float]:
    """A pair counts less the further its scores lie apart; a leaf is the pushes over how fast they fall."""
    pushes = [0.0] * len(LABELS)
    falls = [0.0] * len(LABELS)
    for pair in pairs(LABELS, SCORES, gain="linear"):
        divisor = LEAST_GAP + abs(pair.gap)
        pushes[pair.better] += pair.force / divisor
        pushes[pair.worse] -= pair.force / divisor
        for place in (pair.better, pair.worse):
            falls[place] += pair.curvature / divisor
    return [push / (TWICE * fall) for push, fall in zip(pushes, falls, strict=True)]


def leaves(scores: list[float]) -> list[float]:
    slopes = gradients(LABELS, scores, gain="linear")
    return [-grad / (TWICE * hess) for grad, hess in zip(slopes.grad, slopes.hess, strict=True)]


def test_a_leaf_is_the_push_over_how_fast_it_falls() -> None:
    assert leaves(SCORES) == pytest.approx(RECORD["leaves"]["plain"], abs=SINGLE)


def test_a_pair_is_divided_by_its_gap_unless_all_scores_are_equal() -> None:
    recorded = RECORD["leaves"]
    assert leaves_divided_by_gap() == pytest.approx(recorded["divided_by_gap"], abs=SINGLE)
    assert recorded["divided_by_gap_and_scaled"] == pytest.approx(recorded["divided_by_gap"], abs=SINGLE)
    assert leaves([0.0] * len(LABELS)) == pytest.approx(recorded["all_scores_equal"], abs=SINGLE)
    assert recorded["all_scores_equal_divided_by_gap"] == recorded["all_scores_equal"]


def test_both_norms_and_the_exponential_gain_are_on_by_default() -> None:
    defaults = RECORD["defaults"]
    assert defaults["lambdarank_normalization"] == defaults["lambdarank_score_normalization"] == "1"
    assert (defaults["lambdarank_pair_method"], defaults["ndcg_exp_gain"]) == ("topk", "1")
