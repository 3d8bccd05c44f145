"""排序题: put documents into an order; equal grades may stand in any order."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.items.kinds.base import Item, refuse_repeats
from app.course.items.kinds.form_fields import Body, FormField, NumberField, RowsField, item_form
from app.course.items.marks import Mark, Unreadable, right, wrong
from app.course.text.model_base import ContentPart, Grade, Id, Title


class Candy(ContentPart):
    """A document to place."""

    id: Id
    text: Title
    grade: Grade


def document_fields(written_document: Any) -> Body:
    """A document with its fields by name, also one that is written as `火锅店: 3`."""
    if not isinstance(written_document, dict):
        return {}
    if len(written_document) == 1 and not written_document.keys() & {"text", "grade"}:
        [(title, grade)] = written_document.items()
        return {"text": str(title), "grade": grade}
    return written_document


def short_document(fields: Body) -> Any:
    """A document in short, where it has nothing but its name and its grade.

    >>> short_document({"text": "火锅店", "grade": 3}), short_document({"text": "火锅店"})
    ({'火锅店': 3}, {'text': '火锅店'})
    """
    text = fields.get("text")
    if fields.keys() == {"text", "grade"} and isinstance(text, str) and text not in ("text", "grade"):
        return {text: fields["grade"]}
    return fields


class Order(Item):
    """The sweetest order is asked; the NDCG of what was made is shown."""

    WORD = "排序"
    FORM = item_form(
        FormField("query", "查询", "搜的是什么，可以空着"),
        RowsField(
            "documents",
            "一开始的样子",
            "从第1位往下写，别把它排好",
            columns=(FormField("text", "叫什么"), NumberField("grade", "甜度")),
            most_rows=8,
            opened=document_fields,
            closed=short_document,
        ),
    )
    kind: Literal["order"]
    documents: list[Candy] = Field(min_length=3, max_length=8)
    query: Title | None = None

    @model_validator(mode="after")
    def _document_ids_are_unique(self) -> Self:
        refuse_repeats([document.id for document in self.documents], "documents")
        return self

    @model_validator(mode="after")
    def _starts_unsorted(self) -> Self:
        if self._is_ideal(self.documents):
            raise ValueError("documents一开始就已经是理想排序了，换一个起始顺序")
        return self

    def _judge(self, raw: Sequence[str]) -> Mark:
        documents_by_id = {document.id: document for document in self.documents}
        if sorted(raw) != sorted(documents_by_id):
            raise Unreadable("有的糖不见了或多了出来，请把列出的每一颗都排上一次。")
        order = [documents_by_id[candy_id] for candy_id in raw]
        ndcg = engine.ndcg([document.grade for document in order])
        chosen_order = " ".join(raw)
        if self._is_ideal(order):
            return right(chosen_order, f"NDCG是{ndcg:.3f}，满分：再也排不出更高的了。")
        return wrong(chosen_order, f"{self._slip(order)}满分是1，这一排的NDCG是{ndcg:.3f}。", score=ndcg)

    @staticmethod
    def _is_ideal(order: Sequence[Candy]) -> bool:
        return all(ahead.grade >= behind.grade for ahead, behind in pairwise(order))

    @staticmethod
    def _slip(order: Sequence[Candy]) -> str:
        rank = next(i for i in range(1, len(order)) if order[i - 1].grade < order[i].grade)
        return f"看第{rank}位和第{rank + 1}位：后面那颗更甜，它该往前挪。"

    def solution(self) -> list[str]:
        best_order = sorted(self.documents, key=lambda document: -document.grade)
        return [
            f"第{rank}位：{candy.text}（甜度{candy.grade:g}）" for rank, candy in enumerate(best_order, 1)
        ]
