"""The token of a sign-in, by which a browser is known; how it begins says where it began."""

import re
import secrets

SHARED_PREFIX = "shared-"
"""Of sign-ins on shared devices."""
HTTPS_PREFIX = "https-"
"""Of all others that began at a site with https."""
TOKEN_PATTERN = re.compile("[A-Za-z0-9_-]{43}")
"""What `secrets.token_urlsafe(32)` makes."""


def fresh_token() -> str:
    """A token that nobody can guess, and says nothing yet."""
    return secrets.token_urlsafe(32)


def sign_in_token(token: str, *, is_shared: bool, has_https: bool) -> str:
    """The token of the sign-in that begins with this one.

    >>> sign_in_token("abc", is_shared=True, has_https=True)
    'shared-abc'
    >>> sign_in_token("abc", is_shared=False, has_https=True)
    'https-abc'
    """
    if is_shared:
        return SHARED_PREFIX + token
    if has_https:
        return HTTPS_PREFIX + token
    return token
