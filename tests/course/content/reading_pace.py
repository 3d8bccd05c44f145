"""How fast a lesson is read."""

PACE = 15
"""The most steps between one look back and the next; exercises in Python, which are optional, aside."""
