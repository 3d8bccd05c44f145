"""Ways through the games, as moves: all guesses right, or each with a mistake; and what a mistake answers."""

from collections.abc import Callable, Iterator, Mapping

from app import engine
from app.course.games import judging, pushing
from app.course.games.interleaving import InterleavingState
from app.course.games.monster import Stroke
from app.course.games.moves import RAW_SEPARATOR
from app.course.games.pushing import DOCUMENT_COUNT_AND_MISTAKE_BY_KIND
from app.course.games.pushing_play import whole_units
from tests.course.games.made_games import Made

WayThrough = Callable[[int, bool], Iterator[tuple[str, str]]]


def way_through_judging(seed: int, is_right: bool = True) -> Iterator[tuple[str, str]]:
    """By the rule, or by the least leverage first."""
    for round_index, judging_round in enumerate(judging.draw_rounds(seed)):
        if round_index:
            yield "on", ""
        judged_indexes = set(judging_round.judged_indexes)
        while not judging_round.is_decided(judged_indexes):
            index = judging_round.index_of_least_leverage(judged_indexes)
            if is_right:
                index = min(judging_round.best_indexes(judged_indexes))
            judged_indexes.add(index)
            yield "guess", str(index)


def way_through_interleaving(seed: int, is_right: bool = True) -> Iterator[tuple[str, str]]:
    """All guesses right, or all wrong."""
    moves: list[Made] = []
    interleaving_state = InterleavingState(seed)
    while not interleaving_state.is_over:
        move, raw = "on", ""
        if not interleaving_state.is_outcome_guessed:
            move = "guess"
            raw = next(
                choice
                for choice in interleaving_state.choices
                if (choice == interleaving_state.right_guess) == is_right
            )
        yield move, raw
        moves.append(Made(move, raw, ""))
        interleaving_state = InterleavingState(seed).after_moves(moves)


def way_through_pushing(seed: int, is_right: bool = True) -> Iterator[tuple[str, str]]:
    """As LambdaRank spreads, or with the mistake that each round is about."""
    for round_index, pushing_round in enumerate(pushing.draw_rounds(seed)):
        if round_index:
            yield "on", ""
        spread = pushing_round.true_spread
        if not is_right:
            _, mistake = DOCUMENT_COUNT_AND_MISTAKE_BY_KIND[pushing_round.kind]
            spread = pushing_round.spread_with_mistake(mistake)
        yield "guess", RAW_SEPARATOR.join(map(str, whole_units(spread)))


WAY_BY_GAME: Mapping[str, WayThrough] = {
    "judging": way_through_judging,
    "interleaving": way_through_interleaving,
    "pushing": way_through_pushing,
}


def answer_by_mistake(stroke: Stroke) -> dict[str, str]:
    """Mistake → what a player of the battle who makes it sends."""
    if stroke.choices:
        return {
            choice.misconception_id: choice.letter for choice in stroke.choices if choice.misconception_id
        }
    decimals = max(stroke.decimals, 3)
    number_by_mistake = engine.predictions(stroke.question)
    return {
        misconception_id: f"{number:.{decimals}f}" for misconception_id, number in number_by_mistake.items()
    }
