"""Addresses of the workbench."""

from app.course.workbench.state import WorkbenchState, query_of

PATH = "/workbench"


def link(state: WorkbenchState) -> str:
    """The page of a state.

    >>> from app.course.workbench.state import read
    >>> link(read({"list": ["3 0"], "k": ["2"]}).state)
    '/workbench?list=3+0&k=2'
    """
    return f"{PATH}?{query_of(state)}"
