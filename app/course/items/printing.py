"""Figures as the tutor prints them in a calculation."""

from decimal import ROUND_HALF_UP, Decimal

LARGEST_ROUNDED = 1e15
"""From here on a float has no halves to round."""


def exact(number: float) -> str:
    """A grade or a gain as it is: whole numbers whole, however large."""
    return f"{number:.0f}" if number == int(number) else f"{number:.4g}"


def rounded(value: float, decimals: int) -> str:
    """A figure to some places, an exact half rounded up, as at school: 四舍五入.

    Python rounds it to the even neighbour. Chances of coins are made of halves.

    >>> rounded(2 / 32, 3), rounded(-0.5, 0), rounded(1.0005, 3)
    ('0.063', '-1', '1.000')
    """
    if abs(value) >= LARGEST_ROUNDED:
        return f"{value:.{decimals}f}"
    place = Decimal(1).scaleb(-decimals)
    return f"{Decimal(value).quantize(place, ROUND_HALF_UP):f}"


def equals(value: float, decimals: int, strong: bool = False) -> str:
    """`=` where the printed figure is the whole truth, else `≈`."""
    printed_value = rounded(value, decimals)
    sign = "=" if abs(float(printed_value) - value) < 1e-12 * max(1.0, abs(value)) else "≈"
    return sign + bold(printed_value, strong)


def bold(text: str, yes: bool) -> str:
    """Text in bold, or as it is."""
    return f"**{text}**" if yes else text
