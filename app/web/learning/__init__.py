"""Lessons, examples, labs, exercises in Python, warm-ups."""
