"""Questions about a table, as the tutor writes them: whatever the family, by its own module."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from app import engine
from app.course.items import coin_solutions, label_solutions, pair_solutions


class FamilySolutions(Protocol):
    """What the module of a family says of its questions."""

    CLAUSES_BY_QUANTITY: Mapping[str, Sequence[str]]

    def quantity_name(self, question: engine.TableQuestion, /) -> str: ...

    def markdown_table(self, question: engine.TableQuestion) -> str: ...

    def solution_lines(self, question: engine.TableQuestion, decimals: int) -> list[str]: ...


def _solutions_of(quantity: str) -> FamilySolutions:
    """The module that speaks of a figure."""
    if quantity in coin_solutions.CLAUSES_BY_QUANTITY:
        return coin_solutions
    if quantity in pair_solutions.CLAUSES_BY_QUANTITY:
        return pair_solutions
    return label_solutions


def quantity_name(question: engine.TableQuestion) -> str:
    """How the asked figure is written.

    >>> quantity_name(engine.SignTest([0.1, 0.2])), quantity_name(engine.Agreement([[6, 2], [1, 11]]))
    ('p', 'κ')
    """
    return _solutions_of(question.quantity).quantity_name(question)


def markdown_table(question: engine.TableQuestion) -> str:
    """The table as a stem shows it, in Markdown."""
    return _solutions_of(question.quantity).markdown_table(question)


def solution_lines(question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation, one line a step; the last line holds the result."""
    return _solutions_of(question.quantity).solution_lines(question, decimals)


def clauses_of(quantity: str) -> Sequence[str]:
    """What a figure takes for granted.

    >>> clauses_of("ips")
    ('点击＝看到×喜欢', '被看到的机会已经给定')
    """
    return _solutions_of(quantity).CLAUSES_BY_QUANTITY[quantity]
