"""The same with every verb that writes alone, to be compared with: `python -m bench.one_lock serve …`."""

from collections.abc import Callable
from typing import Any

from app.__main__ import main
from app.records.db.postgres import database
from bench import distance

assert distance  # importing it moves the database away


def no_tokens(verb: Callable[..., Any], *args: Any) -> tuple[str, ...]:  # noqa: ARG001  as the one it replaces
    """As if no verb were marked as changing rows of its caller alone."""
    return ()


database.own_token_hashes = no_tokens

if __name__ == "__main__":
    main()
