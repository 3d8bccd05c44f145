"""Learners whose past is made by plain posts, quicker than by clicking."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import APIRequestContext, Playwright

from app.course import Course
from tests.browser.learner import right_answer, wrong_answer

Cookies = Any
"""Playwright's storage state."""
FORM = {"content-type": "application/x-www-form-urlencoded"}

WRONG = (
    "noodle-order",
    "move-useless-first",
    "degrees-lost",
    "cg-chengdu",
    "lipstick-bags",
    "perfect-means-sweet",
)
"""Left wrong: open again, or with a twin. One of each kind."""
RIGHT = ("lucky-questions", "three-wishes", "recap-reverse", "dcg-by-hand", "order-buffet")
EXAMPLES = ("beijing-zero", "dcg-facts", "idcg-by-hand", "why-plus-one")
HINTED = ("cg-chengdu", "term-at-second")


@dataclass
class Poster:
    """Posts forms as a browser without scripts would."""

    web: APIRequestContext
    course: Course
    guest: str = ""

    def arrive(self) -> None:
        """A newcomer takes the proposed token from a page."""
        match = re.search(
            r'name="guest" value="([^"]+)"', self.web.get("/lessons/concepts/which-is-better").text()
        )
        assert match
        self.guest = match[1]

    def post(self, path: str, *fields: tuple[str, str]) -> None:
        body = urlencode([("guest", self.guest), *fields])
        answer = self.web.post(path, data=body, headers=FORM, max_redirects=0)
        assert answer.status == 303, (path, fields, answer.status, answer.text())

    def about(self, item: str, move_name: str, *fields: tuple[str, str]) -> None:
        """An answer, a hint or a solution; the stage is the one whose lesson asks the item."""
        self.post(
            f"/lessons/{stage_of(self.course, item)}/{move_name}", ("item", item), ("try", "1"), *fields
        )

    def answer(self, item: str, raw: list[str]) -> None:
        self.about(item, "responses", *(("answer", answer) for answer in raw))


def stage_of(course: Course, item: str) -> str:
    first = course.stages[0]
    return first.id if item in first.asked_item_ids else "definitions"


def busy_learner(playwright: Playwright, base_url: str, course: Course) -> Cookies:
    web = playwright.request.new_context(base_url=base_url)
    poster = Poster(web, course)
    poster.arrive()
    for item in WRONG:
        poster.answer(item, wrong_answer(course, item))
    for item in RIGHT:
        poster.answer(item, right_answer(course, item))
    for item in EXAMPLES:
        poster.about(item, "solutions")
    for item in HINTED:
        poster.about(item, "hints", ("hint", "1"))
    for example, position in (("two-systems-a", "all"), ("two-systems-b", "all"), ("chengdu-3-days", "1")):
        poster.post(f"/examples/{example}/reveals", ("position", position))
    for guess in ("more", "less"):
        poster.post("/examples/chengdu-3-days/reveals", ("position", "2"), ("guess", guess))
    poster.post("/lessons/concepts/which-is-better/places", ("step", "7"))
    poster.post("/lessons/concepts/sweetness/places", ("step", "3"))
    storage: Cookies = web.storage_state()
    web.dispose()
    return storage
