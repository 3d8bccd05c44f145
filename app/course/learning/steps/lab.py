"""A lab in its place: something to try out, which nobody marks."""

from typing import Literal

from pydantic import Field

from app.course.learning.labs.lambdarank import Setting
from app.course.learning.labs.workbench import WorkbenchStart
from app.course.learning.steps.base import Step


class Lab(Step):
    """`start` is where the lab begins; what a learner changes stands in the address."""

    kind: Literal["lab"]
    lab: Literal["lambdarank"]
    start: Setting = Field(default_factory=Setting)

    @property
    def acts(self) -> bool:
        return True


class WorkbenchLab(Step):
    """A list on the workbench, without its tools; the page with all of them is one press away."""

    kind: Literal["lab"]
    lab: Literal["workbench"]
    start: WorkbenchStart

    @property
    def acts(self) -> bool:
        return True
