"""Answers in words that a teacher marks by a rubric: one answer after the other."""
