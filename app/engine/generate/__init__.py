"""Diagnosable variants: questions made for a skill, in which its typical mistakes all look different.

    skill_kinds       a list of grades, or a table: how it is drawn, and what must show
    skills            what can be practised, how large it is at each level, which mistakes must show
    pair_skills       two documents of a list: their swap, and its lambda
    coin_skills       tables of differences, tested with coins
    label_skills      tables of judges, and of clicks
    random_stream     chance, from a key
    drawing           from skill, level and seed to the question, redrawn until the mistakes look different
    fixed_misconceptions  those by which what was given out has been chosen
    which_convention  a printed figure, and which of four libraries printed it

``generate("dcg", 1, 7)`` is the same question on any machine and any version of Python.
"""

from app.engine.generate.drawing import generate
from app.engine.generate.fixed_misconceptions import FIXED_MISCONCEPTION_IDS
from app.engine.generate.skills import (
    LEVELS,
    generator_names,
    misconception_ids_told_apart,
    shown_misconception_ids,
)
from app.engine.generate.which_convention import ConventionQuestion, which_convention

__all__ = [
    "FIXED_MISCONCEPTION_IDS",
    "LEVELS",
    "ConventionQuestion",
    "generate",
    "generator_names",
    "misconception_ids_told_apart",
    "shown_misconception_ids",
    "which_convention",
]
