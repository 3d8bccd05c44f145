"""What all steps share."""

from pydantic import Field

from app.course.text.model_base import ContentPart, Id, Literals


class Step(ContentPart):
    """One step of a lesson. A kind is a subclass, with a template of the same name under templates/steps."""

    id: Id
    literal: Literals = Field(default_factory=dict)

    @property
    def acts(self) -> bool:
        """Whether the learner does something in it."""
        return False

    def refers_to(self) -> dict[str, str]:
        """What it needs: the field `item` or `example` → the id in it."""
        return {}
