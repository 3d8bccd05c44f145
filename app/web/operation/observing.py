"""What every request was and how it ended, for figures and log lines; no layer of a site that wants neither.

A request is known by its route (`/classrooms/{classroom_id}`), never by its path: paths name people.
"""

import re
import secrets
import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.operation.proxies import is_trusted
from app.web.site.routing import route_of

REQUEST_ID_HEADER = "x-request-id"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered; empty outside of one."""
METHODS_COUNTED_BY_NAME = frozenset({"GET", "HEAD", "POST"})
REFUSAL_BY_STATUS = {
    403: "other_site",
    405: "other_method",
    408: "late_body",
    413: "large_body",
    421: "other_host",
}
"""Why a request was refused before a handler saw it, by the status that says so."""


class Observation(NamedTuple):
    """A request that was answered.

    `duration_seconds`: until its last byte was handed over. `refusal`: why nothing came of it, or empty.
    """

    method: str
    route: str
    status: int
    duration_seconds: float
    refusal: str


Observer = Callable[[Observation], None]


class ObservedRequests:
    """Gives each request an id, which its response carries too, and tells observers how it ended.

    `proxies_text`: whose `X-Request-ID` is believed, as in the setting; it stands outside of what reads their
    `X-Forwarded-For`.
    """

    def __init__(self, app: ASGIApp, observers: Sequence[Observer], proxies_text: str) -> None:
        self.app = app
        self.observers = observers
        self.proxies = proxies_text

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = scope["request_id"] = request_id_of(scope, self.proxies)
        REQUEST_ID.set(request_id)  # for the task of this request, to its end
        start_second = time.perf_counter()
        status = 500  # an error that nobody expected is answered further out

        async def send_observed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = request_id
            await send(message)

        try:
            await self.app(scope, receive, send_observed)
        finally:
            duration_seconds = time.perf_counter() - start_second
            refusal = scope.get("refusal") or REFUSAL_BY_STATUS.get(status, "")
            method = scope["method"] if scope["method"] in METHODS_COUNTED_BY_NAME else "other"
            observation = Observation(method, route_of(scope), status, duration_seconds, refusal)
            for observer in self.observers:
                observer(observation)


def request_id_of(scope: Scope, proxies_text: str) -> str:
    """The id that a trusted proxy gave, if it is plain; else a new one."""
    peer = scope.get("client") or ("",)
    if is_trusted(peer[0], proxies_text):
        id_from_proxy = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
        if re.fullmatch("[A-Za-z0-9._-]{8,64}", id_from_proxy):
            return id_from_proxy
    return secrets.token_hex(8)
