"""`python -m app move`: a site is carried to another database, with a line for each table."""

from pathlib import Path

from app.cli.words import SayLine
from app.records.db.postgres import is_postgres
from app.records.db.postgres.address import needing_driver
from app.settings import Settings


def move_records(settings: Settings, source_address: str, target_address: str, say_line: SayLine) -> str:
    """Carry it over from `source_address` to `target_address`, each an address or the path of a file; what to
    do next."""
    with needing_driver():
        from app.records.db.postgres import move as moving

    def say_table(table_name: str, table_row_count: int) -> None:
        if table_row_count:
            say_line(f"  {table_name} {table_row_count}")

    source_url, target_url = as_database_url(source_address), as_database_url(target_address)
    row_count_by_table = moving.move(source_url, target_url, settings.data, say_table)
    row_count = sum(row_count_by_table.values())
    address_words = target_url
    if is_postgres(target_url):  # it may hold a password, and more than `shown_address` shows
        address_words = "刚才的第二个地址"
    return (
        f"✓ 搬好了：{len(row_count_by_table)}张表，{row_count}行，逐表数过、比过。\n"
        f"原来的一行没动。从现在起用新的：把TANGXU_DATABASE_URL设成{address_words}，再启动。"
    )


def as_database_url(path_or_url: str) -> str:
    """A file may be named by its path alone.

    >>> as_database_url("data/tangxu.db"), as_database_url("postgresql://db/tangxu")
    ('sqlite:///data/tangxu.db', 'postgresql://db/tangxu')
    """
    if "://" in path_or_url:
        return path_or_url
    return f"sqlite:///{Path(path_or_url).as_posix()}"
