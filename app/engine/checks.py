"""Checks at the door: bad input is refused in words, before any arithmetic begins.

Every refusal is a ``ValueError`` that names the argument, shows the value and says what is allowed.
NumPy is welcome but never imported: its numbers are registered as ``numbers.Integral`` and
``numbers.Real``, and its arrays are recognised by ``ndim`` and ``tolist``.
"""

import math
import reprlib
import sys
from collections.abc import Collection, Sequence
from numbers import Integral, Real
from typing import Any, Protocol, TypeAlias, TypeGuard

LARGEST_FLOAT = sys.float_info.max
SINGLE_INFINITY = 2.0**128
"""Stands for a score that single precision takes for infinite: beyond all others, tied with its like."""


class Array(Protocol):
    """What a one-dimensional NumPy array, or anything shaped like it, offers."""

    @property
    def ndim(self) -> int: ...

    def __len__(self) -> int: ...

    def tolist(self) -> Any: ...


Grade: TypeAlias = float | None
Grades: TypeAlias = Sequence[Grade] | Array
Scores: TypeAlias = Sequence[float] | Array


def checked_grades(grades: Grades, argument_name: str = "grades") -> Sequence[Grade]:
    """Return the grades as a list or tuple of plain Python numbers (None = unjudged), or refuse them.

    相关性等级：大于等于0的有限数，未标注的写None；顺序就是系统给出的顺序。

    Shape: a sequence or a 1-D array with at least one entry. Sets, dicts and generators have no
    dependable order or length, so they are no sequences.
    Raises ValueError for anything else, and for entries that are negative, NaN, infinite, text or bool.

    >>> checked_grades((3, 0.5, None))
    [3, 0.5, None]
    >>> checked_grades([3, -1])
    Traceback (most recent call last):
        ...
    ValueError: grades[1] = -1: expected a finite number >= 0, or None for an unjudged document
    """
    grade_entries = (
        grades if type(grades) is list or type(grades) is tuple else entries_of(grades, argument_name)
    )
    if not grade_entries:
        raise refusal(argument_name, grades, "at least one grade")
    for grade in grade_entries:  # the hot loop: plain numbers, which is nearly always, pass without a call
        if (type(grade) is not int and type(grade) is not float) or not 0 <= grade <= LARGEST_FLOAT:
            return [
                _checked_grade(raw_grade, f"{argument_name}[{grade_index}]")
                for grade_index, raw_grade in enumerate(grade_entries)
            ]
    return grade_entries


def is_negative(grade: Grade) -> TypeGuard[float]:
    """Return whether a grade is below 0; an unjudged document has none.

    >>> is_negative(-1), is_negative(0), is_negative(None)
    (True, False, False)
    """
    return grade is not None and grade < 0


def entries_of(sequence: Any, argument_name: str) -> Sequence[Any]:
    """Return what a sequence or a 1-D array holds, entries unchecked, or refuse what has no order.

    >>> entries_of((3, None), "grades")
    [3, None]
    >>> entries_of({3, 2}, "grades")
    Traceback (most recent call last):
        ...
    ValueError: grades = {2, 3}: expected a sequence (list, tuple or 1-D array)
    """
    requirement = "a sequence (list, tuple or 1-D array)"
    if isinstance(sequence, str | bytes | bytearray | memoryview):
        raise refusal(argument_name, sequence, f"{requirement}, not text or bytes")
    if isinstance(getattr(sequence, "ndim", None), int) and hasattr(sequence, "tolist"):
        if sequence.ndim != 1:
            raise refusal(argument_name, sequence, f"one dimension, not {sequence.ndim}")
        return list(sequence.tolist())
    if not isinstance(sequence, Sequence):
        raise refusal(argument_name, sequence, requirement)
    return list(sequence)


def rows_of(table: Any, argument_name: str) -> list[Sequence[Any]]:
    """Return the rows of a sequence of sequences or of a 2-D array, entries unchecked, or refuse it.

    >>> rows_of([(6, 2), (1, 11)], "table")
    [[6, 2], [1, 11]]
    """
    is_array_of_rows = getattr(table, "ndim", None) == 2 and hasattr(table, "tolist")
    listed_rows = table.tolist() if is_array_of_rows else entries_of(table, argument_name)
    return [entries_of(row, f"{argument_name}[{row_index}]") for row_index, row in enumerate(listed_rows)]


def _checked_grade(grade: object, argument_name: str) -> Grade:
    requirement = "a finite number >= 0, or None for an unjudged document"
    if grade is None:
        return None
    number = checked_number(grade, argument_name, requirement)
    if number < 0:
        raise refusal(argument_name, grade, requirement)
    return number


def checked_number(value: object, argument_name: str, requirement: str = "a finite number") -> float:
    """Return a finite real number as a plain int or float; a bool is an answer, not a number.

    >>> checked_number(2, "base")
    2
    >>> checked_number(True, "base")
    Traceback (most recent call last):
        ...
    ValueError: base = True: expected a finite number
    """
    if (type(value) is int or type(value) is float) and -LARGEST_FLOAT <= value <= LARGEST_FLOAT:
        return value  # nearly always, and then without asking an abstract class
    if isinstance(value, bool) or not isinstance(value, Real):
        raise refusal(argument_name, value, requirement)
    try:
        is_finite = math.isfinite(value)
    except OverflowError:
        is_finite = False
    if not is_finite:
        raise refusal(argument_name, value, requirement)
    return int(value) if isinstance(value, Integral) else float(value)


def checked_positive(value: object, argument_name: str) -> float:
    """Return a finite number above 0, or refuse it.

    >>> checked_positive(0, "relevant")
    Traceback (most recent call last):
        ...
    ValueError: relevant = 0: expected a finite number > 0
    """
    positive_number = checked_number(value, argument_name, "a finite number > 0")
    if positive_number <= 0:
        raise refusal(argument_name, value, "a finite number > 0")
    return positive_number


def checked_whole_number(value: object, argument_name: str, lowest: int, highest: int | None = None) -> int:
    """Return a whole number from `lowest` on, to `highest` if there is one, as a plain int, or refuse it.

    >>> checked_whole_number(4, "first", 1, 3)
    Traceback (most recent call last):
        ...
    ValueError: first = 4: expected a whole number from 1 to 3
    """
    requirement = f"a whole number >= {lowest}"
    if highest is not None:
        requirement = f"a whole number from {lowest} to {highest}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise refusal(argument_name, value, requirement)
    whole_number = int(value)
    if whole_number < lowest or (highest is not None and whole_number > highest):
        raise refusal(argument_name, value, requirement)
    return whole_number


def checked_rank(value: object, argument_name: str) -> int:
    """Return a 1-based position (a rank, or a cutoff) as a plain int, or refuse it.

    >>> checked_rank(1.5, "k")
    Traceback (most recent call last):
        ...
    ValueError: k = 1.5: expected a whole number >= 1
    """
    return checked_whole_number(value, argument_name, 1)


def checked_decimals(value: object) -> int:
    """Return a number of decimals, from 0 to 9, as a plain int, or refuse it.

    >>> checked_decimals(2.5)
    Traceback (most recent call last):
        ...
    ValueError: decimals = 2.5: expected a whole number from 0 to 9
    """
    return checked_whole_number(value, "decimals", 0, 9)


def checked_k(k: object) -> int | None:
    """Return the cutoff: the first ``k`` ranks count; None means that all of them do.

    截断位置：只看前k位；None表示全看。k可以比列表长。

    >>> checked_k(None), checked_k(10)
    (None, 10)
    >>> checked_k(0)
    Traceback (most recent call last):
        ...
    ValueError: k = 0: expected a whole number >= 1, or None for the whole list
    """
    if k is None or (type(k) is int and k >= 1):
        return k
    try:
        return checked_rank(k, "k")
    except ValueError:
        raise refusal("k", k, "a whole number >= 1, or None for the whole list") from None


def checked_choice(value: object, argument_name: str, allowed_names: Collection[str]) -> str:
    """Return a name that is in the table, or refuse it and list the table.

    >>> checked_choice("square", "gain", ["linear", "exponential"])
    Traceback (most recent call last):
        ...
    ValueError: gain = 'square': expected one of linear, exponential
    """
    if not isinstance(value, str) or value not in allowed_names:
        raise refusal(argument_name, value, "one of " + ", ".join(allowed_names))
    return value


def checked_gain_sum(gain_sum: float, argument_name: str) -> float:
    """Return a sum of gains, or refuse the grades that made it too large for a float.

    >>> checked_gain_sum(4.5, "grades")
    4.5
    """
    if gain_sum > LARGEST_FLOAT:
        raise ValueError(
            f"{argument_name}: the gains add up to more than a float can hold; expected smaller grades"
        )
    return gain_sum


def refusal(argument_name: str, value: object, requirement: str) -> ValueError:
    """Word the error: the argument, the value (shortened) and the rule that it breaks.

    >>> refusal("p", 2, "a number between 0 and 1")
    ValueError('p = 2: expected a number between 0 and 1')
    """
    return ValueError(f"{argument_name} = {_shown_value(value)}: expected {requirement}")


def _shown_value(value: object) -> str:
    try:
        return reprlib.repr(value)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return f"({type(value).__name__} too long to print)"
