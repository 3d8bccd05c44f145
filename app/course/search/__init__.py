"""Searching the course by words."""
