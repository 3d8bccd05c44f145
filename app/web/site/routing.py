"""Routing: the first part of a path says which few routes can match it.

Starlette asks one route after the other, here up to 190. CPU per request in one process (µs, before → after):
a page without personal values 1,494 → 790, one that is not there 2,448 → 1,010, `/healthz` 897 → 385.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.site.packing import pack_response

Handler = Callable[..., Awaitable[Any]]
H = TypeVar("H", bound=Handler)
ErrorHandler = Callable[[Request, Exception], Awaitable[Response]]
NO_ROUTE = "(none)"


class RouteTable(BaseRoute):
    """Many routes as one, which match as if they were asked in their order.

    Those of one first part (`/lessons/…`) stand together; one that begins with a parameter stands with
    all of them. `later_path_parts`: those whose routes `load_later_routes` brings when the first of them is
    asked for; they come after all others.
    """

    def __init__(
        self,
        routes: Sequence[Route],
        later_path_parts: Collection[str] = (),
        load_later_routes: Callable[[], Sequence[Route]] = tuple,
    ) -> None:
        self._routes = routes
        self._later_path_parts = later_path_parts
        self._load_later_routes = load_later_routes
        self._sort_routes()

    def candidates(self, path: str) -> list[Route]:
        """The routes that may match a path, in their order."""
        path_part = first_path_part(path)
        if path_part in self._later_path_parts:
            self._routes = [*self._routes, *self._load_later_routes()]
            self._later_path_parts = ()
            self._sort_routes()
        return self._routes_by_path_part.get(path_part, self._routes_of_any_part)

    def _sort_routes(self) -> None:
        self._routes_by_path_part: dict[str, list[Route]] = {}
        self._routes_of_any_part: list[Route] = []
        first_path_parts = [first_path_part(route.path) for route in self._routes]
        for path_part, route in zip(first_path_parts, self._routes, strict=True):
            if path_part.startswith("{"):
                self._routes_of_any_part.append(route)
        for shared_part in set(first_path_parts):
            for path_part, route in zip(first_path_parts, self._routes, strict=True):
                if path_part == shared_part or path_part.startswith("{"):
                    self._routes_by_path_part.setdefault(shared_part, []).append(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """The first route that takes the request; else the first one that takes it by another method."""
        other_method_match: tuple[Match, Scope] = Match.NONE, {}
        for route in self.candidates(scope["path"]):
            match, child_scope = route.matches(scope)
            if match is Match.NONE:
                continue
            child_scope["route"] = route
            if match is Match.FULL:
                return match, child_scope
            if other_method_match[0] is Match.NONE:
                other_method_match = match, child_scope
        return other_method_match

    def is_page(self, path: str) -> bool:
        """Whether this path can be opened. Of the routes that match it the first says what is there: forms
        alone go to `/cards/own`, which no card is called."""
        get_scope = {"type": "http", "method": "GET", "path": path}
        matching_routes = [
            route for route in self.candidates(path) if route.matches(get_scope)[0] is not Match.NONE
        ]
        return any(
            route.path == matching_routes[0].path and "GET" in (route.methods or ())
            for route in matching_routes
        )

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The route that matched answers."""
        await scope["route"].handle(scope, receive, send)


class LazyRoute(Route):
    """A route whose handler FastAPI reads at its first request: its parameters, what it depends on.

    Reading all 180 of them at the start took 90 ms and 4 MB. Until then it is what Starlette must match.
    """

    def __init__(self, path: str, handler: Handler, method: str) -> None:
        super().__init__(path, handler, methods=[method])
        self._method = method
        self._read_route: APIRoute | None = None

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the handler if nobody has come yet, and answer."""
        if self._read_route is None:
            self._read_route = APIRoute(self.path, self.endpoint, methods=[self._method])
        await self._read_route.handle(scope, receive, send)


class LazyRouter:
    """The routes of a module, which are all lazy."""

    def __init__(self) -> None:
        self.routes: list[LazyRoute] = []

    def get(self, path: str) -> Callable[[H], H]:
        """Before the handler of a page."""
        return partial(self._add_route, path, "GET")

    def post(self, path: str) -> Callable[[H], H]:
        """Before the handler of a form."""
        return partial(self._add_route, path, "POST")

    def _add_route(self, path: str, method: str, handler: H) -> H:
        self.routes.append(LazyRoute(path, handler, method))
        return handler


class FrequentRoutesFirst:
    """Answers what is asked all the time before FastAPI and what stands around it look at the request.

    Its handlers take the request alone. `handler_by_error_class`: what becomes of errors.
    CPU per request in one process (µs, before → after): `/healthz` 46 → 21, a lesson page 310 → 229.
    """

    def __init__(
        self, app: ASGIApp, routes: Sequence[Route], handler_by_error_class: Mapping[Any, Any]
    ) -> None:
        self.app = app
        self.route_table = RouteTable(routes)
        self.handler_by_error_class = handler_by_error_class

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] == "HEAD":
            await self.app(scope, receive, send)
            return
        match, child_scope = self.route_table.matches(scope)
        if match is not Match.FULL:
            await self.app(scope, receive, send)
            return
        scope.update(child_scope)
        http = Request(scope, receive, send)
        try:
            http_response = await scope["endpoint"](http)
        except Exception as error:
            handler = self.handler_of(error)
            if handler is None:
                raise
            http_response = await self.handle_error(handler, http, error)
        pack_response(http, http_response)
        await http_response(scope, receive, send)

    async def handle_error(self, handler: ErrorHandler, http: Request, error: Exception) -> Response:
        """What the handler makes of an error; an error of its own has its handler too, as behind FastAPI."""
        try:
            return await handler(http, error)
        except Exception as error_of_handler:
            next_handler = self.handler_of(error_of_handler)
            if next_handler is None:
                raise
            return await next_handler(http, error_of_handler)

    def handler_of(self, error: Exception) -> ErrorHandler | None:
        """By the nearest class; None for an error that nobody expected, which goes on to the last one."""
        for error_class in type(error).__mro__:
            if error_class in self.handler_by_error_class and error_class is not Exception:
                handler: ErrorHandler = self.handler_by_error_class[error_class]
                return handler
        return None


def is_page(http: Request, path: str) -> bool:
    """Whether a path of this site can be opened, and not only be sent a form."""
    return any(route.is_page(path) for route in http.app.routes if isinstance(route, RouteTable))


def first_path_part(path: str) -> str:
    """
    >>> first_path_part("/lessons/concepts"), first_path_part("/"), first_path_part("/{where}/{name}")
    ('lessons', '', '{where}')
    """
    return path[1:].partition("/")[0]


def route_of(scope: Mapping[str, Any]) -> str:
    """The route of a request as it is written in the code; one of two words where none matched.

    >>> route_of({"path": "/static/site.css"}), route_of({"path": "/wp-login.php"})
    ('/static', '(none)')
    """
    route = scope.get("route")
    if route is not None:
        route_path: str = route.path
        return route_path
    if scope["path"].startswith("/static/"):
        return "/static"
    return NO_ROUTE
