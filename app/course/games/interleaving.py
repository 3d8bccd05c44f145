"""交替上菜: two menus served as one, by team draft, and whose dishes the guests took.

In each turn a coin says which team serves first; a team serves the highest dish of its own list that is not
on the table yet. A click counts for the team that served the dish.
Source: Radlinski, Kurup, Joachims, "How does clickthrough data reflect retrieval quality?", CIKM 2008.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, Self

from app.course.games.moves import PlayState
from app.course.games.ranked_lists import Grades, RankedIndexes
from app.engine.generate.random_stream import RandomStream

Team = Literal["a", "b"]
TEAMS: tuple[Team, Team] = ("a", "b")
GUESSED_OUTCOMES = (*TEAMS, "tie")
DISH_COUNT = 6
LIST_LENGTH = 4
"""So many dishes each list has, and the table."""
TURN_COUNT = 2
LOWEST_GRADE_TAKEN = 2
"""Guests take a dish from this grade on."""
GUESSES_PER_ROUND = LIST_LENGTH + 1
MOST_DRAWS = 5_000


class ServedDish(NamedTuple):
    """A dish on the table, and for which team it stands there."""

    dish_index: int
    team: Team


@dataclass(frozen=True)
class InterleavingRound:
    """One round. `menu_of_a`, `menu_of_b`: as indexes in `grades`; `first_servers`: who begins, turn by
    turn.
    """

    kind: str
    grades: Grades
    menu_of_a: RankedIndexes
    menu_of_b: RankedIndexes
    first_servers: tuple[Team, ...]

    def dish_indexes_of_team(self, team: Team) -> RankedIndexes:
        if team == "a":
            return self.menu_of_a
        return self.menu_of_b

    @cached_property
    def served_dishes(self) -> tuple[ServedDish, ...]:
        """The dishes in the order in which they are served.

        >>> round = InterleavingRound("", (3, 2, 1, 0, 0, 0), (0, 1, 2, 3), (0, 2, 4, 5), ("b", "a"))
        >>> [(served.team, served.dish_index) for served in round.served_dishes]
        [('b', 0), ('a', 1), ('a', 2), ('b', 4)]
        """
        served_dishes: list[ServedDish] = []
        for first_team in self.first_servers:
            second_team = _rival_of(first_team)
            for team in (first_team, second_team):
                dish_indexes_on_table = {served_dish.dish_index for served_dish in served_dishes}
                dish_index = next(
                    dish_index
                    for dish_index in self.dish_indexes_of_team(team)
                    if dish_index not in dish_indexes_on_table
                )
                served_dishes.append(ServedDish(dish_index, team))
        return tuple(served_dishes)

    @property
    def taken_dishes(self) -> tuple[ServedDish, ...]:
        """What the guests took."""
        return tuple(
            served_dish
            for served_dish in self.served_dishes
            if self.grades[served_dish.dish_index] >= LOWEST_GRADE_TAKEN
        )

    def click_count(self, team: Team) -> int:
        return sum(served_dish.team == team for served_dish in self.taken_dishes)

    @property
    def outcome(self) -> str:
        click_count_difference = self.click_count("a") - self.click_count("b")
        if click_count_difference == 0:
            return "tie"
        return "a" if click_count_difference > 0 else "b"


def _rival_of(team: Team) -> Team:
    if team == "a":
        return "b"
    return "a"


@lru_cache(512)
def draw_rounds(seed: int) -> tuple[InterleavingRound, ...]:
    """The three rounds of a seed.

    >>> [interleaving_round.kind for interleaving_round in draw_rounds(7)]
    ['strangers', 'same-head', 'twins']
    """
    return tuple(
        _draw_round(round_kind, RandomStream(f"interleaving/{seed}/{round_kind}"))
        for round_kind in SHARED_DISH_COUNT_BY_KIND
    )


SHARED_DISH_COUNT_BY_KIND: Mapping[str, int] = {"strangers": 2, "same-head": 3, "twins": 4}
"""The rounds in their order, and how many dishes stand in both lists."""


def _draw_round(round_kind: str, random_stream: RandomStream) -> InterleavingRound:
    dish_indexes = tuple(range(DISH_COUNT))
    for _ in range(MOST_DRAWS):
        grades = tuple(random_stream.between(0, 3) for _ in dish_indexes)
        menu_of_a = random_stream.shuffled(dish_indexes)[:LIST_LENGTH]
        menu_of_b = random_stream.shuffled(dish_indexes)[:LIST_LENGTH]
        first_servers = tuple(random_stream.one_of(TEAMS) for _ in range(TURN_COUNT))
        candidate_round = InterleavingRound(round_kind, grades, menu_of_a, menu_of_b, first_servers)
        if not any(broken_promises(candidate_round)):
            return candidate_round
    raise RuntimeError(f"no {round_kind} in {MOST_DRAWS} draws")


def broken_promises(interleaving_round: InterleavingRound) -> Iterator[str]:
    """A sentence for every promise that a round breaks.

    >>> list(broken_promises(draw_rounds(7)[1]))
    []
    """
    menu_of_a, menu_of_b = interleaving_round.menu_of_a, interleaving_round.menu_of_b
    round_kind = interleaving_round.kind
    grades = interleaving_round.grades
    if len(set(menu_of_a) & set(menu_of_b)) != SHARED_DISH_COUNT_BY_KIND[round_kind]:
        yield "another number of dishes in both lists"
    if not 1 <= len(interleaving_round.taken_dishes) < LIST_LENGTH:
        yield "the guests took nothing, or everything"
    if any(grades.count(grade) > LIST_LENGTH for grade in grades):
        yield "more dishes of one grade than there are titles"
    if round_kind == "strangers" and interleaving_round.outcome == "tie":
        yield "nobody wins the first round"
    if round_kind == "same-head" and menu_of_a[0] != menu_of_b[0]:
        yield "the heads differ"
    if round_kind == "twins" and menu_of_a[0] == menu_of_b[0]:
        yield "the heads are the same"


class InterleavingGuess(NamedTuple):
    """A guess and the truth: a dish for a team, or the outcome of the round."""

    round_index: int
    guess: str
    right_guess: str

    @property
    def is_right(self) -> bool:
        return self.guess == self.right_guess


@dataclass(frozen=True)
class InterleavingState(PlayState):
    """Where a play stands; `guesses`: all so far, those of earlier rounds included."""

    guesses: tuple[InterleavingGuess, ...] = ()

    @property
    def round(self) -> InterleavingRound:
        return draw_rounds(self.seed)[self.round_index]

    @property
    def served_dishes(self) -> tuple[ServedDish, ...]:
        """What stands on the table: a dish for each guess, right or wrong."""
        return self.round.served_dishes[: self._guess_count_of_round]

    @property
    def next_dish(self) -> ServedDish | None:
        """What is to be served now; None where all is on the table."""
        if self._guess_count_of_round < LIST_LENGTH:
            return self.round.served_dishes[self._guess_count_of_round]
        return None

    @property
    def is_outcome_guessed(self) -> bool:
        """Whether the outcome of the round was guessed too."""
        return self._guess_count_of_round == GUESSES_PER_ROUND

    @property
    def _guess_count_of_round(self) -> int:
        return sum(judged_guess.round_index == self.round_index for judged_guess in self.guesses)

    @property
    def is_over(self) -> bool:
        return self.is_outcome_guessed and self.round_index == len(SHARED_DISH_COUNT_BY_KIND) - 1

    @property
    def right_guess(self) -> str:
        """What is the right guess now."""
        if self.next_dish is None:
            return self.round.outcome
        return str(self.next_dish.dish_index)

    @property
    def choices(self) -> tuple[str, ...]:
        """What may be guessed now: the dishes of the list whose turn it is, or who is ahead."""
        if self.next_dish is None:
            return GUESSED_OUTCOMES
        return tuple(map(str, self.round.dish_indexes_of_team(self.next_dish.team)))

    @property
    def score(self) -> int:
        return sum(judged_guess.is_right for judged_guess in self.guesses)

    @property
    def highest_score(self) -> int:
        return GUESSES_PER_ROUND * len(SHARED_DISH_COUNT_BY_KIND)

    @property
    def is_guess_right(self) -> bool:
        return self.guesses[-1].is_right

    def after_move(self, move_name: str, raw_move: str) -> Self | None:
        """The state after one move; None for a move that is not to be made now.

        >>> InterleavingState(7).after_move("guess", "tie") is None
        True
        """
        if move_name == "on" and self.is_outcome_guessed and not self.is_over:
            return replace(self, round_index=self.round_index + 1)
        if move_name != "guess" or self.is_outcome_guessed or raw_move not in self.choices:
            return None
        judged_guess = InterleavingGuess(self.round_index, raw_move, self.right_guess)
        return replace(self, guesses=(*self.guesses, judged_guess))
