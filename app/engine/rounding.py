"""Figures as they stand on paper: rounded as in school, cut off, or noted to be reckoned with."""

import math

FLOAT_NOISE = 1e-9
"""What binary fractions lose on the way: figures that differ by less are one, however they were added up."""
RELATIVE_FLOAT_NOISE = 1e-15
"""So much of a large figure is noise, where that is more."""
MOST_FLOAT_NOISE = 0.1
"""In units of the last place: noise that came to a half would carry a whole figure up."""
LARGEST_ROUNDED_FIGURE = 1e15
"""From here on nothing is rounded: a float has no halves, counted in units of the last place."""
HAND_WORKING_DECIMALS = 3


def truncated_figure(figure: float, decimals: int) -> float:
    """Return the figure with the further decimals simply left away, above 0 and below it.

    截断：后面的位数直接扔掉。

    What has no decimals, such as nan or inf, stays as it is.

    >>> truncated_figure(3.8928, 3), truncated_figure(-0.1237, 3)
    (3.892, -0.123)
    """
    return _figure_without_further_decimals(figure, decimals, 0.0)


def rounded_figure(figure: float, decimals: int) -> float:
    """Return the figure rounded as in school: a half goes away from 0.

    四舍五入：先看大小，再添上正负号。

    >>> rounded_figure(0.125, 2), rounded_figure(2.5, 0), rounded_figure(-0.125, 2)
    (0.13, 3.0, -0.13)
    """
    return _figure_without_further_decimals(figure, decimals, 0.5)


def _figure_without_further_decimals(figure: float, decimals: int, added_units: float) -> float:
    """The figure, its size made greater by so many units of the last place, with what stands behind it left
    away."""
    power_of_ten = 10.0**decimals
    scaled_figure = figure * power_of_ten
    has_decimals = abs(scaled_figure) < LARGEST_ROUNDED_FIGURE
    if not has_decimals:
        return figure
    # 4.35 * 100 is 434.99999999999994: what a person would call 435
    noise = min(max(FLOAT_NOISE, abs(scaled_figure) * RELATIVE_FLOAT_NOISE), MOST_FLOAT_NOISE)
    return math.trunc(scaled_figure + math.copysign(added_units + noise, figure)) / power_of_ten


def figure_as_noted(figure: float) -> float:
    """Return a figure as one notes it, and as a printed table and the tutor have it.

    >>> figure_as_noted(0.63093), figure_as_noted(0.0625)
    (0.631, 0.063)
    """
    return rounded_figure(figure, HAND_WORKING_DECIMALS)


def weight_of_noted_divisor(weight: float) -> float:
    """Return the weight of one who notes the logarithm and divides by it; a weight of 0 has none.

    >>> weight_of_noted_divisor(1 / 1.58496) == 1 / 1.585
    True
    """
    return 1 / figure_as_noted(1 / weight) if weight else 0.0
