"""Teachers, as the operator helps them: invitations and the list."""

from collections.abc import Iterable

from app.cli import records
from app.cli.addresses import addresses
from app.records.people import teachers
from app.records.people.teachers import TeacherRow
from app.settings import Settings


def invite() -> list[str]:
    """A new invitation, at every address that can be known without serving."""
    settings = records.current()
    token = records.run(settings, teachers.invite, records.now())
    sites = addresses(settings, "0.0.0.0", 8000)  # noqa: S104  (not bound: every address, to be printed)
    return ["✓ 邀请链接，能用一次，七天有效（端口换过就改成自己的）：", *links(sites, token)]


def first_invitation(settings: Settings, sites: Iterable[str]) -> list[str]:
    """What a first start says to who opens an empty site; nothing later on."""
    token = records.run(settings, teachers.first_invitation, records.now())
    if token is None:
        return []
    return ["第一次来：谁当老师，谁就打开这个链接（能用一次，七天有效）：", *links(sites, token)]


def links(sites: Iterable[str], token: str) -> list[str]:
    return [f"  {site}/invitations/{token}" for site in sites]


def index() -> list[str]:
    """A line for each teacher."""
    settings = records.current()
    return [line(row, settings) for row in records.run(settings, teachers.index)]


def line(row: TeacherRow, settings: Settings) -> str:
    stopped = "，已停用" if row.disabled_at else ""
    return f"{row.login}（{records.local(row.created_at, settings)}起，{row.classes}个班{stopped}）"
