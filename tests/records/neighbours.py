"""Learners beside each other: what one of them does, the others neither see nor lose."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass

from sqlmodel import SQLModel

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.learning.values import TRIED_UNIT, FirstTries
from tests.records.cast import Desk

FIRST, BETWEEN, LAST = (Caller(token, token) for token in ("first", "between", "last"))
"""Newcomers by their first click, later known by the cookie."""
NUMBER_NAME_PATTERN = re.compile(r"id|\w+_id|seed")
DRAWN_PATTERN = re.compile(r'(?<=\bown:)\d+|(?<=\bassignment-)\d+|(?<=")\d+(?=":)|\d{7,}')
"""Numbers of rows in a text, and seeds."""
UNORDERED_FIELDS = frozenset({"first_answers", "state_rows"})
"""What is only counted, so that no statement orders it: a server gives it as it comes."""
DeskRows = dict[str, list[tuple[object, ...]]]


def expect_apart(
    desk: Desk,
    lonely_desk: Desk,
    act: Callable[[Desk, Caller], object],
    act_otherwise: Callable[[Desk, Caller], object],
    read: Callable[[Desk, Caller], object],
) -> None:
    """Somebody acts between two others as somebody does who is alone: reads the same, and changes no row of
    theirs. Without the condition on the learner, a statement finds or changes rows of the others."""
    act(lonely_desk, BETWEEN)
    act_otherwise(desk, FIRST)
    rows_of_first = rows_of(desk, FIRST)
    act(desk, BETWEEN)
    assert rows_of(desk, FIRST) == rows_of_first
    act_otherwise(desk, LAST)
    assert without_ids(read(desk, BETWEEN)) == without_ids(read(lonely_desk, BETWEEN))


def rows_of(desk: Desk, caller: Caller) -> DeskRows:
    """All rows that name a learner, by their table, with the answers to their attempts."""
    learner_id = desk.read(learners.find_learner_id, caller)
    queries = {
        "learner": "SELECT * FROM learner WHERE id = ?",
        "response": "SELECT * FROM response WHERE attempt_id IN (SELECT id FROM attempt WHERE learner_id = ?)"
        " ORDER BY id",
    }
    for source_table in SQLModel.metadata.sorted_tables:
        if "learner_id" in source_table.columns:
            name = source_table.name
            queries[name] = f"SELECT * FROM {name} WHERE learner_id = ? ORDER BY 1, 2, 3"
    return {name: desk.rows(query, learner_id) for name, query in queries.items()}


def without_ids(page_data: object) -> object:
    """What was read, without the numbers of rows, for others were written in between, without what is
    drawn: the seeds that come from them, and the codes of classes."""
    if isinstance(page_data, FirstTries):
        page_data = tried_and_right_by_item(page_data)
    if is_dataclass(page_data):
        page_data = {field.name: getattr(page_data, field.name) for field in fields(page_data)}
    elif hasattr(page_data, "_asdict"):
        page_data = page_data._asdict()
    if isinstance(page_data, Mapping):
        if not all(isinstance(key, str) for key in page_data):
            return [without_ids(content) for _, content in sorted(page_data.items())]
        return {
            without_drawn_numbers(key): without_ids(sorted(content) if key in UNORDERED_FIELDS else content)
            for key, content in page_data.items()
            if not (key == "code" or (isinstance(content, int) and NUMBER_NAME_PATTERN.fullmatch(key)))
        }
    if isinstance(page_data, list | tuple):
        return [without_ids(content) for content in page_data]
    if isinstance(page_data, set | frozenset):
        return sorted(map(without_drawn_numbers, page_data))
    return without_drawn_numbers(page_data)


def tried_and_right_by_item(first_tries: FirstTries) -> dict[str, tuple[int, int]]:
    """In the order of the items: a server joins them in any."""
    if not first_tries.joined_items:
        return {}
    items = first_tries.joined_items.split(",")
    packed_counts = map(int, first_tries.joined_figures.split(","))
    return {item: divmod(count, TRIED_UNIT) for item, count in sorted(zip(items, packed_counts, strict=True))}


def without_drawn_numbers(content: object) -> str:
    """A text in which `own:7` stands for any card of one's own, and `assignment-7` for any assignment."""
    return DRAWN_PATTERN.sub("", repr(content))
