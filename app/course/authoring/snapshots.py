"""Items as they were: the frozen body of an item is read back, also after its text has changed."""

from pydantic import ConfigDict, TypeAdapter, ValidationError

from app.course.content.course import Course
from app.course.items.kinds import AnyItem, Generated, Item
from app.course.learning.figures_in_text import BadReference

ITEM_ADAPTER: TypeAdapter[Item] = TypeAdapter(AnyItem, config=ConfigDict(defer_build=True))


def course_with_frozen_item(course: Course, frozen_body: str, seed: int) -> Course | None:
    """The course with this one item as it was, in the variant of a seed; None if it cannot be read now.

    `frozen_body` is what `Course.version` gave when it was answered. Figures in its texts are those of today.
    """
    try:
        item = ITEM_ADAPTER.validate_json(frozen_body)
    except ValidationError:
        return None
    if isinstance(item, Generated):
        return None
    snapshot_course = course.with_items({item.id: item.variant(seed)})
    try:
        snapshot_course.html(item.stem)
    except BadReference:  # it speaks of an example that is gone
        return None
    return snapshot_course
