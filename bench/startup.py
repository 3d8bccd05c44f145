"""Cold start: from the start of the process to its first 200. The disk's caches are warm."""

from pathlib import Path
from statistics import median

from bench.machine import cores
from bench.servers import first_answer, ours

STARTS = 5


def cold_start(data: Path) -> float:
    """Seconds, the median of five; one more before them warms the caches and makes the database."""
    data.mkdir(parents=True)
    pinned = cores()
    seconds = []
    for _ in range(STARTS + 1):
        with ours(data, pinned and pinned[0]) as server:
            seconds.append(first_answer(server))
    return median(seconds[1:])
