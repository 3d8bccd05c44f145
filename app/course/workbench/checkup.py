"""体检: from the three figures that a library prints for the probes to its convention, by name and axis."""

import re
from collections.abc import Mapping, Sequence
from itertools import starmap
from typing import Any, NamedTuple

from app.course.items.marks import Unreadable
from app.course.text.typed import folded_text
from app.course.workbench.cells import DECIMAL_COMMA_PATTERN, LONGEST_FIGURE, read_printed
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.probing import identify, probes
from app.engine.reconciling import axis_answers_of, rounds_to
from app.engine.scoring import scored_ndcg

FIGURE_FIELDS = ("a", "b", "c")
"""The figures of the three lists, in an address."""
FEWEST_DECIMALS, MOST_DECIMALS = 3, 6
"""With fewer, conventions look alike; beyond, single precision differs."""
FEWEST_DECIMALS_OF_MISFIT = 2
WORDS_FOR_NO_FIGURE = frozenset(
    {"nan", "none", "null", "-", "inf", "error", "err", "报错", "没有", "跳过", "skip"}
)
FIGURES_OF_EMPTY_QUERY = ("0", "1")
"""What a query without a relevant document may count; 1 is tried only for a library that prints nothing."""
WORDS_BY_ANSWER_BY_ATTRIBUTE: Mapping[str, Mapping[Any, str]] = {
    "negative": {
        "refused": "负的甜度：拒绝",
        "zero": "负的甜度：当成0",
        "kept": "负的甜度：照算，算倒扣",
        "dropped": "负的甜度：整篇拿掉，后面的往前补",
    },
    "fractional": {"refused": "小数甜度：拒绝", "truncated": "小数甜度：切成整数", "kept": "小数甜度：照算"},
    "single": {True: "分数按单精度读，太近的算同分", False: "分数按双精度读"},
}
"""How a library reads grades and scores, where whole grades and scores far apart do not show it."""


class RecognisedLibrary(NamedTuple):
    """A library among several that print the same three figures. readings: how it differs from them."""

    preset: str
    readings: list[str]


class Misfit(NamedTuple):
    """The one figure that keeps a library from being recognised: in which list, and what it prints there."""

    figure_number: int
    preset: str
    printed_figure_text: str


class Checkup(NamedTuple):
    """What three figures say. figures: as they are read; None where the library gave none.

    conventions: one for each set of answers, mostly exactly one. libraries: those that have it.
    is_ambiguous: the figures have so few decimals that several conventions print them. skips_empty_queries:
    nothing was printed for a query without a relevant document. misfit: where all figures but one are of
    a library.
    """

    figures: tuple[str | None, ...]
    conventions: tuple[Convention, ...]
    libraries: tuple[RecognisedLibrary, ...]
    is_ambiguous: bool
    skips_empty_queries: bool
    misfit: Misfit | None


def read_figures(figure_texts: Sequence[str]) -> list[str | None]:
    """The three figures of a form; one field may hold all three. Raises `Unreadable`.

    >>> read_figures(["0.544 0.528 0", "", ""])
    ['0.544', '0.528', '0']
    >>> read_figures(["0.544", "0.528", "NaN"])
    ['0.544', '0.528', None]
    >>> read_figures(["0,544", "0,528", "0"])
    ['0.544', '0.528', '0']
    """
    pasted_figure_texts: list[str] = []
    for figure_text in figure_texts:
        pasted_figure_texts += _figure_texts_in(folded_text(figure_text, 3 * LONGEST_FIGURE))
    if len(pasted_figure_texts) != len(probes()):
        raise Unreadable(f"要{len(probes())}个数，一列一个，用空格隔开，这里有{len(pasted_figure_texts)}个。")
    typed_figure_texts: list[str | None] = []
    for figure_number, pasted_figure_text in enumerate(pasted_figure_texts, 1):
        if pasted_figure_text.lower() in WORDS_FOR_NO_FIGURE:
            if figure_number < len(pasted_figure_texts):
                raise Unreadable(
                    f"第{figure_number}列的数没有抄全：只有第{len(pasted_figure_texts)}列可以没有数。"
                )
            typed_figure_texts.append(None)
        else:
            typed_figure_texts.append(_share_text(figure_number, pasted_figure_text))
    return typed_figure_texts


def _figure_texts_in(field_text: str) -> list[str]:
    """The figures in a field; a comma parts their decimals, or them where one has a point or it comes again.

    >>> _figure_texts_in("0,544; 52,8%"), _figure_texts_in("0.544,0"), _figure_texts_in("1,1,0")
    (['0.544', '52.8%'], ['0.544', '0'], ['1', '1', '0'])
    """
    figure_texts: list[str] = []
    for piece in re.split(r"[\s;]+", field_text):
        if "." not in field_text and DECIMAL_COMMA_PATTERN.fullmatch(piece.removesuffix("%")):
            figure_texts.append(piece.replace(",", "."))
        else:
            figure_texts += filter(None, piece.split(","))
    return figure_texts


def _share_text(figure_number: int, cell_text: str) -> str:
    try:
        return read_printed(cell_text).share_text
    except Unreadable:
        raise Unreadable(
            f"第{figure_number}列的“{cell_text[:LONGEST_FIGURE]}”不是数：库印什么就抄什么，比如0.544。"
        ) from None


def check_up(typed_figure_texts: Sequence[str | None]) -> Checkup:
    """The convention of a library, from its figures on the three probes.

    >>> checkup = check_up(["0.544246", "0.528043", "0.0"])
    >>> [library.preset for library in checkup.libraries], checkup.conventions[0].ties
    (['trec_eval', 'pytrec_eval', 'ir-measures'], 'docno-descending')
    """
    printed_figure_texts = [
        typed_figure_text for typed_figure_text in typed_figure_texts if typed_figure_text is not None
    ]
    # A whole figure has none here: it stands beside others that show how many were printed.
    printed_decimals = max(
        len(typed_figure_text.partition(".")[2]) for typed_figure_text in printed_figure_texts
    )
    skips_empty_queries = len(printed_figure_texts) < len(typed_figure_texts)
    matching_conventions: list[Convention] = []
    for decimals in _decimal_counts_to_try(printed_decimals):
        for empty_query_figure in FIGURES_OF_EMPTY_QUERY[: 1 + skips_empty_queries]:
            all_figure_texts = [*printed_figure_texts, empty_query_figure]
            matching_conventions += identify(all_figure_texts[: len(typed_figure_texts)], decimals)
        if matching_conventions:
            break
    convention_by_answers: dict[tuple[str, ...], Convention] = {}
    recognised_conventions = []
    for convention in matching_conventions:
        convention_by_answers.setdefault(_answers(convention, skips_empty_queries), convention)
        if convention.name in CONVENTIONS:
            recognised_conventions.append(convention)
    return Checkup(
        tuple(typed_figure_texts),
        tuple(convention_by_answers.values()),
        recognised_libraries(recognised_conventions),
        is_ambiguous=len(convention_by_answers) > 1,
        skips_empty_queries=skips_empty_queries,
        misfit=None if matching_conventions else _misfit(typed_figure_texts, printed_decimals),
    )


def _decimal_counts_to_try(decimals: int) -> list[int]:
    """With how many decimals figures are compared: as many as were printed, then the fewest that do."""
    most_decimals = min(max(decimals, 1), MOST_DECIMALS)
    return sorted({most_decimals, min(most_decimals, FEWEST_DECIMALS)}, reverse=True)


def _answers(convention: Convention, skips_empty_queries: bool) -> tuple[str, ...]:
    """Its answers; who prints nothing for an empty query has not said what it counts."""
    axis_answers = axis_answers_of(convention)
    return axis_answers[:-1] if skips_empty_queries else axis_answers


def recognised_libraries(conventions: Sequence[Convention]) -> tuple[RecognisedLibrary, ...]:
    """The libraries of these conventions, each with how it reads numbers, where they do not all read alike.

    >>> for library in recognised_libraries([CONVENTIONS["trec_eval"], CONVENTIONS["pytrec_eval"]]):
    ...     print(library.preset, library.readings)
    trec_eval ['分数按双精度读']
    pytrec_eval ['分数按单精度读，太近的算同分']
    """
    reading_words_by_preset: dict[str, list[str]] = {convention.name: [] for convention in conventions}
    for axis, words_by_answer in WORDS_BY_ANSWER_BY_ATTRIBUTE.items():
        axis_answers = [getattr(convention, axis) for convention in conventions]
        if len(set(axis_answers)) > 1:
            for preset, axis_answer in zip(reading_words_by_preset, axis_answers, strict=True):
                reading_words_by_preset[preset].append(words_by_answer[axis_answer])
    return tuple(starmap(RecognisedLibrary, reading_words_by_preset.items()))


def _misfit(typed_figure_texts: Sequence[str | None], printed_decimals: int) -> Misfit | None:
    """The first library that prints two of the figures, and what it prints in place of the third; None with
    so few decimals that two figures are of too many libraries.
    """
    if printed_decimals < FEWEST_DECIMALS_OF_MISFIT:
        return None
    decimals = min(printed_decimals, FEWEST_DECIMALS)
    for preset, convention in CONVENTIONS.items():
        misfits = []
        for figure_number, (probe, typed_figure_text) in enumerate(
            zip(probes(), typed_figure_texts, strict=True), 1
        ):
            ndcg = scored_ndcg(probe.grades, probe.scores, convention, probe.k, probe.pool, probe.docs)
            printed_figure = ndcg or 0.0
            if typed_figure_text is None or not rounds_to(printed_figure, float(typed_figure_text), decimals):
                misfits.append(Misfit(figure_number, preset, f"{printed_figure:.{decimals}f}"))
        if len(misfits) == 1:
            return misfits[0]
    return None
