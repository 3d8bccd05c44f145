"""Items as they were: the frozen body of an item is read back, also after its text has changed."""

from collections.abc import Sequence

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


def is_key_changed(former_body: str, present_body: str) -> bool:
    """Whether two frozen bodies of an item call different answers right: not where only words have changed,
    nor where one of them cannot be read now.

    >>> former_body = '{"kind": "true_false", "skill": "dcg", "stem": "?", "answer": true,'
    >>> former_body += ' "feedback": {"right": "对。", "wrong": "不对。"}}'
    >>> is_key_changed(former_body, former_body.replace("true,", "false,"))
    True
    >>> is_key_changed(former_body, former_body.replace("?", "!")), is_key_changed(former_body, "")
    (False, False)
    """
    try:
        former_item = ITEM_ADAPTER.validate_json(former_body)
        present_item = ITEM_ADAPTER.validate_json(present_body)
    except ValidationError:
        return False
    return right_answers(former_item) != right_answers(present_item)


def right_answers(item: Item) -> list[Sequence[str]]:
    return [tuple(proof.raw_answer) for proof in item.proofs() if proof.is_right]
