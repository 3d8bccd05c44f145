"""Answers in words that a teacher marks by a rubric."""
