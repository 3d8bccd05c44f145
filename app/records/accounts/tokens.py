"""The token of a sign-in, by which a browser is known; how it begins says where it began."""

import re
import secrets
from hashlib import sha256

SHARED_PREFIX = "shared-"
"""Of sign-ins on shared devices."""
HTTPS_PREFIX = "https-"
"""Of all others that began at a site with https."""
TOKEN_PATTERN = re.compile("[A-Za-z0-9_-]{43}")
"""What `secrets.token_urlsafe(32)` makes."""
PAGE_KEY_LENGTH = 20
"""Shorter than a token."""


def fresh_token() -> str:
    """A token that nobody can guess, and says nothing yet."""
    return secrets.token_urlsafe(32)


def page_key_of(token: str) -> str:
    """What the forms of a guest say of the sign-in that their page belongs to; it opens nothing.

    >>> len(page_key_of("https-1")) == PAGE_KEY_LENGTH, page_key_of("https-1") == page_key_of("https-2")
    (True, False)
    """
    return sha256(token.encode()).hexdigest()[:PAGE_KEY_LENGTH]
