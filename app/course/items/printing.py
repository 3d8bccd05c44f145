"""Figures as the tutor prints them in a calculation."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

LARGEST_ROUNDED_NUMBER = 1e15
"""From here on a float has no halves to round."""
STEP_DECIMALS = 3
"""Decimals of the steps in between."""
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SUMMED_FIRST_NOTE = "（先加完，再收小数）"
WORKED_FIRST_NOTE = "（先算完，再收小数）"


def exact_text(number: float) -> str:
    """A grade or a gain as it is: whole numbers whole, however large."""
    return f"{number:.0f}" if number == int(number) else f"{number:.4g}"


def short_text(number: float, decimals: int) -> str:
    """A number to some places, without the zeros that say nothing.

    >>> short_text(4.1309, 3), short_text(6.0, 3), short_text(-0.0001, 3)
    ('4.131', '6', '0')
    """
    number_text = f"{round(number, decimals) + 0.0:.{decimals}f}"  # + 0.0: never "-0"
    if "." not in number_text:
        return number_text
    return number_text.rstrip("0").rstrip(".")


def signed_text(number: float, number_format: str = "g") -> str:
    """A number with a true minus sign; `number_format` is Python's.

    >>> signed_text(-3), signed_text(0.25, "+.3f")
    ('−3', '+0.250')
    """
    return f"{number:{number_format}}".replace("-", "−")


def power_of_two_text(exponent: float) -> str:
    """Two to a power: superscripts where there are any.

    >>> power_of_two_text(10), power_of_two_text(0.5)
    ('2¹⁰', '2^0.5')
    """
    if exponent == int(exponent):
        return "2" + str(int(exponent)).translate(_SUPERSCRIPTS)
    return f"2^{exponent:g}"


def rounded_text(figure: float, decimals: int) -> str:
    """A figure to some places, an exact half rounded up, as at school: 四舍五入.

    Python rounds it to the even neighbour, and 115 ÷ 400 is no exact half to it: what a float adds behind its
    fifteenth figure is none of the number. Chances of coins are made of halves.

    >>> rounded_text(2 / 32, 3), rounded_text(-0.5, 0), rounded_text(115 / 400, 3)
    ('0.063', '-1', '0.288')
    """
    if abs(figure) >= LARGEST_ROUNDED_NUMBER:
        return f"{figure:.{decimals}f}"
    last_decimal_place = Decimal(1).scaleb(-decimals)
    return f"{Decimal(f'{figure:.15g}').quantize(last_decimal_place, ROUND_HALF_UP):f}"


def equals_text(figure: float, decimals: int, is_bold: bool = False) -> str:
    """`=` where the printed figure is the whole truth, else `≈`."""
    printed_figure = rounded_text(figure, decimals)
    equality_sign = "=" if abs(float(printed_figure) - figure) < 1e-12 * max(1.0, abs(figure)) else "≈"
    return equality_sign + bold_text(printed_figure, is_bold)


def addition_text(amounts: Sequence[float]) -> str:
    """Amounts that are to be added, each as its own line prints it.

    >>> addition_text([1, 1.8928, 0.0625])
    '1.000+1.893+0.063'
    """
    return "+".join(rounded_text(amount, STEP_DECIMALS) for amount in amounts)


def sum_note(amounts: Sequence[float], decimals: int) -> str:
    """Why the sum is not that of the amounts as they are printed; nothing where it is.

    >>> sum_note([1, 1.892789, 0.430677], 3), sum_note([3, 1.261860, 0.5], 3)
    ('（先加完，再收小数）', '')
    """
    printed_sum = sum(Decimal(rounded_text(amount, STEP_DECIMALS)) for amount in amounts)
    return rounding_note(float(printed_sum), sum(amounts), decimals, SUMMED_FIRST_NOTE)


def rounding_note(
    figure_on_paper: float, figure: float, decimals: int, note_words: str = WORKED_FIRST_NOTE
) -> str:
    """Why a figure is not the `figure_on_paper`, reckoned with printed figures; nothing where it is.

    >>> rounding_note(7 / 1.585, 4.416508, 3), rounding_note(3 / 1.585, 1.892789, 3)
    ('（先算完，再收小数）', '')
    """
    if rounded_text(figure_on_paper, decimals) == rounded_text(figure, decimals):
        return ""
    return note_words


def figure_as_printed(figure: float) -> float:
    """A step in between as it stands in its line, to be reckoned with."""
    return float(rounded_text(figure, STEP_DECIMALS))


def bold_text(text: str, is_bold: bool) -> str:
    """Text in bold, or as it is."""
    return f"**{text}**" if is_bold else text
