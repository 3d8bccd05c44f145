"""What all pages share: rendered fragments are made once, and the longest unused makes room."""

import asyncio
import html
import re
import sys
from dataclasses import replace

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from app.course.content.recently_used import RecentHtml
from app.records.classes.joining import WrongNumber
from app.settings import Settings
from app.web.site.errors import refusal_page
from app.web.site.off_loop import SWITCH_SECONDS
from app.web.site.site import Site
from tests.web.cast import opened_site


def test_the_fragment_that_was_used_longest_ago_makes_room(app: FastAPI) -> None:
    site: Site = replace(app.state.site, _fragments=RecentHtml(2))
    rendered: list[str] = []

    def render(key: str) -> str:
        def make() -> str:
            rendered.append(key)
            return f"<p>{key}</p>"

        return site.cached_html(key, make)

    assert [render(key) for key in ("a", "b", "a")] == ["<p>a</p>", "<p>b</p>", "<p>a</p>"]
    render("c")
    render("a")
    assert rendered == ["a", "b", "c"], "a was used after b, so b made room for c"
    render("b")
    assert rendered == ["a", "b", "c", "b"]


def test_threads_change_often_while_the_site_serves(app: FastAPI, settings: Settings) -> None:
    """With Python's 5 ms, a page that changes threads ten times waits for whoever reads a long file."""
    sys.setswitchinterval(0.005)
    with opened_site(app, settings):
        assert sys.getswitchinterval() == SWITCH_SECONDS < 0.001


@pytest.mark.parametrize(
    "path", ["/practice/dcg?level=2&seed=5", "/workbench?list=3+2+3", "/search?q=%E7%B3%96"]
)
def test_who_signs_in_from_the_foot_of_a_page_comes_back_to_it(client: TestClient, path: str) -> None:
    page = client.get(path)
    address = re.search('href="(/sign-in[^"]*)"', page.text.partition("<footer")[2])
    assert address
    sign_in_page = client.get(html.unescape(address[1]))
    assert f'name="next" value="{html.escape(path)}"' in sign_in_page.text
    assert f'name="next" value="{html.escape(path)}"' in page.text, "the settings come back there as well"


def test_a_kind_of_refusal_is_explained_like_any_refusal(app: FastAPI) -> None:
    http = Request({"type": "http", "app": app, "headers": [(b"hx-request", b"true")]})
    response = asyncio.run(refusal_page(http, WrongNumber("班里已经有这个学号了。")))
    assert response.status_code == 422
    assert "班里已经有这个学号了。" in bytes(response.body).decode()
    assert http.scope["refusal"] == "wrong_number"
