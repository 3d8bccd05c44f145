"""One verb on the database from the command line; a site that serves meanwhile is not disturbed."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Concatenate, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from app import settings as app_settings
from app.cli.words import PlainError
from app.records.db.database import Database, open_database
from app.records.db.operator_commands import START_COMMAND
from app.records.db.session import VerbSession
from app.records.people import security_log
from app.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
Key = TypeVar("Key")


def current_settings() -> Settings:
    """The settings of this process, where there is a database."""
    settings = app_settings.load()
    expect_database(settings)
    return settings


def expect_database(settings: Settings) -> None:
    """A command about what is kept must not create an empty database in passing."""
    if not settings.is_on_server and not settings.database_path.exists():
        raise PlainError(f"还没有数据库：{settings.database_path} 不存在，第一次 {START_COMMAND} 会建好它。")


def write(
    settings: Settings, verb: Callable[Concatenate[VerbSession, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Write with one verb and close the database again; what the verb returned."""

    async def write_once() -> T:
        async with opened_database(settings) as database:
            return await database.write(verb, *args, **kwargs)

    return asyncio.run(write_once())


def read(settings: Settings, verb: Callable[[VerbSession], T]) -> T:
    """What a verb reads; nothing is written."""

    async def read_once() -> T:
        async with opened_database(settings) as database:
            return await database.read(verb)

    return asyncio.run(read_once())


def write_each(settings: Settings, verb: Callable[[VerbSession, Key], T], keys: Iterable[Key]) -> list[T]:
    """Write with a verb for one key after the other, each in a transaction of its own."""

    async def write_all() -> list[T]:
        async with opened_database(settings) as database:
            return [await database.write(verb, key) for key in keys]

    return asyncio.run(write_all())


@asynccontextmanager
async def opened_database(settings: Settings) -> AsyncIterator[Database]:
    """The database of the settings, open for as long as a command needs it."""
    database = open_database(settings.database_url, thread_count=1)
    try:
        yield database
    finally:
        await database.close()


def log_event(settings: Settings, event_name: str, **facts: object) -> None:
    """One line in the security log, of what the operator did."""
    security_log.open_log_in_folder(settings.data)
    security_log.write_line(event_name, **facts)
    security_log.close_log()


def now() -> datetime:
    return datetime.now(UTC)


def local_time_text(moment: datetime, settings: Settings, time_format: str = "%Y-%m-%d") -> str:
    """A moment by the clock of the settings."""
    return moment.astimezone(ZoneInfo(settings.time_zone)).strftime(time_format)
