"""Passwords are hashed for those alone who may set them: each takes a core for a moment."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from app.course import Course
from app.records.classes.roster_files import MOST_STUDENTS
from app.web.accounts import hashing
from tests.web.cast import Page, Reader
from tests.web.school import School, new_teacher, school


@pytest.fixture
def full_school(client: TestClient, course: Course) -> School:
    return school(client, course)


@pytest.fixture
def helper(full_school: School) -> Reader:
    """只看的人 of the class."""
    staff_url = f"{full_school.here}/staff"
    page = full_school.teacher.open(staff_url)
    page = full_school.teacher.submit(page.form(f"{staff_url}/invitations"), role="reader")
    [link] = re.findall(r"/staff/[\w-]{20,}", page.main.text)
    helper = new_teacher(full_school.client, "周")
    helper.submit(helper.open(link).form(f"{link}/acceptances"))
    return helper


def close_hashing_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is still given to be hashed fails."""
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    monkeypatch.setattr(hashing, "HASHING_POOL", pool)


def ticked(count: int) -> list[tuple[str, str]]:
    return [("student", str(number)) for number in range(1, count + 1)]


def test_nothing_is_hashed_for_who_has_no_right_to_it(
    full_school: School, helper: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1200 hashes kept everybody from signing in for 40 seconds, and then it was refused."""
    close_hashing_pool(monkeypatch)
    assert helper.post(f"{full_school.here}/slips", ticked(1200)).status_code == 403
    assert helper.post(f"{full_school.here}/roster", [("rows", "姓名\n小方")]).status_code == 403


@pytest.mark.parametrize(
    ("count", "words"),
    [(MOST_STUDENTS, "班里没有这位同学"), (MOST_STUDENTS + 1, f"一次最多给{MOST_STUDENTS}位换密码")],
)
def test_nothing_is_hashed_for_more_students_than_a_print_has_or_for_those_of_another_class(
    full_school: School, monkeypatch: pytest.MonkeyPatch, count: int, words: str
) -> None:
    close_hashing_pool(monkeypatch)
    page = Page(full_school.teacher.post(f"{full_school.here}/slips", ticked(count)))
    assert words in page.main.text
