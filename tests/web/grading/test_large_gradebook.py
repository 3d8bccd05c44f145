"""A year of 200 students at 60 assignments, all of it handed in: no page of their class becomes a forest."""

import sqlite3
from contextlib import closing

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from bench.gradebook import ASSIGNMENTS, STUDENTS, fill
from tests.web.cast import Reader
from tests.web.pages import parsed
from tests.web.school import new_class, new_teacher

MOST_ELEMENTS = 8000
PAGES = (
    "",
    "/gradebook",
    "/gradebook?sort=number",
    "/mistakes",
    "/items",
    "/map",
    "/tests",
    "/audit",
    "/roster",
    "/assignments/1",
    "/assignments/1/regrades",
    "/assignments/1/students/1",
)


@pytest.fixture
def teacher(client: TestClient, settings: Settings) -> Reader:
    """Their class is the first, and every cell but a few is filled."""
    teacher = new_teacher(client, "王")
    assert new_class(teacher, "年级大课") == 1
    with closing(sqlite3.connect(settings.database_path)) as connection, connection:
        fill(connection, 1)
    return teacher


@pytest.mark.one_file
def test_no_page_of_a_large_class_has_more_elements_than_a_phone_can_lay_out(teacher: Reader) -> None:
    assert (STUDENTS, ASSIGNMENTS) == (200, 60)
    counts = {}
    for suffix in PAGES:
        response = teacher.client.get(f"/classrooms/1{suffix}")
        assert response.status_code == 200, suffix
        counts[suffix] = sum(1 for _ in parsed(response.text).inside)
    assert max(counts.values()) <= MOST_ELEMENTS, counts
