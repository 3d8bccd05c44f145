"""简答题: a reason in a few words. Nobody marks it: the learner holds it against checkpoints.

With a rubric a teacher marks it, where it is asked in an assignment: each line that the answer meets earns
its points.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from app.course.items.kinds.base import AnswerProof, TypedItem
from app.course.items.kinds.form_fields import (
    FormField,
    NumberField,
    RowsField,
    TextField,
    item_form,
    text_rows_field,
)
from app.course.items.marks import Mark, Unreadable
from app.course.text.model_base import ContentPart, Text


class RubricLine(ContentPart):
    """Something that an answer has to say, and what it is worth beside the other lines."""

    text: Text
    points: float = Field(gt=0, le=100)


Rubric = Sequence[RubricLine]


def rubric_share(rubric: Rubric, ticked_line_indexes: Collection[int]) -> float:
    """What an answer earns that meets the lines at these positions: 0..1.

    >>> lines = [RubricLine(text="一屏看得见几条", points=2), RubricLine(text="后面没人翻", points=1)]
    >>> rubric_share(lines, [0, 1]), rubric_share(lines, []), round(rubric_share(lines, [1]), 2)
    (1.0, 0.0, 0.33)
    """
    full_points = sum(rubric_line.points for rubric_line in rubric)
    earned_points = sum(
        rubric_line.points
        for line_index, rubric_line in enumerate(rubric)
        if line_index in ticked_line_indexes
    )
    return earned_points / full_points


class ShortAnswer(TypedItem):
    """Any words will do; then come checkpoints to tick, and a model answer. No program scores it."""

    KIND_WORD = "简答"
    IS_IN_OTHER_PROGRAMS = True
    WAY_ON_PAPER = "room"
    FORM = item_form(
        text_rows_field("checkpoints", "要点", 5),
        RowsField(
            "rubric",
            "老师批的要点",
            "想在作业里自己批，就把要点写在这里，每点几分；上面的空着",
            columns=(FormField("text", "写到什么"), NumberField("points", "分")),
            most_rows=9,
        ),
        TextField("model", "参考答案"),
    )
    kind: Literal["short"]
    checkpoints: list[Text] = Field(default=[], max_length=5)
    rubric: list[RubricLine] = Field(default=[], max_length=9)
    model: Text

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.checkpoints) == bool(self.rubric):
            raise ValueError("checkpoints（自己对照的要点）和rubric（老师批改的要点，带分）写一样，只写一样")
        return self

    @classmethod
    def name_by_form_template(cls) -> Mapping[str, str]:
        return {**super().name_by_form_template(), "rubric": "老师批的简答题"}

    @property
    def checkpoint_sentences(self) -> list[str]:
        """What an answer is held against, whoever does it."""
        return [*self.checkpoints, *(rubric_line.text for rubric_line in self.rubric)]

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        typed_text = "\n".join(raw_answer).strip()
        if not typed_text:
            raise Unreadable("这里还空着。写几个字就行，写得不完整也没关系，写完再来对照。")
        return Mark("right", typed_text)

    @property
    def key_text(self) -> str:
        return ""

    def solution(self) -> list[str]:
        checkpoint_lines = [f"要提到：{checkpoint}" for checkpoint in self.checkpoint_sentences]
        return [*checkpoint_lines, f"连起来说：{' '.join(self.model.split())}"]

    def proofs(self) -> Sequence[AnswerProof]:
        return [AnswerProof(["因为位置不同"], True)]
