"""What a page weighs, and how static files are sent."""

import gzip
import re

import httpx2
import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from app.course import Course
from app.settings import root
from app.web.site.assets import Assets, StaticFirst
from tests.web.cast import Reader, place_opening
from tests.web.pages import parsed
from tests.web.site.weighing import KILOBYTE, PACKED, size, weights


def weights_without_formulas(client: TestClient, path: str) -> dict[str, int]:
    """Of a page that has no formula: a browser fetches their font where a letter needs it."""
    assert parsed(client.get(path).text).all("math") == []
    return {url: weight for url, weight in weights(client, path).items() if not url.endswith(".woff2")}


def test_the_first_lesson_page_is_light(client: TestClient, course: Course) -> None:
    stage = course.stages[0]
    weight = weights_without_formulas(client, f"/lessons/{stage.id}/{stage.sections[0].id}")
    assert sum(weight.values()) <= 36 * KILOBYTE, weight
    assert len(weight) <= 8, weight


def test_the_home_page_of_a_newcomer_is_light(client: TestClient) -> None:
    """With the script that wakes its row of candies, which no tag names."""
    weight = weights_without_formulas(client, "/")
    toy = parsed(client.get("/").text).one("article", class_="toy")
    weight[toy["data-script"]] = size(client, toy["data-script"])
    assert sum(weight.values()) <= 50 * KILOBYTE, weight
    assert len(weight) <= 8, weight


@pytest.mark.parametrize("path", ["/", "/glossary", "/examples", "/course"])
def test_no_page_is_heavy(client: TestClient, path: str) -> None:
    weight = weights(client, path)
    assert sum(weight.values()) <= 90 * KILOBYTE, weight
    assert len(weight) <= 10, weight


def test_the_longest_section_is_light_too(client: TestClient, course: Course) -> None:
    for stage in course.stages:
        for section in stage.sections:
            path = f"/lessons/{stage.id}/{section.id}?step={len(section.steps) + 1}"
            assert size(client, path) <= 20 * KILOBYTE, path


def static_files(client: TestClient, course: Course) -> list[str]:
    weights_by_page = [*weights(client, "/"), *weights(client, place_opening(course).url)]
    return [url for url in dict.fromkeys(weights_by_page) if url.startswith("/static/")]


def test_static_files_are_named_by_their_content_and_kept_for_ever(
    client: TestClient, course: Course
) -> None:
    urls = static_files(client, course)
    assert len(urls) >= 4
    for url in urls:
        response = client.get(url, headers={"Accept-Encoding": "identity"})
        assert "immutable" in response.headers["cache-control"]
        assert "max-age=31536000" in response.headers["cache-control"]
        assert re.search(r"\.[0-9a-f]{10}\.", url), url
        assert client.get(re.sub(r"\.[0-9a-f]{10}\.", ".", url)).status_code == 404, "only by its hash"
        assert varies_by_encoding(response)
        assert "content-encoding" not in response.headers


def varies_by_encoding(response: httpx2.Response) -> bool:
    return {header.strip().lower() for header in response.headers["vary"].split(",")} == {"accept-encoding"}


def test_texts_are_sent_compressed_to_who_reads_that(client: TestClient, course: Course) -> None:
    for url in static_files(client, course):
        plain = client.get(url, headers={"Accept-Encoding": "identity"})
        with client.stream("GET", url, headers=PACKED) as response:
            packed = b"".join(response.iter_raw())
        if not url.endswith(".woff2"):
            assert response.headers["content-encoding"] == "gzip"
            assert gzip.decompress(packed) == plain.content
            assert len(packed) < len(plain.content)
        assert packed


def test_head_says_what_get_would(client: TestClient, course: Course) -> None:
    for url in static_files(client, course):
        for headers in (PACKED, {"Accept-Encoding": "identity"}):
            head, get = client.head(url, headers=headers), client.get(url, headers=headers)
            assert head.status_code == 200
            assert head.content == b""
            assert varies_by_encoding(head)
            names = ("content-type", "content-length", "content-encoding", "cache-control")
            assert [head.headers.get(name) for name in names] == [get.headers.get(name) for name in names]


@pytest.mark.parametrize("path", ["/glossary", "/privacy"])
def test_a_learner_loads_a_page_that_is_alike_for_all_once(
    client: TestClient, guest: Reader, course: Course, path: str
) -> None:
    """And a newcomer too, to whom it looks otherwise: no form of theirs proposes a token there."""
    stranger = client.get(path)
    assert stranger.headers["cache-control"] == "private, no-cache"
    assert client.get(path, headers={"If-None-Match": stranger.headers["etag"]}).status_code == 304
    guest.open(place_opening(course).url)
    guest.submit(guest.page.root.one("form", class_="next"))
    first = guest.client.get(path)
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["etag"] != stranger.headers["etag"]
    again = guest.client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    guest.client.cookies.set("theme", "dark")
    changed = guest.client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200
    assert 'data-theme="dark"' in changed.text


def test_head_is_enough_for_who_watches_the_site(client: TestClient) -> None:
    response = client.head("/healthz")
    assert response.status_code == 200
    assert response.content == b""


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/../app/main.py",
        "/static/%2e%2e/pyproject.toml",
        "/static/css/00-tokens.css",
        "/static/x%00.css",
    ],
)
def test_nothing_else_is_static(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert "immutable" not in response.headers["cache-control"]


def test_a_static_file_takes_no_post(client: TestClient, course: Course) -> None:
    assert client.post(static_files(client, course)[0]).status_code in (404, 405)


def test_types_are_right_for_nosniff(client: TestClient, course: Course) -> None:
    kinds = {
        url.rpartition(".")[2]: client.get(url).headers["content-type"]
        for url in static_files(client, course)
    }
    assert kinds["css"].startswith("text/css")
    assert kinds["js"].startswith("text/javascript")
    assert kinds["svg"].startswith("image/svg+xml")
    assert kinds.get("woff2", "font/woff2") == "font/woff2"


def test_pages_are_compressed_and_fragments_small(guest: Reader, course: Course) -> None:
    with guest.client.stream("GET", "/", headers=PACKED) as response:
        assert response.headers["content-encoding"] == "gzip"
        assert varies_by_encoding(response)
    guest.open(f"/lessons/{course.stages[0].id}/{course.stages[0].sections[0].id}")
    form = guest.page.root.one("form", class_="next")
    assert len(guest.submit(form, htmx=True).html) < 12 * KILOBYTE


def test_static_files_are_packed_when_they_are_asked_for_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    compress = gzip.compress

    def noted(body: bytes, *options: int, **more: int) -> bytes:
        lengths.append(len(body))
        return compress(body, *options, **more)

    monkeypatch.setattr(gzip, "compress", noted)
    assets = Assets(root() / "static")
    assert lengths == []
    client = TestClient(StaticFirst(PlainTextResponse("", 404), assets))
    bodies = {client.get(assets.url("tangxu.css"), headers=PACKED).content for _ in range(3)}
    assert len(bodies) == len(lengths) == 1
