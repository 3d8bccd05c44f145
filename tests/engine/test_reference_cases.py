"""The engine against third parties: figures that other implementations computed and others confirmed."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.engine import average_precision, dcg, err, idcg, ndcg, precision, rbp, recall, reciprocal_rank, trace
from tests.tables import each

DATA = Path(__file__).parents[1] / "data"
CASES = [
    case
    for case in json.loads((DATA / "engine_reference.json").read_text("utf-8"))["cases"]
    if case["group"] != "tied-scores"
]
MEASURES = {
    "dcg": lambda case: dcg(case["ranking"], case["k"], case["gain"], pool=case["pool"]),
    "idcg": lambda case: idcg(case["ranking"], case["k"], case["gain"], pool=case["pool"]),
    "ndcg": lambda case: ndcg(case["ranking"], case["k"], case["gain"], pool=case["pool"]),
    "p": lambda case: precision(case["ranking"], case["k"]),
    "r": lambda case: recall(case["ranking"], case["k"], pool=case["pool"]),
    "ap": lambda case: average_precision(case["ranking"], pool=case["pool"]),
    "rr": lambda case: reciprocal_rank(case["ranking"]),
    "err": lambda case: err(case["ranking"], case["k"]),
    "rbp": lambda case: rbp(case["ranking"]),
}


def test_there_are_144_cases_and_every_measure_is_met_in_them() -> None:
    measures = {field for case in CASES for field in case["expected"]}
    assert len(CASES) == 144
    assert measures - {"judged", "ndcg_judged_only"} == set(MEASURES)


@each("case", CASES)
def test_every_figure_agrees_with_the_reference(case: dict[str, Any]) -> None:
    expected = {field: value for field, value in case["expected"].items() if "judged" not in field}
    measured = {field: MEASURES[field](case) for field in expected}
    assert measured == pytest.approx(expected, abs=1e-9, rel=1e-9)


@each("case", CASES)
def test_the_trace_agrees_with_the_reference(case: dict[str, Any]) -> None:
    steps = trace(case["ranking"], case["k"], case["gain"], pool=case["pool"])
    expected = {field: case["expected"][field] for field in ("dcg", "idcg", "ndcg")}
    measured = {"dcg": steps.dcg, "idcg": steps.idcg, "ndcg": steps.ndcg}
    assert measured == pytest.approx(expected, abs=1e-9, rel=1e-9)
