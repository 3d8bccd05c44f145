"""What we want to reach, and whether this run did."""

from collections.abc import Iterator
from dataclasses import dataclass

from bench.rounds import Results

BUSY = 16
"""The goals hold at this number of connections."""


@dataclass(frozen=True)
class Goal:
    """One figure and its bound. `at_least`: more is better."""

    name: str
    found: float
    bound: float
    unit: str
    at_least: bool = False

    @property
    def reached(self) -> bool:
        return self.found >= self.bound if self.at_least else self.found <= self.bound


@dataclass(frozen=True)
class Figures:
    """All that a run found. `engine` is None where scikit-learn is missing, `loads` empty without wrk."""

    loads: Results
    cold_start_s: float
    idle_mb: float | None = None
    loaded_mb: float | None = None
    engine: float | None = None


LIMITS = {
    "课文页": "课文页的极限",
    "课文页，不压缩": "不压缩的极限",
    "翻开一项": "翻开的极限",
    "回答": "回答的极限",
}
"""What each of our cases is compared with."""
WANTED = {"课文页": (9.0, 15.0), "翻开一项": (25.0, 30.0), "回答": (25.0, 30.0)}
"""At least this share of the limit in percent, and p99 in milliseconds at most."""


def share(loads: Results, name: str, connections: int) -> float:
    """Requests per second as percent of the limit's."""
    ours, limit = loads[name, connections], loads[LIMITS[name], connections]
    return 100 * ours.median(lambda one: one.per_second) / limit.median(lambda one: one.per_second)


def goals(found: Figures) -> Iterator[Goal]:
    """The goals that this run can judge."""
    if found.loads:
        for name, (least, most) in WANTED.items():
            p99 = found.loads[name, BUSY].median(lambda one: one.p99_ms)
            yield Goal(f"{name}：占极限的", share(found.loads, name, BUSY), least, " %", at_least=True)
            yield Goal(f"{name}：p99", p99, most, " ms")
    yield Goal("冷启动", found.cold_start_s, 1.0, " s")
    if found.loaded_mb is not None:
        yield Goal("压过以后的内存", found.loaded_mb, 130, " MB")
    if found.engine is not None:
        yield Goal("引擎：10 项的 NDCG，是 scikit-learn 的", found.engine, 50, " 倍", at_least=True)
