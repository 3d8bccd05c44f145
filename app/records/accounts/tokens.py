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
