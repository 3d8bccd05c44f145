"""What is practised with a table instead of a list: how it is drawn, and which mistakes must show."""

from collections.abc import Callable
from dataclasses import dataclass

from app.engine.generate.stream import Stream
from app.engine.questions import TableQuestion


@dataclass(frozen=True, slots=True)
class TableSkill:
    """What is practised: a figure of a table, how it is drawn, and the mistakes that must show.

    draw: from a level and a stream to a question, or None where the table would be a poor one.
    hidden, mostly_shown: as of ``GeneratedSkill``.
    """

    quantity: str
    draw: Callable[[int, Stream], TableQuestion | None]
    told_apart: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    mostly_shown: tuple[str, ...] = ()
