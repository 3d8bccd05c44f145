"""Questions about a table, as the tutor writes them: whatever the family, by its own module."""

from collections.abc import Sequence
from types import ModuleType

from app import engine
from app.course.items import coin_solutions, label_solutions, pair_solutions


def _words_of(quantity: str) -> ModuleType:
    """The module that speaks of a figure."""
    if quantity in coin_solutions.CLAUSES:
        return coin_solutions
    if quantity in pair_solutions.CLAUSES:
        return pair_solutions
    return label_solutions


def name(question: engine.TableQuestion) -> str:
    """How the asked figure is written.

    >>> name(engine.SignTest([0.1, 0.2])), name(engine.Agreement([[6, 2], [1, 11]]))
    ('p', 'κ')
    """
    name_words: str = _words_of(question.quantity).name(question)
    return name_words


def table(question: engine.TableQuestion) -> str:
    """The table as a stem shows it, in Markdown."""
    table_words: str = _words_of(question.quantity).table(question)
    return table_words


def lines(question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation, one line a step; the last line holds the result."""
    solution_lines: list[str] = _words_of(question.quantity).lines(question, decimals)
    return solution_lines


def clauses(quantity: str) -> Sequence[str]:
    """What a figure takes for granted.

    >>> clauses("ips")
    ('点击＝看到×喜欢', '被看到的机会已经给定')
    """
    clause_words: Sequence[str] = _words_of(quantity).CLAUSES[quantity]
    return clause_words
