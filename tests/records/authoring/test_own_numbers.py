"""A number of own content is given once, and one of its questions too, also after an upgrade from when they
came again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command

from app.records.db import migrate
from app.records.db.postgres.dialect import server_engine
from app.records.db.revision import alembic_config
from app.records.db.sqlite.upgrade import engine_for_upgrade
from tests.postgres_server import PostgresServer


def query(file: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(sql).fetchall()


OWN_CONTENTS = """
INSERT INTO learner (id, created_at, time_zone) VALUES (1, '2026-01-01 00:00:00.000000', 'Asia/Shanghai');
INSERT INTO own_course VALUES (
    3, 1, '甜', 'title: 甜', 'token', '2026-01-01 00:00:00.000000', '2026-01-02 00:00:00.000000', NULL
);
INSERT INTO attempt (id, learner_id, source, ref, round, seed, created_at) VALUES
    (1, 1, 'lesson', 'own-7:content', 1, 1, '2026-01-01 00:00:00.000000'),
    (2, 1, 'lesson', 'own-x:content', 1, 1, '2026-01-01 00:00:00.000000');
INSERT INTO lesson_place (learner_id, stage, section, round, step, done, updated_at)
    VALUES (1, 'own-41:content', 'part-1', 1, 1, 1, '2026-01-01 00:00:00.000000');
"""


@pytest.mark.parametrize(
    ("rows", "next_number"), [(OWN_CONTENTS, 42), (OWN_CONTENTS.partition("INSERT INTO att")[0], 4)]
)
def test_a_number_of_own_content_never_comes_again_after_the_upgrade(
    tmp_path: Path, rows: str, next_number: int
) -> None:
    file = tmp_path / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), "0030")
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(rows)
    columns_of_then = "id, learner_id, title, text, share_token, created_at, updated_at, deleted_at"
    contents = query(file, f"SELECT {columns_of_then} FROM own_course")
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert query(file, f"SELECT {columns_of_then} FROM own_course") == contents
    columns = "learner_id, title, text, created_at, updated_at"
    for number in (next_number, next_number + 1):
        query(file, f"INSERT INTO own_course ({columns}) VALUES (1, '', '', '', '')")
        assert query(file, "SELECT max(id) FROM own_course") == [(number,)]
        query(file, f"DELETE FROM own_course WHERE id = {number}")


QUESTIONS_OF_BEFORE = (
    "INSERT INTO learner (id, created_at, time_zone) VALUES (1, '2026-01-01', 'Asia/Shanghai')",
    """INSERT INTO own_course (id, learner_id, title, text, created_at, updated_at) VALUES
    (1, 1, '', 'items:
  q2: {stem: 甲}
  "q4":
    stem: "第q9题"
  why: {stem: 乙}', '2026-01-01', '2026-01-01'),
    (2, 1, '', 'half: [', '2026-01-01', '2026-01-01'),
    (3, 1, '', 'items: {q1: {stem: 丙}}', '2026-01-01', '2026-01-01'),
    (41, 1, '', 'title: 甜', '2026-01-01', '2026-01-01')""",
    """INSERT INTO item_version (hash, item, body, created_at) VALUES
    ('a', 'own-3:q7', '{}', '2026-01-01'), ('b', 'own-3:lesson-q8', '{}', '2026-01-01'),
    ('c', 'content:q9', '{}', '2026-01-01'), ('d', 'own-5:q9', '{}', '2026-01-01')""",
    "INSERT INTO classroom (id, teacher_id, name, created_at, code) VALUES (1, 1, '', '2026-01-01', 'x')",
    """INSERT INTO assignment (id, classroom_id, title, note, seed, everyone, late_factor, passes, tries,
    hints, answers, counts, created_at)
    VALUES (1, 1, '', '', 7, true, 1, 1, 1, true, 'due', 'best', '2026-01-01')""",
    """INSERT INTO assignment_part (assignment_id, position, kind, ref, level, count, same, points, bank)
    VALUES (1, 1, 'item', 'own-41:q12', 0, 1, false, 1, 0),
    (1, 2, 'section', 'own-41:content/q13', 0, 1, false, 1, 0)""",
)


@pytest.mark.parametrize("is_on_server", [False, True])
def test_the_upgrade_finds_the_last_question_of_each_text(
    server: PostgresServer, tmp_path: Path, is_on_server: bool
) -> None:
    """In the text, and in what was answered or assigned and is in the text no more."""
    url = f"sqlite:///{tmp_path}/tangxu.db"
    engine = engine_for_upgrade(tmp_path / "tangxu.db")
    if is_on_server:
        url = server.without_tables()
        engine = server_engine(url)
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0036")
        for statement in QUESTIONS_OF_BEFORE:
            connection.exec_driver_sql(statement)
    migrate.migrate(url, tmp_path)
    with engine.connect() as connection:
        number_rows = connection.exec_driver_sql("SELECT id, last_item_number FROM own_course ORDER BY id")
        last_numbers = [tuple(number_row) for number_row in number_rows]
    engine.dispose()
    assert last_numbers == [(1, 4), (2, 0), (3, 7), (41, 12)]
