"""What all steps share."""

from typing import ClassVar

from app.course.part import Id, Literals, Part


class Step(Part):
    """One step of a lesson. A kind is a subclass, with a template of the same name under templates/steps."""

    id: Id
    literal: Literals = {}

    acts: ClassVar[bool] = False
    """Whether the learner does something in it."""

    def refers_to(self) -> dict[str, str]:
        """What it needs: `items`, `examples` → the id."""
        return {}
