"""What an address picks: `?assignment=12`."""

from fastapi import Request


def picked(request: Request, name: str = "assignment") -> int | None:
    """The number under a name; None for what is no number."""
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 16 else None
