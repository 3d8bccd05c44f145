"""The way back: from a backup, with what was there kept, never a torn file, never while it is open."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db import revision
from app.records.db.errors import CannotOpen
from app.records.db.migrate import migrate
from app.records.db.revision import alembic_config
from app.records.db.sqlite import restore as restoring_module
from app.records.db.sqlite.backup import backup
from app.records.db.sqlite.open_file import restore_path, side_files
from app.records.db.sqlite.restore import restore
from app.records.db.sqlite.upgrade import engine_for_upgrade
from tests.records.cast import NOW, Desk
from tests.records.db.damaging import damage, fill

OLD = [f"{number:04}" for number in range(1, int(revision.HEAD))]
ALWAYS = {OLD[0], OLD[len(OLD) // 2], OLD[-1]}
"""The way up from the first goes through all of them; each has its own way by `make test-all`."""


def url(file: Path) -> str:
    return f"sqlite:///{file}"


def guests(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        [count] = connection.execute("SELECT count(*) FROM learner").fetchone()
    return int(count)


def arrive(file: Path, name: str) -> None:
    desk = Desk(file)
    desk.write(learners.find_or_add_learner, Caller(proposed_token=name), NOW)
    desk.close()


def crash(file: Path) -> None:
    """Leave the file as a killed process does: what was written last is in the WAL alone."""
    desk = Desk(file)
    desk.write(learners.find_or_add_learner, Caller(proposed_token="in the WAL"), NOW)
    crashed = [(path, path.read_bytes()) for path in (file, side_files(file)[0])]
    desk.close()
    for path, content in crashed:
        path.write_bytes(content)


@pytest.fixture
def copy(file: Path, tmp_path: Path) -> Path:
    """A backup with forty guests."""
    fill(file)
    return backup(url(file), None, tmp_path)


def test_back_to_a_backup_with_what_was_there_kept(file: Path, copy: Path) -> None:
    crash(file)
    restored = restore(url(file), copy)
    assert restored.former_file
    assert guests(file) == 40
    assert guests(restored.former_file) == 41, "its WAL came along"
    assert (
        restored.backup_contents.row_count_by_table_word["学习者"]
        == restored.backup_contents.row_count_by_table_word["回答"]
        == 40
    )
    assert copy.exists()
    assert file.stat().st_mode & 0o077 == 0
    assert not restore_path(file).exists()
    arrive(file, "goes on")
    assert guests(file) == 41


def test_a_restore_can_be_taken_back(file: Path, copy: Path) -> None:
    crash(file)
    former = restore(url(file), copy).former_file
    assert former
    again = restore(url(file), former)
    assert again.former_file
    assert (guests(file), guests(again.former_file)) == (41, 40)


@pytest.mark.parametrize("state", ["damaged", "noise", "empty", "gone"])
def test_a_file_that_cannot_be_read_is_replaced_all_the_same(file: Path, copy: Path, state: str) -> None:
    if state == "damaged":
        damage(file)
    elif state == "gone":
        file.unlink()
    else:
        file.write_bytes(b"noise" * 1000 if state == "noise" else b"")
    former = restore(url(file), copy).former_file
    assert guests(file) == 40
    assert (former is None) == (state == "gone")


def test_a_database_that_is_open_is_left_alone(file: Path, copy: Path) -> None:
    desk = Desk(file)
    before = sorted(file.parent.iterdir())
    with pytest.raises(CannotOpen, match="正开着"):
        restore_elsewhere(file, copy)
    assert sorted(file.parent.iterdir()) == before
    desk.write(learners.find_or_add_learner, Caller(proposed_token="undisturbed"), NOW)
    desk.close()
    assert restore(url(file), copy).former_file


def restore_elsewhere(file: Path, copy: Path) -> None:
    """In a process of its own: the lock that says who has the file open is one between processes."""
    import subprocess
    import sys

    program = (
        "import sys; from pathlib import Path; from app.records.db.sqlite.restore import restore\n"
        f"try: restore('{url(file)}', Path('{copy}'))\nexcept Exception as error: print(error)"
    )
    root = Path(__file__).parents[3]
    run = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert not run.stderr
    if run.stdout:
        raise CannotOpen(run.stdout)


@pytest.mark.parametrize("broken", ["damaged", "noise", "empty", "foreign", "too new", "itself", "missing"])
def test_what_is_no_backup_changes_nothing(file: Path, copy: Path, broken: str) -> None:
    source = copy
    if broken == "damaged":
        damage(copy)
    elif broken == "noise":
        copy.write_bytes(b"noise" * 1000)
    elif broken == "empty":
        copy.write_bytes(b"")
    elif broken == "missing":
        copy.unlink()
    elif broken == "itself":
        source = file
    else:
        with closing(sqlite3.connect(copy)) as connection:
            if broken == "too new":
                connection.execute("UPDATE alembic_version SET version_num = '9999'")
            else:
                connection.execute("DROP TABLE alembic_version")
            connection.commit()
    before = file.read_bytes()
    with pytest.raises(CannotOpen) as refusal:
        restore(url(file), source)
    assert "app restore" not in str(refusal.value), "whoever reads it is doing that"
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir() if "restor" in path.name] == []


@pytest.mark.parametrize("step", ["copy_database", "set_wal_mode", "put_aside", "flush_folder"])
def test_a_restore_that_is_broken_off_is_run_again(
    file: Path, copy: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the end the place is never taken for a new site, and nothing of what was there is lost."""
    crash(file)

    def power_cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(restoring_module, step, power_cut)
        with pytest.raises(KeyboardInterrupt):
            restore(url(file), copy)
    if file.exists():
        assert guests(file) == 41
    else:
        with pytest.raises(CannotOpen, match="这里有过记录"):
            migrate(url(file), file.parent)
    restore(url(file), copy)
    assert guests(file) == 40
    copies = [path for path in file.parent.glob("tangxu-before-restore-*.db") if guests(path) == 41]
    assert len(copies) == 1


def old_database(file: Path, at: str) -> None:
    """A database of an older program, with a guest who answered, opened and stands at a step."""
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), at)
    moment = "2026-01-01 00:00:00.000000"
    rows: dict[str, dict[str, object]] = {
        "learner": {"id": 1, "created_at": moment, "time_zone": "Asia/Shanghai"},
        "sign_in": {"id": 1, "learner_id": 1, "token_hash": "x", "created_at": moment},
        "item_version": {"hash": "h", "item": "content:tea", "body": "{}", "created_at": moment},
        "attempt": {
            "id": 1,
            "learner_id": 1,
            "source": "lesson",
            "ref": "content:concepts",
            "round": 1,
            "seed": 7,
            "created_at": moment,
        },
        "response": {
            "id": 1,
            "attempt_id": 1,
            "item": "content:tea",
            "try_number": 1,
            "raw": '["3"]',
            "value": "3",
            "verdict": "wrong",
            "score": 0.0,
            "hints": 0,
            "seconds": 9,
            "item_version": "h",
            "created_at": moment,
        },
        "reveal": {
            "id": 1,
            "learner_id": 1,
            "ref": "content:tea",
            "round": 1,
            "position": 1,
            "guess": "3",
            "right": 1,
            "created_at": moment,
        },
    }
    with closing(sqlite3.connect(file)) as connection:
        for table, values in rows.items():
            columns = ", ".join(f'"{name}"' for name in values)
            marks = ", ".join("?" * len(values))
            connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values()))
        connection.commit()


def answers_and_guesses(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        rows: list[tuple[object, ...]] = connection.execute(
            "SELECT attempt.learner_id, attempt.ref, item, raw, verdict, score, guess FROM response"
            " JOIN attempt ON attempt.id = attempt_id JOIN reveal ON reveal.learner_id = attempt.learner_id"
        ).fetchall()
    return rows


@pytest.mark.parametrize(
    "at", [pytest.param(at, marks=[] if at in ALWAYS else pytest.mark.long) for at in OLD]
)
def test_up_from_every_older_schema_and_back_by_the_backup(tmp_path: Path, at: str) -> None:
    file = tmp_path / "tangxu.db"
    old_database(file, at)
    before = answers_and_guesses(file)
    assert len(before) == 1
    upgraded = migrate(url(file), tmp_path)
    assert (upgraded.former_revision, upgraded.revision) == (at, revision.HEAD)
    assert answers_and_guesses(file) == before
    assert upgraded.backup
    arrive(file, "after the upgrade")
    restored = restore(url(file), upgraded.backup)
    assert restored.backup_contents.revision == at
    assert (answers_and_guesses(file), guests(file)) == (before, 1)
    assert migrate(url(file), tmp_path).former_revision == at
    assert answers_and_guesses(file) == before
    arrive(file, "goes on")
    assert guests(file) == 2


def test_what_a_killed_server_left_can_be_copied_by_hand_and_restored(file: Path, tmp_path: Path) -> None:
    """An operator copies the file and its WAL to another disk: the two together are a backup as well."""
    crash(file)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for path in (file, side_files(file)[0]):
        shutil.copy(path, elsewhere / path.name)
    restore(url(file), elsewhere / file.name)
    assert guests(file) == 1
