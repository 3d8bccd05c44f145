"""Texts that a teacher sets: titles and notes, without signs that nobody sees."""

import unicodedata

from app.course.text import typed
from app.records.db.errors import Refused

LONGEST_TITLE, LONGEST_NOTE = 60, 1000


def checked_title(typed_title: str) -> str:
    """A title; Refused says what is wrong with another."""
    title = " ".join(tidy_text(typed_title).split())
    if not title:
        raise Refused("给作业起个名字，比如“第一周：算DCG”。", "title")
    if len(title) > LONGEST_TITLE:
        raise Refused(f"名字最多{LONGEST_TITLE}个字。", "title")
    return title


def checked_note(typed_note: str) -> str:
    """What a teacher wrote, as much of it as is stored."""
    return tidy_text(typed_note)[:LONGEST_NOTE]


def tidy_text(text: str) -> str:
    """Text without invisible characters; line breaks stay."""
    composed_text = typed.composed_text(text.strip(), 4 * LONGEST_NOTE)
    visible_characters = [
        character
        for character in composed_text
        if character == "\n" or not unicodedata.category(character).startswith("C")
    ]
    return "".join(visible_characters).strip()
