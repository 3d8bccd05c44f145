"""A form that does not fit its model: 422, and what was typed is not lost. A bad path stays 404."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import pytest
from fastapi import FastAPI, Form
from pydantic import BaseModel
from starlette.responses import PlainTextResponse, Response
from starlette.testclient import TestClient

from tests.web.cast import Page, settings_at, site_with

ADDRESS = "/forms/1"
FIELDS = {"title": "早饭也要排<先后>", "tries": "很多", "next": "/hidden-field", "password": "只有我知道"}


class NewQuiz(BaseModel):
    title: str
    tries: int
    next: str = ""
    password: str = ""


async def create(form_id: int, form: Annotated[NewQuiz, Form()]) -> Response:
    return PlainTextResponse(f"{form_id} {form.title} {form.tries}")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    opened = site_with(settings_at(tmp_path / "data"))
    assert isinstance(opened.app, FastAPI)
    opened.app.add_api_route("/forms/{form_id}", create, methods=["POST"])
    with opened:
        yield opened


def test_a_form_that_fits_is_taken(client: TestClient) -> None:
    assert client.post(ADDRESS, data=FIELDS | {"tries": "3"}).text == "1 早饭也要排<先后> 3"


def test_a_form_that_does_not_fit_comes_back_with_what_was_typed(client: TestClient) -> None:
    referer = {"referer": "http://testserver/own/new?step=2"}
    response = client.post(ADDRESS, data=FIELDS, headers=referer)
    assert response.status_code == 422
    main = Page(response).main
    assert main.one("h1").text == "有一处没填对"
    assert FIELDS["title"] in main.text
    assert FIELDS["tries"] in main.text
    assert 'href="/own/new?step=2"' in response.text, "the way back to the form"
    assert FIELDS["password"] not in response.text
    assert FIELDS["next"] not in main.text


def test_a_form_for_htmx_stays_where_it_is(client: TestClient) -> None:
    response = client.post(ADDRESS, data=FIELDS, headers={"hx-request": "true"})
    assert response.status_code == 422
    assert response.headers["hx-retarget"] == "#status", "the form is not replaced"
    assert "有一处没填对" in response.text
    assert "<main" not in response.text


@pytest.mark.parametrize("fields", [FIELDS, FIELDS | {"tries": "3"}])
def test_a_path_that_does_not_fit_is_no_page(client: TestClient, fields: dict[str, str]) -> None:
    response = client.post("/forms/abc", data=fields)
    assert response.status_code == 404
    assert Page(response).main.one("h1").text == "这里没有糖"
