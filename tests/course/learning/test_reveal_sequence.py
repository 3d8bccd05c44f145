"""The opening sequence: what is asked before each thing is opened, and what is true."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import engine
from app.course.items.examples import Document, Example
from app.course.items.marks import Unreadable
from app.course.learning.reveal_sequence import (
    GuessStyle,
    RevealPosition,
    judge_guess,
    next_reveal,
    reveal_sequence,
)
from tests.course.small import changed, course, parsed
from tests.published import published
from tests.tables import each

STYLES: tuple[GuessStyle, ...] = ("compare", "choose", "number")


def example(
    grades: list[float | None], k: int | None = None, gain: str = "linear", pool: list[float] | None = None
) -> Example:
    documents = [Document(title="一篇", grade=grade) for grade in grades]
    return Example.model_validate({"title": "例", "documents": documents, "k": k, "gain": gain, "pool": pool})


EXAMPLES = {
    "plain": example([1, 3, 2, 0]),
    "cut": example([4, 1, 3, 4, 0], 3),
    "k beyond the list": example([2, 1], 5),
    "a pool larger than the list": example([2, 1], 5, pool=[2, 1, 3, 3, 0]),
    "a pool and no cut": example([2, 1], None, pool=[2, 1, 3]),
    "ideal already": example([3, 2, 1]),
    "all the same": example([2, 2, 2]),
    "nothing sweet": example([0, 0, 0]),
    "nothing sweet in the list": example([0, 0], 2, pool=[0, 0, 3]),
    "one document": example([3]),
    "one document of nothing": example([0]),
    "unjudged": example([None, 3, None, 1]),
    "all unjudged": example([None, None]),
    "exponential": example([2, 3, 1], 3, "exponential"),
    "halves": example([0.5, 2.5, 1.5]),
    "tiny": example([0.001, 0.002]),
    "twelve": example([3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2], 12),
}
CASES = [pytest.param(one, style, id=f"{name}-{style}") for name, one in EXAMPLES.items() for style in STYLES]


@each(("worked_example", "style"), CASES)
def test_the_sequence_is_terms_then_ideal_order_then_ideal_terms_then_ratio(
    worked_example: Example, style: GuessStyle
) -> None:
    sequence = reveal_sequence(worked_example, style)
    assert [opening.position for opening in sequence] == list(range(1, len(sequence) + 1))
    kinds = [opening.kind for opening in sequence]
    ideal = len(worked_example.trace.ideal_terms)
    assert kinds == ["term"] * len(worked_example.trace.terms) + ["ideal_order"] + ["ideal_term"] * ideal + [
        "ratio"
    ]
    assert all(opening.prompt and opening.button_text and opening.reason for opening in sequence)


@each(("worked_example", "style"), CASES)
def test_exactly_one_choice_is_the_truth(worked_example: Example, style: GuessStyle) -> None:
    for opening in reveal_sequence(worked_example, style):
        values = [choice.value for choice in opening.choices]
        if opening.guess_mode == "choices":
            assert len(values) >= 2
            assert len(set(values)) == len(values)
            assert values.count(opening.right_guess) == 1
            marks = [judge_guess(opening, worked_example, value).is_right for value in values]
            assert marks.count(True) == 1
            assert marks.count(None) == 0
        else:
            assert not values


@each(("worked_example", "style"), CASES)
def test_the_truth_is_the_engine_s(worked_example: Example, style: GuessStyle) -> None:
    for opening in reveal_sequence(worked_example, style):
        if opening.guess_mode == "plain":
            continue
        term = worked_example.trace.terms[(opening.rank or 1) - 1] if opening.kind == "term" else None
        if opening.guess_mode == "number" or opening.right_guess.replace(".", "").isdigit():
            exact = term.value if term else worked_example.trace.ndcg
            assert opening.kind in ("term", "ratio", "ideal_order")
            if opening.kind != "ideal_order":
                assert float(opening.right_guess) == pytest.approx(exact, abs=0.005)


@each(("worked_example", "style"), CASES)
def test_a_straight_look_is_neither_right_nor_wrong(worked_example: Example, style: GuessStyle) -> None:
    for opening in reveal_sequence(worked_example, style):
        judged = judge_guess(opening, worked_example, None)
        assert (judged.is_right, judged.text) == (None, opening.reason)


def numbers_of(worked_example: Example) -> list[RevealPosition]:
    return [
        opening for opening in reveal_sequence(worked_example, "number") if opening.guess_mode == "number"
    ]


@each("worked_example", EXAMPLES.values())
def test_a_typed_guess_may_be_exact_or_come_from_printed_figures(worked_example: Example) -> None:
    for opening in numbers_of(worked_example):
        assert judge_guess(opening, worked_example, opening.right_guess).is_right is True
        if opening.kind == "ratio":
            dcg, idcg = round(worked_example.trace.dcg, 3), round(worked_example.trace.idcg, 3)
            if not idcg:
                continue
            assert f"{dcg:.3f}" in opening.prompt
            assert judge_guess(opening, worked_example, f"{dcg / idcg:.2f}").is_right is True
            assert judge_guess(opening, worked_example, f"{dcg / idcg:.3f}").is_right is True
            assert judge_guess(opening, worked_example, f"{dcg:.3f}/{idcg:.3f}").is_right is True
            assert (
                judge_guess(opening, worked_example, f"{worked_example.trace.ndcg + 0.03:.2f}").is_right
                is False
            )
        else:
            term = worked_example.trace.terms[(opening.rank or 1) - 1]
            log = round(1 / term.discount, 3)
            assert judge_guess(opening, worked_example, f"{term.gain}/{log}").is_right is True
            assert (
                judge_guess(opening, worked_example, f"{term.gain * round(term.discount, 3):.2f}").is_right
                is True
            )
            assert judge_guess(opening, worked_example, f"{term.value + 0.05:.2f}").is_right is False


def test_short_video_takes_both_ratios() -> None:
    worked_example = EXAMPLES["plain"]
    ratio = reveal_sequence(worked_example, "number")[-1]
    assert "DCG 3.893，IDCG 4.762" in ratio.prompt
    verdicts = [
        judge_guess(ratio, worked_example, raw).is_right
        for raw in ("0.82", "0.817", "0.818", "81.7%", "0.80", "1.22")
    ]
    assert verdicts == [
        True, True, True, True, False, False,
    ]  # fmt: skip


def test_a_typed_guess_is_diagnosed() -> None:
    worked_example = EXAMPLES["plain"]
    judged = judge_guess(reveal_sequence(worked_example, "number")[-1], worked_example, "1.22")
    assert judged.misconception_code == "ratio_inverted"
    assert judged.text.startswith("你算的是1.22。你把分子和分母放反了")
    assert (
        judge_guess(reveal_sequence(worked_example, "number")[-1], worked_example, "0.82").misconception_code
        is None
    )


def test_a_guess_that_cannot_be_read_is_unreadable_and_a_choice_that_is_none_is_a_straight_look() -> None:
    worked_example = EXAMPLES["plain"]
    with pytest.raises(Unreadable):
        judge_guess(reveal_sequence(worked_example, "number")[1], worked_example, "多少")
    with pytest.raises(Unreadable):
        judge_guess(reveal_sequence(worked_example, "number")[1], worked_example, "")
    assert (
        judge_guess(reveal_sequence(worked_example, "compare")[1], worked_example, "<b>junk</b>").is_right
        is None
    )
    assert (
        "junk"
        not in judge_guess(reveal_sequence(worked_example, "compare")[1], worked_example, "<b>junk</b>").text
    )
    assert judge_guess(reveal_sequence(worked_example, "compare")[0], worked_example, "more").is_right is None


@given(st.lists(st.integers(0, 4), min_size=2, max_size=8))
def test_more_less_and_same_say_what_the_engine_says(grades: list[float]) -> None:
    worked_example = example(list(grades))
    trace = worked_example.trace
    for opening in reveal_sequence(worked_example, "compare"):
        if opening.guess_mode != "choices" or opening.right_guess not in ("more", "less", "same"):
            continue
        rank = opening.rank or 0
        value, other_value = trace.terms[rank - 1].value, trace.terms[rank - 2].value
        assert opening.right_guess == (
            "same" if abs(value - other_value) < 1e-9 else "more" if value > other_value else "less"
        )


def test_ties_are_the_same() -> None:
    """2 at rank 1 and 4 at rank 3 both give 2."""
    worked_example = example([1, 2, 4, 2])
    values = [term.value for term in worked_example.trace.terms]
    assert values[2] == 2.0
    assert reveal_sequence(worked_example, "compare")[2].right_guess == "more"


@each(("worked_example", "style"), CASES)
def test_terms_of_the_ideal_open_together(worked_example: Example, style: GuessStyle) -> None:
    """One question for all of them; a link into their midst leads to the same question."""
    sequence = reveal_sequence(worked_example, style)
    terms, ideal = len(worked_example.trace.terms), len(worked_example.trace.ideal_terms)
    last = sequence[terms + ideal]
    assert [opening.position for opening in sequence if opening.first_position != opening.position] == (
        [last.position] if ideal > 1 else []
    )
    for opened_count in range(len(sequence)):
        asked_opening = next_reveal(sequence, opened_count)
        inside = terms + 1 <= opened_count < last.position
        assert asked_opening == (last if inside else sequence[opened_count])
    assert next_reveal(sequence, len(sequence)) is None


def test_the_term_that_grew_most_is_asked_for() -> None:
    """4 1 3 4 0 cut at 3: ranks 1 to 3 become 4 4 3, so only the second grows, by 3/log2(3)."""
    grown = reveal_sequence(EXAMPLES["cut"], "compare")[6]
    assert grown.right_guess == "rank-2"
    assert "第2项涨得最多，从0.63到2.52" in grown.reason
    assert judge_guess(grown, EXAMPLES["cut"], "rank-2").is_right is True
    assert judge_guess(grown, EXAMPLES["cut"], "rank-1").is_right is False
    longer = reveal_sequence(EXAMPLES["a pool larger than the list"], "compare")[7]
    assert longer.right_guess == "rank-2", "3 at rank 2 instead of 1: 1.26 more; a new 2 at rank 3 is 1.00"


def test_an_ideal_order_grows_nowhere() -> None:
    same = reveal_sequence(EXAMPLES["ideal already"], "compare")[6]
    assert same.right_guess == "none"
    assert "IDCG就是DCG" in same.reason


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8))
def test_what_grew_most_is_unlike_the_other_choices(grades: list[float]) -> None:
    """Counted anew from the grades: sorted against given, each at its own discount."""
    worked_example = example(list(grades))
    opening = reveal_sequence(worked_example)[-2]
    best = sorted(grades, reverse=True)
    pairs = enumerate(zip(best, grades, strict=True), 1)
    growth = [(new - old) / math.log2(rank + 1) for rank, (new, old) in pairs]
    values = [choice.value for choice in opening.choices if choice.value != "none"]
    ranks = {value: growth[int(value.removeprefix("rank-")) - 1] for value in values}
    if max(growth) < 1e-9:
        assert opening.right_guess == "none"
    else:
        assert ranks[opening.right_guess] == pytest.approx(max(growth))
        assert [value for value in ranks.values() if value > max(growth) - 1e-9] == [
            ranks[opening.right_guess]
        ]


def test_guesses_to_click_are_the_truth_and_two_mistakes() -> None:
    second = reveal_sequence(EXAMPLES["plain"], "choose")[1]
    assert {choice.value for choice in second.choices} == {"1.89", "3.00", "1.50"}
    ratio = reveal_sequence(EXAMPLES["plain"], "choose")[-1]
    assert {choice.value for choice in ratio.choices} == {"0.817", "1.223", "3.893"}


def test_a_ratio_with_nothing_to_tell_apart_is_a_straight_look() -> None:
    assert reveal_sequence(EXAMPLES["ideal already"], "choose")[-1].guess_mode == "plain"
    assert reveal_sequence(EXAMPLES["nothing sweet in the list"], "choose")[-1].guess_mode == "plain"


def test_the_truth_does_not_always_stand_in_the_same_place() -> None:
    places = set()
    for grades in ([1, 3, 2], [4, 1, 3], [2, 2, 1], [1, 4, 4], [0, 1, 2], [3, 3, 1]):
        second = reveal_sequence(example(list(grades)), "choose")[1]
        places.add([choice.value for choice in second.choices].index(second.right_guess))
    assert len(places) > 1


def test_a_gain_that_is_not_the_grade_is_said() -> None:
    second = reveal_sequence(EXAMPLES["exponential"], "number")[1]
    assert "甜度3，增益2³−1=7" in second.prompt
    assert second.right_guess == "4.42"
    assert second.reason == "第2位甜度3，增益2³−1=7，除以log₂(3)，这一项是4.42。"


def test_nothing_is_divided_at_the_first_position() -> None:
    """The first term of the course is opened before any logarithm was told."""
    assert reveal_sequence(EXAMPLES["plain"])[0].reason == "第1位甜度1，不打折，这一项就是1.00。"


def test_a_ratio_is_read_as_a_share_of_full_marks() -> None:
    ratio = reveal_sequence(EXAMPLES["plain"])[-1]
    assert ratio.reason == "3.8928÷4.7619≈0.817：满分的82%。"
    assert reveal_sequence(EXAMPLES["ideal already"])[-1].reason.endswith("=1.000：正好满分。")


def test_what_was_not_judged_is_said() -> None:
    sequence = reveal_sequence(EXAMPLES["unjudged"], "compare")
    assert "未标注，按甜度0算" in sequence[0].reason
    assert "未标注，按甜度0算" in sequence[2].prompt


def test_the_ideal_of_a_pool_speaks_of_the_pool() -> None:
    order = reveal_sequence(EXAMPLES["a pool larger than the list"], "compare")[2]
    assert order.prompt == "评判池里的糖都拿来，前5位怎样排才最好？"
    assert order.right_guess == "3 3 2 1 0"
    assert "手里还是这些糖" not in order.reason


def test_without_anything_sweet_the_rule_is_named() -> None:
    assert "按约定，NDCG记作0" in reveal_sequence(EXAMPLES["nothing sweet"], "number")[-1].reason


def test_an_order_that_is_ideal_already_is_said() -> None:
    """Two choices are left even then: it, and the wrong way round."""
    order = reveal_sequence(EXAMPLES["ideal already"], "compare")[3]
    assert {choice.value for choice in order.choices} == {"3 2 1", "1 2 3"}
    assert "系统给的正好就是它" in reveal_sequence(EXAMPLES["all the same"], "compare")[3].reason


def test_a_convention_states_its_cut_and_its_pool() -> None:
    assert "截断k=5" in EXAMPLES["a pool larger than the list"].convention_words
    assert "评判池" in EXAMPLES["a pool larger than the list"].convention_words
    assert "不截断" in EXAMPLES["a pool and no cut"].convention_words
    assert "指数增益" in EXAMPLES["exponential"].convention_words


def test_the_course_keeps_openings_in_the_style_of_the_first_lesson() -> None:
    small = course()
    assert small.reveal_positions("tea") == reveal_sequence(small.examples["tea"], "compare")
    assert small.reveal_positions("tea") is small.reveal_positions("tea")


def test_an_example_that_is_shown_twice_is_guessed_as_it_was_first() -> None:
    lesson = "      - {id: sort, kind: ask, item: sort}\n"
    again = "      - {id: once-more, kind: example, example: tea, guess: number}\n"
    small = parsed(changed("01-first/lesson.yaml", lesson, lesson + again))
    assert small.guess_style_by_example_id == {"tea": "compare"}


def test_engine_and_openings_agree_on_the_ratio() -> None:
    worked_example = EXAMPLES["cut"]
    assert f"{engine.ndcg([4, 1, 3, 4, 0], 3):.3f}" in reveal_sequence(worked_example)[-1].reason


RATIO_GUESSES = ["0.9", "0.95", "0.8", "0.7", "0.5", "1.0"]


@each("guess", RATIO_GUESSES)
@each("name", ["short-video", "full-walk", "movies-at-3", "blind-date", "chengdu-food"])
def test_a_rough_guess_at_the_ratio_is_never_told_a_mistake_that_cannot_have_been_made(
    name: str, guess: str
) -> None:
    """Both sums stand on the screen: only the division is left to go wrong."""
    worked_example = published().examples[name]
    judged = judge_guess(reveal_sequence(worked_example, "number")[-1], worked_example, guess)
    assert judged.misconception_code is None
    assert judged.text.startswith(("你算的是", "算对了"))


def test_a_division_the_wrong_way_round_is_still_named() -> None:
    worked_example = published().examples["full-walk"]
    ratio = reveal_sequence(worked_example, "number")[-1]
    upside_down = f"{worked_example.trace.idcg / worked_example.trace.dcg:.2f}"
    assert judge_guess(ratio, worked_example, upside_down).misconception_code == "ratio_inverted"


def test_a_rough_guess_at_a_term_names_nothing_and_a_fine_one_does() -> None:
    worked_example = published().examples["full-walk"]
    term = reveal_sequence(worked_example, "number")[1]
    assert judge_guess(term, worked_example, "1.3").misconception_code is None
    undivided = judge_guess(term, worked_example, "3.17")
    assert undivided.misconception_code == "multiplied_by_log"


@each(
    ("grades", "why"),
    [
        ([3, 2], "没那么甜，折也更重"),
        ([2, 2], "一样甜，只是折更重了"),
        ([1, 3], "可它甜得多"),
        ([4, 5], "没追上"),
    ],
)
def test_a_comparison_says_why(grades: list[float | None], why: str) -> None:
    worked_example = example(grades)
    opening = reveal_sequence(worked_example, "compare")[1]
    for choice in opening.choices:
        assert why in judge_guess(opening, worked_example, choice.value).text
    assert f"上一项{worked_example.trace.terms[0].value:.2f}" in opening.reason


@each("name", sorted(published().examples))
def test_the_printed_quotient_is_that_of_the_printed_figures(name: str) -> None:
    worked_example = published().examples[name]
    reason = reveal_sequence(worked_example)[-1].reason
    above, _, below = re.split("[=≈]", reason)[0].partition("÷")
    if below:
        assert f"{float(above) / float(below):.3f}" == f"{worked_example.trace.ndcg:.3f}"


@each("style", STYLES)
def test_a_half_is_rounded_as_at_school(style: GuessStyle) -> None:
    """2.25 at the third rank is 1.125: Python prints it as 1.12."""
    third_term = reveal_sequence(example([3, 1, 2.25]), style)[2]
    assert "1.13" in third_term.reason
    assert "1.12" not in f"{third_term.reason}{third_term.choices}{third_term.right_guess}"
