"""A school in the browser: teachers come by invitation, each with a name of their own, and open classes."""

import asyncio
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
            return [await database.write(teachers.invite, datetime.now(UTC)) for _ in range(many)]
        finally:
            await database.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright has a loop of its own in this thread
        return thread.submit(asyncio.run, made()).result()


def new_teacher(page: Page, invitations: list[str], name: str = "王") -> int:
    """Sign up by an invitation; the number that makes the name one's own."""
    number = next(NUMBERS)
    page.goto(f"/invitations/{invitations.pop()}")
    page.fill("#login", f"{name}{number}")
    page.fill("#password", PASSWORD)
    page.get_by_role("button", name="注册，开始").click()
    page.wait_for_url("**/classrooms")
    return number


def new_class(page: Page, invitations: list[str]) -> Page:
    """The projector page of a new class of a new teacher."""
    number = new_teacher(page, invitations)
    page.fill("#class-name", f"高一{number}班")
    page.get_by_role("button", name="建好，去投影").click()
    expect(page.locator(".join-code")).to_be_visible()
    return page


def code(page: Page) -> str:
    return page.locator(".join-code").inner_text()
