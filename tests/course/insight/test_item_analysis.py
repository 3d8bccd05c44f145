"""Statistics of questions against values that others published or that can be checked by hand."""

import math
import random
from collections.abc import Sequence

import pytest

from app.course.insight.advising import ObservedQuestion, advice_on_question
from app.course.insight.intervals import (
    STUDENT_T_POINTS,
    Interval,
    correlation_interval,
    mean_interval,
    median_interval,
    point_biserial,
    t_critical_value,
    wilson_interval,
)
from app.course.insight.item_analysis import (
    Average,
    FirstResponse,
    ItemFigures,
    figures_by_item_ref,
    figures_without_answers,
)
from app.course.insight.learning_gain import learning_gain, normalised_gain
from tests.tables import each


@each(
    ("right", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),  # 1 - the upper end of 0 of 29
    ],
)
def test_wilson_is_what_newcombe_published(right: int, of: int, low: float, high: float) -> None:
    interval = wilson_interval(right, of)
    assert (interval.lower, interval.upper) == pytest.approx((low, high), abs=5e-5)


def test_wilson_solves_the_equation_it_comes_from() -> None:
    """At each end, the share that was seen lies exactly 1.96 standard errors away."""
    for right, of in ((3, 10), (7, 9), (40, 60)):
        interval = wilson_interval(right, of)
        for end in (interval.lower, interval.upper):
            away = abs(right / of - end) / math.sqrt(end * (1 - end) / of)
            assert away == pytest.approx(1.959964, abs=1e-5)


def test_nobody_says_nothing() -> None:
    assert wilson_interval(0, 0) == Interval(0.0, 1.0)


def pearson(first_row: Sequence[float], second: Sequence[float]) -> float:
    """By the book, from sums alone."""
    n, sx, sy = len(first_row), sum(first_row), sum(second)
    sxy = sum(x * y for x, y in zip(first_row, second, strict=True))
    sxx, syy = sum(x * x for x in first_row), sum(y * y for y in second)
    return (n * sxy - sx * sy) / math.sqrt((n * sxx - sx**2) * (n * syy - sy**2))


def test_point_biserial_is_the_correlation_with_zero_and_one() -> None:
    chance = random.Random(5)
    for _ in range(20):
        rights = [chance.random() < 0.6 for _ in range(17)] + [True, False]
        rests = [chance.random() for _ in rights]
        assert point_biserial(rights, rests) == pytest.approx(
            pearson([float(flag) for flag in rights], rests)
        )


def test_point_biserial_says_nothing_where_all_are_alike() -> None:
    assert point_biserial([True, True], [0.1, 0.9]) is None
    assert point_biserial([True, False], [0.5, 0.5]) is None


def test_the_interval_of_a_correlation() -> None:
    """r = 0.8 of 28: 0.61 to 0.90, as printed in textbooks of Fisher's transformation."""
    interval = correlation_interval(0.8, 28)
    assert (interval.lower, interval.upper) == pytest.approx((0.6087, 0.9034), abs=5e-4)
    assert correlation_interval(0.9, 3) == Interval(-1.0, 1.0)
    assert correlation_interval(-0.5, 40).upper < 0
    assert correlation_interval(-1.0, 9) == Interval(-1.0, 1.0), "a perfect one of few is an accident"
    assert correlation_interval(1e-12 - 1, 9) == Interval(-1.0, 1.0), "no more is one that was rounded"
    assert correlation_interval(-1.0, 10) == Interval(-1.0, -1.0)


@each(("freedom", "point"), [(1, 12.706), (30, 2.042), (40, 2.021), (60, 2.0), (120, 1.98)])
def test_t_is_what_every_table_prints(freedom: int, point: float) -> None:
    assert t_critical_value(freedom) == pytest.approx(point, abs=6e-4)


def test_t_falls() -> None:
    points = [t_critical_value(freedom) for freedom in range(1, 90)]
    assert points == sorted(points, reverse=True)
    assert len(STUDENT_T_POINTS) == 30


def test_the_gain_of_student_s_own_example() -> None:
    """Student 1908, additional hours of sleep: 1.58 hours more, standard deviation 1.23, ten patients."""
    hours = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    interval = mean_interval(hours)
    assert (interval.lower, interval.upper) == pytest.approx((0.70, 2.46), abs=0.005)


def test_gain_counts_those_who_did_both() -> None:
    gain = learning_gain([(0.2, 0.6), (0.4, 0.4), (0.5, 0.8)])
    assert gain is not None
    assert (gain.student_count, gain.is_enough) == (3, False)
    assert gain.mean_difference == pytest.approx(0.7 / 3)
    assert gain.normalised_gain == pytest.approx((1.8 / 3 - 1.1 / 3) / (1 - 1.1 / 3))
    assert learning_gain([]) is None
    assert normalised_gain(0.8, 0.6) == pytest.approx(-1.0)


def first(learner: int, item: str, right: bool, message: str | None = None, **own: object) -> FirstResponse:
    return FirstResponse(learner, item, right, bool(own.get("hinted")), own.get("seconds"), message)  # type: ignore[arg-type]


def test_a_question_is_compared_with_the_rest_alone() -> None:
    """Two questions that always go the other way: each with itself would look better than it is."""
    firsts = [answer for learner in range(12) for answer in (
        first(learner, "a", learner % 2 == 0), first(learner, "b", learner % 2 == 1)
    )]  # fmt: skip
    analysis = figures_by_item_ref(firsts)
    assert analysis["a"].discrimination == pytest.approx(-1.0)
    assert analysis["a"].facility == 0.5


def test_discrimination_rests_on_those_who_answered_another_question() -> None:
    firsts = [first(learner, "a", learner % 2 == 0) for learner in range(12)]
    firsts += [first(learner, "b", learner % 2 == 0) for learner in range(8)]
    analysis = figures_by_item_ref(firsts)["a"]
    assert (analysis.answer_count, analysis.compared_answer_count) == (12, 8)
    assert analysis.discrimination == pytest.approx(1.0)


@each(
    ("of", "low", "high"),
    [(6, 1, 6), (8, 1, 8), (9, 2, 8), (10, 2, 9), (15, 4, 12), (20, 6, 15), (25, 8, 18), (50, 18, 33)],
)  # the ranks that tables of the sign test print for 95 %
def test_the_interval_of_a_median(of: int, low: int, high: int) -> None:
    ranks = random.Random(of).sample(range(1, of + 1), of)
    assert median_interval(ranks) == Interval(low, high)


def test_five_values_are_too_few_for_a_median() -> None:
    assert median_interval([1, 2, 3, 4, 5]) is None


def test_figures_of_a_question() -> None:
    answers = [first(1, "a", True, seconds=10), first(2, "a", False, "x", seconds=30, hinted=True)]
    answers += [first(3, "a", False, "y"), first(4, "a", False, "x", seconds=50)]
    analysis = figures_by_item_ref(answers)["a"]
    assert (analysis.answer_count, analysis.right_count, analysis.hinted_count) == (4, 1, 1)
    assert (
        analysis.median_time.average,
        analysis.median_time.interval,
        analysis.median_time.value_count,
    ) == (30, None, 3)
    assert analysis.wrong_answers_with_counts == [("x", 2), ("y", 1)]
    assert analysis.discrimination is None, "there is no rest"
    assert not analysis.is_enough


# Exactly one thing to do.


def figures(right: int, of: int, **own: object) -> ItemFigures:
    plain: dict[str, object] = {
        "discrimination": 0.4,
        "discrimination_interval": Interval(0.1, 0.6),
        "compared_answer_count": of,
        "median_time": Average(40.0, 20),
        "hinted_count": 0,
    }
    plain |= {"wrong_answers_with_counts": [(f"w{number}", 1) for number in range(of - right)]}
    return ItemFigures("a", of, right, wilson_interval(right, of), **(plain | own))  # type: ignore[arg-type]


def apart(discrimination: float, low: float, high: float) -> dict[str, object]:
    return {"discrimination": discrimination, "discrimination_interval": Interval(low, high)}


@each(
    ("figures_of_item", "do"),
    [
        (figures(2, 9), "样本太少，先别下结论。"),
        (
            figures(20, 30, discrimination_interval=Interval(-0.7, -0.1), discrimination=-0.4),
            "核对答案和题目的说法。",
        ),
        (figures(18, 30, wrong_answers_with_counts=[("x", 9), ("y", 3)]), "讲评时就讲这一处。"),
        (figures(5, 40), "课上重讲这一步，再布置几道变式。"),
        (figures(20, 30, hinted_count=16), "提示里的那句话，课上先讲。"),
        (figures(20, 30, median_time=Average(400.0, 20)), "拆成两步，或者多给些时间。"),
        (figures(30, 30), "下次换一道难一点的。"),
        (figures(20, 30, **apart(0.05, -0.3, 0.4)), "下次换一道。"),
        (figures(20, 30), "留着用。"),
    ],
)
def test_one_thing_to_do(figures_of_item: ItemFigures, do: str) -> None:
    assert (
        advice_on_question(ObservedQuestion(figures_of_item, planned_minutes=2, report_count=0)).action_words
        == do
    )


def test_a_report_comes_first_however_few_have_answered() -> None:
    for item_figures in (figures(20, 30), figures(2, 9), figures_without_answers("a")):
        assert advice_on_question(ObservedQuestion(item_figures, 2, 1)).urgency == "now"


def test_of_two_answers_one_wrong_one_is_no_herd() -> None:
    item_figures = figures(18, 30, wrong_answers_with_counts=[("=true", 12)])
    assert "都是" in advice_on_question(ObservedQuestion(item_figures, 2, 0)).reason
    assert "都是" not in advice_on_question(ObservedQuestion(item_figures, 2, 0, has_two_answers=True)).reason
