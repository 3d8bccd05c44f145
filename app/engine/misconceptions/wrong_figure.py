"""A learner's wrong number beside the right one: what cutting off and rounding too soon make of it, which is
no misconception, how near a figure must come to explain it, and which misconceptions' figures do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from typing import NamedTuple

from app.engine.checks import checked_number, entries_of, refusal
from app.engine.misconceptions.misconception import Misconception, right_working_of
from app.engine.misconceptions.table import (
    differs_from_right,
    misconceptions_about,
    models_with_wrong_values,
)
from app.engine.misconceptions.working import Amounts, FigureWorking, Working
from app.engine.pair_questions import SWAP_QUANTITIES
from app.engine.questions import AnyQuestion, Question, TableQuestion
from app.engine.rounding import FLOAT_NOISE, rounded_figure, truncated_figure
from app.engine.terms import sum_in_order

SHARE_QUANTITIES_WITH_FRACTIONS = ("average_precision", "err", "rbp")
QUANTITIES_ROUNDED_ON_THE_WAY = ("term", "dcg", "idcg", "ndcg", *SHARE_QUANTITIES_WITH_FRACTIONS)
"""Of those that are asked of a list; what is asked of a table always has figures on the way."""


def early_rounded_values(question: AnyQuestion, decimals: int) -> list[float]:
    """Return what one gets with the right formula when figures are rounded before the last step.

    中途就四舍五入：先舍入折损、每一项，或者（对NDCG）先舍入DCG和IDCG，再往下算。

    Terms rounded to ``decimals`` places or fewer (at least 1); weights, and for NDCG the two sums,
    likewise (at least 2: nobody works with 0.6 for 0.631); of a share, what each rank
    brings in; of a table, each figure on the way. Unrounded at the end, most careful first.

    >>> from app.engine.questions import Question
    >>> [round(value, 4) for value in early_rounded_values(Question("idcg", [3, 3, 2, 1, 0]), 3)[:2]]
    [6.324, 6.324]
    """
    if not isinstance(question, TableQuestion) and question.quantity not in QUANTITIES_ROUNDED_ON_THE_WAY:
        return []
    early_rounded_workings = _early_rounded_workings(right_working_of(question), question.quantity, decimals)
    return [figure_working.value(question) for figure_working in early_rounded_workings]


@cache  # there are few right workings, and every question that is drawn or diagnosed asks for these
def _early_rounded_workings(
    figure_working: FigureWorking, quantity: str, most_decimals: int
) -> tuple[FigureWorking, ...]:
    if isinstance(figure_working, Working):
        return tuple(_early_rounded_workings_of_list(figure_working, quantity, most_decimals))
    fewest_decimals = 1
    if quantity in SWAP_QUANTITIES:  # weights are among the figures
        fewest_decimals = 2
    return tuple(
        figure_working.rounded(partial(rounded_figure, decimals=decimals))
        for decimals in range(most_decimals, fewest_decimals - 1, -1)
    )


def _early_rounded_workings_of_list(working: Working, quantity: str, most_decimals: int) -> list[Working]:
    early_rounded_workings = []
    for decimals in range(most_decimals, 0, -1):
        rounded_last_term = partial(_rounded_last_term, decimals=decimals)
        sum_of_rounded_terms = partial(_sum_of_rounded_terms, decimals=decimals)
        early_rounded_workings.append(
            replace(working, take_asked_term=rounded_last_term, total=sum_of_rounded_terms)
        )
        if decimals == 1:
            continue
        early_rounded_workings.append(working.rounded(partial(rounded_figure, decimals=decimals)))
        if quantity == "ndcg":
            rounded_sum_of_terms = partial(_rounded_sum_of_terms, decimals=decimals)
            early_rounded_workings.append(replace(working, total=rounded_sum_of_terms))
    return early_rounded_workings


def _rounded_last_term(terms: Amounts, decimals: int) -> float:
    return rounded_figure(terms[-1], decimals)


def _sum_of_rounded_terms(terms: Amounts, decimals: int) -> float:
    return sum_in_order(rounded_figure(term, decimals) for term in terms)


def _rounded_sum_of_terms(terms: Amounts, decimals: int) -> float:
    return rounded_figure(sum_in_order(terms), decimals)


LARGEST_ROUNDING_SHIFT_SHARE = 0.02
"""Rounded weights move a figure by less than this share of it; farther is not looked."""


LARGEST_SHIFT_OF_CARE = 2.5
"""In units of the last place: figures rounded to as many places as are asked move a result by no more."""


FEWEST_UNITS_OF_CUT_OFF = 200
"""In units of the last place: of a smaller number some figure is left nearly always."""
FEWEST_DECIMALS_OF_MISTAKE = 2
"""A number that was written with one place is near to some figure nearly always."""
PAIRED_QUANTITIES = ("term", "dcg", "idcg")
FEWEST_DECIMALS_FOR_PAIRS = 3
"""With fewer, too many pairs come out the same."""


class WrongFigure(NamedTuple):
    """The learner's number, the right one, and how near a figure must come to explain it.

    right_interval: of the figures that are right before they are rounded. written_decimals: places in which
    the number was written; None where only its value is known, which may have had zeros behind it.
    """

    value: float
    right_value: float
    right_interval: tuple[float, float]
    decimals: int
    # The contract lets people work with rounded weights, so that mistakes are made with them.
    allows_paper_weights: bool
    written_decimals: int | None

    @property
    def is_written_in_full(self) -> bool:
        """Whether it has as many places as were asked for: 0.500 is no 0.5."""
        return self.written_decimals is not None and self.written_decimals >= self.decimals

    @property
    def is_written_short(self) -> bool:
        """Whether it is known to have fewer places than were asked for."""
        return self.written_decimals is not None and self.written_decimals < self.decimals

    @property
    def as_written(self) -> "WrongFigure | None":
        """What was written short, as a number of so many places; None of others, or with too few."""
        if self.written_decimals is None:
            return None
        if not FEWEST_DECIMALS_OF_MISTAKE <= self.written_decimals < self.decimals:
            return None
        return self._replace(decimals=self.written_decimals)

    @property
    def is_answer_to_fewer_places(self) -> bool:
        """Whether it is the answer to at least 2 places, or to 1 where no more were written; 0 never is."""
        if not self.value:
            return False
        if self.written_decimals == 1 < self.decimals and self.is_answer_to_places(1):
            return True
        return any(map(self.is_answer_to_places, range(2, self.decimals)))

    @property
    def tolerance(self) -> float:
        """Half a unit of the last place."""
        return 0.5 * 10.0**-self.decimals + FLOAT_NOISE

    @property
    def is_off_by_more_than_last_place(self) -> bool:
        """Whether it is farther from the right figure than rounding with care carries it."""
        return abs(self.value - self.right_value) > LARGEST_SHIFT_OF_CARE * 10.0**-self.decimals

    def is_answer_to_places(self, decimals: int) -> bool:
        """Whether it is written to that many places, and a right figure comes out as it."""
        power_of_ten = 10.0**decimals
        scaled_value = self.value * power_of_ten
        if abs(scaled_value - round(scaled_value)) > FLOAT_NOISE * power_of_ten:
            return False
        half_width = 0.5 * 10.0**-decimals + FLOAT_NOISE
        lowest_value, highest_value = self.right_interval
        return lowest_value - half_width <= self.value <= highest_value + half_width

    @property
    def is_answer_to_one_place(self) -> bool:
        """Whether it has one place, where more were asked for; a whole number has none."""
        return self.decimals > 1 and self.value % 1 != 0 and self.is_answer_to_places(1)

    def is_cut_off(self, decimals: int) -> bool:
        """Whether it is the right figure with what stands behind so many places cut off."""
        return self.is_figure(truncated_figure(self.right_value, decimals))

    def is_figure(self, figure: float) -> bool:
        """Whether it is this figure as it stands, neither rounded nor cut off."""
        return abs(self.value - figure) <= FLOAT_NOISE

    def is_explained_by(self, *predicted_values: float) -> bool:
        return min(predicted_values) - self.tolerance <= self.value <= max(predicted_values) + self.tolerance

    def is_explained_by_model(
        self, question: AnyQuestion, predicted_value: float, model: Misconception, *partners: Misconception
    ) -> bool:
        if self.is_explained_by(predicted_value):
            return True
        largest_distance = LARGEST_ROUNDING_SHIFT_SHARE * abs(predicted_value) + self.tolerance
        if not self.allows_paper_weights or abs(self.value - predicted_value) > largest_distance:
            return False
        paper_values = model.compute_on_paper(question, *partners)
        return self.is_explained_by(predicted_value, *paper_values)


def wrong_figure_of(
    value: float,
    right_value: float,
    decimals: int,
    accepted_interval: tuple[float, float] | None = None,
    written_decimals: int | None = None,
) -> WrongFigure | None:
    """Return the number beside the right one, or None where it is right; arguments as for ``diagnose``.

    >>> wrong_figure_of(0.631, 0.63093, 3) is None, wrong_figure_of(0.63, 0.63093, 3).right_interval
    (True, (0.63093, 0.63093))
    """
    half_width = 0.5 * 10.0**-decimals + FLOAT_NOISE
    lowest_right_value = right_value - half_width
    highest_right_value = right_value + half_width
    if accepted_interval is not None:
        lowest_right_value, highest_right_value = _checked_interval(accepted_interval, right_value)
    if lowest_right_value <= value <= highest_right_value:
        return None
    # `accepted_interval` includes room for rounding: without it remain the figures before they are rounded.
    right_interval = (
        min(lowest_right_value + half_width, right_value),
        max(highest_right_value - half_width, right_value),
    )
    allows_paper_weights = accepted_interval is not None
    return WrongFigure(value, right_value, right_interval, decimals, allows_paper_weights, written_decimals)


def _checked_interval(accepted_interval: tuple[float, float], right_value: float) -> tuple[float, float]:
    bounds = [
        checked_number(bound, f"accepted[{bound_index}]")
        for bound_index, bound in enumerate(entries_of(accepted_interval, "accepted"))
    ]
    if len(bounds) != 2:
        raise refusal("accepted", accepted_interval, "the lowest and the highest number that counts as right")
    lowest_accepted_value, highest_accepted_value = bounds
    if not lowest_accepted_value - FLOAT_NOISE <= right_value <= highest_accepted_value + FLOAT_NOISE:
        raise refusal("accepted", accepted_interval, f"an interval around {right_value}")
    return lowest_accepted_value, highest_accepted_value


def figures_rounded_to(question: AnyQuestion, wrong_figure: WrongFigure) -> dict[str, float]:
    """Return what each misconception that explains the number leads to, itself or its mirror, by its id.

    >>> wrong_figure = wrong_figure_of(6.77, 4.6925, 3)
    >>> list(figures_rounded_to(Question("dcg", [3, 2, 0, 1]), wrong_figure))
    ['natural_log']
    """
    figure_by_misconception_id: dict[str, float] = {}
    for model, figure in models_with_wrong_values(question):
        if wrong_figure.is_explained_by_model(question, figure, model):
            figure_by_misconception_id.setdefault(model.id, figure)
    return figure_by_misconception_id


def figures_cut_off_to(question: AnyQuestion, wrong_figure: WrongFigure) -> dict[str, float]:
    """Return likewise the figures of which the number is left when the further decimals are cut off; none of
    a small number.
    """
    figure_by_misconception_id: dict[str, float] = {}
    if abs(wrong_figure.value) < FEWEST_UNITS_OF_CUT_OFF * 10.0**-wrong_figure.decimals:
        return figure_by_misconception_id
    for model, figure in models_with_wrong_values(question):
        if wrong_figure.is_figure(truncated_figure(figure, wrong_figure.decimals)):
            figure_by_misconception_id.setdefault(model.id, figure)
    return figure_by_misconception_id


def pairs_rounded_to(
    question: AnyQuestion, wrong_figure: WrongFigure
) -> Sequence[tuple[Misconception, Misconception, float]]:
    """Return the pairs of misconceptions in two steps that lead to the number, each with its figure; none
    where too many would, or where the number was written short.

    >>> question = Question("dcg", [3, 2, 0, 1], gain="exponential")
    >>> wrong_figure = wrong_figure_of(6.770, 8.8235, 3)
    >>> [(first.id, second.id) for first, second, _ in pairs_rounded_to(question, wrong_figure)]
    [('linear_for_exponential', 'natural_log')]
    """
    if isinstance(question, TableQuestion) or wrong_figure.is_written_short:
        return []
    if question.quantity not in PAIRED_QUANTITIES or wrong_figure.decimals < FEWEST_DECIMALS_FOR_PAIRS:
        return []
    explaining_pairs = []
    for first_model, second_model in _plausible_pairs(question):
        figure = first_model.compute(question, second_model)
        if differs_from_right(figure, wrong_figure.right_value) and wrong_figure.is_explained_by_model(
            question, figure, first_model, second_model
        ):
            explaining_pairs.append((first_model, second_model, figure))
    return explaining_pairs


def _plausible_pairs(question: Question) -> Iterator[tuple[Misconception, Misconception]]:
    models = misconceptions_about(question.quantity)
    pairable_models = [model for model in models if model.can_join_another and model.applies(question)]
    for first_model, second_model in combinations(pairable_models, 2):
        if first_model.step != second_model.step:
            yield first_model, second_model
