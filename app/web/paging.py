"""Long lists, shown a page at a time."""

from typing import NamedTuple


class ListPage(NamedTuple):
    """One of the pages of a list. `number`: which, from 1; `index_range`: what of the list is on it."""

    number: int
    page_count: int
    index_range: slice


def list_page_of(entry_count: int, wanted_number: int, page_length: int) -> ListPage:
    """The page of that number; for one that is not there the nearest. An empty list has one.

    >>> list_page_of(45, 9, 20), list_page_of(0, 0, 20).number
    (ListPage(number=3, page_count=3, index_range=slice(40, 60, None)), 1)
    """
    page_count = max(1, -(-entry_count // page_length))
    page_number = min(max(wanted_number, 1), page_count)
    first_index = (page_number - 1) * page_length
    return ListPage(page_number, page_count, slice(first_index, first_index + page_length))
