"""Flashcards: what can be in a deck, and decks as files."""
