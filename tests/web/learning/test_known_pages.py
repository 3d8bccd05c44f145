"""Pages of lessons that are known to be as they were: each reader's own, and never one from before an act."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.course import Course
from app.records.accounts.values import Caller
from app.records.db.session import VerbSession
from app.records.practice import learner_pages
from app.web.learning.known_pages import KnownPagesFirst
from app.web.site import clock
from app.web.site.cookies import SIGN_IN_COOKIE
from app.web.site.routing import route_of
from tests.web.cast import Place, Reader, browser, is_numeric, place_asking, right_answer
from tests.web.site.packed_bytes import without_time


def look_twice(reader: Reader, place: Place, answer: str) -> str:
    """A page whose reader has answered; the second look is at a known one."""
    reader.open(place.url)
    reader.answer(place.name, answer)
    reader.open(place.url)
    return reader.open(place.url).html


def test_each_reader_is_sent_their_own(client: TestClient, course: Course) -> None:
    place = place_asking(course, is_numeric)
    first, second = browser(client), browser(client)
    pages = [look_twice(first, place, "0.31415"), look_twice(second, place, "0.27182")]
    again = [first.open(place.url).html, second.open(place.url).html]
    assert [without_time(page) for page in again] == [without_time(page) for page in pages]
    assert "0.31415" in again[0]
    assert "0.31415" not in again[1]


@pytest.mark.parametrize("last", ["", "theme=dark"])
def test_cookies_in_several_headers_are_all_looked_at(client: TestClient, course: Course, last: str) -> None:
    """Some proxies send them so; nobody who shares the last of them is sent the page of who has others."""
    place = place_asking(course, is_numeric)
    reader, stranger = browser(client), browser(client)
    page = look_twice(reader, place, "0.31415")
    sign_in = f"{SIGN_IN_COOKIE}={reader.token}"
    for url in (place.url, "/glossary"):
        for _ in range(2):
            split_page = stranger.client.get(url, headers=[("Cookie", sign_in), ("Cookie", last)])
            assert 'class="leave"' in split_page.text, "this browser is known"
        headers = {"Cookie": last} if last else {}
        page_of_stranger = stranger.client.get(url, headers=headers)
        assert 'class="leave"' not in page_of_stranger.text
        assert "0.31415" not in page_of_stranger.text
    assert "0.31415" in page


def test_a_database_that_refuses_is_told_of_on_a_page(
    app: FastAPI, client: TestClient, guest: Reader, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = place_asking(course, is_numeric)
    look_twice(guest, place, "0.5")
    look_twice(browser(client), place, "0.5")  # so that the trail is followed anew
    with monkeypatch.context() as closing:
        closing.setattr(app.state.site.db, "_is_open", False)
        refused = guest.client.get(place.url)
    assert refused.status_code == 503
    assert "网站正在关闭" in refused.text


def test_who_cannot_unpack_is_sent_it_as_it_is(guest: Reader, course: Course) -> None:
    place = place_asking(course, is_numeric)
    page = look_twice(guest, place, "0.31415")
    for _ in range(2):
        plain = guest.client.get(place.url, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert without_time(plain.text) == without_time(page)


def test_a_known_page_has_the_headers_of_every_page(guest: Reader, course: Course) -> None:
    place = place_asking(course, is_numeric)
    guest.open(place.url)
    guest.answer(place.name, "0.5")
    first, again = [guest.client.get(place.url).headers for _ in range(2)]
    assert first == again
    assert again["cache-control"] == "no-store"
    assert "content-security-policy" in again


def test_a_known_page_says_when_it_is_shown(
    guest: Reader, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = place_asking(course, is_numeric)
    look_twice(guest, place, "0.5")
    moment = clock.now() + timedelta(seconds=77)
    monkeypatch.setattr(clock, "time_source", lambda: moment)
    assert f'name="shown" value="{int(moment.timestamp())}"' in guest.open(place.url).html


def test_the_first_request_of_a_day_goes_to_the_site(
    guest: Reader, course: Course, read_pages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which sets the cookie anew, for that one alone."""
    place = place_asking(course, is_numeric)
    evening = clock.now().replace(hour=23, minute=59)
    monkeypatch.setattr(clock, "time_source", lambda: evening)
    look_twice(guest, place, "0.5")
    monkeypatch.setattr(clock, "time_source", lambda: evening + timedelta(minutes=2))
    assert "set-cookie" in guest.client.get(place.url).headers
    read_pages.clear()
    assert "set-cookie" not in guest.client.get(place.url).headers
    assert read_pages == [], "the page itself is known from the first one on"


def test_a_known_page_is_counted_by_its_route(
    guest: Reader, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = place_asking(course, is_numeric)
    look_twice(guest, place, "0.5")
    routes: list[str] = []
    answer = KnownPagesFirst.__call__

    async def noted(self: KnownPagesFirst, scope: Scope, receive: Receive, send: Send) -> None:
        await answer(self, scope, receive, send)
        routes.append(route_of(scope))

    monkeypatch.setattr(KnownPagesFirst, "__call__", noted)
    guest.open(place.url)
    assert routes == ["/lessons/{stage_id}/{section_id}"]


@pytest.fixture
def read_pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stages whose sections were read from the database as values."""
    stages: list[str] = []
    load = learner_pages.load_section_and_warm_up

    def noted(session: VerbSession, caller: Caller, stage: str, *args: Any) -> Any:
        stages.append(stage)
        return load(session, caller, stage, *args)

    monkeypatch.setattr(learner_pages, "load_section_and_warm_up", noted)
    return stages


def test_what_nobody_changed_is_read_and_rendered_once(
    guest: Reader, course: Course, read_pages: list[str]
) -> None:
    place = place_asking(course, is_numeric)
    guest.open(place.url)
    guest.answer(place.name, "0.5")
    guest.open(place.url)
    read_pages.clear()
    guest.open(place.url)
    assert read_pages == []


@pytest.mark.parametrize(("hours", "is_read"), [(3, False), (4, True)])
def test_who_comes_back_after_hours_is_looked_at_again(
    guest: Reader,
    course: Course,
    read_pages: list[str],
    monkeypatch: pytest.MonkeyPatch,
    hours: int,
    is_read: bool,
) -> None:
    """By then a warm-up may be offered. In the morning, for at midnight every page is made anew."""
    morning = clock.now().replace(hour=6)
    monkeypatch.setattr(clock, "time_source", lambda: morning)
    place = place_asking(course, is_numeric)
    guest.open(place.url)
    guest.answer(place.name, "0.5")
    guest.open(place.url)
    read_pages.clear()
    later = morning + timedelta(hours=hours)
    monkeypatch.setattr(clock, "time_source", lambda: later)
    guest.open(place.url)
    assert bool(read_pages) is is_read


def test_a_known_page_is_the_one_that_would_be_made(app: FastAPI, guest: Reader, course: Course) -> None:
    """After everything that changes it, made by whatever browser."""
    place = place_asking(course, is_numeric)
    guest.open(place.url)
    guest.answer(place.name, "0.5")
    elsewhere = guest.twin()
    acts: list[Callable[[], object]] = [
        lambda: elsewhere.submit(elsewhere.page.answering(place.name), "提示"),
        lambda: elsewhere.answer(place.name, *right_answer(course.items[place.name])),
        elsewhere.go_on,
        lambda: guest.client.cookies.set("theme", "dark"),
        lambda: guest.client.cookies.set("size", "large"),
        lambda: elsewhere.post("/sign-outs", [("next", "/")]),
    ]
    pages: list[str] = []
    for act in acts:
        guest.open(place.url)
        elsewhere.open(place.url)
        act()
        page = without_secrets(guest.open(place.url).html)
        app.state.site.known_pages.clear()
        assert page == without_secrets(guest.open(place.url).html)
        pages.append(page)
    assert len(set(pages)) >= len(acts) - 1, "下一步 alone may leave a page of an earlier step as it is"


def without_secrets(html: str) -> str:
    """Without the token that each form of a stranger proposes anew."""
    return re.sub(r'name="guest" value="[^"]+"', "", without_time(html))


def test_addresses_that_nobody_links_to_make_nothing_known(
    app: FastAPI, guest: Reader, course: Course
) -> None:
    place = place_asking(course, is_numeric)
    guest.open(place.url)
    guest.answer(place.name, "0.5")
    known_pages = app.state.site.known_pages
    guest.open(place.url)
    before = len(known_pages)
    for number in range(3):
        guest.open(f"{place.url}&walk={number}")
        browser(guest.client).open(f"{place.url}&walk={number}")
    assert len(known_pages) == before


def test_a_reader_who_walks_on_and_on_pushes_out_nobody(
    app: FastAPI,
    client: TestClient,
    course: Course,
    read_pages: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app.state.site.known_pages, "most_values", 5)
    place = place_asking(course, is_numeric)
    reader, walker = browser(client), browser(client)
    look_twice(reader, place, "0.31415")
    look_twice(walker, place, "0.27182")
    path = place.url.partition("?")[0]
    for step in ("1", "01", "001", "2", "02", "002"):
        walker.open(f"{path}?step={step}")
    read_pages.clear()
    reader.open(place.url)
    assert read_pages == [], "the page of who stayed is known as before"


def test_what_fills_the_memory_is_not_kept(app: FastAPI, guest: Reader, course: Course) -> None:
    place = place_asking(course, is_numeric)
    page = look_twice(guest, place, "0.31415")
    known_pages = app.state.site.known_pages
    before = len(known_pages)
    for junk in ("x" * 3000, "x"):
        guest.client.cookies.set("junk", junk)
        assert without_time(guest.open(place.url).html) == without_time(page)
        expected = before + (junk == "x")
        assert len(known_pages) == expected
