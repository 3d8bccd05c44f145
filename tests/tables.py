"""A table of cases tried in one test: thousands of tests of a millisecond would spend their time waiting."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from typing import Any

import pytest

Test = Callable[..., None]


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, but one test: every case is tried, and all that fail are told together.

    >>> @each(("number", "double"), [(1, 2), (2, 5), (3, 7)])
    ... def doubling(number: int, double: int) -> None:
    ...     assert 2 * number == double, f"the double of {number}"
    >>> doubling()
    Traceback (most recent call last):
    Failed: 2 of 3 cases fail:
    number = 2, double = 5: AssertionError: the double of 2
    number = 3, double = 7: AssertionError: the double of 3
    """
    columns = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    rows = [_row(case, len(columns)) for case in cases]

    def over(test: Test) -> Test:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            faults: list[str] = []
            for row in rows:
                values = dict(zip(columns, row, strict=True))
                try:
                    test(**fixtures, **values)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # told below, with its case
                    faults.append(f"{_line(values)}: {type(error).__name__}: {error}")
            if faults:
                pytest.fail(f"{len(faults)} of {len(rows)} cases fail:\n" + "\n".join(faults), pytrace=False)

        whole = signature(test)
        fixtures = [parameter for name, parameter in whole.parameters.items() if name not in columns]
        setattr(run, "__signature__", whole.replace(parameters=fixtures))  # noqa: B010  # pytest asks for it
        return run

    if not rows:
        raise ValueError(f"a table of {columns} without a case")
    return over


def _row(case: Any, columns: int) -> tuple[Any, ...]:
    if isinstance(case, type(pytest.param())):
        return tuple(case.values)
    return tuple(case) if columns > 1 else (case,)


def _line(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {_short(value)}" for name, value in values.items())


def _short(value: object) -> str:
    """Whatever a case holds, in a few words: there are numbers and objects that cannot be printed."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001
        text = f"({error})"
    return text if len(text) <= 120 else text[:120] + "…"
