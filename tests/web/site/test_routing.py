"""The table of routes answers every request as one route after the other would."""

import re
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Form
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route
from starlette.testclient import TestClient
from starlette.types import Scope

from app.main import TEACHING_PATH_PARTS, body_rules_near, site_routes, teaching_routes
from app.web.site.packing import SHORTEST_PACKED_BYTES
from app.web.site.routing import FrequentRoutesFirst, LazyRouter, RouteTable, first_path_part

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")


@pytest.fixture(scope="module")
def linear() -> list[Route]:
    return [*site_routes(), *teaching_routes()]


def paths(linear: list[Route]) -> Iterator[str]:
    """An address of every route, with a word and with a number for its parameters, and what is beside it."""
    for route in linear:
        for value in ("name", "7", "review"):
            path = re.sub(r"\{[^}]*\}", value, route.path)
            yield path
            yield f"{path}/"
            yield f"{path}/more"
            yield path.rpartition("/")[0]
    yield from ("", "/", "//", "///", "/nowhere", "//healthz", "/healthz/", "/static", "/static/x.css")


def scope_of(method: str, path: str) -> Scope:
    return {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}


def linear_match(linear: list[Route], scope: Scope) -> tuple[Match, Route | None, object]:
    """The first that takes it, else the first that takes it by another method: as Starlette goes."""
    matches = [(*route.matches(dict(scope)), route) for route in linear]
    for kind in (Match.FULL, Match.PARTIAL):
        for match, child, route in matches:
            if match is kind:
                return match, route, child.get("path_params")
    return Match.NONE, None, None


def test_every_address_meets_the_same_route(linear: list[Route]) -> None:
    """Also the first one that is asked for of those that are not there from the start."""
    kinds = set()
    first_routes, later_routes = site_routes(), teaching_routes()
    for path in dict.fromkeys(paths(linear)):
        scopes = [scope_of(method, path) for method in METHODS]
        # no method opens a route to another address: the others are asked once
        near = [route for route in linear if route.matches(dict(scopes[0]))[0] is not Match.NONE]
        table = RouteTable(first_routes, TEACHING_PATH_PARTS, lambda: later_routes)
        for method, scope in zip(METHODS, scopes, strict=True):
            match, child = table.matches(dict(scope))
            assert (match, child.get("route"), child.get("path_params")) == linear_match(near, scope), (
                f"{method} {path}"
            )
            kinds.add(match)
    assert kinds == set(Match)


def test_pages_of_teachers_have_parts_of_their_own() -> None:
    """Else an address would be another one before they are there; theirs too may be sent much."""
    assert {first_path_part(route.path) for route in teaching_routes()} == TEACHING_PATH_PARTS
    assert {first_path_part(route.path) for route in site_routes()}.isdisjoint(TEACHING_PATH_PARTS)
    assert {first_path_part(pattern) for pattern in body_rules_near("/own")} <= TEACHING_PATH_PARTS
    assert {first_path_part(pattern) for pattern in body_rules_near("/")}.isdisjoint(TEACHING_PATH_PARTS)


def test_later_routes_are_loaded_once_for_the_first_of_their_addresses() -> None:
    class_route, own_route = Route("/classrooms/{id}", double), Route("/own", double)
    loads: list[list[Route]] = []

    def load() -> list[Route]:
        loads.append([class_route, own_route])
        return loads[-1]

    first_routes = [Route("/", double), Route("/{any_part}/more", double)]
    table = RouteTable(first_routes, {"classrooms", "own"}, load)
    assert table.candidates("/") == first_routes
    assert table.candidates("/nowhere") == [first_routes[1]]
    assert loads == []
    assert table.candidates("/own") == [first_routes[1], own_route]
    assert table.candidates("/classrooms/3") == [first_routes[1], class_route]
    assert len(loads) == 1


def test_later_routes_that_could_not_be_loaded_are_loaded_for_the_next_request() -> None:
    failures = [MemoryError()]

    def failing_once() -> list[Route]:
        if failures:
            raise failures.pop()
        return [Route("/own", double)]

    table = RouteTable([], {"own"}, failing_once)
    with pytest.raises(MemoryError):
        table.candidates("/own")
    assert [route.path for route in table.candidates("/own")] == ["/own"]


def test_no_request_asks_half_of_the_routes(linear: list[Route]) -> None:
    """The largest part of the site are the pages of a class."""
    table = RouteTable(linear)
    most = max(len(table.candidates(path)) for path in paths(linear))
    assert most < len(linear) / 2
    assert len(table.candidates("/nowhere")) <= 4


def linear_site(linear: list[Route]) -> FastAPI:
    return FastAPI(routes=[*linear], openapi_url=None, docs_url=None, redoc_url=None)


@pytest.mark.parametrize(
    "path", ["/nowhere", "/healthz/", "/lessons/", "/lessons/concepts/", "/own/", "/static"]
)
def test_what_no_route_takes_is_answered_alike(client: TestClient, linear: list[Route], path: str) -> None:
    """404 and the way to the address without its last slash are Starlette's own."""
    alike = TestClient(linear_site(linear), follow_redirects=False)
    answer = client.get(path, follow_redirects=False)
    expected = alike.get(path)
    assert (answer.status_code, answer.headers.get("location")) == (
        expected.status_code,
        expected.headers.get("location"),
    )


@pytest.mark.parametrize("path", ["/", "/sign-ins", "/healthz", "/lessons/concepts"])
def test_another_method_is_not_allowed(client: TestClient, linear: list[Route], path: str) -> None:
    alike = TestClient(linear_site(linear))
    answer, expected = client.put(path), alike.put(path)
    assert answer.status_code == expected.status_code == 405
    assert methods_in(answer.headers["allow"]) == methods_in(expected.headers["allow"])


def methods_in(allow_text: str) -> set[str]:
    """Starlette names them in any order."""
    return set(allow_text.split(", "))


def test_a_handler_is_read_at_its_first_request_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    read_handler = APIRoute.__init__

    def noting(route: APIRoute, path: str, *args: Any, **options: Any) -> None:
        read.append(path)
        read_handler(route, path, *args, **options)

    monkeypatch.setattr(APIRoute, "__init__", noting)
    router = LazyRouter()

    @router.post("/doubles")
    async def double(number: Annotated[int, Form()]) -> int:
        return 2 * number

    @router.get("/unasked")
    async def unasked() -> None: ...

    client = TestClient(FastAPI(routes=[RouteTable(router.routes)]))
    assert read == []
    assert client.get("/doubles").status_code == 405
    assert [client.post("/doubles", data={"number": text}).json() for text in ("4", "5")] == [8, 10]
    assert client.post("/doubles", data={"number": "x"}).status_code == 422
    assert read == ["/doubles"]


def test_a_handler_that_could_not_be_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read_handler = APIRoute.__init__
    failures = [MemoryError()]

    def failing_once(route: APIRoute, path: str, *args: Any, **options: Any) -> None:
        if failures:
            raise failures.pop()
        read_handler(route, path, *args, **options)

    monkeypatch.setattr(APIRoute, "__init__", failing_once)
    router = LazyRouter()

    @router.get("/twelve")
    async def twelve() -> int:
        return 12

    client = TestClient(FastAPI(routes=[RouteTable(router.routes)]))
    with pytest.raises(MemoryError):
        client.get("/twelve")
    assert client.get("/twelve").json() == 12


def test_all_handlers_are_read_late(linear: list[Route]) -> None:
    """Those that FastAPI reads; hot ones are Starlette's own."""
    assert not [route for route in linear if isinstance(route, APIRoute)]


async def double(request: Request) -> Response:
    """A hot handler; what it is asked for says how it ends."""
    wish = request.path_params["wish"]
    if wish == "missing":
        raise NotFoundHere
    if wish == "broken":
        raise ValueError(wish)
    return PlainTextResponse("糖" * (2 * len(wish)))


class NotFoundHere(LookupError):
    """A kind of `LookupError`, which has a handler."""


async def missing(request: Request, error: Exception) -> Response:
    return PlainTextResponse(f"{request.path_params['wish']} {type(error).__name__}", 404)


async def never(request: Request, error: Exception) -> Response:
    raise AssertionError("what nobody expected is left to the last handler of the site")


@pytest.fixture(scope="module")
def hot_client() -> TestClient:
    behind = PlainTextResponse("behind")
    route = Route("/doubles/{wish}", double)
    return TestClient(FrequentRoutesFirst(behind, [route], {LookupError: missing, Exception: never}))


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/doubles/ab", (200, "糖糖糖糖")),
        ("GET", "/doubles/missing", (404, "missing NotFoundHere")),
        ("POST", "/doubles/ab", (200, "behind")),
        ("HEAD", "/doubles/ab", (200, "")),
        ("GET", "/doubles", (200, "behind")),
    ],
)
def test_hot_routes_answer_first_and_errors_have_their_handlers(
    hot_client: TestClient, method: str, path: str, expected: tuple[int, str]
) -> None:
    response = hot_client.request(method, path)
    assert (response.status_code, response.text) == expected


async def refusing(_http: Request, _error: Exception) -> Response:
    raise LookupError("refused by a handler")


@pytest.mark.parametrize(
    ("handler_by_error_class", "expected"),
    [
        ({ValueError: refusing, LookupError: missing}, (404, "broken LookupError")),
        ({ValueError: refusing}, None),
    ],
)
def test_an_error_of_a_handler_has_its_handler_too(
    handler_by_error_class: dict[type[Exception], Any], expected: tuple[int, str] | None
) -> None:
    routes = [Route("/doubles/{wish}", double)]
    client = TestClient(FrequentRoutesFirst(PlainTextResponse("behind"), routes, handler_by_error_class))
    if expected is None:
        with pytest.raises(LookupError, match="refused by a handler"):
            client.get("/doubles/broken")
    else:
        response = client.get("/doubles/broken")
        assert (response.status_code, response.text) == expected


def test_what_no_handler_expects_goes_on(hot_client: TestClient) -> None:
    with pytest.raises(ValueError, match="broken"):
        hot_client.get("/doubles/broken")


@pytest.mark.parametrize(
    ("length", "encoding", "packed"),
    [(SHORTEST_PACKED_BYTES, "gzip", True), (SHORTEST_PACKED_BYTES, "br", False), (10, "gzip", False)],
)
def test_long_answers_are_packed_for_who_unpacks_them(
    hot_client: TestClient, length: int, encoding: str, packed: bool
) -> None:
    response = hot_client.get(f"/doubles/{'x' * (length // 6)}x", headers={"accept-encoding": encoding})
    assert response.headers.get("content-encoding") == ("gzip" if packed else None)
    assert response.headers.get("vary") == ("Accept-Encoding" if packed else None)
    assert response.text == "糖" * 2 * (length // 6 + 1)
    assert int(response.headers["content-length"]) == response.num_bytes_downloaded
