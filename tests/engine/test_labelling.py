"""Agreement of judges and clicks by position, written again as fractions; what goes wrong in them."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from app.engine import (
    LEVELS,
    Agreement,
    Clicks,
    Position,
    Question,
    TableQuestion,
    answer,
    diagnose,
    differing_row,
    generate,
    misconception_ids_told_apart,
    predictions,
    shown_misconception_ids,
)
from app.engine.diagnosis import ROUNDING_STEP
from app.engine.generate.label_skills import LABEL_SKILL_BY_NAME
from app.engine.labelling import alpha, bpref, condensed, deviation_of_ips, ips, kappa
from app.engine.misconceptions.tables import RIGHT_TABLE_WORKING_BY_QUANTITY
from tests.tables import each

TABLES = 1200
Figures = Mapping[str, Fraction | None]
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, None],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
"""The reliability data of his own example: four observers, twelve units, gaps."""


def over(part: Fraction, whole: Fraction) -> Fraction | None:
    return part / whole if whole else None


def agreement_by_hand(agreement: Agreement) -> Figures:
    table = agreement.table
    total = sum(map(sum, table))
    same = Fraction(sum(table[place][place] for place in range(len(table))), total)
    rows = [Fraction(sum(row), total) for row in table]
    columns = [Fraction(sum(row[place] for row in table), total) for place in range(len(table))]
    chance = sum((row * column for row, column in zip(rows, columns, strict=True)), Fraction(0))

    def beyond(observed: Fraction, by_chance: Fraction) -> Fraction | None:
        return over(observed - by_chance, 1 - by_chance)

    mixed = sum(((row + column) ** 2 / 4 for row, column in zip(rows, columns, strict=True)), Fraction(0))
    return {
        "kappa": beyond(same, chance),
        "first_label_alone": beyond(Fraction(table[0][0], total), chance),
        "chance_of_first_label": beyond(same, rows[0] * columns[0]),
        "even_chance": beyond(same, Fraction(1, len(table))),
        "chance_of_first_rater": beyond(same, sum((row**2 for row in rows), Fraction(0))),
        "chance_of_both_mixed": beyond(same, mixed),
        "agreement_uncorrected": same,
        "chance_alone": chance,
        "chance_subtracted_alone": same - chance,
        "divided_by_chance": over(same - chance, chance),
        "subtracted_from_chance": over(chance - same, 1 - chance),
        "divided_by_one_plus_chance": over(same - chance, 1 + chance),
    }


def clicks_by_hand(question: Clicks) -> Figures:
    rows = [(row.shown_times, row.clicks, Fraction(str(row.propensity))) for row in question.positions]
    shown_times = Fraction(sum(times for times, _, _ in rows))
    clicks = Fraction(sum(count for _, count, _ in rows))
    weighted = sum((count / chance for _, count, chance in rows), Fraction(0))
    mean = sum((chance for _, _, chance in rows), Fraction(0)) / len(rows)
    unseen = [count / (1 - chance) for _, count, chance in rows if chance != 1]
    return {
        "ips": weighted / shown_times,
        "clicks_unweighted": clicks / shown_times,
        "weights_upside_down": sum((count * chance for _, count, chance in rows), Fraction(0)) / shown_times,
        "weights_of_unseen": sum(unseen, Fraction(0)) / shown_times if len(unseen) == len(rows) else None,
        "one_mean_weight": clicks / mean / shown_times,
        "averaged_over_clicks": over(weighted, clicks),
        "mean_of_positions": sum((count / chance / times for times, count, chance in rows), Fraction(0))
        / len(rows),
        "showings_weighted_too": weighted / sum((times / chance for times, _, chance in rows), Fraction(0)),
        "clicks_over_expected_looks": clicks
        / sum((times * chance for times, _, chance in rows), Fraction(0)),
        "weighted_clicks_not_divided": weighted,
    }


def by_hand(table_question: TableQuestion) -> Figures:
    if isinstance(table_question, Agreement):
        return agreement_by_hand(table_question)
    assert isinstance(table_question, Clicks)
    return clicks_by_hand(table_question)


def some_tables() -> list[TableQuestion]:
    """Tables of two and three labels, also of raters worse than chance; one to four positions."""
    dice = Random(19)
    questions: list[TableQuestion] = []
    for _ in range(TABLES):
        labels = dice.choice([2, 2, 3])
        questions.append(Agreement([[dice.randint(1, 12) for _ in range(labels)] for _ in range(labels)]))
        positions = []
        for _ in range(dice.randint(1, 4)):
            times = dice.randint(5, 400)
            positions.append(
                Position(times, dice.randint(0, times), dice.choice([0.1, 0.25, 0.3, 0.5, 0.8, 1.0]))
            )
        questions.append(Clicks(positions))
    return questions


def test_answers_and_mistakes_are_those_of_plain_fractions() -> None:
    compared: dict[str, int] = {}
    for table_question in some_tables():
        expected = dict(by_hand(table_question))
        truth = expected.pop(table_question.quantity)
        assert truth is not None
        assert answer(table_question) == pytest.approx(float(truth), abs=1e-12)
        assert RIGHT_TABLE_WORKING_BY_QUANTITY[table_question.quantity].value(
            table_question
        ) == pytest.approx(float(truth), abs=1e-12)
        wrong = predictions(table_question)
        for name, figure in expected.items():
            if name in wrong:
                assert figure is not None, (name, table_question)
                assert wrong[name] == pytest.approx(float(figure), abs=1e-12), (name, table_question)
                compared[name] = compared.get(name, 0) + 1
            elif figure is not None:
                assert float(figure) == pytest.approx(float(truth), abs=1e-9), (name, table_question)
    assert len(compared) == 20
    assert min(compared.values()) > 100, compared


@each(
    ("table_question", "expected"),
    [
        (
            Agreement([[6, 2], [1, 11]]),  # 0.85 seen; 0.4 × 0.35 + 0.6 × 0.65 = 0.53 by chance
            {
                "first_label_alone": (0.3 - 0.53) / 0.47,
                "chance_of_first_label": (0.85 - 0.14) / 0.86,
                "even_chance": (0.85 - 0.5) / 0.5,
                "chance_of_first_rater": (0.85 - 0.52) / 0.48,
                "chance_of_both_mixed": (0.85 - 0.53125) / 0.46875,
                "agreement_uncorrected": 0.85,
                "chance_alone": 0.53,
                "chance_subtracted_alone": 0.32,
                "divided_by_chance": 0.32 / 0.53,
                "subtracted_from_chance": -0.32 / 0.47,
                "divided_by_one_plus_chance": 0.32 / 1.53,
            },
        ),
        (
            Clicks([Position(200, 80, 0.8), Position(100, 15, 0.25)]),  # 100 + 60 of 300
            {
                "clicks_unweighted": 95 / 300,
                "weights_upside_down": (64 + 3.75) / 300,
                "weights_of_unseen": (400 + 20) / 300,
                "one_mean_weight": 95 / 0.525 / 300,
                "averaged_over_clicks": 160 / 95,
                "mean_of_positions": (0.5 + 0.6) / 2,
                "showings_weighted_too": 160 / (250 + 400),
                "clicks_over_expected_looks": 95 / (160 + 25),
                "weighted_clicks_not_divided": 160,
            },
        ),
    ],
)
def test_what_goes_wrong_in_a_table(table_question: TableQuestion, expected: dict[str, float]) -> None:
    """Each number was worked out on paper, as the sums say."""
    assert predictions(table_question) == pytest.approx(expected)


def test_published_reliability_data_give_the_published_alphas() -> None:
    assert alpha(KRIPPENDORFF) == pytest.approx(0.743, abs=5e-4)
    assert alpha(KRIPPENDORFF, "interval") == pytest.approx(0.849, abs=5e-4)


def test_an_alpha_asks_for_rows_of_one_length_and_two_labels() -> None:
    with pytest.raises(ValueError, match=r"^ratings = .*all of one length"):
        alpha([[1, 2], [1]])
    with pytest.raises(ValueError, match=r"^ratings = .*two different labels"):
        alpha([[1, 1], [1, 1]])
    with pytest.raises(ValueError, match=r"^scale = 'ratio': expected one of nominal, interval"):
        alpha([[1, 2], [2, 1]], "ratio")


@each(
    ("grades", "pool", "expected"),
    [
        ([1, 0, 1, 0], [1, 0, 1, 0], (1 + 1 / 2) / 2),
        ([0, 0, 1, 1], [1, 0, 1, 0], 0),
        ([None, 1, None, 1], [1, 1, 0], 1),
        ([0, 1], [1, 1, 1, 0, 0], (1 / 2) / 3),
        ([1, 1], [1, 1], 1),
        ([0, 0], [0, 0], 0),
    ],
)
def test_bpref_counts_judged_pairs(grades: list[Any], pool: list[Any], expected: float) -> None:
    assert bpref(grades, pool) == pytest.approx(expected)


def test_a_condensed_list_keeps_its_order() -> None:
    assert condensed([None, 3, None, 0, 2]) == [3, 0, 2]


@each(
    ("ratings", "message"),
    [
        ([[1, 2], [1, math.nan]], r"ratings\[1\]\[1\] = nan: expected a number, or None for a gap"),
        ([[1, "2"], [1, 2]], r"ratings\[0\]\[1\] = '2': expected a number"),
        ([[1, 2], [1, 10**400]], r"ratings\[1\]\[1\] = .*: expected a number"),
        ([[1, 2], [1]], "ratings = .*: expected a row for each rater, all of one length"),
        ([], "ratings = .*: expected a row for each rater"),
        ([[1, None], [None, 2]], "ratings = .*: expected at least two different labels"),
        ([[1e200, 1], [1, 1]], "ratings = .*: expected labels that lie less far apart"),
    ],
)
def test_ratings_that_are_none_are_refused(ratings: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        alpha(ratings, "interval")


@each(
    "table",
    [
        [[3]],
        [[1, 2], [3]],
        [[1, 2, 3], [4, 5, 6]],
        [[1, -1], [1, 1]],
        [[1, 1.5], [1, 1]],
        [[0, 0], [0, 0]],
        7,
    ],
)
def test_a_table_that_is_none_is_refused(table: Any) -> None:
    with pytest.raises(ValueError, match=r"^table.* = .*expected"):
        Agreement(table)


def test_two_judges_who_know_one_label_have_no_kappa() -> None:
    with pytest.raises(ValueError, match=r"^table = .*two labels"):
        kappa([[20, 0], [0, 0]])


@each(
    ("position", "name"),
    [
        ((0, 0, 0.5), "shown_times"),
        ((10, 11, 0.5), "clicks"),
        ((10, -1, 0.5), "clicks"),
        ((10, 1, 0), "propensity"),
        ((10, 1, 1.1), "propensity"),
    ],
)
def test_a_position_that_cannot_be_is_refused(position: tuple[int, int, float], name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} = "):
        Position(*position)
    with pytest.raises(ValueError, match=r"^positions = "):
        ips([])


def test_the_spread_grows_where_few_people_look() -> None:
    """A showing adds 1/p with chance p × liking: the mean of the square is liking/p."""
    likely, hidden = Position(100, 0, 0.8), Position(100, 0, 0.1)
    assert deviation_of_ips(0.4, [likely]) ** 2 == pytest.approx((0.4 / 0.8 - 0.16) / 100)
    assert deviation_of_ips(0.4, [hidden]) ** 2 == pytest.approx((0.4 / 0.1 - 0.16) / 100)
    assert deviation_of_ips(0.4, [likely, hidden]) > deviation_of_ips(0.4, [likely])
    with pytest.raises(ValueError, match=r"^liking = 2"):
        deviation_of_ips(2, [likely])


@each(
    ("table_question", "typed", "verdict"),
    [
        (Agreement([[6, 2], [1, 11]]), 0.681, None),
        (Agreement([[6, 2], [1, 11]]), 0.85, "agreement_uncorrected"),
        (Agreement([[6, 2], [1, 11]]), 68.1, "percent_without_sign"),
        (Agreement([[6, 2], [1, 11]]), 0.68, "fewer_decimals"),
        (Agreement([[2, 1], [1, 3]]), 0.417, None),
        (Clicks([Position(200, 80, 0.8), Position(100, 15, 0.25)]), 0.533, None),
        (Clicks([Position(200, 80, 0.8), Position(100, 15, 0.25)]), 53.3, "percent_without_sign"),
        (Clicks([Position(200, 80, 0.8), Position(100, 15, 0.25)]), 1.684, "averaged_over_clicks"),
    ],
)
def test_a_wrong_number_is_traced_to_its_mistake(
    table_question: TableQuestion, typed: float, verdict: str | None
) -> None:
    diagnosis = diagnose(table_question, typed)
    assert (diagnosis and diagnosis.code) == verdict


def test_a_table_has_no_rows_that_differ_rank_by_rank() -> None:
    assert differing_row(Agreement([[6, 2], [1, 11]]), "even_chance") is None


def test_models_of_lists_and_of_tables_keep_to_themselves() -> None:
    assert not predictions(Question("dcg", [3, 2, 0, 1])).keys() & set(shown_misconception_ids("kappa"))
    of_agreement = predictions(Agreement([[6, 2], [1, 11]])).keys()
    assert not of_agreement & predictions(Clicks([Position(200, 80, 0.8)])).keys()


# --- variants ----------------------------------------------------------------------------------------------


def table_questions(skill: str, level: int, seeds: int = 40) -> Sequence[TableQuestion]:
    questions = [generate(skill, level, seed) for seed in range(seeds)]
    return [question for question in questions if isinstance(question, TableQuestion)]


@each("skill", sorted(LABEL_SKILL_BY_NAME))
def test_every_mistake_is_named_in_most_variants(skill: str) -> None:
    variants = [table_question for level in LEVELS for table_question in table_questions(skill, level)]
    assert len(variants) == 40 * len(LEVELS)
    assert len(set(variants)) > 90
    for name in shown_misconception_ids(skill):
        named = 0
        for table_question in variants:
            diagnosis = diagnose(table_question, round(predictions(table_question).get(name, -1), 3))
            named += diagnosis is not None and diagnosis.code == name
        share = 0.5
        if name in misconception_ids_told_apart(skill):
            share = 0.9
        assert named >= share * len(variants), (name, named)


@each("level", LEVELS)
def test_the_level_decides_the_size_of_a_table(level: int) -> None:
    for table_question in table_questions("kappa", level):
        assert isinstance(table_question, Agreement)
        assert len(table_question.table) == (3 if level == 3 else 2)
        assert sum(map(sum, table_question.table)) in {1: {20}, 2: {25, 40, 50}, 3: {40, 50}}[level]
        assert answer(table_question) >= 0.15
    for table_question in table_questions("ips", level):
        assert isinstance(table_question, Clicks)
        assert len(table_question.positions) in {1: {2}, 2: {2, 3}, 3: {3}}[level]
        if level == 1:
            assert all(
                (Fraction(row.clicks) / Fraction(str(row.propensity))).denominator == 1
                for row in table_question.positions
            )


GIVEN_OUT_FIRST, GIVEN_OUT_LATER, GIVEN_OUT_LAST = ("ips", "kappa"), ("kappa@2",), ("ips@2",)


@each(
    ("skills_of_a_day", "expected"),
    [
        (GIVEN_OUT_FIRST, "ccb59620113b23df7e8807336cea6e2a67de46859f0d79a49bd199a4047cc9d0"),
        (GIVEN_OUT_LATER, "20f0a2c69b51ec2bce98a656c727aac4a9b6be5f1b2256ef752dc1370c597817"),
        (GIVEN_OUT_LAST, "1d10ab58a38243f73ec0ca7383e89b8776276a8e2dab4ee9100bb18deea1ced8"),
    ],
)
def test_seeds_that_were_given_out_keep_their_tables(skills_of_a_day: Sequence[str], expected: str) -> None:
    """12 variants of each skill and level, summed up on the day they came."""
    digest = hashlib.sha256()
    for skill in skills_of_a_day:
        for level in LEVELS:
            for table_question in table_questions(skill, level, 12):
                digest.update(repr(table_question).encode())
    assert digest.hexdigest() == expected


def test_the_skills_of_labels_have_all_been_summed_up() -> None:
    assert sorted(LABEL_SKILL_BY_NAME) == sorted((*GIVEN_OUT_FIRST, *GIVEN_OUT_LATER, *GIVEN_OUT_LAST))


def slips_named(skill: str) -> int:
    """How many numbers a unit or two of the last place beside the answer are told a mistake."""
    named = 0
    for level in LEVELS:
        for table_question in table_questions(skill, level):
            for units in (-2, -1, 1, 2):
                slip = round(round(answer(table_question), 3) + units / 1000, 3)
                diagnosis = diagnose(table_question, slip)
                named += diagnosis is not None and diagnosis.step != ROUNDING_STEP
    return named


def test_a_slip_in_the_last_place_is_no_mistake_of_another_kind() -> None:
    """Where both raters label alike, their mixed shares lead to almost the same figure."""
    assert slips_named("kappa@2") == 0
    assert slips_named("kappa") > 0, "given out before, and kept"
