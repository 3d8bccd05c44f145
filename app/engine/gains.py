"""Gains: what a grade is worth."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from app.engine.checks import Grade, checked_choice, refusal


def linear_gain(grade: float) -> float:
    """Return the grade itself: twice the grade, twice the gain.

    线性增益：等级是几，增益就是几。

    Source: Järvelin & Kekäläinen 2002; scikit-learn, trec_eval, ranx.

    >>> linear_gain(3)
    3
    """
    return grade


def exponential_gain(grade: float) -> float:
    """Return ``2**grade - 1``: each further grade is worth about double.

    指数增益：等级每高一级，增益大约翻一倍，所以“最甜的”格外重要。

    Source: Burges et al. 2005; the default of LightGBM and XGBoost. Fractional grades are not rounded.

    >>> exponential_gain(3)
    7.0
    """
    gain: float = 2.0**grade - 1.0
    return gain


Gain: TypeAlias = Callable[[float], float]
GAINS: Mapping[str, Gain] = MappingProxyType({"linear": linear_gain, "exponential": exponential_gain})


def gains_of(grades: Sequence[Grade], gain: str = "linear", argument_name: str = "grades") -> Sequence[float]:
    """Return the gain of every (checked) grade; an unjudged document gains 0 and keeps its rank.

    每篇文档的增益；未标注的文档增益是0，但名次照占。

    Raises ValueError for an unknown gain, and when ``2**grade`` is beyond a float (grades from 1024).

    >>> gains_of([3, None, 1], "exponential")
    [7.0, 0.0, 1.0]
    """
    formula = GAINS[checked_choice(gain, "gain", GAINS)]
    if formula is linear_gain:  # nearly always, and then without a call for each grade
        return [0 if grade is None else grade for grade in grades]
    try:
        return [formula(0 if grade is None else grade) for grade in grades]
    except OverflowError:
        largest_grade = max(grade for grade in grades if grade is not None)
        requirement = f"below 1024 for gain {gain!r} (2**1024 is no float)"
        raise refusal(f"the largest of {argument_name}", largest_grade, requirement) from None
