"""Which numbers count as right: the exact one, and what honest work with printed figures gives."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import product

import pytest

from app import engine
from app.course.exercises.exercises import practice_item_id
from app.course.items.kinds import Numeric
from app.course.items.kinds.numeric import AskedQuantity
from app.course.items.marks import Mark
from app.course.items.printed_figures import rounded_text
from app.course.items.rounding import (
    WHOLE_QUANTITIES,
    accepted_range,
    diagnose,
    discount_table,
    explanation_markdown,
    table_name,
)
from app.engine.labelling.agreement import chance_agreement, observed_agreement
from app.engine.rounding import rounded_figure
from tests.published import published
from tests.tables import each

LOGS = [1.0, 1.585, 2.0, 2.322, 2.585, 2.807, 3.0, 3.17, 3.322, 3.459]  # as printed, typed from a calculator
WEIGHTS = [1.0, 0.631, 0.5, 0.431, 0.387, 0.356, 0.333, 0.315, 0.301, 0.289]


def test_the_table_is_that_of_a_calculator() -> None:
    assert [rank for rank, _, _ in discount_table()] == list(range(1, 11))
    assert [round(log, 3) for _, log, _ in discount_table()] == LOGS
    assert [round(weight, 3) for _, _, weight in discount_table()] == WEIGHTS


def test_where_a_weight_is_asked_no_table_of_weights_stands_beside_it() -> None:
    assert (table_name("discount"), table_name("dcg")) == ("对数表", "折损表")


def noted(figure: float) -> float:
    """A figure to three places as at school, by decimal arithmetic."""
    return float(rounded_text(figure, 3))


def by_hand(grades: Sequence[float], how: str) -> float:
    """A DCG as a learner gets it."""
    match how:
        case "logs":
            return sum(grade / log for grade, log in zip(grades, LOGS, strict=False))
        case "weights":
            return sum(grade * weight for grade, weight in zip(grades, WEIGHTS, strict=False))
        case "terms":
            return sum(noted(grade / math.log2(rank + 1)) for rank, grade in enumerate(grades, 1))
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


LONG = [3, 4, 0, 1, 2, 3, 0, 3, 4, 1]
"""Here terms that were rounded one by one add up to more than the table gives."""
LISTS = [
    LONG,
    [1, 3, 0, 1],
    [3, 2, 1],
    [1, 3, 2, 0],
    [4, 1, 3, 4, 0],
    [0, 3, 2, 1],
    [2, 3, 0],
    [5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
]


@each("grades", LISTS)
@each("how", ["exact", "logs", "weights", "terms"])
@each("decimals", [1, 2, 3])
def test_every_honest_way_counts(grades: list[float], how: str, decimals: int) -> None:
    dcg, idcg = by_hand(grades, how), by_hand(sorted(grades, reverse=True), how)
    answers = {"dcg": [dcg], "idcg": [idcg], "ndcg": [dcg / idcg, noted(dcg) / noted(idcg)]}
    for quantity, values in answers.items():
        low, high = accepted_range(engine.Question(quantity, grades), decimals)
        for value in values:
            assert low <= float(rounded_text(value, decimals)) <= high, (quantity, value)


def test_a_sum_of_printed_terms_with_a_half_in_one_of_them_counts() -> None:
    item = published().variant(practice_item_id("err", 1), 5)
    assert "ERR=0.063+0.088≈**0.150**" in item.solution()[-1]
    assert item.mark(["0.151"]).verdict == "right"
    assert item.mark(["0.150"]).verdict == "right"
    assert item.mark(["0.149"]).verdict == "wrong"
    assert item.mark(["0.152"]).verdict == "wrong"


@each(("generator", "level", "seed"), [("kappa", 2, 95), ("kappa@2", 1, 169)])
def test_a_kappa_of_shares_that_were_rounded_as_at_school_counts(
    generator: str, level: int, seed: int
) -> None:
    agreement = engine.generate(generator, level, seed)
    assert isinstance(agreement, engine.Agreement)
    observed, chance = observed_agreement(agreement.table), chance_agreement(agreement.table)
    low, high = accepted_range(agreement, 3)
    assert low <= noted((noted(observed) - noted(chance)) / (1 - noted(chance))) <= high
    assert high - low < 0.005


@each(("table", "cut_off_kappa"), [([[1, 4], [5, 1]], -0.622), ([[2, 7], [4, 1]], -0.509)])
def test_a_negative_figure_is_cut_off_towards_0(table: list[list[int]], cut_off_kappa: float) -> None:
    """They are −0.62295 and −0.5098."""
    diagnosis = diagnose(engine.Agreement(table), cut_off_kappa, 3, 3)
    assert diagnosis is not None
    assert diagnosis.code == "truncated"


@each(
    ("typed_kappa", "misconception"),
    [(-0.379, "subtracted_from_chance"), (-0.378, "subtracted_from_chance"), (-0.388, None)],
)
def test_a_mistake_that_leads_below_0_is_known_by_rounded_shares_as_well(
    typed_kappa: float, misconception: str | None
) -> None:
    """The kappa is 0.37931; with shares of three places, taken off the wrong way round, −0.378."""
    diagnosis = diagnose(engine.Agreement([[5, 5], [4, 26]]), typed_kappa, 3, 3)
    assert (diagnosis and diagnosis.code) == misconception


@each("grades", LISTS[2:7])
@each("quantity", ["dcg", "ndcg"])
@each("cut", [None, 2])
def test_two_units_beside_all_of_them_do_not_count(
    grades: list[float], quantity: str, cut: int | None
) -> None:
    question = engine.Question(quantity, grades, k=cut)
    low, high = accepted_range(question, 3)
    truth = engine.answer(question)
    assert not low <= truth + 0.003 <= high
    assert not low <= truth - 0.003 <= high
    assert high - low < 0.005


def test_short_video_counts_with_the_printed_dcg_and_idcg() -> None:
    """3.893 ÷ 4.762 gives 0.818 where the exact value is 0.817: both are honest."""
    low, high = accepted_range(engine.Question("ndcg", [1, 3, 2, 0]), 3)
    assert low <= 0.817 <= high
    assert low <= 0.818 <= high
    assert not low <= 0.816 <= high
    assert not low <= 0.819 <= high


def test_each_honest_way_is_needed_somewhere() -> None:
    """The printed ratio of the first list and the rounded terms of the second are outside of other ways."""
    low, high = accepted_range(engine.Question("ndcg", [1, 3, 0, 1]), 3)
    assert low <= round(3.323 / 4.131, 3) == 0.804 <= high
    low, high = accepted_range(engine.Question("dcg", LONG), 3)
    assert low <= 10.237 <= high


@each("rank", range(1, 11))
def test_a_discount_and_a_term_count_by_log_and_by_weight(rank: int) -> None:
    grades = [3] * 10
    for decimals in (2, 3):
        low, high = accepted_range(engine.Question("discount", grades, rank=rank), decimals)
        assert low <= round(1 / LOGS[rank - 1], decimals) <= high
        assert low <= round(WEIGHTS[rank - 1], decimals) <= high
        low, high = accepted_range(engine.Question("term", grades, rank=rank), decimals)
        assert low <= round(3 / LOGS[rank - 1], decimals) <= high
        assert low <= round(3 * WEIGHTS[rank - 1], decimals) <= high


def numeric_items() -> Iterator[Numeric]:
    """All of the course, and some variants of each exercise."""
    course = published()
    exercise_ids = [practice_item_id(name, level) for name in course.exercises for level in engine.LEVELS]
    for item_id, seed in [*product(course.items, [1]), *product(exercise_ids, range(5))]:
        item = course.variant(item_id, seed)
        if isinstance(item, Numeric) and item.accepted_interval_words:
            yield item


def test_the_bounds_that_are_printed_are_right_and_what_lies_beyond_them_is_wrong() -> None:
    item_count = 0
    for item in numeric_items():
        item_count += 1
        last_place = Decimal(1).scaleb(-item.decimals - 1)
        low, high = map(Decimal, item.accepted_interval_words.split("到"))
        is_right_by_text = {f"{bound:f}": item.mark([f"{bound:f}"]).score == 1 for bound in (low, high)}
        assert all(is_right_by_text.values()), (item.id, is_right_by_text)
        for number_beyond in (low - last_place, high + last_place):
            assert item.mark([f"{number_beyond:f}"]).score == 0, (item.id, number_beyond)
    assert item_count > 1000


def test_exponential_gain_is_weighed_too() -> None:
    low, high = accepted_range(engine.Question("dcg", [2, 3], gain="exponential"), 3)
    assert low <= round(3 + 7 / 1.585, 3) <= high
    assert low <= round(3 + 7 * 0.631, 3) <= high


def test_a_term_is_worked_out_with_its_own_gain() -> None:
    low, high = accepted_range(engine.Question("term", [2, 3], gain="exponential", rank=2), 3)
    assert low <= round(7 / 1.585, 3) <= high
    assert low <= round(7 * 0.631, 3) <= high
    assert high - low < 0.003


def test_gain_and_cg_are_exact() -> None:
    for question in (engine.Question("cg", [3, 2, 1]), engine.Question("gain", [2], rank=1)):
        low, high = accepted_range(question, 0)
        truth = engine.answer(question)
        assert (low, high) == pytest.approx((truth, truth), abs=1e-8)


def test_a_gain_that_is_not_whole_is_rounded_as_the_tutor_prints_it() -> None:
    question = engine.Question("gain", [2.5], gain="exponential", rank=1)
    low, high = accepted_range(question, 3)
    assert low <= 4.657 <= high
    assert not low <= 4.658 <= high
    low, high = accepted_range(engine.Question("cg", [2.25, 1]), 1)
    assert low <= 3.2 <= high, "3.25 to one decimal"


def test_a_lambda_counts_in_one_sum_of_figures_that_were_looked_up() -> None:
    """0.953 × 3 × 0.569 ÷ 4.893, rounded once at the end: no figure on the way is cut off."""
    item = published().variant("practice-lambda-1", 29)
    assert round(0.953 * 3 * 0.569 / 4.893, 3) == 0.332
    assert item.mark(("0.332",)).verdict == "right"
    assert item.mark(("0.333",)).verdict == "right"
    assert item.mark(("0.331",)).verdict == "wrong"


@each(
    ("typed_text", "verdict"),
    [("0.069", "right"), ("0.068", "right"), ("0.067", "wrong"), ("0.070", "wrong")],
)
def test_a_lambda_counts_as_the_product_that_the_tutor_prints(typed_text: str, verdict: str) -> None:
    """It says 0.881 × 0.078, which is 0.0687; the figures behind them make 0.068."""
    item = published().variant(practice_item_id("lambda", 2), 76)
    assert "λ=0.881×0.078≈**0.068**" in item.solution()[-1]
    assert item.mark([typed_text]).verdict == verdict


def swapped_by_hand(rank_swap: engine.RankSwap) -> dict[str, float]:
    """What the swap of two ranks is worth, to three decimals, by each honest way of working it out."""
    grades = list(rank_swap.grades)
    swapped = list(grades)
    upper, lower = rank_swap.first - 1, rank_swap.second - 1
    swapped[upper], swapped[lower] = swapped[lower], swapped[upper]
    ideal = sorted(grades, reverse=True)
    difference = abs(grades[upper] - grades[lower])
    before, after, whole = (by_hand(each_list, "exact") for each_list in (grades, swapped, ideal))
    ways = {
        "exact": abs(before - after) / whole,
        "table": difference * (WEIGHTS[upper] - WEIGHTS[lower]) / by_hand(ideal, "weights"),
        "printed_dcgs": abs(noted(before) - noted(after)) / noted(whole),
        "printed_difference": noted(abs(before - after)) / noted(whole),
        "printed_ndcgs": abs(noted(before / whole) - noted(after / whole)),
    }
    return {way: noted(value) for way, value in ways.items()}


@each(("level", "seed"), [(2, 53), (3, 25), *((level, seed) for level in (1, 2, 3) for seed in range(1, 41))])
def test_a_swap_counts_by_every_honest_way(level: int, seed: int) -> None:
    """Of the first two one way of rounding was refused."""
    question = engine.generate("delta-ndcg", level, seed)
    assert isinstance(question, engine.RankSwap)
    low, high = accepted_range(question, 3)
    refused = {way: value for way, value in swapped_by_hand(question).items() if not low <= value <= high}
    assert refused == {}
    assert high - low < 0.003


def test_a_swap_is_worth_what_its_gain_says() -> None:
    """With an exponential gain a 3 has 7 instead of 1 of a 1: what counts with a linear one is wrong."""
    swap = engine.RankSwap([1, 3, 2, 0], 1, 2, "exponential")
    low, high = accepted_range(swap, 3)
    exact = 6 * (1 - 1 / math.log2(3)) / (7 + 3 / math.log2(3) + 1 / 2)
    assert low <= round(exact, 3) <= high
    assert high - low < 0.003
    _, highest_linear = accepted_range(replace(swap, gain="linear"), 3)
    assert highest_linear < low


def test_the_force_of_a_pair_is_not_what_its_swap_is_worth() -> None:
    swap = engine.RankSwap([1, 3, 2, 0], 1, 2)
    force = engine.PairForce([1, 3, 2, 0], 1, 2, scores=[3, 2, 1, 0])
    low, high = accepted_range(force, 3)
    assert low <= engine.answer(force) <= high < engine.answer(swap)
    assert high - low < 0.003


def test_shares_that_were_rounded_before_they_are_added_up_count() -> None:
    """Right items at ranks 1, 3 and 7 of a list: 1, 0.667 and 0.429 make 2.096, of which a third is 0.699."""
    low, high = accepted_range(engine.Question("average_precision", [1, 0, 1, 0, 0, 0, 1]), 3)
    assert round((1 / 1 + 2 / 3 + 3 / 7) / 3, 3) == 0.698
    assert low <= 0.698 < round((1 + 0.667 + 0.429) / 3, 3) == 0.699 <= high
    assert high - low < 0.003


def test_a_list_of_nothing_has_ndcg_zero() -> None:
    assert accepted_range(engine.Question("ndcg", [0, 0]), 3) == pytest.approx((-0.0005, 0.0005), abs=1e-8)


def test_verb_diagnosis_and_page_ask_for_the_tolerance_and_it_is_computed_once() -> None:
    """It was a sixth of a wrong answer that nobody gave before."""
    item = published().variant("practice-dcg-2", 777_001)
    before = accepted_range.cache_info().misses
    for _ in range(2):
        assert item.mark(("123.456",), 1).verdict == "wrong"
    assert accepted_range.cache_info().misses - before <= 1


@each(
    ("question", "value", "decimals", "mistake"),
    [
        (engine.Question("dcg", [3, 2, 0, 1]), 6.8, 1, "natural_log"),
        (engine.Question("dcg", [3, 2, 0, 1]), 6.8, 3, None),
        # A CG is asked for as a whole number, but what is no whole number was not rounded to one.
        (engine.Question("cg", [3, 2, 0, 1]), 4.693, 0, "discount_not_asked"),
        (engine.Question("cg", [3, 2, 0, 1]), 5, 0, "last_term_dropped"),
        (engine.Question("cg", [3, 2, 0, 1]), 5.2, 0, None),
    ],
)
def test_a_mistake_is_known_by_as_many_decimals_as_were_asked_for(
    question: engine.Question, value: float, decimals: int, mistake: str | None
) -> None:
    diagnosis = diagnose(question, value, decimals)
    assert (diagnosis and diagnosis.code) == mistake


def said_to(question: engine.Question, value: float) -> str:
    mistake = diagnose(question, value, 3)
    assert mistake is not None
    return explanation_markdown(mistake)


def test_the_step_is_named_as_one_as_one_of_several_or_as_two() -> None:
    one_step = said_to(engine.Question("dcg", [3, 2, 0, 1]), 6.77)
    one_of_two = said_to(engine.Question("dcg", [2, 0, 3]), 3.893)
    both = said_to(engine.Question("dcg", [3, 2, 0, 1], gain="exponential"), 6.77)
    assert one_step.startswith("**卡在“折损”这一步。**")
    assert one_of_two.startswith("**卡在“折损”或者“求和”这一步。**")
    assert both.startswith("**卡在“增益”和“折损”这两步。**")


def mark_of(question: engine.Question, typed_text: str) -> Mark:
    asked_question = AskedQuantity.of(question)
    return Numeric(id="typed", kind="numeric", skill="ndcg", stem="?", question=asked_question).mark(
        [typed_text]
    )


RECIPROCAL_SHARE = engine.Question("ndcg", [2, 0, 0, 1])  # 0.924
RANK_DIVIDED_BY = "reciprocal_rank_discount|log_forgotten"  # (2 + 1/4) / (2 + 1/2) and (1 + 1/5) / (1 + 1/3)
SHARE_OF_FULL_MARKS = engine.Question("ndcg", [0, 1, 2, 2, 2])  # 0.696; 7 / 10


@each(
    ("question", "typed_text", "misconception"),
    [
        (RECIPROCAL_SHARE, "0.9", "fewer_decimals"),
        (RECIPROCAL_SHARE, "０。９", "fewer_decimals"),
        (RECIPROCAL_SHARE, "0.900", RANK_DIVIDED_BY),
        (RECIPROCAL_SHARE, "0.90", RANK_DIVIDED_BY),  # to two places it is 0.92
        (RECIPROCAL_SHARE, "2.25/2.5", RANK_DIVIDED_BY),
        (RECIPROCAL_SHARE, "0.924", None),
        (SHARE_OF_FULL_MARKS, "0.7", "fewer_decimals"),
        (SHARE_OF_FULL_MARKS, "0.70", "fewer_decimals"),
        (SHARE_OF_FULL_MARKS, "0.700", "share_of_full_marks"),
        (SHARE_OF_FULL_MARKS, "7/10", "share_of_full_marks"),
    ],
)
def test_what_is_right_as_far_as_it_was_typed_is_too_short_and_in_full_a_mistake(
    question: engine.Question, typed_text: str, misconception: str | None
) -> None:
    assert mark_of(question, typed_text).misconception_code == misconception


@each(
    ("typed_text", "misconception"),
    [
        ("5.62", "natural_log"),  # 2/ln 2 + 3/ln 3 is 5.6161
        ("5.61", None),
        ("5.6", None),  # one place may be anything
        ("5.620", None),  # three places say another number
        ("5+0.62", None),
        ("3.5", "reciprocal_rank_discount|one_added_after_log"),  # to three places as well
    ],
)
def test_a_mistake_is_known_by_two_places_where_no_more_were_typed(
    typed_text: str, misconception: str | None
) -> None:
    assert mark_of(engine.Question("dcg", [2, 3, 0]), typed_text).misconception_code == misconception


def test_each_of_several_that_come_to_the_two_places_typed_is_possible() -> None:
    question = engine.Question("dcg", [0, 1, 1])  # 1.131; 1/ln 3 + 1/ln 4 is 1.6316, and 1 + 1/log2 3 1.6309
    possible_code = "natural_log|log2_of_rank|zeros_dropped|ideal_for_dcg"
    assert mark_of(question, "1.63").misconception_code == possible_code
    assert mark_of(question, "1.632").misconception_code == "natural_log"


def test_no_method_is_praised_where_a_mistake_leads_to_the_same_places() -> None:
    [told_of_both] = mark_of(RECIPROCAL_SHARE, "0.9").feedback
    assert (
        "写出来的这几位是对的，只是少留了位数：要3位小数。要是往下算全是0，就回头看看方法。" in told_of_both
    )
    [told_of_one] = mark_of(engine.Question("ndcg", [1, 2, 3]), "0.8").feedback  # 0.790, and nothing else
    assert "算对了，只是少留了位数：要3位小数。" in told_of_one


def test_zeros_at_the_end_are_no_places() -> None:
    [feedback] = mark_of(engine.Question("ndcg", [1, 2, 1]), "0.880").feedback  # 0.8821
    assert feedback.endswith("只差在舍入：要四舍五入到3位小数，后面补0不算。")


@each("places", [1, 2])
@each("generator", engine.generator_names())
def test_the_answer_to_the_places_that_were_typed_is_never_a_mistake(generator: str, places: int) -> None:
    for level, seed in product(engine.LEVELS, range(1, 9)):
        question = engine.generate(generator, level, seed)
        short_answer = rounded_figure(engine.answer(question), places)
        low, high = accepted_range(question, 3)
        if question.quantity in WHOLE_QUANTITIES or low <= short_answer <= high or not short_answer:
            continue
        diagnosis = diagnose(question, short_answer, 3, typed_decimals=places)
        assert diagnosis is not None
        assert diagnosis.code == "fewer_decimals"


@each(("rank", "number"), [(16, "0.25"), (8, "0.31")])
def test_a_discount_is_not_rounded_twice(rank: int, number: str) -> None:
    """0.2447 to 0.245 and then to 0.25 is the discount of rank 15; beside the question is no 0.245."""
    low, high = accepted_range(engine.Question("discount", [0] * rank, rank=rank), 2)
    assert not low <= float(number) <= high


@each("grade", [1, 3])
def test_a_discount_by_itself_is_rounded_and_nothing_more(grade: int) -> None:
    """Whatever stands at its rank."""
    low, high = accepted_range(engine.Question("discount", [grade] * 3, rank=3), 3)
    assert low == pytest.approx(0.4995)
    assert high == pytest.approx(0.5005)


def test_beside_the_table_a_number_that_was_rounded_too_far_shows_one_mistake() -> None:
    diagnosis = diagnose(engine.Question("idcg", [1, 2, 3, 1]), 7.49, 3, 2)
    assert diagnosis is not None
    assert diagnosis.code == "natural_log"
