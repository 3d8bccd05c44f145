"""Agreement between raters, beyond what comes about by chance."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias

from app.engine.checks import checked_choice, checked_number, checked_whole_number, refusal, rows_of
from app.engine.questions import TableQuestion
from app.engine.terms import sum_in_order

CountTable: TypeAlias = Sequence[Sequence[int]]
"""How many documents got each pair of labels: the first rater's down the rows, the second's across."""
Label: TypeAlias = float | None


@dataclass(frozen=True, slots=True)
class Agreement(TableQuestion):
    """Cohen's kappa, asked of the table of two raters.

    一道数值题：两个人给同样的文档打了标签，除去碰巧，他们有多一致？

    table: square, at least 2 × 2, whole numbers >= 0; row: the label of the first rater, column: that of the
    second, in the same order; kept as tuples, so that questions compare and hash.
    Raises ValueError for anything else, and where both raters gave one and the same label to everything:
    then agreement by chance is whole, and kappa is 0 over 0.

    >>> Agreement([[6, 2], [1, 11]]).figure() == kappa([[6, 2], [1, 11]])
    True
    """

    quantity: ClassVar[str] = "kappa"
    table: CountTable

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", _checked_table(self.table))
        self.figure()

    def figure(self) -> float:
        """Return kappa."""
        return kappa(self.table)


def kappa(table: CountTable) -> float:
    """Return Cohen's kappa of two raters.

    (看到的一致−碰巧的一致)÷(1−碰巧的一致)；碰巧的一致，按两人各自的比例算。

    Shape: n × n counts → one number, at most 1; 0 is what chance alone gives, less is worse than chance.
    Raises ValueError for a bad table. Source: Cohen 1960.

    >>> round(kappa([[6, 2], [1, 11]]), 3)
    0.681
    """
    count_rows = _checked_table(table)
    judged_count = _document_count(count_rows)
    agreement_count: int = sum(count_row[label_index] for label_index, count_row in enumerate(count_rows))
    columns = zip(*count_rows, strict=True)
    chance_agreement_count: int = sum(
        sum(count_row) * sum(column) for count_row, column in zip(count_rows, columns, strict=True)
    )
    if chance_agreement_count == judged_count**2:
        raise refusal(
            "table",
            [list(count_row) for count_row in count_rows],
            f"two labels among {judged_count} documents",
        )
    # In whole numbers, with one rounding at the end.
    return (judged_count * agreement_count - chance_agreement_count) / (
        judged_count * judged_count - chance_agreement_count
    )


def observed_agreement(table: CountTable) -> float:
    """Return the share of the documents that got the same label twice.

    >>> observed_agreement([[6, 2], [1, 11]])
    0.85
    """
    agreement_count = sum(count_row[label_index] for label_index, count_row in enumerate(table))
    return agreement_count / _document_count(table)


def chance_agreement(table: CountTable) -> float:
    """Return the share that would get the same label if each rater dealt out their own labels blindly.

    >>> round(chance_agreement([[6, 2], [1, 11]]), 2)
    0.53
    """
    first_margin, second_margin = first_and_second_margins(table)
    share_pairs = zip(first_margin, second_margin, strict=True)
    return sum_in_order(first_share * second_share for first_share, second_share in share_pairs)


def first_and_second_margins(table: CountTable) -> tuple[list[float], list[float]]:
    """Return how often each rater gave each label, as shares.

    >>> first_and_second_margins([[6, 2], [1, 11]])
    ([0.4, 0.6], [0.35, 0.65])
    """
    judged_count = _document_count(table)
    first_margin = [sum(count_row) / judged_count for count_row in table]
    second_margin = [sum(column) / judged_count for column in zip(*table, strict=True)]
    return first_margin, second_margin


def alpha(ratings: Sequence[Sequence[Label]], scale: str = "nominal") -> float:
    """Return Krippendorff's alpha of any number of raters, some of whom may have left gaps.

    1−看到的不一致÷碰巧的不一致；人数不限，空着也行，差一级和差三级可以不一样重。

    ratings: a row for each rater, a column for each document; None where a rater gave no label. Documents
    with fewer than two labels do not count. scale: ``nominal`` (different is different) or ``interval``
    (twice as far weighs four times).
    Raises ValueError for rows of different lengths, an unknown scale, a label that is no finite number, and
    labels that are all alike.
    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).

    >>> round(alpha([[1, 2, 3, 3], [1, 2, 3, 2]]), 3)
    0.667
    """
    distance_of_labels = DISTANCE_BY_SCALE[checked_choice(scale, "scale", DISTANCE_BY_SCALE)]
    labels_of_documents = _labels_of_documents_rated_twice(ratings)
    count_by_label = Counter(label for labels in labels_of_documents for label in labels)
    rating_count = count_by_label.total()
    expected_disagreement = 0.0
    for label, other_label in permutations(count_by_label, 2):
        expected_disagreement += (
            count_by_label[label] * count_by_label[other_label] * distance_of_labels(label, other_label)
        )
    if not math.isfinite(expected_disagreement):
        raise refusal("ratings", ratings, "labels that lie less far apart")
    if expected_disagreement == 0:
        raise refusal("ratings", ratings, "at least two different labels")
    observed_disagreement = sum_in_order(
        _disagreement(labels, distance_of_labels) for labels in labels_of_documents
    )
    return 1 - (rating_count - 1) * observed_disagreement / expected_disagreement


def _disagreement(labels: Sequence[float], distance_of_labels: Callable[[float, float], float]) -> float:
    """How far the labels of one document lie apart, over the labels that each is compared with."""
    distances = [distance_of_labels(label, other_label) for label, other_label in permutations(labels, 2)]
    return sum_in_order(distances) / (len(labels) - 1)


def _differs(first_label: float, second_label: float) -> float:
    return float(first_label != second_label)


def _squared_gap(first_label: float, second_label: float) -> float:
    label_gap = float(first_label) - float(second_label)
    return label_gap * label_gap  # a power of a float that is too large is an error, and this is inf


DISTANCE_BY_SCALE: Mapping[str, Callable[[float, float], float]] = MappingProxyType(
    {"nominal": _differs, "interval": _squared_gap}
)


def _labels_of_documents_rated_twice(ratings: Sequence[Sequence[Label]]) -> list[list[float]]:
    """The labels of each document that got at least two."""
    rating_rows = [
        _checked_labels(rating_row, f"ratings[{rater_index}]")
        for rater_index, rating_row in enumerate(rows_of(ratings, "ratings"))
    ]
    if len({len(rating_row) for rating_row in rating_rows}) != 1:
        raise refusal("ratings", ratings, "a row for each rater, all of one length")
    labels_of_documents = []
    for labels_and_gaps in zip(*rating_rows, strict=True):
        labels = [label for label in labels_and_gaps if label is not None]
        if len(labels) > 1:
            labels_of_documents.append(labels)
    return labels_of_documents


def _checked_labels(rating_row: Sequence[Label], argument_name: str) -> list[Label]:
    requirement = "a number, or None for a gap"
    labels: list[Label] = []
    for document_index, label in enumerate(rating_row):
        if label is None:
            labels.append(None)
        else:
            labels.append(checked_number(label, f"{argument_name}[{document_index}]", requirement))
    return labels


def _document_count(table: CountTable) -> int:
    return sum(map(sum, table))


def _checked_table(table: Any) -> CountTable:
    count_rows = []
    for row_index, count_row in enumerate(rows_of(table, "table")):
        document_counts = [
            checked_whole_number(document_count, f"table[{row_index}][{column_index}]", 0)
            for column_index, document_count in enumerate(count_row)
        ]
        count_rows.append(tuple(document_counts))
    is_square = all(len(count_row) == len(count_rows) for count_row in count_rows)
    if len(count_rows) < 2 or not is_square or _document_count(count_rows) == 0:
        requirement = "a square table of whole numbers >= 0, at least 2 by 2 and not all 0"
        raise refusal("table", table, requirement)
    return tuple(count_rows)
