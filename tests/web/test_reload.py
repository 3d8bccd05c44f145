"""`--reload`: whoever writes content sees the change, or the fault, on the page; learners lose nothing."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest
from starlette.testclient import TestClient

from app.course import Faults
from app.main import create_app
from app.settings import root

from .cast import Page, settings_at, site_with

GOOD, BETTER = "title: 概念与动机", "title: 概念、动机和一只猫"


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return Path(copytree(root() / "content", tmp_path / "content"))


@pytest.fixture
def client(tmp_path: Path, content: Path) -> Iterator[TestClient]:
    with site_with(settings_at(tmp_path / "data", content=content, reload=True)) as opened:
        yield opened


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def wait_for(client: TestClient, path: str, wanted: Callable[[Page], bool]) -> Page:
    """Files are looked at twice a second: ask until the page is as wanted, three seconds at most."""
    until = time.monotonic() + 3
    while True:
        page = Page(client.get(path))
        if wanted(page) or time.monotonic() > until:
            return page
        time.sleep(0.1)


def test_a_change_shows(client: TestClient, content: Path) -> None:
    assert BETTER[7:] not in client.get("/course").text
    change(content / "course.yaml", GOOD, BETTER)
    assert BETTER[7:] in wait_for(client, "/course", lambda page: BETTER[7:] in page.text).text


def test_a_changed_step_shows_though_it_was_rendered_before(client: TestClient, content: Path) -> None:
    path = "/lessons/concepts/which-is-better?step=3"
    assert "猫在浴盆里瞪着你" in client.get(path).text
    change(content / "01-concepts" / "lesson.yaml", "猫在浴盆里瞪着你", "猫在浴盆里打盹")
    assert "打盹" in wait_for(client, path, lambda page: "打盹" in page.text).text


@pytest.mark.parametrize("path", ["/", "/lessons/concepts/which-is-better", "/privacy"])
def test_a_fault_is_shown_and_the_last_good_course_stays(
    client: TestClient, content: Path, path: str
) -> None:
    whole = (content / "course.yaml").read_text("utf-8")
    before = Page(client.get(path)).main.one("h1").text
    change(content / "course.yaml", "summary:", "sumary:")
    page = wait_for(client, path, lambda page: "course.yaml" in page.text)
    assert "course.yaml" in page.text, "the fault names its file"
    assert "sumary" in page.text
    assert page.main.one("h1").text == before
    (content / "course.yaml").write_text(whole, "utf-8")
    assert "course.yaml" not in wait_for(client, path, lambda page: "course.yaml" not in page.text).text


@pytest.mark.parametrize(
    "broken", ["", "{", "title: [", "\t- x", "a: b: c", "\ufeff", "- 1\n", "title: 'x\n"]
)
def test_half_a_file_is_a_fault_and_no_crash(client: TestClient, content: Path, broken: str) -> None:
    (content / "01-concepts" / "items.yaml").write_text(broken, "utf-8")
    page = wait_for(client, "/course", lambda page: "内容有错" in page.text)
    assert page.status == 200
    assert "01-concepts" in page.text


def test_bytes_that_are_no_text_and_files_that_are_gone(client: TestClient, content: Path) -> None:
    file = content / "glossary.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    assert (
        wait_for(client, "/course", lambda page: str(content) in page.text or "glossary" in page.text).status
        == 200
    )
    file.unlink()
    assert "glossary.yaml" in wait_for(client, "/course", lambda page: "glossary.yaml" in page.text).text


def test_without_reload_a_change_waits_for_the_next_start(tmp_path: Path, content: Path) -> None:
    with site_with(settings_at(tmp_path / "data", content=content)) as client:
        change(content / "course.yaml", GOOD, BETTER)
        time.sleep(0.6)
        assert BETTER[7:] not in client.get("/course").text


def test_the_site_does_not_start_with_faults(tmp_path: Path, content: Path) -> None:
    change(content / "course.yaml", "summary:", "sumary:")
    for reload in (True, False):
        with pytest.raises(Faults, match="sumary"):
            create_app(settings_at(tmp_path / "data", content=content, reload=reload))
