"""A number of own content is given once, also after an upgrade from when SQLite gave it again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command

from app.records.db import migrate
from app.records.db.revision import alembic_config
from app.records.db.sqlite.upgrade import engine_for_upgrade


def query(file: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(sql).fetchall()


OWN_CONTENTS = """
INSERT INTO learner (id, created_at, time_zone) VALUES (1, '2026-01-01', 'Asia/Shanghai');
INSERT INTO own_course VALUES (3, 1, '甜', 'title: 甜', 'token', '2026-01-01', '2026-01-02', NULL);
INSERT INTO attempt (id, learner_id, source, ref, round, seed, created_at) VALUES
    (1, 1, 'lesson', 'own-7:content', 1, 1, '2026-01-01'),
    (2, 1, 'lesson', 'own-x:content', 1, 1, '2026-01-01');
INSERT INTO lesson_place (learner_id, stage, section, round, step, done, updated_at)
    VALUES (1, 'own-41:content', 'part-1', 1, 1, 1, '2026-01-01');
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
    contents = query(file, "SELECT * FROM own_course")
    migrate.migrate(f"sqlite:///{file}", tmp_path)
    assert query(file, "SELECT * FROM own_course") == contents
    columns = "learner_id, title, text, created_at, updated_at"
    for number in (next_number, next_number + 1):
        query(file, f"INSERT INTO own_course ({columns}) VALUES (1, '', '', '', '')")
        assert query(file, "SELECT max(id) FROM own_course") == [(number,)]
        query(file, f"DELETE FROM own_course WHERE id = {number}")
