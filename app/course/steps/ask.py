"""An item in its place."""

from typing import Literal

from app.course.part import Id
from app.course.steps.base import Step


class Ask(Step):
    """A question; a probe asks before teaching and is never scored."""

    kind: Literal["ask"]
    item: Id
    probe: bool = False

    @property
    def acts(self) -> bool:
        return True

    def refers_to(self) -> dict[str, str]:
        return {"item": self.item}
