"""The levels of exercises: which one to practise next."""

from collections.abc import Sequence

from app.course.exercises.exercises import NAME_BY_LEVEL


def next_level(levels_with_results: Sequence[tuple[int, bool]], first_level: int = 1) -> int:
    """The level to practise next: two in a row at one level lead up, or down again.

    `levels_with_results`: level of each, and whether it was right at once; the last two decide.
    `first_level`: the one to begin with.

    >>> next_level([]), next_level([(1, True)]), next_level([(1, True), (1, True)])
    (1, 1, 2)
    >>> next_level([], 2), next_level([(1, True)], 2)
    (2, 1)
    >>> next_level([(1, True), (2, True)]), next_level([(2, False), (2, False)])
    (2, 1)
    """
    if not levels_with_results:
        return first_level
    last_level, was_right = levels_with_results[-1]
    if len(levels_with_results) == 1 or levels_with_results[-2] != (last_level, was_right):
        return last_level
    if was_right:
        return min(last_level + 1, len(NAME_BY_LEVEL))
    return max(last_level - 1, 1)
