"""Accounts as the operator helps them: lists, who may come in, a new password, invitations of teachers."""

from collections.abc import Iterable

from app.cli import records
from app.cli.addresses import addresses
from app.cli.words import visible
from app.records.accounts import passwords
from app.records.people import operator_accounts, teachers
from app.records.people.operator_accounts import ListedAccount
from app.settings import Settings

FIRST_TEACHER = "还没有老师。做一个邀请链接：python -m app teacher invite（这里不是终端，不把链接印进日志）"


def index() -> list[str]:
    """A line for each account."""
    settings = records.current()
    return [line(row, settings) for row in records.read(settings, operator_accounts.index)]


def line(row: ListedAccount, settings: Settings) -> str:
    words = [f"{records.local(row.created_at, settings)}起"]
    if row.teacher:
        words.append(f"教{row.taught_count}个班")
    if row.attended_count or not row.teacher:
        words.append(f"在{row.attended_count}个班")
    if row.disabled_at:
        words.append("已停用")
    return visible(f"{row.login}（{'，'.join(words)}）")


def disable(login: str) -> None:
    settings = records.current()
    records.write(settings, operator_accounts.disable, login, records.now())
    note(settings, "account-disabled", login)


def enable(login: str) -> None:
    settings = records.current()
    records.write(settings, operator_accounts.enable, login)
    note(settings, "account-enabled", login)


def reset(login: str) -> str:
    """The new password."""
    password = passwords.fresh_password()
    password_hash = passwords.hash_password(password)
    settings = records.current()
    records.write(settings, operator_accounts.reset_password, login, password_hash, records.now())
    note(settings, "password-reset", login)
    return password


def note(settings: Settings, event: str, login: str = "") -> None:
    """One line in the security log, of what the operator did to an account."""
    records.note(settings, event, name=login, by="operator")


def invite() -> list[str]:
    """A new invitation, at every address that can be known without serving."""
    settings = records.current()
    token = records.write(settings, teachers.invite, records.now())
    note(settings, "invitation-made")
    sites = addresses(settings, "0.0.0.0", 8000)  # noqa: S104  (not bound: every address, to be printed)
    return ["✓ 邀请链接，能用一次，七天有效（端口换过就改成自己的）：", *links(sites, token)]


def first_invitation(settings: Settings, sites: Iterable[str], printed: bool) -> list[str]:
    """What a first start says to who opens an empty site; nothing later on.

    The link makes a teacher of whoever has it: where the output is kept in a log, it is not `printed`.
    """
    if not printed:
        is_first = records.read(settings, teachers.has_no_teacher)
        return [FIRST_TEACHER] if is_first else []
    token = records.write(settings, teachers.first_invitation, records.now())
    if token is None:
        return []
    return ["第一次来：谁当老师，谁就打开这个链接（能用一次，七天有效）：", *links(sites, token)]


def links(sites: Iterable[str], token: str) -> list[str]:
    return [f"  {site}/invitations/{token}" for site in sites]


def list_teachers() -> list[str]:
    """A line for each teacher."""
    settings = records.current()
    return [teacher_line(row, settings) for row in records.read(settings, operator_accounts.teachers)]


def teacher_line(row: ListedAccount, settings: Settings) -> str:
    stopped_note = "，已停用" if row.disabled_at else ""
    return visible(
        f"{row.login}（{records.local(row.created_at, settings)}起，{row.taught_count}个班{stopped_note}）"
    )
