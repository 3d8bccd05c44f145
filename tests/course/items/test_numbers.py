"""Numbers as learners write them; unreadable is not wrong."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.course.items.marks import Unreadable
from app.course.items.numbers import DECIMALS_OF_SUM, read
from tests.tables import each


@each(
    ("raw", "value"),
    [
        ("0.742", 0.742),
        ("  0.742 ", 0.742),
        ("０。７４２", 0.742),
        ("0．742", 0.742),
        ("。5", 0.5),
        ("3.", 3),
        ("3。", 3),
        ("0.952。", 0.952),
        ("０。９５２。", 0.952),
        ("95.2%。", 0.952),
        ("3+2/log₂3。", 3 + 2 / math.log2(3)),
        ("(1+2)．", 3),
        ("10.05", 10.05),
        ("1.005", 1.005),
        ("100.001", 100.001),
        ("007", 7),
        ("007+1", 8),
        ("1.005*1000+0010.05", 1015.05),
        ("00.5", 0.5),
        ("0", 0),
        ("－1.5", -1.5),
        ("−1.5", -1.5),
        ("—1.5", -1.5),
        ("+2", 2),
        ("1/2", 0.5),
        ("1÷2", 0.5),
        ("½", 0.5),
        ("2½", 2.5),
        ("２½", 2.5),
        ("-2½", -2.5),
        ("3*2½", 7.5),
        ("3/½", 6),
        ("⅓", 1 / 3),
        ("74.2%", 0.742),
        ("７４。２％", 0.742),
        ("3/(50%)", 6),
        ("50%/25%", 2),
        ("50%÷0.5%", 100),
        ("(1+2)/50%", 6),
        ("2^3/50%", 16),
        ("1-50%", 0.5),
        ("2^3-1", 7),
        ("2³-1", 7),
        ("2³－1", 7),
        ("2¹⁰", 1024),
        ("2**3", 8),
        ("-2^2", -4),
        ("2^0.5", math.sqrt(2)),
        ("3x2", 6),
        ("3×2", 6),
        ("3X2", 6),
        ("log2(3)", math.log2(3)),
        ("log₂(3)", math.log2(3)),
        ("LOG2（3）", math.log2(3)),
        ("log₂3", math.log2(3)),
        ("3÷log₂３+1／Log₂ 4.0", 3 / math.log2(3) + 0.5),
        ("log2 8", 3),
        ("2/(ln3/ln2)", 2 / math.log2(3)),
        ("3＋2÷Ln（3）", 3 + 2 / math.log(3)),
        ("2 / lg 3.5", 2 / math.log10(3.5)),
        ("lb(8)", 3),
        ("3+2/1.585", 3 + 2 / 1.585),
        ("3 + 2 / log2( 3 )", 3 + 2 / math.log2(3)),
        ("（3＋2）×2", 10),
        ("=0.742", 0.742),
        ("≈0.742", 0.742),
        ("＝ 3＋1", 4),
        ("--1", 1),
        ("1 1/2", 1.5),
        ("１　１／２", 1.5),
        ("-2 1 / 2", -2.5),
        ("3*2 1/2", 7.5),
        ("0. 742", 0.742),
    ],
)
def test_is_read_as_it_was_meant(raw: str, value: float) -> None:
    assert read(raw).value == pytest.approx(value, abs=1e-12)


@each(
    "raw",
    [
        "abc",
        "三",
        "0,742",
        "0，742",
        "1、2",
        "1.2.3",
        "3:4",
        "x3",
        "X3",
        "3;4",
        "1/0",
        "1/(2-2)",
        "0^-1",
        "log2(0)",
        "log2(-1)",
        "log2()",
        "log2(1,2)",
        "log10(5)",
        "ln(0)",
        "ln",
        "lnx",
        "log2",
        "(-8)^0.5",
        "9^99",
        "101^2",
        "2^41",
        "9^9^9^9",
        "2^(2^(2^(2^9)))",
        "1e999",
        "nan",
        "inf",
        "∞",
        "1j",
        "0x1f",
        "1_000",
        "1e5",
        "true",
        "3(2)",
        "(3)(2)",
        "50%(2)",
        "3//2",
        "5%3",
        "3 #2",
        "'3'",
        "[3]",
        "3 if 1 else 2",
        "lambda:3",
        "__import__('os').system('true')",
        "(1).__class__",
        "open('x')",
        "print(1)",
        "x:=3",
        "3\x00",
        "\ud800",
        "=",
        "()",
        "(((",
        "%",
        "½½½½",
    ],
)
def test_what_cannot_be_read_says_so_in_chinese(raw: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(raw)
    assert str(caught.value).endswith("。")


@each("raw", ["", "   ", "　", "\t\n", "＝"])
def test_empty_is_told_apart(raw: str) -> None:
    with pytest.raises(Unreadable, match="还空着"):
        read(raw)


def test_a_very_long_sum_is_refused_before_it_is_read() -> None:
    with pytest.raises(Unreadable, match="太长了"):
        read("+".join("1" * 500))
    with pytest.raises(Unreadable, match="太长了"):
        read("(" * 100_000)


@each("raw", ["1" * 200_000, "1 " * 100_000, "½" * 200_000, "1." * 100_000])
def test_a_page_of_digits_is_refused_before_it_is_looked_at(raw: str) -> None:
    with pytest.raises(Unreadable, match="太长了"):
        read(raw)


def test_a_comma_is_explained_and_shown_shortened() -> None:
    for two_numbers in ("0，742", "1,2", "1、2"):
        with pytest.raises(Unreadable, match=f"“{two_numbers}”里有逗号：小数点请写成"):
            read(two_numbers)
    with pytest.raises(Unreadable) as caught:
        read("1," + " " * 200 + "2")
    assert len(str(caught.value)) < 80


@each("raw", ["5 0", "5　0", "3 2 1", "0.7 0.8", "1 1/2 3", "1.5 1/2", "1 1/2/3", "3/1 2"])
def test_two_numbers_never_become_one(raw: str) -> None:
    """A number of both their digits would be marked wrong, and nobody would know why."""
    with pytest.raises(Unreadable, match="一格只写一个数"):
        read(raw)


def test_dividing_by_zero_is_explained() -> None:
    with pytest.raises(Unreadable, match="除以了0"):
        read("1/(3-3)")


@each("raw", ["0.742", "3", "-1.5", " 0.742 ", "1" * 80])
def test_plain_digits_need_no_echo(raw: str) -> None:
    assert read(raw).is_plain


@each("raw", ["０.742", "0。742", "74.2%", "1/2", "½", "+3", "=3", "2³", "（3）", "－1"])
def test_everything_else_is_echoed(raw: str) -> None:
    assert not read(raw).is_plain


@each(
    ("raw", "echo"),
    [
        ("0。742", "0.742"),
        ("74.2%", "0.742"),
        ("2/3", "0.6667"),
        ("100", "100"),
        ("10.050", "10.05"),
        ("0", "0"),
        ("-0", "0"),
        ("-1/100000", "0"),
        ("-1.50", "-1.5"),
        ("9" * 60, "1e+60"),
        ("999999999", "999999999"),
        ("1000000000", "1e+09"),
        ("-1234567890", "-1.235e+09"),
    ],
)
def test_the_echo_is_short(raw: str, echo: str) -> None:
    assert read(raw).echo_text == echo


@each(
    ("raw", "decimals"),
    [
        *((raw, 0) for raw in ("3", "3.", "３。", "007", "-7", "+12")),
        *((raw, 1) for raw in (".5", "0.5", "-.5", "－。５", "10 000.5")),
        *((raw, 2) for raw in ("0.63", ".63", "．63", "０．６３", "０。６３", "+0.63", "＋.63", " 0.63　")),
        *((raw, 2) for raw in ("0.60", "=0.63", "≈.63", "0. 63", "63%", "63 %", "６３％", "+63%", "63.%")),
        *(
            (raw, 3)
            for raw in ("0.630", "0.630。", "0.630.", "63.0%", "63.1 %", "６３。１％", ".5%", "-0.5%")
        ),
        ("300%", 2),
        ("100.25%", 4),
    ],
)
def test_the_decimals_are_those_that_were_shown(raw: str, decimals: int) -> None:
    """A sign, a missing zero or the width of a digit shows none; a percentage shows two more than it has."""
    assert read(raw).decimals == decimals


@each("raw", ["1/2", "½", "2½", "63/100", "1/(2%)", "1-50%", "0.6+0.03", "3×2", "2³", "log2(3)", "（0.63）"])
def test_a_sum_was_not_rounded_when_it_was_written(raw: str) -> None:
    assert read(raw).decimals == DECIMALS_OF_SUM


@each("raw", ["0,63", "0，63", "6.3e-1", "0.63%%", "%63", "0.63。。", "。", "0。6。3"])
def test_what_shows_no_number_is_refused(raw: str) -> None:
    with pytest.raises(Unreadable):
        read(raw)


@given(st.decimals(-1000, 1000, places=3))
def test_every_decimal_is_itself_in_both_widths(number: object) -> None:
    written = f"{number}"
    wide = written.translate(str.maketrans("0123456789.-", "０１２３４５６７８９。－"))
    assert read(written).value == read(wide).value == float(written)


@given(st.text(max_size=90))
def test_anything_is_a_number_or_unreadable(raw: str) -> None:
    try:
        value = read(raw).value
    except Unreadable:
        return
    assert math.isfinite(value)


@each(
    ("raw", "value"),
    [
        ("2^-1", 0.5),
        ("1^-1", 1.0),
        ("0^0", 1.0),
        ("0^1", 0.0),
        ("2^40", 2.0**40),
        ("100^2", 10_000.0),
        ("1" * 80, float("1" * 80)),
        ("1+" * 39 + "11", 50.0),
        (" " * 319 + "7", 7.0),
    ],
)
def test_the_largest_and_the_smallest_that_is_still_read(raw: str, value: float) -> None:
    assert read(raw).value == value


@each(
    ("raw", "sentence"),
    [
        ("0^-1", "^这个算式里除以了0，检查一下分母。$"),
        ("2^41", "认不出“2^41”".replace("^", r"\^")),
        ("2^-41", "认不出"),
        ("101^2", "认不出"),
        ("100^40*100^40*100^40*100^40", "^这个算式的结果太大了，检查一下。$"),
        ("1" * 81, "最多80个字"),
        (" " * 320 + "7", "最多80个字"),
        ("a" * 30, "^认不出“a{20}”"),
        ("3/50%", r"^“3/50%”可以读成百分之3/50，也可以读成3÷50%：写成\(3/50\)/100，或者3/\(50%\)。$"),
        ("５÷２％", "^“５÷２％”可以读成百分之5/2，也可以读成5÷2%"),
        ("1+3/5.5%", "可以读成百分之3/5.5，"),
        ("1/.5%", "可以读成百分之1/.5，"),
        ("2×13/2%", "可以读成百分之13/2，"),
    ],
)
def test_what_goes_too_far_is_refused_with_a_sentence(raw: str, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        read(raw)
