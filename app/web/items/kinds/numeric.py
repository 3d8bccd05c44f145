"""A number to compute, beside the documents it is about and the 折损表."""

from collections.abc import Mapping

from app.course.items import numbers, rounding
from app.course.items.examples import clauses
from app.course.items.kinds import Numeric
from app.course.items.kinds.numeric import AskedQuantity
from app.course.items.rankings import Ranking
from app.web.items.kinds.base import ItemMoment, Parts, RankingView


def numeric(moment: ItemMoment) -> Parts:
    """What was typed and how it was understood; the 折损表; at the end what counted as right."""
    item = moment.item
    assert isinstance(item, Numeric)
    answered = bool(moment.answers and moment.answers[-1].raw and moment.typed is None)
    number = numbers.read(moment.answers[-1].raw[0]) if answered else None
    told = f"{item.room}之间都算对。" if item.room else ""
    return Parts(
        typed=moment.last[0] if moment.last else "",
        heard=f"已识别为{number.heard}" if number and not number.plain else "",
        contract=f"{item.contract}。" if moment.open else told,
        expression=numbers.SUM if item.decimals else numbers.WHOLE_SUM,
        discount_table=discount_table(item.question.quantity),
        ranking=ranking(item.ranking, item.question) if item.ranking else None,
        show_label="你算一下",
    )


def ranking(found: Ranking, asked: AskedQuantity) -> RankingView:
    """The documents with their grades, and the 约定 under which they count."""
    return RankingView(
        query=found.query,
        engine=found.engine,
        rows=[_row(one.title, one.grade) for one in found.documents],
        unseen=[_row(one.title, one.grade) for one in found.unseen],
        convention=convention(asked),
    )


def convention(asked: AskedQuantity) -> str:
    return "·".join(clauses_of(asked))


def clauses_of(asked: AskedQuantity) -> list[str]:
    """What the asked quantity takes for granted."""
    return clauses(asked.gain, asked.k, asked.pool is not None, asked.quantity)


def _row(title: str, grade: float | None) -> Mapping[str, str | None]:
    return {"title": title, "grade": None if grade is None else f"{grade:g}"}


def discount_table(quantity: str) -> list[Mapping[str, object]] | None:
    """The 折损表 that lies beside a question; only its logs, where a weight is what is asked."""
    if quantity not in rounding.DISCOUNTED:
        return None
    weigh = quantity != "discount"
    return [
        {"rank": rank, "log": f"{log:.3f}", "weight": f"{weight:.3f}" if weigh else None}
        for rank, log, weight in rounding.table()
    ]
