"""数值题: a question that the engine answers; the learner may use the 折损表 and write a sum."""

from collections.abc import Mapping, Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.items import diagnosis, numbers, solutions
from app.course.items import rounding as rounding_contract
from app.course.items.examples import Example
from app.course.items.kinds.base import Item
from app.course.items.marks import Mark, right, wrong
from app.course.items.rankings import Ranking
from app.course.text.model_base import ContentPart, GainName, Grade, Id, Pool, check_pool


class AskedQuantity(ContentPart):
    """What is asked: grades of its own, or those of an example."""

    quantity: Literal["gain", "discount", "term", "cg", "dcg", "idcg", "ndcg"]
    example: Id | None = None
    grades: list[Grade | None] | None = None
    k: int | None = Field(default=None, ge=1)
    gain: GainName = "linear"
    pool: Pool | None = None
    rank: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _grades_or_example(self) -> Self:
        if (self.grades is None) == (self.example is None):
            raise ValueError("grades（甜度）和example（例题）要写一个，只写一个")
        if self.grades is not None:
            check_pool(self.pool, self.grades)
            self.question()
        return self

    def question(self) -> engine.Question:
        """What the engine answers; an example must have been resolved."""
        return engine.Question(self.quantity, self.grades or [0], self.k, self.gain, self.pool, self.rank)

    def resolved(self, examples: Mapping[str, Example]) -> "AskedQuantity":
        """The question with the grades of its example, and its convention where it states none of its own.

        Raises KeyError for an example that is not there, ValueError where it has no such rank.
        """
        if self.example is None:
            return self
        example = examples[self.example]
        own = self.model_dump(exclude_unset=True, exclude={"example"})
        return AskedQuantity(
            **{"k": example.k, "gain": example.gain, "pool": example.pool, **own, "grades": example.grades}
        )


class Numeric(Item):
    """A number to compute, to `decimals` places; `ranking` shows the documents it is about."""

    kind: Literal["numeric"]
    question: AskedQuantity
    decimals: int = Field(default=3, ge=0, le=6)
    ranking: Ranking | None = None

    def _judge(self, raw: Sequence[str]) -> Mark:
        number = numbers.read(raw[0] if raw else "")
        low, high = rounding_contract.accepted(self.question.question(), self.decimals)
        value = number.heard
        if low <= number.value <= high:
            return right(
                value, f"对，{self.name}{'≈' if self.decimals else '='}{self.answer:.{self.decimals}f}。"
            )
        if found := diagnosis.diagnose_number(self.question.question(), number.value, self.decimals):
            return wrong(value, diagnosis.said(found), misconception=diagnosis.code(found))
        return wrong(value, self._near(number.value, low, high))

    def heard(self, raw: str) -> numbers.Number:
        """What was typed, as it was understood."""
        return numbers.read(raw)

    @property
    def answer(self) -> float:
        return engine.answer(self.question.question())

    @property
    def name(self) -> str:
        """The asked quantity as it is written: NDCG@3, 第 2 项."""
        return solutions.name(self.question.question())

    @property
    def contract(self) -> str:
        """How to round, as said beside the question."""
        rounding = f"四舍五入到{self.decimals}位小数" if self.decimals else "写整数"
        by_table = self.question.quantity in rounding_contract.DISCOUNTED
        table = rounding_contract.table_name(self.question.quantity)
        return f"{rounding}；用{table}上的数来算也可以" if by_table else rounding

    @property
    def accepted(self) -> tuple[str, str]:
        """The interval that counted as right, printed one decimal finer."""
        low, high = rounding_contract.accepted(self.question.question(), self.decimals)
        return f"{low:.{self.decimals + 1}f}", f"{high:.{self.decimals + 1}f}"

    @property
    def room(self) -> str:
        """The interval in words; nothing where one number alone was right."""
        low, high = self.accepted
        return f"{low}到{high}" if low != high else ""

    def _near(self, value: float, low: float, high: float) -> str:
        near = 1.5 * 10**-self.decimals if self.decimals else 0.0
        if low - near <= value <= high + near:
            return f"就差最后一位了：{self.contract}。再看看进位。"
        return f"{'大' if value > high else '小'}了些。先看清要算的是{self.name}，再一项一项核对。"

    def solution(self) -> list[str]:
        return solutions.lines(self.question.question(), self.decimals)

    def resolved(self, examples: Mapping[str, Example]) -> Self:
        return self.model_copy(update={"question": self.question.resolved(examples)})
