"""排序题: put documents into an order; equal grades may stand in any order."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from app import engine
from app.course.items.kinds.base import AnswerProof, TypedItem, refuse_repeats
from app.course.items.kinds.form_fields import FormField, ItemBody, NumberField, RowsField, item_form
from app.course.items.marks import Mark, Unreadable, right_mark, wrong_mark
from app.course.items.printed_figures import STEP_DECIMALS, figure_and_gap_texts, rounded_text
from app.course.text.model_base import ContentPart, Grade, Id, Title

FULL_NDCG = 1


class Candy(ContentPart):
    """A document to place."""

    id: Id
    text: Title
    grade: Grade


def document_fields(written_document: Any) -> ItemBody:
    """A document with its fields by name, also one that is written as `火锅店: 3`."""
    if not isinstance(written_document, dict):
        return {}
    if len(written_document) == 1 and not written_document.keys() & {"text", "grade"}:
        [(title, grade)] = written_document.items()
        return {"text": str(title), "grade": grade}
    return written_document


def document_entry(entry_fields: ItemBody) -> Any:
    """A document in short, where it has nothing but its name and its grade.

    >>> document_entry({"text": "火锅店", "grade": 3}), document_entry({"text": "火锅店"})
    ({'火锅店': 3}, {'text': '火锅店'})
    """
    title = entry_fields.get("text")
    if entry_fields.keys() == {"text", "grade"} and isinstance(title, str) and title not in ("text", "grade"):
        return {title: entry_fields["grade"]}
    return entry_fields


class Order(TypedItem):
    """The sweetest order is asked; the NDCG of what was made is shown."""

    KIND_WORD = "排序"
    IS_IN_OTHER_PROGRAMS = False
    WAY_ON_PAPER = "order"
    FORM = item_form(
        FormField("query", "查询", "搜的是什么，可以空着"),
        RowsField(
            "documents",
            "一开始的样子",
            "从第1位往下写，别把它排好",
            columns=(FormField("text", "叫什么"), NumberField("grade", "甜度")),
            most_rows=8,
            fields_of_entry=document_fields,
            entry_of_fields=document_entry,
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

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        document_by_id = {document.id: document for document in self.documents}
        if sorted(raw_answer) != sorted(document_by_id):
            raise Unreadable("有的糖不见了或多了出来，请把列出的每一颗都排上一次。")
        ordered_documents = [document_by_id[document_id] for document_id in raw_answer]
        ndcg = engine.ndcg([document.grade for document in ordered_documents])
        ordered_ids_text = " ".join(raw_answer)
        if self._is_ideal(ordered_documents):
            ndcg_text = rounded_text(ndcg, STEP_DECIMALS)
            return right_mark(ordered_ids_text, f"NDCG是{ndcg_text}，满分：再也排不出更高的了。")
        ndcg_text, _ = figure_and_gap_texts(ndcg, FULL_NDCG)
        return wrong_mark(
            ordered_ids_text,
            f"{self._slip_sentence(ordered_documents)}满分是1，刚才那样排，NDCG是{ndcg_text}。",
            score=ndcg,
        )

    @staticmethod
    def _is_ideal(ordered_documents: Sequence[Candy]) -> bool:
        return all(
            upper_document.grade >= lower_document.grade
            for upper_document, lower_document in pairwise(ordered_documents)
        )

    @staticmethod
    def _slip_sentence(ordered_documents: Sequence[Candy]) -> str:
        ranks_and_pairs = enumerate(pairwise(ordered_documents), 1)
        rank = next(
            rank
            for rank, (upper_document, lower_document) in ranks_and_pairs
            if upper_document.grade < lower_document.grade
        )
        return f"看第{rank}位和第{rank + 1}位：后面那颗更甜，它该往前挪。"

    @property
    def key_text(self) -> str:
        return ""

    def solution(self) -> list[str]:
        documents_best_first = sorted(self.documents, key=lambda document: -document.grade)
        return [
            f"第{rank}位：{candy.text}（甜度{candy.grade:g}）"
            for rank, candy in enumerate(documents_best_first, 1)
        ]

    def proofs(self) -> Sequence[AnswerProof]:
        documents_best_first = sorted(self.documents, key=lambda document: -document.grade)
        return [
            AnswerProof([document.id for document in documents_best_first], True),
            AnswerProof([document.id for document in self.documents], False),
        ]
