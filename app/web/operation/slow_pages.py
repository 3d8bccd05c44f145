"""Pages that somebody waited for: a line for each, in `slow.log` of the data folder, by route."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from app.records.people.security_log import TIME_FORMAT, LogFile, direct_lines_to_file, stop_writing

LOG_FILE_NAME = "slow.log"
MOST_LOG_BYTES = 500_000
SLOW_SECONDS = 1.0
"""So long nobody should wait for a page."""

logger = logging.getLogger("tangxu.slow")
logger.setLevel(logging.INFO)
logger.propagate = False


class SlowRoute(NamedTuple):
    """A route that somebody waited for: how often, and how long at most."""

    route: str
    request_count: int
    longest_seconds: float


def open_slow_log_in_folder(folder: Path) -> None:
    """Write to the file in this folder from now on; it is made with the first line."""
    direct_lines_to_file(
        LogFile(folder / LOG_FILE_NAME, maxBytes=MOST_LOG_BYTES, backupCount=1, delay=True), logger
    )


def close_slow_log() -> None:
    """Write nowhere."""
    stop_writing(logger)


def log_slow_page(method: str, route: str, duration_seconds: float) -> None:
    """One line: when, what, and for how long."""
    logger.info("%s %s %.1f", method, route, duration_seconds)


def slow_routes(folder: Path, earliest_time: datetime) -> list[SlowRoute]:
    """What was slow since a moment, the worst first: what took most time of all who waited."""
    durations_by_request_line: dict[str, list[float]] = {}
    for asked_at, request_line, duration_seconds in slow_requests(folder):
        if asked_at >= earliest_time:
            durations_by_request_line.setdefault(request_line, []).append(duration_seconds)
    slow_routes = []
    for request_line, durations_of_line in sorted(
        durations_by_request_line.items(), key=lambda entry: -sum(entry[1])
    ):
        slow_routes.append(SlowRoute(request_line, len(durations_of_line), max(durations_of_line)))
    return slow_routes


def slow_requests(folder: Path) -> Iterator[tuple[datetime, str, float]]:
    """Moment, request and seconds of every line; what a crash left half written is passed over."""
    for file_name in (f"{LOG_FILE_NAME}.1", LOG_FILE_NAME):
        try:
            log_text = (folder / file_name).read_text("utf-8")
        except OSError:  # none was slow, or the file cannot be read, which is told of the folder
            continue
        for log_line in log_text.splitlines():
            try:
                time_text, method, route, seconds_text = log_line.split(" ")
                asked_at = datetime.strptime(time_text, TIME_FORMAT).replace(tzinfo=UTC)
                slow_request = asked_at, f"{method} {route}", float(seconds_text)
            except ValueError:
                continue
            yield slow_request
