"""What `check` proves beyond names and texts: every item accepts its right answer and rejects its wrong ones."""

from collections.abc import Iterator

from app import engine
from app.course.course import Course
from app.course.items import Item, Multiple, Numeric, Order, Single, TrueFalse
from app.course.marks import Unreadable


def proofs(course: Course) -> Iterator[str]:
    """A sentence for each promise that an item breaks."""
    for item in course.items.values():
        for raw, expected in _answers(item):
            try:
                verdict = item.mark(raw).verdict
            except Unreadable as error:
                verdict = f"unreadable: {error}"  # type: ignore[assignment]  # printed below
            if verdict != expected:
                yield f"题目 {item.id}：回答 {raw} 应当判为 {expected}，却判为 {verdict}"


def _answers(item: Item) -> Iterator[tuple[list[str], str]]:
    match item:
        case Single():
            yield from (([option.id], "right" if option.right else "wrong") for option in item.options)
        case Multiple():
            yield [option.id for option in item.right_options], "right"
            if len(item.right_options) < len(item.options):
                yield [option.id for option in item.options], "wrong"
        case TrueFalse():
            yield from ((["true"], "right" if item.answer else "wrong"), (["false"], "wrong" if item.answer else "right"))
        case Numeric():
            truth = engine.answer(item.question.question())
            yield [f"{truth:.{item.decimals}f}"], "right"
            yield [f"{truth + 3 * 10**-item.decimals + 0.02:.{item.decimals}f}"], "wrong"
        case Order():
            best = sorted(item.documents, key=lambda document: -document.grade)
            yield [document.id for document in best], "right"
            yield [document.id for document in item.documents], "wrong"
