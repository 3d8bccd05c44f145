"""Tests by coins and their neighbours, by brute force; what goes wrong in them; and their variants."""

import hashlib
import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from random import Random
from statistics import NormalDist
from typing import TypeAlias

import pytest

from app.engine import (
    LEVELS,
    MISCONCEPTIONS,
    CoinTest,
    RandomisationTest,
    SignTest,
    answer,
    diagnose,
    differing_row,
    generate,
    misconception_ids_told_apart,
    predictions,
    shown_misconception_ids,
)
from app.engine.generate.coin_skills import COIN_SKILL_BY_NAME
from app.engine.misconceptions.tables.coin_working import RIGHT_COIN_WORKING_BY_QUANTITY
from app.engine.misconceptions.wrong_figure import early_rounded_values
from app.engine.rounding import rounded_figure
from app.engine.significance import (
    at_least_one,
    bootstrap_interval,
    deviation,
    mean_difference,
    people_needed,
    power,
    queries_needed,
    randomisation_test,
    shuffled_means,
    sign_test,
    smallest_p,
    standard_error,
)
from app.engine.significance.shuffling import thousandths
from tests.tables import each

OUR_QUERIES = [-0.078, -0.14, 0.5]
Figures: TypeAlias = Mapping[str, Fraction | None]


def some_differences() -> list[list[float]]:
    """Lists of 2 to 7 queries, with ties, doubles, and all on one side among them."""
    dice = Random(8)
    lists = [[dice.randint(-6, 6) / 20 for _ in range(dice.randint(2, 7))] for _ in range(400)]
    return [OUR_QUERIES, [0.1, 0.1], [0.0, 0.0], [0.2, -0.2], *lists]


SOME = some_differences()


def shuffles(coins: list[int]) -> list[int]:
    """Every sum that shuffles of the signs can give: one by one, without any thought of subsets."""
    return [
        sum(sign * abs(coin) for sign, coin in zip(signs, coins, strict=True))
        for signs in product((1, -1), repeat=len(coins))
    ]


def share(coins: list[int]) -> Fraction:
    observed = abs(sum(coins))
    sums = shuffles(coins)
    return Fraction(sum(abs(total) >= observed for total in sums), len(sums))


def wins_of(differences: list[float]) -> list[int]:
    return [1 if difference > 0 else -1 for difference in differences if difference]


def sizes_of(differences: list[float]) -> list[int]:
    return [round(1000 * difference) for difference in differences if difference]


# --- the tests ---------------------------------------------------------------------------------------------


def test_p_is_the_share_of_all_shuffles() -> None:
    for differences in SOME:
        assert sign_test(differences) == share(wins_of(differences)), differences
        assert randomisation_test(differences) == share(sizes_of(differences)), differences


def test_our_three_queries_tell_nothing() -> None:
    assert randomisation_test(OUR_QUERIES) == 1
    sizes = list(map(abs, shuffled_means(OUR_QUERIES)))
    assert min(sizes) == pytest.approx(abs(mean_difference(OUR_QUERIES)))


def test_the_binomial_agrees_where_many_queries_are_tossed() -> None:
    differences = [0.1] * 14 + [-0.1] * 6
    tail = sum(Fraction(math.comb(20, heads), 2**20) for heads in range(7))
    assert sign_test(differences) == 2 * tail
    assert randomisation_test(differences) == 2 * tail, "where all are of one size, both tests are one"


def test_turning_all_round_changes_nothing() -> None:
    for differences in SOME:
        turned = [-difference for difference in differences]
        assert sign_test(turned) == sign_test(differences)
        assert randomisation_test(turned) == randomisation_test(differences)


@each(
    ("differences", "message"),
    [
        ([0.1], "differences = .*: expected 2 to 50 differences"),
        ([0.1] * 51, "differences = .*: expected 2 to 50 differences"),
        ([0.1, 1.2], r"differences\[1\] = 1.2: expected a number from -1 to 1"),
        ([0.1, -1e308], r"differences\[1\] = -1e\+308: expected a number from -1 to 1"),
        ([0.1, 0.12345], r"differences\[1\] = 0.12345: .* at most three decimals"),
        ([0.1, None], r"differences\[1\] = None: expected a number"),
        ([0.1, math.nan], r"differences\[1\] = nan: expected a number"),
        ({0.1, 0.2}, "differences = .*: expected a sequence"),
    ],
)
def test_what_is_no_list_of_differences_is_refused(differences: list[float], message: str) -> None:
    for kind in (SignTest, RandomisationTest):
        with pytest.raises(ValueError, match=message):
            kind(differences)


def test_too_many_shuffles_are_not_listed() -> None:
    with pytest.raises(ValueError, match="at most 10"):
        shuffled_means([0.1] * 11)


def test_questions_compare_and_hash() -> None:
    assert SignTest([0.1, -0.2]) == SignTest((0.1, -0.2))
    assert len({SignTest([0.1, -0.2]), SignTest([0.1, -0.2]), RandomisationTest([0.1, -0.2])}) == 2
    assert thousandths(SignTest([0.07, -0.29]).differences) == [70, -290]


# --- intervals and plans -----------------------------------------------------------------------------------


def test_the_interval_is_that_of_all_resamples() -> None:
    for differences in SOME[:40]:
        if len(differences) > 5:
            continue
        units = thousandths(differences)
        means = sorted(sum(draw) for draw in product(units, repeat=len(units)))
        low, high = bootstrap_interval(differences)
        scale = 1000 * len(units)
        assert low == pytest.approx(means[math.ceil(0.025 * len(means) - 1e-9) - 1] / scale), differences
        assert high == pytest.approx(means[math.ceil(0.975 * len(means) - 1e-9) - 1] / scale), differences
        assert low <= mean_difference(differences) <= high


def test_an_interval_of_more_queries_is_narrower() -> None:
    narrow = bootstrap_interval([*OUR_QUERIES, *OUR_QUERIES, *OUR_QUERIES])
    wide = bootstrap_interval(OUR_QUERIES)
    assert wide.low < narrow.low < narrow.high < wide.high


@each("share", [0, 1, -0.5, math.nan])
def test_a_share_lies_between_0_and_1(share: float) -> None:
    with pytest.raises(ValueError, match="share = "):
        bootstrap_interval(OUR_QUERIES, share)


def test_too_many_queries_are_not_resampled() -> None:
    with pytest.raises(ValueError, match="at most 25"):
        bootstrap_interval([0.1] * 26)


def test_deviation_and_standard_error_by_hand() -> None:
    assert deviation([0.1, 0.3]) == pytest.approx(math.sqrt(0.02))
    assert standard_error([0.1, 0.3]) == pytest.approx(0.1)


def test_the_chance_of_a_false_alarm_by_hand() -> None:
    for tests in (1, 2, 14, 20):
        assert at_least_one(tests) == pytest.approx(1 - 0.95**tests)
    assert [smallest_p(queries) for queries in (2, 5, 6)] == [0.5, 2 / 32, 2 / 64]


def test_as_many_queries_as_are_needed_see_the_difference() -> None:
    for effect, spread in [(0.01, 0.1), (0.02, 0.1), (0.05, 0.25), (0.3, 0.5)]:
        needed = queries_needed(effect, spread)
        assert power(needed, effect, spread) >= 0.8 - 1e-6
        assert power(needed - 1, effect, spread) < 0.8


def test_people_are_counted_on_each_side() -> None:
    reach = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
    assert people_needed(0.2, 0.02) == math.ceil(2 * reach**2 * 0.2 * 0.8 / 0.02**2)
    assert people_needed(0.2, 0.01) == pytest.approx(4 * people_needed(0.2, 0.02), abs=4)


@each(
    ("call", "message"),
    [
        (lambda: power(0, 0.1, 0.1), "queries = 0"),
        (lambda: power(10, 0, 0.1), "effect = 0"),
        (lambda: queries_needed(0.1, -1), "deviation = -1"),
        (lambda: people_needed(1, 0.1), "share = 1"),
        (lambda: at_least_one(3, 0), "level = 0"),
        (lambda: smallest_p(1.5), "queries = 1.5"),  # type: ignore[arg-type]
    ],
)
def test_a_plan_without_sense_is_refused(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        call()


# --- what goes wrong ---------------------------------------------------------------------------------------


def both_ways(count: int, total: int) -> Fraction:
    return min(Fraction(1), Fraction(2 * count, total))


def sign_test_by_hand(differences: list[float]) -> Figures:
    wins = sum(difference > 0 for difference in differences)
    losses = sum(difference < 0 for difference in differences)
    decided, everybody = wins + losses, len(differences)
    fewer, more = sorted((wins, losses))
    if not decided:
        return {}
    tail = sum(math.comb(decided, heads) for heads in range(fewer + 1))
    tail_of_all = sum(math.comb(everybody, heads) for heads in range(everybody - more + 1))
    figures: dict[str, Fraction | None] = {
        "one_tail": Fraction(tail, 2**decided),
        "exact_outcome_alone": Fraction(math.comb(decided, fewer), 2**decided),
        "only_farther": Fraction(2 * (tail - math.comb(decided, fewer)), 2**decided),
        "every_tally_alike": both_ways(fewer + 1, decided + 1),
        "chance_of_better": 1 - both_ways(tail, 2**decided),
        "share_of_wins": Fraction(wins, decided),
        "sizes_weighed": share(sizes_of(differences)),
        "ties_tossed": both_ways(tail_of_all, 2**everybody) if everybody > decided else None,
        "two_a_coin": Fraction(tail, decided) if tail <= decided else None,
    }
    return figures


def randomisation_test_by_hand(differences: list[float]) -> Figures:
    sizes = sizes_of(differences)
    if not sizes:
        return {}
    observed = abs(sum(sizes))
    sums = shuffles(sizes)
    tail = sum(total >= observed for total in sums)
    figures: dict[str, Fraction | None] = {
        "one_tail": Fraction(tail, len(sums)),
        "exact_outcome_alone": Fraction(sums.count(observed), len(sums)),
        "only_farther": Fraction(sum(abs(total) > observed for total in sums), len(sums)),
        "chance_of_better": 1 - share(sizes),
        "share_of_wins": Fraction(sum(size > 0 for size in sizes), len(sizes)),
        "sizes_ignored": share(wins_of(differences)),
        "two_a_coin": Fraction(tail, len(sizes)) if tail <= len(sizes) else None,
    }
    return figures


BY_HAND = {SignTest: sign_test_by_hand, RandomisationTest: randomisation_test_by_hand}


@each("kind", BY_HAND)
def test_the_models_written_again_give_the_same_numbers(kind: type[CoinTest]) -> None:
    compared = dict.fromkeys(shown_misconception_ids(f"{kind.quantity.removesuffix('_test')}-test"), 0)
    for differences in SOME:
        coin_test = kind(differences)
        by_hand = BY_HAND[kind](differences)
        wrong = predictions(coin_test)
        for name, figure in by_hand.items():
            if figure is None or figure == answer(coin_test):
                assert name not in wrong, (name, coin_test)
            else:
                assert wrong[name] == pytest.approx(float(figure)), (name, coin_test)
                compared[name] = compared.get(name, 0) + 1
        assert set(wrong) <= set(by_hand), coin_test
    assert all(times >= 20 for times in compared.values()), compared


def test_the_right_working_gives_the_answer() -> None:
    for kind in BY_HAND:
        for differences in SOME:
            if any(differences):
                coin_test = kind(differences)
                assert RIGHT_COIN_WORKING_BY_QUANTITY[kind.quantity].value(coin_test) == answer(coin_test)


@each(
    ("coin_test", "number", "mistake"),
    [
        (SignTest([0.1] * 8 + [-0.1] * 2), 0.055, "one_tail"),
        (SignTest([0.1] * 8 + [-0.1] * 2), 0.044, "exact_outcome_alone"),
        (SignTest([0.1] * 8 + [-0.1] * 2), 0.088, "exact_outcome_alone"),  # its mirror image, too
        (SignTest([0.1] * 8 + [-0.1] * 2), 0.021, "only_farther"),
        (SignTest([0.1] * 8 + [-0.1] * 2), 0.891, "chance_of_better"),
        (SignTest([0.1] * 8 + [-0.1] * 2), 0.8, "share_of_wins"),
        (SignTest([0.1] * 8 + [-0.1] * 2), 0.2, "share_of_wins"),  # or of losses
        (SignTest([0.1] * 8 + [-0.1] * 2), 0.545, "every_tally_alike"),
        (SignTest([0.1] * 7 + [-0.1] + [0, 0]), 0.344, "ties_tossed"),
        (RandomisationTest([0.1, 0.2, 0.12, -0.05, 0.01]), 0.375, "sizes_ignored"),
        (RandomisationTest([0.1, 0.2, 0.12, -0.05, 0.01]), 0.6, "two_a_coin"),
        (RandomisationTest([0.1, 0.2, 0.12, -0.05, 0.01]), 18.75, "percent_without_sign"),
        (SignTest([0.1] * 7 + [-0.1] * 3), 0.343, "truncated"),
        (RandomisationTest([0.1, 0.2, 0.12, -0.05, 0.01]), 0.19, "fewer_decimals"),
    ],
)
def test_a_wrong_number_names_its_mistake(coin_test: CoinTest, number: float, mistake: str) -> None:
    verdict = diagnose(coin_test, number)
    assert verdict is not None
    assert verdict.code == mistake


def test_the_right_number_is_no_mistake() -> None:
    assert diagnose(RandomisationTest([0.1, 0.2, 0.12, -0.05, 0.01]), 0.188) is None


@each(
    ("name", "coin_test"),
    [
        ("ties_tossed", SignTest([0.1, 0.2, -0.1])),
        ("sizes_weighed", RandomisationTest([0.1, 0.2, -0.1])),
        ("sizes_ignored", SignTest([0.1, 0.2, -0.1])),
        ("every_tally_alike", RandomisationTest([0.1, 0.2, -0.1])),
        ("two_a_coin", SignTest([0.1] * 8 + [-0.1] * 2)),  # 112 of 20: nobody writes that
    ],
)
def test_a_model_does_not_apply_where_it_changes_nothing(name: str, coin_test: CoinTest) -> None:
    assert not MISCONCEPTIONS[name].applies(coin_test)
    assert name not in predictions(coin_test)


def test_there_are_no_rows_to_differ_and_nothing_to_round() -> None:
    sign_test = SignTest([0.1, 0.2, -0.1])
    assert differing_row(sign_test, "one_tail") is None
    assert set(early_rounded_values(sign_test, 3)) <= {answer(sign_test)}


# --- the variants ------------------------------------------------------------------------------------------

KINDS = [(skill, level) for skill in COIN_SKILL_BY_NAME for level in LEVELS]
EACH_KIND = each(("skill", "level"), KINDS)
ROWS = {"sign-test": (5, 12), "randomisation-test": (4, 6)}


@cache
def variants(skill: str, level: int) -> list[CoinTest]:
    questions = []
    for seed in range(60):
        question = generate(skill, level, seed)
        assert isinstance(question, CoinTest)
        questions.append(question)
    return questions


def are_apart(lower: float, upper: float) -> bool:
    return upper - lower >= 0.003 + 0.003 * upper


@EACH_KIND
def test_the_mistakes_and_the_truth_are_apart(skill: str, level: int) -> None:
    for coin_test in variants(skill, level):
        wrong = predictions(coin_test)
        figures = sorted([answer(coin_test), *(wrong[name] for name in misconception_ids_told_apart(skill))])
        assert all(are_apart(*neighbours) for neighbours in pairwise(figures)), coin_test


@EACH_KIND
def test_variants_can_be_worked_by_hand(skill: str, level: int) -> None:
    for coin_test in variants(skill, level):
        fewest, most = ROWS[skill]
        assert fewest <= len(coin_test.differences) <= most
        sizes = [abs(difference) for difference in coin_test.differences if difference]
        assert len(set(sizes)) == len(sizes)
        assert max(sizes) <= 0.3
        assert 0 < answer(coin_test) <= 0.8
        if skill == "randomisation-test":
            assert RIGHT_COIN_WORKING_BY_QUANTITY[coin_test.quantity].far_shuffle_count(coin_test) <= 12
            assert 0 not in coin_test.differences


def test_ties_come_with_the_second_level() -> None:
    ties = {}
    for level in LEVELS:
        ties[level] = [0 in coin_test.differences for coin_test in variants("sign-test", level)]
    assert not any(ties[1])
    assert all(ties[2])
    assert all(ties[3])


@EACH_KIND
def test_seeds_give_variety(skill: str, level: int) -> None:
    questions = variants(skill, level)
    assert len(set(questions)) >= 50
    assert len({answer(coin_test) for coin_test in questions}) >= 5
    assert {sum(coin_test.differences) > 0 for coin_test in questions} == {True, False}


@each("skill", COIN_SKILL_BY_NAME)
def test_every_mistake_is_mostly_named_alone(skill: str) -> None:
    questions = [coin_test for level in LEVELS for coin_test in variants(skill, level)[:20]]
    for name in shown_misconception_ids(skill):
        named = 0
        for coin_test in questions:
            figure = predictions(coin_test).get(name)
            verdict = None if figure is None else diagnose(coin_test, rounded_figure(figure, 3))
            named += verdict is not None and verdict.code == name
        assert 2 * named >= len(questions), (name, named)


@each("skill", COIN_SKILL_BY_NAME)
def test_noise_is_hardly_ever_named(skill: str) -> None:
    dice = Random(31)
    named = 0
    for coin_test in variants(skill, 2):
        for _ in range(20):
            named += diagnose(coin_test, round(dice.random(), 3)) is not None
    assert named < 0.03 * 20 * len(variants(skill, 2))


def test_seeds_that_were_given_out_keep_their_numbers() -> None:
    digest = hashlib.sha256()
    for skill, level in KINDS:
        for coin_test in variants(skill, level)[:12]:
            digest.update(repr((skill, level, coin_test.quantity, coin_test.differences)).encode())
    assert digest.hexdigest() == "99bda52ab0e638417857b4296ca0f9cb3862051768cddc660e418121f5ee3a8c"
