"""One browser at a site, and how long it waits."""

import time
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPResponse, RemoteDisconnected
from urllib.parse import urlencode, urlsplit

from bench.servers import Server

FORM = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
Reply = tuple[int, float]
"""Status, and milliseconds until all of the answer was there."""


class Visitor:
    """A browser of one learner: a connection that stays open, and its cookie."""

    def __init__(self, server: Server, token: str | None) -> None:
        self.connection = HTTPConnection(urlsplit(server.url).netloc)
        self.headers = {"Accept-Encoding": "gzip"}
        if token:
            self.headers["Cookie"] = f"tangxu={token}"

    def get(self, path: str) -> Reply:
        """Ask for a page."""
        return self._ask("GET", path, None, self.headers)

    def post(self, path: str, fields: dict[str, str]) -> Reply:
        """Send a form as htmx does; the cookie that comes is kept."""
        return self._ask("POST", path, urlencode(fields), self.headers | FORM)

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Reply:
        begun = time.perf_counter()
        response = self._response(method, path, body, headers)
        response.read()
        spent = 1000 * (time.perf_counter() - begun)
        if cookie := response.headers.get("Set-Cookie"):
            self.headers.setdefault("Cookie", cookie.partition(";")[0])
        return response.status, spent

    def _response(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> HTTPResponse:
        self.connection.request(method, path, body, headers)
        try:
            return self.connection.getresponse()
        except RemoteDisconnected:  # it was idle for too long; a browser asks again
            self.connection.close()
            self.connection.request(method, path, body, headers)
            return self.connection.getresponse()


def page_ms(server: Server, token: str, path: str) -> float:
    """Milliseconds of a page over the wire, for somebody who has just come."""
    status, milliseconds = Visitor(server, token).get(path)
    assert status == 200, path
    return milliseconds


def p99(milliseconds: Sequence[float]) -> float:
    """What ninety-nine of a hundred stay below.

    >>> p99([3.0, 1.0, 2.0])
    2.0
    """
    return sorted(milliseconds)[int(0.99 * (len(milliseconds) - 1))]
