"""What is asked of the differences between two systems: the p of a test by coins."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.items import coin_solutions
from app.course.items.examples import Example
from app.course.text.model_base import ContentPart

TESTS: Mapping[str, Callable[[list[float]], engine.CoinTest]] = {
    "sign_test": engine.SignTest,
    "randomisation_test": engine.RandomisationTest,
}


class AskedCoins(ContentPart):
    """The two-sided p of a test. `differences`: new minus old, query by query, to three decimals."""

    quantity: Literal["sign_test", "randomisation_test"]
    differences: list[float] = Field(min_length=2, max_length=20)

    @model_validator(mode="after")
    def _has_an_answer(self) -> Self:
        _ = self.engine_question  # raises ValueError for what the engine cannot answer
        return self

    @cached_property
    def engine_question(self) -> engine.CoinTest:
        """What the engine answers, built and validated once."""
        return TESTS[self.quantity](self.differences)

    @property
    def table(self) -> str:
        """The differences as a stem shows them."""
        return coin_solutions.table(self.engine_question)

    @property
    def clauses(self) -> list[str]:
        """What it takes for granted."""
        return list(coin_solutions.CLAUSES[self.quantity])

    @property
    def convention(self) -> str:
        return "·".join(self.clauses)

    def resolved(self, examples: Mapping[str, Example]) -> Self:  # noqa: ARG002  # it names none
        return self


def asked_coins(question: engine.TableQuestion) -> AskedCoins:
    """The question of a test as an item holds it.

    >>> asked_coins(engine.SignTest([0.1, -0.2])).quantity
    'sign_test'
    """
    assert isinstance(question, engine.CoinTest)
    fields = {"quantity": question.quantity, "differences": list(question.differences)}
    return AskedCoins.model_validate(fields)
