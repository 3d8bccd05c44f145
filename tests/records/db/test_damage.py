"""Files that are damaged, empty, foreign, exchanged or read-only: said in words, and nothing acknowledged."""

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.errors import Busy, CannotOpen, Damaged, Exchanged
from app.records.db.migrate import migrate
from app.records.db.sqlite import soundness
from app.records.db.sqlite.backup import backup
from app.records.db.sqlite.refusals import file_refusal
from app.records.db.sqlite.soundness import check_at_start
from app.records.learning import responding
from tests.rationed import rationed
from tests.records.cast import COURSE, LESSON, NOW, XIAOTANG, Desk, answer
from tests.records.db.damaging import damage, fill


def url(file: Path) -> str:
    return f"sqlite:///{file}"


def test_a_sound_file_is_looked_through(file: Path) -> None:
    fill(file)
    assert check_at_start(file)


def test_a_damaged_file_is_not_served(file: Path) -> None:
    fill(file)
    damage(file)
    with pytest.raises(CannotOpen, match=r"坏了.*app restore"):
        check_at_start(file)


def test_a_large_file_is_not_looked_through_at_a_start(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(file)
    damage(file)
    monkeypatch.setattr(soundness, "MOST_BYTES_CHECKED_AT_START", file.stat().st_size - 1)
    assert not check_at_start(file)
    monkeypatch.setattr(soundness, "MOST_BYTES_CHECKED_AT_START", file.stat().st_size)
    with pytest.raises(CannotOpen):
        check_at_start(file)


def test_a_file_that_is_not_there_is_not_made_by_looking(tmp_path: Path) -> None:
    assert not check_at_start(tmp_path / "tangxu.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("table", ["response", "ix_sign_in_learner_id"])
def test_a_damaged_database_is_not_backed_up(file: Path, tmp_path: Path, table: str) -> None:
    """An index is no part of the copy: without a look at the source its damage would not be found."""
    fill(file)
    damage(file, table)
    with pytest.raises(CannotOpen, match="坏了"):
        backup(url(file), None, tmp_path)
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_damaged_page_met_on_the_way_is_said(file: Path) -> None:
    fill(file)
    damage(file)
    desk = Desk(file)
    with pytest.raises(Damaged, match="备份"):
        desk.write(responding.respond, XIAOTANG, LESSON, answer("4.26"), COURSE, NOW)
    assert desk.count("learner") == 40
    desk.close()


def test_an_empty_file_is_not_taken_as_new(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    file.touch()
    with pytest.raises(CannotOpen, match="是空的"):
        migrate(url(file), tmp_path)
    assert file.stat().st_size == 0


def test_a_database_of_another_program_is_not_taken_as_new(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE urls (id INTEGER)")
    before = file.read_bytes()
    for command in (lambda: migrate(url(file), tmp_path), lambda: backup(url(file), None, tmp_path)):
        with pytest.raises(CannotOpen, match="别的程序"):
            command()
    assert file.read_bytes() == before


def test_a_backup_that_finds_no_room_leaves_nothing(file: Path) -> None:
    """Of a file that is larger than what SQLite holds in memory, it has begun to write some."""
    fill(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE ballast AS SELECT zeroblob(6000000) AS ballast")
    program = (
        "import resource; from pathlib import Path; from app.records.db.sqlite.backup import backup\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({file.stat().st_size // 2},) * 2)\n"
        f"try: backup('{url(file)}', None, Path('{file.parent}'))\n"
        "except Exception as error: print(type(error).__name__)"
    )
    assert rationed(program).strip() in ("Busy", "DiskFull")
    assert list((file.parent / "backups").iterdir()) == []


@pytest.mark.parametrize("left", ["-wal", ".restoring"])
def test_a_place_that_had_a_database_is_not_taken_as_new(tmp_path: Path, left: str) -> None:
    file = tmp_path / "tangxu.db"
    file.with_name(f"{file.name}{left}").write_bytes(b"what is left")
    with pytest.raises(CannotOpen, match="这里有过记录"):
        migrate(url(file), tmp_path)
    assert not file.exists()


def test_a_first_start_that_was_killed_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    for ending in ("", "-wal", "-shm"):
        file.with_name(f"{file.name}.unfinished{ending}").write_bytes(b"half")
    assert migrate(url(file), tmp_path).former_revision is None
    assert [path.name for path in tmp_path.iterdir() if "unfinished" in path.name] == []


def exchange(file: Path) -> None:
    other_file = file.with_name("other.db")
    other_file.write_bytes(file.read_bytes())
    other_file.replace(file)


@pytest.mark.parametrize(
    "change",
    [Path.unlink, exchange, lambda file: file.with_name(f"{file.name}-wal").unlink()],
    ids=["deleted", "exchanged", "without its WAL"],
)
def test_a_file_that_loses_its_name_is_noticed_before_anything_is_acknowledged(
    file: Path, change: Callable[[Path], None]
) -> None:
    desk = Desk(file)
    desk.write(learners.find_or_add_learner, XIAOTANG, NOW)
    change(file)
    for number in range(2):
        with pytest.raises(Exchanged, match="换掉或删掉"):
            desk.write(learners.find_or_add_learner, Caller(proposed_token=f"later-{number}"), NOW)
    desk.close()


def test_a_backup_put_in_place_by_hand_is_in_wal_mode_again(file: Path, tmp_path: Path) -> None:
    copy = backup(url(file), None, tmp_path)
    copy.replace(file)
    desk = Desk(file)
    assert desk.rows("PRAGMA journal_mode") == [("wal",)]
    desk.close()


@pytest.mark.skipif(os.name != "posix", reason="file permissions of this kind")
def test_reading_alone_leaves_nothing_beside_a_backup(file: Path, tmp_path: Path) -> None:
    copy = backup(url(file), None, tmp_path)
    copy.chmod(stat.S_IRUSR)
    assert soundness.inspect_backup(copy).row_count_by_table_word["学习者"] == 0
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (sqlite3.SQLITE_CORRUPT, "坏了"),
        (sqlite3.SQLITE_CORRUPT | 3 << 8, "坏了"),
        (sqlite3.SQLITE_NOTADB, "坏了"),
        (sqlite3.SQLITE_READONLY, "只读"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "只读"),
        (sqlite3.SQLITE_IOERR_FSYNC, "磁盘读写出错"),
        (sqlite3.SQLITE_FULL, "磁盘满了"),
    ],
)
def test_what_sqlite_refuses_is_said(code: int, message: str) -> None:
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorcode = code
    reason = file_refusal(error)
    assert isinstance(reason, Busy)
    assert message in str(reason)


def test_what_a_verb_does_wrong_is_no_refusal() -> None:
    error = sqlite3.IntegrityError("UNIQUE constraint failed")
    error.sqlite_errorcode = sqlite3.SQLITE_CONSTRAINT_UNIQUE
    assert file_refusal(error) is None
    assert file_refusal(ValueError("x")) is None
