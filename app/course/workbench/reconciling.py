"""对账: from a figure that was printed elsewhere to the conventions and the mistakes that print it.

A list shows some answers of a convention and hides others: without equal scores nobody sees what becomes of
them. So the conventions that print a figure are put together wherever the list cannot tell them apart, and
one more short list is named that can.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

from app.course.workbench.cells import PrintedFigure
from app.course.workbench.documents import judged_grade
from app.engine.checks import Grade
from app.engine.conventions import CONVENTIONS, COURSE, CUTS, POOLS, Convention
from app.engine.diagnosis import Diagnosis, diagnose
from app.engine.probing import Probe, telling_list
from app.engine.questions import Question
from app.engine.reconciling import (
    AXES,
    Match,
    all_conventions,
    axis_answers_of,
    figure_and_decimals,
    reconcile,
)
from app.engine.terms import DISCOUNTS, GAINS
from app.engine.ties import TIES, indexes_in_rank_order

MOST_DECIMALS, FEWEST_TELLING_DECIMALS, MOST_TELLING_DECIMALS = 9, 3, 6
"""Decimals of a figure that are diagnosed; and with which a further list is run at least and at most."""
ANSWERS_BY_AXIS: Mapping[str, tuple[str, ...]] = {
    "gain": tuple(GAINS),
    "discount": tuple(DISCOUNTS),
    "pool": POOLS,
    "cut": CUTS,
    "ties": tuple(TIES),
    "zero_ideal": ("zero", "one"),
}
"""All answers on the axes of the product."""
AXES_RARELY_SHOWN_FIRST = ("zero_ideal", "ties", "cut", "pool", "discount", "gain")
"""In this order answers that a list does not show are put together: what is rarely shown comes first."""
Answers = tuple[str, ...]
AnswerSets = tuple[frozenset[str], ...]
"""For each axis the answers that print the figure, whatever is answered on the other axes."""


@dataclass(frozen=True)
class Evidence:
    """A list, and the figure that was printed for it. scores, docs, k, pool: as in `scored_ndcg`.

    A grade below 0 is unjudged, as the course has it; of it a library makes what it does.
    """

    grades: Sequence[Grade]
    printed_figure: PrintedFigure
    scores: Sequence[float] | None = None
    docs: Sequence[str] | None = None
    k: int | None = None
    pool: Sequence[Grade] | None = None

    @cached_property
    def judged_grades(self) -> list[Grade]:
        """The grades of the list, those below 0 as unjudged."""
        return list(map(judged_grade, self.grades))

    @cached_property
    def judged_pool(self) -> list[Grade] | None:
        """The grades of the pool, those below 0 as unjudged."""
        if self.pool is None:
            return None
        return list(map(judged_grade, self.pool))

    @cached_property
    def match_by_answers(self) -> Mapping[tuple[Answers, bool], Match]:
        """What prints the figure, by answers, and by whether only a library's own reading does.

        Kept: a list is asked again with each further one.
        """
        printing_matches = reconcile(
            self.grades,
            self.printed_figure.share_text,
            scores=self.scores,
            docs=self.docs,
            k=self.k,
            pool=self.pool,
            are_negatives_unjudged=True,
        )
        match_by_answers = {}
        for match in printing_matches:
            is_own_reading = match.convention.name in CONVENTIONS
            match_by_answers[axis_answers_of(match.convention), is_own_reading] = match
        return match_by_answers


class MatchingConventions(NamedTuple):
    """Conventions that print the figures and look alike on these lists.

    answers_by_axis: for each axis those that print them. presets: the libraries among them. is_own_reading:
    they print them only because of how they read grades and scores. value: of the first list, in full.
    """

    answers_by_axis: Mapping[str, frozenset[str]]
    presets: tuple[str, ...]
    value: float
    is_own_reading: bool

    @property
    def different_axes(self) -> tuple[str, ...]:
        """The axes on which none of them answers as the course does."""
        return tuple(axis for axis in AXES if getattr(COURSE, axis) not in self.answers_by_axis[axis])

    @property
    def hidden_axes(self) -> tuple[str, ...]:
        """The axes on which any answer prints the figures."""
        return tuple(axis for axis in AXES if len(self.answers_by_axis[axis]) == len(ANSWERS_BY_AXIS[axis]))

    @property
    def nearest_convention(self) -> Convention:
        """The convention among them that is nearest to the course's."""
        if self.is_own_reading:
            return CONVENTIONS[self.presets[0]]
        answer_by_axis = {}
        for axis in self.different_axes:
            answer_by_axis[axis] = min(self.answers_by_axis[axis], key=ANSWERS_BY_AXIS[axis].index)
        return replace(COURSE, **answer_by_axis)  # type: ignore[arg-type]


class Reconciliation(NamedTuple):
    """What prints a figure: conventions, libraries first; a mistake; and a list that tells more.

    next_probe: the list to run next; None where none helps.
    """

    printed_figure: PrintedFigure
    groups: tuple[MatchingConventions, ...]
    diagnosis: Diagnosis | None
    next_probe: Probe | None


def reconciliation_of(first_evidence: Evidence, *further_evidence: Evidence) -> Reconciliation:
    """What prints the figure of a list, and those of further lists, too.

    Where nothing prints all figures, those without a sign are tried in percent: all of them where the first
    is above 1 or has a sign, then those above 1 alone.

    >>> explained = reconciliation_of(Evidence([3, 2, 3, 0, 1, 2], PrintedFigure("0.9488")))
    >>> explained.groups[0].different_axes, explained.groups[0].presets[:2]
    (('gain',), ('gdeval', 'ranx-burges'))
    """
    convention_groups: tuple[MatchingConventions, ...] = ()
    for evidence_reading in _readings_of([first_evidence, *further_evidence]):
        convention_groups = matching_conventions(evidence_reading)
        if convention_groups:
            first_evidence = evidence_reading[0]
            break
    decimals = min(
        max(first_evidence.printed_figure.decimals, FEWEST_TELLING_DECIMALS), MOST_TELLING_DECIMALS
    )
    next_probe = telling_list(list(_each_convention(convention_groups)), decimals)
    return Reconciliation(
        first_evidence.printed_figure, convention_groups, _diagnosis_of(first_evidence), next_probe
    )


def _readings_of(evidence_of_lists: Sequence[Evidence]) -> Sequence[Sequence[Evidence]]:
    """The figures as they were typed; then in percent, as a program prints either all or none of them."""
    readings = [evidence_of_lists]
    first_figure = evidence_of_lists[0].printed_figure
    if first_figure.is_in_percent or first_figure.number > 1:
        readings.append(list(map(_in_percent, evidence_of_lists)))
    mixed_reading = [*evidence_of_lists]
    for evidence_index, evidence_of_list in enumerate(evidence_of_lists):
        if evidence_of_list.printed_figure.number > 1:
            mixed_reading[evidence_index] = _in_percent(evidence_of_list)
    if mixed_reading not in readings:
        readings.append(mixed_reading)
    return readings


def _in_percent(evidence: Evidence) -> Evidence:
    percent_figure = evidence.printed_figure._replace(is_in_percent=True)
    return replace(evidence, printed_figure=percent_figure)


def matching_conventions(evidence_of_lists: Sequence[Evidence]) -> tuple[MatchingConventions, ...]:
    """The conventions that print all figures, put together where the lists do not tell them apart."""
    common_match_by_answers = evidence_of_lists[0].match_by_answers
    for further_evidence in evidence_of_lists[1:]:
        common_match_by_answers = _common_match_by_answers(
            common_match_by_answers, further_evidence.match_by_answers
        )
    match_by_answers: dict[Answers, Match] = {}
    convention_groups = []
    for (axis_answers, is_own_reading), match in common_match_by_answers.items():
        if is_own_reading:
            convention_groups.append(
                _matching_group(_single_answer_sets(axis_answers), [match], is_own_reading=True)
            )
        else:
            match_by_answers[axis_answers] = match
    for answer_sets in _merged_answer_sets(match_by_answers):
        matches = [
            match for axis_answers, match in match_by_answers.items() if _is_among(axis_answers, answer_sets)
        ]
        convention_groups.append(_matching_group(answer_sets, matches))
    return tuple(sorted(convention_groups, key=_order_key))


def _matching_group(
    answer_sets: AnswerSets, matches: Sequence[Match], *, is_own_reading: bool = False
) -> MatchingConventions:
    answers_by_axis = dict(zip(AXES, answer_sets, strict=True))
    presets: list[str] = []
    for match in matches:
        presets += match.presets
    presets_in_order = sorted(presets, key=list(CONVENTIONS).index)
    return MatchingConventions(answers_by_axis, tuple(presets_in_order), matches[0].value, is_own_reading)


def _single_answer_sets(axis_answers: Answers) -> AnswerSets:
    return tuple(frozenset([axis_answer]) for axis_answer in axis_answers)


def _order_key(convention_group: MatchingConventions) -> tuple[bool, int, int]:
    """Libraries first; then the nearest to the course, and what leaves more open."""
    open_answer_count = sum(map(len, convention_group.answers_by_axis.values()))
    return not convention_group.presets, len(convention_group.different_axes), -open_answer_count


def _common_match_by_answers(
    earlier_match_by_answers: Mapping[tuple[Answers, bool], Match],
    later_match_by_answers: Mapping[tuple[Answers, bool], Match],
) -> dict[tuple[Answers, bool], Match]:
    """The matches of both lists: a library may print one figure by its answers, one by its own reading."""
    common_match_by_answers = {}
    for (axis_answers, is_own_reading), earlier_match in earlier_match_by_answers.items():
        presets: set[str] = set()
        is_printed_later = False
        for is_own_reading_later in (False, True):
            later_match = later_match_by_answers.get((axis_answers, is_own_reading_later))
            if later_match is not None:
                is_printed_later = True
                presets.update(later_match.presets)
        presets.intersection_update(earlier_match.presets)
        if presets or (is_printed_later and not is_own_reading):
            presets_in_order = sorted(presets, key=earlier_match.presets.index)
            common_match_by_answers[axis_answers, is_own_reading] = replace(
                earlier_match, presets=tuple(presets_in_order)
            )
    return common_match_by_answers


def _merged_answer_sets(matched_answers: Iterable[Answers]) -> list[AnswerSets]:
    """Answers in sets of which every combination prints the figures; no combination is in two of them."""
    answer_set_combinations: set[AnswerSets] = set()
    for axis_answers in matched_answers:
        answer_set_combinations.update(map(_single_answer_sets, _spellings(axis_answers)))
    for axis in AXES_RARELY_SHOWN_FIRST:
        axis_index = AXES.index(axis)
        answers_by_other_answer_sets: dict[AnswerSets, frozenset[str]] = {}
        for answer_sets in answer_set_combinations:
            other_answer_sets = (*answer_sets[:axis_index], *answer_sets[axis_index + 1 :])
            answers_by_other_answer_sets[other_answer_sets] = (
                answers_by_other_answer_sets.get(other_answer_sets, frozenset()) | answer_sets[axis_index]
            )
        answer_set_combinations = set()
        for other_answer_sets, answers_of_axis in answers_by_other_answer_sets.items():
            answer_set_combinations.add(
                (*other_answer_sets[:axis_index], answers_of_axis, *other_answer_sets[axis_index:])
            )
    return sorted(answer_set_combinations, key=lambda answer_sets: list(map(sorted, answer_sets)))


def _spellings(axis_answers: Answers) -> list[Answers]:
    """The answers, and where the ideal is the returned list cut at k, also as one cut at its own length."""
    spellings = [axis_answers]
    pool_index, cut_index = AXES.index("pool"), AXES.index("cut")
    if (axis_answers[pool_index], axis_answers[cut_index]) == ("list", "k"):
        spellings.append((*axis_answers[:cut_index], "returned", *axis_answers[cut_index + 1 :]))
    return spellings


def _is_among(axis_answers: Answers, answer_sets: AnswerSets) -> bool:
    return all(
        axis_answer in allowed_answers
        for axis_answer, allowed_answers in zip(axis_answers, answer_sets, strict=True)
    )


def _each_convention(convention_groups: Iterable[MatchingConventions]) -> Iterable[Convention]:
    """Every convention in groups, once."""
    for convention_group in convention_groups:
        for axis_answers in product(*convention_group.answers_by_axis.values()):
            yield _convention_by_answers()[axis_answers]


@cache
def _convention_by_answers() -> Mapping[Answers, Convention]:
    """Every convention of the product by its answers, in both spellings."""
    convention_by_answers = {}
    for convention in all_conventions():
        for axis_answers in _spellings(axis_answers_of(convention)):
            convention_by_answers[axis_answers] = convention
    return convention_by_answers


def _diagnosis_of(evidence: Evidence) -> Diagnosis | None:
    """The mistake that prints the figure, made with the list in its ranked order and counted as usual."""
    judged_grades = evidence.judged_grades
    if evidence.scores is not None:
        judged_grades = [
            judged_grades[document_index] for document_index in indexes_in_rank_order(evidence.scores)
        ]
    question = Question("ndcg", judged_grades, evidence.k, pool=evidence.judged_pool)
    _, printed_decimals = figure_and_decimals(evidence.printed_figure.share_text)
    decimals = min(printed_decimals, MOST_DECIMALS)
    return diagnose(question, evidence.printed_figure.number, decimals)
