"""A gradebook of four, open before its teacher."""

import io
from functools import partial
from typing import Any

import pytest
from python_calamine import CalamineWorkbook
from starlette.testclient import TestClient

from app.course import Course
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE
from app.web.site.site import Site
from tests.web.cast import Page, Reader, browser
from tests.web.graded import DAY, NOW, TEACHER, Term
from tests.web.pages import Element


@pytest.fixture
def term(client: TestClient, course: Course) -> Term:
    """小糖 did all of it well, 小序 half of it, 小方 nothing; 小圆 is half-way."""
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    assert client.portal
    new_page = Term(partial(client.portal.call, site.db.write), course).open()
    new_page.join("小糖", "小序", "小方", "小圆")
    return new_page


@pytest.fixture
def teacher(client: TestClient) -> Reader:
    reader = browser(client)
    reader.client.cookies.set(COOKIE, TEACHER.token or "")
    return reader


@pytest.fixture
def first(term: Term) -> int:
    assignment_id = term.assign("第一周", due_at=NOW + 2 * DAY, late_until=NOW + 4000 * DAY, late_factor=0.5)
    term.do("小糖", assignment_id, "rrr")
    term.now += 3 * DAY
    term.do("小序", assignment_id, "rw-")
    term.do("小圆", assignment_id, "r--", hand_in=False)
    return assignment_id


def body(page: Page) -> list[Element]:
    return page.main.one("table", class_="grade-table").one("tbody").all("tr")


def names(page: Page) -> list[str]:
    return [row.one("th").text for row in body(page)]


def book(term: Term) -> str:
    return f"/classrooms/{term.classroom}/gradebook"


def downloaded_file(teacher: Reader, path: str) -> tuple[bytes, str]:
    response = teacher.client.get(path)
    assert response.status_code == 200
    return response.content, response.headers["content-disposition"]


def sheet_of(content: bytes) -> list[list[Any]]:
    file = CalamineWorkbook.from_filelike(io.BytesIO(content))
    assert file.sheet_names == ["成绩册"]
    return file.get_sheet_by_name("成绩册").to_python(skip_empty_area=False)
