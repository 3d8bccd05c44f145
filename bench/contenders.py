"""Contenders that take turns within one run, so that a slow moment of the machine falls on all of them."""

import timeit
from collections.abc import Callable
from statistics import median
from typing import Any

Contenders = dict[str, Callable[[], Any]]
"""What takes turns, by the name that is printed."""


def microseconds(contenders: Contenders, calls: int, rounds: int) -> dict[str, float]:
    """Of a call of each, the median over the rounds. `calls`: so many are timed at a time."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            seconds[name].append(timeit.timeit(run, number=calls))
    return {name: median(times) / calls * 1e6 for name, times in seconds.items()}
