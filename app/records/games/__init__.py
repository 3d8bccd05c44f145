"""Plays of games, move by move."""
