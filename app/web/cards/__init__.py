"""Flashcards: the deck, reviews, files, statistics, own cards."""
