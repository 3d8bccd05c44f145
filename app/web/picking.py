"""What an address picks: `?assignment=12`."""

from fastapi import Request


def picked(request: Request, name: str = "assignment") -> int | None:
    """The number under a name; None for what is no number."""
    return number_in(request.query_params.get(name, ""))


def number_in(text: str) -> int | None:
    """The number of a row; None for what is none.

    >>> number_in("12"), number_in("all")
    (12, None)
    """
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 16 else None
