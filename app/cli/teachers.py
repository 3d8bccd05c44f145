"""Teachers, as the operator helps them: invitations and the list."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Concatenate, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from app import settings as app_settings
from app.cli.addresses import addresses
from app.cli.words import PlainError
from app.records.db.database import open_database
from app.records.db.session import VerbSession
from app.records.people import teachers
from app.records.people.teachers import TeacherRow
from app.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


def invite() -> list[str]:
    """A new invitation, at every address that can be known without serving."""
    settings = current()
    token = written(settings, teachers.invite, now())
    known = addresses(settings, "0.0.0.0", 8000)  # noqa: S104  (not bound: every address, to be told)
    return ["✓ 邀请链接，能用一次，七天有效（端口换过就改成自己的）：", *spelled(known, token)]


def first_invitation(settings: Settings, known: list[str]) -> list[str]:
    """What a first start says to who opens an empty site; nothing later on."""
    token = written(settings, teachers.first_invitation, now())
    if token is None:
        return []
    return ["第一次来：谁当老师，谁就打开这个链接（能用一次，七天有效）：", *spelled(known, token)]


def index() -> list[str]:
    """A line for each teacher."""
    settings = current()
    zone = ZoneInfo(settings.time_zone)
    return [line(row, zone) for row in written(settings, teachers.index)]


def spelled(known: list[str], token: str) -> list[str]:
    return [f"  {address}/invitations/{token}" for address in known]


def line(row: TeacherRow, zone: tzinfo) -> str:
    since = row.created_at.astimezone(zone).strftime("%Y-%m-%d")
    stopped = "，已停用" if row.disabled_at else ""
    return f"{row.login}（{since}起，{row.classes}个班{stopped}）"


def current() -> Settings:
    """The settings; asking about teachers must not create an empty database in passing."""
    found = app_settings.load()
    if not found.database_path.exists():
        raise PlainError(f"还没有数据库：{found.database_path} 不存在，第一次 make run 会建好它。")
    return found


def written(
    settings: Settings, verb: Callable[Concatenate[VerbSession, P], T], *args: P.args, **more: P.kwargs
) -> T:
    """Run one verb and close the database again; a site that serves meanwhile is not disturbed."""

    async def run() -> T:
        database = open_database(settings.database_url, threads=1)
        try:
            return await database.write(verb, *args, **more)
        finally:
            await database.close()

    return asyncio.run(run())


def now() -> datetime:
    return datetime.now(UTC)
