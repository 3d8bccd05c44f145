"""What `check` proves beyond names and texts: every item accepts the right answer and rejects wrong ones."""

from collections.abc import Iterator, Sequence

from app.course.content.course import Course
from app.course.items.kinds import Generated, Item
from app.course.items.marks import Unreadable

PROOF_SEEDS = range(3)
"""The seeds for which generated items are proved; tests try thousands."""


def proof_faults(course: Course) -> Iterator[str]:
    """A sentence for each promise that an item breaks."""
    for item in _items_and_variants(course):
        for raw_answer, is_right in item.proofs():
            expected_verdict = "wrong"
            if is_right:
                expected_verdict = "right"
            verdict = _verdict(item, raw_answer)
            if verdict != expected_verdict:
                yield f"题目{item.id}：回答{raw_answer}应当判为{expected_verdict}，却判为{verdict}"


def _items_and_variants(course: Course) -> Iterator[Item]:
    """All items; of generated ones, the variants of a few seeds."""
    for item in course.items.values():
        if isinstance(item, Generated):
            for seed in PROOF_SEEDS:
                yield course.variant(item.id, seed)
        else:
            yield item


def flaw_sentence_of(course: Course, item_id: str) -> str:
    """Why an item can be neither marked nor solved; nothing when it can."""
    try:
        item = course.variant(item_id, 1)
        for line in item.solution():
            course.line(line)
        for raw_answer, is_right in item.proofs():
            if is_right and _verdict(item, raw_answer) != "right":
                return f"这道题判不对：标准答案{raw_answer}也得不到分"
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return f"这道题算不出来：{error}"
    return ""


def _verdict(item: Item, raw_answer: Sequence[str]) -> str:
    try:
        return item.mark(raw_answer).verdict
    except Unreadable as error:
        return f"unreadable（{error}）"
