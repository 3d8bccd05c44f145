"""wrk, the load generator: one slice of load, and what it found."""

import json
import re
import resource
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.machine import busy_seconds, cores, cpu_seconds, on_core
from bench.servers import Server
from bench.traffic import Request

FEED = Path(__file__).with_name("feed.lua")
TIMEOUT_SECONDS = 30
"""Seconds after which an answer is an error: after wrk's own two, a machine that others use too is one."""
CLEAN_SHARE = 0.1
"""A slice is clean when others took less than this share of the two cores."""


@dataclass(frozen=True)
class Slice:
    """What wrk measured in one go. `others`: share of our cores that other programs took meanwhile."""

    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    errors: int
    server_cpu: float = 0.0
    others: float = 0.0

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds

    @property
    def cpu_us(self) -> float:
        """CPU time of the server for one request, in microseconds: what other load disturbs least."""
        return self.server_cpu / max(1, self.requests) * 1e6

    @property
    def is_clean(self) -> bool:
        return self.others < CLEAN_SHARE


def installed() -> bool:
    return shutil.which("wrk") is not None


def load(
    server: Server,
    requests: Sequence[Request],
    connections: int,
    seconds: int,
    scratch_folder: Path,
    *,
    is_pinned: bool = True,
) -> Slice:
    """Send the requests in their order, over this many connections, again from the first if time remains.

    wrk has a core of its own, unless servers of several processes share them all (`is_pinned`: False).
    """
    feed = scratch_folder / "feed.tsv"
    feed.write_text("\n".join(request.line for request in requests) + "\n")
    pinned = cores() if is_pinned else None
    times_before = processor_times(server, pinned)
    with on_core(pinned and pinned[1]):
        load_slice = run(server.url, feed, connections, seconds)
    times_after = processor_times(server, pinned)
    cores_busy, server_cpu, wrk_cpu = (
        late - early for late, early in zip(times_after, times_before, strict=True)
    )
    other_programs = max(0.0, cores_busy - server_cpu - wrk_cpu) / (2 * load_slice.seconds)
    return replace(load_slice, server_cpu=server_cpu, others=other_programs)


def processor_times(server: Server, pinned: tuple[int, int] | None) -> tuple[float, float, float]:
    """Seconds so far of the cores, of the server, and of wrk."""
    return busy_seconds(pinned), cpu_seconds(server.pid), ended_children_seconds()


def run(url: str, feed: Path, connections: int, seconds: int) -> Slice:
    wrk_options = ["-t1", f"-c{connections}", f"-d{seconds}s", f"--timeout={TIMEOUT_SECONDS}s"]
    command = ["wrk", *wrk_options, "-s", str(FEED), url, "--", str(feed)]
    output = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30)
    match = re.search(r"^figures (.+)$", output.stdout, re.MULTILINE)
    if not match:
        raise RuntimeError(f"wrk 没有给出结果：\n{output.stdout}{output.stderr}")
    load_slice = Slice(**json.loads(match[1]))
    if not load_slice.requests:
        raise RuntimeError(f"{url} 一个请求也没有答：{output.stdout}{output.stderr}")
    return load_slice


def ended_children_seconds() -> float:
    """CPU time of the children that have ended: after a slice, that of wrk."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
