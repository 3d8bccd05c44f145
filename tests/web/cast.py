"""Who plays in these tests: a guest with a browser that runs no script, and what there is to ask them."""

import asyncio
import atexit
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import httpx2
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.course import Course
from app.course.items.kinds import (
    FillInBlanks,
    Item,
    MultipleChoice,
    Numeric,
    Order,
    ShortAnswer,
    SingleChoice,
    Spot,
    Steps,
    TrueFalse,
)
from app.course.learning.steps import Ask, ExampleStep
from app.main import create_app
from app.records.db.database import open_database
from app.records.db.stored_times import stored_time, time_of
from app.settings import Settings
from app.web.site.cookies import SIGN_IN_COOKIE as COOKIE
from app.web.site.site import Site
from tests.courses_folder import courses_folder, lend_courses
from tests.empty_database import migrate_alike
from tests.other_program import other_program
from tests.records.all_sums import rebuild_all_sums
from tests.web import pages
from tests.web.pages import Element, Fields

HTMX = {"HX-Request": "true"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CHANGING = (
    "learner",
    "sign_in",
    "lesson_place",
    "lesson_visit",
    "attempt",
    "item_version",
    "response",
    "hint",
    "reveal",
    "problem_report",
    "deck",
    "card_memory",
    "review_log",
    "own_card",
    "bookmark",
    "scheduler_version",
    "game_move",
)


class Page:
    """An answer of the site, read as a page or as a fragment."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response, self.status, self.html = response, response.status_code, response.text
        self.root = pages.parsed(self.html)

    @property
    def path(self) -> str:
        """Path and query of the page that is seen in the end."""
        return pages.path_of(str(self.response.url))

    @property
    def text(self) -> str:
        """What can be read on it."""
        return self.root.text

    @property
    def main(self) -> Element:
        return self.root.one("main")

    def by_id(self, name: str) -> Element:
        return self.root.one(id=name)

    def has(self, name: str) -> bool:
        return bool(self.root.all(id=name))

    def item(self, item_id: str) -> Element:
        return self.by_id(f"item-{item_id}")

    def answering(self, item_id: str) -> Element:
        """The form that answers an item."""
        forms = [
            form for form in self.root.all("form", class_="answer") if ("item", item_id) in pages.filled(form)
        ]
        assert len(forms) == 1, f"{len(forms)} forms for {item_id}"
        return forms[0]

    def form(self, action: str, label: str = "") -> Element:
        """The form with this action, and a button with this label."""
        forms = [
            form for form in self.root.all("form")
            if form["action"].partition("?")[0] == action
            and any(control.text.startswith(label) for control in form.controls if control.tag == "button")
        ]  # fmt: skip
        assert len(forms) == 1, f"{len(forms)} forms to {action} {label}"
        return forms[0]


class Reader:
    """A browser without a script: pages, forms, cookies. With `htmx` it asks as htmx does."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.page: Page

    def open(self, path: str, status: int = 200) -> Page:
        self.page = Page(self.client.get(path))
        assert self.page.status == status, f"{path}: {self.page.status} {self.page.text[:300]}"
        return self.page

    def submit(
        self, form: Element, label: str = "", status: int = 200, htmx: bool = False, **typed: Any
    ) -> Page:
        """Press a button of a form; without htmx this follows the redirect to the page that is shown."""
        pressed = pages.button(form, label) if label else None
        fields = pages.filled(form, pressed, **typed)
        response = self.post(pages.target(form, pressed), fields, htmx)
        page = Page(response)
        if not htmx and not response.history:
            pages.expect_leaving_is_asked(page.root, form, fields)
        assert page.status == status, f"{page.path}: {page.status} {page.text[:500]}"
        if not htmx:
            self.page = page
        return page

    def post(
        self, path: str, fields: Fields, htmx: bool = False, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        posted_fields = FORM | (HTMX if htmx else {}) | dict(headers or {})
        return self.client.post(
            path, content=urlencode(fields).encode(), headers=posted_fields, follow_redirects=not htmx
        )

    def twin(self) -> "Reader":
        """The same browser once more, for a second request at the same moment."""
        other_browser = browser(self.client)
        other_browser.client.cookies.update(self.client.cookies)
        return other_browser

    @property
    def token(self) -> str | None:
        """The cookie that says who this is; the newest, where the site has just renewed it."""
        tokens = [cookie.value for cookie in self.client.cookies.jar if cookie.name == COOKIE]
        return tokens[-1] if tokens else None

    def answer(self, item_id: str, *answer: str, **options: Any) -> Page:
        """Answer an item that stands on the open page."""
        return self.submit(self.page.answering(item_id), answer=list(answer), **options)

    def go_on(self, **options: Any) -> Page:
        """下一步."""
        return self.submit(self.page.root.one("form", class_="next"), **options)


def browser(client: TestClient) -> Reader:
    """Another browser at the same running site, with no cookies."""
    other_client = TestClient(client.app)
    other_client.portal = client.portal
    return Reader(other_client)


@dataclass(frozen=True)
class Ledger:
    """What is in the database, as another program sees it; times as text."""

    url: str

    def other_program(self) -> AbstractContextManager[Any]:
        """A connection beside that of the site, for SQL."""
        return other_program(self.url)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self.other_program() as connection:
            rows: list[tuple[Any, ...]] = connection.execute(sql, values).fetchall()
            return rows

    def count(self, table: str) -> int:
        row_count: int = self.rows(f"SELECT count(*) FROM {table}")[0][0]
        return row_count

    def move_back(self, table: str, column: str, by: timedelta) -> None:
        """What a table says happened, happened so much earlier."""
        with self.other_program() as connection:
            for key, moment in connection.execute(f"SELECT id, {column} FROM {table}").fetchall():
                earlier = stored_time(time_of(moment) - by)
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (earlier, key))

    def rebuild_sums(self) -> None:
        """After a test has written into the logs by itself."""

        async def rebuild() -> None:
            database = open_database(self.url)
            await database.write(rebuild_all_sums)
            await database.close()

        asyncio.run(rebuild())

    def everything(self) -> dict[str, list[tuple[Any, ...]]]:
        return {table: self.rows(f"SELECT * FROM {table} ORDER BY 1") for table in CHANGING}


@dataclass(frozen=True)
class Place:
    """Where something is asked or shown in the course."""

    stage: str
    section: str
    step: int
    total: int
    name: str

    @property
    def url(self) -> str:
        return f"/lessons/{self.stage}/{self.section}?step={self.step}"

    @property
    def ref(self) -> str:
        return f"content:{self.name}"


def place_asking(course: Course, condition: Callable[[Item], bool], probe: bool = False) -> Place:
    """The first place in the lessons where an item of this kind is asked."""
    return next(
        place for place, step in steps(course)
        if isinstance(step, Ask) and step.probe is probe and condition(course.items[step.item])
    )  # fmt: skip


def place_opening(course: Course, condition: Callable[[ExampleStep], bool] = lambda _: True) -> Place:
    """The first place in the lessons where an example of this kind is opened."""
    return next(place for place, step in steps(course) if isinstance(step, ExampleStep) and condition(step))


def steps(course: Course) -> Iterator[tuple[Place, Any]]:
    for stage in course.stages:
        for section in stage.sections:
            for number, step in enumerate(section.steps, 1):
                name = getattr(step, "item", None) or getattr(step, "example", None) or step.id
                yield Place(stage.id, section.id, number, len(section.steps), name), step


def guessed_by_number(course: Course) -> Place:
    return place_opening(course, lambda step: step.guess == "number" and step.until == "ratio")


def is_numeric(item: Item) -> bool:
    return isinstance(item, Numeric)


def is_one_shot(item: Item) -> bool:
    return isinstance(item, SingleChoice) and item.has_one_try_only


def has_several_tries(item: Item) -> bool:
    return isinstance(item, SingleChoice) and not item.has_one_try_only


def right_answer(item: Item) -> Sequence[str]:
    """What the form sends for the right answer."""
    match item:
        case SingleChoice() | MultipleChoice():
            return [option.id for option in item.right_options]
        case TrueFalse():
            return ["true" if item.answer else "false"]
        case Numeric():
            return [f"{item.answer:.{item.decimals}f}"]
        case Steps():
            truth = item.table.true_value_by_cell_name()
            return [f"{truth[cell.name]:.{item.decimals}f}" for cell in item.blanks]
        case Order():
            return [
                candidate.id for candidate in sorted(item.documents, key=lambda document: -document.grade)
            ]
        case Spot() | FillInBlanks():
            return list(next(raw for raw, is_right in item.proofs() if is_right))
        case ShortAnswer():
            return ["因为排在后面的糖要打折。"]
    raise AssertionError(item.id)


def wrong_answer(item: Item) -> Sequence[str]:
    """What the form sends for a wrong answer."""
    match item:
        case SingleChoice() | MultipleChoice():
            return [next(option.id for option in item.options if not option.right)]
        case TrueFalse():
            return ["false" if item.answer else "true"]
        case Numeric():
            return [f"{item.answer + 7:.{item.decimals}f}"]
        case Steps():
            return ["77", *right_answer(item)[1:]]
        case Order():
            return [candidate.id for candidate in sorted(item.documents, key=lambda document: document.grade)]
        case Spot():
            return [next(line.id for line in item.lines if not line.wrong)]
        case FillInBlanks():
            return ["987654321.5" for _ in item.blanks]
    raise AssertionError(item.id)


@cache
def drawer() -> Path:
    """What every site of this process may begin with: an empty database, and other courses read so far."""
    folder = TemporaryDirectory(prefix="tangxu-")
    atexit.register(folder.cleanup)
    settings = Settings(data=Path(folder.name))
    settings.make_folders()
    (settings.data / "others").mkdir()
    migrate_alike(settings.database_url, settings.data)
    return settings.data


def settings_at(folder: Path, **more: Any) -> Settings:
    """Settings with a fresh database in a folder."""
    settings = Settings(data=folder, **more)
    if not settings.database_path.exists():
        settings.make_folders()
        copyfile(Settings(data=drawer()).database_path, settings.database_path)
        lend_courses(settings.data, drawer() / "others" if "content" in more else courses_folder())
    return settings


def opened_site(app: FastAPI, settings: Settings) -> TestClient:
    """The site on this database; to be entered with `with`, which opens and closes the file."""
    site: Site = app.state.site
    site.settings = settings
    return TestClient(app)


def site_with(settings: Settings) -> TestClient:
    """A site of its own for settings that are read when it is built."""
    return TestClient(create_app(settings))
