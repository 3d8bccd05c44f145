"""判断题: a statement that holds or does not; after a wrong answer its twin is asked."""

from collections.abc import Sequence
from typing import Literal

from app.course.items.kinds.base import Item
from app.course.items.marks import Mark, Unreadable, right, wrong
from app.course.text.model_base import ContentPart, Text


class Feedback(ContentPart):
    """What is said to a right and to a wrong judgement."""

    right: Text
    wrong: Text


class TrueFalse(Item):
    """`answer` says whether the statement holds."""

    kind: Literal["true_false"]
    answer: bool
    feedback: Feedback

    @property
    def one_shot(self) -> bool:
        return True

    def _judge(self, raw: Sequence[str]) -> Mark:
        if list(raw) not in (["true"], ["false"]):
            raise Unreadable("请选“对”或“不对”。")
        if (raw[0] == "true") == self.answer:
            return right(raw[0], self.feedback.right)
        return wrong(raw[0], self.feedback.wrong)

    def solution(self) -> list[str]:
        return [f"这句话{'对' if self.answer else '不对'}。", self.feedback.right]
