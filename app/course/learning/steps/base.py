"""What all steps share."""

from pydantic import Field

from app.course.text.model_base import ContentPart, Id, Literals

REFERENCES = ("item", "example", "exercise")
"""Fields of steps that name something else of the course."""


class Step(ContentPart):
    """One step of a lesson. A kind is a subclass, with a template of its name in templates/learning/steps.

    `was`: ids of steps that are gone, in whose place it stands: their links and places lead to it.
    """

    id: Id
    was: list[Id] = Field(default=[], max_length=6)
    literal: Literals = Field(default_factory=dict)

    @property
    def acts(self) -> bool:
        """Whether the learner does something in it."""
        return False

    def refers_to(self) -> dict[str, str]:
        """What it needs: the field (one of `REFERENCES`) → the id in it."""
        ids = {}
        for field in REFERENCES:
            target_id = getattr(self, field, None)
            if target_id is not None:
                ids[field] = target_id
        return ids
