"""`python -m app move`: a site is carried to another database, with a line for each table."""

from collections.abc import Callable
from pathlib import Path

from app.records.db.postgres.address import needing_driver, shown_address
from app.settings import Settings

Say = Callable[[str], None]


def move(settings: Settings, source_url: str, target_url: str, say: Say) -> str:
    """Carry it over; what to do next."""
    with needing_driver():
        from app.records.db.postgres import move as moving

    def progress(table_name: str, rows: int) -> None:
        if rows:
            say(f"  {table_name} {rows}")

    source_url, target_url = as_address(source_url), as_address(target_url)
    row_counts = moving.move(source_url, target_url, settings.data, progress)
    row_count = sum(row_counts.values())
    return (
        f"✓ 搬好了：{len(row_counts)}张表，{row_count}行，逐表数过、比过。\n"
        f"原来的一行没动。从现在起用新的：TANGXU_DATABASE_URL={shown_address(target_url)}（密码自己补上）。"
    )


def as_address(text: str) -> str:
    """A file may be named by its path alone.

    >>> as_address("data/tangxu.db"), as_address("postgresql://db/tangxu")
    ('sqlite:///data/tangxu.db', 'postgresql://db/tangxu')
    """
    if "://" in text:
        return text
    return f"sqlite:///{Path(text).as_posix()}"
