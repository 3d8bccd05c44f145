"""Pages for all: given again for a minute to who had them, made anew for everybody else."""

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.course import Course
from app.settings import Settings
from app.web.reference.shared_pages import SharedPagesFirst
from app.web.site import clock
from app.web.site.routing import route_of
from tests.web.cast import Reader, place_opening

PATHS = ["/glossary", "/privacy"]


def end_sign_ins(settings: Settings) -> None:
    """As on another device."""
    with closing(sqlite3.connect(settings.database_path)) as connection, connection:
        connection.execute("DELETE FROM sign_in")


def begin(guest: Reader, course: Course) -> None:
    guest.open(place_opening(course).url)
    guest.submit(guest.page.root.one("form", class_="next"))


@pytest.mark.parametrize("path", PATHS)
def test_who_asks_again_within_a_minute_is_answered_without_being_looked_up(
    guest: Reader, course: Course, settings: Settings, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    begin(guest, course)
    first_moment = clock.now()
    monkeypatch.setattr(clock, "time_source", lambda: first_moment)
    first = guest.client.get(path)
    end_sign_ins(settings)
    monkeypatch.setattr(clock, "time_source", lambda: first_moment + timedelta(seconds=59))
    again = guest.client.get(path)
    assert (again.headers, again.content) == (first.headers, first.content)
    monkeypatch.setattr(clock, "time_source", lambda: first_moment + timedelta(seconds=60))
    assert 'class="leave"' in first.text
    assert 'class="leave"' not in guest.client.get(path).text, "nobody is signed in with it any more"


@pytest.mark.parametrize("path", PATHS)
def test_who_has_the_page_is_told_so_from_memory_and_without_it(
    guest: Reader, course: Course, settings: Settings, path: str
) -> None:
    begin(guest, course)
    first = guest.client.get(path)
    guest.client.get(path, headers={"If-None-Match": first.headers["etag"]})
    end_sign_ins(settings)  # whoever is looked up now is nobody, and sent another page
    unchanged = guest.client.get(path, headers={"If-None-Match": f'W/"0", {first.headers["etag"]}'})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == first.headers["etag"]
    assert "content-length" not in unchanged.headers
    whole_again = guest.client.get(path, headers={"If-None-Match": '"of another page"'})
    assert (whole_again.status_code, whole_again.text) == (200, first.text)


@pytest.mark.parametrize("path", PATHS)
def test_what_a_page_looks_like_is_part_of_the_question(guest: Reader, course: Course, path: str) -> None:
    begin(guest, course)
    plain = guest.client.get(path)
    guest.client.cookies.set("theme", "dark")
    assert 'data-theme="dark"' in guest.client.get(path).text
    guest.client.cookies.delete("theme")
    assert guest.client.get(path).text == plain.text
    unpacked = guest.client.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in unpacked.headers
    assert unpacked.text == plain.text


@pytest.mark.parametrize("path", PATHS)
def test_newcomers_are_sent_the_same_page(client: TestClient, path: str) -> None:
    """Nothing on it is proposed to them, so one answer is kept for all of them."""
    first, second = client.get(path), client.get(path)
    assert first.text == second.text
    assert 'name="guest"' not in first.text
    assert client.get(path, headers={"If-None-Match": first.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("path", PATHS)
def test_the_cookie_of_a_new_day_is_not_given_to_the_next(
    guest: Reader, course: Course, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    begin(guest, course)
    tomorrow = clock.now() + timedelta(days=1)
    monkeypatch.setattr(clock, "time_source", lambda: tomorrow)
    assert "set-cookie" in guest.client.get(path).headers
    assert "set-cookie" not in guest.client.get(path).headers


def test_a_page_from_memory_is_counted_by_its_route(
    guest: Reader, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(guest, course)
    routes: list[str] = []
    answer = SharedPagesFirst.__call__

    async def noted(self: SharedPagesFirst, scope: Scope, receive: Receive, send: Send) -> None:
        await answer(self, scope, receive, send)
        routes.append(route_of(scope))

    monkeypatch.setattr(SharedPagesFirst, "__call__", noted)
    guest.open("/glossary")
    guest.open("/glossary")
    assert routes == ["/glossary", "/glossary"]
