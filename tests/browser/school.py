"""A school in the browser: teachers come by invitation, each with a name of their own, and open classes.

All of it by plain posts: no page is drawn and no key is pressed. By hand it is done in `test_classes.py`.
"""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from playwright.sync_api import Page, expect

from app.records.db.database import open_database
from app.records.people import teachers

PASSWORD = "越甜越靠前的糖"
DESK = {"width": 1280, "height": 900}
NUMBERS = count(1)
"""All tests of a process share one server: no name may come twice."""


def invite(data: Path, many: int) -> list[str]:
    """Invitations, made beside the running server as the operator does."""

    async def made() -> list[str]:
        database = open_database(f"sqlite:///{data / 'tangxu.db'}", thread_count=1)
        try:
            return [
                await database.write(teachers.create_invitation_token, datetime.now(UTC)) for _ in range(many)
            ]
        finally:
            await database.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright has a loop of its own in this thread
        return thread.submit(asyncio.run, made()).result()


def new_teacher(page: Page, invitations: list[str], name: str = "王") -> int:
    """Sign up by an invitation; the number that makes the name one's own. The page stays where it was."""
    number = next(NUMBERS)
    account = {"login": f"{name}{number}", "password": PASSWORD}
    location = posted(page, f"/invitations/{invitations.pop()}/accounts", account)
    assert location == "/classrooms"
    return number


def posted(page: Page, path: str, fields: dict[str, str]) -> str:
    """Where a form that is posted with the cookies of this page's browser leads to."""
    response = page.request.post(path, form=dict(fields), max_redirects=0)
    assert response.status == 303, (path, response.status, response.text())
    return response.headers["location"]


def send_account(page: Page, login: str, button: str) -> None:
    """Sign up or in, by the form that is open."""
    page.fill("#login", login)
    page.fill("#password", PASSWORD)
    page.get_by_role("main").get_by_role("button", name=button).click()
    page.wait_for_url(re.compile(r"(/|/#kept|/me\?.*)$"))


def posted_account(page: Page) -> str:
    """The name of a new account of a learner, who is signed in now; the page stays where it was."""
    login = f"小词{next(NUMBERS)}"
    posted(page, "/accounts", {"login": login, "password": PASSWORD})
    return login


def new_account(page: Page) -> str:
    """As `posted_account`, by hand: what the page has to do with what was typed before, it does."""
    login = f"小词{next(NUMBERS)}"
    page.goto("/sign-up")
    send_account(page, login, "注册")
    return login


def new_class(page: Page, invitations: list[str]) -> Page:
    """The projector page of a new class of a new teacher."""
    number = new_teacher(page, invitations)
    page.goto(posted(page, "/classrooms", {"name": f"高一{number}班"}))
    expect(page.locator(".join-code")).to_be_visible()
    return page


def code(page: Page) -> str:
    return page.locator(".join-code").inner_text()
