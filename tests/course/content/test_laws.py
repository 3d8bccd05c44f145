"""A true/false question that states a law of all rows is tried on every short row."""

from collections.abc import Callable
from itertools import product

from app.course.items.kinds import TrueFalse
from app.engine import dcg, idcg, ndcg
from tests.published import published
from tests.tables import each

Row = tuple[int, ...]
Law = Callable[[Row], bool]
ROWS = [row for length in (1, 2, 3, 4) for row in product(range(4), repeat=length)]
TOLERANCE = 1e-12
POOL_BESIDE = (3, 1)
"""What was judged and not returned."""


def tail_of_zero(row: Row) -> bool:
    return dcg([*row, 0]) == dcg(row)


def head_of_zero(row: Row) -> bool:
    return dcg([0, *row]) == dcg(row)


def reversal_is_zero(row: Row) -> bool:
    return min(row) == max(row) or ndcg(row[::-1]) == 0


def ideal_falls_reversed(row: Row) -> bool:
    return idcg(row[::-1]) < idcg(row)


def late_candy_is_zero(row: Row) -> bool:
    return max(row) == 0 or ndcg([0, 0, *row], k=2) == 0


def perfect_head_is_perfect(row: Row) -> bool:
    return ndcg(row, k=2) < 1 or ndcg(row) == 1


def perfect_first_is_sweetest(row: Row) -> bool:
    return ndcg(row, k=1) < 1 or row[0] == max(row)


def pool_never_raises(row: Row) -> bool:
    return ndcg(row, pool=[*row, *POOL_BESIDE]) <= ndcg(row) + TOLERANCE


def loses_unjudged_at(row: Row, rank: int) -> bool:
    """Whether the row has less where its sweet document of this rank is taken for 0."""
    if len(row) < rank or row[rank - 1] == 0:
        return True
    as_zero = [*row]
    as_zero[rank - 1] = 0
    return ndcg(as_zero) < ndcg(row) - TOLERANCE


def unjudged_first_costs(row: Row) -> bool:
    return loses_unjudged_at(row, 1)


LAWS: list[tuple[str, Law]] = [
    ("zero-tail", tail_of_zero),
    ("zero-head", head_of_zero),
    ("zero-of-scale", reversal_is_zero),
    ("zero-when-empty", late_candy_is_zero),
    ("idcg-after-reversal", ideal_falls_reversed),
    ("perfect-head", perfect_head_is_perfect),
    ("perfect-first", perfect_first_is_sweetest),
    ("pool-never-raises", pool_never_raises),
    ("unjudged-costs", unjudged_first_costs),
]


@each(("item_id", "law"), LAWS)
def test_a_law_holds_for_every_short_row_where_its_answer_says_so(item_id: str, law: Law) -> None:
    item = published().items[item_id]
    assert isinstance(item, TrueFalse)
    assert all(map(law, ROWS)) is item.answer


def test_an_unjudged_sweet_document_may_cost_nothing_further_down() -> None:
    """The question names the first place for that reason."""
    assert not loses_unjudged_at((1, 2), 2)
    assert "第1条" in published().items["unjudged-costs"].stem
