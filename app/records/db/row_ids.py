"""The number of a row, as an address, a form or the name of a card has it."""

import re


def row_id(id_text: str) -> int | None:
    """The number; None for what is none, or larger than any row has.

    >>> row_id("12"), row_id("all"), row_id("１２"), row_id("²"), row_id("9" * 16)
    (12, None, None, None, None)
    """
    return int(id_text) if re.fullmatch("[0-9]{1,15}", id_text) else None
