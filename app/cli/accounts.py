"""Accounts as the operator helps them: lists, who may come in, a new password, invitations of teachers."""

from collections.abc import Iterable

from app.cli import records
from app.cli.addresses import site_urls
from app.cli.words import printable_line
from app.records.accounts import passwords
from app.records.db.operator_commands import COMMAND
from app.records.people import operator_accounts, teachers
from app.records.people.operator_accounts import ListedAccount
from app.settings import Settings

NO_TEACHER_HINT = f"还没有老师。做一个邀请链接：{COMMAND} teacher invite（这里不是终端，不把链接印进日志）"


def account_lines() -> list[str]:
    """A line for each account."""
    settings = records.current_settings()
    return [
        account_line(listed_account, settings)
        for listed_account in records.read(settings, operator_accounts.all_accounts)
    ]


def account_line(listed_account: ListedAccount, settings: Settings) -> str:
    account_facts = [f"{records.local_time_text(listed_account.created_at, settings)}起"]
    if listed_account.is_teacher:
        account_facts.append(f"教{listed_account.taught_class_count}个班")
    if listed_account.attended_class_count or not listed_account.is_teacher:
        account_facts.append(f"在{listed_account.attended_class_count}个班")
    if listed_account.disabled_at:
        account_facts.append("已停用")
    return printable_line(f"{listed_account.login}（{'，'.join(account_facts)}）")


def disable(login: str) -> None:
    settings = records.current_settings()
    records.write(settings, operator_accounts.disable_account, login, records.now())
    log_account_event(settings, "account-disabled", login)


def enable(login: str) -> None:
    settings = records.current_settings()
    records.write(settings, operator_accounts.enable_account, login)
    log_account_event(settings, "account-enabled", login)


def reset_password(login: str) -> str:
    """The new password."""
    password = passwords.fresh_password()
    password_hash = passwords.hash_password(password)
    settings = records.current_settings()
    records.write(settings, operator_accounts.reset_password, login, password_hash, records.now())
    log_account_event(settings, "password-reset", login)
    return password


def log_account_event(settings: Settings, event_name: str, login: str = "") -> None:
    """One line in the security log, of what the operator did to an account."""
    records.log_event(settings, event_name, name=login, by="operator")


def invite_teacher() -> list[str]:
    """Make an invitation; what to print: its link at every address that can be known without serving."""
    settings = records.current_settings()
    invitation_token = records.write(settings, teachers.create_invitation_token, records.now())
    log_account_event(settings, "invitation-made")
    possible_site_urls = site_urls(settings, "0.0.0.0", 8000)  # noqa: S104  (not bound: every address, to be printed)
    return [
        "✓ 邀请链接，能用一次，七天有效（端口换过就改成自己的）：",
        *invitation_lines(possible_site_urls, invitation_token),
    ]


def first_teacher_lines(settings: Settings, site_urls: Iterable[str], may_print: bool) -> list[str]:
    """What a first start says to who opens an empty site; nothing later on.

    The link makes a teacher of whoever has it: where the output is kept in a log, `may_print` is False.
    """
    if not may_print:
        has_no_teacher = records.read(settings, teachers.has_no_teacher)
        return [NO_TEACHER_HINT] if has_no_teacher else []
    invitation_token = records.write(settings, teachers.invite_first_teacher, records.now())
    if invitation_token is None:
        return []
    return [
        "第一次来：谁当老师，谁就打开这个链接（能用一次，七天有效）：",
        *invitation_lines(site_urls, invitation_token),
    ]


def invitation_lines(site_urls: Iterable[str], invitation_token: str) -> list[str]:
    return [f"  {site_url}/invitations/{invitation_token}" for site_url in site_urls]


def teacher_lines() -> list[str]:
    """A line for each teacher."""
    settings = records.current_settings()
    return [
        teacher_line(listed_account, settings)
        for listed_account in records.read(settings, operator_accounts.load_teachers)
    ]


def teacher_line(listed_account: ListedAccount, settings: Settings) -> str:
    created_at_text = records.local_time_text(listed_account.created_at, settings)
    disabled_words = "，已停用" if listed_account.disabled_at else ""
    return printable_line(
        f"{listed_account.login}（{created_at_text}起，{listed_account.taught_class_count}个班{disabled_words}）"
    )
