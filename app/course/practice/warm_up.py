"""热热身: which questions open another day of learning."""

from collections.abc import Iterable

from app.course.content.course import Course

MOST_QUESTIONS = 3


def pick(course: Course, answers: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Three items of what was answered (ref, verdict): those not right at the first try come first.

    A twin stands for its item; what the course no longer has, and what never counted, is left out.
    """
    first_verdicts: dict[str, str] = {}
    items_of_twins, asked_items, probes = course.item_of_twin, course.section_asking, course.probes
    for ref, verdict in answers:
        bare_item = course.bare(ref)
        item_id = items_of_twins.get(bare_item, bare_item)
        if item_id in asked_items and item_id not in probes:
            first_verdicts.setdefault(item_id, verdict)
    missed_first = sorted(first_verdicts, key=lambda item_id: first_verdicts[item_id] == "right")
    return tuple(missed_first[:MOST_QUESTIONS])
