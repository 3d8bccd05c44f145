"""Accounts of anybody, as the operator helps them: the list, who may come in, a forgotten password."""

from app.cli import records
from app.records.accounts import passwords
from app.records.people import operator_accounts
from app.records.people.operator_accounts import ListedAccount
from app.settings import Settings


def index() -> list[str]:
    """A line for each account."""
    settings = records.current()
    return [line(row, settings) for row in records.run(settings, operator_accounts.index)]


def line(row: ListedAccount, settings: Settings) -> str:
    words = [f"{records.local(row.created_at, settings)}起"]
    if row.teacher:
        words.append(f"教{row.taught}个班")
    if row.attended or not row.teacher:
        words.append(f"在{row.attended}个班")
    if row.disabled_at:
        words.append("已停用")
    return f"{row.login}（{'，'.join(words)}）"


def disable(login: str) -> None:
    records.run(records.current(), operator_accounts.disable, login, records.now())


def enable(login: str) -> None:
    records.run(records.current(), operator_accounts.enable, login)


def reset(login: str) -> str:
    """The new password."""
    password = passwords.fresh()
    hashed = passwords.hashed(password)
    records.run(records.current(), operator_accounts.reset, login, hashed, records.now())
    return password
