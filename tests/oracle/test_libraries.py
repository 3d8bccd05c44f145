"""Our presets print what the installed libraries printed, on 200 random lists each."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.engine import CONVENTIONS, scored_ndcg

RECORD = json.loads((Path(__file__).parents[1] / "data" / "library_figures.json").read_text(encoding="utf-8"))
LISTS: list[dict[str, Any]] = RECORD["lists"]
SINGLE = 2e-7
"""Relative, where a library adds in single precision or prints so."""
DOUBLE = 1e-12
SHUFFLES = "tf-ranking"
"""Puts documents with equal scores in an order by chance."""
SINGLE_SUMS = ("xgboost", "xgboost-linear", "torchmetrics", "tf-ranking")
UNTIED_ONLY = "scikit-learn-ignore-ties"
"""Its sort promises no order among equal scores: processors differ in what they do with them."""


def test_a_figure_is_missing_only_where_chance_decides() -> None:
    for name, figures in RECORD["figures"].items():
        missing = [query for query, printed in zip(LISTS, figures, strict=True) if printed is None]
        assert name == SHUFFLES or not missing
        assert all(len(set(query["scores"])) < len(query["scores"]) for query in missing)


def test_the_lists_show_what_conventions_differ_in() -> None:
    assert len(LISTS) == 200
    assert sum(len(set(query["scores"])) < len(query["scores"]) for query in LISTS) >= 80
    assert sum(bool(query["beyond"]) for query in LISTS) >= 60
    assert sum(not any(query["grades"]) for query in LISTS) >= 10
    assert sum(query["k"] < len(query["grades"]) for query in LISTS) >= 80


@pytest.mark.parametrize("name", list(RECORD["figures"]))
def test_a_preset_prints_what_the_library_printed(name: str) -> None:
    preset = CONVENTIONS[name]
    assert RECORD["versions"][name] in preset.version or not preset.version
    tolerance = SINGLE if name in SINGLE_SUMS else DOUBLE
    wrong = []
    for query, printed in zip(LISTS, RECORD["figures"][name], strict=True):
        if name == UNTIED_ONLY and len(set(query["scores"])) < len(query["scores"]):
            continue
        if printed is None:
            continue
        pool = [*query["grades"], *query["beyond"]]
        value = scored_ndcg(query["grades"], query["scores"], preset, query["k"], pool, query["docs"])
        if value != pytest.approx(printed, rel=tolerance, abs=tolerance):
            wrong.append((query, printed, value))
    assert wrong == []
