"""Accounts of anybody, as the operator helps them: the list, who may come in, a forgotten password."""

from datetime import tzinfo
from zoneinfo import ZoneInfo

from app.cli.teachers import current, now, written
from app.records.accounts import passwords
from app.records.people import operator_accounts
from app.records.people.operator_accounts import ListedAccount


def index() -> list[str]:
    """A line for each account."""
    settings = current()
    zone = ZoneInfo(settings.time_zone)
    return [line(row, zone) for row in written(settings, operator_accounts.index)]


def disable(login: str) -> None:
    written(current(), operator_accounts.disable, login, now())


def enable(login: str) -> None:
    written(current(), operator_accounts.enable, login)


def reset(login: str) -> str:
    """The new password."""
    password = passwords.fresh()
    written(current(), operator_accounts.reset, login, passwords.hashed(password), now())
    return password


def line(row: ListedAccount, zone: tzinfo) -> str:
    since = row.created_at.astimezone(zone).strftime("%Y-%m-%d")
    what = [f"教{row.taught}个班"] if row.teacher else []
    what += [f"在{row.attended}个班"] if row.attended or not row.teacher else []
    what += ["已停用"] if row.disabled_at else []
    return f"{row.login}（{since}起，{'，'.join(what)}）"
