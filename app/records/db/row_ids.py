"""The number of a row, as an address, a form or the name of a card has it."""

import re
from collections.abc import Iterable


def row_id(id_text: str) -> int | None:
    """The number; None for what is none, or larger than any row has.

    >>> row_id("12"), row_id("all"), row_id("１２"), row_id("²"), row_id("9" * 16)
    (12, None, None, None, None)
    """
    return int(id_text) if re.fullmatch("[0-9]{1,15}", id_text) else None


def row_ids(joined_ids_text: str) -> list[int]:
    """The numbers of several rows, as an address has them; what is none is left out.

    >>> row_ids("4-17"), row_ids("4-x-17"), row_ids("")
    ([4, 17], [4, 17], [])
    """
    return [parsed_id for id_text in joined_ids_text.split("-") if (parsed_id := row_id(id_text)) is not None]


def text_of_row_ids(ids_of_rows: Iterable[int]) -> str:
    """The same numbers for an address.

    >>> text_of_row_ids([4, 17])
    '4-17'
    """
    return "-".join(map(str, ids_of_rows))
