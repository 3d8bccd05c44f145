"""Connections that keep a place and send nothing: limits that uvicorn does not have.

A browser opens some six connections and sends a request in one go; so neither limit is met by a class. What
is closed first is a connection that waits for a request: closing it costs a browser nothing.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.cli.whole_answers import WholeAnswerCycle
from app.web.operation import slow_pages
from app.web.operation.proxies import is_trusted
from app.web.operation.slow_pages import SLOW_SECONDS
from app.web.site.routing import route_of


class GuardedProtocol(HttpToolsProtocol):
    """HTTP/1.1 with a time and a size for the head of a request, and so many connections for one address."""

    most_head_seconds: ClassVar[float] = 20
    most_head_bytes: ClassVar[int] = 65_536
    most_connections_per_address: ClassVar[int] = 512
    stop_grace_seconds: ClassVar[float] = 0.5
    """So long a connection that waits for a request may still send one when the site is being stopped."""

    def __init__(self, *arguments: Any, **keyword_arguments: Any) -> None:
        super().__init__(*arguments, **keyword_arguments)
        self.connections_of_address = ConnectionsOfAddress()
        self.head_byte_count = 0  # bytes of a head that is not complete
        self.deadline_timer: asyncio.TimerHandle | None = None
        # A client may ask on before it has its answer.
        self.unanswered_requests: deque[UnansweredRequest] = deque()
        self.is_stopping = False  # the site is being stopped: one more answer at most

    @property
    def address(self) -> str:
        """Where the other end is; empty where that cannot be said."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room where one address has too many."""
        super().connection_made(transport)
        connections_by_address = CONNECTIONS_BY_ADDRESS_BY_SERVER.setdefault(self.config, {})
        self.connections_of_address = connections_by_address.setdefault(self.address, ConnectionsOfAddress())
        self.connections_of_address.open_connections.add(self)
        self.begin_waiting()
        if is_trusted(self.address, str(self.config.forwarded_allow_ips or "")):
            return  # a proxy speaks for many, and has limits of its own
        if len(self.connections_of_address.open_connections) > self.most_connections_per_address:
            # It may be this one, which came last.
            longest_waiting_connection = next(iter(self.connections_of_address.waiting_connections))
            longest_waiting_connection.give_up()

    def begin_waiting(self) -> None:
        """From now on the head of a request is waited for."""
        self.stop_waiting()
        self.connections_of_address.waiting_connections[self] = None
        self.deadline_timer = self.loop.call_later(self.most_head_seconds, self.give_up)

    def stop_waiting(self) -> None:
        self.connections_of_address.waiting_connections.pop(self, None)
        if self.deadline_timer:
            self.deadline_timer.cancel()
            self.deadline_timer = None

    def give_up(self) -> None:
        """Close it; who comes again is welcome."""
        self.leave_address()
        self.transport.close()

    def leave_address(self) -> None:
        """Make room at the address."""
        self.stop_waiting()
        self.connections_of_address.open_connections.discard(self)
        connections_by_address = CONNECTIONS_BY_ADDRESS_BY_SERVER[self.config]
        if (
            not self.connections_of_address.open_connections
            and connections_by_address.get(self.address) is self.connections_of_address
        ):
            del connections_by_address[self.address]

    def data_received(self, received_bytes: bytes) -> None:
        super().data_received(received_bytes)
        if self.head_byte_count:
            self.head_byte_count += len(received_bytes)
            if self.head_byte_count > self.most_head_bytes:
                self.give_up()

    def on_message_begin(self) -> None:
        self.head_byte_count = 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self.head_byte_count = 0
        self.stop_waiting()
        super().on_headers_complete()
        # uvicorn has no place to say of which class its cycles are.
        self.cycle.__class__ = WholeAnswerCycle
        self.unanswered_requests.append(UnansweredRequest(self.cycle, self.loop.time()))
        if self.is_stopping:
            self.cycle.keep_alive = False  # the answer says so: whoever asks again opens another connection

    def on_message_complete(self) -> None:
        if self.unanswered_requests:  # none where it was refused before it was complete
            self.unanswered_requests[-1].asked_at = self.loop.time()  # who sends slowly waits for nobody else
        super().on_message_complete()

    def on_response_complete(self) -> None:
        unanswered_request = self.unanswered_requests.popleft()  # answers come in the order of their requests
        spent_seconds = self.loop.time() - unanswered_request.asked_at
        if spent_seconds >= SLOW_SECONDS:
            asgi_scope = unanswered_request.cycle.scope
            slow_pages.log_slow_page(asgi_scope["method"], route_of(asgi_scope), spent_seconds)
        super().on_response_complete()
        are_all_answered = self.cycle.response_complete  # another one was waiting behind it where it is not
        if are_all_answered and not self.transport.is_closing():
            self.begin_waiting()

    def shutdown(self) -> None:
        """The site is being stopped. What is being answered is answered to its end; a request that is on its
        way to a connection that was kept open still finds it.
        """
        self.is_stopping = True
        if self in self.connections_of_address.waiting_connections:
            self.stop_waiting()
            self.connections_of_address.waiting_connections[self] = None
            self.deadline_timer = self.loop.call_later(self.stop_grace_seconds, self.give_up)
        else:
            super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self.leave_address()
        super().connection_lost(exc)


@dataclass(slots=True)
class UnansweredRequest:
    """A request, and when it was there, by the clock of the loop."""

    cycle: RequestResponseCycle
    asked_at: float


@dataclass(slots=True)
class ConnectionsOfAddress:
    """The connections from one address; of those that wait for a request, the longest first."""

    open_connections: set[GuardedProtocol] = field(default_factory=set)
    waiting_connections: dict[GuardedProtocol, None] = field(default_factory=dict)


CONNECTIONS_BY_ADDRESS_BY_SERVER: WeakKeyDictionary[uvicorn.Config, dict[str, ConnectionsOfAddress]] = (
    WeakKeyDictionary()
)
"""By server and address: a new connection looks at nobody but the longest waiting one."""
