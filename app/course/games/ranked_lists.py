"""What the games of two rankings are made of: grades, and lists of places in them."""

from typing import Literal

Grades = tuple[int, ...]
"""The grades of the documents of a round; a place is an index in them."""
Places = tuple[int, ...]
"""A ranking: the places of its documents, the first rank first."""
Side = Literal["x", "y"]
"""Whose ranking it is."""
