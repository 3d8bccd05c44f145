"""Addresses of the workbench."""

from collections.abc import Sequence
from urllib.parse import urlencode

from app.course.workbench.state import (
    LONGEST_QUERY_STRING,
    WorkbenchState,
    fields_of_state,
    query_string_of,
    short_query_string,
)

WORKBENCH_PATH = "/workbench"
QR_PATH = "/workbench/qr"
RECONCILE_PATH = "/workbench/reconcile"
PROBE_PATH = "/workbench/probe"


def state_url(workbench_state: WorkbenchState) -> str:
    """The page of a state.

    >>> from app.course.workbench.state import read_state
    >>> state_url(read_state({"list": ["3 0"], "k": ["2"]}).state)
    '/workbench?list=3+0&k=2'
    """
    return f"{WORKBENCH_PATH}?{query_string_of(workbench_state)}"


def short_state_url(workbench_state: WorkbenchState) -> str | None:
    """The page of a state; None where no address holds it."""
    query_string = short_query_string(workbench_state)
    if query_string is None:
        return None
    return f"{WORKBENCH_PATH}?{query_string}"


def qr_code_url(workbench_state: WorkbenchState) -> str | None:
    """The picture of the page of a state; None where no address holds it."""
    query_string = short_query_string(workbench_state)
    if query_string is None:
        return None
    return f"{QR_PATH}?{query_string}"


def reconcile_url(workbench_state: WorkbenchState, printed_text: str) -> str:
    """对账 of a figure that was printed for a list; its empty form where no address holds them."""
    name_text_pairs = [*fields_of_state(workbench_state), ("printed", printed_text)]
    return short_reconcile_url(name_text_pairs) or RECONCILE_PATH


def short_reconcile_url(name_text_pairs: Sequence[tuple[str, str]]) -> str | None:
    """对账 of these fields; None where no address holds them.

    >>> short_reconcile_url([("list", "3 0"), ("printed", "0.9")])
    '/workbench/reconcile?list=3+0&printed=0.9'
    >>> short_reconcile_url([("list", "3 " * 1000)])
    """
    query_string = urlencode(name_text_pairs)
    if len(query_string) > LONGEST_QUERY_STRING:
        return None
    return f"{RECONCILE_PATH}?{query_string}"
