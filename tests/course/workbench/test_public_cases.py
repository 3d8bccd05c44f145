"""Figures of public threads: each is printed by the engine, and its convention or mistake is named."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from app.course.workbench.cells import PrintedFigure
from app.course.workbench.reconciling import Evidence, Reconciliation, reconciliation_of
from app.course.workbench.suspecting import suspicions
from app.engine import mean_over_queries, scored_ndcg
from app.engine.reconciling import figure_and_decimals, rounds_to

CASES = yaml.safe_load((Path(__file__).parents[2] / "data" / "public_cases.yaml").read_text(encoding="utf-8"))
FEWEST = 20
Figure = dict[str, Any]


def figures() -> Iterator[Any]:
    for case in CASES:
        for number, figure in enumerate(case["figures"], 1):
            name = urlsplit(case["thread"]).path.strip("/").replace("/", "-")
            yield pytest.param(figure, id=f"{name}-{number}")


def evidence_of(figure: Figure) -> Evidence:
    return Evidence(
        figure["grades"],
        PrintedFigure(figure["printed"]),
        figure.get("scores"),
        figure.get("docs"),
        figure.get("k"),
        figure.get("pool"),
    )


def test_there_are_threads_enough_and_each_is_told() -> None:
    threads = [case["thread"] for case in CASES]
    assert len(set(threads)) == len(threads)
    single = [
        case for case in CASES if any("named" in figure and "grades" in figure for figure in case["figures"])
    ]
    assert len(single) >= FEWEST
    assert all(case["told"] and case["right"] and case["figures"] for case in CASES)


@pytest.mark.parametrize("figure", list(figures()))
def test_a_printed_figure_is_printed_again_and_named(figure: Figure) -> None:
    if "mean_of" in figure:
        assert_mean(figure)
        return
    evidence = evidence_of(figure)
    explained = reconciliation_of(evidence)
    if figure.get("nothing"):
        assert (explained.groups, explained.diagnosis) == ((), None)
    elif "suspected" in figure:
        assert explained.groups == ()
        assert_suspected(evidence, figure["suspected"])
    elif "mistake" in figure:
        assert explained.diagnosis is not None
        assert figure["mistake"] in explained.diagnosis.code.split("|")
    else:
        assert float(explained.printed_figure.share_text) == float(figure.get("share") or figure["printed"])
        assert_named(explained, figure["named"])


def assert_named(explained: Reconciliation, named: str | Mapping[str, str]) -> None:
    if isinstance(named, str):
        assert named in [name for group in explained.groups for name in group.presets]
        return
    assert any(
        all(answer in group.answers_by_axis[axis] for axis, answer in named.items())
        for group in explained.groups
    )


def assert_suspected(evidence: Evidence, suspected: Mapping[str, Any]) -> None:
    changes = {
        (suspicion.k, suspicion.unlisted_grades): suspicion.presets for suspicion in suspicions(evidence)
    }
    beyond = (suspected["grade"],) * suspected["beyond"]
    assert suspected["named"] in changes[evidence.k, beyond]


def assert_mean(figure: Figure) -> None:
    name = figure["named"]
    queries = figure["mean_of"]
    values = [scored_ndcg(query["grades"], query["scores"], name, query.get("k")) for query in queries]
    assert rounds_to(mean_over_queries(values), *figure_and_decimals(figure["printed"]))
