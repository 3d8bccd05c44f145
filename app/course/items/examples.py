"""Rankings, and worked examples: a system's order with the convention under which it is computed."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Self

from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from app import engine
from app.course.text.model_base import (
    ContentPart,
    GainName,
    Grade,
    Pool,
    Text,
    Title,
    check_citation,
    check_pool,
)
from app.engine.questions import HIGHEST_GRADE_OF_SCALE, RBP_PATIENCE

CLAUSE_BY_GAIN: Mapping[GainName, str] = {
    "linear": "线性增益（甜度就是增益）",
    "exponential": "指数增益（2的甜度次方减1）",
}
CLAUSE_PARTS_BY_QUANTITY: Mapping[str, Sequence[str]] = {
    "gain": ("gain",),
    "discount": ("discount",),
    "term": ("gain", "discount"),
    "cg": ("gain", "cut"),
    "dcg": ("gain", "discount", "cut"),
    "precision": ("relevant", "cut"),
    "recall": ("relevant", "cut", "judged"),
    "average_precision": ("relevant", "cut", "judged"),
    "reciprocal_rank": ("relevant", "cut"),
    "auc": ("relevant", "compared"),
    "err": ("scale", "cut"),
    "rbp": ("relevant", "patience", "cut"),
}
"""The parts of a convention that a quantity is made of."""
CLAUSE_PARTS_OF_NDCG = ("gain", "discount", "cut", "pool", "ties")


class Document(ContentPart):
    """A document of an example; `grade` is its relevance: 甜度. None is not judged."""

    title: Title
    grade: Grade | None


class Ranking(ContentPart):
    """A query and the documents in the system's order; `unseen` are judged but were not returned."""

    query: Title
    engine: Title | None = None
    documents: list[Document] = Field(min_length=1, max_length=15)
    unseen: list[Document] = Field(default=[])


class Example(ContentPart):
    """A ranking to open term by term."""

    title: Title
    query: Title | None = None
    documents: list[Document] = Field(min_length=1, max_length=12)
    k: int | None = Field(default=None, ge=1)
    gain: GainName = "linear"
    pool: Pool | None = None
    note: Text | None = None
    published: dict[str, str] = Field(default_factory=dict)
    source: str | None = None
    id: SkipJsonSchema[str] = "unnamed"

    @model_validator(mode="after")
    def _published_has_a_source(self) -> Self:
        check_citation(self.published, self.source)
        return self

    @model_validator(mode="after")
    def _pool_holds_the_list(self) -> Self:
        check_pool(self.pool, self.grades)
        return self

    @property
    def grades(self) -> list[float | None]:
        return [document.grade for document in self.documents]

    @cached_property
    def trace(self) -> engine.Trace:
        """The whole calculation; the engine's, computed once."""
        return engine.trace(self.grades, self.k, self.gain, pool=self.pool)

    @cached_property
    def range(self) -> engine.NdcgRange:
        """NDCG of the worst, the average and the best order of these documents."""
        return engine.ndcg_range(self.grades, self.k, self.gain, pool=self.pool)

    @property
    def ranking(self) -> Ranking:
        """The documents as a question shows them. Of what only the judged pool has, no titles are known."""
        return Ranking(query=self.query or self.title, documents=self.documents)

    @property
    def cutoff(self) -> int:
        """k, or the length of the list where it is not cut."""
        return self.k or len(self.documents)

    @property
    def convention_words(self) -> str:
        """The 约定 in one line.

        >>> Example(title="t", documents=[Document(title="a", grade=3)], k=1).convention_words
        '线性增益（甜度就是增益）·折损1/log₂(名次+1)·截断k=1·理想排序取自返回的这一列·名次已定，没有并列'
        """
        return convention_line(self.gain, self.k, self.pool is not None)


def convention_line(gain: GainName, k: int | None, has_pool: bool) -> str:
    """A convention as people read it, in one line."""
    return "·".join(convention_clauses(gain, k, has_pool))


def convention_clauses(
    gain: GainName, k: int | None, has_pool: bool, quantity: str = "ndcg", list_length: int | None = None
) -> list[str]:
    """A convention as people read it, as far as a quantity uses it: gain, discount, cut-off, pool, ties.
    `list_length`: where a quantity without a cut-off is called by it, as DCG@4 of four.

    >>> convention_clauses("exponential", 2, False, "cg")  # it adds the grades themselves
    ['线性增益（甜度就是增益）', '截断k=2']
    """
    used_gain: GainName = "linear" if quantity == "cg" else gain
    whole_list_words = f"k={list_length}，整列" if list_length else "不截断"
    clause_by_id = {
        "gain": CLAUSE_BY_GAIN[used_gain],
        "discount": "折损1/log₂(名次+1)",
        "cut": f"截断k={k}" if k else whole_list_words,
        "pool": "理想排序取自整个评判池" if has_pool else "理想排序取自返回的这一列",
        "ties": "名次已定，没有并列",
        "relevant": "甜度≥1算相关",
        "compared": "只比返回的这一列",
        "scale": f"满意的机会(2的甜度次方−1)÷{2**HIGHEST_GRADE_OF_SCALE}，最高{HIGHEST_GRADE_OF_SCALE}级",
        "patience": f"耐心p={RBP_PATIENCE}",
        "judged": "相关的从整个评判池里数" if has_pool else "相关的只从这一列里数",
    }
    return [
        clause_by_id[clause_id] for clause_id in CLAUSE_PARTS_BY_QUANTITY.get(quantity, CLAUSE_PARTS_OF_NDCG)
    ]
