"""The run in print: a table, the single figures, a line for each goal; and the same as JSON."""

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from unicodedata import east_asian_width

from bench.goals import LIMIT_OF_CASE, Figures, goals, share
from bench.machine import cores
from bench.rounds import Result

HEADINGS = ("", "连接", "次/秒", "p50 ms", "p99 ms", "CPU µs", "占极限")


def heading() -> str:
    """When and on what."""
    pinned = cores()
    where = f"服务器在核 {pinned[0]}，wrk 在核 {pinned[1]}" if pinned else "没有分核"
    now = datetime.now().astimezone()
    python = platform.python_version()
    load = os.getloadavg()[0]
    machine = f"{os.cpu_count()} 核，{where}；开始时的负载 {load:.1f}"
    return f"糖序测速  {now:%Y-%m-%d %H:%M}  Python {python}，{machine}"


def lines(figures: Figures) -> Iterator[str]:
    """The whole report."""
    if figures.loads:
        yield from table(figures)
        yield from remarks(figures)
        yield ""
    yield f"冷启动 {figures.cold_start_s:.2f} s（从进程开始到第一个 200，5 次的中位数）"
    if figures.idle_mb is not None and figures.loaded_mb is not None:
        yield f"内存 {figures.idle_mb:.0f} MB，压过以后 {figures.loaded_mb:.0f} MB"
    if figures.engine is not None:
        yield f"引擎 10 项的 NDCG：是 scikit-learn 的 {figures.engine:.0f} 倍"
    else:
        yield "引擎没有比：没装 scikit-learn（make bench 会装）"
    yield ""
    judged_goals = list(goals(figures))
    yield from map(str, judged_goals)
    yield f"goals: {sum(goal.reached for goal in judged_goals)} of {len(judged_goals)}"


def table(figures: Figures) -> Iterator[str]:
    rows = [HEADINGS, *(row(figures, name, connection_count) for name, connection_count in figures.loads)]
    widths = [max(width(cells[column]) for cells in rows) for column in range(len(HEADINGS))]
    for cells in rows:
        yield "  ".join(
            padded_cell(cell, widths[column], left=column == 0) for column, cell in enumerate(cells)
        )


def row(figures: Figures, name: str, connections: int) -> tuple[str, ...]:
    result = figures.loads[name, connections]
    share_of_limit = f"{share(figures.loads, name, connections):.1f} %" if name in LIMIT_OF_CASE else ""
    return (
        name + ("" if result.clean_slices else " ~"),
        str(connections),
        f"{result.median(lambda load_slice: load_slice.per_second):,.0f}",
        f"{result.median(lambda load_slice: load_slice.p50_ms):.2f}",
        f"{result.median(lambda load_slice: load_slice.p99_ms):.2f}",
        f"{result.median(lambda load_slice: load_slice.cpu_us):.0f}",
        share_of_limit,
    )


def remarks(figures: Figures) -> Iterator[str]:
    """What makes a figure doubtful."""
    results = figures.loads.values()
    if not all(result.clean_slices for result in results):
        yield "~ 别的程序占了核：没有一段是干净的，这一行是所有段的中位数"
    for (name, connection_count), result in figures.loads.items():
        if doubt := doubts(result):
            yield f"! {name}（{connection_count} 个连接）：{doubt}"


def doubts(result: Result) -> str:
    wrong = [f"{result.errors} 个请求出错"] if result.errors else []
    missing = [f"{result.missing} 个答复了却没有写下"] if result.missing else []
    return "，".join(wrong + missing)


def width(text: str) -> int:
    """Columns in a terminal: a 汉字 takes two.

    >>> width("连接 16")
    7
    """
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def padded_cell(text: str, columns: int, *, left: bool) -> str:
    gap = " " * (columns - width(text))
    return text + gap if left else gap + text


def as_json(figures: Figures) -> str:
    """Everything, slice by slice."""
    loads = [
        {
            "case": name,
            "connections": connection_count,
            "missing": result.missing,
            "slices": [asdict(load_slice) for load_slice in result.slices],
        }
        for (name, connection_count), result in figures.loads.items()
    ]
    single = {
        "cold_start_s": figures.cold_start_s,
        "idle_mb": figures.idle_mb,
        "loaded_mb": figures.loaded_mb,
        "engine_ratio": figures.engine,
    }
    judged = [asdict(goal) | {"reached": goal.reached} for goal in goals(figures)]
    return json.dumps({"loads": loads, **single, "goals": judged}, ensure_ascii=False, indent=2)


def write_json(figures: Figures, file: Path) -> None:
    file.write_text(as_json(figures) + "\n", encoding="utf-8")
