"""`python -m app doctor`: what is well, what is not, and what to do."""

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.cli import doctor
from app.records.db import revision
from app.records.db.migrate import migrate
from app.records.db.postgres.advice import ADVICE_BY_PATTERN
from app.records.db.postgres.database import CONNECTIONS
from app.records.db.sqlite.backup import backup
from app.settings import Settings
from app.web.operation import slow_pages
from tests.other_program import other_program
from tests.postgres_server import PostgresServer, running

NOW = datetime.now(UTC)


@pytest.fixture
def site(tmp_path: Path) -> Settings:
    settings = Settings(data=tmp_path, public_name="tangxu.example.cn")
    migrate(settings.database_url, settings.data)
    return settings


def lines(settings: Settings, now: datetime = NOW) -> str:
    return "\n".join(finding.printed_line() for finding in doctor.findings(settings, now))


def is_grave(settings: Settings) -> bool:
    return any(finding.is_grave for finding in doctor.findings(settings, NOW))


def test_a_site_that_is_well(site: Settings) -> None:
    backup(site.database_url, None, site.data)
    assert not is_grave(site)
    assert "✗" not in lines(site)
    assert "完好" in lines(site)
    assert f"版本是{revision.HEAD}，和程序的一样" in lines(site)
    assert "! 最近的备份是8天以前的" in lines(site, NOW + timedelta(days=8))
    assert "! 最近的备份是8天以后的" in lines(site, NOW - timedelta(days=8)), "a clock is wrong, or was"


def test_a_disk_that_takes_no_more_files_is_grave(site: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    file_system = list(os.statvfs(site.data))
    file_system[5:8] = [10**6, 7, 7]
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result(file_system))
    assert "✗ 数据文件夹所在的磁盘放不下新的文件" in lines(site)
    file_system[5:8] = [0, 0, 0]
    assert "放不下新的文件" not in lines(site), "a disk without such a limit"


def test_before_the_first_start_nothing_is_grave_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings()
    assert not is_grave(settings)
    assert "! 还没有数据库" in lines(settings)
    assert "里还没有备份" in lines(settings)
    assert "TANGXU_PUBLIC_NAME" in lines(settings)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("setting", ["TANGXU_DATA", "TANGXU_DATABASE_URL"])
def test_nothing_at_a_place_that_was_set_is_grave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """The name is mistyped, or its disk is not there: a start would make another, empty one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(setting, {"TANGXU_DATA": "there", "TANGXU_DATABASE_URL": "sqlite:///t.db"}[setting])
    assert is_grave(Settings())
    assert "✗ 还没有数据库" in lines(Settings())
    assert "用过的先别启动" in lines(Settings())


def test_no_database_beside_its_backups_is_grave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    migrate(Settings().database_url, Settings().data)
    backup(Settings().database_url, None, Settings().data)
    assert not is_grave(Settings())
    Settings().database_path.unlink()
    assert is_grave(Settings())


def test_a_server_with_nothing_in_it_is_grave(tmp_path: Path, server: PostgresServer) -> None:
    settings = Settings(data=tmp_path, database_url=server.without_tables())
    assert "✗ 库里还什么也没有" in lines(settings)
    migrate(settings.database_url, tmp_path)
    assert "库里还什么也没有" not in lines(settings)
    assert f"版本是{revision.HEAD}，和程序的一样" in lines(settings)


def test_a_damaged_file_is_grave(site: Settings) -> None:
    size = site.database_path.stat().st_size
    with site.database_path.open("r+b") as file:
        file.seek(size // 2)
        file.write(os.urandom(size // 4))
    assert is_grave(site)
    assert "✗ 数据库" in lines(site)


def test_a_file_that_is_sound_and_cannot_be_opened_is_grave(site: Settings) -> None:
    lock_file = site.data / "tangxu.db.lock"
    lock_file.unlink()
    lock_file.mkdir()
    assert f"✗ 数据库打不开，图没有对过\n    打不开数据库{site.database_path}" in lines(site)
    assert is_grave(site)


def test_a_backup_that_is_none_is_grave(site: Settings) -> None:
    copy = site.data / "backups" / "tangxu-20260901.db"
    copy.parent.mkdir()
    copy.write_bytes(b"x" * 5000)
    assert is_grave(site)
    assert "✗ 最近的备份" in lines(site)
    assert "用备份恢复" not in lines(site), "the records are well"


def test_what_people_waited_for_is_told_by_its_route(site: Settings) -> None:
    assert "7天里没有一页让人等1秒以上" in lines(site)
    slow_pages.open_slow_log_in_folder(site.data)
    for seconds in (1.5, 4.25):
        slow_pages.log_slow_page("GET", "/classrooms/{classroom_id}/insight", seconds)
    slow_pages.log_slow_page("POST", "/attempts/{attempt_id}/responses", 1.0)
    slow_pages.close_slow_log()
    with (site.data / slow_pages.LOG_FILE_NAME).open("a", encoding="utf-8") as file:
        file.write("2020-01-01T00:00:00Z GET /old 9.0\n2026-11-2")
    sentence = "7天里有3次让人等了1秒以上：GET /classrooms/{classroom_id}/insight 2次，最久4.2秒；POST"
    assert sentence in lines(site)
    assert "/old" not in lines(site)
    assert sentence not in lines(site, NOW + timedelta(days=8))
    assert not is_grave(site), "slow is no danger"


def test_figures_that_cannot_be_given_are_grave(site: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = site.model_copy(update={"metrics_token": "t0ken-of-the-tests"})
    assert "✓ /metrics开着" in lines(settings)
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    assert is_grave(settings)
    assert not is_grave(site)


def test_the_backups_of_a_server_are_its_own(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, database_url="postgresql://nobody@127.0.0.1:1/none")
    assert "pg_dump -Fc" in doctor.backup_finding(settings, NOW).advice
    copy = tmp_path / "backups" / "monday.dump"
    copy.parent.mkdir()
    copy.write_bytes(b"PGDMP and what follows")
    assert doctor.backup_finding(settings, NOW).advice == ""
    assert "pg_dump -Fc" in doctor.backup_finding(settings, NOW + timedelta(days=8)).advice
    copy.write_bytes(b"nothing")
    assert doctor.backup_finding(settings, NOW).is_grave


@pytest.mark.parametrize(("version", "grave", "words"), [("9999", True, "✗"), ("0001", False, "!")])
def test_another_version(site: Settings, version: str, grave: bool, words: str) -> None:
    with other_program(site.database_path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
    assert is_grave(site) is grave
    assert f"{words} 数据库的版本是{version}" in lines(site)


@pytest.mark.long
def test_a_server(tmp_path: Path) -> None:
    with running() as server:
        settings = Settings(data=tmp_path, database_url=server.empty())
        words = lines(settings)
        assert is_grave(settings), "the tests' server runs without fsync"
        assert "✗ 服务器没有开fsync" in words
        assert "PostgreSQL 1" in words
        assert "排序规则" not in words, "the tests' server sorts as SQLite does"
        in_order_of_a_language = Settings(data=tmp_path, database_url=server.in_order_of_a_language())
        assert "库的排序规则是zh" in lines(in_order_of_a_language)
    assert is_grave(settings)
    assert "用不了" in lines(settings)


def test_the_advice_names_as_many_connections_as_a_process_holds() -> None:
    assert f"一个进程占{CONNECTIONS}个" in "\n".join(ADVICE_BY_PATTERN.values())
