"""What we want to reach, and whether this run did."""

from collections.abc import Iterator
from dataclasses import dataclass

from bench.rounds import Results

BUSY_CONNECTIONS = 16
"""The goals hold at this number of connections."""


@dataclass(frozen=True)
class Goal:
    """A figure and the bound that it has to reach; `stretch`: better still. `at_least`: more is better."""

    name: str
    figure: float
    bound: float
    unit: str
    stretch: float | None = None
    more_is_better: bool = False

    @property
    def reached(self) -> bool:
        return self.figure >= self.bound if self.more_is_better else self.figure <= self.bound

    def __str__(self) -> str:
        """As it is printed.

        >>> print(Goal("冷启动", 0.7, 0.6, " s", 0.5))
        ✗ 没到  冷启动 0.7 s（目标 ≤ 0.6，更远 ≤ 0.5）
        """
        sign = "✓ 达到" if self.reached else "✗ 没到"
        relation = "≥" if self.more_is_better else "≤"
        further = "" if self.stretch is None else f"，更远 {relation} {self.stretch:g}"
        return f"{sign}  {self.name} {self.figure:.3g}{self.unit}（目标 {relation} {self.bound:g}{further}）"


@dataclass(frozen=True)
class Figures:
    """All that a run found. `engine` is None where scikit-learn is missing, `loads` empty without wrk."""

    loads: Results
    cold_start_s: float
    idle_mb: float | None = None
    loaded_mb: float | None = None
    engine: float | None = None


LIMIT_OF_CASE = {
    "课文页": "课文页的极限",
    "课文页，第一次": "课文页的极限",
    "课文页，不压缩": "不压缩的极限",
    "人人一样的页": "人人一样的页的极限",
    "人人一样的页，304": "人人一样的页的极限",
    "翻开一项": "翻开的极限",
    "回答": "回答的极限",
    "回答，带下一题": "回答的极限",
}
"""What each of our cases is compared with."""


@dataclass(frozen=True)
class LoadBounds:
    """Percent of the limit at least, and what would be better still; p99 in milliseconds at most."""

    share: float
    stretch: float | None = None
    p99_ms: float | None = None


LOAD_BOUNDS = {
    "课文页": LoadBounds(20, 25, 8),
    "课文页，第一次": LoadBounds(8),
    "人人一样的页": LoadBounds(50),
    "人人一样的页，304": LoadBounds(80),
    "翻开一项": LoadBounds(40, 50, 8),
    "回答": LoadBounds(40, 50, 10),
    "回答，带下一题": LoadBounds(25, 50, 10),
}
REVIEWS, ANKI_REVIEWS = 1_200, 2_556
"""Durable card reviews a second with the next card drawn; what Anki's library writes without a web."""
MOST_CPU_US = {"静态文件": 60, "健康检查": 60}
"""CPU time of the server for one request, in microseconds at most."""


def share(loads: Results, name: str, connections: int) -> float:
    """Requests per second as percent of the limit's."""
    ours = loads[name, connections]
    limit = loads[LIMIT_OF_CASE[name], connections]
    return (
        100
        * ours.median(lambda load_slice: load_slice.per_second)
        / limit.median(lambda load_slice: load_slice.per_second)
    )


def goals(figures: Figures) -> Iterator[Goal]:
    """The goals that this run can judge."""
    if figures.loads:
        yield from goals_of_loads(figures.loads)
    yield Goal("冷启动", figures.cold_start_s, 0.6, " s", 0.5)
    if figures.loaded_mb is not None:
        yield Goal("压过以后的内存", figures.loaded_mb, 115, " MB", 110)
    if figures.engine is not None:
        yield Goal("引擎：10 项的 NDCG，是 scikit-learn 的", figures.engine, 50, " 倍", more_is_better=True)


def goals_of_loads(loads: Results) -> Iterator[Goal]:
    for name, bounds in LOAD_BOUNDS.items():
        yield from goals_of_load(loads, name, bounds)
    reviews = loads["复习一张闪卡", BUSY_CONNECTIONS].median(lambda load_slice: load_slice.per_second)
    yield Goal("复习一张闪卡：每秒", reviews, REVIEWS, " 次", ANKI_REVIEWS, more_is_better=True)
    for name, most_us in MOST_CPU_US.items():
        cpu_us = loads[name, BUSY_CONNECTIONS].median(lambda load_slice: load_slice.cpu_us)
        yield Goal(f"{name}：CPU", cpu_us, most_us, " µs")


def goals_of_load(loads: Results, name: str, bounds: LoadBounds) -> Iterator[Goal]:
    percent = share(loads, name, BUSY_CONNECTIONS)
    yield Goal(f"{name}：占极限的", percent, bounds.share, " %", bounds.stretch, more_is_better=True)
    if bounds.p99_ms is not None:
        p99_ms = loads[name, BUSY_CONNECTIONS].median(lambda load_slice: load_slice.p99_ms)
        yield Goal(f"{name}：p99", p99_ms, bounds.p99_ms, " ms")
