"""热热身, where it is offered and where it is done."""

from dataclasses import dataclass

from app.course import Course
from app.course.practice.warm_up import pick
from app.records.learning.values import WarmUpData


@dataclass(frozen=True)
class Offer:
    """What a page says of today's warm-up."""

    url: str
    count: int


def name(course: Course) -> str:
    """What the attempts are called before their day."""
    return course.ref("warm-up")


def offer(course: Course, look: WarmUpData) -> Offer | None:
    """Today's warm-up, unless there is nothing to look back at or all of it was answered."""
    items = pick(course, look.answers)
    answered = {row.item for row in look.responses}
    left = [item for item in items if course.ref(item) not in answered]
    return Offer("/warm-ups", len(items)) if left else None
