"""What a term of 36 pupils takes in SQLite and in PostgreSQL, by table: `python -m bench.term_sizes`."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import psycopg

from app.demo import term
from app.records.authoring.picture_files import Folder, picture_folder_in
from app.records.db.database import open_database
from app.records.db.migrate import migrate
from app.records.db.postgres.move import move
from bench.loads import load_scene
from tests.postgres_server import PostgresServer, running

SIZES = b"SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'"
FILE_SIZES = "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY 1"
TABLES = ("response", "item_version", "attempt", "reveal", "review_log")


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name, running() as server:
        print_sizes(Path(name), server)


def print_sizes(folder: Path, server: PostgresServer) -> None:
    """Rows, and bytes of each with its indexes."""
    file = folder / "term.db"
    server_url = server.without_tables()
    file_url = f"sqlite:///{file}"
    migrate(file_url, folder)
    asyncio.run(written(file_url, picture_folder_in(folder)))
    rows = move(file_url, server_url, folder, lambda _name, _rows: None)
    bytes_in_file = sizes_of_file(file)
    bytes_on_server = sizes_on(server_url)
    print("示范学期（36位同学，六周）：表，行，SQLite和PostgreSQL每行几字节（连索引）")
    for table in TABLES:
        count = rows[table]
        print(f"  {table}：{count}，{bytes_in_file[table] / count:.0f}，{bytes_on_server[table] / count:.0f}")
    print(f"  全部：{sum(rows.values())}行，{sum(bytes_in_file.values()) / 1e6:.1f} MB，", end="")
    print(f"{sum(bytes_on_server[table] for table in rows) / 1e6:.1f} MB")


async def written(url: str, pictures: Folder) -> None:
    database = open_database(url)
    await database.write(
        term.write_term, load_scene().course, datetime.now(UTC), ZoneInfo("Asia/Shanghai"), pictures
    )
    await database.close()


def sizes_of_file(file: Path) -> Mapping[str, int]:
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute(FILE_SIZES).fetchall())


def sizes_on(url: str) -> Mapping[str, int]:
    with psycopg.connect(url) as connection:
        return dict(connection.execute(SIZES).fetchall())


if __name__ == "__main__":
    main()
