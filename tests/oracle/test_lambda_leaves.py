"""What stage 7 says of leaves and knobs, against what XGBoost and LightGBM answered on the lesson's own list.

`within`: XGBoost adds in single precision, LightGBM reads its sigmoid from a table.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from app.engine.pairwise.lambdarank import gradients, pairs

RECORD = json.loads((Path(__file__).parents[1] / "data" / "ranking_leaves.json").read_text(encoding="utf-8"))
LABELS, SCORES = RECORD["labels"], RECORD["scores"]
EQUAL = [0.0] * len(LABELS)
LEAST_GAP = 0.01
every_library = pytest.mark.parametrize(
    "library", RECORD["libraries"].values(), ids=list(RECORD["libraries"])
)


def leaves(scores: list[float], library: dict[str, Any]) -> list[float]:
    slopes = gradients(LABELS, scores, gain="linear")
    hess_per_ours = library["hess_per_ours"]
    return [-grad / (hess_per_ours * hess) for grad, hess in zip(slopes.grad, slopes.hess, strict=True)]


def leaves_divided_by_gap(library: dict[str, Any]) -> list[float]:
    """A pair counts less the further its scores lie apart; a leaf is the pushes over how fast they fall."""
    pushes = [0.0] * len(LABELS)
    falls = [0.0] * len(LABELS)
    for pair in pairs(LABELS, SCORES, gain="linear"):
        divisor = LEAST_GAP + abs(pair.gap)
        pushes[pair.better_index] += pair.force / divisor
        pushes[pair.worse_index] -= pair.force / divisor
        for place in (pair.better_index, pair.worse_index):
            falls[place] += library["hess_per_ours"] * pair.curvature / divisor
    return [push / fall for push, fall in zip(pushes, falls, strict=True)]


@every_library
def test_a_leaf_is_the_push_over_how_fast_it_falls(library: dict[str, Any]) -> None:
    assert leaves(SCORES, library) == pytest.approx(library["plain"], abs=library["within"])


@every_library
def test_a_pair_is_divided_by_its_gap_unless_all_scores_are_equal(library: dict[str, Any]) -> None:
    assert leaves_divided_by_gap(library) == pytest.approx(library["with_norms"], abs=library["within"])
    for recorded in (library["all_scores_equal"], library["all_scores_equal_with_norms"]):
        assert leaves(EQUAL, library) == pytest.approx(recorded, abs=library["within"])


def test_the_knobs_stand_as_the_lesson_says() -> None:
    xgboost, lightgbm = (library["defaults"] for library in RECORD["libraries"].values())
    assert xgboost["lambdarank_normalization"] == xgboost["lambdarank_score_normalization"] == "1"
    assert (xgboost["lambdarank_pair_method"], xgboost["ndcg_exp_gain"]) == ("topk", "1")
    assert (lightgbm["lambdarank_norm"], lightgbm["lambdarank_truncation_level"]) == ("1", "30")
    assert lightgbm["learning_rate"] == "0.1"
