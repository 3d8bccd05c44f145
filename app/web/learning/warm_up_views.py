"""热热身, where it is offered."""

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


def offer(course: Course, warm_up: WarmUpData) -> Offer | None:
    """Today's warm-up, unless there is nothing to look back at or all of it was answered."""
    items = pick(course, warm_up.answers)
    answered = {row.item for row in warm_up.responses}
    if answered.issuperset(map(course.ref, items)):
        return None
    return Offer("/warm-ups", len(items))
