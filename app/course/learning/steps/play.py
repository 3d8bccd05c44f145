"""A row of candies in the learner's hands: a guess, a task, and then the words for what happened."""

from typing import Literal, Self

from pydantic import Field, model_validator

from app.course.learning.steps.base import Step
from app.course.learning.toys.setting import ToySetting
from app.course.learning.toys.tasks import Handle, Prediction, Task, judge, solution
from app.course.text.model_base import Text

MOST_CANDIES = 6


class ToyStep(Step):
    """`start` is where the row begins; what a hand changes stands in the address. `told` comes after 好了."""

    kind: Literal["play"]
    start: ToySetting
    handles: list[Handle] = Field(min_length=1, max_length=4)
    names: list[Text] | None = Field(default=None, min_length=2, max_length=2)
    guess: Prediction
    task: Task
    told: Text

    @property
    def acts(self) -> bool:
        return True

    @model_validator(mode="after")
    def _can_be_done(self) -> Self:
        handles = frozenset(self.handles)
        if len(self.start.row) > MOST_CANDIES:
            raise ValueError(f"课文里的一排最多{MOST_CANDIES}颗糖：手机上还看得清")
        if self.guess.right > len(self.guess.options):
            raise ValueError("guess.right要是一个选项的号")
        if judge(self.task, self.start, self.start, handles).state == "right":
            raise ValueError("任务一开始就完成了：换一排糖，或换个任务")
        if solution(self.task, self.start, handles) is None:
            raise ValueError("这个任务怎么动都完不成：换一排糖，或多给一个把手（handles）")
        return self
