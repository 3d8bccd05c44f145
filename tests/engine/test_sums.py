"""A figure has the same last digit on every Python: `sum` rounds floats otherwise from 3.12 on."""

import builtins
import math
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest

from app import engine
from app.engine.labelling import Clicks, Position, alpha, deviation_of_ips, ips
from app.engine.labelling.agreement import chance_agreement
from app.engine.misconceptions.tables import RIGHT_TABLE_WORKING_BY_QUANTITY
from app.engine.pairwise.lambdarank import ranknet_loss
from app.engine.ties import ranked_gains

Tenths = list[float]
LISTS_OF_TENTHS = [
    [Random(f"{seed}-{place}").randint(1, 20) / 10 for place in range(8)] for seed in range(20)
]
"""Hardly a tenth is a binary fraction: sums of them depend on where they are rounded."""


def counts(tenths: Tenths) -> list[int]:
    return [round(10 * tenth) for tenth in tenths]


def count_table(tenths: Tenths) -> list[list[int]]:
    whole = counts(tenths)
    return [whole[:3], whole[3:6], whole[5:]]


def positions(tenths: Tenths) -> list[Position]:
    return [Position(count + 20, count, 1 / (count + 2.3)) for count in counts(tenths)]


FIGURE_BY_NAME: dict[str, Callable[[Tenths], object]] = {
    "cg": engine.cg,
    "ndcg_range": lambda tenths: engine.ndcg_range(tenths, 5),
    "a tie": lambda tenths: ranked_gains(tenths, [1] * len(tenths), "average"),
    "a mean": engine.mean_over_queries,
    "rbp": lambda tenths: engine.rbp(tenths, p=0.7),
    "ranknet_loss": lambda tenths: ranknet_loss(counts(tenths), tenths),
    "alpha": lambda tenths: alpha([tenths, tenths[::-1], tenths[3:] + tenths[:3]], "interval"),
    "chance": lambda tenths: chance_agreement(count_table(tenths)),
    "ips": lambda tenths: ips(positions(tenths)),
    "deviation_of_ips": lambda tenths: deviation_of_ips(0.3, positions(tenths)),
    "a worked ips": lambda tenths: RIGHT_TABLE_WORKING_BY_QUANTITY["ips"].value(Clicks(positions(tenths))),
}


def sum_rounded_once(summands: Iterable[Any], start: Any = 0) -> Any:
    """A builtin `sum` as another Python might have it; whole numbers as ever."""
    numbers = [start, *summands]
    if all(isinstance(number, int) for number in numbers):
        return TRUE_SUM(numbers)
    return math.fsum(numbers)


TRUE_SUM = sum


@pytest.mark.parametrize("name", FIGURE_BY_NAME)
def test_a_figure_does_not_hang_on_how_python_sums(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = [FIGURE_BY_NAME[name](tenths) for tenths in LISTS_OF_TENTHS]
    monkeypatch.setattr(builtins, "sum", sum_rounded_once)
    assert [FIGURE_BY_NAME[name](tenths) for tenths in LISTS_OF_TENTHS] == figures
