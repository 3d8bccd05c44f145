"""找错题: the lines of a calculation in their order; one of them is wrong, and it is to be found."""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from app.course.items.kinds.base import AnswerProof, Choice, Item, refuse_repeats, solution_with_reason
from app.course.items.kinds.form_fields import FormField, RowsField, TextField, TickField, item_form
from app.course.items.marks import Mark, Unreadable, right_mark, wrong_mark
from app.course.text.model_base import ContentPart, Id, Text, check_citation


class SpotLine(ContentPart):
    """A line; its feedback says why it is in order, or what is wrong with it."""

    id: Id
    text: Text
    wrong: bool = False
    feedback: Text


class Spot(Item):
    """One wrong line. A sound one that was picked says why it is sound; with three lines a twin is asked."""

    KIND_WORD = "找错"
    IS_IN_OTHER_PROGRAMS = False
    WAY_ON_PAPER = "numbers"
    FORM = item_form(
        RowsField(
            "lines",
            "演算",
            "一行一步，正好一行是错的",
            columns=(
                FormField("text", "这一行"),
                TickField("wrong", "写错的"),
                FormField("feedback", "反馈"),
            ),
            most_rows=8,
        ),
        TextField("correction", "改正", "正确的应该怎么算"),
        FormField("source", "出处", "从哪儿来的，可以空着"),
    )
    kind: Literal["spot"]
    lines: list[SpotLine] = Field(min_length=3, max_length=8)
    correction: Text
    source: str | None = None
    published: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_is_wrong(self) -> Self:
        if (wrong_line_count := sum(spot_line.wrong for spot_line in self.lines)) != 1:
            raise ValueError(f"找错题要有正好一个wrong: true的行，这里有{wrong_line_count}个")
        return self

    @model_validator(mode="after")
    def _line_ids_are_unique(self) -> Self:
        refuse_repeats([spot_line.id for spot_line in self.lines], "lines")
        return self

    @model_validator(mode="after")
    def _published_has_a_source(self) -> Self:
        check_citation(self.published, self.source)
        return self

    @property
    def has_one_try_only(self) -> bool:
        return len(self.lines) <= 3

    @property
    def wrong_line(self) -> SpotLine:
        """The wrong line."""
        return next(spot_line for spot_line in self.lines if spot_line.wrong)

    @property
    def wrong_line_number(self) -> int:
        return self.lines.index(self.wrong_line) + 1

    @property
    def choices(self) -> Sequence[Choice]:
        return [
            Choice(spot_line.id, spot_line.text, spot_line.wrong, spot_line.feedback)
            for spot_line in self.lines
        ]

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        chosen_line = next((chosen_line for chosen_line in self.lines if chosen_line.id in raw_answer), None)
        if len(raw_answer) != 1 or chosen_line is None:
            raise Unreadable("还没有选。觉得哪一行写错了，就选哪一行。")
        if chosen_line.wrong:
            return right_mark(chosen_line.id, chosen_line.feedback)
        return wrong_mark(chosen_line.id, chosen_line.feedback)

    @property
    def key_text(self) -> str:
        return f"第{self.wrong_line_number}行"

    def solution(self) -> list[str]:
        return solution_with_reason(f"写错的是第{self.wrong_line_number}行。", self.wrong_line.feedback)

    def proofs(self) -> Sequence[AnswerProof]:
        return [AnswerProof([spot_line.id], spot_line.wrong) for spot_line in self.lines]
