"""Exercises without end, and the scenes that dress their lists."""
