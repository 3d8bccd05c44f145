"""填空题: what fills a blank, what is near enough, what cannot be read, what part of it counts."""

from contextlib import suppress

import pytest
from pydantic import ValidationError

from app.course.items.kinds import Blank, FillInBlanks
from app.course.items.kinds.base import UNFILLED_SIGN
from app.course.items.marks import Unreadable
from tests.course.small import course
from tests.tables import each


def fill(*blanks: Blank) -> FillInBlanks:
    return FillInBlanks(kind="fill", skill="s", stem="____", blanks=list(blanks))


WORD = Blank(accept=["倒排索引", "Inverted Index"])
NUMBER = Blank(accept=["0.63"])
NEAR = Blank(accept=["5"], tolerance=0.5)
EITHER = Blank(accept=["2", "二"])
THIRD = Blank(accept=["1/3"])
THIRD_WITHIN = Blank(accept=["1/3"], tolerance=0.001)
EIGHTH = Blank(accept=["1/8"])
PERCENTAGE = Blank(accept=["63%"])
ROUNDED_PERCENTAGE = Blank(accept=["66.7%"])
PERCENTAGE_WITHIN = Blank(accept=["63%"], tolerance=1)
EITHER_WITHIN = Blank(accept=["63%", "0.63"], tolerance=0.02)


@each(
    ("blank", "text"),
    [
        (WORD, " 倒排 索引。"),
        (WORD, "ｉｎｖｅｒｔｅｄ index"),
        (NUMBER, "0.625"),
        (NUMBER, "０。６３"),
        (NUMBER, "63%"),
        (NEAR, "5.5"),
        (NEAR, "9/2"),
        (EITHER, "二"),
        (EITHER, "2.0"),
        *((THIRD, text) for text in ("1/3", "2/6", "0.33", "0.333", "0.3333333", "33.3%")),
        (THIRD_WITHIN, "0.333"),
        (EIGHTH, "0.125"),
        *((PERCENTAGE, text) for text in ("63％", "0.63", ".630", "63/100")),
        *((ROUNDED_PERCENTAGE, text) for text in ("0.667", "66.67%", "2/3", "66.65%")),
        *((PERCENTAGE_WITHIN, text) for text in ("62%", "0.64", "63.5 %")),
        *((EITHER_WITHIN, text) for text in ("61%", "0.65")),
    ],
)
def test_what_means_the_same_fills_a_blank(blank: Blank, text: str) -> None:
    mark = fill(blank).mark([text])
    assert (mark.verdict, mark.score) == ("right", 1.0)


@each(
    ("blank", "text"),
    [
        *((WORD, text) for text in ("正排索引", "0")),
        (NUMBER, "0.636"),
        (NEAR, "5.51"),
        *((EITHER, text) for text in ("三", "2.01")),
        *((THIRD, text) for text in ("0.3", "0.334", "0.335", "0.3331")),
        (THIRD_WITHIN, "0.33"),
        *((EIGHTH, text) for text in ("0.12", "0.13")),
        *((PERCENTAGE, text) for text in ("63", "63.4%", "0.634")),
        *((ROUNDED_PERCENTAGE, text) for text in ("67%", "66.6%", "0.66")),
        *((PERCENTAGE_WITHIN, text) for text in ("0", "1", "64.1%", "61.9%", "63")),
    ],
)
def test_what_means_something_else_does_not(blank: Blank, text: str) -> None:
    mark = fill(blank).mark([text])
    assert (mark.verdict, mark.score) == ("wrong", 0.0)


def test_a_blank_that_was_empty_at_the_hand_in_costs_only_itself() -> None:
    mark = fill(WORD, NUMBER).mark(["倒排索引", UNFILLED_SIGN])
    assert (mark.verdict, mark.score, mark.feedback[0]) == ("wrong", 0.5, "第2空不对，别的都对。")
    sign = Blank(accept=["="])
    assert fill(sign, sign).mark(["=", UNFILLED_SIGN]).score == 0.5, "no typed sign stands for it"
    dash = sign.model_copy(update={"accept": ["—"]})
    assert fill(dash, dash).mark(["—", "—"]).verdict == "right"


def test_a_word_where_only_numbers_count_costs_no_try() -> None:
    with pytest.raises(Unreadable, match="第2空：认不出“很多”"):
        fill(WORD, NUMBER).mark(["倒排索引", "很多"])
    with pytest.raises(Unreadable, match="第1空：这里还空着"):
        fill(WORD, NUMBER).mark(["", "0.63"])
    with pytest.raises(Unreadable, match="数目对不上"):
        fill(WORD).mark(["甲", "乙"])
    with pytest.raises(Unreadable, match="最多80个字"):
        fill(WORD).mark(["甲" * 81])


@each("blank", [NUMBER, NEAR, THIRD, PERCENTAGE, PERCENTAGE_WITHIN, Blank(accept=["63%", "0.63", "5/8"])])
def test_words_cost_no_try_where_a_number_or_a_ratio_is_the_key(blank: Blank) -> None:
    with pytest.raises(Unreadable, match="认不出“百分之六十三”"):
        fill(blank).mark(["百分之六十三"])
    for proof in fill(blank).proofs():
        assert (fill(blank).mark(proof.raw_answer).score == 1) == proof.is_right


def test_a_word_beside_a_ratio_that_is_not_the_accepted_one_is_wrong() -> None:
    half = fill(Blank(accept=["50%", "一半"]))
    assert half.mark(["一半"]).score == 1
    assert half.mark(["百分之五十"]).verdict == "wrong"


def test_each_blank_is_worth_its_share() -> None:
    mark = fill(WORD, NUMBER, EITHER).mark(["倒排索引", "0.9", "二"])
    assert (mark.verdict, round(mark.score, 3)) == ("wrong", 0.667)
    assert mark.feedback == ("第2空不对，别的都对。",)


def test_only_a_number_has_a_tolerance_and_the_solution_says_it() -> None:
    with pytest.raises(ValidationError, match="只能跟数写在一起"):
        Blank(accept=["甲"], tolerance=0.1)
    gap = course().items["gap"]
    assert gap.solution() == ["第1空：前面，或者前", "第2空：0.63（误差不超过0.02）"]
    assert PERCENTAGE_WITHIN.accepted_words == "63%（误差不超过1个百分点）"
    assert EITHER_WITHIN.accepted_words == "63%，或者0.63（误差不超过0.02）"


def test_a_tolerance_of_a_percentage_that_was_written_as_a_share_stays_one() -> None:
    """It stands in contents of teachers, and in answers that were marked by it."""
    blank = Blank(accept=["63%"], tolerance=0.01)
    answers = ("62%", "0.635", "64%", "61.9%", "0.65")
    assert [blank.accepts(typed_text) for typed_text in answers] == [True, True, True, False, False]
    assert blank.accepted_words == "63%（误差不超过1个百分点）"


@pytest.mark.parametrize(
    ("accepted", "tolerance", "right", "wrong"),
    [
        (["63%", "0.63"], 1, ("0.62", "0.64", "64%"), ("0", "1", "1.6", "0.5", "65%")),
        (["67%", "2/3"], 1, ("0.66", "0.676", "67.6%"), ("0.5", "1", "1.6")),
        (["0.63", "63%"], 0.02, ("0.61", "65%"), ("0.6", "66%")),
        (["63%", "63"], 1, ("64%", "62", "0.62"), ("1", "65")),
        (["63%", "0.63", "5"], 1, ("4", "6", "0.64"), ("3.9", "0.65")),
        (["63%", "0.6"], 1, ("0.59", "0.61"), ("0.58", "1.5")),
        (["0%", "0"], 1, ("0.01", "0"), ("0.5", "1")),
        (["0.63"], 1, ("1.6", "-0.3"), ("1.7",)),
    ],
)
def test_the_share_beside_a_percentage_has_its_tolerance(
    accepted: list[str], tolerance: float, right: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    blank = Blank(accept=accepted, tolerance=tolerance)
    assert [typed_text for typed_text in right if not blank.accepts(typed_text)] == []
    assert [typed_text for typed_text in wrong if blank.accepts(typed_text)] == []


def test_the_tolerance_of_a_percentage_and_its_share_is_told_in_points() -> None:
    blank = Blank(accept=["63%", "0.63"], tolerance=1)
    assert blank.accepted_words == "63%，或者0.63（误差不超过1个百分点）"
    assert Blank(accept=["63%", "63"], tolerance=1).accepted_words == "63%，或者63（误差不超过1）"


@pytest.mark.parametrize(
    ("accepted", "typed"), [("5", ".5"), ("5", "。5"), (".5", "5"), ("12", "1 2"), ("21/2", "2 1/2")]
)
def test_a_point_or_a_space_makes_another_number(accepted: str, typed: str) -> None:
    blank = Blank(accept=[accepted])
    with suppress(Unreadable):
        assert not blank.accepts(typed)
