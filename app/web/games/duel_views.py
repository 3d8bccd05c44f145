"""A duel as a player sees it: two lists side by side, open as far as the moves have opened them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from markupsafe import Markup

from app import engine
from app.course.exercises.scenes import dressed_ranking, scene_of_seed
from app.course.games.duel import DuelRound, draw_rounds
from app.course.games.duel_play import DAILY_STEP_NAME, LOSS_BY_STAKE, DuelGuess, DuelState
from app.course.games.ranked_lists import Side
from app.course.games.words import DuelWords, RoundWords
from app.course.items.examples import Ranking, convention_line
from app.course.text.model_base import NAME_BY_GAIN
from app.web.games.rounds_views import RoundsView
from app.web.items.typed_answers import TypedAnswer

SIDES: tuple[Side, Side] = ("x", "y")
NAME_BY_SIDE = {"x": "系统X", "y": "系统Y", "tie": "打平"}
EXERCISE_ID_AND_LEVEL_BY_ROUND_KIND = {
    "opening": ("dcg", 1),
    "neighbours": ("term", 1),
    "two-swaps": ("discount-far", 1),
    "ties": ("term", 2),
    "cut": ("ndcg-at-k", 1),
    "gain": ("dcg-exponential", 1),
    "both": ("ndcg-exponential", 1),
    "finale": ("ndcg-exponential", 2),
}
"""Which exercise, at which level, practises what a round is about."""


class DuelCell(NamedTuple):
    """A document of one list at a rank; below the cut-off it brings nothing: the last two are empty."""

    title: str
    grade_text: str
    term_text: str = ""
    division_text: str = ""


class Runner(NamedTuple):
    """How far a side has run: its sum so far, in per cent of the ideal; `percent_added` by the last move."""

    name: str
    total_text: str
    percent_before: int
    percent_added: int


@dataclass(frozen=True)
class DuelView(RoundsView):
    """What `games/_duel.html` shows. `draft`: the stake that was chosen before anything is guessed;
    `is_of_today`: whether it is the duel of the learner's day."""

    game_words: DuelWords
    draft: TypedAnswer | None = None
    is_of_today: bool = False

    game_name = "duel"
    name_by_side: ClassVar[Mapping[str, str]] = NAME_BY_SIDE
    loss_by_stake: ClassVar[Mapping[int, int]] = LOSS_BY_STAKE

    @cached_property
    def state(self) -> DuelState:
        return DuelState(self.seed).after_moves(self.moves)

    @cached_property
    def state_before_move(self) -> DuelState:
        """The duel before the last move."""
        return DuelState(self.seed).after_moves(self.moves[:-1])

    @property
    def is_daily_round_over(self) -> bool:
        """Whether the round that 今天的五分钟 asks for was just played."""
        return self.is_of_today and self.state.is_proved and self.state.step_name == DAILY_STEP_NAME

    @property
    def rounds(self) -> Sequence[DuelRound]:
        return draw_rounds(self.seed)

    @property
    def most_candies(self) -> int:
        """What somebody has who stakes all on every guess, and is right."""
        return self.highest_score * max(LOSS_BY_STAKE)

    def words_of(self, duel_round: DuelRound) -> RoundWords:
        return self.game_words.rounds[duel_round.kind]

    @property
    def typed_stake(self) -> int:
        """The stake that stands in the form; the lowest before another is chosen."""
        for stake in LOSS_BY_STAKE:
            if self.draft and self.draft.raw == (str(stake),):
                return stake
        return min(LOSS_BY_STAKE)

    @property
    def question_html(self) -> Markup:
        round_words = self.round_words
        if self.state.rule_index and round_words.twist:
            return self.line_html(round_words.twist)
        return self.line_html(round_words.ask)

    @property
    def convention_words(self) -> str:
        duel_round = self.state.round
        duel_rule = self.state.rule
        if len(duel_round.pool) == len(duel_round.ranking_of_x):
            return convention_line(duel_rule.gain, duel_rule.k, has_pool=False)
        convention_words = convention_line(duel_rule.gain, duel_rule.k, has_pool=True)
        return f"{convention_words}·评判池就是两列里的全部{len(duel_round.pool)}颗糖"

    @cached_property
    def ranking(self) -> Ranking:
        """The judged documents of a round with their titles; the first round has its own."""
        if self.state.round.kind == "opening":
            opening = self.game_words.opening
            return Ranking(query=opening.query, engine=opening.engine, documents=opening.documents)
        seed = self.seed + self.state.round_index
        scene = scene_of_seed(self.course.scenes, seed, "duel")
        return dressed_ranking(scene, self.state.round.pool, [], seed)

    def cells(self, rank: int) -> list[DuelCell]:
        """What stands at a rank in both lists, and what it brings once it is open."""
        return [self._cell(side, rank) for side in SIDES]

    def _cell(self, side: Side, rank: int) -> DuelCell:
        document_index = self.state.round.ranking(side)[rank - 1]
        document = self.ranking.documents[document_index]
        grade_text = f"{document.grade or 0:g}"
        if rank > self.state.rule.k:
            return DuelCell(document.title, grade_text)
        term = self._trace_by_side[side].terms[rank - 1]
        division_text = f"{term.gain:g}÷{1 / term.discount:.4g}"
        return DuelCell(document.title, grade_text, f"{term.value:.2f}", division_text)

    @cached_property
    def _trace_by_side(self) -> Mapping[Side, engine.Trace]:
        return {side: self.state.round.trace(side, self.state.rule) for side in SIDES}

    @property
    def open_rank_count_before(self) -> int:
        """How many ranks were open before the last move, under the same rule."""
        is_same_round = self.state_before_move.round_index == self.state.round_index
        if is_same_round and self.state_before_move.rule_index == self.state.rule_index:
            return self.state_before_move.open_rank_count
        return self.state.open_rank_count

    @property
    def runner_by_side(self) -> dict[Side, Runner]:
        if self.state.open_rank_count == 0:
            return {}
        return {side: self._runner(side) for side in SIDES}

    def _runner(self, side: Side) -> Runner:
        trace = self._trace_by_side[side]
        total_reached = _running_total(trace, self.state.open_rank_count)
        total_before = _running_total(trace, self.open_rank_count_before)
        percent_of_unit = 100 / (trace.idcg or 1)
        percent_added = round((total_reached - total_before) * percent_of_unit)
        return Runner(
            NAME_BY_SIDE[side], f"{total_reached:.2f}", round(total_before * percent_of_unit), percent_added
        )

    @property
    def figure_sentences(self) -> list[str]:
        """What came out for each side."""
        k = self.state.rule.k
        figure_sentences = []
        for side, trace in self._trace_by_side.items():
            if self.state.round.measure == "DCG":
                figure_sentences.append(f"{NAME_BY_SIDE[side]}的DCG@{k}≈{trace.dcg:.3f}")
            else:
                figure_sentences.append(
                    f"{NAME_BY_SIDE[side]}：{trace.dcg:.3f}÷{trace.idcg:.3f}≈{trace.ndcg:.3f}"
                )
        return figure_sentences

    @property
    def exercise_ids_and_levels(self) -> list[tuple[str, int]]:
        """The exercises for what was missed."""
        return [
            EXERCISE_ID_AND_LEVEL_BY_ROUND_KIND[guess.round.kind]
            for guess in self.state.guesses
            if not guess.is_right
        ]

    def rule_words(self, duel_guess: DuelGuess) -> str:
        return f"{duel_guess.round.measure}@{duel_guess.rule.k}，{NAME_BY_GAIN[duel_guess.rule.gain]}"


def _running_total(trace: engine.Trace, rank: int) -> float:
    if rank == 0:
        return 0.0
    return trace.terms[rank - 1].running_total
