"""Questions about a table, as the tutor writes them: whatever the family, by its own module."""

from collections.abc import Sequence
from types import ModuleType

from app import engine
from app.course.items import coin_solutions, label_solutions, pair_solutions


def _module_of(quantity: str) -> ModuleType:
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
    name_text: str = _module_of(question.quantity).quantity_name(question)
    return name_text


def markdown_table(question: engine.TableQuestion) -> str:
    """The table as a stem shows it, in Markdown."""
    table_text: str = _module_of(question.quantity).markdown_table(question)
    return table_text


def solution_lines(question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation, one line a step; the last line holds the result."""
    worked_lines: list[str] = _module_of(question.quantity).solution_lines(question, decimals)
    return worked_lines


def clauses_of(quantity: str) -> Sequence[str]:
    """What a figure takes for granted.

    >>> clauses_of("ips")
    ('点击＝看到×喜欢', '被看到的机会已经给定')
    """
    clauses: Sequence[str] = _module_of(quantity).CLAUSES_BY_QUANTITY[quantity]
    return clauses
