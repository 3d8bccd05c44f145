"""A site is carried from one database to another, row by row: counted, and compared when it is there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Table
from sqlmodel import SQLModel

from app.records import tables
from app.records.db import revision
from app.records.db.errors import CannotOpen
from app.records.db.migrate import migrate
from app.records.db.postgres import is_postgres, server_revision
from app.records.db.postgres.address import shown_address
from app.records.db.postgres.move_ends import MoveEnd, open_end
from app.records.db.sqlite.file_access import expect_folder_of
from app.records.db.sqlite.file_revision import file_revision
from app.records.db.sqlite.open_file import database_file
from app.records.db.statements import Row

assert tables  # importing it fills the metadata
ROWS_BETWEEN_REPORTS = 200_000
"""Rows of a table after which a line says how far it is."""
WRITTEN_BY_MIGRATIONS = {"site_secret"}
SUM_MODULUS = 2**64
ORDER_OF_ADDRESSES_SENTENCE = "第一个地址是已经有的记录，第二个是要搬去的空地方。"

ReportProgress = Callable[[str, int], None]
"""Called with the name of a table and how many rows of it are there."""


@dataclass(slots=True)
class RowSum:
    """How many rows, and the sum of what their values hash to: equal where they are, in whatever order."""

    row_count: int = 0
    hash_sum: int = 0

    def add(self, table_row: Row) -> None:
        """One more row."""
        self.row_count += 1
        self.hash_sum = (
            self.hash_sum + hash(repr(table_row))
        ) % SUM_MODULUS  # hashes of tuples add up alike too easily


def move(
    source_url: str, target_url: str, data_folder: Path, report_progress: ReportProgress
) -> dict[str, int]:
    """Copy all rows into an empty database; how many of each table. The source stays as it is.

    `CannotOpen`, and the target left without a row, where one of them is open, the target has records, or
    what arrived is not what left.
    """
    if are_one_database(source_url, target_url):
        raise CannotOpen("两个地址是同一个数据库，没有什么可搬的。")
    expect_source(source_url)
    if not is_postgres(target_url):
        expect_folder_of(database_file(target_url))
    row_count_by_table: dict[str, int] = {}
    with open_end(source_url, is_for_writing=False) as source_end:
        expect_no_older_version(target_url)
        migrate(target_url, data_folder)
        with open_end(target_url, is_for_writing=True) as target_end:
            ordered_tables = SQLModel.metadata.sorted_tables
            expect_empty(target_end, ordered_tables, target_url)
            for source_table in ordered_tables:
                row_count_by_table[source_table.name] = copy_table(
                    source_end, target_end, source_table, report_progress
                )
                if source_table.autoincrement_column is not None:
                    target_end.continue_numbering(source_table, source_end.last_number(source_table))
            target_end.finish()
    return row_count_by_table


def are_one_database(source_url: str, target_url: str) -> bool:
    """Whether two addresses lead to one database: a file has many names, and links to it."""
    if is_postgres(source_url) or is_postgres(target_url):
        return source_url == target_url
    return database_file(source_url).resolve() == database_file(target_url).resolve()


def expect_source(database_url: str) -> None:
    """Refuse to carry away what is not there: a path that was mistyped is no site that was never started."""
    if revision_at(database_url) is not None:
        return
    if is_postgres(database_url):
        raise CannotOpen(
            f"{shown_address(database_url)}里没有糖序的表，没有什么可搬的：{ORDER_OF_ADDRESSES_SENTENCE}"
        )
    sqlite_file = database_file(database_url)
    if sqlite_file.exists():
        raise CannotOpen(f"{sqlite_file}里没有糖序的表，没有什么可搬的：{ORDER_OF_ADDRESSES_SENTENCE}")
    raise CannotOpen(f"没有{sqlite_file}这个文件：{ORDER_OF_ADDRESSES_SENTENCE}")


def expect_no_older_version(database_url: str) -> None:
    """Refuse a database of an older version: what is in it would be upgraded in passing."""
    if revision_at(database_url) not in {None, revision.HEAD}:
        raise CannotOpen(f"{shown_address(database_url)}里已经有一个旧版本的糖序，不搬到它上面。")


def revision_at(database_url: str) -> str | None:
    """The revision of a database; None for one without any table, or where there is none."""
    if is_postgres(database_url):
        return server_revision.server_revision(database_url)
    return file_revision(database_file(database_url))


def expect_empty(target_end: MoveEnd, ordered_tables: Sequence[Table], database_url: str) -> None:
    for source_table in ordered_tables:
        if source_table.name in WRITTEN_BY_MIGRATIONS:
            target_end.clear(source_table)
        elif not target_end.is_empty(source_table):
            raise CannotOpen(
                f"{shown_address(database_url)}里已经有记录（{source_table.name}），不搬到它上面。"
            )


def copy_table(
    source_end: MoveEnd, target_end: MoveEnd, source_table: Table, report_progress: ReportProgress
) -> int:
    """One table; how many rows. `CannotOpen` unless what is there now is what was sent."""
    sent_sum, arrived_sum = RowSum(), RowSum()
    target_end.put(
        source_table,
        rows_counted_on_the_way(source_end.rows(source_table), sent_sum, source_table.name, report_progress),
    )
    for table_row in target_end.rows(source_table):
        arrived_sum.add(tuple(table_row))
    if sent_sum != arrived_sum:
        raise CannotOpen(
            f"表{source_table.name}送出{sent_sum.row_count}行，到了{arrived_sum.row_count}行，或者内容不一样：没有搬，两边都没有动。"
        )
    report_progress(source_table.name, arrived_sum.row_count)
    return arrived_sum.row_count


def rows_counted_on_the_way(
    table_rows: Iterator[Row], sent_sum: RowSum, table_name: str, report_progress: ReportProgress
) -> Iterator[Row]:
    """The rows on their way. What no page shows stays behind: a NUL in a text, for PostgreSQL has none, and
    the sign of a nought, for SQLite has none."""
    for table_row in table_rows:
        clean_row = tuple(table_row)
        for column_index, column_value in enumerate(table_row):
            if isinstance(column_value, str) and "\0" in column_value:
                clean_row = (
                    *clean_row[:column_index],
                    column_value.replace("\0", ""),
                    *clean_row[column_index + 1 :],
                )
            elif isinstance(column_value, float) and column_value == 0:
                clean_row = (*clean_row[:column_index], 0.0, *clean_row[column_index + 1 :])
        sent_sum.add(clean_row)
        if sent_sum.row_count % ROWS_BETWEEN_REPORTS == 0:
            report_progress(table_name, sent_sum.row_count)
        yield clean_row
