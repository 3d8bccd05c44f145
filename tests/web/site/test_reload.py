"""`--reload`: whoever writes content sees the change, or the fault, on the page; learners lose nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.course import Faults
from app.main import create_app
from app.web.site.site import CourseFolder, Site
from tests.course.small import small_content
from tests.web.cast import Page, settings_at, site_with

GOOD, BETTER = "title: 第一站", "title: 第一站和一只猫"


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return small_content(tmp_path / "content")


@pytest.fixture
def client(tmp_path: Path, content: Path) -> Iterator[TestClient]:
    with site_with(settings_at(tmp_path / "data", content=content, reload=True)) as opened:
        yield opened


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def later(client: TestClient, path: str) -> Page:
    """The page a second later; files are looked at twice a second."""
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    assert isinstance(site.course_source, CourseFolder)
    site.course_source._checked_at -= 1
    return Page(client.get(path))


def test_a_change_shows(client: TestClient, content: Path) -> None:
    assert BETTER[7:] not in client.get("/course").text
    change(content / "course.yaml", GOOD, BETTER)
    assert BETTER[7:] in later(client, "/course").text


def test_a_changed_step_shows_though_it_was_rendered_before(client: TestClient, content: Path) -> None:
    path = "/lessons/first/one?step=2"
    assert "换个说法" in client.get(path).text
    change(content / "01-first" / "lesson.yaml", "换个说法", "打个盹")
    assert "打个盹" in later(client, path).text


@pytest.mark.parametrize("path", ["/", "/lessons/first/one", "/privacy"])
def test_a_fault_is_shown_and_the_last_good_course_stays(
    client: TestClient, content: Path, path: str
) -> None:
    whole = (content / "course.yaml").read_text("utf-8")
    before = Page(client.get(path)).main.one("h1").text
    change(content / "course.yaml", "summary:", "sumary:")
    page = later(client, path)
    assert "course.yaml" in page.text, "the fault names its file"
    assert "sumary" in page.text
    assert page.main.one("h1").text == before
    (content / "course.yaml").write_text(whole, "utf-8")
    assert "course.yaml" not in later(client, path).text


@pytest.mark.parametrize(
    "broken", ["", "{", "title: [", "\t- x", "a: b: c", "\ufeff", "- 1\n", "title: 'x\n"]
)
def test_half_a_file_is_a_fault_and_no_crash(client: TestClient, content: Path, broken: str) -> None:
    (content / "01-first" / "items.yaml").write_text(broken, "utf-8")
    page = later(client, "/course")
    assert "内容有错" in page.text
    assert page.status == 200
    assert "01-first" in page.text


def test_bytes_that_are_no_text_and_files_that_are_gone(client: TestClient, content: Path) -> None:
    file = content / "glossary.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    page = later(client, "/course")
    assert page.status == 200
    assert str(content) in page.text or "glossary" in page.text
    file.unlink()
    assert "glossary.yaml" in later(client, "/course").text


def test_without_reload_a_change_waits_for_the_next_start(tmp_path: Path, content: Path) -> None:
    with site_with(settings_at(tmp_path / "data", content=content)) as client:
        change(content / "course.yaml", GOOD, BETTER)
        assert BETTER[7:] not in later(client, "/course").text


def test_the_site_does_not_start_with_faults(tmp_path: Path, content: Path) -> None:
    change(content / "course.yaml", "summary:", "sumary:")
    for reload in (True, False):
        with pytest.raises(Faults, match="sumary"):
            create_app(settings_at(tmp_path / "data", content=content, reload=reload))
