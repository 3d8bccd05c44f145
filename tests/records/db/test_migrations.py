"""The file is brought up to date once, with a backup; a backup can be made while others write."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Index, Table, UniqueConstraint
from sqlalchemy.schema import ColumnCollectionConstraint
from sqlmodel import SQLModel

from app.records.accounts import learners, sign_in_lifetimes
from app.records.accounts.values import Caller
from app.records.db import migrate, revision
from app.records.db.database import open_database
from app.records.db.errors import CannotOpen, DiskFull
from app.records.db.migrate import MigrationResult
from app.records.db.postgres.dialect import server_engine
from app.records.db.revision import alembic_config
from app.records.db.sqlite import backup as backups
from app.records.db.sqlite.backup import backup
from app.records.db.sqlite.upgrade import engine_for_upgrade
from tests.postgres_server import PostgresServer
from tests.records.all_sums import rebuild_all_sums
from tests.records.cast import NOW, XIAOTANG, Desk

ROOT = Path(__file__).parents[3]


def query(file: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(sql).fetchall()
        connection.commit()
        return rows


def test_an_empty_place_becomes_a_database(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "数据" / "tangxu.db"
    assert migrate.migrate(f"sqlite:///{file}", tmp_path) == MigrationResult(None, revision.HEAD)
    assert not (tmp_path / "backups").exists()
    assert query(file, "PRAGMA journal_mode") == [("wal",)]
    assert file.stat().st_mode & 0o077 == 0
    asyncio.run(open_database(f"sqlite:///{file}").close())


def test_migrating_again_does_nothing(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    assert migrate.migrate(f"sqlite:///{file}", tmp_path) == MigrationResult(revision.HEAD, revision.HEAD)
    assert file.read_bytes() == before
    assert not (tmp_path / "backups").exists()


def test_a_start_that_needs_nothing_does_not_load_alembic(file: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from app.records.db.migrate import migrate;"
        f"migrate('sqlite:///{file}', Path('{file.parent}')); print('alembic' in sys.modules)"
    )
    run_result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert run_result.stdout == "False\n", run_result.stderr


def test_the_head_is_the_newest_revision() -> None:
    with engine_for_upgrade(Path(":memory:")).connect() as connection:
        script = ScriptDirectory.from_config(alembic_config(connection))
    assert script.get_heads() == [revision.HEAD]


def test_models_and_migrations_agree(file: Path) -> None:
    with engine_for_upgrade(file).begin() as connection:
        command.check(alembic_config(connection))


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE response ADD COLUMN surplus INTEGER",
        "DROP INDEX ix_sign_in_learner_id",
        "DROP TABLE problem_report",
    ],
)
def test_a_disagreement_would_be_seen(file: Path, change: str) -> None:
    query(file, change)
    with (
        engine_for_upgrade(file).begin() as connection,
        pytest.raises(Exception, match="New upgrade operations"),
    ):
        command.check(alembic_config(connection))


def test_what_goes_along_with_a_row_is_found_by_an_index() -> None:
    """Else the database reads a whole table for each student of a class that is deleted."""
    unindexed_keys = {
        f"{stored_table.name}.{foreign_key.parent.name}"
        for stored_table in SQLModel.metadata.sorted_tables
        for foreign_key in stored_table.foreign_keys
        if foreign_key.ondelete and foreign_key.parent.name not in first_indexed_columns(stored_table)
    }
    assert unindexed_keys == set()


def first_indexed_columns(stored_table: Table) -> set[str]:
    uniques = [key for key in stored_table.constraints if isinstance(key, UniqueConstraint)]
    indexes: list[ColumnCollectionConstraint | Index]
    indexes = [stored_table.primary_key, *stored_table.indexes, *uniques]
    return {next(iter(index.columns)).name for index in indexes}


CLASS_OF_BEFORE = """
INSERT INTO learner (id, created_at, time_zone) VALUES (1, '2026-01-01', 'Asia/Shanghai');
INSERT INTO classroom (id, teacher_id, name, created_at, code) VALUES (1, 1, '高一3班', '2026-01-01', 'x');
INSERT INTO enrolment (id, classroom_id, learner_id, name, name_key, number, joined_at, time_factor, seat)
    VALUES (5, 1, 1, '小糖', '小糖', '01', '2026-01-01', 1.5, 7);
INSERT INTO assignment (id, classroom_id, title, note, seed, everyone, late_factor, passes, tries, hints,
    answers, counts, created_at, minutes, version)
    VALUES (3, 1, '第一周', '', 9, 1, 1, 1, 1, 1, 'never', 'best', '2026-01-01', 40, 3);
INSERT INTO extension (assignment_id, enrolment_id, note, created_at) VALUES (3, 5, '病了', '2026-01-01');
INSERT INTO attempt (id, learner_id, source, ref, round, seed, created_at) VALUES
    (1, 1, 'assignment', 'assignment-7', 1, 1, '2026-01-01'),
    (2, 1, 'assignment', 'assignment-11-gone-2', 1, 1, '2026-01-01'),
    (3, 1, 'lesson', 'content:concepts', 1, 1, '2026-01-01');
INSERT INTO audit (classroom_id, actor_id, action, detail, created_at) VALUES
    (1, 1, 'collect', '{"left": [8]}', '2026-01-01'),
    (1, 1, 'extra-marks', '{"students": [[9, null, 3.0], [5, null, 2.0]], "left": null}', '2026-01-01'),
    (1, 1, 'notice', '{"text": ["", "12"]}', '2026-01-01');
"""
CLASS_OF_BEFORE_ON_SERVER = CLASS_OF_BEFORE.replace("'', 9, 1, 1, 1, 1, 1,", "'', 9, true, 1, 1, 1, true,")


def test_numbers_of_a_class_go_on_above_all_that_were_given(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0033")
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(CLASS_OF_BEFORE)
    kept_tables = ("enrolment", "assignment", "extension", "attempt")
    rows_before = [query(file, f"SELECT * FROM {name}") for name in kept_tables]
    indexes = (
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('enrolment', 'assignment')"
    )
    indexes_before = sorted(query(file, indexes))
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0034")
    assert [query(file, f"SELECT * FROM {name}") for name in kept_tables] == rows_before
    assert sorted(query(file, indexes)) == indexes_before
    numbers = query(file, "SELECT name, seq FROM sqlite_sequence ORDER BY name")
    assert numbers == [("assignment", 11), ("enrolment", 9), ("own_course", 0)]


@pytest.mark.parametrize("is_ahead", [False, True])
def test_a_server_goes_on_above_all_that_were_given_too(
    server: PostgresServer, tmp_path: Path, is_ahead: bool
) -> None:
    """One that was moved there went on from the highest number that it had."""
    url = server.without_tables()
    engine = server_engine(url)
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0033")
        connection.exec_driver_sql(CLASS_OF_BEFORE_ON_SERVER.replace("%", "%%"))
        if is_ahead:
            connection.exec_driver_sql("SELECT setval(pg_get_serial_sequence('assignment', 'id'), 20)")
    migrate.migrate(url, tmp_path)
    with engine.connect() as connection:
        next_numbers = [
            connection.exec_driver_sql(f"SELECT nextval(pg_get_serial_sequence('{name}', 'id'))").scalar()
            for name in ("assignment", "enrolment")
        ]
    engine.dispose()
    assert next_numbers == [21 if is_ahead else 12, 10]


MOVED_AWAY = """
INSERT INTO classroom (id, teacher_id, name, created_at, code) VALUES (2, 1, '高一4班', '2026-01-01', 'y');
UPDATE enrolment SET classroom_id = 2, joined_at = '2026-03-01 02:00:00.000000' WHERE id = 5;
INSERT INTO audit (classroom_id, enrolment_id, action, detail, created_at) VALUES
    (1, 5, 'student-moved', '{"class": "高一4班"}', '2026-03-01 02:00:00.000000'),
    (2, 5, 'student-moved', '{"class": "高一3班"}', '2026-02-01 02:00:00.000000');
"""


def test_who_was_moved_before_stays_of_kept_is_known_to_have_been_there(
    server: PostgresServer, tmp_path: Path
) -> None:
    """From the log of the class they left; of the one they are in it says nothing."""
    engines = [engine_for_upgrade(tmp_path / "tangxu.db"), server_engine(server.without_tables())]
    for engine in engines:
        with engine.begin() as connection:
            command.upgrade(alembic_config(connection), "0037")
            class_of_before = CLASS_OF_BEFORE
            if engine.dialect.name == "postgresql":
                class_of_before = CLASS_OF_BEFORE_ON_SERVER
            for sql in (class_of_before + MOVED_AWAY).split(";\n"):
                if sql.strip():
                    connection.exec_driver_sql(sql.replace("%", "%%"))
        with engine.begin() as connection:
            command.upgrade(alembic_config(connection), "0038")
            [(former_stays,)] = connection.exec_driver_sql("SELECT former_stays FROM enrolment").all()
        engine.dispose()
        moved_at = "2026-03-01T02:00:00+00:00"
        assert json.loads(former_stays) == {"1": [moved_at, moved_at, None]}


WORK_OF_BEFORE = """
INSERT INTO item_version (hash, item, body, created_at) VALUES ('h', 'content:dcg', '{}', '2026-01-01');
INSERT INTO attempt (id, learner_id, source, ref, round, seed, created_at) VALUES
    (21, 1, 'assignment', 'assignment-3', 1, 1, '2026-01-01'),
    (22, 1, 'assignment', 'assignment-3', 2, 1, '2026-01-01'),
    (23, 1, 'assignment', 'assignment-3', 3, 1, '2026-01-01'),
    (24, 1, 'assignment', 'assignment-3', 4, 1, '2026-01-01'),
    (25, 1, 'assignment', 'assignment-4', 1, 1, '2026-01-01');
INSERT INTO assignment (id, classroom_id, title, note, seed, everyone, late_factor, passes, tries, hints,
    answers, counts, created_at, minutes, version)
    SELECT 4, classroom_id, title, note, seed, everyone, late_factor, passes, tries, hints, answers, counts,
        created_at, 0, version FROM assignment WHERE id = 3;
INSERT INTO submission (attempt_id, assignment_id, enrolment_id, number, started_at, handed_in_at, collected,
    factor, parts, seeds)
VALUES (21, 3, 5, 1, '2026-02-01 02:00:00', '2026-02-01 02:20:00.000000', FALSE, 1, '{}', '{}'),
    (22, 3, 5, 2, '2026-02-01 03:00:00', '2026-02-01 03:20:00.000000', FALSE, 1, '{}', '{}'),
    (23, 3, 5, 3, '2026-02-01 04:00:00', NULL, FALSE, 1, '{}', '{}'),
    (24, 3, 5, 4, '2026-02-01 05:00:00', '2026-02-01 05:20:00.000000', TRUE, 1, '{}', '{}'),
    (25, 4, 5, 1, '2026-02-01 06:00:00', '2026-02-01 06:20:00.000000', FALSE, 1, '{}', '{}');
INSERT INTO response (attempt_id, learner_id, item, try_number, raw, verdict, score, hints, item_version,
    created_at)
VALUES (21, 1, 'content:dcg#1', 1, '[]', 'right', 1, 0, 'h', '2026-02-01 02:20:30.000000'),
    (21, 1, 'content:dcg#2', 1, '[]', 'right', 1, 0, 'h', '2026-02-01 02:20:31.000000'),
    (22, 1, 'content:dcg#1', 1, '[]', 'right', 1, 0, 'h', '2026-02-01 03:20:00.000000'),
    (23, 1, 'content:dcg#1', 1, '[]', 'right', 1, 0, 'h', '2026-02-01 04:10:00.000000'),
    (24, 1, 'content:dcg#1', 1, '[]', 'right', 1, 0, 'h', '2026-02-01 05:20:30.000000'),
    (25, 1, 'content:dcg#1', 1, '[]', 'right', 1, 0, 'h', '2026-02-01 06:20:30.000000');
"""


def test_what_the_program_handed_in_before_says_when_it_was_marked(
    server: PostgresServer, tmp_path: Path
) -> None:
    """By the first of its answers; what a person handed in, and what is open, says nothing.

    An answer that only a regrade could read came after the hand-in too, whoever did that.
    """
    for engine in (engine_for_upgrade(tmp_path / "tangxu.db"), server_engine(server.without_tables())):
        with engine.begin() as connection:
            command.upgrade(alembic_config(connection), "0040")
            class_of_before = CLASS_OF_BEFORE
            if engine.dialect.name == "postgresql":
                class_of_before = CLASS_OF_BEFORE_ON_SERVER
            for sql in (class_of_before + WORK_OF_BEFORE).split(";\n"):
                if sql.strip():
                    connection.exec_driver_sql(sql.replace("%", "%%"))
        with engine.begin() as connection:
            command.upgrade(alembic_config(connection), "0041")
            times = connection.exec_driver_sql("SELECT marked_at FROM submission ORDER BY attempt_id").all()
        engine.dispose()
        marking_times = [str(marked_at)[:19] for (marked_at,) in times]
        assert marking_times == ["2026-02-01 02:20:30", *["None"] * 4]


def test_every_constraint_has_a_name(file: Path) -> None:
    for (sql,) in query(file, "SELECT sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL"):
        for line in str(sql).splitlines():
            if re.search(r"PRIMARY KEY|FOREIGN KEY|UNIQUE|CHECK", line):
                assert "CONSTRAINT" in line, line


@pytest.mark.long
def test_four_at_once_migrate_one_database(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from app.records.db.migrate import migrate;"
        f"print(migrate('sqlite:///{tmp_path}/tangxu.db', Path('{tmp_path}')).former_revision)"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    patience_seconds = migrate.UPGRADE_PATIENCE_SECONDS
    output = sorted(process.communicate(timeout=patience_seconds)[0] for process in started)
    assert output == sorted([*[f"{revision.HEAD}\n"] * 3, "None\n"])
    assert [process.returncode for process in started] == [0, 0, 0, 0]


def test_a_file_of_the_first_release_comes_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0001")
    query(file, "INSERT INTO learner (created_at, time_zone) VALUES ('2026-01-01', 'Asia/Shanghai')")
    query(file, "INSERT INTO reveal VALUES (1, 1, 'content:tea', 1, 1, '3', 1, '2026-01-01 00:00:00.000000')")
    done = migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert (done.former_revision, done.revision) == ("0001", revision.HEAD)
    assert query(file, "SELECT guess, right, misconception FROM reveal") == [("3", 1, None)]


def test_published_assignments_keep_the_numbers_that_they_have(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0009")
    query(file, "INSERT INTO learner (id, created_at, time_zone) VALUES (1, '2026-01-01', 'Asia/Shanghai')")
    query(file, "INSERT INTO classroom (id, teacher_id, name, created_at, code) VALUES (1, 1, '', '', '')")
    columns = "classroom_id, title, note, seed, everyone, late_factor, passes, tries, hints, answers, counts"
    for published in ("NULL", "'2026-01-01'"):
        query(
            file,
            f"INSERT INTO assignment ({columns}, created_at, published_at)"
            f" VALUES (1, '', '', 7, 1, 1, 1, 1, 1, 'due', 'best', '2026-01-01', {published})",
        )
    for learner, created_on, joined in ((2, "2026-01-02", "2026-01-02"), (3, "2026-01-01", "2026-01-02")):
        query(file, f"INSERT INTO learner (id, created_at, time_zone) VALUES ({learner}, '{created_on}', '')")
        query(
            file,
            "INSERT INTO account (learner_id, login, login_key, password_hash, teacher, created_at)"
            f" VALUES ({learner}, '{learner}', '{learner}', '', 0, '{created_on}')",
        )
        query(
            file,
            "INSERT INTO enrolment (classroom_id, learner_id, name, name_key, number, joined_at)"
            f" VALUES (1, {learner}, '{learner}', '{learner}', '', '{joined}')",
        )
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert query(file, "SELECT learner_id, with_account FROM enrolment ORDER BY id") == [(2, 1), (3, 0)]
    assert query(file, "SELECT version FROM assignment ORDER BY id") == [(2,), (1,)]
    [(name, secret)] = query(file, "SELECT name, value FROM site_secret")
    assert (name, len(bytes.fromhex(str(secret)))) == ("numbers", 32)
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    migrate.migrate(f"sqlite:///{other_folder}/tangxu.db", other_folder)
    assert query(other_folder / "tangxu.db", "SELECT value FROM site_secret") != [(secret,)]


def test_nobody_is_signed_out_by_the_upgrade_that_ends_sign_ins(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0009")
    query(file, "INSERT INTO learner (created_at, time_zone) VALUES ('2020-01-01', 'Asia/Shanghai')")
    query(file, "INSERT INTO account VALUES (1, '糖', '糖', 'hash', 0, '2020-01-01', NULL)")
    query(file, "INSERT INTO sign_in (learner_id, token_hash, created_at) VALUES (1, 'hash', '2020-01-01')")
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    desk = Desk(file)
    desk.write(sign_in_lifetimes.end_expired_sign_ins, datetime.now(UTC))
    desk.close()
    assert query(file, "SELECT ended_at FROM sign_in WHERE seen_at IS NOT NULL") == [(None,)]


RESPONSES = """
INSERT INTO learner (id, created_at, time_zone) VALUES
    (1, '2026-01-01', 'Asia/Shanghai'), (2, '2026-01-01', 'Asia/Shanghai');
INSERT INTO classroom (id, teacher_id, name, created_at, code) VALUES (7, 2, '1班', '2026-01-01', 'CODE');
INSERT INTO enrolment (id, classroom_id, learner_id, name, name_key, number, joined_at)
    VALUES (1, 7, 1, '糖', '糖', '', '2026-01-01');
INSERT INTO assignment (id, classroom_id, title, note, seed, everyone, late_factor, passes, tries, hints,
    answers, counts, created_at) VALUES (3, 7, '一', '', 1, 1, 1, 1, 1, 1, 'at_once', 'best', '2026-01-01');
INSERT INTO attempt (id, learner_id, source, ref, round, seed, created_at) VALUES
    (1, 1, 'practice', 'content:tea', 1, 1, '2026-01-01'),
    (2, 1, 'assignment', 'assignment-3', 1, 1, '2026-01-01'),
    (3, 1, 'assignment', 'assignment-9', 1, 1, '2026-01-01');
INSERT INTO submission (attempt_id, assignment_id, enrolment_id, number, started_at, collected, factor, parts)
    VALUES (2, 3, 1, 1, '2026-01-01', 0, 1, '{}');
INSERT INTO item_version VALUES ('v', 'x', '{}', '2026-01-01');
INSERT INTO response
    (attempt_id, item, try_number, raw, verdict, score, hints, item_version, created_at) VALUES
    (1, 'content:tea-2', 1, '[]', 'wrong', 0, 0, 'v', '2026-01-01 00:00:00.000000'),
    (1, 'content:tea-2', 2, '[]', 'right', 1, 0, 'v', '2026-01-02 00:00:00.000000'),
    (2, 'content:tea-2#1', 1, '[]', 'right', 1, 0, 'v', '2026-01-03 00:00:00.000000'),
    (2, 'content:tea-2#12', 1, '[]', 'right', 0.5, 0, 'v', '2026-01-04 00:00:00.000000'),
    (3, 'content:tea-2#1', 1, '[]', 'right', 1, 0, 'v', '2026-01-05 00:00:00.000000');
"""


def test_answers_of_a_year_are_counted_once_at_the_upgrade(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0009")
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(RESPONSES)
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert query(file, "SELECT DISTINCT learner_id FROM response") == [(1,)]
    counted = "SELECT learner_id, classroom_id, item, tried, clean, last_at FROM first_try_count ORDER BY id"
    rows = query(file, counted)
    assert rows == [
        (1, None, "content:tea-2", 1, 0, "2026-01-01 00:00:00.000000"),
        (1, 7, "content:tea-2", 2, 1, "2026-01-04 00:00:00.000000"),
    ], "an attempt at what is gone counts nowhere"
    desk = Desk(file)
    assert desk.write(rebuild_all_sums) == 0, "as the program counts"
    desk.close()


NOW_AT = revision.HEAD

# A next revision that rebuilds a parent table: what a real one will do some day.
NEXT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "next", "{now}", None, None


def upgrade():
    with op.batch_alter_table("learner", recreate="always") as batch:
        batch.add_column(sa.Column("nickname", sa.String(), nullable=False, server_default=""))
    {more}
"""


@pytest.fixture
def next_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A further revision in a folder of its own, for one test."""
    folder = tmp_path / "versions"
    folder.mkdir()
    script = folder / "next.py"
    script.write_text(NEXT.format(now=NOW_AT, more=""))
    versions = ROOT / "app" / "records" / "migrations" / "versions"

    def with_both(connection: object) -> object:
        config = alembic_config(connection)  # type: ignore[arg-type]
        config.set_main_option("version_locations", f"{versions}\n{folder}")
        config.set_main_option("path_separator", "newline")
        return config

    monkeypatch.setattr(revision, "alembic_config", with_both)
    monkeypatch.setattr(revision, "HEAD", "next")
    return script


def fill(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(revision, "HEAD", NOW_AT)
        desk = Desk(file)
        desk.write(learners.give_resume_code, XIAOTANG, NOW)
        desk.close()


def test_a_migration_keeps_the_children_and_makes_a_backup(
    file: Path, tmp_path: Path, next_revision: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(file, monkeypatch)
    done = migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert (done.former_revision, done.revision) == (NOW_AT, "next")
    assert query(file, "SELECT nickname FROM learner") == [("",)]
    assert query(file, "SELECT count(*) FROM sign_in") == [(1,)]
    assert done.backup
    assert done.backup.parent == tmp_path / "backups"
    assert query(done.backup, "SELECT version_num FROM alembic_version") == [(NOW_AT,)]
    assert query(done.backup, "SELECT count(*) FROM learner JOIN sign_in ON learner.id = learner_id") == [
        (1,)
    ]


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ("raise RuntimeError('no power')", RuntimeError),
        ("op.execute('DELETE FROM learner')", CannotOpen),  # leaves a sign_in of nobody
    ],
)
def test_a_migration_that_fails_leaves_everything_as_it_was(
    file: Path,
    tmp_path: Path,
    next_revision: Path,
    monkeypatch: pytest.MonkeyPatch,
    more: str,
    error: type[Exception],
) -> None:
    fill(file, monkeypatch)
    next_revision.write_text(NEXT.format(now=NOW_AT, more=more))
    with pytest.raises(error):
        migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert query(file, "SELECT version_num FROM alembic_version") == [(NOW_AT,)]
    assert query(file, "SELECT count(*) FROM learner JOIN sign_in ON learner.id = learner_id") == [(1,)]
    assert "nickname" not in str(query(file, "SELECT sql FROM sqlite_master WHERE name = 'learner'"))


def test_a_file_of_another_version_is_refused(file: Path, tmp_path: Path) -> None:
    query(file, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(CannotOpen, match="9999"):
        open_database(f"sqlite:///{file}")
    with pytest.raises(CannotOpen, match="9999"):
        migrate.migrate(f"sqlite:///{file}", tmp_path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with pytest.raises(CannotOpen, match="还没有建好"):
        open_database(f"sqlite:///{file}")
    file.write_text("这不是数据库" * 1000)
    with pytest.raises(CannotOpen, match="不是糖序的数据库"):
        migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert file.read_text() == "这不是数据库" * 1000


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotOpen, match="建不好"):
        migrate.migrate(f"sqlite:///{tmp_path}/file/tangxu.db", tmp_path)


def test_a_backup_is_whole_while_others_write(file: Path, tmp_path: Path) -> None:
    desk, stop = Desk(file), False

    async def write_on() -> int:
        count = 0
        while not stop:
            await desk.database.write(
                learners.find_or_add_learner, Caller(proposed_token=f"proposal-{count}"), NOW
            )
            count += 1
        return count

    with ThreadPoolExecutor(1) as thread:
        writing = thread.submit(lambda: asyncio.run(write_on()))
        backup_files = [backup(desk.url, None, tmp_path) for _ in range(5)]
        stop = True
        written = writing.result()
    counts = [query(copy, "SELECT count(*) FROM learner")[0][0] for copy in backup_files]
    assert counts == sorted(counts, key=lambda count: int(str(count)))
    for copy in backup_files:
        assert query(copy, "PRAGMA integrity_check") == [("ok",)]
        assert query(copy, "SELECT count(*) FROM learner") == query(copy, "SELECT count(*) FROM sign_in")
        assert copy.stat().st_mode & 0o077 == 0
    assert desk.count("learner") == written
    desk.close()


def test_a_backup_opens_as_a_database(file: Path, tmp_path: Path) -> None:
    desk = Desk(file)
    desk.write(learners.find_or_add_learner, XIAOTANG, NOW)
    copy = Desk(backup(desk.url, tmp_path / "copy.db", tmp_path))
    assert copy.read(learners.find_learner_id, Caller(XIAOTANG.proposed_token)) == 1
    copy.close()
    desk.close()


def test_a_backup_overwrites_nothing(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(CannotOpen, match="已经存在"):
        backup(f"sqlite:///{file}", target, tmp_path)
    assert target.read_text() == "precious"
    with pytest.raises(CannotOpen, match="没有什么可备份"):
        backup(f"sqlite:///{tmp_path}/none.db", None, tmp_path)


def test_a_backup_leaves_the_unfinished_one_of_another_program(file: Path, tmp_path: Path) -> None:
    """Begun in the same second, it may have the same name; each is written under one of its own."""
    target = tmp_path / "copy.db"
    unfinished = tmp_path / "copy.db.unfinished"
    unfinished.write_text("half")
    broken_off = tmp_path / "copy.db.31.unfinished"
    foreign = tmp_path / "other.db.31.unfinished"
    for path in (broken_off, foreign):
        path.write_text("half")
        os.utime(path, (0, 0))
    backup(f"sqlite:///{file}", target, tmp_path)
    assert unfinished.read_text() == "half"
    assert foreign.read_text() == "half"
    assert not broken_off.exists(), "nobody has written it for a day"


def test_a_backup_named_by_its_time_removes_any_such_that_was_broken_off(file: Path, tmp_path: Path) -> None:
    """None of them ever comes again under its name."""
    folder = tmp_path / "backups"
    folder.mkdir()
    broken_off = [
        folder / f"tangxu-20260101-235959{ending}"
        for ending in (".db.31.unfinished", "-2.db.31.unfinished", ".db.31.unfinished-journal")
    ]
    foreign = folder / "tangxu-monday.db.31.unfinished"
    running = folder / "tangxu-20260102-000000.db.31.unfinished"
    for path in (*broken_off, foreign, running):
        path.write_text("half")
        os.utime(path, (0, 0))
    os.utime(running)
    backup(f"sqlite:///{file}", tmp_path / "copy.db", tmp_path)
    assert all(path.exists() for path in broken_off), "no backup named by its time"
    new_backup = backup(f"sqlite:///{file}", None, tmp_path)
    assert set(folder.iterdir()) == {new_backup, foreign, running}


@pytest.mark.parametrize("is_named", [True, False])
def test_of_two_backups_at_once_none_replaces_the_other(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    """The other one is done while this one is flushed; where nobody gave the name, the next one is free."""

    def flush_beside_another(unfinished_file: Path) -> None:
        monkeypatch.undo()
        name, _, _ = unfinished_file.name.partition(".db.")
        unfinished_file.with_name(f"{name}.db").write_text("precious")

    monkeypatch.setattr(backups, "flush_file", flush_beside_another)
    target = None
    if is_named:
        target = tmp_path / "backups" / "copy.db"
        target.parent.mkdir()
        with pytest.raises(CannotOpen, match=r"copy\.db已经存在，不覆盖它。"):
            backup(f"sqlite:///{file}", target, tmp_path)
    else:
        new_backup = backup(f"sqlite:///{file}", None, tmp_path)
        new_backup.unlink()
    [other_backup] = (tmp_path / "backups").iterdir()
    assert other_backup.read_text() == "precious"


def test_a_backup_on_a_full_disk_leaves_no_half(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(backups, "flush_file", full)
    with pytest.raises(DiskFull, match=f"备份没有写成{tmp_path}.*磁盘满了"):
        backup(f"sqlite:///{file}", None, tmp_path)
    assert list((tmp_path / "backups").iterdir()) == []


def test_an_old_database_gets_the_sums_of_its_log(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0009")
    at = ["2026-09-01 01:00:00.000000", "2026-09-01 01:03:00.000000", "2026-09-02 01:00:00.000000"]
    columns = "id, attempt_id, item, try_number, raw, verdict, score, misconception, hints, item_version"
    values = (
        f"(1, 1, 'content:dcg', 1, '[]', 'wrong', 0, 'log10', 0, 'v', '{at[0]}')",
        f"(2, 1, 'content:dcg', 2, '[]', 'right', 1, NULL, 0, 'v', '{at[1]}')",
        f"(3, 1, 'content:cg', 1, '[]', 'right', 1, NULL, 0, 'v', '{at[2]}')",
    )
    for statement in (
        f"INSERT INTO learner (id, created_at, time_zone) VALUES (7, '{at[0]}', 'Asia/Shanghai')",
        f"INSERT INTO item_version VALUES ('v', 'content:dcg', '{{}}', '{at[0]}')",
        f"INSERT INTO attempt VALUES (1, 7, 'practice', 'content:a', 1, 1, '{at[0]}', NULL)",
        f"INSERT INTO response ({columns}, created_at) VALUES {', '.join(values)}",
    ):
        query(file, statement)
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert query(file, "SELECT item, clean, later, wrong, cleans, mistakes FROM item_sum") == [
        ("content:cg", 1, 0, 0, f'[["{at[2]}",3]]', "{}"),
        ("content:dcg", 0, 1, 1, "[]", f'{{"log10":["{at[0]}",1,1]}}'),
    ]
    assert query(file, "SELECT day, learnt, days, run FROM learning_day") == [
        ("2026-09-01", 180_000_000, 1, 1),
        ("2026-09-02", 180_000_000, 2, 2),
    ]


SUMS_BY_NUMBER = """
INSERT INTO learner (id, created_at, time_zone) VALUES (7, '2026-09-01 01:00:00.000000', 'Asia/Shanghai');
INSERT INTO item_version VALUES ('v', 'content:dcg', '{}', '2026-09-01 01:00:00.000000');
INSERT INTO attempt (id, learner_id, source, ref, round, seed, created_at) VALUES
    (1, 7, 'lesson', 'content:a', 1, 1, '2026-09-08 01:00:00.000000'),
    (2, 7, 'lesson', 'content:b', 1, 1, '2026-09-07 01:00:00.000000');
INSERT INTO response (id, attempt_id, learner_id, item, try_number, raw, verdict, score, hints, item_version,
    created_at)
VALUES (1, 1, 7, 'content:dcg', 1, '[]', 'right', 1, 0, 'v', '2026-09-08 01:00:00.000000'),
    (2, 2, 7, 'content:dcg', 1, '[]', 'right', 1, 0, 'v', '2026-09-07 01:00:00.000000');
INSERT INTO item_sum (learner_id, item, recent, clean, later, cleans, wrong, mistakes, wrongs) VALUES
    (7, 'content:dcg', '[[2,1,"2026-09-07 01:00:00.000000"],[1,1,"2026-09-08 01:00:00.000000"]]', 0, 0,
    '[2,1]', 0, '{}', '');
"""


def test_sums_that_went_by_numbers_are_made_again_in_the_order_of_time(
    server: PostgresServer, tmp_path: Path
) -> None:
    """On a server as in a file, of whoever has answered there."""
    for url in (f"sqlite:///{tmp_path}/tangxu.db", server.without_tables()):
        engine = engine_for_upgrade(tmp_path / "tangxu.db")
        if not url.startswith("sqlite"):
            engine = server_engine(url)
        with engine.begin() as connection:
            command.upgrade(alembic_config(connection), "0043")
            for sql in SUMS_BY_NUMBER.split(";\n"):
                if sql.strip():
                    connection.exec_driver_sql(sql)
        migrate.migrate(url, tmp_path)
        with engine.connect() as connection:
            sum_rows = connection.exec_driver_sql("SELECT recent, cleans FROM item_sum").all()
        engine.dispose()
        assert [tuple(map(json.loads, sum_row)) for sum_row in sum_rows] == [
            (
                [["2026-09-08 01:00:00.000000", 1, 1], ["2026-09-07 01:00:00.000000", 2, 1]],
                [["2026-09-08 01:00:00.000000", 1], ["2026-09-07 01:00:00.000000", 2]],
            )
        ]


OWN_TEXT = """title: 我的小课
sections:
  why:
    title: 为什么
    steps: [一句话, {id: joke, say: 笑话}, {say: 又一句}]
"""
PLACES = [
    ("content:concepts", "which-is-better", 4, "row-b"),
    ("content:concepts", "which-is-better", 6, "hidden-sweetness"),
    ("content:concepts", "concepts-quiz", 8, "quiz-8"),
    ("content:practice", "untasted", 99, "look-back-practice"),
    ("content:gone", "which-is-better", 2, None),
    ("own-1:lesson", "why", 2, "joke"),
    ("own-1:lesson", "why", 3, "step-3"),
    ("own-1:lesson", "what", 1, None),
    ("own-2:lesson", "why", 2, None),
    ("own-3:lesson", "why", 2, None),
    ("own-9:lesson", "why", 2, None),
]


def test_only_a_class_with_small_numbers_alone_asks_what_they_are(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0014")
    at = "2026-09-01 01:00:00.000000"
    numbers = {1: ["1", "", "12"], 2: ["1", "2026010001"], 3: ["", ""], 4: ["1", "A2"], 5: ["012"]}
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute(f"INSERT INTO learner (id, created_at, time_zone) VALUES (1, '{at}', 'Asia/Shanghai')")
        for classroom, column in numbers.items():
            opened.execute(
                "INSERT INTO classroom (id, teacher_id, name, created_at, code) VALUES (?, 1, '班', ?, ?)",
                (classroom, at, f"CODE{classroom}"),
            )
            for place, number in enumerate(column):
                learner = 10 * classroom + place
                opened.execute(
                    "INSERT INTO learner (id, created_at, time_zone) VALUES (?, ?, 'Asia/Shanghai')",
                    (learner, at),
                )
                opened.execute(
                    "INSERT INTO enrolment (classroom_id, learner_id, name, name_key, number, joined_at)"
                    " VALUES (?, ?, '糖', '糖', ?, ?)",
                    (classroom, learner, number, at),
                )
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    asking = query(file, "SELECT id FROM classroom WHERE asks_number_kind ORDER BY id")
    assert asking == [(1,), (5,)]
    rows = query(file, "SELECT number, seat FROM enrolment ORDER BY id")
    assert rows == [(number, None) for column in numbers.values() for number in column]


def test_places_of_before_get_the_ids_of_their_steps(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0013")
    at = "2026-09-01 01:00:00.000000"
    query(file, f"INSERT INTO learner (id, created_at, time_zone) VALUES (7, '{at}', 'Asia/Shanghai')")
    texts = (OWN_TEXT, "title: [", "[" * 5000)
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.executemany(
            "INSERT INTO own_course (learner_id, title, text, created_at, updated_at)"
            " VALUES (7, '课', ?, ?, ?)",
            [(text, at, at) for text in texts],
        )
        opened.executemany(
            "INSERT INTO lesson_place (learner_id, stage, section, round, step, done, updated_at)"
            " VALUES (7, ?, ?, ?, ?, false, ?)",
            [(*place[:2], number, place[2], at) for number, place in enumerate(PLACES)],
        )
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert query(file, "SELECT stage, section, step, step_id FROM lesson_place ORDER BY id") == PLACES


def test_marks_that_waited_at_the_upgrade_may_still_grow_by_all_that_they_lack(tmp_path: Path) -> None:
    """Until they are marked: how much of it is asked in words, only the course knows."""
    submission_rows = [(1, "2.5", 2), (1, "4", 0), (1, "NULL", 0), (1, "10", 1), (2, "3", 2)]
    values = [
        f"{enrolment_id}, {points}, 10, 1, {waiting}, 0" for enrolment_id, points, waiting in submission_rows
    ]
    file = upgraded_with_submissions(
        tmp_path, "0027", "enrolment_id, points, total, factor, waiting, collected", values
    )
    open_points = query(file, "SELECT open_points FROM submission ORDER BY number")
    assert open_points == [(7.5,), (0.0,), (0.0,), (0.0,), (0.0,)]
    waiting_counts = query(file, "SELECT waiting FROM submission ORDER BY number")
    assert waiting_counts == [(2,), (0,), (0,), (0,), (0,)], "nothing to earn, or nothing left to read"


def test_what_was_handed_in_before_the_upgrade_stays_as_late_as_it_was_told(tmp_path: Path) -> None:
    handed_in_at = "2026-11-23 02:00:00.000000"
    rows = [("0", 1), ("0", 0.5), ("1", 1), ("1", 0.5)]
    values = [f"1, '{handed_in_at}', {collected}, {factor}" for collected, factor in rows]
    columns = "enrolment_id, handed_in_at, collected, factor"
    file = upgraded_with_submissions(tmp_path, "0041", columns, [*values, "1, NULL, 0, 1"])
    times = [time for (time,) in query(file, "SELECT last_work_at FROM submission ORDER BY number")]
    assert times == [handed_in_at, handed_in_at, None, handed_in_at, None]


def upgraded_with_submissions(
    tmp_path: Path, revision_before: str, columns: str, value_texts: Sequence[str]
) -> Path:
    """A file of a revision with these submissions, brought up to date."""
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), revision_before)
    at = "'2026-11-23 01:00:00.000000'"
    for learner_id in (1, 2):
        query(
            file,
            f"INSERT INTO learner (id, created_at, time_zone) VALUES ({learner_id}, {at}, 'Asia/Shanghai')",
        )
    query(
        file, f"INSERT INTO classroom (id, teacher_id, name, created_at, code) VALUES (1, 1, '班', {at}, 'A')"
    )
    query(
        file,
        "INSERT INTO enrolment (id, classroom_id, learner_id, name, name_key, number, joined_at)"
        f" VALUES (1, 1, 1, '糖', '糖', '', {at}), (2, 1, 2, '已注销的同学', '', '', {at})",
    )
    rules = "classroom_id, title, note, seed, everyone, late_factor, passes, tries, hints, answers, counts"
    query(
        file,
        f"INSERT INTO assignment (id, {rules}, created_at)"
        f" VALUES (1, 1, '', '', 7, 1, 1, 1, 1, 1, 'due', 'best', {at})",
    )
    for number, value_text in enumerate(value_texts, start=1):
        query(
            file,
            "INSERT INTO attempt (id, learner_id, source, ref, round, seed, created_at)"
            f" VALUES ({number}, 1, 'assignment', 'assignment-1', {number}, 7, {at})",
        )
        query(
            file,
            f"INSERT INTO submission (attempt_id, assignment_id, number, started_at, parts, {columns})"
            f" VALUES ({number}, 1, {number}, {at}, '{{}}', {value_text})",
        )
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    return file


@pytest.mark.parametrize("is_named", [True, False])
def test_a_folder_of_backups_that_is_none_is_told_of(file: Path, tmp_path: Path, is_named: bool) -> None:
    """It is a link to a disk that is not there, or a file."""
    folder = tmp_path / "backups"
    folder.symlink_to(tmp_path / "unmounted")
    target = folder / "copy.db" if is_named else None
    with pytest.raises(CannotOpen, match="备份没有写成"):
        backup(f"sqlite:///{file}", target, tmp_path)
    folder.unlink()
    folder.write_text("precious")
    with pytest.raises(CannotOpen, match="备份没有写成"):
        backup(f"sqlite:///{file}", target, tmp_path)
    assert folder.read_text() == "precious"
