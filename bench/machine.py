"""What the operating system knows of a process and of its own cores (Linux: /proc)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def cores() -> tuple[int, int] | None:
    """One core for the server and another one for wrk; None where there is only one, or no choice."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    numbers = sorted(os.sched_getaffinity(0))
    return (numbers[0], numbers[1]) if len(numbers) > 1 else None


@contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """What is started inside runs on this core alone: a child inherits the choice of its parent."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and its children so far, all their threads, to the nanosecond."""
    threads = [*Path(f"/proc/{pid}/task").iterdir()]
    nanoseconds = sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)
    children = [child for thread in threads for child in (thread / "children").read_text().split()]
    return nanoseconds / 1e9 + sum(cpu_seconds(int(child)) for child in children)


def memory_mb(pid: int) -> float:
    """Memory that a process holds (RSS), in MB of 10⁶ bytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    kib = next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
    return kib * 1024 / 1e6


def busy_seconds(pinned_cores: tuple[int, int] | None) -> float:
    """Time that these cores (or all) have worked so far, for anybody; what a host took counts too."""
    names = [f"cpu{core}" for core in pinned_cores] if pinned_cores else ["cpu"]
    lines = (line.split() for line in Path("/proc/stat").read_text().splitlines())
    return sum(_busy(counts) for name, *counts in lines if name in names) / TICKS_A_SECOND


def _busy(counts: list[str]) -> int:
    user, nice, system, _idle, _waiting, irq, softirq, steal, *_ = map(int, counts)
    return user + nice + system + irq + softirq + steal
