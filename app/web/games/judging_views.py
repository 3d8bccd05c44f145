"""下一篇标谁 as a player sees it: two lists of wrapped candies, and how much is still in doubt."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from app.course.games.judging import (
    DOCUMENT_COUNTS_BY_KIND,
    HIGHEST_GRADE,
    MOST_STARS,
    JudgingRound,
    JudgingState,
)
from app.course.games.ranked_lists import Side
from app.course.items.printed_figures import figure_and_gap_texts
from app.engine.rounding import FLOAT_NOISE
from app.web.games.rounds_views import RoundSummary, RoundsView

CANDY_NAMES = "甲乙丙丁戊己"
NAME_BY_SIDE: Mapping[Side, str] = {"x": "系统X", "y": "系统Y"}
EXERCISE_IDS_AND_LEVELS = (("discount", 2), ("delta-ndcg", 1), ("recall", 1))


class WrappedCandy(NamedTuple):
    """A document at a rank of a list; `grade_text` is empty while nobody has paid for it."""

    name: str
    grade_text: str
    is_just_opened: bool


class Leverage(NamedTuple):
    """What a grade more of a document moves: in which list it counts for what, and the difference."""

    name: str
    weight_in_x_text: str
    weight_in_y_text: str
    weight_difference_text: str
    is_best: bool


class JudgingView(RoundsView):
    """What `games/_judging.html` shows."""

    game_name = "judging"
    exercise_ids_and_levels = EXERCISE_IDS_AND_LEVELS
    round_count = len(DOCUMENT_COUNTS_BY_KIND)
    most_stars = MOST_STARS
    highest_grade = HIGHEST_GRADE

    @cached_property
    def state(self) -> JudgingState:
        return JudgingState(self.seed).after_moves(self.moves)

    @property
    def round(self) -> JudgingRound:
        return self.state.round

    @property
    def candy_pairs(self) -> list[tuple[WrappedCandy, WrappedCandy]]:
        """What stands at each rank in both lists."""
        return [
            (self._candy(index_in_x), self._candy(index_in_y))
            for index_in_x, index_in_y in zip(self.round.ranking_of_x, self.round.ranking_of_y, strict=True)
        ]

    def _candy(self, document_index: int) -> WrappedCandy:
        grade_text = ""
        if document_index in self.state.judged_indexes:
            grade_text = str(self.round.grades[document_index])
        return WrappedCandy(CANDY_NAMES[document_index], grade_text, document_index == self._last_paid_index)

    @property
    def _last_paid_index(self) -> int | None:
        if self.state.paid_indexes:
            return self.state.paid_indexes[-1]
        return None

    @property
    def last_paid_candy(self) -> WrappedCandy | None:
        """What the last coin of this round has opened."""
        if self._last_paid_index is None:
            return None
        return self._candy(self._last_paid_index)

    @property
    def choices(self) -> list[tuple[str, str]]:
        """What can be paid for: how the form names it, and how it is called."""
        return [
            (str(document_index), CANDY_NAMES[document_index])
            for document_index in self.round.document_indexes
            if document_index not in self.state.judged_indexes
        ]

    @property
    def doubt_sentence(self) -> str:
        """How far either may still be ahead."""
        least_lead_of_x, greatest_lead_of_x = self.round.least_and_greatest_lead(self.state.judged_indexes)
        if self.state.is_decided:
            least_lead = least_lead_of_x if least_lead_of_x > 0 else -greatest_lead_of_x
            winner_name, lead_text = NAME_BY_SIDE[self.round.winner], _lead_text(least_lead)
            if not self.choices:
                return f"全拆开了：{winner_name}的DCG高{lead_text}。"
            return f"剩下的不管多甜，{winner_name}的DCG都高，至少高{lead_text}。"
        return f"现在只知道：X{_most_lead_words(greatest_lead_of_x)}，Y{_most_lead_words(-least_lead_of_x)}。"

    @property
    def lead_bar_start_and_width(self) -> tuple[int, int]:
        """Where on a bar of 100 the possible leads of X begin, and how wide they lie; 50 is a tie."""
        least_lead, greatest_lead = self.round.least_and_greatest_lead(self.state.judged_indexes)
        largest_lead = max(map(abs, self.round.least_and_greatest_lead(self.round.judged_indexes)))
        left_percent = round(50 + 50 * least_lead / largest_lead)
        right_percent = round(50 + 50 * greatest_lead / largest_lead)
        return left_percent, max(2, right_percent - left_percent)

    @property
    def leverages(self) -> list[Leverage]:
        """What each document that was unjudged at the start weighed, the greatest difference first."""
        indexes_in_order_of_leverage = sorted(
            self.round.unjudged_indexes, key=lambda document_index: -abs(self.round.leverage(document_index))
        )
        best_indexes = self.round.best_indexes(self.round.judged_indexes)
        leverage_views = []
        for document_index in indexes_in_order_of_leverage:
            weight_in_x_text, weight_in_y_text = [
                f"{self.round.discount_weight(side, document_index):.3f}" for side in NAME_BY_SIDE
            ]
            weight_difference_text = f"{abs(self.round.leverage(document_index)):.3f}"
            is_best = document_index in best_indexes
            leverage_views.append(
                Leverage(
                    CANDY_NAMES[document_index],
                    weight_in_x_text,
                    weight_in_y_text,
                    weight_difference_text,
                    is_best,
                )
            )
        return leverage_views

    @property
    def cost_sentence(self) -> str:
        """What the round cost, and what it costs by the rule."""
        paid_count, fewest_coin_count = len(self.state.paid_indexes), self.round.fewest_coin_count
        if paid_count <= fewest_coin_count:
            return f"花了{paid_count}枚，{self.state.star_counts[-1]}颗星。"
        star_sentence = f"{self.state.star_counts[-1]}颗星。"
        return f"花了{paid_count}枚；每次都拆折损差最大的那颗，{fewest_coin_count}枚就够。{star_sentence}"

    @property
    def round_summaries(self) -> list[RoundSummary]:
        """Each round with its stars."""
        return [
            self.round_summary(round_kind, star_count, MOST_STARS)
            for round_kind, star_count in zip(DOCUMENT_COUNTS_BY_KIND, self.state.star_counts, strict=True)
        ]


def _most_lead_words(lead: float) -> str:
    """How far a system may be ahead at most, while nothing is decided.

    >>> _most_lead_words(1.5), _most_lead_words(-0.0)
    ('最多高1.50', '最多打平')
    """
    if lead <= FLOAT_NOISE:
        return "最多打平"
    return f"最多高{_lead_text(lead)}"


def _lead_text(lead: float) -> str:
    """How far a system is ahead: to two places, or to as many more as show it.

    >>> _lead_text(1.5), _lead_text(0.0034)
    ('1.50', '0.003')
    """
    lead_text = f"{lead:.2f}"
    if not float(lead_text):
        _, lead_text = figure_and_gap_texts(0.0, lead)
    return lead_text
