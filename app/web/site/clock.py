"""The clock of the site: every moment that a page or a verb goes by is read here."""

from collections.abc import Callable
from datetime import UTC, datetime


def system_time() -> datetime:
    return datetime.now(UTC)


source: Callable[[], datetime] = system_time
"""Where the time comes from; tests put their own moments here."""


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return source()
