"""A small school: a teacher with a class, another teacher, two students, and what they have done."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.testclient import TestClient

from app.course import Course
from app.records.people import teachers
from app.web.site.site import Site
from tests.web.cast import Page, Place, Reader, browser, is_numeric, place_asking, right_answer, wrong_answer

PASSWORD = "越甜越靠前的糖"


@dataclass
class School:
    """Everybody with a browser of their own. `classroom`, `student`, `attempt` are those of 小糖."""

    client: TestClient
    course: Course
    teacher: Reader
    other_teacher: Reader
    student: Reader
    other_student: Reader
    classroom: int = 0
    place_of_student: int = 0
    attempt: int = 0

    @property
    def here(self) -> str:
        return f"/classrooms/{self.classroom}"

    @property
    def of_student(self) -> str:
        return f"{self.here}/students/{self.place_of_student}"


def invitation(client: TestClient) -> str:
    """The path of a fresh invitation, as the operator prints it."""
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    assert client.portal
    token = client.portal.call(site.db.write, teachers.create_invitation_token, datetime.now(UTC))
    return f"/invitations/{token}"


def new_teacher(client: TestClient, login: str) -> Reader:
    reader, path = browser(client), invitation(client)
    reader.open(path)
    reader.submit(reader.page.form(f"{path}/accounts"), login=login, password=PASSWORD)
    assert reader.page.path == "/classrooms"
    return reader


def sign_up(reader: Reader, login: str = "小糖", password: str = PASSWORD, status: int = 200) -> Page:
    """An account that its owner opens."""
    form = reader.open("/sign-up").form("/accounts")
    return reader.submit(form, login=login, password=password, status=status)


def sign_in(
    reader: Reader, login: str = "小糖", password: str = PASSWORD, status: int = 200, **typed: Any
) -> Page:
    form = reader.open("/sign-in").form("/accounts/sign-ins")
    return reader.submit(form, login=login, password=password, status=status, **typed)


def sign_out(reader: Reader) -> None:
    reader.submit(reader.open("/me").root.one("form", class_="leave"))


def new_class(teacher: Reader, name: str) -> int:
    """The number of a new class; its projector page is open."""
    teacher.open("/classrooms")
    teacher.submit(teacher.page.form("/classrooms"), name=name)
    match = re.fullmatch(r"/classrooms/([0-9]+)/projector", teacher.page.path)
    assert match, teacher.page.path
    return int(match[1])


def code_of(teacher: Reader, classroom: int) -> str:
    return teacher.open(f"/classrooms/{classroom}/projector").main.one("p", class_="join-code").text


def join_new(reader: Reader, code: str, name: str, status: int = 200) -> Page:
    """A class account."""
    reader.open(f"/join/{code}")
    return reader.submit(reader.page.form(f"/join/{code}/accounts"), name=name, status=status)


def secrets_on(page: Page) -> list[str]:
    return [detail.text for detail in page.root.all("dd", class_="secret")]


def school(client: TestClient, course: Course) -> School:
    """小糖 has answered something, in the class of 王; 小序 is nowhere."""
    teacher, colleague = new_teacher(client, "王"), new_teacher(client, "李")
    student, stranger = browser(client), browser(client)
    people = School(client, course, teacher, colleague, student, stranger)
    people.classroom = new_class(teacher, "高一3班")
    place: Place = place_asking(course, is_numeric)
    student.open(place.url)
    student.answer(place.name, *wrong_answer(course.items[place.name]))
    student.answer(place.name, *right_answer(course.items[place.name]))
    join_new(student, code_of(teacher, people.classroom), "小糖")
    sign_up(stranger, "小序")
    row = teacher.open(people.here).main.one("table", class_="heat-table").one("tbody").one("a")
    people.place_of_student = int(row["href"].rpartition("/")[2])
    work = teacher.open(people.of_student).main.one("ol", class_="works").one("a")
    people.attempt = int(work["href"].rpartition("/")[2])
    return people


def assigned(school: School, item: str = "cg-chengdu") -> str:
    """The path of an assignment of one item for its student, who has begun it."""
    assignment_url = f"{school.here}/assignments"
    school.teacher.open(assignment_url)
    school.teacher.submit(school.teacher.page.form(assignment_url), title="第一周")
    path = school.teacher.page.path
    school.teacher.post(f"{path}/parts", [("kind", "item"), ("ref", f"content:{item}"), ("points", "1")])
    school.teacher.open(path)
    school.teacher.submit(school.teacher.page.form(f"{path}/settings"), "发布给")
    task = f"/assignments/{path.rpartition('/')[2]}"
    school.student.open(task)
    school.student.submit(school.student.page.form(f"{task}/passes"))
    return task


def expect_page_of_another(page: Page) -> None:
    """The form was refused, for its page belongs to somebody else than who is signed in."""
    assert "这一页是换人以前打开的" in page.text
    assert "登录" in page.text
