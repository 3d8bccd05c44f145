"""单选题: one option is right."""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import model_validator

from app.course.items.kinds.options import WithOptions
from app.course.items.marks import Mark, Unreadable, right, wrong


class Single(WithOptions):
    """One right option; with three options or fewer a twin is asked after a wrong answer."""

    kind: Literal["single"]

    @model_validator(mode="after")
    def _one_is_right(self) -> Self:
        if len(self.right_options) != 1:
            raise ValueError(f"单选题要有正好一个right: true的选项，这里有{len(self.right_options)}个")
        return self

    @property
    def one_shot(self) -> bool:
        return len(self.options) <= 3

    def _judge(self, raw: Sequence[str]) -> Mark:
        choices = self.chosen(raw)
        if len(choices) != 1:
            raise Unreadable("请选一个选项。")
        [option] = choices
        if option.right:
            return right(option.id, option.feedback)
        return wrong(option.id, option.feedback)

    def solution(self) -> list[str]:
        return [f"答案是：{self.right_options[0].text}", self.right_options[0].feedback]
