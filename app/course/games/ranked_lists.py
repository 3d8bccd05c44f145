"""What the games of two rankings are made of: grades, and rankings as indexes in them."""

from typing import Literal

Grades = tuple[int, ...]
"""The grades of the documents of a round."""
RankedIndexes = tuple[int, ...]
"""A ranking: the indexes of its documents in the grades, the first rank first."""
Side = Literal["x", "y"]
"""Whose ranking it is."""
