"""Figures in texts: `{{ chengdu-food.dcg | 3 }}` is computed, so no figure is typed twice."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.items.asked_tables import AskedAgreement, AskedClicks
from app.course.items.examples import Example
from app.course.items.printed_figures import rounded_text
from app.course.learning.figures_of_chance import DifferencesValue, PlanValue
from app.course.text.model_base import ContentPart, GainName, Grade, Pool, check_pool
from app.engine.pairwise import lambdarank

_FIGURE_PATTERN = re.compile(r"\{\{\s*+([^{}|]*[^{}|\s])\s*+\|\s*+(percent\s+)?([0-6])\s*+\}\}")
_ANY_FIGURE_PATTERN = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_HALF_FIGURE_PATTERN = re.compile(r"\{\{[^\n]{0,20}")
_TERM_PATTERN = re.compile(r"(terms|ideal_terms)\[(\d+)\]\.(gain|discount|value|running_total)")
_DISCOUNT_PATTERN = re.compile(r"discount\[(\d+)\]")
_TYPED_FIGURE_PATTERN = re.compile(r"(?<!\d)\d++(?:[.．]\d++)?\s*+[%％]|(?<!\d)\d++[.．]\d++")
_TRACE_QUANTITIES = ("cg", "dcg", "idcg", "ndcg")
_RANGE_QUANTITIES = ("worst", "mean", "best")
_PAIR_QUANTITIES = ("rho", "delta_ndcg", "lambda")
"""Of the pushes in texts, what RankNet and LambdaRank do to a list: those about a pair of documents."""


class BadReference(ValueError):
    """A `{{ }}` that names nothing."""


class UnknownName(BadReference):
    """A `{{ }}` of an example or a value that is not there."""


class ListValue(ContentPart):
    """A named figure of a lesson, computed by the engine."""

    quantity: Literal[
        "gain", "discount", "term", "cg", "dcg", "idcg", "ndcg",
        "precision", "recall", "f1", "accuracy", "reciprocal_rank", "average_precision", "auc", "err", "rbp",
        "worst", "mean", "best", "rho", "delta_ndcg", "lambda", "force", "stepped",
    ]  # fmt: skip
    grades: list[Grade | None] = Field(min_length=1)
    k: int | None = Field(default=None, ge=1)
    gain: GainName = "linear"
    pool: Pool | None = None
    rank: int | None = Field(default=None, ge=1)
    threshold: Grade = Field(default=1, gt=0)
    """For measures of yes and no: from this grade on a document is relevant."""
    collection: int | None = Field(default=None, ge=1)
    """For accuracy: the number of all documents there are."""
    max_grade: Grade = Field(default=4, gt=0)
    """For ERR: the top of the scale."""
    p: float = Field(default=0.8, gt=0, lt=1)
    """For RBP: the chance that a reader goes on."""
    scores: list[float] | None = None
    """For pushes: the scores of the list; `rank` and `other` then count its places. Without: as listed."""
    other: int | None = Field(default=None, ge=1)
    """For pairs (rho, delta_ndcg, lambda): the other document."""
    sigma: float = Field(default=1, gt=0)
    rate: float = Field(default=1, gt=0)
    """For stepped, the score after one step: the learning rate."""

    @model_validator(mode="after")
    def _check_computable(self) -> Self:
        check_pool(self.pool, self.grades)
        self._check_measurable()
        self.figure()
        return self

    def _check_measurable(self) -> None:
        plain_grades = [grade or 0 for grade in self.grades]
        top_grade = max(plain_grades)
        if (self.quantity == "accuracy") != (self.collection is not None):
            raise ValueError("accuracy要写collection（全部文档有几篇），别的quantity不写")
        if self.quantity == "err" and top_grade > self.max_grade:
            raise ValueError(f"err的甜度不能超过max_grade（这把尺子的最高一级，现在是{self.max_grade:g}）")
        if self.quantity in _PUSH_BY_QUANTITY:
            _check_push(self)
        if self.quantity == "auc" and not min(plain_grades) < self.threshold <= top_grade:
            raise ValueError("auc要既有相关的（甜度到threshold），也有不相关的")

    @property
    def relevant(self) -> float:
        """The threshold under the name that the measures have for it."""
        return self.threshold

    def figure(self) -> float:
        """The number itself."""
        if self.quantity in _PUSH_BY_QUANTITY:
            return _PUSH_BY_QUANTITY[self.quantity](self)
        if self.quantity in _MEASURE_AND_FIELDS_BY_QUANTITY:
            figure_of, *field_names = _MEASURE_AND_FIELDS_BY_QUANTITY[self.quantity]
            value_by_argument = {field_name: getattr(self, field_name) for field_name in field_names}
            return float(figure_of(self.grades, **value_by_argument))
        if self.quantity in _RANGE_QUANTITIES:
            ndcg_range = engine.ndcg_range(self.grades, self.k, self.gain, pool=self.pool)
            return float(getattr(ndcg_range, self.quantity))
        question = engine.Question(self.quantity, self.grades, self.k, self.gain, self.pool, self.rank)
        return engine.answer(question)


AnyValue = Annotated[
    ListValue | AskedAgreement | AskedClicks | DifferencesValue | PlanValue, Field(discriminator="quantity")
]
"""A named figure of a list of grades, of a table, of differences, or of a plan."""
_MEASURE_AND_FIELDS_BY_QUANTITY: Mapping[str, tuple[Any, *tuple[str, ...]]] = {
    "precision": (engine.precision, "k", "relevant"),
    "recall": (engine.recall, "k", "pool", "relevant"),
    "f1": (engine.f1, "k", "pool", "relevant"),
    "accuracy": (engine.accuracy, "collection", "k", "pool", "relevant"),
    "reciprocal_rank": (engine.reciprocal_rank, "relevant"),
    "average_precision": (engine.average_precision, "pool", "relevant"),
    "auc": (engine.auc, "relevant"),
    "err": (engine.err, "k", "max_grade"),
    "rbp": (engine.rbp, "p", "relevant"),
}
"""The measures beside NDCG, each with what it takes beside the grades: k means nothing to AUC."""


def _check_push(list_value: ListValue) -> None:
    """Raise ValueError, in Chinese, for a figure that does not exist."""
    quantity, grades, scores = list_value.quantity, list_value.grades, list_value.scores
    rank, other_rank = list_value.rank, list_value.other
    if None in grades:
        raise ValueError(f"{quantity}要每一篇都有甜度")
    if scores is None and quantity != "delta_ndcg":
        raise ValueError(f"{quantity}要写scores（每一篇的模型分）")
    if scores is not None and len(scores) != len(grades):
        raise ValueError(f"scores要写{len(grades)}个，一篇一个")
    if quantity in _PAIR_QUANTITIES and (rank is None or other_rank is None):
        raise ValueError(f"{quantity}要写rank（第几篇）和other（另一篇）")
    if rank is None or (quantity not in _PAIR_QUANTITIES and other_rank is not None):
        raise ValueError(f"{quantity}要写rank（第几篇）")
    if max(rank, other_rank or 1) > len(grades):
        raise ValueError(f"rank和other要在1到{len(grades)}之间")
    if other_rank and grades[rank - 1] == grades[other_rank - 1]:
        raise ValueError(f"第{rank}篇和第{other_rank}篇一样甜，没有谁该在谁前面")


def _document_pairs(list_value: ListValue) -> Sequence[lambdarank.DocumentPair]:
    scores = _scores(list_value)
    return lambdarank.pairs(
        list_value.grades, scores, list_value.sigma, list_value.k, list_value.gain, "exact"
    )


def _pair_of(list_value: ListValue) -> lambdarank.DocumentPair:
    asked_document_indexes = {_index_of_rank(list_value.rank), _index_of_rank(list_value.other)}
    for document_pair in _document_pairs(list_value):
        if {document_pair.better_index, document_pair.worse_index} == asked_document_indexes:
            return document_pair
    # `_check_push` refused it before.
    raise AssertionError(f"no pair of {list_value.rank} and {list_value.other}")


def _push_on_document(list_value: ListValue) -> float:
    """How much a document is pushed, up above 0: its gradient with the sign turned round."""
    gradients = lambdarank.summed_forces(_document_pairs(list_value), len(list_value.grades))
    return -gradients.grad[_index_of_rank(list_value.rank)]


def _score_after_step(list_value: ListValue) -> float:
    """The score after one step."""
    score = _scores(list_value)[_index_of_rank(list_value.rank)]
    return score + list_value.rate * _push_on_document(list_value)


def _index_of_rank(rank: int | None) -> int:
    """Where the document of a rank stands; `_check_push` saw to it that there is one."""
    assert rank is not None
    return rank - 1


def _scores(list_value: ListValue) -> Sequence[float]:
    return list_value.scores or [float(-document_index) for document_index in range(len(list_value.grades))]


_PUSH_BY_QUANTITY: Mapping[str, Callable[[ListValue], float]] = {
    "rho": lambda list_value: _pair_of(list_value).rho,
    "delta_ndcg": lambda list_value: _pair_of(list_value).delta_ndcg,
    "lambda": lambda list_value: _pair_of(list_value).force,
    "force": lambda list_value: abs(_push_on_document(list_value)),
    "stepped": _score_after_step,
}
"""The pairs, and for one document how strongly it is pushed in all (up or down, the words say), and its score
after one step."""


def fill(
    markdown_text: str, example_by_id: Mapping[str, Example], value_by_name: Mapping[str, AnyValue]
) -> str:
    """The text with every figure printed; raises `BadReference`.

    >>> fill("{{ half | 2 }}", {}, {"half": ListValue(quantity="discount", grades=[1, 1, 1], rank=3)})
    '0.50'
    """
    filled_text = _FIGURE_PATTERN.sub(
        lambda figure_match: _print_figure(figure_match, example_by_id, value_by_name), markdown_text
    )
    if unread_figure := _ANY_FIGURE_PATTERN.search(filled_text) or _HALF_FIGURE_PATTERN.search(filled_text):
        expected_form_words = "应当像{{ chengdu-food.dcg | 3 }}或{{ 名字 | percent 1 }}，小数位数是0到6"
        raise BadReference(f"{unread_figure[0]}写得不对：{expected_form_words}")
    return filled_text


def _print_figure(
    figure_match: re.Match[str], example_by_id: Mapping[str, Example], value_by_name: Mapping[str, AnyValue]
) -> str:
    figure_reference, percent_sign, decimals_text = figure_match.groups()
    figure = _number_of_reference(figure_reference, example_by_id, value_by_name)
    printed_text = rounded_text(figure, int(decimals_text))
    if percent_sign:
        printed_text = f"{rounded_text(figure * 100, int(decimals_text))}%"
    return printed_text.replace("-", "−")  # a true minus sign, in sentences and formulas alike


def _number_of_reference(
    figure_reference: str, example_by_id: Mapping[str, Example], value_by_name: Mapping[str, AnyValue]
) -> float:
    if figure_reference in value_by_name:
        return value_by_name[figure_reference].figure()
    return _number_of_example(figure_reference, example_by_id)


def _number_of_example(figure_reference: str, example_by_id: Mapping[str, Example]) -> float:
    example_id, _, quantity = figure_reference.partition(".")
    if example_id not in example_by_id:
        raise UnknownName(
            f"{{{{ {figure_reference} }}}}：没有叫“{example_id}”的例题，values里也没有“{figure_reference}”"
        )
    example = example_by_id[example_id]
    if quantity in _TRACE_QUANTITIES:
        return float(getattr(example.trace, quantity))
    if quantity in _RANGE_QUANTITIES:
        return float(getattr(example.range, quantity))
    if quantity == "k":
        return float(example.cutoff)
    figure = _figure_at_rank(quantity, example, figure_reference)
    if figure is not None:
        return figure
    quantity_words = (
        "cg dcg idcg ndcg worst mean best k terms[名次].value ideal_terms[名次].value discount[名次]"
    )
    raise BadReference(f"{{{{ {figure_reference} }}}}：例题有这些数：{quantity_words}")


def _figure_at_rank(quantity: str, example: Example, figure_reference: str) -> float | None:
    """A discount or a figure of a term, by its rank; None for what names neither."""
    if discount_match := _DISCOUNT_PATTERN.fullmatch(quantity):
        rank = int(discount_match[1])
        return engine.discount_weight(rank) if rank else None
    term_match = _TERM_PATTERN.fullmatch(quantity)
    if term_match is None:
        return None
    terms: Sequence[engine.Term] = getattr(example.trace, term_match[1])
    rank = int(term_match[2])
    if not 1 <= rank <= len(terms):
        raise BadReference(f"{{{{ {figure_reference} }}}}：名次要在1到{len(terms)}之间")
    return float(getattr(terms[rank - 1], term_match[3]))


def typed_figures(markdown_text: str) -> list[str]:
    """Decimals and percentages typed by hand, which content must not have.

    >>> typed_figures("一共 6 颗，约 0.63，{{ x.dcg | 3 }}，涨了 3%")
    ['0.63', '3%']
    """
    return _TYPED_FIGURE_PATTERN.findall(_ANY_FIGURE_PATTERN.sub("", markdown_text))
