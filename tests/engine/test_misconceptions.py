"""The wrong models: written again by hand, checked against the table; and what they may say."""

import math
import re
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from random import Random

import pytest

from app.engine import MEASURE_BY_QUANTITY, MISCONCEPTIONS, STEPS, Question, answer, predictions
from app.engine import shown_misconception_ids as shown_by
from app.engine.generate.skills import LIST_SKILL_BY_NAME, SKILL_BY_NAME
from app.engine.misconceptions import discount_models
from app.engine.misconceptions.misconception import Misconception, right_working_of
from app.engine.pair_questions import SWAP_QUANTITIES
from app.engine.questions import SHARE_QUANTITIES
from tests.tables import each

OF_THE_COURSE = {
    "natural_log",
    "log10",
    "log2_of_rank",
    "log2_rank_plus_two",
    "reciprocal_rank_discount",
    "no_discount",
    "multiplied_by_log",
    "exponential_for_linear",
    "linear_for_exponential",
    "power_without_minus_one",
    "twice_the_grade",
    "ideal_ascending",
    "ideal_not_sorted",
    "ideal_from_retrieved",
    "ideal_not_cut",
    "ideal_from_first_k",
    "ratio_inverted",
    "mixed_gains",
    "mean_not_sum",
    "zeros_dropped",
    "first_term_dropped",
    "last_term_dropped",
    "dcg_for_ndcg",
}
FURTHER = {
    "minus_one_in_exponent",
    "rank_for_grade",
    "discount_not_asked",
    "running_total_for_one",
    "ideal_for_dcg",
    "k_ignored",
    "natural_log_after_first",
    "dcg_over_cg",
    "share_of_full_marks",
    "upside_down_is_zero",
    "weight_lost",
    "one_added_after_log",
    "log_forgotten",
    "list_in_ideal_twice",
    "list_from_below",
    "ideal_from_unseen",
    "list_not_cut",
    "cut_one_later",
    "difference_for_ratio",
    "share_lost",
    "ratio_averaged",
    "mixed_logs",
    "one_side_discounted",
    "next_rank_read",
    "gain_forgotten",
    "weight_for_gain",
    "term_for_weight",
    "whole_sum_for_one",
    "ideal_for_cg",
    "idcg_for_ndcg",
    "cg_given",
    "ndcg_given",
}
OF_SHARES = {
    "grades_for_hits",
    "only_sweetest_relevant",
    "irrelevant_ranks_noted",
    "mean_of_all_precisions",
    "reciprocals_of_ranks",
    "precision_for_average",
    "last_relevant_rank",
    "rank_from_zero",
    "rank_plus_one",
    "rank_not_turned",
    "discount_for_reciprocal",
    "mean_of_reciprocals",
    "reciprocal_of_mean_rank",
    "recall_for_precision",
    "precision_for_recall",
    "divided_by_all_ranks",
    "divided_by_found",
    "divided_by_pool",
    "relevant_to_irrelevant",
    "found_to_missed",
    "count_not_share",
    "graded_pairs",
    "linear_chance",
    "chance_without_minus_one",
    "scale_of_list",
    "readers_never_leave",
    "rank_forgotten",
    "log_for_rank",
    "patience_from_first",
    "patience_swapped",
    "patience_once",
    "pairs_upside_down",
    "neighbours_alone",
    "divided_by_every_pair",
    "patience_not_scaled",
    "patience_of_list",
    "average_precision_given",
    "reciprocal_rank_given",
    "recall_for_average",
    "precision_for_reciprocal",
}
TABLE_SKILLS = SKILL_BY_NAME.keys() - LIST_SKILL_BY_NAME.keys()
OF_TABLES = {name for skill in TABLE_SKILLS for name in shown_by(skill)} - OF_THE_COURSE
MODELS = each("model", MISCONCEPTIONS.values())
MODELS_OF_LISTS = each("model", [model for name, model in MISCONCEPTIONS.items() if name not in OF_TABLES])
QUESTIONS = 2000


def some_questions(count: int = QUESTIONS, seed: int = 20) -> list[Question]:
    """All quantities, lists of 3 to 10, both gains, with and without a pool and a cut; answers above 0."""
    dice = Random(seed)
    questions: list[Question] = []
    while len(questions) < count:
        length = dice.randint(3, 10)
        grades = [dice.choice([0, 0, 1, 1, 2, 2, 3, 3, 4, None]) for _ in range(length)]
        quantity = dice.choice(sorted(MEASURE_BY_QUANTITY))
        cutoff = dice.choice([None, dice.randint(1, length), length + 1])
        if quantity == "auc":
            cutoff = None
            grades[:2] = [0, 2]
        question = Question(
            quantity,
            grades,
            cutoff,
            dice.choice(["linear", "exponential"]),
            dice.choice([None, grades + [dice.randint(0, 4) for _ in range(dice.randint(0, 4))]]),
            dice.randint(1, length) if quantity in ("gain", "discount", "term") else None,
        )
        if answer(question) > 0:
            questions.append(question)
    return questions


SOME_QUESTIONS = some_questions()


@cache
def predicted() -> list[tuple[Question, dict[str, float]]]:
    return [(question, predictions(question)) for question in SOME_QUESTIONS]


# --- the models again, from their description, without the engine ---------------------------------------


def gained(question: Question, grade: float | None) -> float:
    level = grade or 0
    return 2**level - 1 if question.gain == "exponential" else level


def down(grades: list[float | None]) -> list[float | None]:
    return sorted(grades, key=lambda grade: -1 if grade is None else grade, reverse=True)


def dcg_by_hand(
    question: Question,
    gain: Callable[[float], float] | None = None,
    weight: Callable[[int], float] = lambda rank: 1 / math.log2(rank + 1),
) -> float:
    total = 0.0
    for rank, grade in enumerate(question.grades, start=1):
        if question.k is not None and rank > question.k:
            break
        if grade is not None:
            total += (gain(grade) if gain else gained(question, grade)) * weight(rank)
    return total


def best_by_hand(question: Question, **how: Callable[..., float]) -> float:
    pool = list(question.grades if question.pool is None else question.pool)
    return dcg_by_hand(Question("dcg", down(pool), question.k, question.gain), **how)


def sum_by_hand(question: Question, grades: list[float | None]) -> float:
    return sum(gained(question, grade) / math.log2(place + 2) for place, grade in enumerate(grades))


DCG_AGAIN: dict[str, Callable[[Question], float]] = {
    "natural_log": lambda q: dcg_by_hand(q, weight=lambda rank: 1 / math.log(rank + 1)),
    "natural_log_after_first": lambda q: dcg_by_hand(
        q, weight=lambda rank: 1 / math.log(rank + 1) if rank > 1 else 1
    ),
    "log10": lambda q: dcg_by_hand(q, weight=lambda rank: 1 / math.log10(rank + 1)),
    "log2_of_rank": lambda q: dcg_by_hand(q, weight=lambda rank: 1 / math.log2(rank) if rank > 1 else 1),
    "log2_rank_plus_two": lambda q: dcg_by_hand(q, weight=lambda rank: 1 / math.log2(rank + 2)),
    "reciprocal_rank_discount": lambda q: dcg_by_hand(q, weight=lambda rank: 1 / rank),
    "one_added_after_log": lambda q: dcg_by_hand(q, weight=lambda rank: 1 / (1 + math.log2(rank))),
    "log_forgotten": lambda q: dcg_by_hand(q, weight=lambda rank: 1 / (1 + rank)),
    "cut_one_later": lambda q: sum_by_hand(q, list(q.grades[: (q.k or 0) + 1])),
    "no_discount": lambda q: sum(gained(q, grade) for grade in q.grades[: q.k]),
    "multiplied_by_log": lambda q: dcg_by_hand(q, weight=lambda rank: math.log2(rank + 1)),
    "exponential_for_linear": lambda q: dcg_by_hand(q, gain=lambda grade: 2**grade - 1),
    "linear_for_exponential": lambda q: dcg_by_hand(q, gain=lambda grade: grade),
    "power_without_minus_one": lambda q: dcg_by_hand(q, gain=lambda grade: 2**grade),
    "minus_one_in_exponent": lambda q: dcg_by_hand(q, gain=lambda grade: 2 ** (grade - 1)),
    "twice_the_grade": lambda q: dcg_by_hand(q, gain=lambda grade: grade + grade),
    "mean_not_sum": lambda q: dcg_by_hand(q) / len(q.grades[: q.k]),
    "zeros_dropped": lambda q: sum_by_hand(q, [grade for grade in q.grades[: q.k] if grade]),
    "first_term_dropped": lambda q: dcg_by_hand(q) - gained(q, q.grades[0]),
    "last_term_dropped": lambda q: sum_by_hand(q, list(q.grades[: q.k])[:-1]),
    "ideal_for_dcg": lambda q: sum_by_hand(q, down(list(q.grades))[: q.k]),
    "k_ignored": lambda q: sum_by_hand(q, list(q.grades)),
    "ndcg_given": lambda q: dcg_by_hand(q) / best_by_hand(q),
    "list_from_below": lambda q: sum_by_hand(q, list(q.grades)[::-1][: q.k]),
}
IDCG_AGAIN: dict[str, Callable[[Question], float]] = {
    "ideal_ascending": lambda q: sum_by_hand(q, down(list(q.pool or q.grades))[::-1][: q.k]),
    "ideal_not_sorted": lambda q: sum_by_hand(q, list(q.pool or q.grades)[: q.k]),
    "ideal_from_retrieved": lambda q: sum_by_hand(q, down(list(q.grades))[: q.k]),
    "list_in_ideal_twice": lambda q: sum_by_hand(q, down([*(q.pool or ()), *q.grades])[: q.k]),
    "ideal_from_first_k": lambda q: sum_by_hand(q, down(list(q.grades[: q.k]))),
    "ideal_not_cut": lambda q: sum_by_hand(q, down(list(q.pool or q.grades))),
    "natural_log": lambda q: best_by_hand(q, weight=lambda rank: 1 / math.log(rank + 1)),
    "no_discount": lambda q: best_by_hand(q, weight=lambda _: 1),
    "power_without_minus_one": lambda q: best_by_hand(q, gain=lambda grade: 2**grade),
    "cg_given": lambda q: float(sum(grade or 0 for grade in q.grades[: q.k])),
    "ndcg_given": lambda q: dcg_by_hand(q) / best_by_hand(q),
}


def numbers_again(question: Question) -> dict[str, float]:
    if question.quantity in SHARE_QUANTITIES:
        return {}  # they have a file of their own
    """What the models written above predict for a question, as far as they are written for its quantity."""
    if question.quantity == "dcg":
        return {name: formula(question) for name, formula in DCG_AGAIN.items()}
    if question.quantity == "idcg":
        return {name: formula(question) for name, formula in IDCG_AGAIN.items()}
    if question.quantity == "ndcg":
        return ratios_again(question)
    if question.quantity == "cg":
        return sums_of_grades_again(question)
    return one_rank_again(question)


def ratios_again(question: Question) -> dict[str, float]:
    dcg, best = dcg_by_hand(question), best_by_hand(question)
    ideals = {name: formula(question) for name, formula in IDCG_AGAIN.items() if "ideal" in name}
    ratios = {name: dcg / ideal for name, ideal in ideals.items() if ideal}
    ratios |= {"idcg_for_ndcg": best, "cg_given": IDCG_AGAIN["cg_given"](question)}
    ratios |= {"list_from_below": DCG_AGAIN["list_from_below"](question) / best}
    ratios |= {"dcg_for_ndcg": dcg, "zeros_dropped": DCG_AGAIN["zeros_dropped"](question) / best}
    if dcg:
        ratios["ratio_inverted"] = best / dcg
        gains = [gained(question, grade) for grade in question.grades[: question.k]]
        sweetest = max(gained(question, grade) for grade in question.pool or question.grades)
        ratios["dcg_over_cg"] = dcg / sum(gains)
        ratios["one_side_discounted"] = sum(gains) / best
        ratios["difference_for_ratio"] = best - dcg
        ratios["list_not_cut"] = DCG_AGAIN["k_ignored"](question) / best
        ratios["share_lost"] = (best - dcg) / best
        ratios["ratio_averaged"] = dcg / best / len(gains)
        ratios["mixed_logs"] = DCG_AGAIN["natural_log"](question) / best
        ratios["share_of_full_marks"] = sum(gains) / (len(gains) * sweetest)
    mixed = best_by_hand(question, gain=lambda grade: grade)
    ratios["mixed_gains"] = dcg_by_hand(question, gain=lambda grade: 2**grade - 1) / mixed
    return ratios


def sums_of_grades_again(question: Question) -> dict[str, float]:
    grades = [grade or 0 for grade in question.grades]
    first = grades[: question.k]
    return {
        "exponential_for_linear": sum(2**grade - 1 for grade in first),
        "discount_not_asked": sum(grade / math.log2(place + 2) for place, grade in enumerate(first)),
        "mean_not_sum": sum(first) / len(first),
        "first_term_dropped": sum(first[1:]),
        "last_term_dropped": sum(first[:-1]),
        "k_ignored": sum(grades),
        "ideal_for_cg": best_by_hand(question),
        "ndcg_given": dcg_by_hand(question) / best_by_hand(question),
    }


def one_rank_again(question: Question) -> dict[str, float]:
    rank = question.rank or 0
    gain = gained(question, question.grades[rank - 1]) if question.quantity != "discount" else 1
    if question.quantity == "gain":
        up_to = sum(gained(question, grade) for grade in question.grades[:rank])
        return {
            "discount_not_asked": gain / math.log2(rank + 1),
            "running_total_for_one": up_to,
            "rank_for_grade": gained(question, rank),
            "weight_for_gain": 1 / math.log2(rank + 1),
            "whole_sum_for_one": sum(gained(question, grade) for grade in question.grades),
        }
    return {
        "gain_forgotten": 1 / math.log2(rank + 1),
        "weight_lost": 1 - 1 / math.log2(rank + 1),
        "next_rank_read": sum(gained(question, grade) for grade in question.grades[rank : rank + 1])
        / math.log2(rank + 2),
        "term_for_weight": gained(question, question.grades[rank - 1]) / math.log2(rank + 1),
        "whole_sum_for_one": sum_by_hand(question, list(question.grades)),
        "natural_log": gain / math.log(rank + 1),
        "log10": gain / math.log10(rank + 1),
        "log2_rank_plus_two": gain / math.log2(rank + 2),
        "reciprocal_rank_discount": gain / rank,
        "no_discount": gain,
        "multiplied_by_log": gain * math.log2(rank + 1),
    }


def test_the_models_written_again_give_the_same_numbers() -> None:
    compared = dict.fromkeys(MISCONCEPTIONS, 0)
    for question, wrong in predicted():
        again = numbers_again(question)
        for name, value in wrong.items():
            if name in again:
                assert value == pytest.approx(again[name], rel=1e-12, abs=1e-12), (name, question)
                compared[name] += 1
    assert len([name for name, times in compared.items() if times >= 20]) >= 25, compared


# --- the worked bank ---------------------------------------------------------------------------------------


@each(
    ("quantity", "model", "expected"),
    [
        ("dcg", "exponential_for_linear", 9.3235),
        ("ndcg", "exponential_for_linear", 0.6985),
        ("ndcg", "mixed_gains", 1.4744),
        ("dcg", "natural_log", 6.7699),
        ("dcg", "log10", 15.5883),
        ("dcg", "log2_of_rank", 5.5),
        ("ndcg", "log2_of_rank", 0.7086),
        ("dcg", "log2_rank_plus_two", 3.2796),
        ("ndcg", "log2_rank_plus_two", 0.7067),
        ("dcg", "reciprocal_rank_discount", 4.25),
        ("ndcg", "reciprocal_rank_discount", 0.7846),
        ("ndcg", "ideal_from_retrieved", 0.9854),
        ("ndcg", "ratio_inverted", 1.3476),
        ("dcg", "no_discount", 6),
        ("ndcg", "no_discount", 0.6667),
        ("dcg", "multiplied_by_log", 8.4919),
        ("ndcg", "ideal_ascending", 3.4470),
    ],
)
def test_the_worked_bank(quantity: str, model: str, expected: float) -> None:
    question = Question(quantity, [3, 2, 0, 1], k=4, pool=[3, 3, 2, 1, 0, 0])
    assert predictions(question)[model] == pytest.approx(expected, abs=5e-5)


@each("model", ["natural_log", "log10"])
def test_ndcg_hides_the_base_of_the_logarithm(model: str) -> None:
    assert not MISCONCEPTIONS[model].applies(Question("ndcg", [3, 2, 0, 1]))


# --- the table ---------------------------------------------------------------------------------------------


def test_the_table_holds_what_the_course_needs() -> None:
    assert set(MISCONCEPTIONS) == OF_THE_COURSE | FURTHER | OF_SHARES | OF_TABLES


def test_every_model_stands_in_the_table() -> None:
    pending_classes: list[type[Misconception]] = [Misconception]
    model_ids = set()
    while pending_classes:
        model_class = pending_classes.pop()
        pending_classes += model_class.__subclasses__()
        if "id" in vars(model_class):
            model_ids.add(model_class.id)
    assert model_ids <= set(MISCONCEPTIONS)


def test_the_right_working_gives_the_answer() -> None:
    for question in SOME_QUESTIONS:
        assert right_working_of(question).value(question) == pytest.approx(answer(question), rel=1e-12)


def test_predictions_apply_and_differ() -> None:
    for question, wrong in predicted():
        truth = answer(question)
        for name, value in wrong.items():
            assert MISCONCEPTIONS[name].applies(question)
            assert math.isfinite(value)
            assert not math.isclose(value, truth, rel_tol=1e-9, abs_tol=1e-9)


@MODELS_OF_LISTS
def test_every_model_shows_somewhere_in_every_quantity_it_names(model) -> None:  # type: ignore[no-untyped-def]
    quantities = {question.quantity for question, wrong in predicted() if model.id in wrong}
    assert quantities == set(model.quantities) - set(SWAP_QUANTITIES)


def test_no_two_models_give_the_same_number_everywhere() -> None:
    together: dict[tuple[str, str, str], bool] = {}
    for question, wrong in predicted():
        for (first_model, value), (second_model, second_value) in combinations(wrong.items(), 2):
            key = (question.quantity, first_model, second_model)
            together[key] = together.get(key, True) and math.isclose(value, second_value)
    assert [key for key, always in together.items() if always] == []


@each(
    ("model", "question"),
    [
        ("ideal_ascending", Question("dcg", [1, 3])),
        ("ideal_ascending", Question("idcg", [2, 2])),
        ("ideal_not_sorted", Question("idcg", [3, 2, 1])),
        ("ideal_from_retrieved", Question("ndcg", [1, 3])),
        ("ideal_from_first_k", Question("ndcg", [1, 3], k=2)),
        ("ideal_not_cut", Question("ndcg", [1, 3], k=2)),
        ("k_ignored", Question("dcg", [1, 3])),
        ("linear_for_exponential", Question("dcg", [1, 3])),
        ("twice_the_grade", Question("ndcg", [1, 3], gain="exponential")),
        ("minus_one_in_exponent", Question("ndcg", [1, 3], gain="exponential")),
        ("exponential_for_linear", Question("dcg", [1, 0, 1])),
        ("exponential_for_linear", Question("dcg", [1, 3], gain="exponential")),
        ("exponential_for_linear", Question("dcg", [5000, 3])),
        ("mixed_gains", Question("ndcg", [0, 1])),
        ("mean_not_sum", Question("dcg", [3, 1], k=1)),
        ("k_ignored", Question("precision", [1, 0], k=2)),
        ("grades_for_hits", Question("recall", [1, 0])),
        ("only_sweetest_relevant", Question("average_precision", [1, 0])),
        ("divided_by_found", Question("recall", [1, 0, 2])),
    ],
)
def test_a_model_does_not_apply_where_it_changes_nothing(model: str, question: Question) -> None:
    assert not MISCONCEPTIONS[model].applies(question)
    assert model not in predictions(question)


def test_nothing_is_predicted_where_nothing_is_relevant() -> None:
    assert predictions(Question("ndcg", [0, 0, None], k=2)) == {}


def test_nothing_is_predicted_that_divides_by_zero() -> None:
    assert "ratio_inverted" not in predictions(Question("ndcg", [0, 0], pool=[0, 0, 3]))
    assert "ideal_ascending" not in predictions(Question("ndcg", [1, 0, 0], k=1, pool=[0, 1, 0]))


@MODELS
def test_the_words_of_a_model(model) -> None:  # type: ignore[no-untyped-def]
    assert model.step in STEPS
    assert model.thoughts
    assert all(thought.endswith("。") for thought in model.thoughts)
    assert model.hint.endswith("。")
    assert not model.mistake_clause.endswith("。")
    assert "：" not in model.hint + model.mistake_clause  # they are joined by one
    words = model.name + model.mistake_clause + model.hint + "".join(model.thoughts)
    assert not re.search(r"[,;:!?()]| ", words)


@MODELS
def test_the_words_are_those_of_the_questions(model) -> None:  # type: ignore[no-untyped-def]
    words = [model.name, model.mistake_clause, model.hint, *model.thoughts]
    assert not re.search(r"等级|第[一二三几k]名", "".join(words))  # a candy has 甜度, and sits at 第n位


@MODELS
def test_hints_never_contain_the_number(model) -> None:  # type: ignore[no-untyped-def]
    """What stands in the formula may be said: its 2, the 1 beside a rank or a gain, where counting begins."""
    formula = r"以2为底|ln2|lg2|2的甜度次方|2乘甜度|个2连乘|乘2|一个2一个2地"
    counting = r"[加减]1|加了1|第[12]位|从[01]数起|比名次少1|1分甜"
    nothing = r"0到1之间|[是离近]0|0分"
    other_words = re.sub(f"{formula}|{counting}|{nothing}", "", model.hint + model.mistake_clause)
    assert not re.search(r"\d", other_words)


@MODELS
def test_numbers_are_written_as_in_the_lessons(model) -> None:  # type: ignore[no-untyped-def]
    words = [model.name, model.mistake_clause, model.hint, *model.thoughts]
    assert not re.search(r"零|第[一二三]位|[加减]一(?![起遍])|加了一", "".join(words))


@each(
    "name",
    ["natural_log", "log10", "log2_of_rank", "log2_rank_plus_two", "reciprocal_rank_discount", "no_discount"],
)
def test_a_hint_that_is_followed_to_the_letter_leads_to_the_right_divisor(name: str) -> None:
    hint = MISCONCEPTIONS[name].hint
    assert "加1" in hint  # the logarithm of what
    assert "算出来的" not in hint  # what is mended is the logarithm, never the result


def test_whoever_forgot_the_cut_is_not_told_to_cut_before_sorting() -> None:
    """Beyond rank k nothing is gained, and yet the sweetest documents of there belong to the ideal."""
    question = Question("ndcg", [1, 0, 3], k=2)
    assert answer(question) == pytest.approx(1 / (3 + 1 / math.log2(3)))
    hint = MISCONCEPTIONS["k_ignored"].hint
    assert "不参加" not in hint
    assert "全部排好，再取前k位" in hint


def test_who_stopped_before_dividing_is_told_by_what_to_divide() -> None:
    hint = MISCONCEPTIONS["count_not_share"].hint
    assert all(word in hint for word in ("除以k", "相关文档的总数", "总对数"))


def test_the_numbers_come_in_the_order_of_the_steps() -> None:
    for former_model, model in pairwise(MISCONCEPTIONS.values()):
        is_in_order = STEPS.index(former_model.step) <= STEPS.index(model.step)
        assert is_in_order, (
            f"{model.id}（{model.step}） stands behind {former_model.id}（{former_model.step}）"
        )


def test_the_weights_of_long_lists_are_not_kept_for_ever() -> None:
    caches = [value for value in vars(discount_models).values() if hasattr(value, "cache_parameters")]
    assert len(caches) == 6
    assert all(cache.cache_parameters()["maxsize"] for cache in caches)
