"""What `check` proves beyond names and texts: every item accepts the right answer and rejects wrong ones."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from app.course.content.course import Course
from app.course.items.kinds import (
    FillInBlanks,
    Generated,
    Item,
    MultipleChoice,
    Numeric,
    Order,
    ShortAnswer,
    SingleChoice,
    Spot,
    Steps,
    TrueFalse,
)
from app.course.items.marks import Unreadable

PROOF_SEEDS = range(3)
"""The seeds for which generated items are proved; tests try thousands."""

AnswerProof = tuple[list[str], bool]
"""An answer as it is sent, and whether it is right."""


def proof_faults(course: Course) -> Iterator[str]:
    """A sentence for each promise that an item breaks."""
    for item in _items_and_variants(course):
        for raw_answer, is_right in PROOFS_BY_KIND[type(item)](item):
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
        for raw_answer, is_right in PROOFS_BY_KIND[type(item)](item):
            if is_right and _verdict(item, raw_answer) != "right":
                return f"这道题判不对：标准答案{raw_answer}也得不到分"
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return f"这道题算不出来：{error}"
    return ""


def _verdict(item: Item, raw_answer: list[str]) -> str:
    try:
        return item.mark(raw_answer).verdict
    except Unreadable as error:
        return f"unreadable（{error}）"


def _multiple_proofs(item: MultipleChoice) -> Iterator[AnswerProof]:
    right_ids = [option.id for option in item.right_options]
    yield right_ids, True
    if len(right_ids) < len(item.options):
        yield [option.id for option in item.options], False
    if len(right_ids) > 1:
        yield right_ids[1:], False


def _numeric_proofs(item: Numeric) -> Iterator[AnswerProof]:
    """The truth as it is asked for; a number that is off by three in the last place, and by a bit more."""
    yield [f"{item.answer:.{item.decimals}f}"], True
    yield [f"{item.answer + 3 * 10**-item.decimals + 0.02:.{item.decimals}f}"], False


def _steps_proofs(item: Steps) -> Iterator[AnswerProof]:
    """The whole table as it is; the same with a wrong number in its first blank."""
    value_by_cell = item.table.true_value_by_cell()
    right_texts = [f"{value_by_cell[cell.name]:.{item.decimals}f}" for cell in item.blanks]
    wrong_text = f"{float(right_texts[0]) + 0.7:.{item.decimals}f}"
    yield right_texts, True
    yield [wrong_text, *right_texts[1:]], False


def _order_proofs(item: Order) -> Iterator[AnswerProof]:
    documents_best_first = sorted(item.documents, key=lambda document: -document.grade)
    yield [document.id for document in documents_best_first], True
    yield [document.id for document in item.documents], False


def _fill_proofs(item: FillInBlanks) -> Iterator[AnswerProof]:
    """The first way to fill each blank; the same with something in the first that nobody accepts."""
    right_texts = [blank.accept[0] for blank in item.blanks]
    yield right_texts, True
    refused_text = "别的"
    if item.blanks[0].is_numeric:
        refused_text = "987654321.5"
    yield [refused_text, *right_texts[1:]], False


PROOFS_BY_KIND: Mapping[type[Item], Callable[[Any], Iterable[AnswerProof]]] = {
    SingleChoice: lambda item: [([option.id], option.right) for option in item.options],
    MultipleChoice: _multiple_proofs,
    TrueFalse: lambda item: [(["true"], item.answer), (["false"], not item.answer)],
    Numeric: _numeric_proofs,
    Steps: _steps_proofs,
    Order: _order_proofs,
    Spot: lambda item: [([line.id], line.wrong) for line in item.lines],
    FillInBlanks: _fill_proofs,
    ShortAnswer: lambda _: [(["因为位置不同"], True)],
}
"""What each kind is tried with. A new kind: one line here."""
