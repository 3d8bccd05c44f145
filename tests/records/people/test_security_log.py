"""The security log: one line an event, no secrets, of a size that does not grow, for its owner alone."""

import errno
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.records.people import security_log


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    security_log.open_log_in_folder(tmp_path)
    yield tmp_path / security_log.LOG_FILE_NAME
    security_log.close_log()


def test_an_event_is_a_line_with_its_time(file: Path) -> None:
    assert not file.exists(), "no event, no file"
    security_log.write_line("sign-in-refused", name="小糖", address="192.168.1.7")
    security_log.write_line("invitation-made")
    first, second = file.read_text("utf-8").splitlines()
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ sign-in-refused name=小糖 address=192\.168\.1\.7", first
    )
    assert second.endswith("Z invitation-made")
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("typed", ["a\nb", "a\r\nb", "a\u2028b", "\x1b]0;x", "a b=c", "x" * 5000])
def test_what_others_typed_makes_no_line_of_its_own(file: Path, typed: str) -> None:
    security_log.write_line("sign-in-refused", name=typed)
    [line] = file.read_text("utf-8").splitlines()
    assert line.count("=") == 1
    assert len(line) < 140


def test_it_begins_anew_when_it_is_full(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    security_log.close_log()
    monkeypatch.setattr(security_log, "MOST_LOG_BYTES", 200)
    security_log.open_log_in_folder(file.parent)
    for number in range(100):
        security_log.write_line("event", number=number)
    files = sorted(path.name for path in file.parent.iterdir())
    assert files == [
        security_log.LOG_FILE_NAME,
        *[f"{security_log.LOG_FILE_NAME}.{number}" for number in range(1, 6)],
    ]
    assert all(path.stat().st_size <= 200 for path in file.parent.iterdir())
    assert "number=99" in file.read_text("utf-8")


def test_a_folder_that_is_gone_stops_nobody(file: Path) -> None:
    file.parent.rmdir()
    security_log.write_line("event")
    file.parent.mkdir()


def full_disk() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_stops_nobody_from_closing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not written yet is lost; whoever stops a site goes on with the rest."""
    handler = security_log.LogFile(tmp_path / security_log.LOG_FILE_NAME)
    monkeypatch.setattr(handler, "flush", full_disk)
    handler.close()
    assert handler.stream is None


def test_without_a_file_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    security_log.close_log()
    security_log.write_line("event")
    assert capsys.readouterr() == ("", "")


def test_two_processes_begin_anew_once(tmp_path: Path) -> None:
    """Who still holds the file that was renamed goes on in the new one, and moves nothing."""
    path = tmp_path / security_log.LOG_FILE_NAME
    first, second = [security_log.LogFile(path, maxBytes=50, backupCount=5) for _ in range(2)]
    for handler, word in ((first, "a"), (second, "b"), (first, "c"), (second, "d")):
        handler.emit(logging.makeLogRecord({"msg": word * 20}))
    path.unlink()
    second.emit(logging.makeLogRecord({"msg": "e"}))
    for handler in (first, second):
        handler.close()
    texts = {file.name: file.read_text("utf-8") for file in tmp_path.iterdir()}
    before = "a" * 20 + "\n" + "b" * 20 + "\n"
    assert texts == {path.name: "e\n", f"{path.name}.1": before}
