"""Decks, reviews, and when a card comes back."""
