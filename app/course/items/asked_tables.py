"""What is asked of a table: agreement of two judges, clicks by position, a p by coins, a swap, a lambda."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator

from app import engine
from app.course.items import pair_solutions
from app.course.items.examples import Example
from app.course.items.label_solutions import POSITION_NAMES
from app.course.items.rounding import TABLE_RANKS
from app.course.items.solutions import table_solutions_of
from app.course.text.model_base import ContentPart, GainName


class AskedTable(ContentPart):
    """A table, and the figure that is asked of it; each family is a subclass with its own `quantity`."""

    quantity: str

    @model_validator(mode="after")
    def _has_an_answer(self) -> Self:
        _ = self.engine_question  # raises ValueError for what the engine cannot answer
        return self

    @cached_property
    def engine_question(self) -> engine.TableQuestion:
        """What the engine answers, built and validated once."""
        raise NotImplementedError

    @property
    def table_markdown(self) -> str:
        """The table as a stem shows it, in Markdown."""
        return table_solutions_of(self.quantity).table_markdown(self.engine_question)

    @property
    def value_by_placeholder(self) -> Mapping[str, object]:
        """What a stem may name in braces."""
        return {"table": self.table_markdown}

    @property
    def clauses(self) -> list[str]:
        """What it takes for granted."""
        return list(table_solutions_of(self.quantity).CLAUSES_BY_QUANTITY[self.quantity])

    @property
    def convention_words(self) -> str:
        return "·".join(self.clauses)

    def figure(self) -> float:
        """The number itself, for texts."""
        return self.engine_question.figure()

    def resolved(self, example_by_id: Mapping[str, Example]) -> Self:  # noqa: ARG002  # it names none
        return self


class AskedAgreement(AskedTable):
    """Cohen's kappa of two judges. `counts`: labels of the first down the rows, of the second across."""

    quantity: Literal["kappa"]
    counts: list[list[int]] = Field(min_length=2, max_length=5)

    @cached_property
    def engine_question(self) -> engine.Agreement:
        return engine.Agreement(self.counts)


class AskedPosition(ContentPart):
    """A position: how often the document was shown there and clicked, and how often it is looked at."""

    shown_times: int = Field(ge=1)
    clicks: int = Field(ge=0)
    propensity: float = Field(gt=0, le=1)


class AskedClicks(AskedTable):
    """Inverse propensity scoring of one document that was shown at several positions, from the head down."""

    quantity: Literal["ips"]
    positions: list[AskedPosition] = Field(min_length=1, max_length=len(POSITION_NAMES))

    @cached_property
    def engine_question(self) -> engine.Clicks:
        engine_positions = [
            engine.Position(asked_position.shown_times, asked_position.clicks, asked_position.propensity)
            for asked_position in self.positions
        ]
        return engine.Clicks(engine_positions)


COIN_TEST_BY_QUANTITY: Mapping[str, Callable[[list[float]], engine.CoinTest]] = {
    "sign_test": engine.SignTest,
    "randomisation_test": engine.RandomisationTest,
}


class AskedCoins(AskedTable):
    """The two-sided p of a test. `differences`: new minus old, query by query, to three decimals."""

    quantity: Literal["sign_test", "randomisation_test"]
    differences: list[float] = Field(min_length=2, max_length=20)

    @cached_property
    def engine_question(self) -> engine.CoinTest:
        return COIN_TEST_BY_QUANTITY[self.quantity](self.differences)

    @property
    def value_by_placeholder(self) -> Mapping[str, object]:
        return {"table": self.table_markdown, "count": len(self.differences)}


class AskedSwap(AskedTable):
    """How much NDCG changes when the documents at two ranks change places; `first` is the upper one."""

    quantity: Literal["delta_ndcg"]
    grades: list[float] = Field(min_length=2, max_length=TABLE_RANKS)
    first: int = Field(ge=1)
    second: int = Field(ge=2)
    gain: GainName = "linear"

    @cached_property
    def engine_question(self) -> engine.RankSwap:
        return engine.RankSwap(self.grades, self.first, self.second, self.gain)

    @property
    def value_by_placeholder(self) -> Mapping[str, object]:
        return {
            "table": self.table_markdown,
            "convention": self.convention_words,
            "first": self.first,
            "second": self.second,
        }

    @property
    def clauses(self) -> list[str]:
        return pair_solutions.clauses_of(self.engine_question)


class AskedForce(AskedSwap):
    """The lambda of two documents; `scores` from high to low, as the list is ranked."""

    quantity: Literal["lambda"]  # type: ignore[assignment]
    scores: list[float] = Field(min_length=2, max_length=TABLE_RANKS)

    @cached_property
    def engine_question(self) -> engine.PairForce:
        return engine.PairForce(self.grades, self.first, self.second, self.gain, self.scores)


AnyTable: TypeAlias = AskedAgreement | AskedClicks | AskedCoins | AskedSwap | AskedForce
"""What can be asked of a table."""


def asked_table(table_question: engine.TableQuestion) -> AnyTable:
    """The question of a table as an item holds it.

    >>> asked_table(engine.SignTest([0.1, -0.2])).quantity
    'sign_test'
    """
    if isinstance(table_question, engine.CoinTest):
        asked_fields = {"quantity": table_question.quantity, "differences": list(table_question.differences)}
        return AskedCoins.model_validate(asked_fields)
    if isinstance(table_question, engine.Agreement):
        count_rows = [list(count_row) for count_row in table_question.table]
        return AskedAgreement(quantity="kappa", counts=count_rows)
    if isinstance(table_question, engine.RankSwap):
        return _asked_swap_or_force(table_question)
    assert isinstance(table_question, engine.Clicks)
    asked_positions = []
    for engine_position in table_question.positions:
        asked_position = AskedPosition(
            shown_times=engine_position.shown_times,
            clicks=engine_position.clicks,
            propensity=engine_position.propensity,
        )
        asked_positions.append(asked_position)
    return AskedClicks(quantity="ips", positions=asked_positions)


def _asked_swap_or_force(rank_swap: engine.RankSwap) -> AskedSwap | AskedForce:
    asked_fields = {
        "quantity": rank_swap.quantity,
        "grades": list(rank_swap.grades),
        "first": rank_swap.first,
        "second": rank_swap.second,
        "gain": rank_swap.gain,
    }
    if isinstance(rank_swap, engine.PairForce):
        return AskedForce.model_validate(asked_fields | {"scores": list(rank_swap.scores)})
    return AskedSwap.model_validate(asked_fields)
