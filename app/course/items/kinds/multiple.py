"""多选题: several options are right, and each one gets its own feedback."""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import model_validator

from app.course.items.kinds.options import WithOptions
from app.course.items.marks import Mark, Unreadable, right, wrong


class Multiple(WithOptions):
    """Right when exactly the right options are chosen; the score counts each option judged rightly."""

    kind: Literal["multiple"]

    @model_validator(mode="after")
    def _some_are_right(self) -> Self:
        if not self.right_options:
            raise ValueError("多选题至少要有一个right: true的选项")
        return self

    def _judge(self, raw: Sequence[str]) -> Mark:
        chosen_ids = {option.id for option in self.chosen(raw)}
        if not chosen_ids:
            raise Unreadable("还没有选。觉得对的都勾上，再交。")
        choices = [option for option in self.options if option.id in chosen_ids]
        value = " ".join(option.id for option in choices)
        extra = sum(not option.right for option in choices)
        missed = len(self.right_options) - (len(choices) - extra)
        if not missed and not extra:
            return right(value, "一个不多，一个不少。")
        score = (len(self.options) - missed - extra) / len(self.options)
        return wrong(value, _correction(missed, extra), score=score)

    def solution(self) -> list[str]:
        return [f"该选：{option.text}" for option in self.right_options]


def _correction(missed: int, extra: int) -> str:
    """How many choices are to be changed."""
    counts = []
    if missed:
        counts.append(f"有{missed}个该选的没选上")
    if extra:
        counts.append(f"有{extra}个不该选的选上了")
    return "，".join(counts) + "。看看每一项后面的话，再调整一次。"
