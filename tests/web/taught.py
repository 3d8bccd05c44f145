"""A class with one student, and what its teacher does with assignments in a browser."""

import json
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from http.cookiejar import Cookie
from typing import Any

from starlette.testclient import TestClient

from app.course import Course
from app.course.items.kinds import Item
from tests.web.cast import Ledger, Page, Reader, browser
from tests.web.school import code_of, join_new, new_class, new_teacher


@dataclass(frozen=True)
class Beginning:
    """How a term begins: who is there, and with which cookies."""

    classroom: int
    teacher_cookies: list[Cookie]
    student_cookies: list[Cookie]


def begin_term(client: TestClient) -> Beginning:
    """王 makes a class, and 小糖 comes in."""
    teacher, student = new_teacher(client, "王"), browser(client)
    classroom = new_class(teacher, "高一3班")
    join_new(student, code_of(teacher, classroom), "小糖")
    return Beginning(classroom, list(teacher.client.cookies.jar), list(student.client.cookies.jar))


def reader_with(client: TestClient, cookies: Iterable[Cookie]) -> Reader:
    """The browser that got these cookies."""
    reader = browser(client)
    for cookie in cookies:
        reader.client.cookies.jar.set_cookie(copy(cookie))
    return reader


class Term:
    """王 teaches 小糖; what one does with assignments."""

    def __init__(self, client: TestClient, course: Course, ledger: Ledger, beginning: Beginning) -> None:
        self.client, self.course, self.ledger = client, course, ledger
        self.classroom = beginning.classroom
        self.teacher = reader_with(client, beginning.teacher_cookies)
        self.student = reader_with(client, beginning.student_cookies)

    @property
    def all(self) -> str:
        return f"/classrooms/{self.classroom}/assignments"

    def draft(self, *items: str, title: str = "第一周") -> str:
        """The path of a new draft with these items."""
        self.teacher.open(self.all)
        self.teacher.submit(self.teacher.page.form(self.all), title=title)
        path = self.teacher.page.path
        if items:
            fields = [("kind", "item"), ("points", "2"), *(("ref", f"content:{item}") for item in items)]
            assert self.teacher.post(f"{path}/parts", fields).status_code == 200
        return path

    def set_up(self, assignment_url: str, status: int = 200, **wishes: Any) -> Page:
        self.teacher.open(assignment_url)
        return self.teacher.submit(
            self.teacher.page.form(f"{assignment_url}/settings"), status=status, **wishes
        )

    def publish(self, assignment_url: str) -> str:
        """The path of a student to it."""
        self.teacher.open(assignment_url)
        self.teacher.submit(self.teacher.page.form(f"{assignment_url}/settings"), "发布给")
        return f"/assignments/{assignment_url.rpartition('/')[2]}"

    def begin(self, path: str) -> None:
        self.student.open(path)
        self.student.submit(self.student.page.form(f"{path}/passes"))

    def answer(self, path: str, number: int, raw: Any, status: int = 200) -> Page:
        self.student.open(f"{path}/questions/{number}")
        form = self.student.page.form(f"{path}/questions/{number}/responses")
        return self.student.submit(form, answer=list(raw), status=status)

    def hand_in(self, path: str) -> Page:
        self.student.open(f"{path}/hand-in")
        return self.student.submit(self.student.page.form(f"{path}/hand-ins"))

    def question(self, path: str, number: int) -> Item:
        """The variant that was drawn for 小糖 in the first pass."""
        assignment_id = int(path.rpartition("/")[2])
        [(seeds,)] = self.ledger.rows(
            "SELECT seeds FROM submission WHERE assignment_id = ? AND number = 1", assignment_id
        )
        ref, level = self.ledger.rows(
            "SELECT ref, level FROM assignment_part WHERE assignment_id = ? ORDER BY position", assignment_id
        )[0]
        name = f"practice-{self.course.bare_id(ref)}-{level}"
        return self.course.variant(name, json.loads(seeds)[str(number)])


def new_helper(term: Term, role: str, login: str = "李") -> Reader:
    """A teacher with classes of their own, who took the link for a role in the class of 王."""
    staff = f"/classrooms/{term.classroom}/staff"
    page = term.teacher.open(staff)
    page = term.teacher.submit(page.form(f"{staff}/invitations"), role=role)
    link = page.by_id("staff-link").text.partition("testserver")[2]
    helper = new_teacher(term.client, login)
    helper.submit(helper.open(link).form(f"{link}/acceptances"))
    return helper
