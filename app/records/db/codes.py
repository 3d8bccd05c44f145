"""Codes that people copy by hand: the 续学码 of a guest, the code of a class; and those that forms carry."""

import hashlib
import secrets

from app.course.text import typed

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no 0 O 1 I L


def fresh_code(code_length: int) -> str:
    """A new code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(code_length))


def normalise_code(typed_code: str) -> str:
    """A code as it is kept, however it was typed.

    >>> normalise_code(" ａｂ2c－defg hjkm")
    'AB2CDEFGHJKM'
    """
    folded_text = typed.folded_text(typed_code, 100).upper()
    return "".join(character for character in folded_text if character in ALPHABET)


def fingerprint(shown_text: str) -> str:
    """What a form carries to say what its page showed: another text has another one.

    >>> fingerprint("甜")
    '10fe8c1b5c227472'
    """
    return hashlib.sha256(shown_text.encode()).hexdigest()[:16]
