"""The orders of a few grades and how many moves lead to each, by which movable rows and lists are judged."""

from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations, pairwise

from app.engine.checks import Grade

GradeRow = tuple[Grade, ...]


@lru_cache(maxsize=32)  # of up to 720 orders each: teachers write rows, too
def move_count_by_reachable_row(start_row: GradeRow, is_by_exchange: bool = False) -> Mapping[GradeRow, int]:
    """Every order of these grades, and how many moves to a neighbour's place lead there at least.

    `is_by_exchange`: a move exchanges any two of them.

    >>> move_count_by_reachable_row((0, 1, 2))[2, 1, 0], move_count_by_reachable_row((0, 1, 2), True)[2, 1, 0]
    (3, 1)
    """
    index_pairs = list(combinations(range(len(start_row)), 2))
    if not is_by_exchange:
        index_pairs = list(pairwise(range(len(start_row))))
    move_count_by_row = {start_row: 0}
    pending_rows = deque([start_row])
    while pending_rows:
        grade_row = pending_rows.popleft()
        for first_index, second_index in index_pairs:
            grades = list(grade_row)
            grades[first_index], grades[second_index] = grades[second_index], grades[first_index]
            reached_row = tuple(grades)
            if reached_row not in move_count_by_row:
                move_count_by_row[reached_row] = move_count_by_row[grade_row] + 1
                pending_rows.append(reached_row)
    return move_count_by_row
