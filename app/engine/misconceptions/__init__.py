"""Executable misconceptions: wrong models that compute what a learner who believes them would get.

    working      the way from a question to a number, step by step; a misconception replaces a step.
                 Early rounding replaces none: it is a verdict of its own
    term_models  wrong gains and discounts
    ideal_models wrong ideals, cuts and ratios
    table        wrong sums; all of them, and what they predict

A misconception is the right working with one step replaced; two of different steps therefore compose.
"""

from app.engine.misconceptions.table import MISCONCEPTIONS, predictions
from app.engine.misconceptions.working import STEPS, Misconception

__all__ = ["MISCONCEPTIONS", "STEPS", "Misconception", "predictions"]
