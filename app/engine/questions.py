"""Questions: what a numeric item asks, as a value that can be answered."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, TypeAlias

from app.engine.binary import auc, average_precision, err, precision, rbp, recall, reciprocal_rank
from app.engine.checks import Grade, checked_choice, checked_grades, checked_k, checked_whole_number, refusal
from app.engine.cumulative import cg, dcg, idcg, ndcg
from app.engine.terms import discount_weight, gains_of

HIGHEST_GRADE_OF_SCALE = 4
RBP_PATIENCE = 0.8


@dataclass(frozen=True, slots=True)
class Question:
    """One figure asked of one list, under the usual conventions (discount ``log2``).

    一道数值题：对一列等级，问其中的一个数。

    quantity: ``gain``, ``discount``, ``term`` (these three ask about one ``rank``), ``cg`` (the grades
    added up, whatever the gain), ``dcg``, ``idcg`` or ``ndcg``; or one of ``SHARE_QUANTITIES``, to which a
    document is relevant from grade 1 on. Of an average precision, a reciprocal rank and a rank-biased
    precision only the first k ranks are seen; an AUC is never cut. ``err`` takes ``HIGHEST_GRADE_OF_SCALE``
    for the highest grade of the scale, ``rbp`` a patience of ``RBP_PATIENCE``.
    grades, k, gain, pool: as for ``ndcg``; kept as tuples, so that questions compare and hash.
    rank: 1 to the length of the list, also beyond k; None for the quantities that are not about one.
    Raises ValueError on construction, naming the argument, the value and what is allowed: a Question that
    exists has an answer.

    >>> Question("term", [3, 2, 1], rank=2).grades
    (3, 2, 1)
    >>> Question("term", [3, 2, 1], rank=4)
    Traceback (most recent call last):
        ...
    ValueError: rank = 4: expected a whole number from 1 to 3 for the quantity term
    """

    quantity: str
    grades: Sequence[Grade]
    k: int | None = None
    gain: str = "linear"
    pool: Sequence[Grade] | None = None
    rank: int | None = None

    def __post_init__(self) -> None:
        checked_choice(self.quantity, "quantity", MEASURE_BY_QUANTITY)
        _set_frozen_field(self, "grades", tuple(checked_grades(self.grades)))
        _set_frozen_field(self, "k", checked_k(self.k))
        if self.pool is not None:
            _set_frozen_field(self, "pool", tuple(checked_grades(self.pool, "pool")))
        _set_frozen_field(self, "rank", _checked_question_rank(self))
        _refuse_cut_auc(self)
        for quantity in ("ndcg", self.quantity):  # grades too large to be summed show here, not later
            MEASURE_BY_QUANTITY[quantity](self)


class TableQuestion:
    """One figure asked of a small table instead of a list of grades; each family of them is a subclass.

    一道数值题：问的不是一列甜度，是一张小表里的一个数。

    A subclass is a frozen dataclass that refuses, when it is made, what has no answer. quantity: its name,
    as in ``Question``, where none of them stands twice.
    """

    __slots__ = ()
    quantity: ClassVar[str]

    def figure(self) -> float:
        """Return the true value of what is asked, unrounded."""
        raise NotImplementedError


AnyQuestion: TypeAlias = Question | TableQuestion


def workload(question: AnyQuestion) -> tuple[int, ...]:
    """How much there is to compute, whatever the numbers are: two questions of one workload are as long.

    工作量：列表多长、看到第几位、其中几项不是零；问一张表的，就是表有多大。

    >>> workload(Question("dcg", [3, 0, 1, 2], k=3)), workload(Question("dcg", [0, 2, 1, 0], k=3))
    ((4, 3, 2, 0), (4, 3, 2, 0))
    >>> workload(Question("dcg", [3, 2, 1, 0], k=3))
    (4, 3, 3, 0)
    """
    if isinstance(question, TableQuestion):
        field_values = dataclasses.asdict(question).values()  # type: ignore[call-overload]
        return tuple(
            len(field_value) for field_value in field_values if isinstance(field_value, (list, tuple))
        )
    counted_grades = question.grades[: question.k]
    term_count = sum(grade is not None and grade > 0 for grade in counted_grades)
    return len(question.grades), len(counted_grades), term_count, len(question.pool or ())


def answer(question: AnyQuestion) -> float:
    """Return the true value of the figure that is asked for, unrounded.

    标准答案，不做任何舍入。

    >>> round(answer(Question("dcg", [3, 2, 1], k=3)), 6)
    4.76186
    >>> answer(Question("gain", [3, 2, 1], gain="exponential", rank=1))
    7.0
    """
    if isinstance(question, TableQuestion):
        return question.figure()
    return MEASURE_BY_QUANTITY[question.quantity](question)


def _gain(question: Question) -> float:
    return float(gains_of(question.grades, question.gain)[_asked_rank(question) - 1])


def _discount(question: Question) -> float:
    return discount_weight(_asked_rank(question))


def _term(question: Question) -> float:
    return _gain(question) * _discount(question)


def _cg(question: Question) -> float:
    return cg(question.grades, question.k)


def _precision(question: Question) -> float:
    return precision(question.grades, question.k)


def _recall(question: Question) -> float:
    return recall(question.grades, question.k, question.pool)


def _average_precision(question: Question) -> float:
    pool = question.grades if question.pool is None else question.pool
    return average_precision(question.grades[: question.k], pool)


def _reciprocal_rank(question: Question) -> float:
    return reciprocal_rank(question.grades[: question.k])


def _err(question: Question) -> float:
    return err(question.grades, question.k, HIGHEST_GRADE_OF_SCALE)


def _rbp(question: Question) -> float:
    return rbp(question.grades[: question.k], RBP_PATIENCE)


def _auc(question: Question) -> float:
    return auc(question.grades)


def _asked_of_list(figure_of_list: Callable[..., float]) -> Callable[[Question], float]:
    return lambda question: figure_of_list(question.grades, question.k, question.gain, pool=question.pool)


MEASURE_BY_QUANTITY: Mapping[str, Callable[[Question], float]] = MappingProxyType(
    {
        "gain": _gain,
        "discount": _discount,
        "term": _term,
        "cg": _cg,
        "dcg": _asked_of_list(dcg),
        "idcg": _asked_of_list(idcg),
        "ndcg": _asked_of_list(ndcg),
        "precision": _precision,
        "recall": _recall,
        "average_precision": _average_precision,
        "reciprocal_rank": _reciprocal_rank,
        "auc": _auc,
        "err": _err,
        "rbp": _rbp,
    }
)
SHARE_QUANTITIES = frozenset(
    {"precision", "recall", "average_precision", "reciprocal_rank", "auc", "err", "rbp"}
)
"""Measures beside NDCG; each divides what the ranks bring in by what there is."""
QUANTITIES_AT_MOST_ONE = SHARE_QUANTITIES | {"ndcg"}
"""At most 1 where the pool holds what the list does; `check_pool` of the course sees to that."""
RANK_QUANTITIES = frozenset({"gain", "discount", "term"})


def _asked_rank(question: Question) -> int:
    assert question.rank is not None  # kept by the construction
    return question.rank


def _refuse_cut_auc(question: Question) -> None:
    if question.quantity == "auc" and question.k is not None:
        raise refusal("k", question.k, "None: the quantity auc compares all of the list")


def _checked_question_rank(question: Question) -> int | None:
    if question.quantity not in RANK_QUANTITIES:
        if question.rank is not None:
            requirement = f"None: the quantity {question.quantity} is not about one rank"
            raise refusal("rank", question.rank, requirement)
        return None
    list_length = len(question.grades)
    requirement = f"a whole number from 1 to {list_length} for the quantity {question.quantity}"
    try:
        return checked_whole_number(question.rank, "rank", 1, list_length)
    except ValueError:
        raise refusal("rank", question.rank, requirement) from None


def _set_frozen_field(question: Question, field_name: str, field_value: object) -> None:
    # The one way into a frozen dataclass while it is being made.
    object.__setattr__(question, field_name, field_value)
