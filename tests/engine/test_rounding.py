"""Figures as they stand on paper: rounded as in school, cut off, and as the tutor prints them."""

import math

from hypothesis import given
from hypothesis import strategies as st

from app.course.items.printed_figures import rounded_text
from app.engine.rounding import rounded_figure, truncated_figure
from tests.tables import each


def test_an_exact_number_cannot_be_cut_off() -> None:
    assert truncated_figure(4.35, 2) == 4.35  # 4.35 * 100 is 434.99999999999994
    assert truncated_figure(-4.35, 2) == -4.35
    assert truncated_figure(1234567.89, 2) == 1234567.89


def test_below_0_a_figure_is_rounded_by_its_size() -> None:
    assert [rounded_figure(figure, 3) for figure in (-0.0625, -0.0624, -0.0004)] == [-0.063, -0.062, 0.0]
    assert [rounded_figure(figure, 0) for figure in (-0.5, 0.5, -1.4)] == [-1.0, 1.0, -1.0]


def test_what_has_no_decimals_stays_as_it_is() -> None:
    assert rounded_figure(1e306, 3) == 1e306
    assert truncated_figure(-math.inf, 3) == -math.inf
    assert math.isnan(rounded_figure(math.nan, 3))


@each("figure", [1e15, -1e15, 1e14 + 0.25])
def test_from_the_largest_rounded_figure_on_nothing_is_rounded(figure: float) -> None:
    assert rounded_figure(figure, 1) == figure
    assert truncated_figure(figure, 1) == figure
    assert rounded_figure(1e15, 0) == 1e15


@given(st.integers(1 - 10**15, 10**15 - 1))
def test_a_whole_figure_stays_as_it_is_whatever_its_size(whole_figure: int) -> None:
    figure = float(whole_figure)
    assert rounded_figure(figure, 0) == truncated_figure(figure, 0) == figure
    figure_and_a_quarter = figure + math.copysign(0.25, figure)
    assert rounded_figure(figure_and_a_quarter, 0) == truncated_figure(figure_and_a_quarter, 0) == figure
    assert rounded_figure(6e11, 3) == 6e11


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_halves_of_any_size_are_rounded_as_they_are_printed(units: int, decimals: int) -> None:
    """20000.0005 times 1000 is a bit less than a half."""
    halves = units * 10 + math.copysign(5, units)
    figure = halves / 10.0 ** (decimals + 1)
    assert rounded_figure(figure, decimals) == float(rounded_text(figure, decimals))
