"""Figures for Prometheus: what is counted, and where. Nothing is counted unless a setting asks for it.

The site is not slower for those who do not: no layer stands in the way of their requests, and what is counted
of database and caches is wrapped here, when counting is switched on. Labels are bounded: routes as they stand
in the code, kinds of errors, names of caches; nothing of a person.

With several processes each writes to files of its own in the folder that `PROMETHEUS_MULTIPROC_DIR` names,
and whichever is asked adds them up. A request costs some 3 µs, there 5.
"""

import os
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from app.records.db.database import Database, Job
from app.records.db.sqlite.database import SqliteDatabase
from app.settings import SettingsError
from app.web.operation.observing import Observation
from app.web.site.site import Site

if TYPE_CHECKING:
    from app.records.db.postgres.beginnings import Begin
    from app.records.db.postgres.connection import ServerConnection

P = ParamSpec("P")
T = TypeVar("T")
CarryOut = Callable[["ServerConnection", Job, "Begin"], int]
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
NO_LIBRARY_WORDS = (
    "设了TANGXU_METRICS_TOKEN，但prometheus-client还没有装："
    ".venv/bin/python -m pip install --require-hashes -r requirements-metrics.lock"
)
REQUEST_SECONDS_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
COMMIT_SECONDS_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10)
BATCH_VERBS_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128)


class Metrics:
    """The figures of one process. `SettingsError` where the library is not installed."""

    def __init__(self) -> None:
        try:
            prometheus = import_module("prometheus_client")
        except ImportError as error:
            raise SettingsError(NO_LIBRARY_WORDS) from error
        counter, gauge, histogram = prometheus.Counter, prometheus.Gauge, prometheus.Histogram
        self.library = prometheus
        self.registry = prometheus.CollectorRegistry()
        self._counter_and_histogram_by_labels: dict[tuple[str, str, int], tuple[Any, Any]] = {}
        shared_options: dict[str, Any] = {"registry": self.registry, "namespace": "tangxu"}
        self.requests = counter(
            "requests", "Requests answered", ("method", "route", "status"), **shared_options
        )
        self.request_seconds = histogram(
            "request_seconds", "From the head of a request to the end of its answer", ("route",),
            buckets=REQUEST_SECONDS_BUCKETS, **shared_options,
        )  # fmt: skip
        self.refusals = counter("refusals", "Requests of which nothing came", ("reason",), **shared_options)
        self.waiting_verbs = gauge(
            "waiting_verbs", "Verbs that wait for the database or are run by it", ("kind",),
            multiprocess_mode="livesum", **shared_options,
        )  # fmt: skip
        self.batch_verbs = histogram(
            "batch_verbs", "Verbs that share a commit (SQLite)", buckets=BATCH_VERBS_BUCKETS, **shared_options
        )
        self.commit_seconds = histogram(
            "commit_seconds",
            "A transaction that writes, from begin to commit",
            buckets=COMMIT_SECONDS_BUCKETS,
            **shared_options,
        )
        self.repeats = counter("repeats", "Verbs begun anew after a conflict (PostgreSQL)", **shared_options)
        self.recalls = counter(
            "cache_recalls", "Looks into the caches of pages", ("cache", "result"), **shared_options
        )

    def observe(self, observation: Observation) -> None:
        """Count a request that was answered."""
        labels = (observation.method, observation.route, observation.status // 100)
        counter_and_histogram = self._counter_and_histogram_by_labels.get(labels)
        if counter_and_histogram is None:  # finding them by their labels costs as much as counting
            counter = self.requests.labels(
                observation.method, observation.route, f"{observation.status // 100}xx"
            )
            counter_and_histogram = self._counter_and_histogram_by_labels[labels] = (
                counter,
                self.request_seconds.labels(observation.route),
            )
        counter_and_histogram[0].inc()
        counter_and_histogram[1].observe(observation.duration_seconds)
        if observation.refusal:
            self.refusals.labels(observation.refusal).inc()

    def watch_site(self, site: Site) -> None:
        """Count hits and misses of its caches from now on."""
        for cache_name, cache in site.cache_by_name().items():
            wrap_method(cache, "recall", partial(self._counting_recalls, cache_name))

    def watch_database(self, database: Database) -> None:
        """Count verbs that wait, and what is committed, from now on."""
        for method in ("read", "read_late", "write"):
            wrap_method(database, method, partial(self._counting_waiting, method))
        if isinstance(database, SqliteDatabase):
            wrap_method(database, "run_batch", self._counting_batches)
        else:
            wrap_method(database, "carry_out", self._counting_retries)

    def text_and_media_type(self, current_figure_by_name: dict[str, float]) -> tuple[bytes, str]:
        """All figures of all processes in the format of Prometheus, and its media type.
        `current_figure_by_name`: what is true at this moment, by name.
        """
        prometheus = self.library
        registry = prometheus.CollectorRegistry()
        registry.register(CurrentFigures(current_figure_by_name))
        if FOLDER_VARIABLE in os.environ:
            import_module("prometheus_client.multiprocess").MultiProcessCollector(registry)
            counted_bytes = b""
        else:
            counted_bytes = prometheus.generate_latest(self.registry)
        current_bytes: bytes = prometheus.generate_latest(registry)
        return counted_bytes + current_bytes, prometheus.CONTENT_TYPE_LATEST

    def _counting_recalls(self, cache_name: str, recall: Callable[[Any], Any]) -> Callable[[Any], Any]:
        hit_counter, miss_counter = (
            self.recalls.labels(cache_name, "hit"),
            self.recalls.labels(cache_name, "miss"),
        )

        def counted_recall(key: Any) -> Any:
            cached_value = recall(key)
            if cached_value is None:
                miss_counter.inc()
            else:
                hit_counter.inc()
            return cached_value

        return counted_recall

    def _counting_waiting(self, method: str, call: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
        waiting_gauge = self.waiting_verbs.labels(method)

        async def counted_call(*args: P.args, **kwargs: P.kwargs) -> T:
            waiting_gauge.inc()
            try:
                return await call(*args, **kwargs)
            finally:
                waiting_gauge.dec()

        return counted_call

    def _counting_batches(self, run: Callable[[Any, list[Any]], None]) -> Callable[[Any, list[Any]], None]:
        def counted_run(connection: Any, jobs: list[Any]) -> None:
            self.batch_verbs.observe(len(jobs))
            with self.commit_seconds.time():
                run(connection, jobs)

        return counted_run

    def _counting_retries(self, carry_out: CarryOut) -> CarryOut:
        def counted_carry_out(connection: "ServerConnection", job: Job, begin: "Begin") -> int:
            start_second = time.perf_counter()
            try_count = carry_out(connection, job, begin)
            if not connection.is_reading:
                self.commit_seconds.observe(time.perf_counter() - start_second)
            self.repeats.inc(try_count - 1)
            return try_count

        return counted_carry_out


class CurrentFigures:
    """What is true at this moment, for the library to collect."""

    def __init__(self, figure_by_name: dict[str, float]) -> None:
        self._figure_by_name = figure_by_name

    def collect(self) -> Iterator[Any]:
        """Each as a gauge."""
        gauge_family = import_module("prometheus_client.core").GaugeMetricFamily
        for figure_name, figure in self._figure_by_name.items():
            yield gauge_family(f"tangxu_{figure_name}", figure_name.replace("_", " "), value=figure)


def wrap_method(wrapped_object: Any, method_name: str, wrap: Callable[[Any], Any]) -> None:
    """Let a method of this one object, and of no other, be what `wrap` makes of it."""
    setattr(wrapped_object, method_name, wrap(getattr(wrapped_object, method_name)))


def begin_folder(data_folder: Path) -> None:
    """Before several processes start: an empty folder for what they count, which they find by a variable."""
    metrics_folder = data_folder / "metrics"
    shutil.rmtree(metrics_folder, ignore_errors=True)
    metrics_folder.mkdir(parents=True)
    os.environ[FOLDER_VARIABLE] = str(metrics_folder)


def forget_process(process_id: int) -> None:
    """A process has ended: nothing waits in it any more. What it counted stays counted."""
    if FOLDER_VARIABLE in os.environ:
        import_module("prometheus_client.multiprocess").mark_process_dead(process_id)
