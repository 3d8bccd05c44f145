"""By what a page is known that was sent before: what the browser asked, to the letter of its cookies."""

from starlette.types import Scope

DECIDING_HEADERS = frozenset({b"cookie", b"accept-encoding", b"host"})
"""The headers of a request that make a difference to a page; what a browser has of it makes none."""
LONGEST_KEY = 2000
"""Bytes of a key that a page is kept by, cookies among them: a browser sends some 300."""
PageKey = tuple[str, bytes, tuple[tuple[bytes, bytes], ...]]


def page_key(scope: Scope) -> PageKey:
    """What a browser asks: the address, and headers that decide on a page; cookies may come in several."""
    deciding_headers = tuple(
        [
            (header_name, header_value)
            for header_name, header_value in scope["headers"]
            if header_name in DECIDING_HEADERS
        ]
    )
    return scope["path"], scope["query_string"], deciding_headers


def is_short(key: PageKey) -> bool:
    """Whether a page may be kept by it: a thousand of the longest would fill the memory."""
    path, query, headers = key
    return len(path) + len(query) + sum(len(header_value) for _, header_value in headers) <= LONGEST_KEY
