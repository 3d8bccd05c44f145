"""下一篇标谁, 交替上菜, 分力气: what their rounds promise, for many seeds; their arithmetic by hand."""

from collections import Counter
from itertools import product

import pytest

from app.course.games import interleaving, judging, pushing, pushing_play
from app.course.games.interleaving import InterleavingRound, InterleavingState
from app.course.games.judging import HIGHEST_GRADE, JudgingRound, JudgingState
from app.course.games.moves import PlayState
from app.course.games.pushing_play import PushingState
from app.course.items.marks import Unreadable
from app.engine import dcg
from tests.course.games.made_games import Made
from tests.course.games.ways_through import WAY_BY_GAME
from tests.tables import each

SEEDS = range(1, 121)


def made_of(game: str, first_state: PlayState, right: bool) -> list[Made]:
    """All moves of a play, each of which must be possible; nothing may follow them."""
    moves: list[Made] = []
    outcome = None
    for move, raw in WAY_BY_GAME[game](first_state.seed, right):
        judged = first_state.judge(moves, move, raw)
        assert judged, (first_state.seed, move, raw)
        moves.append(Made(move, raw, judged.verdict))
        outcome = judged.outcome
    assert outcome == "done"
    assert first_state.judge(moves, "on", "") is None
    return moves


def test_every_round_keeps_its_promises() -> None:
    for seed in SEEDS:
        assert [
            fault
            for judging_round in judging.draw_rounds(seed)
            for fault in judging.broken_promises(judging_round)
        ] == []
        assert [
            fault
            for judging_round in interleaving.draw_rounds(seed)
            for fault in interleaving.broken_promises(judging_round)
        ] == []
        assert [
            fault
            for judging_round in pushing.draw_rounds(seed)
            for fault in pushing.broken_promises(judging_round)
        ] == []


@each("seed", [1, 7, 4821])
def test_the_bounds_are_the_worst_and_the_best_of_all_grades(seed: int) -> None:
    """Against every way in which the unjudged documents may turn out, list by list."""
    for judging_round in judging.draw_rounds(seed):
        leads = []
        for grades in product(range(HIGHEST_GRADE + 1), repeat=len(judging_round.unjudged_indexes)):
            known_grades = dict(enumerate(judging_round.grades)) | dict(
                zip(judging_round.unjudged_indexes, grades, strict=True)
            )
            x, y = (
                [known_grades[place] for place in listed]
                for listed in (judging_round.ranking_of_x, judging_round.ranking_of_y)
            )
            leads.append(dcg(x) - dcg(y))
        assert judging_round.least_and_greatest_lead(judging_round.judged_indexes) == pytest.approx(
            (min(leads), max(leads))
        )
        truth = dcg([judging_round.grades[place] for place in judging_round.ranking_of_x]) - dcg(
            [judging_round.grades[place] for place in judging_round.ranking_of_y]
        )
        assert judging_round.least_and_greatest_lead(judging_round.document_indexes) == pytest.approx(
            (truth, truth)
        )


def test_a_round_is_over_when_nothing_left_could_turn_it_and_not_before() -> None:
    """Of two at the same ranks nothing is to be learnt; of the two others the first settles it."""
    judging_round = JudgingRound("", (3, 3, 0, 2), (0, 1, 2, 3), (0, 2, 1, 3), frozenset({2}))
    assert judging_round.leverage(0) == judging_round.leverage(3) == 0
    assert judging_round.best_indexes(judging_round.judged_indexes) == {1}
    assert not judging_round.is_decided({2, 0, 3})
    assert judging_round.is_decided({2, 1})
    assert (judging_round.fewest_coin_count, judging_round.coin_count_from_least_leverage) == (1, 3)
    assert judging_round.winner == "x"


def test_stars_are_for_paying_no_more_than_the_rule_does() -> None:
    for seed in list(SEEDS)[:40]:
        frugal = JudgingState(seed).after_moves(made_of("judging", JudgingState(seed), right=True))
        lavish = JudgingState(seed).after_moves(made_of("judging", JudgingState(seed), right=False))
        assert frugal.score == frugal.highest_score
        assert lavish.score < lavish.highest_score
    assert JudgingState(7).judge([], "guess", str(min(judging.draw_rounds(7)[0].judged_indexes))) is None


def test_of_two_that_are_equally_good_to_pay_for_either_costs_the_same() -> None:
    """Who follows the rule loses no star by taking the other letter."""
    for seed in range(1, 301):
        for judging_round in judging.draw_rounds(seed):
            assert judging_round.possible_coin_counts(judging_round.judged_indexes) == {
                judging_round.fewest_coin_count
            }, (
                seed,
                judging_round.kind,
            )


def test_a_tie_that_matters_breaks_a_promise() -> None:
    """Nothing tells the two documents apart, yet only one of them settles it alone."""
    judging_round = JudgingRound("tight", (0, 0, 0, 3), (0, 1, 2, 3), (1, 0, 3, 2), frozenset({2, 3}))
    assert judging_round.best_indexes(judging_round.judged_indexes) == {0, 1}
    assert judging_round.possible_coin_counts(judging_round.judged_indexes) == {1, 2}
    assert "equally good choices cost differently" in judging.broken_promises(judging_round)


def test_head_and_tail_has_a_candy_at_the_head_of_one_list_and_the_tail_of_the_other() -> None:
    for seed in range(1, 301):
        judging_round = judging.draw_rounds(seed)[1]
        assert judging_round.kind == "head-and-tail"
        head_and_tail = {
            (judging_round.ranking_of_x[0], judging_round.ranking_of_y[-1]),
            (judging_round.ranking_of_y[0], judging_round.ranking_of_x[-1]),
        }
        assert any(head == tail and head in judging_round.unjudged_indexes for head, tail in head_and_tail), (
            seed
        )


def test_a_table_is_served_by_turns() -> None:
    """As the lesson serves it: the new list first, then the old one, and what is on the table is skipped."""
    first, second, third, fourth, fifth, sixth = range(6)
    old, new = (first, second, third, fourth), (third, first, fifth, second)
    table = InterleavingRound("", (1, 0, 3, 0, 2, 0), old, new, ("b", "a"))
    assert [(slot.team, slot.dish_index) for slot in table.served_dishes] == [
        ("b", third),
        ("a", first),
        ("a", second),
        ("b", fifth),
    ]
    assert (table.click_count("a"), table.click_count("b"), table.outcome) == (0, 2, "b")
    assert sixth not in {slot.dish_index for slot in table.served_dishes}


def test_a_wrong_dish_costs_a_point_and_the_right_one_is_served() -> None:
    for seed in list(SEEDS)[:40]:
        first_state = InterleavingState(seed)
        right = first_state.after_moves(made_of("interleaving", first_state, right=True))
        wrong = first_state.after_moves(made_of("interleaving", first_state, right=False))
        assert (right.score, wrong.score) == (right.highest_score, 0)
        assert right.served_dishes == wrong.served_dishes == right.round.served_dishes


def test_no_outcome_can_be_guessed_blindly() -> None:
    outcomes = Counter(
        judging_round.outcome for seed in SEEDS for judging_round in interleaving.draw_rounds(seed)
    )
    winners = Counter(judging_round.winner for seed in SEEDS for judging_round in judging.draw_rounds(seed))
    assert min(outcomes.values()) > len(SEEDS) // 3
    assert min(winners.values()) > len(SEEDS)


def test_who_spreads_as_lambdarank_does_gets_all_stars_and_a_mistake_costs_some() -> None:
    for seed in list(SEEDS)[:40]:
        first_state = PushingState(seed)
        right = first_state.after_moves(made_of("pushing", first_state, right=True))
        assert right.score == right.highest_score
        wrong = first_state.after_moves(made_of("pushing", first_state, right=False))
        assert max(wrong.star_counts) < pushing.MOST_STARS


def test_the_pushes_of_the_lesson_are_those_of_its_table() -> None:
    """The six pairs of the four videos: 0.113, 0.092, 0.015, 0.008, 0.007 and 0.006 of 0.241."""
    pushing_round = pushing.PushingRound("", (1, 3, 2, 0), (3, 2, 1, 0))
    printed = {(0, 1): 0.113, (0, 2): 0.092, (1, 3): 0.015, (2, 3): 0.008, (1, 2): 0.007, (0, 3): 0.006}
    for push, units in zip(pushing_round.pushes, pushing_round.true_spread, strict=True):
        force = printed[
            min(push.pair.better_index, push.pair.worse_index),
            max(push.pair.better_index, push.pair.worse_index),
        ]
        assert units == pytest.approx(100 * force / sum(printed.values()), abs=0.4)
    assert [push.is_right for push in pushing_round.pushes].count(False) == 2


def test_every_mistake_is_named_and_the_truth_is_none() -> None:
    for seed in list(SEEDS)[:40]:
        for pushing_round in pushing.draw_rounds(seed):
            for mistake in pushing.WEIGHT_BY_MISTAKE:
                assert (
                    pushing_round.mistake_name_in(
                        pushing_play.whole_units(pushing_round.spread_with_mistake(mistake))
                    )
                    == mistake
                ), (seed, pushing_round)
            assert pushing_round.mistake_name_in(pushing_play.whole_units(pushing_round.true_spread)) is None


def test_an_even_spread_is_named_also_to_the_next_five() -> None:
    for seed in list(SEEDS)[:40]:
        for pushing_round in pushing.draw_rounds(seed):
            pair_count = len(pushing_round.pushes)
            even_spread = pushing_play.whole_units([100 / pair_count] * pair_count)
            assert pushing_round.mistake_name_in(even_spread) == "even", (seed, pushing_round)
            lopsided_spread = (100 - 10 * (pair_count - 1), *[10] * (pair_count - 1))
            assert pushing_round.mistake_name_in(lopsided_spread) != "even"


def test_stars_go_at_ten_twenty_and_thirty_five_misplaced_units() -> None:
    pushing_round = pushing.PushingRound("", (0, 1, 2), (2, 1, 0))
    least, most, last = pushing_round.true_spread
    for misplaced, stars in ((10, 3), (10.1, 2), (20, 2), (20.1, 1), (35, 1), (35.1, 0)):
        assert pushing_round.star_count((least + misplaced, most - misplaced, last)) == stars, misplaced


@each("raw", ["50;50;1", "100;;1", "50;49;", "-5;50;55", "101;;", "1e2;;", "33.3;33.3;33.4"])
def test_a_spread_that_is_none_costs_nothing(raw: str) -> None:
    with pytest.raises(Unreadable):
        PushingState(7).judge([], "guess", raw)


def test_the_units_that_are_said_fit_the_stars() -> None:
    """10.3 misplaced units cost the third star: they are not said to be 10."""
    counts_that_would_earn_more = []
    for seed in range(1, 40):
        for pushing_round in pushing.draw_rounds(seed):
            first, second, *further_units = pushing_play.whole_units(pushing_round.true_spread)
            for moved in range(first + 1):
                spread = (first - moved, second + moved, *further_units)
                units = pushing_round.misplaced_unit_count(spread)
                assert abs(units - pushing_round.exact_misplaced_units(spread)) < 1
                if sum(
                    units <= most for most in pushing.MOST_MISPLACED_UNITS_OF_STARS
                ) != pushing_round.star_count(spread):
                    counts_that_would_earn_more.append((seed, pushing_round.kind, spread))
    assert counts_that_would_earn_more == []
