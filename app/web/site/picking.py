"""What an address picks: `?assignment=12`."""

from fastapi import Request

from app.records.db.row_ids import row_id


def picked(request: Request, name: str = "assignment") -> int | None:
    """The number under a name; None for what is no number."""
    return row_id(request.query_params.get(name, ""))
