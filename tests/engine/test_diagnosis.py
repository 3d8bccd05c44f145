"""From a wrong number to its cause: every verdict, and silence where nothing is certain."""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from app.engine import (
    MEASURE_BY_QUANTITY,
    MISCONCEPTIONS,
    STEPS,
    Agreement,
    AnyQuestion,
    Diagnosis,
    Question,
    answer,
    diagnose,
    predictions,
)
from app.engine.misconceptions.misconception import Misconception
from app.engine.misconceptions.table import misconceptions_about, models_with_wrong_values
from app.engine.rounding import rounded_figure, truncated_figure
from tests.tables import each

CHENGDU = Question("dcg", [3, 2, 0, 1], k=4)
NOISY_NUMBERS = 8_000


def questions_by_chance(count: int, seed: int) -> list[Question]:
    """All quantities, lists of 3 to 10, both gains, with and without a pool and a cut; answers above 0."""
    dice = Random(seed)
    drawn = (one_by_chance(dice) for _ in range(2 * count))
    return [question for question in drawn if answer(question) > 0][:count]


def one_by_chance(dice: Random) -> Question:
    quantity, length = dice.choice(list(MEASURE_BY_QUANTITY)), dice.randint(3, 10)
    grades = [dice.randint(0, 4) for _ in range(length)]
    unseen = [dice.randint(0, 4) for _ in range(dice.randint(0, 4))]
    cutoff = dice.choice([None, dice.randint(1, length)])
    if quantity == "auc":
        cutoff = None
        grades[:2] = [0, 2]
    return Question(
        quantity,
        grades,
        k=cutoff,
        gain=dice.choice(["linear", "exponential"]),
        pool=dice.choice([None, grades + unseen]),
        rank=dice.randint(1, length) if quantity in ("gain", "discount", "term") else None,
    )


SOME_QUESTIONS = questions_by_chance(2000, seed=8)


def diagnosis_of(question: Question, value: float, **contract: object) -> Diagnosis:
    diagnosis = diagnose(question, value, **contract)  # type: ignore[arg-type]
    assert diagnosis is not None
    return diagnosis


# --- right within the contract -----------------------------------------------------------------------------


@each("decimals", [2, 3, 4])
def test_a_right_answer_is_not_diagnosed(decimals: int) -> None:
    for question in SOME_QUESTIONS:
        truth, half = answer(question), 0.5 * 10**-decimals
        for value in (truth, rounded_figure(truth, decimals), truth - 0.99 * half, truth + 0.99 * half):
            assert diagnose(question, value, decimals) is None


def test_whatever_the_contract_accepts_is_right() -> None:
    for question in SOME_QUESTIONS[:1000]:
        truth = answer(question)
        low, high = truth * 0.99, truth * 1.01
        for value in (low, truth, high):
            assert diagnose(question, value, accepted=(low, high)) is None


@each("value", [math.nan, math.inf, "6.77", None, True])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"^value = "):
        diagnose(CHENGDU, value)  # type: ignore[arg-type]


@each("decimals", [-1, 10, 2.0, True])
def test_impossible_decimals_are_refused(decimals: object) -> None:
    with pytest.raises(ValueError, match=r"^decimals = "):
        diagnose(CHENGDU, 6.77, decimals)  # type: ignore[arg-type]


@each("written_decimals", [-1, 2.0, "x", True])
def test_impossible_written_decimals_are_refused(written_decimals: object) -> None:
    with pytest.raises(ValueError, match=r"^written_decimals = .*: expected a whole number >= 0"):
        diagnose(CHENGDU, 6.77, 3, None, written_decimals)  # type: ignore[arg-type]


@each(
    ("accepted", "message"),
    [
        (5, "accepted = 5: expected a sequence"),
        ((1,), r"accepted = \(1,\): expected the lowest and the highest number"),
        ((1, 2, 3), r"accepted = \(1, 2, 3\): expected the lowest and the highest number"),
        ((4, "x"), r"accepted\[1\] = 'x': expected a finite number"),
        ((5, 6), r"accepted = \(5, 6\): expected an interval around 4\.69"),
        ((5, 4), r"accepted = \(5, 4\): expected an interval around"),
    ],
)
def test_what_is_no_interval_around_the_answer_is_refused(accepted: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        diagnose(CHENGDU, 6.77, 3, accepted)  # type: ignore[arg-type]


# --- the verdicts on rounding ------------------------------------------------------------------------------


def test_digits_cut_off() -> None:
    verdict = diagnosis_of(Question("dcg", [2, 3, 0]), 3.892)  # 3.8928
    assert (verdict.code, verdict.step) == ("truncated", "舍入")
    assert "截" in verdict.name
    assert verdict.predicted_value == 3.892


def test_digits_cut_off_come_before_the_models() -> None:
    checked = 0
    for question in SOME_QUESTIONS:
        cut = truncated_figure(answer(question), 3)
        is_right = answer(question) - cut < 0.0005 + 1e-9  # also just in the middle: 0.8875
        if not is_right and cut != rounded_figure(answer(question), 2):
            assert diagnosis_of(question, cut).code == "truncated"
            checked += 1
    assert checked > 400


def test_a_number_far_from_a_huge_answer_is_no_mistake() -> None:
    assert diagnose(Question("dcg", [1e306, 2]), 5) is None


@each(
    ("question", "value"),
    [
        (Question("idcg", [3, 3, 2, 1, 0]), 6.324),  # 3 + 1.893 + 1 + 0.431
        (Question("ndcg", [3, 2, 0, 1], k=4, pool=[3, 3, 2, 1, 0, 0]), 0.746),  # terms of one decimal
        (Question("dcg", [0, 2, 0, 1, 3]), 2.86),  # 2 × 0.63 + 0.43 + 3 × 0.39, and not 2.85
        (Question("term", [0, 3], gain="exponential", rank=2), 4.41),  # 7 × 0.63
    ],
)
def test_rounded_on_the_way(question: Question, value: float) -> None:
    verdict = diagnosis_of(question, value)
    assert (verdict.code, verdict.step) == ("rounded_each_term", "舍入")


def test_the_printed_table_makes_early_rounding_right() -> None:
    question = Question("idcg", [3, 3, 2, 1, 0])
    assert diagnose(question, 6.324, accepted=(6.32296, 6.3245)) is None


@each(
    ("question", "value"),
    [
        (Question("dcg", [2, 3, 0]), 3.89),  # 3.8928: not rounded on the way
        (Question("term", [1, 2], rank=2), 1.3),  # 1.2619: there is nothing on the way to round
        (Question("dcg", [0, 3, 0, 0, 0, 2]), 2.6),  # 2.6052
        (Question("ndcg", [3, 2, 3, 0, 1, 2], gain="exponential"), 0.95),  # 0.9488
        (Question("discount", [1, 1, 1, 1], rank=4), 0.4),  # 0.4307: one place, and nothing else explains it
    ],
)
def test_right_but_for_the_places(question: Question, value: float) -> None:
    verdict = diagnosis_of(question, value)
    assert (verdict.code, verdict.step) == ("fewer_decimals", "舍入")
    assert verdict.explanation == "算对了，只是少留了位数：要3位小数。"


def test_two_places_may_be_cut_off_instead_of_rounded() -> None:
    question = Question("dcg", [1, 0, 0, 0, 0, 3])  # 2.0686
    assert diagnosis_of(question, 2.06).code == "fewer_decimals"
    assert diagnose(question, 2.05) is None


def test_a_zero_at_the_end_may_have_been_written() -> None:
    """0.63 for 0.6309 was rounded to two places, or cut off behind three: what is said is true of both."""
    verdict = diagnosis_of(Question("discount", [1, 1], rank=2), 0.63)
    assert verdict.code == "fewer_decimals"
    assert verdict.explanation == "算对了，只差末位：四舍五入到3位小数，先看下一位够不够进位。"


@each("places", [2, 3])
def test_the_answer_to_fewer_places_is_never_another_mistake(places: int) -> None:
    for question in SOME_QUESTIONS:
        coarse = rounded_figure(answer(question), places)
        for accepted in (None, around(answer(question))):
            verdict = diagnose(question, coarse, 4 if accepted is None else 3, accepted)
            assert verdict is None or verdict.code == "fewer_decimals" or not coarse


def test_what_a_table_makes_right_may_be_too_short_as_well() -> None:
    question = Question("idcg", [3, 3, 2, 1, 0])  # 6.32347, and 6.3245 from terms of 3 decimals
    assert diagnosis_of(question, 6.32, accepted=(6.32296, 6.3245)).code == "fewer_decimals"
    assert diagnose(Question("dcg", [2, 3, 0]), 4) is None  # a whole number has no places


@each("value", [96.1, 96.08, 96])
def test_a_percentage_without_its_sign(value: float) -> None:
    verdict = diagnosis_of(Question("ndcg", [3, 2, 3, 0, 1, 2]), value)
    assert (verdict.code, verdict.step) == ("percent_without_sign", "舍入")
    assert verdict.explanation == "这是百分数的写法：补上“%”，或者除以100再交。"


def test_only_a_share_is_read_as_a_percentage() -> None:
    assert diagnose(Question("dcg", [2, 3, 0]), 389.3) is None
    assert diagnose(Question("ndcg", [3, 2, 3, 0, 1, 2]), 97) is None
    assert diagnose(Question("ndcg", [0, 0]), 0.5) is None


# --- one model, several, a pair, nothing -------------------------------------------------------------------


@each("typed", [6.77, 6.7699, 6.7698985])
def test_one_model_is_named(typed: float) -> None:
    verdict = diagnosis_of(CHENGDU, typed)
    assert (verdict.code, verdict.step) == ("natural_log", "折损")
    assert verdict.explanation.startswith("你用的是自然对数ln：公式里是以2为底")
    assert verdict.predicted_value == pytest.approx(6.7698985)


@each("gain", ["linear", "exponential"])
def test_mixed_gains_are_named_in_both_directions(gain: str) -> None:
    question = Question("ndcg", [2, 1, 3, 0, 2], gain=gain)
    linear, exponential = (
        (
            answer(Question("dcg", question.grades, gain=kind_of_gain)),
            answer(Question("idcg", question.grades, gain=kind_of_gain)),
        )
        for kind_of_gain in ("linear", "exponential")
    )
    for dcg, idcg in ((exponential[0], linear[1]), (linear[0], exponential[1])):
        verdict = diagnosis_of(question, rounded_figure(dcg / idcg, 3))
        assert verdict.code == "mixed_gains"
        assert verdict.predicted_value == pytest.approx(dcg / idcg)
        assert verdict.explanation.startswith("你的DCG和IDCG用的不是同一种增益")


def test_several_models_are_offered() -> None:
    verdict = diagnosis_of(Question("discount", [3, 2, 1], rank=2), 0.5)
    assert verdict.are_alternatives
    assert verdict.ids == ("log2_rank_plus_two", "reciprocal_rank_discount")
    assert verdict.step == "折损"
    assert verdict.explanation == (
        "两种做法都会得到这个数，看看哪一种像你的做法。"
        "要是你给名次多加了1：名次从第1位数起，取对数前只加1，第1位因此不打折。"
        "要是你直接除以了名次：除数应当是对数，名次先加1，再取以2为底的对数，它比名次长得慢得多。"
    )


def test_a_mistake_whose_words_begin_with_yours_is_told_apart_in_whole_sentences() -> None:
    verdict = diagnosis_of(Question("gain", [1], rank=1, gain="exponential"), 2)
    assert verdict.ids == ("power_without_minus_one", "twice_the_grade")
    assert "要是你的增益只算到2的甜度次方：" in verdict.explanation


def test_several_steps_stand_in_the_order_of_the_work() -> None:
    verdict = diagnosis_of(Question("dcg", [0, 3, 2]), 4.262)  # 3 + 2/log2(3), in three ways
    assert verdict.ids == ("log2_of_rank", "zeros_dropped", "ideal_for_dcg")
    assert verdict.step == "折损、求和、理想"
    assert all(MISCONCEPTIONS[name].name in verdict.explanation for name in verdict.ids)


@each(
    ("question", "typed", "name"),
    [
        (Question("dcg", [1, 0, 2, 3]), 4.307, "natural_log_after_first"),  # 1 + 2/ln 4 + 3/ln 5
        (Question("dcg", [2, 1, 3, 0, 0]), 5.074, "natural_log_after_first"),  # 2 + 1/ln 3 + 3/ln 4
        (Question("dcg", [2, 3, 0]), 4.731, "natural_log_after_first"),  # 2 + 3/ln 3
        (Question("ndcg", [2, 0, 3, 1]), 0.655, "dcg_over_cg"),  # (2 + 3/2 + 1/2.3219) / 6
        (Question("ndcg", [2, 0, 3, 1]), 0.5, "share_of_full_marks"),  # 6 / (4 × 3)
        (Question("ndcg", [0, 1, 2, 3]), 0, "upside_down_is_zero"),
        (Question("discount", [3, 1], rank=2), 0.369, "weight_lost"),  # 1 - 1/1.585
        (Question("discount", [3, 1, 2], rank=3), 0.387, "one_added_after_log"),  # 1/(1 + 1.585)
        (Question("dcg", [2, 0, 3, 1]), 3.494, "one_added_after_log"),  # 2 + 3/2.585 + 1/3
        (Question("discount", [3, 1], rank=2), 0.333, "log_forgotten"),
        (Question("dcg", [2, 0, 3, 1]), 1.95, "log_forgotten"),  # 2/2 + 3/4 + 1/5
        (Question("dcg", [2, 0, 3, 1], k=2), 3.5, "cut_one_later"),  # 2 + 3/2
        (Question("idcg", [2, 1, 3, 1], k=2), 4.762, "cut_one_later"),  # 3 + 2/1.585 + 1/2
        (Question("ndcg", [2, 0, 3, 1], k=2), 0.735, "cut_one_later"),  # 3.5 / 4.762
        (Question("precision", [1, 0, 1, 0, 0], k=2), 0.667, "cut_one_later"),
        (Question("ndcg", [2, 0, 3, 1], k=2), 0.922, "list_not_cut"),  # (2 + 3/2 + 1/2.322) / 4.262
        (Question("ndcg", [2, 0, 3, 1], k=2), 0.42, "ideal_not_cut"),  # 2 / 4.762
        (Question("idcg", [2, 0, 3], k=3, pool=[2, 0, 3, 3, 1]), 3.631, "ideal_from_unseen"),  # 3 + 1/1.585
        (Question("ndcg", [2, 0, 3], k=3, pool=[2, 0, 3, 3, 1]), 0.964, "ideal_from_unseen"),  # 3.5 / 3.631
        (Question("ndcg", [2, 3, 0]), 0.369, "difference_for_ratio"),  # 4.262 - 3.893
        (Question("ndcg", [2, 3, 0]), 0.087, "share_lost"),  # 1 - 3.893/4.262
        (Question("precision", [1, 0, 0, 1, 0, 1], k=5), 0.6, "share_lost"),
        (Question("ndcg", [2, 3, 0]), 0.304, "ratio_averaged"),  # 3.893/4.262/3
        (Question("precision", [0, 1, 1, 1], k=4), 0.5, "reciprocal_rank_given"),
        (Question("recall", [0, 1, 1, 0], pool=[0, 1, 1, 0, 2, 0]), 0.333, "divided_by_pool"),  # 2/6
        (Question("ndcg", [2, 3, 0]), 1.318, "mixed_logs"),  # (2/ln 2 + 3/ln 3) / 4.262
        (Question("ndcg", [2, 3, 0]), 0.633, "mixed_logs"),  # 3.893 / (3/ln 2 + 2/ln 3)
        (Question("ndcg", [2, 0, 3, 1]), 1.26, "one_side_discounted"),  # 6 / (3 + 2/1.585 + 1/2 + 0)
        (Question("ndcg", [2, 1, 3], k=2), 0.526, "one_side_discounted"),  # 2.631 / 5
        (Question("ndcg", [2, 0, 3, 1]), 0.511, "share_of_full_marks"),  # 3.931 / (3 × 2.562)
        (Question("term", [1, 3, 2, 3], rank=3), 1.292, "next_rank_read"),  # 3/2.322
        (Question("term", [1, 3, 2, 3], rank=3), 1.893, "next_rank_read"),  # 3/1.585
        (Question("ndcg", [0, 3, 2], k=2), 4.262, "idcg_for_ndcg"),  # 3 + 2/1.585
        (Question("ndcg", [2, 0], k=2, pool=[2, 0, 3]), 4.262, "idcg_for_ndcg"),
        (Question("ndcg", [0, 2, 3], k=2), 2, "cg_given"),
        (Question("dcg", [1, 3]), 0.797, "ndcg_given"),  # (1 + 3/1.585) / (3 + 1/1.585)
        (Question("idcg", [1, 3]), 0.797, "ndcg_given"),
        (Question("cg", [1, 3]), 0.797, "ndcg_given"),
        (Question("cg", [1, 3]), 3.631, "ideal_for_cg"),
        (Question("idcg", [1, 1, 0, 3], k=2), 2, "cg_given"),
        (Question("dcg", [0, 2], pool=[0, 2, 3]), 4.262, "ideal_for_dcg"),
        (Question("term", [1, 3], rank=2), 0.631, "gain_forgotten"),
        (Question("gain", [1, 3], rank=2), 0.631, "weight_for_gain"),
        (Question("discount", [1, 3], rank=2), 1.893, "term_for_weight"),  # 3/1.585
        (Question("term", [0, 3, 1], rank=2), 2.393, "whole_sum_for_one"),  # 3/1.585 + 1/2
        (Question("reciprocal_rank", [0, 1, 0, 1, 0]), 0.4, "precision_for_reciprocal"),
        (Question("reciprocal_rank", [0, 1, 1, 0, 1]), 0.589, "average_precision_given"),  # (1/2+2/3+3/5)/3
        (Question("precision", [0, 1, 1, 0, 1]), 0.589, "average_precision_given"),
        (Question("average_precision", [0, 1, 1, 0, 1]), 0.5, "reciprocal_rank_given"),
        (Question("average_precision", [0, 1, 0, 1], pool=[0, 1, 0, 1, 1]), 0.667, "recall_for_average"),
    ],
)
def test_what_pupils_write_is_named(question: Question, typed: float, name: str) -> None:
    """Each number was worked out on paper, as the remark says."""
    verdict = diagnosis_of(question, typed)
    assert verdict.code == name
    assert verdict.explanation == f"{MISCONCEPTIONS[name].mistake_clause}：{MISCONCEPTIONS[name].hint}"


def test_another_quantity_is_named_only_where_no_broken_step_leads_there() -> None:
    """1/3 is the precision of the list, and comes of a rank too many, and of 1/2 and 1/6 averaged."""
    question = Question("reciprocal_rank", [0, 1, 0, 0, 0, 1])
    assert predictions(question)["precision_for_reciprocal"] == pytest.approx(1 / 3)
    verdict = diagnosis_of(question, 0.333)
    assert verdict.ids == ("rank_plus_one", "mean_of_reciprocals")


@each(
    ("question", "typed", "possible_ids"),
    [
        # 1/log2(4), and 2/4 where the logarithm was forgotten
        (Question("term", [0, 3, 2], rank=3), 0.5, ("gain_forgotten", "log_forgotten")),
        # 2/log2(8), and 1 - 1/log2(8)
        (Question("discount", [3, 1, 0, 1, 3, 0, 2], rank=7), 0.667, ("term_for_weight", "weight_lost")),
    ],
)
def test_a_step_on_the_way_is_as_near_as_a_broken_one(
    question: Question, typed: float, possible_ids: tuple[str, str]
) -> None:
    """Who stopped at the discount, or went on to the term, is not told that they broke a step."""
    verdict = diagnosis_of(question, typed)
    assert verdict.ids == possible_ids
    assert all(f"要是{MISCONCEPTIONS[name].mistake_clause}：" in verdict.explanation for name in possible_ids)


@each(
    ("question", "typed"),
    [
        (Question("ndcg", [0, 3, 1, 2]), 0),  # not upside down: 0 comes from elsewhere
        (Question("dcg", [0, 1, 2, 3]), 0),
    ],
)
def test_zero_is_named_only_where_the_list_is_upside_down(question: Question, typed: float) -> None:
    assert diagnose(question, typed) is None


def test_every_prediction_is_explained() -> None:
    verdicts: Counter[str] = Counter()
    for question in SOME_QUESTIONS[:600]:
        for name, value in predictions(question).items():
            verdict = diagnose(question, rounded_figure(value, 3))
            if verdict is None or verdict.step == "舍入":
                verdicts["too near the truth"] += 1
            elif name not in verdict.code and MISCONCEPTIONS[name].yields_to_broken_steps:
                verdicts["gave way to a broken step"] += 1
            else:
                assert name in verdict.code.split("|")
                verdicts["named" if verdict.code == name else "among several"] += 1
    assert verdicts["too near the truth"] < 0.01 * verdicts.total()
    assert verdicts["named"] > 0.8 * verdicts.total()


def test_a_pair_is_named_when_nothing_simpler_explains() -> None:
    question = Question("dcg", [3, 2, 0, 1], gain="exponential")
    verdict = diagnosis_of(question, rounded_figure(3 / math.log(2) + 2 / math.log(3) + 1 / math.log(5), 3))
    assert verdict.ids == ("linear_for_exponential", "natural_log")
    assert verdict.step == "增益、折损"
    assert all(MISCONCEPTIONS[name].hint in verdict.explanation for name in verdict.ids)


def test_a_pair_breaks_the_ideal_too() -> None:
    question = Question("idcg", [1, 3, 0, 2], k=3)
    ascending = 0 / math.log(2) + 1 / math.log(3) + 2 / math.log(4)
    assert diagnosis_of(question, rounded_figure(ascending, 3)).ids == ("natural_log", "ideal_ascending")


def test_a_number_that_was_rounded_too_far_shows_no_two_mistakes() -> None:
    """By the natural logarithm it is 7.4912; two mistakes come to 7.490, but nobody wrote the 0."""
    question = Question("idcg", [1, 2, 3, 1])
    accepted = around(answer(question))
    assert diagnosis_of(question, 7.49, accepted=accepted, written_decimals=2).code == "natural_log"
    assert "+" in diagnosis_of(question, 7.49, accepted=accepted, written_decimals=3).code


@each(("typed", "name"), [(6.769, "natural_log"), (9.323, None), (3.279, "log2_rank_plus_two")])
def test_a_mistake_is_named_where_its_figure_was_cut_off(typed: float, name: str | None) -> None:
    """6.7699 and 3.2796, to three places; 9.32347 is 9.323 either way."""
    for written_decimals in (3, None):
        verdict = diagnosis_of(CHENGDU, typed, written_decimals=written_decimals)
        assert verdict.code == (name or "exponential_for_linear")
    assert diagnose(CHENGDU, typed - 0.001) is None


def test_a_small_number_is_what_too_many_figures_begin_with() -> None:
    """NDCG is 0.930, and what is lost 0.0695."""
    question = Question("ndcg", [3, 0, 2, 1])
    assert diagnose(question, 0.069) is None
    assert diagnosis_of(question, 0.07).code == "share_lost"


def test_a_figure_that_is_rounded_comes_before_one_that_is_cut_off() -> None:
    """2.6309 and 2.6316."""
    assert diagnosis_of(Question("dcg", [1, 1, 1, 0]), 2.631).code == "log2_of_rank"


def test_what_was_written_short_is_each_mistake_that_is_written_so() -> None:
    """0.9103 and 0.9138; to three places the first of them alone comes near 0.910."""
    question = Question("ndcg", [3, 0, 2, 1])
    short_number = diagnosis_of(question, 0.91, written_decimals=2)
    assert short_number.ids == ("natural_log_after_first", "log_forgotten")
    assert diagnosis_of(question, 0.91, written_decimals=3).code == "log_forgotten"
    assert diagnosis_of(question, 0.91).code == "log_forgotten"


def test_what_a_mistake_just_leads_to_was_not_written_short() -> None:
    """9 of 12; another mistake comes to 0.7455, which nobody writes with two places to be done."""
    assert (
        diagnosis_of(Question("ndcg", [1, 3, 3, 2]), 0.75, written_decimals=2).code == "share_of_full_marks"
    )


@each(
    ("question", "decimals"),
    [
        (Question("dcg", [3, 2, 0, 1], gain="exponential"), 2),  # too coarse
        (Question("ndcg", [3, 2, 0, 1], gain="exponential"), 3),  # no pairs there
    ],
)
def test_no_pairs_elsewhere(question: Question, decimals: int) -> None:
    for thousandths in range(1, 20_000, 31):
        verdict = diagnose(question, thousandths / 1000, decimals)
        assert verdict is None or "+" not in verdict.code


def test_two_mistakes_in_one_step_are_no_pair() -> None:
    for question in SOME_QUESTIONS[:300]:
        for value in (0.5, 1.234, 3.21, 7.003):
            verdict = diagnose(question, value)
            if verdict is not None and "+" in verdict.code:
                first, second = (MISCONCEPTIONS[name] for name in verdict.ids)
                assert STEPS.index(first.step) < STEPS.index(second.step)
                assert first.compute(question, second) == pytest.approx(value, abs=6e-4)


def test_a_number_from_nowhere_is_left_alone() -> None:
    assert diagnose(CHENGDU, 2.718) is None
    assert diagnose(CHENGDU, -4.69) is None


def test_a_table_gives_wrong_workings_room_too() -> None:
    question = Question("dcg", [0, 3, 0, 3], gain="exponential", k=4)
    truth = answer(question)
    by_table = 3 * 0.631 + 3 * 0.431  # linear gain, and the printed weights: 3.186 for 3.1848
    assert diagnose(question, by_table) is None
    room = (truth - 0.0005, 7 * 0.631 + 7 * 0.431 + 0.0005)
    assert diagnosis_of(question, by_table, accepted=room).code == "linear_for_exponential"


# --- what is said ------------------------------------------------------------------------------------------


def test_explanations_never_give_the_answer_away() -> None:
    for question in SOME_QUESTIONS[-300:]:
        for value in predictions(question).values():
            verdict = diagnose(question, rounded_figure(value, 3))
            if verdict is not None:
                assert f"{answer(question):.3f}" not in verdict.explanation
                assert verdict.explanation.endswith("。")
                assert " " not in verdict.explanation


# --- noise -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number_count", [NOISY_NUMBERS // 8, pytest.param(NOISY_NUMBERS, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("table", [False, True], ids=["exact", "with a table"])
def test_random_numbers_are_hardly_ever_diagnosed(
    table: bool, number_count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    dice, diagnosed = Random(3), Counter[str]()
    questions = questions_by_chance(number_count, seed=4)
    for question in questions:
        value = round(answer(question) * dice.uniform(0.3, 2.2), 3)
        accepted = around(answer(question)) if table else None
        diagnosed[question.quantity] += diagnose(question, value, accepted=accepted) is not None
    asked_counts = Counter(question.quantity for question in questions)
    with capsys.disabled():
        rates = {name: f"{diagnosed[name] / asked_counts[name]:.2%}" for name in sorted(asked_counts)}
        print(f"\nnoise diagnosed: {diagnosed.total() / number_count:.2%} of {len(questions)}", rates)
    assert len(questions) == number_count
    assert diagnosed.total() < 0.03 * number_count


def around(truth: float) -> tuple[float, float]:
    """About what a printed table of three decimals makes right."""
    room = 0.0005 + 0.00075 * truth
    return truth - room, truth + room


@each(
    ("question", "number", "mistake"),
    [
        (Agreement([[12, 4], [1, 8]]), 0.6, "even_chance"),  # right is 0.595
        (Question("ndcg", [3, 3, 3, 0, 1]), 1.0, "ideal_not_sorted"),  # right is 0.994
        (Question("ndcg", [2, 1, 2, 3], k=3), 0.679, "reciprocal_rank_discount"),  # right is 0.690
    ],
)
def test_coarse_rounding_is_not_assumed_where_a_mistake_leads(
    question: AnyQuestion, number: float, mistake: str
) -> None:
    """All three come of figures rounded to 0.1 as well; “the method is right” was said of them."""
    diagnosis = diagnose(question, number, 3, written_decimals=3)
    assert diagnosis is not None
    assert mistake in diagnosis.code.split("|")


def test_the_models_of_a_question_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rounding on the way may explain a number too, and for the next number that is tried."""
    quantities: list[str] = []

    def counted(quantity: str) -> Sequence[Misconception]:
        quantities.append(quantity)
        return misconceptions_about(quantity)

    monkeypatch.setattr("app.engine.misconceptions.table.misconceptions_about", counted)
    models_with_wrong_values.cache_clear()
    question = Question("dcg", [1, 3, 1, 3, 3, 1, 0, 3])
    assert diagnosis_of(question, 7.2, decimals=2).code == "zeros_dropped"
    diagnose(question, 8.1, decimals=2)
    assert quantities == ["dcg"]
