"""Items as they were: the frozen body of an item is read back, also after its text has changed."""

from pydantic import ConfigDict, TypeAdapter, ValidationError

from app.course.content.course import Course
from app.course.items.kinds import AnyItem, FillInBlanks, Generated, Item, Order
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
    """Whether two frozen bodies of an item call different answers right, or what is right by other words: not
    where only other words have changed, nor where one of them cannot be read now.

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
    return key_of(former_item) != key_of(present_item)


def key_of(item: Item) -> object:
    """What an item calls right, equal for two that do so in another order. The words of a right option belong
    to it: in them people read the key."""
    if isinstance(item, Order):
        return {document.id: document.grade for document in item.documents}
    if isinstance(item, FillInBlanks):
        return [set(blank.accept) for blank in item.blanks]
    if item.choices:
        return {(choice.id, choice.text) for choice in item.choices if choice.is_right}
    return [tuple(proof.raw_answer) for proof in item.proofs() if proof.is_right]
