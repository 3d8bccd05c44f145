"""The demonstration's term moved to PostgreSQL and back: its people see the same pages, to the byte."""

import re
import secrets
from collections import Counter, deque
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.demo.people import PASSWORD
from app.records.db.postgres.move import move
from app.settings import Settings
from app.web.site import clock
from tests.postgres_server import PostgresServer
from tests.web.cast import Reader, browser, opened_site, settings_at
from tests.web.demo_term import NOW, filled
from tests.web.school import sign_in

VISITORS = ("周雨桐", "赵梓涵", "王老师", "李老师")
MOST_PAGES = 90
MOST_ALIKE = 4
"""So many addresses of one pattern are opened."""

Bodies = dict[str, bytes]


def say_nothing(_name: str, _rows: int) -> None: ...


def pages_of(reader: Reader) -> Bodies:
    """What is behind the links, from the first page on."""
    pages: Bodies = {}
    alike: Counter[str] = Counter()
    waiting = deque(["/", "/me", "/progress", "/cards", "/assignments", "/classrooms"])
    while waiting and len(pages) < MOST_PAGES:
        path = waiting.popleft()
        pattern = re.sub(r"[0-9]+", "1", path)
        alike[pattern] += 1
        if path in pages or alike[pattern] > MOST_ALIKE:
            continue
        response = reader.client.get(path)
        pages[path] = response.content
        if response.headers["content-type"].startswith("text/html"):
            links = re.findall(r'<a [^>]*href="(/[^"#]*)', response.text)
            waiting.extend(link.replace("&amp;", "&") for link in links)
    return pages


def seen_by_all(app: FastAPI, settings: Settings) -> dict[str, Bodies]:
    with opened_site(app, settings) as client:
        pages_by_reader: dict[str, Bodies] = {}
        for name in VISITORS:
            reader = browser(client)
            sign_in(reader, name, PASSWORD)
            pages_by_reader[name] = pages_of(reader)
    return pages_by_reader


@pytest.mark.long
def test_a_term_that_was_moved_there_and_back_shows_the_same_pages(
    app: FastAPI, server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "time_source", lambda: NOW + timedelta(hours=1))
    monkeypatch.setattr(secrets, "randbelow", lambda _: 7)  # what is offered to practise is drawn
    file_settings = filled(tmp_path / "here", app.state.site.course)
    target_url = Settings(data=tmp_path / "there", database_url=server.without_tables())
    back = settings_at(tmp_path / "back")
    back.database_path.unlink()
    move(file_settings.database_url, target_url.database_url, tmp_path, say_nothing)
    move(target_url.database_url, back.database_url, tmp_path, say_nothing)
    before = seen_by_all(app, file_settings)
    assert min(len(pages) for pages in before.values()) > 40
    for settings in (target_url, back):
        after = seen_by_all(app, settings)
        for name, pages in before.items():
            assert [path for path in pages if after[name].get(path) != pages[path]] == []
