"""Addresses of the workbench."""

from dataclasses import replace
from urllib.parse import urlencode

from app.course.workbench.state import LONGEST_QUERY, WorkbenchState, query_of, short_query

PATH = "/workbench"
QR_PATH = "/workbench/qr"


def link(state: WorkbenchState) -> str:
    """The page of a state.

    >>> from app.course.workbench.state import read
    >>> link(read({"list": ["3 0"], "k": ["2"]}).state)
    '/workbench?list=3+0&k=2'
    """
    return f"{PATH}?{query_of(state)}"


def short_link(state: WorkbenchState) -> str | None:
    """The page of a state; None where no address holds it."""
    query = short_query(state)
    if query is None:
        return None
    return f"{PATH}?{query}"


def qr_link(state: WorkbenchState) -> str | None:
    """The picture of the page of a state; None where no address holds it."""
    query = short_query(state)
    if query is None:
        return None
    return f"{QR_PATH}?{query}"


class ComparisonLinks:
    """The pages that compare a list with one library after the other; the list is written once."""

    def __init__(self, state: WorkbenchState) -> None:
        self._page = short_link(replace(state, versus=""))

    def to(self, preset: str) -> str | None:
        """The page that compares with a library; None where no address holds it.

        >>> from app.course.workbench.state import read
        >>> ComparisonLinks(read({"list": ["3 0"]}).state).to("ranx")
        '/workbench?list=3+0&versus=ranx#way'
        """
        if self._page is None:
            return None
        url = f"{self._page}&{urlencode({'versus': preset})}"
        if len(url) > len(PATH) + 1 + LONGEST_QUERY:
            return None
        return f"{url}#way"
