"""Assignments: drafts, parts, deadlines, extensions, what is done outside of them."""
