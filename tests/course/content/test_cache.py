"""A course is read once: kept beside the data, taken again only for the very same files and program."""

import ast
import errno
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from app.course import Course, Faults, load_cached_course, load_course
from app.course.content import cache
from tests.course.small import FILES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The small course as files."""
    for name, text in FILES.items():
        place = tmp_path / "content" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return tmp_path / "content"


def shelved(shelf: Path) -> list[Path]:
    return sorted(shelf.glob("*"))


def test_the_second_start_parses_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_cached_course(folder, tmp_path / "shelf")
    monkeypatch.setattr(cache, "parse_course", lambda _: pytest.fail("parsed again"))
    second = load_cached_course(folder, tmp_path / "shelf")
    assert isinstance(first, Course)
    assert isinstance(second, Course)
    assert second == load_course(folder)
    assert second.html("$\\DCG@3$") == first.html("$\\DCG@3$")
    assert second.variant("endless", 3) == first.variant("endless", 3)


def test_a_large_course_is_read_by_a_process_of_its_own(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LARGE_COURSE_CHARACTERS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(cache, "parse_course", lambda _: pytest.fail("parsed here"))
        course = load_cached_course(folder, tmp_path / "shelf")
    assert course == load_course(folder)
    assert len(shelved(tmp_path / "shelf")) == 1


def test_where_no_such_process_comes_to_an_end_it_is_read_here(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LARGE_COURSE_CHARACTERS", 1)
    monkeypatch.setattr(cache, "READING_MODULE", "app.course.no_such_program")
    assert load_cached_course(folder, tmp_path / "shelf") == load_course(folder)


def test_a_large_course_with_faults_tells_them(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LARGE_COURSE_CHARACTERS", 1)
    (folder / "course.yaml").write_text("title: 1\n", "utf-8")
    assert isinstance(load_cached_course(folder, tmp_path / "shelf"), Faults)
    assert not shelved(tmp_path / "shelf")


def test_changed_content_is_read_and_faults_are_not_kept(folder: Path, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    load_cached_course(folder, shelf)
    outline = folder / "course.yaml"
    outline.write_text(outline.read_text("utf-8").replace("小课", "大课"), "utf-8")
    changed = load_cached_course(folder, shelf)
    assert isinstance(changed, Course)
    assert changed.title == "大课"
    outline.write_text("title: 1\n", "utf-8")
    assert isinstance(load_cached_course(folder, shelf), Faults)
    assert len(shelved(shelf)) == 2


@pytest.mark.parametrize("junk", [b"", b"junk", b"\x80\x05K\x01.", b"c\x00"])
def test_a_spoilt_file_costs_time_only(folder: Path, tmp_path: Path, junk: bytes) -> None:
    shelf = tmp_path / "shelf"
    load_cached_course(folder, shelf)
    [file] = shelved(shelf)
    file.write_bytes(junk)
    assert isinstance(load_cached_course(folder, shelf), Course)
    assert file.read_bytes() != junk


def test_a_shelf_that_cannot_be_written_costs_time_only(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "shelf").write_text("no folder")
    assert isinstance(load_cached_course(folder, tmp_path / "shelf"), Course)


def test_a_full_disk_keeps_no_part_of_a_course(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(path: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device", target)

    monkeypatch.setattr(Path, "replace", full_disk)
    assert isinstance(load_cached_course(folder, tmp_path / "shelf"), Course)
    assert shelved(tmp_path / "shelf") == []


def test_another_program_reads_anew_and_the_oldest_make_room(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        monkeypatch.setattr(cache, "program_hash", lambda number=number: f"program{number}")
        load_cached_course(folder, tmp_path / "shelf")
    assert len(shelved(tmp_path / "shelf")) == cache.MOST_STORED_COURSES


def test_an_update_of_any_library_that_the_course_uses_reads_anew() -> None:
    app = Path(cache.__file__).parents[2]
    modules: set[str] = set()
    for file in (*app.glob("course/**/*.py"), *app.glob("engine/**/*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module.partition(".")[0])
    for_readers = {"genanki", "numpy", "PIL"}  # they write card files, count, and draw pictures anew
    foreign = modules - sys.stdlib_module_names - {"app"} - for_readers
    distributions = packages_distributions()
    libraries = {distributions[name][0].lower() for name in foreign}
    assert libraries == set(cache.READING_LIBRARIES)
