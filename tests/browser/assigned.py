"""An assignment in the browsers of tests: given by its teacher, joined and begun by a student."""

import re

from playwright.sync_api import Page, expect

from app.course import Course
from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.school import code


def join(visit: Visit, course: Course, teacher: Page, name: str, **options: object) -> Learner:
    """Somebody new in the class, by a plain post; the teacher's page is that of the projector."""
    student = Learner(visit(**options), course, touch=bool(options.get("has_touch")))
    joined = student.page.request.post(f"/join/{code(teacher)}/accounts", form={"name": name})
    assert joined.text().count('class="secret"') == 2, joined.text()
    return student


def posted_draft(teacher: Page, *items: str) -> str:
    """The path of a draft with these items, made by plain posts."""
    room = re.sub("/projector$", "", re.sub(r"^https?://[^/]+", "", teacher.url))
    response = teacher.request.post(f"{room}/assignments", form={"title": "第一周"}, max_redirects=0)
    assignment_url = response.headers["location"].partition("?")[0].partition("#")[0]
    for item in items:
        part: dict[str, str | float | bool] = {"kind": "item", "ref": f"content:{item}", "points": "1"}
        assert teacher.request.post(f"{assignment_url}/parts", form=part).ok
    teacher.goto(assignment_url)
    return assignment_url


def publish(teacher: Page) -> None:
    teacher.get_by_role("button", name="发布给").click()
    expect(teacher.get_by_role("status").filter(has_text="发布了")).to_be_visible()


def begin(student: Learner) -> None:
    """From one's assignments to the first question, its scripts included."""
    student.go("/assignments")
    student.press(student.link("第一周"))
    student.press(student.button("开始做"))
    student.page.wait_for_url("**/questions/1")
