"""One verb on the database from the command line; a site that serves meanwhile is not disturbed."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Concatenate, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from app import settings as app_settings
from app.cli.words import PlainError
from app.records.db.database import open_database
from app.records.db.session import VerbSession
from app.records.people import security_log
from app.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K")


def current() -> Settings:
    """The settings of this process, where there is a database."""
    settings = app_settings.load()
    expect_database(settings)
    return settings


def expect_database(settings: Settings) -> None:
    """A command about what is kept must not create an empty database in passing."""
    if not settings.is_on_server and not settings.database_path.exists():
        raise PlainError(f"还没有数据库：{settings.database_path} 不存在，第一次 make run 会建好它。")


def run(
    settings: Settings, verb: Callable[Concatenate[VerbSession, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Write with one verb and close the database again; what the verb returned."""

    async def write() -> T:
        database = open_database(settings.database_url, threads=1)
        try:
            return await database.write(verb, *args, **kwargs)
        finally:
            await database.close()

    return asyncio.run(write())


def look(settings: Settings, verb: Callable[[VerbSession], T]) -> T:
    """What a verb reads; nothing is written."""

    async def read() -> T:
        database = open_database(settings.database_url, threads=1)
        try:
            return await database.read(verb)
        finally:
            await database.close()

    return asyncio.run(read())


def run_each(settings: Settings, verb: Callable[[VerbSession, K], T], keys: Iterable[K]) -> list[T]:
    """Write with a verb for one key after the other, each in a transaction of its own."""

    async def write() -> list[T]:
        database = open_database(settings.database_url, threads=1)
        try:
            return [await database.write(verb, login) for login in keys]
        finally:
            await database.close()

    return asyncio.run(write())


def note(settings: Settings, event: str, **facts: object) -> None:
    """One line in the security log, of what the operator did."""
    security_log.open_in(settings.data)
    security_log.note(event, **facts)
    security_log.close()


def now() -> datetime:
    return datetime.now(UTC)


def local(moment: datetime, settings: Settings, form: str = "%Y-%m-%d") -> str:
    """A moment by the clock of the settings."""
    return moment.astimezone(ZoneInfo(settings.time_zone)).strftime(form)
