"""Figures as the tutor prints them in a calculation: rounded as at school, with a note where that shows."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from app.engine.rounding import HAND_WORKING_DECIMALS, LARGEST_ROUNDED_FIGURE

STEP_DECIMALS = HAND_WORKING_DECIMALS
"""Decimals of the steps in between."""
MOST_GAP_DECIMALS = 9
"""Behind them there is no gap, but what floats lose."""
_SUPERSCRIPTS_OF_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SUMMED_FIRST_NOTE = "（先加完，再收小数）"
WORKED_FIRST_NOTE = "（先算完，再收小数）"


def exact_text(number: float) -> str:
    """A grade or a gain as it is: whole numbers whole, however large."""
    return f"{number:.0f}" if number == int(number) else f"{number:.4g}"


def short_text(number: float, decimals: int) -> str:
    """A number to some places, without the zeros that say nothing.

    >>> short_text(4.1309, 3), short_text(6.0, 3), short_text(-0.0001, 3), short_text(0.0625, 3)
    ('4.131', '6', '0', '0.063')
    """
    number_text = rounded_text(number, decimals)
    if "." in number_text:
        number_text = number_text.rstrip("0").rstrip(".")
    return "0" if number_text == "-0" else number_text


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
        return "2" + str(int(exponent)).translate(_SUPERSCRIPTS_OF_DIGITS)
    return f"2^{exponent:g}"


def rounded_text(figure: float, decimals: int, rounding: str = ROUND_HALF_UP) -> str:
    """A figure to some places, an exact half rounded up, as at school: 四舍五入.

    rounding: another way of `decimal`, for a bound that must not be passed.

    Python rounds it to the even neighbour, and 115 ÷ 400 is no exact half to it: what a float adds behind its
    fifteenth figure is none of the number. Chances of coins are made of halves.

    >>> rounded_text(2 / 32, 3), rounded_text(-0.5, 0), rounded_text(115 / 400, 3)
    ('0.063', '-1', '0.288')
    >>> rounded_text(0.8161, 3, "ROUND_CEILING"), rounded_text(-0.0001, 3)
    ('0.817', '0.000')
    """
    if abs(figure) >= LARGEST_ROUNDED_FIGURE:
        return f"{figure:.{decimals}f}"
    last_decimal_place = Decimal(1).scaleb(-decimals)
    return f"{Decimal(f'{figure:.15g}').quantize(last_decimal_place, rounding):zf}"


def figure_and_gap_texts(figure: float, other_figure: float) -> tuple[str, str]:
    """A figure, and how far it lies from another one: to three places, or to as many more as show it.

    >>> figure_and_gap_texts(0.619, 0.95), figure_and_gap_texts(0.94998, 0.95)
    (('0.619', '0.331'), ('0.94998', '0.00002'))
    """
    figure_gap = abs(other_figure - figure)
    for decimals in range(STEP_DECIMALS, MOST_GAP_DECIMALS):
        figure_text, gap_text = rounded_text(figure, decimals), rounded_text(figure_gap, decimals)
        if float(gap_text) and figure_text != rounded_text(other_figure, decimals):
            return figure_text, gap_text
    return rounded_text(figure, MOST_GAP_DECIMALS), rounded_text(figure_gap, MOST_GAP_DECIMALS)


def equals_text(figure: float, decimals: int, is_bold: bool = False) -> str:
    """`=` where the printed figure is the whole truth, else `≈`.

    >>> equals_text(0.25, 3), equals_text(2**30 + 0.8927892607, 3)
    ('=0.250', '≈1073741824.893')
    """
    printed_text = rounded_text(figure, decimals)
    equality_sign = "=" if abs(float(printed_text) - figure) < max(1e-12, 1e-14 * abs(figure)) else "≈"
    return equality_sign + bold_text(printed_text, is_bold)


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
    sum_of_printed_amounts = sum(Decimal(rounded_text(amount, STEP_DECIMALS)) for amount in amounts)
    return rounding_note(float(sum_of_printed_amounts), sum(amounts), decimals, SUMMED_FIRST_NOTE)


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


def bold_text(plain_text: str, is_bold: bool) -> str:
    """Text in bold, or as it is."""
    return f"**{plain_text}**" if is_bold else plain_text
