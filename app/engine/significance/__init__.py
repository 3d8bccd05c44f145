"""Significance: whether a difference between two systems is real, or what chance would make of it anyway.

shuffling   coins: what happens when each query may exchange its two scores; two exact tests
coin_tests  the same as a question, with an answer
intervals   mean, deviation and the bootstrap interval of the differences, from all resamples
planning    how many queries or people it takes, and what many comparisons do to a chance
"""

from app.engine.significance.coin_tests import CoinTest, RandomisationTest, SignTest
from app.engine.significance.intervals import (
    BootstrapInterval,
    bootstrap_interval,
    deviation,
    mean_difference,
    standard_error,
)
from app.engine.significance.planning import (
    at_least_one,
    people_needed,
    power,
    queries_needed,
    smallest_p,
)
from app.engine.significance.shuffling import randomisation_test, shuffled_means, sign_test

__all__ = [
    "BootstrapInterval",
    "CoinTest",
    "RandomisationTest",
    "SignTest",
    "at_least_one",
    "bootstrap_interval",
    "deviation",
    "mean_difference",
    "people_needed",
    "power",
    "queries_needed",
    "randomisation_test",
    "shuffled_means",
    "sign_test",
    "smallest_p",
    "standard_error",
]
