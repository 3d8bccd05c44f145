"""Executable misconceptions: wrong models that compute what a learner who believes them would get.

    working    the way from a question to a number, step by step, each step replaceable
    model      one misconception: what it says, where it applies, which step it replaces
    gain_models, discount_models, sum_models, ideal_models, cut_models, ratio_models    the table
    table      all of them, and what they predict
    rounding   right formula, early or no rounding: not a misconception, but a verdict of its own

A misconception is the right working with one step replaced; two of different steps therefore compose.
"""

from app.engine.misconceptions.model import STEPS, Misconception
from app.engine.misconceptions.table import MISCONCEPTIONS, predictions

__all__ = ["MISCONCEPTIONS", "STEPS", "Misconception", "predictions"]
