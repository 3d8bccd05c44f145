"""Figures in texts: `{{ chengdu-food.dcg | 3 }}` is computed, so no figure is typed twice."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.examples import Example
from app.course.part import GainName, Grade, Part, Pool, check_pool

_FIGURE = re.compile(r"\{\{\s*([^{}|]+?)\s*\|\s*(percent\s+)?([0-6])\s*\}\}")
_ANY_FIGURE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_HALF_FIGURE = re.compile(r"\{\{[^\n]{0,20}")
_TERM = re.compile(r"(terms|ideal_terms)\[(\d+)\]\.(gain|discount|value|running_total)")
_DISCOUNT = re.compile(r"discount\[(\d+)\]")
_TYPED = re.compile(r"\d+(?:[.．]\d+)?\s*[%％]|\d+[.．]\d+")
_FROM_TRACE = ("cg", "dcg", "idcg", "ndcg")
_FROM_RANGE = ("worst", "mean", "best")


class BadReference(ValueError):
    """A `{{ }}` that names nothing."""


class UnknownName(BadReference):
    """A `{{ }}` of an example or a value that is not there."""


class Value(Part):
    """A named figure of a lesson, computed by the engine."""

    quantity: Literal[
        "gain", "discount", "term", "cg", "dcg", "idcg", "ndcg",
        "precision", "recall", "reciprocal_rank", "average_precision", "worst", "mean",
    ]  # fmt: skip
    grades: list[Grade | None] = Field(min_length=1)
    k: int | None = Field(default=None, ge=1)
    gain: GainName = "linear"
    pool: Pool | None = None
    rank: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _computes(self) -> Self:
        check_pool(self.pool, self.grades)
        self.figure()
        return self

    def figure(self) -> float:
        """The number itself."""
        match self.quantity:
            case "precision":
                return engine.precision(self.grades, self.k)
            case "recall":
                return engine.recall(self.grades, self.k, self.pool)
            case "reciprocal_rank":
                return engine.reciprocal_rank(self.grades)
            case "average_precision":
                return engine.average_precision(self.grades, self.pool)
            case "worst" | "mean" as side:
                spread = engine.ndcg_range(self.grades, self.k, self.gain, pool=self.pool)
                return float(getattr(spread, side))
            case quantity:
                question = engine.Question(quantity, self.grades, self.k, self.gain, self.pool, self.rank)
                return engine.answer(question)


def fill(text: str, examples: Mapping[str, Example], values: Mapping[str, Value]) -> str:
    """The text with every figure printed; raises `BadReference`.

    >>> fill("{{ half | 2 }}", {}, {"half": Value(quantity="discount", grades=[1, 1, 1], rank=3)})
    '0.50'
    """
    filled = _FIGURE.sub(lambda found: _printed(found, examples, values), text)
    if left := _ANY_FIGURE.search(filled) or _HALF_FIGURE.search(filled):
        expected = "应当像{{ chengdu-food.dcg | 3 }}或{{ 名字 | percent 1 }}，小数位数是0到6"
        raise BadReference(f"{left[0]}写得不对：{expected}")
    return filled


def _printed(found: re.Match[str], examples: Mapping[str, Example], values: Mapping[str, Value]) -> str:
    name, percent, decimals = found[1], found[2], int(found[3])
    number = values[name].figure() if name in values else _of_example(name, examples)
    return f"{number * 100:.{decimals}f}%" if percent else f"{number:.{decimals}f}"


def _of_example(name: str, examples: Mapping[str, Example]) -> float:
    example_id, _, rest = name.partition(".")
    if example_id not in examples:
        raise UnknownName(f"{{{{ {name} }}}}：没有叫“{example_id}”的例题，values里也没有“{name}”")
    example = examples[example_id]
    if rest in _FROM_TRACE:
        return float(getattr(example.trace, rest))
    if rest in _FROM_RANGE:
        return float(getattr(example.range, rest))
    if rest == "k":
        return float(example.cut)
    if (found := _DISCOUNT.fullmatch(rest)) and int(found[1]) >= 1:
        return engine.discount_weight(int(found[1]))
    if found := _TERM.fullmatch(rest):
        return _of_term(getattr(example.trace, found[1]), int(found[2]), found[3], name)
    known = "cg dcg idcg ndcg worst mean best k terms[名次].value ideal_terms[名次].value discount[名次]"
    raise BadReference(f"{{{{ {name} }}}}：例题有这些数：{known}")


def _of_term(terms: Sequence[engine.Term], rank: int, field: str, name: str) -> float:
    if not 1 <= rank <= len(terms):
        raise BadReference(f"{{{{ {name} }}}}：名次要在1到{len(terms)}之间")
    return float(getattr(terms[rank - 1], field))


def typed_figures(text: str) -> list[str]:
    """Decimals and percentages typed by hand, which content must not have.

    >>> typed_figures("一共 6 颗，约 0.63，{{ x.dcg | 3 }}，涨了 3%")
    ['0.63', '3%']
    """
    return _TYPED.findall(_ANY_FIGURE.sub("", text))
