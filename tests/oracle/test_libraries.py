"""Our presets print what the installed libraries printed, on 200 random lists each, and 60 below zero."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.course.workbench.documents import ListedDocument, text_of
from app.course.workbench.evaluating import ListEvaluation
from app.course.workbench.state import read_state
from app.engine import CONVENTIONS, batch, reconcile, scored_ndcg
from app.web.workbench.reconciling_views import reconcile_view

DATA = Path(__file__).parents[1] / "data"
RECORD = json.loads((DATA / "library_figures.json").read_text(encoding="utf-8"))
BELOW_ZERO = json.loads((DATA / "negative_figures.json").read_text(encoding="utf-8"))
LISTS: list[dict[str, Any]] = RECORD["lists"]
SINGLE = 2e-7
"""Relative, where a library adds in single precision or prints so."""
DOUBLE = 1e-12
SHUFFLES = "tf-ranking"
"""Puts documents with equal scores in an order by chance."""
SINGLE_SUMS = ("xgboost", "xgboost-linear", "torchmetrics", "tf-ranking")
UNTIED_ONLY = "scikit-learn-ignore-ties"
"""Its sort promises no order among equal scores: processors differ in what they do with them."""


@pytest.mark.parametrize("name", SINGLE_SUMS)
def test_a_figure_of_single_precision_is_named_at_every_length(name: str) -> None:
    unnamed = []
    for query, figure in zip(LISTS[:40], RECORD["figures"][name], strict=False):
        if figure is None or (name == SHUFFLES and len(set(query["scores"])) < len(query["scores"])):
            continue
        list_fields = {"scores": query["scores"], "docs": query["docs"], "k": query["k"]}
        pool = [*query["grades"], *query["beyond"]]
        for decimals in (3, 6, 7, 8, 12, 15):
            matches = reconcile(query["grades"], f"{figure:.{decimals}f}", pool=pool, **list_fields)
            if not any(name in match.presets for match in matches):
                unnamed.append((query, decimals, figure))
    assert unnamed == []


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


def below_zero(name: str) -> list[tuple[dict[str, Any], float | str]]:
    """The lists with negative grades, and what a library prints for them, or that it refuses."""
    figures = zip(BELOW_ZERO["lists"], BELOW_ZERO["figures"][name], strict=True)
    return [(query, printed) for query, printed in figures if printed is not None]


def test_a_figure_below_zero_is_missing_only_where_chance_decides() -> None:
    for name in BELOW_ZERO["figures"]:
        assert len(below_zero(name)) == len(BELOW_ZERO["lists"]) or name == SHUFFLES
    refusing = {name for name, figures in BELOW_ZERO["figures"].items() if "refused" in figures}
    assert refusing == {"scikit-learn", "lightgbm", "xgboost"}


@pytest.mark.parametrize("name", list(BELOW_ZERO["figures"]))
def test_a_preset_treats_negative_grades_as_the_library_did(name: str) -> None:
    preset = CONVENTIONS[name]
    tolerance = 1e-6 if name in SINGLE_SUMS else DOUBLE
    for query, printed in below_zero(name):
        pool = [*query["grades"], *query["beyond"]]
        arguments = query["grades"], query["scores"], preset, query["k"], pool, query["docs"]
        if printed == "refused":
            with pytest.raises(ValueError, match="expected a grade >= 0"):
                scored_ndcg(*arguments)
            continue
        expected = pytest.approx(printed, rel=tolerance, abs=tolerance)
        assert scored_ndcg(*arguments) == expected, query
        one_list = [query["grades"]], [query["scores"]]
        in_batch = batch.ndcg(*one_list, k=query["k"], convention=preset, docs=[query["docs"]], pool=[pool])
        assert in_batch[0] == expected, query


@pytest.mark.parametrize("name", list(BELOW_ZERO["figures"]))
def test_the_workbench_shows_what_the_library_did_with_a_pasted_negative_grade(name: str) -> None:
    preset = CONVENTIONS[name]
    tolerance = 1e-6 if name in SINGLE_SUMS else DOUBLE
    for query, printed in below_zero(name):
        documents = [
            ListedDocument(*row) for row in zip(query["grades"], query["scores"], query["docs"], strict=True)
        ]
        fields = {"list": [text_of(documents)], "k": [f"{query['k']}"]}
        if pool_grades := [f"{grade}" for grade in query["beyond"] if grade >= 0]:
            fields["pool"] = [" ".join(pool_grades)]
        evaluation = ListEvaluation(read_state(fields).state)
        if printed == "refused":
            assert evaluation.refusal_words(preset).startswith("不收负的甜度：-")
        else:
            assert not evaluation.refusal_words(preset)
            assert evaluation.ndcg(preset) == pytest.approx(printed, rel=tolerance, abs=tolerance), query


@pytest.mark.parametrize("name", list(BELOW_ZERO["figures"]))
def test_a_figure_of_a_list_with_negative_grades_is_reconciled_with_the_library_that_printed_it(
    name: str,
) -> None:
    """They were handed over as unjudged, and libraries that refuse the list were named."""
    for query, printed in below_zero(name)[:8]:
        documents = [
            ListedDocument(*row) for row in zip(query["grades"], query["scores"], query["docs"], strict=True)
        ]
        figure = "0.5" if printed == "refused" else f"{printed:.5f}"
        fields = {"list": [text_of(documents)], "k": [f"{query['k']}"], "printed": [figure]}
        if pool_grades := [f"{grade}" for grade in query["beyond"] if grade >= 0]:
            fields["pool"] = [" ".join(pool_grades)]
        view = reconcile_view(fields)
        assert view.fault_by_field == {}
        assert view.result
        libraries = [library.name for group in view.result.library_groups for library in group.libraries]
        assert (CONVENTIONS[name].library in libraries) == (printed != "refused"), query
