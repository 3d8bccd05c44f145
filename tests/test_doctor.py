"""`python -m app doctor`: what is well, what is not, and what to do."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.cli import doctor
from app.records.db import revision
from app.records.db.backup import backup
from app.records.db.migrate import migrate
from app.settings import Settings
from tests.other_program import other_program
from tests.postgres_server import running

NOW = datetime.now(UTC)


@pytest.fixture
def site(tmp_path: Path) -> Settings:
    settings = Settings(data=tmp_path, public_name="tangxu.example.cn")
    migrate(settings.database_url, settings.data)
    return settings


def lines(settings: Settings, now: datetime = NOW) -> str:
    return "\n".join(finding.line() for finding in doctor.findings(settings, now))


def is_grave(settings: Settings) -> bool:
    return any(finding.grave for finding in doctor.findings(settings, NOW))


def test_a_site_that_is_well(site: Settings) -> None:
    backup(site.database_url, None, site.data)
    assert not is_grave(site)
    assert "✗" not in lines(site)
    assert "完好" in lines(site)
    assert f"版本是{revision.HEAD}，和程序的一样" in lines(site)
    assert "! 最近的备份是8天以前的" in lines(site, NOW + timedelta(days=8))


def test_before_the_first_start_nothing_is_grave_and_nothing_is_made(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "none")
    assert not is_grave(settings)
    assert "! 还没有数据库" in lines(settings)
    assert "! 还没有备份" in lines(settings)
    assert "TANGXU_PUBLIC_NAME" in lines(settings)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_grave(site: Settings) -> None:
    size = site.database_path.stat().st_size
    with site.database_path.open("r+b") as file:
        file.seek(size // 2)
        file.write(os.urandom(size // 4))
    assert is_grave(site)
    assert "✗ 数据库" in lines(site)


def test_a_backup_that_is_none_is_grave(site: Settings) -> None:
    copy = site.data / "backups" / "tangxu-20260901.db"
    copy.parent.mkdir()
    copy.write_bytes(b"x" * 5000)
    assert is_grave(site)
    assert "✗ 最近的备份" in lines(site)


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
        said = lines(settings)
        assert is_grave(settings), "the tests' server runs without fsync"
        assert "✗ 服务器没有开fsync" in said
        assert "PostgreSQL 1" in said
        assert "排序规则" not in said, "the tests' server sorts as SQLite does"
    assert is_grave(settings)
    assert "用不了" in lines(settings)
