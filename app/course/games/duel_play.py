"""A duel after its moves: stake and guess, open term by term, perhaps guess again under another rule, go on.

A stake says how sure one is. One candy risks nothing; three pay only for who is right in two of three.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Self, get_args

from app.course.games.duel import DuelRound, DuelRule, Winner, draw_rounds
from app.course.games.moves import RAW_SEPARATOR, PlayState

POSSIBLE_GUESSES: tuple[str, ...] = get_args(Winner)
LOSS_BY_STAKE: Mapping[int, int] = {1: 0, 2: 1, 3: 3}
"""What can be staked, and what a wrong guess costs then; a right one brings the stake."""
DAILY_STEP_NAME = "2.1"
"""The step of a day's duel that 今天的五分钟 asks for: the first round is the same in every duel."""


class DuelGuess(NamedTuple):
    """A guess, and what was true, in a round and under one of its rules."""

    round: DuelRound
    rule: DuelRule
    guess: str
    right_guess: str
    stake: int

    @property
    def is_right(self) -> bool:
        return self.guess == self.right_guess

    @property
    def candy_count(self) -> int:
        """What the guess brought; below 0: what it cost."""
        if self.is_right:
            return self.stake
        return -LOSS_BY_STAKE[self.stake]


class StakedGuess(NamedTuple):
    """Who is said to win, and how many candies are staked on it."""

    guess: str
    stake: int


def staked_guess(raw_guess: str) -> StakedGuess | None:
    """A guess as it is sent, `2;x`; one without a stake, as in former plays, stakes one candy.

    >>> staked_guess("3;tie"), staked_guess("x")
    (StakedGuess(guess='tie', stake=3), StakedGuess(guess='x', stake=1))
    >>> staked_guess("9;x") is staked_guess("z") is None
    True
    """
    stake_text, _, guessed_winner = raw_guess.rpartition(RAW_SEPARATOR)
    stake_by_text = {str(stake): stake for stake in LOSS_BY_STAKE} | {"": 1}
    if guessed_winner not in POSSIBLE_GUESSES or stake_text not in stake_by_text:
        return None
    return StakedGuess(guessed_winner, stake_by_text[stake_text])


@dataclass(frozen=True)
class DuelState(PlayState):
    """Where a duel stands; `round_index` and `rule_index` count from 0, and rule 1 is the twist.

    `open_rank_count` are open under the rule in force. `guess` None: it is asked now. `guesses`: all so far,
    the present one included.
    """

    rule_index: int = 0
    guess: str | None = None
    open_rank_count: int = 0
    guesses: tuple[DuelGuess, ...] = ()

    @property
    def round(self) -> DuelRound:
        return draw_rounds(self.seed)[self.round_index]

    @property
    def rule(self) -> DuelRule:
        return self.round.rules[self.rule_index]

    @property
    def has_twist(self) -> bool:
        """Whether the lists of this round are judged once more, under another rule."""
        return self.rule_index + 1 < len(self.round.rules)

    @property
    def is_proving(self) -> bool:
        """Whether terms are still to be opened."""
        return self.guess is not None and self.open_rank_count < self.rule.k

    @property
    def is_proved(self) -> bool:
        """Whether all is open under the rule in force."""
        return self.guess is not None and not self.is_proving

    @property
    def is_over(self) -> bool:
        is_last_round = self.round_index == len(draw_rounds(self.seed)) - 1
        return is_last_round and not self.has_twist and self.is_proved

    @property
    def score(self) -> int:
        return sum(judged_guess.is_right for judged_guess in self.guesses)

    @property
    def candy_count(self) -> int:
        """What all stakes came to."""
        return sum(judged_guess.candy_count for judged_guess in self.guesses)

    @property
    def highest_score(self) -> int:
        """How many guesses a duel asks for.

        >>> DuelState(7).highest_score
        12
        """
        return sum(len(duel_round.rules) for duel_round in draw_rounds(self.seed))

    @property
    def is_guess_right(self) -> bool:
        return self.guesses[-1].is_right

    @property
    def step_name(self) -> str:
        return f"{self.round_index + 1}.{self.rule_index + 1}"

    def after_move(self, move_name: str, raw_move: str) -> Self | None:
        """The state after one move; None for a move that is not to be made now.

        >>> DuelState(7).after_move("open", "") is None
        True
        """
        match move_name:
            case "guess" if self.guess is None:
                return self._after_guess(staked_guess(raw_move))
            case "open" if self.is_proving:
                return replace(self, open_rank_count=self.open_rank_count + 1)
            case "all" if self.is_proving:
                return replace(self, open_rank_count=self.rule.k)
            case "on" if self.is_proved and not self.is_over:
                return self._next_state()
        return None

    def _after_guess(self, guess_with_stake: StakedGuess | None) -> Self | None:
        if guess_with_stake is None:
            return None
        right_guess = self.round.winner(self.rule)
        judged_guess = DuelGuess(
            self.round, self.rule, guess_with_stake.guess, right_guess, guess_with_stake.stake
        )
        return replace(self, guess=guess_with_stake.guess, guesses=(*self.guesses, judged_guess))

    def _next_state(self) -> Self:
        """The same round under its second rule, if it has one, else the next round. What is open stays open,
        unless the gain changes."""
        if not self.has_twist:
            next_round_index = self.round_index + 1
            return replace(self, round_index=next_round_index, rule_index=0, guess=None, open_rank_count=0)
        state_after_twist = replace(self, rule_index=self.rule_index + 1, guess=None)
        if state_after_twist.rule.gain != self.rule.gain:
            return replace(state_after_twist, open_rank_count=0)
        return state_after_twist


def moves_through(seed: int, is_right: bool = True) -> Iterator[tuple[str, str]]:
    """The shortest way through a duel, as moves: all guesses right, or all wrong.

    >>> list(moves_through(7))[:3]
    [('guess', 'y'), ('all', ''), ('on', '')]
    """
    duel_state: DuelState | None = DuelState(seed)
    while duel_state:
        right_guess = duel_state.round.winner(duel_state.rule)
        guess = next(guess for guess in POSSIBLE_GUESSES if (guess == right_guess) == is_right)
        yield "guess", guess
        yield "all", ""
        duel_state = replace(duel_state, guess=guess, open_rank_count=duel_state.rule.k).after_move("on", "")
        if duel_state:
            yield "on", ""
