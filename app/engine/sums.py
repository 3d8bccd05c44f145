"""Sums of floats, one number after the other, so that a figure has the same last digit on every Python.

The builtin ``sum`` rounds floats otherwise from Python 3.12 on. The engine leaves it to whole numbers.
"""

from collections.abc import Iterable
from functools import reduce
from operator import add


def sum_in_order(numbers: Iterable[float]) -> float:
    """Return the numbers added up from the first to the last; 0.0 without one.

    从头到尾，一个一个地加。

    >>> sum_in_order([0.1] * 10)   # what a person's running total shows, not the nearest float to 1
    0.9999999999999999
    """
    return reduce(add, numbers, 0.0)
