"""Lists as arrays of one width, read as a convention reads them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from numbers import Real
from types import NoneType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.engine.checks import SINGLE_INFINITY, refusal, rows_of
from app.engine.conventions import Convention

FloatArray: TypeAlias = NDArray[np.float64]
CountArray: TypeAlias = NDArray[np.int64]
Lists: TypeAlias = Sequence[Sequence[float | None]] | NDArray[Any]
DocumentNames: TypeAlias = Sequence[Sequence[str]] | None

PLAIN_CONVENTION = Convention("batch")
"""Grades as they are, for the measures without a gain."""


@dataclass(frozen=True)
class JudgedLists:
    """Grades of lists as `convention` reads them; behind the end of a short one stands 0.

    document_counts: how many each list has.
    """

    grades: NDArray[Any]
    document_counts: CountArray
    lowest_grade: float
    largest_grade: float
    convention: Convention


@dataclass(frozen=True)
class GradeLists(JudgedLists):
    """Lists with the scores that rank them; behind the end of a short one stands −∞.

    names: those of the documents; None: alphabetical as given.
    """

    scores: NDArray[Any]
    names: NDArray[Any] | None = None

    def parts(self, part_count: int) -> Iterator["GradeLists"]:
        """The lists in about equally many parts, in their order."""
        for row_indexes in np.array_split(np.arange(len(self.grades)), part_count):
            row_slice = slice(row_indexes[0], row_indexes[-1] + 1)
            document_names = None if self.names is None else self.names[row_slice]
            yield replace(
                self,
                grades=self.grades[row_slice],
                scores=self.scores[row_slice],
                document_counts=self.document_counts[row_slice],
                names=document_names,
            )


def read_lists(
    grades: Lists, scores: Lists, convention: Convention, docs: DocumentNames = None
) -> GradeLists:
    """Grades, scores and names as a library reads them, or its refusal.

    >>> read_lists([[3, None], [1]], [[1, 2], [5]], PLAIN_CONVENTION).grades.tolist()
    [[3.0, 0.0], [1.0, 0.0]]
    """
    grade_rows, document_counts = _padded_rows_and_lengths(grades, "grades", 0.0)
    score_rows, score_counts = _padded_rows_and_lengths(scores, "scores", -np.inf)
    if grade_rows.shape != score_rows.shape or not np.array_equal(document_counts, score_counts):
        raise refusal("scores", scores, "one number for each grade")
    if document_counts.min() < convention.shortest:
        raise refusal(
            "grades", grades, f"at least {convention.shortest} documents, as {convention.name} does"
        )
    if np.count_nonzero(np.isfinite(score_rows)) != document_counts.sum():
        raise refusal("scores", scores, "finite numbers")
    score_rows = score_rows.astype(np.float64, copy=False)  # whole ones without a sign have no negatives
    if convention.single:
        score_rows = _single_precision_scores(score_rows)
    if convention.negative == "dropped":
        score_rows = np.where(grade_rows < 0, -np.inf, score_rows)  # behind the list they bring in nothing
    judged_lists = _admitted_grades(grade_rows, document_counts, "grades", convention)
    document_names = None if docs is None else _read_names(docs, judged_lists)
    return GradeLists(**vars(judged_lists), scores=score_rows, names=document_names)


def _single_precision_scores(score_rows: FloatArray) -> NDArray[Any]:
    """Scores as they are read in single precision; the infinite ones are those behind the end of a list."""
    with np.errstate(over="ignore"):
        single_precision_rows = score_rows.astype(np.float32)
    overflow_flags = np.isinf(single_precision_rows) & np.isfinite(score_rows)
    if not overflow_flags.any():
        return single_precision_rows
    return np.where(overflow_flags, np.copysign(SINGLE_INFINITY, score_rows), single_precision_rows)


def read_pool(pool: Lists, grade_lists: GradeLists) -> JudgedLists:
    """The grades of all judged documents of each list, read by the rules of the lists.

    >>> lists = read_lists([[3]], [[1]], PLAIN_CONVENTION)
    >>> read_pool([[3, 2]], lists).document_counts.tolist()
    [2]
    """
    grade_rows, document_counts = _padded_rows_and_lengths(pool, "pool", 0.0)
    if len(grade_rows) != len(grade_lists.grades):
        raise refusal("pool", pool, "the judged documents of every list")
    return _admitted_grades(grade_rows, document_counts, "pool", grade_lists.convention)


def _read_names(docs: Sequence[Sequence[str]], judged_lists: JudgedLists) -> NDArray[Any]:
    name_lists = rows_of(docs, "docs")
    document_counts = [len(names_of_list) for names_of_list in name_lists]
    distinct_name_counts = [
        len({name for name in names_of_list if isinstance(name, str)}) for names_of_list in name_lists
    ]
    if document_counts != judged_lists.document_counts.tolist() or distinct_name_counts != document_counts:
        raise refusal("docs", docs, "different names, one for each document")
    names_of_all_lists = np.array(list(chain.from_iterable(name_lists)), dtype=str)
    table_shape = judged_lists.grades.shape
    document_names = np.full(table_shape, "", dtype=names_of_all_lists.dtype)
    document_names[_document_flags(judged_lists.document_counts, table_shape[1])] = names_of_all_lists
    return document_names


def _padded_rows_and_lengths(
    number_rows: Lists, argument_name: str, padding: float
) -> tuple[NDArray[Any], CountArray]:
    """Rows as one array of numbers, and how long each of them is."""
    if isinstance(number_rows, np.ndarray) and number_rows.dtype != object:
        if number_rows.ndim != 2 or not number_rows.size or number_rows.dtype.kind not in "iuf":
            raise refusal(argument_name, number_rows, "numbers in rows, one row a list")
        return number_rows, np.full(len(number_rows), number_rows.shape[1])
    listed_rows = rows_of(number_rows, argument_name)
    if not listed_rows:
        raise refusal(argument_name, number_rows, "at least one list")
    document_counts = np.fromiter(map(len, listed_rows), dtype=np.int64, count=len(listed_rows))
    entries = list(chain.from_iterable(listed_rows))
    if not all(map(_is_type_of_numbers, set(map(type, entries)))):
        raise refusal(argument_name, number_rows, "numbers, or None for an unjudged document")
    try:
        flat_numbers = np.array(entries, dtype=np.float64)
    except OverflowError:
        raise refusal(argument_name, number_rows, "finite numbers") from None
    if not document_counts.min():
        raise refusal(argument_name, number_rows, "at least one document in every list")
    padded_table = np.full((len(document_counts), int(document_counts.max())), padding)
    padded_table[_document_flags(document_counts, padded_table.shape[1])] = flat_numbers
    return padded_table, document_counts


def _is_type_of_numbers(entry_type: type) -> bool:
    """Whether its entries are numbers or None; a bool is an answer, not a number."""
    return entry_type is NoneType or (issubclass(entry_type, Real) and not issubclass(entry_type, bool))


def _document_flags(document_counts: CountArray, width: int) -> NDArray[np.bool_]:
    document_flags: NDArray[np.bool_] = np.arange(width) < document_counts[:, None]
    return document_flags


def _admitted_grades(
    grade_rows: NDArray[Any], document_counts: CountArray, argument_name: str, convention: Convention
) -> JudgedLists:
    """Grades as the library reads them, 0 for unjudged ones, or its refusal."""
    grades = _finite_grades(grade_rows, argument_name)
    lowest_grade = float(grades.min())
    if lowest_grade < 0 and convention.negative in ("zero", "dropped"):
        grades = np.maximum(grades, 0)
        lowest_grade = 0.0
    elif lowest_grade < 0 and convention.negative == "refused":
        raise refusal(argument_name, lowest_grade, f"a grade >= 0: that is the rule of {convention.name}")
    grades = _admitted_fractions(grades, argument_name, convention)  # what now counts as 0 is no fraction
    largest_grade = float(grades.max())
    if convention.largest_grade is not None and largest_grade > convention.largest_grade:
        raise refusal(
            argument_name,
            largest_grade,
            f"at most {convention.largest_grade}: that is the rule of {convention.name}",
        )
    if convention.gain == "exponential" and largest_grade >= 1024:
        raise refusal(f"the largest of {argument_name}", largest_grade, "below 1024 for gain 'exponential'")
    return JudgedLists(grades, document_counts, lowest_grade, largest_grade, convention)


def _finite_grades(grade_rows: NDArray[Any], argument_name: str) -> NDArray[Any]:
    """Grades with 0 for unjudged documents."""
    if grade_rows.dtype.kind != "f":
        return grade_rows
    grades = grade_rows
    unjudged_flags = np.isnan(grades)
    if unjudged_flags.any():
        grades = np.where(unjudged_flags, 0.0, grades)
    if not np.isfinite(grades).all():
        raise refusal(argument_name, "an infinite grade", "finite numbers, or None for an unjudged document")
    return grades


def _admitted_fractions(grades: NDArray[Any], argument_name: str, convention: Convention) -> NDArray[Any]:
    if grades.dtype.kind != "f":
        return grades
    if convention.fractional == "truncated":
        whole_grades: NDArray[Any] = np.where(grades < 0, grades, np.trunc(grades))
        return whole_grades
    if convention.fractional == "refused" and (grades % 1).any():
        raise refusal(argument_name, "a fraction", f"a whole number: that is the rule of {convention.name}")
    return grades
