"""Where a PostgreSQL database is: read, and shown without its password."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from app.records.db.errors import CannotOpen
from app.records.db.postgres import ADDRESS_FORM, fault_in_address, is_postgres

DRIVER = "postgresql+tangxu"
"""psycopg, with what `dialect` changes of it."""


NO_DRIVER_WORDS = (
    "PostgreSQL的驱动还没有装：.venv/bin/python -m pip install --require-hashes -r requirements-postgres.lock"
)


class LockKey(NamedTuple):
    """Two numbers of an advisory lock; keys of one number are those of learners."""

    site: int
    purpose: int


WRITE_LOCK = LockKey(20262, 1)
"""Held by every verb that writes: shared by one that changes rows of its learner, alone by all others."""
MIGRATION_LOCK = LockKey(20262, 2)


@contextmanager
def needing_driver() -> Iterator[None]:
    """Around the import of what imports psycopg: `CannotOpen` says how to get it."""
    try:
        yield
    except ImportError as error:
        raise CannotOpen(NO_DRIVER_WORDS) from error


def server_address(database_url: str) -> URL:
    """The address as SQLAlchemy takes it. `CannotOpen` for one that names no database.

    >>> server_address("postgresql://teacher:secret@db/tangxu").drivername
    'postgresql+tangxu'
    >>> server_address("postgresql://db")
    Traceback (most recent call last):
    app.records.db.errors.CannotOpen: 数据库地址要写出库名：postgresql://用户:密码@主机/库名。
    """
    fault_words = fault_in_address(database_url)
    if fault_words:
        raise CannotOpen(f"数据库地址{fault_words}。")
    try:
        address = make_url(database_url.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError):
        raise CannotOpen(f"数据库地址读不懂，应写成{ADDRESS_FORM}。") from None
    return address.set(drivername=DRIVER)


def shown_address(database_url: str) -> str:
    """The address for people: without its password, wherever that stands.

    >>> shown_address("postgresql://teacher:secret@db:5433/tangxu?password=secret&host=other")
    'postgresql://teacher@db:5433/tangxu'
    >>> shown_address("sqlite:///data/tangxu.db")
    'sqlite:///data/tangxu.db'
    """
    if not is_postgres(database_url):
        return database_url
    address = server_address(database_url)
    bare_address = URL.create(
        "postgresql", address.username, None, address.host, address.port, address.database
    )
    return bare_address.render_as_string()
