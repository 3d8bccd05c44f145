"""Assignments: the pages of their teacher, and those of their students."""
