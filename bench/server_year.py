"""The same school year on PostgreSQL: carried over, then every page, a class at work, a dump.

``python -m bench.server_year``. ``--keep FOLDER`` makes the year there (once) and uses it again, as
``bench.year`` does. The bounds of pages are those of ``bench.year``; a server is slower on one machine.
"""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

from app.course import Course
from app.records.db.migrate import migrate
from app.records.db.postgres.move import move
from bench.goals import Goal
from bench.servers import serving
from bench.year import class_pages, learner_pages, measure_class_at_work, report_in_folder, written_year
from bench.year_data import Year
from tests.postgres_server import PostgresServer, programs, running

SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "shared_buffers": "1GB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "8GB",
}
DATABASE = "year"
TABLE_SIZES = b"""
SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
ORDER BY pg_total_relation_size(oid) DESC LIMIT 6
"""
DATABASE_SIZE = b"SELECT pg_database_size(current_database())"


def measured(folder: Path, course: Course) -> Iterator[Goal]:
    """All figures, one after another."""
    year = written_year(folder, course)
    migrate(year.url, year.data)
    with running(**SETTINGS) as postgres:
        yield from moved_year(year, postgres)
        command = ["app", "serve", "--port", "0"]
        with serving(command, year.data, settings={"TANGXU_DATABASE_URL": postgres.url(DATABASE)}) as server:
            yield from learner_pages(server)
            yield from class_pages(server, year)
            yield from measure_class_at_work(server, year)
        time_dump(year, postgres)


def moved_year(year: Year, postgres: PostgresServer) -> Iterator[Goal]:
    """The year is moved, and what it weighs there is printed."""
    postgres.execute(f"CREATE DATABASE {DATABASE}")
    url = postgres.url(DATABASE)
    begun = time.perf_counter()
    rows = move(year.url, url, year.data, lambda *_: None)
    yield Goal("搬到PostgreSQL", time.perf_counter() - begun, 240, " s")
    print(f"        {sum(rows.values()):,} 行，其中回答 {rows['response']:,}")
    postgres.execute("VACUUM ANALYZE", DATABASE)
    with psycopg.connect(url) as connection:
        for table, table_bytes, index_bytes in connection.execute(TABLE_SIZES):
            print(f"        {table:20}{table_bytes / 1e6:10,.0f} MB{index_bytes / 1e6:10,.0f} MB 索引")
        [(whole_bytes,)] = connection.execute(DATABASE_SIZE).fetchall()
        print(f"        {'全部':20}{whole_bytes / 1e6:10,.0f} MB")


def time_dump(year: Year, postgres: PostgresServer) -> None:
    """How long a dump takes, and how large it is."""
    target = year.data / "year.dump"
    begun = time.perf_counter()
    command = [str(programs() / "pg_dump"), "-Fc", "-f", str(target), postgres.url(DATABASE)]
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - begun
    print(f"        pg_dump -Fc {seconds:.1f} s，{target.stat().st_size / 1e9:.2f} GB")


if __name__ == "__main__":
    report_in_folder(measured, __doc__)
