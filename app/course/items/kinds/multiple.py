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
        chosen = {option.id for option in self.chosen(raw)}
        if not chosen:
            raise Unreadable("还没有选。觉得对的都勾上，再交。")
        value = " ".join(option.id for option in self.options if option.id in chosen)
        judged = sum((option.id in chosen) == option.right for option in self.options)
        if judged == len(self.options):
            return right(value, "一个不多，一个不少。")
        return wrong(value, self._near(chosen), score=judged / len(self.options))

    def _near(self, chosen: set[str]) -> str:
        missed = [option for option in self.right_options if option.id not in chosen]
        extra = [option for option in self.options if option.id in chosen and not option.right]
        parts = (
            f"有{len(missed)}个该选的没选上" if missed else "",
            f"有{len(extra)}个不该选的选上了" if extra else "",
        )
        return "，".join(filter(None, parts)) + "。看看每一项后面的话，再调整一次。"

    def solution(self) -> list[str]:
        return [f"该选：{option.text}" for option in self.right_options]
