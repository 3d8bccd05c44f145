"""What may not be read and written is said with what to do, by a start, a restore and the doctor."""

import errno
import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.__main__ import commands, ready_web_app
from app.cli import doctor
from app.records.db.database import open_database
from app.records.db.errors import CannotOpen, RecordsError
from app.records.db.postgres.move import move
from app.records.db.sqlite.backup import backup
from app.records.db.sqlite.file_access import barred_path, expect_accessible_file
from app.records.db.sqlite.file_revision import unreadable_file_error
from app.records.db.sqlite.restore import restore
from app.settings import Settings
from tests.web.cast import settings_at

NOW = datetime.now(UTC)
OWNER_SHIFT = 6
NAMES_OF_DATABASE = ["", "tangxu.db", "tangxu.db-wal", "tangxu.db-shm", "tangxu.db.lock"]


@pytest.fixture(autouse=True)
def without_powers_of_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read and write whatever there is; here an owner may what the bits of a file say."""

    def is_allowed(path: Path, mode: int) -> bool:
        return path.exists() and not mode & ~(path.stat().st_mode >> OWNER_SHIFT)

    monkeypatch.setattr(os, "access", is_allowed)


@pytest.fixture
def site(tmp_path: Path) -> Settings:
    settings = settings_at(tmp_path / "data", public_name="tangxu.example.cn")
    for name in NAMES_OF_DATABASE[2:]:
        (settings.data / name).touch()
    return settings


def barred(settings: Settings, name: str) -> Path:
    """Something in the data folder that may only be read from now on."""
    path = settings.data / name
    path.chmod(0o500 if path.is_dir() else 0o400)
    return path


@pytest.mark.parametrize("name", NAMES_OF_DATABASE)
def test_a_site_that_could_store_nothing_does_not_open(site: Settings, name: str) -> None:
    path = barred(site, name)
    with pytest.raises(CannotOpen, match=f"没有权限读写{path}。.*sudo chown -R .*{site.data}，"):
        ready_web_app(site)


def test_a_site_that_is_well_opens(site: Settings) -> None:
    ready_web_app(site)
    expect_accessible_file(site.database_path)


def test_what_sqlite_cannot_open_is_named_where_it_is_barred(site: Settings) -> None:
    error = sqlite3.OperationalError("unable to open database file")
    assert "unable to open database file" in str(unreadable_file_error(error, site.database_path))
    path = barred(site, "tangxu.db-wal")
    assert f"没有权限读写{path}" in str(unreadable_file_error(error, site.database_path))


def test_a_restore_into_a_barred_place_says_so(site: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = backup(site.database_url, None, site.data)
    barred(site, "")

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("app.records.db.sqlite.restore.exchange_files", refuse)
    with pytest.raises(CannotOpen, match="没有恢复成：没有权限读写"):
        restore(site.database_url, copy)


@pytest.mark.parametrize(
    "name", ["", "tangxu.db", "tangxu.db.lock", "backups", "pictures", "security.log", "slow.log"]
)
def test_the_doctor_names_what_is_barred_first(site: Settings, name: str) -> None:
    for folder_name in ("backups", "pictures"):
        (site.data / folder_name).mkdir()
    for log_name in ("security.log", "slow.log"):
        (site.data / log_name).touch()
    assert not any(finding.is_grave for finding in doctor.findings(site, NOW))
    path = barred(site, name)
    findings = list(doctor.findings(site, NOW))
    assert f"先办这一件：没有权限读写{path}" in doctor.first_advice_sentence(findings)


def test_the_doctor_goes_on_where_a_log_cannot_be_read(site: Settings) -> None:
    (site.data / "slow.log").mkdir()  # root would read a file
    assert "没有一页让人等" in [finding.text for finding in doctor.findings(site, NOW)][-1]


def test_the_doctor_says_of_a_file_that_it_is_no_data_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    findings = list(doctor.findings(Settings(data=file), NOW))
    assert next(finding.text for finding in findings if finding.is_grave) == f"数据文件夹{file}不是文件夹"


def test_a_disk_that_is_read_only_needs_no_new_owner(site: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    barred(site, "tangxu.db")
    values = list(os.statvfs(site.data))
    values[8] |= os.ST_RDONLY
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result(values))
    with pytest.raises(CannotOpen, match="所在的磁盘是只读的") as refusal:
        expect_accessible_file(site.database_path)
    assert "chown" not in str(refusal.value)


def test_a_disk_that_became_read_only_is_told_of(site: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a fault of the disk some systems go on saying that it can be written."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("app.records.db.sqlite.database.FileLock", refuse)
    with pytest.raises(CannotOpen, match=f"{site.database_path}所在的磁盘是只读的"):
        open_database(site.database_url)
    monkeypatch.setattr("app.records.db.sqlite.backup.copy_database", refuse)
    with pytest.raises(RecordsError, match=r"备份没有写成.*服务器的磁盘是只读的"):
        backup(site.database_url, None, site.data)


def test_a_full_disk_is_said_of_a_database_that_cannot_be_opened(
    site: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    assert "disk I/O error" in str(unreadable_file_error(error, site.database_path))
    usage = shutil.disk_usage(site.data)._replace(free=4096)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert "磁盘满了" in str(unreadable_file_error(error, site.database_path))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EACCES])
def test_a_backup_that_was_not_written_says_where_and_why(
    site: Settings, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(code, "No")

    monkeypatch.setattr("app.records.db.sqlite.backup.copy_database", refuse)
    reason = "No"
    if code != errno.EACCES:
        reason = "服务器的磁盘满了"
    with pytest.raises(RecordsError, match=f"备份没有写成{site.data}/backups/.*{reason}"):
        backup(site.database_url, None, site.data)


def test_a_backup_into_a_barred_folder_names_it(site: Settings) -> None:
    folder = site.data / "other"
    folder.mkdir()
    barred(site, "other")
    (folder / f"new.db.{os.getpid()}.unfinished").mkdir()  # root would write a file
    with pytest.raises(CannotOpen, match=f"备份没有写成{folder}/new.db：没有权限读写{folder}。"):
        backup(site.database_url, folder / "new.db", site.data)


def test_what_is_not_there_is_not_barred(tmp_path: Path) -> None:
    assert barred_path([tmp_path / "none"]) is None


@pytest.mark.parametrize("command", [["backup", "--check"], ["restore"]])
def test_a_backup_that_may_not_be_read_is_told_in_words(
    site: Settings, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """Typer's words came first, in English."""
    monkeypatch.setenv("TANGXU_DATA", str(site.data))
    copy = backup(site.database_url, None, site.data)
    copy.chmod(0)
    result = CliRunner().invoke(commands, [*command, str(copy)])
    assert result.exit_code == 1
    assert f"✗ 没有权限读{copy}：" in result.stderr


@pytest.mark.parametrize("folder_name", ["nope/2026-11-30", "/nope"])
def test_a_folder_that_was_mistyped_is_not_made(site: Settings, tmp_path: Path, folder_name: str) -> None:
    absent_folder = tmp_path / folder_name
    with pytest.raises(CannotOpen, match=f"没有{absent_folder}这个文件夹"):
        backup(site.database_url, absent_folder / "copy.db", site.data)
    with pytest.raises(CannotOpen, match=f"没有{absent_folder}这个文件夹"):
        move(site.database_url, f"sqlite:///{absent_folder}/new.db", site.data, lambda *_: None)
    assert not absent_folder.exists()


def test_the_folder_of_the_day_is_made_for_a_backup(site: Settings, tmp_path: Path) -> None:
    backup_file = tmp_path / "2026-11-30" / "tangxu.db"
    assert backup(site.database_url, backup_file, site.data) == backup_file
    assert backup_file.exists()
