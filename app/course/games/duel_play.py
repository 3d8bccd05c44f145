"""A duel after its moves: guess, open term by term, perhaps guess again under another rule, go on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import get_args

from app.course.games.duel import Round, Winner, rounds
from app.course.games.moves import JudgedMove, MadeMove

GUESSES: tuple[str, ...] = get_args(Winner)


@dataclass(frozen=True)
class DuelGuess:
    """A guess, and what was true: in which round, and under which of its rules (0, or 1 for the twist)."""

    round: int
    at: int
    guess: str
    truth: str

    @property
    def right(self) -> bool:
        return self.guess == self.truth


@dataclass(frozen=True)
class DuelState:
    """Where a duel stands. `round` counts from 0; `at` is the rule in force; `shown` ranks are open under it.

    `guess` None: it is asked now. `told`: all guesses so far, the present one included.
    """

    round: int = 0
    at: int = 0
    guess: str | None = None
    shown: int = 0
    told: tuple[DuelGuess, ...] = ()

    def proving(self, here: Round) -> bool:
        """Whether terms are still to be opened."""
        return self.guess is not None and self.shown < here.rules[self.at].k

    def proved(self, here: Round) -> bool:
        """Whether all is open under the rule in force."""
        return self.guess is not None and not self.proving(here)

    def over(self, rows: Sequence[Round]) -> bool:
        last = self.round == len(rows) - 1 and self.at == len(rows[-1].rules) - 1
        return last and self.proved(rows[-1])

    @property
    def score(self) -> int:
        return sum(one.right for one in self.told)


def total(seed: int) -> int:
    """How many guesses a duel asks for.

    >>> total(7)
    12
    """
    return sum(len(one.rules) for one in rounds(seed))


def stand(seed: int, moves: Sequence[MadeMove]) -> DuelState:
    """The duel after these moves."""
    state = DuelState()
    for made in moves:
        state = _after(seed, state, made.move, made.raw) or state
    return state


@lru_cache(4096)
def _after(seed: int, state: DuelState, move: str, raw: str) -> DuelState | None:
    """The state after one move; None for a move that is not to be made now."""
    rows = rounds(seed)
    here = rows[state.round]
    rule = here.rules[state.at]
    match move:
        case "guess" if state.guess is None and raw in GUESSES:
            told = DuelGuess(state.round, state.at, raw, here.winner(rule))
            return replace(state, guess=raw, told=(*state.told, told))
        case "open" if state.proving(here):
            return replace(state, shown=state.shown + 1)
        case "all" if state.proving(here):
            return replace(state, shown=rule.k)
        case "on" if state.proved(here) and not state.over(rows):
            return _gone_on(here, state)
    return None


def _gone_on(here: Round, state: DuelState) -> DuelState:
    """Under the second rule, if there is one: a wider view keeps what is open. Else into the next round."""
    if state.at == len(here.rules) - 1:
        return DuelState(round=state.round + 1, told=state.told)
    kept = state.shown if here.rules[0].gain == here.rules[1].gain else 0
    return replace(state, at=state.at + 1, guess=None, shown=kept)


@dataclass(frozen=True)
class Duel:
    """The judge of a duel, as the records ask it."""

    seed: int

    def judge(self, moves: Sequence[MadeMove], move: str, raw: str) -> JudgedMove | None:
        """What a further move comes to; None if it is not to be made now.

        >>> Duel(7).judge([], "guess", "y").verdict, Duel(7).judge([], "open", "")
        ('right', None)
        """
        rows, before = rounds(self.seed), stand(self.seed, moves)
        after = _after(self.seed, before, move, raw)
        if after is None:
            return None
        verdict = ("right" if after.told[-1].right else "wrong") if move == "guess" else move
        judged = JudgedMove(step=f"{before.round + 1}.{before.at + 1}", verdict=verdict)
        if after.over(rows):
            return replace(judged, outcome="done", score=after.score, total=total(self.seed))
        return judged


def path(seed: int, right: bool = True) -> Iterator[tuple[str, str]]:
    """The shortest way through a duel, as moves: all guesses right, or all wrong. For tests.

    >>> list(path(7))[:3]
    [('guess', 'y'), ('all', ''), ('on', '')]
    """
    views = [(one, rule) for one in rounds(seed) for rule in one.rules]
    for number, (one, rule) in enumerate(views):
        if number:
            yield "on", ""
        truth = one.winner(rule)
        yield "guess", truth if right else next(guess for guess in GUESSES if guess != truth)
        yield "all", ""
