"""热热身: which questions open another day of learning."""

from collections.abc import Iterable

from app.course.content.course import Course

MOST_QUESTIONS = 3


def pick(course: Course, answers: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Three items of what was answered (ref, verdict): those not right at the first try come first.

    A twin stands for its item; what the course no longer has, and what never counted, is left out.
    """
    missed_items: list[str] = []
    right_items: list[str] = []
    met_items: set[str] = set()
    items_of_twins, asked_items, probes = (
        course.item_id_by_twin_id,
        course.section_by_item_id,
        course.probe_ids,
    )
    for ref, verdict in answers:
        bare_item = course.bare(ref)
        item_id = items_of_twins.get(bare_item, bare_item)
        if item_id in met_items or item_id not in asked_items or item_id in probes:
            continue
        met_items.add(item_id)
        if verdict == "right":
            right_items.append(item_id)
        else:
            missed_items.append(item_id)
        if len(missed_items) == MOST_QUESTIONS:
            break
    return tuple([*missed_items, *right_items][:MOST_QUESTIONS])
