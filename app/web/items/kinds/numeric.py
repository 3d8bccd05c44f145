"""A number to compute, beside the documents it is about and the 折损表."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.course.items import numbers, rounding
from app.course.items.examples import Document, clauses
from app.course.items.kinds import Numeric, Steps
from app.course.items.kinds.numeric import AskedQuantity
from app.web.items.kinds.base import ItemMoment, Parts, RankingView


@dataclass(frozen=True)
class NumberParts(Parts):
    """What was typed; how to round, and at the end what counted as right; a sum as an example."""

    typed: str = ""
    contract: str = ""
    expression: str = numbers.SUM


def numeric(moment: ItemMoment[Numeric]) -> NumberParts:
    item = moment.item
    contract = ""
    if moment.open:
        contract = f"{item.contract}。"
    elif room := item.room:
        contract = f"{room}之间都算对。"
    return NumberParts(
        ranking=ranking(item),
        discount_table=discount_table(item.question.quantity),
        heard=heard(moment),
        show_label="你算一下",
        typed=moment.last[0] if moment.last else "",
        contract=contract,
        expression=numbers.SUM if item.decimals else numbers.WHOLE_SUM,
    )


def heard(moment: ItemMoment[Numeric]) -> str:
    """How the last answer was understood, where it was written as more than plain digits."""
    if moment.typed is not None or not moment.answers or not moment.answers[-1].raw:
        return ""
    number = numbers.read(moment.answers[-1].raw[0])
    return "" if number.plain else f"已识别为{number.heard}"


def ranking(item: Numeric | Steps) -> RankingView | None:
    """The documents with their grades, and the 约定 under which they count."""
    if item.ranking is None:
        return None
    return RankingView(
        query=item.ranking.query,
        engine=item.ranking.engine,
        rows=_rows(item.ranking.documents),
        unseen=_rows(item.ranking.unseen),
        convention=convention(item.question),
    )


def _rows(documents: Sequence[Document]) -> list[Mapping[str, str | None]]:
    rows: list[Mapping[str, str | None]] = []
    for document in documents:
        grade = None if document.grade is None else f"{document.grade:g}"
        rows.append({"title": document.title, "grade": grade})
    return rows


def convention(question: AskedQuantity) -> str:
    return "·".join(clauses_of(question))


def clauses_of(question: AskedQuantity) -> list[str]:
    """What the asked quantity takes for granted."""
    return clauses(question.gain, question.k, question.pool is not None, question.quantity)


def discount_table(quantity: str) -> list[Mapping[str, object]] | None:
    """The 折损表 that lies beside a question; only its logs, where a weight is what is asked."""
    if quantity not in rounding.DISCOUNTED:
        return None
    weights_shown = quantity != "discount"
    return [
        {"rank": rank, "log": f"{log:.3f}", "weight": f"{weight:.3f}" if weights_shown else None}
        for rank, log, weight in rounding.table()
    ]
