"""The questions every implementation of NDCG answers, mostly without saying so."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.engine.checks import checked_choice
from app.engine.discounts import DISCOUNTS
from app.engine.gains import GAINS
from app.engine.ties import TIES

ZERO_IDEALS: Mapping[str, float | None] = MappingProxyType({"zero": 0.0, "one": 1.0, "skip": None})
POOLS = ("list", "judged")
NEGATIVES = ("refused", "zero", "kept")
FRACTIONS = ("kept", "truncated", "refused")


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to turn labels and scores into an NDCG, complete enough to compute it.

    一家的约定：同一份数据，别人算出的数和你不一样，差别就在这几格里。

    name: as in ``CONVENTIONS``. library: whose call it is, for readers.
    version: that of the library whose behaviour was observed.
    gain, discount: as in ``ndcg`` (discounts with base 2).
    pool: the ideal is made of the returned ``list`` or of all ``judged`` documents.
    ties: a policy of ``app.engine.ties``.
    zero_ideal: a query without a relevant document counts as ``zero`` or ``one``, or is left out (``skip``).
    negative: negative grades are ``refused``, count as ``zero``, or are ``kept`` as negative gains.
    fractional: grades like 2.5 are ``kept``, ``truncated`` to 2, or ``refused``.
    largest_grade: None = no limit. shortest: how many documents a list must have.
    single: scores are read in single precision, so that very close ones become ties.
    decimals: the result is printed with so many (None: in full).
    Raises ValueError on construction for a choice that does not exist; change a single answer with
    ``dataclasses.replace``.

    >>> Convention("mine", ties="worst").zero_ideal
    'zero'
    >>> Convention("mine", ties="mean")
    Traceback (most recent call last):
        ...
    ValueError: ties = 'mean': expected one of average, input, reversed, best, worst,
        docno-descending, docno-ascending
    """

    name: str
    library: str = ""
    version: str = ""
    gain: str = "linear"
    discount: str = "log2"
    pool: str = "list"
    ties: str = "input"
    zero_ideal: str = "zero"
    negative: str = "refused"
    fractional: str = "kept"
    largest_grade: int | None = None
    shortest: int = 1
    single: bool = False
    decimals: int | None = None

    def __post_init__(self) -> None:
        checked_choice(self.gain, "gain", GAINS)
        checked_choice(self.discount, "discount", DISCOUNTS)
        checked_choice(self.pool, "pool", POOLS)
        checked_choice(self.ties, "ties", TIES)
        checked_choice(self.zero_ideal, "zero_ideal", ZERO_IDEALS)
        checked_choice(self.negative, "negative", NEGATIVES)
        checked_choice(self.fractional, "fractional", FRACTIONS)
