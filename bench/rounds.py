"""Taking turns: each case gets a slice of every round, so that a slow moment falls on all of them."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

from bench.servers import Server
from bench.traffic import Guest, Request
from bench.wrk import Slice, load

RequestMaker = Callable[[Sequence[Guest]], list[Request]]
READ_SLICE_FACTOR = 3
"""So many times the seconds of a slice of writes. wrk adds to a stall of its connections the answers that
would have come meanwhile: the 20 ms in which 16 of them are opened were the p99 of one second of reading
(25 ms; of three seconds 6 ms; 4 ms by a client that adds nothing). Writers would run out of things to do."""


@dataclass(frozen=True)
class MeasuredSite:
    """A server and its data folder."""

    server: Server
    data: Path

    def rows(self, table: str) -> int:
        """How many rows a table has: what was really written."""
        file = f"file:{self.data / 'tangxu.db'}?mode=ro"
        with closing(sqlite3.connect(file, uri=True)) as connection:
            (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        return int(count)


@dataclass(frozen=True)
class Case:
    """What is measured: who is asked what. `table`: where every request must leave a row.

    `readers`: which of the guests who read; `comes_back`: they were all there a moment before.
    """

    name: str
    site: MeasuredSite
    make_requests: RequestMaker
    table: str = ""
    readers: slice = field(default_factory=partial(slice, None))
    comes_back: bool = False


@dataclass
class Result:
    """The slices of a case at one number of connections. `missing`: answered, but not found in the table."""

    slices: list[Slice] = field(default_factory=list)
    missing: int = 0

    def add(self, load_slice: Slice, missing: int) -> None:
        self.slices.append(load_slice)
        self.missing += missing

    @property
    def clean_slices(self) -> list[Slice]:
        return [load_slice for load_slice in self.slices if load_slice.is_clean]

    def median(self, figure: Callable[[Slice], float]) -> float:
        """Over the clean slices; over all of them if none was clean."""
        return median(map(figure, self.clean_slices or self.slices))

    @property
    def errors(self) -> int:
        return sum(load_slice.errors for load_slice in self.slices)


Results = dict[tuple[str, int], Result]
"""By the name of the case and the number of connections."""


def turns(connections: Sequence[int], rounds: int) -> Iterator[tuple[int, int]]:
    """(round, connections); round 0 only warms up, with many connections.

    >>> list(turns([1, 16], 1))
    [(0, 16), (1, 1), (1, 16)]
    """
    yield 0, max(connections)
    for number in range(1, rounds + 1):
        for connection_count in connections:
            yield number, connection_count


def measured(
    cases: Sequence[Case], readers: Sequence[Guest], writers: Iterator[Sequence[Guest]],
    *, connections: Sequence[int], rounds: int, seconds: int, scratch_folder: Path,
) -> Results:  # fmt: skip
    """All slices. Each turn takes a fresh group of writers; ours and the limit write to different files."""
    results: Results = {
        (case.name, connection_count): Result() for case in cases for connection_count in connections
    }
    for number, connection_count in turns(connections, rounds):
        fresh_writers = next(writers)
        for case in cases:
            guests = fresh_writers if case.table else readers[case.readers]
            slice_seconds = seconds if case.table else READ_SLICE_FACTOR * seconds
            load_slice, missing = measure_slice(case, guests, connection_count, slice_seconds, scratch_folder)
            if number:
                results[case.name, connection_count].add(load_slice, missing)
    return results


def measure_slice(
    case: Case, guests: Sequence[Guest], connections: int, seconds: int, scratch_folder: Path
) -> tuple[Slice, int]:
    """Measure, then count: every request that wrk saw answered must be a row."""
    requests = case.make_requests(guests)
    send_load = partial(load, case.site.server, requests, connections, seconds, scratch_folder)
    if case.comes_back:  # by wrk as well: a browser is known by its headers, in their order
        send_load()
    if not case.table:
        return send_load(), 0
    rows_before = case.site.rows(case.table)
    load_slice = send_load()
    time.sleep(0.05)  # what was on its way when wrk stopped
    written_count = case.site.rows(case.table) - rows_before
    return load_slice, max(0, load_slice.requests - written_count)
