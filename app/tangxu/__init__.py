"""糖序 for programs: NDCG term by term, from a figure back to its convention, many lists at once.

    >>> from app import tangxu  # where it is installed: import tangxu
    >>> round(tangxu.ndcg([4, 1, 3, 4, 0]), 3)
    0.929
    >>> [match.presets for match in tangxu.reconcile([3, 0, 2, 0], "0.538", scores=[1, 1, 1, 1])][0]
    ('catboost',)
    >>> tangxu.batch.ndcg([[3, 2, 1]], [[1, 2, 3]]).round(3).tolist()
    [0.79]

The build maps this folder to the package ``tangxu``; it is the engine and imports nothing of the site. numpy
is imported with ``batch``, when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from app.engine import (
    CONVENTIONS,
    Convention,
    Match,
    Probe,
    Swap,
    Term,
    Trace,
    cg,
    dcg,
    idcg,
    identify,
    ndcg,
    ndcg_range,
    parse_signature,
    probes,
    reconcile,
    scored_ndcg,
    signature,
    swaps,
    trace,
)

if TYPE_CHECKING:
    from app.engine import batch

__all__ = [
    "CONVENTIONS",
    "Convention",
    "Match",
    "Probe",
    "Swap",
    "Term",
    "Trace",
    "batch",
    "cg",
    "dcg",
    "idcg",
    "identify",
    "ndcg",
    "ndcg_range",
    "parse_signature",
    "probes",
    "reconcile",
    "scored_ndcg",
    "signature",
    "swaps",
    "trace",
]


def __getattr__(name: str) -> Any:
    if name == "batch":
        return import_module("app.engine.batch")
    raise AttributeError(name)
