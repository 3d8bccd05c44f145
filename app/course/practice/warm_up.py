"""热热身: which questions open another day of learning."""

from collections.abc import Iterable

from app.course.content.course import Course

MOST_QUESTIONS = 3


def warm_up_item_ids(course: Course, refs_with_verdicts: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Three items of what was answered (ref, verdict): those not right at the first try come first.

    A twin stands for its item; what the course no longer has, and what never counted, is left out.
    """
    missed_item_ids: list[str] = []
    right_item_ids: list[str] = []
    met_item_ids: set[str] = set()
    for item_ref, verdict in refs_with_verdicts:
        bare_id = course.bare_id(item_ref)
        item_id = course.item_id_by_twin_id.get(bare_id, bare_id)
        is_probe_or_gone = item_id in course.probe_ids or item_id not in course.section_by_item_id
        if is_probe_or_gone or item_id in met_item_ids:
            continue
        met_item_ids.add(item_id)
        if verdict == "right":
            right_item_ids.append(item_id)
        else:
            missed_item_ids.append(item_id)
        if len(missed_item_ids) == MOST_QUESTIONS:
            break
    return tuple([*missed_item_ids, *right_item_ids][:MOST_QUESTIONS])
