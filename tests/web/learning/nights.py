"""Another day."""

from datetime import timedelta

from tests.web.cast import Ledger


def sleep(ledger: Ledger, days: int = 1) -> None:
    """Everything that happened, happened so many days earlier."""
    for table, column in [
        ("response", "created_at"),
        ("lesson_place", "updated_at"),
        ("lesson_visit", "visited_at"),
        ("attempt", "created_at"),
    ]:
        ledger.move_back(table, column, timedelta(days=days))
    ledger.rebuild_sums()
