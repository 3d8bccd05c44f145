"""What is practised with a table instead of a list: how it is drawn, and which mistakes must show."""

from collections.abc import Callable
from typing import NamedTuple

from app.engine.generate.random_stream import RandomStream
from app.engine.questions import TableQuestion


class TableSkill(NamedTuple):
    """What is practised: a figure of a table, how it is drawn, and the mistakes that must show.

    draw: from a level and a stream to a question, or None where the table would be a poor one.
    told_apart_mistake_ids, hidden_mistake_ids: as of ``ListSkill``.
    """

    quantity: str
    draw: Callable[[int, RandomStream], TableQuestion | None]
    told_apart_mistake_ids: tuple[str, ...]
    hidden_mistake_ids: tuple[str, ...] = ()
