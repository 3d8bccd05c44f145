"""分力气 as a player sees it: a list, its pairs with a field each, and afterwards LambdaRank's own units."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from app import engine
from app.course import Unreadable
from app.course.games.moves import RAW_SEPARATOR
from app.course.games.pushing import (
    DOCUMENT_COUNT_AND_MISTAKE_BY_KIND,
    MOST_STARS,
    UNIT_TOTAL,
    Push,
    PushingRound,
    draw_rounds,
)
from app.course.games.pushing_play import (
    PushingState,
    raw_after_button,
    read_spread,
    units_texts_of,
    whole_units,
)
from app.course.games.words import PushingWords
from app.course.items.printed_figures import signed_text
from app.records.games.values import MoveRow
from app.web.games.rounds_views import RoundSummary, RoundsView
from app.web.items.typed_answers import TypedAnswer

CANDY_NAMES = "甲乙丙丁"
EXERCISE_IDS_AND_LEVELS = (("delta-ndcg", 1), ("lambda", 1))


class ScoredCandy(NamedTuple):
    """A document at a rank: what it is called, how sweet it is, what the model gives it."""

    name: str
    grade_text: str
    score: int


class PushField(NamedTuple):
    """A pair with its field, its first document the one that belongs in front."""

    number: int
    better_name: str
    worse_name: str
    is_right: bool
    typed_text: str


class PushResult(NamedTuple):
    """A pair after the hand-in: the player's units beside LambdaRank's, and what those are made of."""

    pair_name: str
    unit_count: int
    lambda_unit_count: int
    rho_text: str
    delta_ndcg_text: str


@dataclass(frozen=True)
class PushingView(RoundsView):
    """What `games/_pushing.html` shows. `draft`: what stands in the fields and is not handed in."""

    game_words: PushingWords
    seed: int
    moves: Sequence[MoveRow]
    draft: TypedAnswer | None = None

    game_name = "pushing"
    exercise_ids_and_levels = EXERCISE_IDS_AND_LEVELS
    round_count = len(DOCUMENT_COUNT_AND_MISTAKE_BY_KIND)
    most_stars = MOST_STARS
    unit_total = UNIT_TOTAL

    @cached_property
    def state(self) -> PushingState:
        return PushingState(self.seed).after_moves(self.moves)

    @property
    def round(self) -> PushingRound:
        return self.state.round

    @property
    def candies(self) -> list[ScoredCandy]:
        """The list in the order of its scores."""
        ranked_candies = zip(CANDY_NAMES, self.round.grades, self.round.scores, strict=False)
        return [ScoredCandy(letter, str(grade), score) for letter, grade, score in ranked_candies]

    @property
    def _typed_units_texts(self) -> tuple[str, ...]:
        raw_answer = self.draft.raw[0] if self.draft else ""
        return units_texts_of(raw_answer, len(self.round.pushes))

    @property
    def push_fields(self) -> list[PushField]:
        """A field for each pair, with what was typed into it."""
        push_fields = []
        for pair_number, (push, typed_text) in enumerate(
            zip(self.round.pushes, self._typed_units_texts, strict=True), 1
        ):
            better_name, worse_name = _better_and_worse_names(push)
            push_fields.append(PushField(pair_number, better_name, worse_name, push.is_right, typed_text))
        return push_fields

    @property
    def error_words(self) -> str:
        """Why what was handed in could not be taken; empty where nothing was refused."""
        if self.draft is None or not self.draft.is_refused:
            return ""
        try:
            read_spread(self.draft.raw[0], len(self.round.pushes))
        except Unreadable as error:
            return str(error)
        return ""

    @property
    def rest_words(self) -> str:
        """How much of the hundred is still to be spread."""
        spread_unit_count = sum(
            int(units_text) for units_text in self._typed_units_texts if units_text.isdecimal()
        )
        if spread_unit_count > UNIT_TOTAL:
            return f"多分了{spread_unit_count - UNIT_TOTAL}份"
        if spread_unit_count == UNIT_TOTAL:
            return "正好分完"
        return f"还剩{UNIT_TOTAL - spread_unit_count}份"

    @property
    def push_results(self) -> list[PushResult]:
        """Every pair with the player's units and LambdaRank's."""
        if self.state.spread is None:
            return []
        push_results = []
        pushes_with_units = zip(
            self.round.pushes, self.state.spread, whole_units(self.round.true_spread), strict=True
        )
        for push, unit_count, lambda_unit_count in pushes_with_units:
            pair_name = "·".join(_better_and_worse_names(push))
            rho_text, delta_ndcg_text = f"{push.pair.rho:.3f}", f"{push.pair.delta_ndcg:.3f}"
            push_results.append(
                PushResult(pair_name, unit_count, lambda_unit_count, rho_text, delta_ndcg_text)
            )
        return push_results

    @property
    def stars_html(self) -> Markup:
        """How near the spread is, and which mistake it shows."""
        spread = self.state.spread or ()
        if self.state.star_counts[-1] == MOST_STARS:
            return self.line_html(self.game_words.right)
        mistake_name = self.round.mistake_name_in(spread)
        if mistake_name:
            return self.line_html(self.game_words.mistakes[mistake_name])
        return self.line_html(self.game_words.stray)

    @property
    def misplaced_unit_count(self) -> int:
        """How many units lie at another pair than LambdaRank's."""
        return self.round.misplaced_unit_count(self.state.spread or ())

    @property
    def gaps_with_rhos(self) -> list[tuple[str, str]]:
        """The gaps of scores that occur, with their surprise."""
        rho_by_gap = {push.pair.gap: push.pair.rho for push in self.round.pushes}
        return [(signed_text(gap), f"{rho_by_gap[gap]:.3f}") for gap in sorted(rho_by_gap)]

    @property
    def ranks_with_discounts(self) -> list[tuple[int, str]]:
        """What each rank keeps of a gain."""
        rank_count = len(self.round.grades)
        return [(rank, f"{engine.discount_weight(rank):.3f}") for rank in range(1, rank_count + 1)]

    @property
    def round_summaries(self) -> list[RoundSummary]:
        """Each round with its stars."""
        kinds_with_star_counts = zip(DOCUMENT_COUNT_AND_MISTAKE_BY_KIND, self.state.star_counts, strict=True)
        return [
            self.round_summary(round_kind, star_count, MOST_STARS)
            for round_kind, star_count in kinds_with_star_counts
        ]


def draft_after_button(seed: int, typed_units_text: str, pressed_button: str) -> TypedAnswer:
    """The fields after a button of a pair was pressed.

    >>> draft_after_button(7, "70;30;", "more-1").raw
    ('75;30;',)
    """
    push_counts = {len(pushing_round.pushes) for pushing_round in draw_rounds(seed)}
    field_count = min(max(push_counts), typed_units_text.count(RAW_SEPARATOR) + 1)
    return TypedAnswer(
        "pushing", (raw_after_button(typed_units_text, pressed_button, field_count),), is_refused=False
    )


def _better_and_worse_names(push: Push) -> tuple[str, str]:
    return CANDY_NAMES[push.pair.better_index], CANDY_NAMES[push.pair.worse_index]
