"""The commands `python -m app account …` and `… teacher …`; what they do is imported when one runs."""

from typing import Annotated

import typer

from app.cli.words import plain_errors
from app.records.db.operator_commands import COMMAND

account_commands = typer.Typer(help="账号（老师和同学）：列出、停用、恢复、重设密码。", no_args_is_help=True)
teacher_commands = typer.Typer(help="老师：邀请、列出。", no_args_is_help=True)
LoginArgument = Annotated[str, typer.Argument(metavar="名字", help="登录用的名字")]


@account_commands.command("list")
def list_accounts() -> None:
    """列出所有账号：名字、哪天来的、在几个班。"""
    from app.cli import accounts

    with plain_errors(is_saving=False):
        typer.echo("\n".join(accounts.account_lines() or ["还没有账号。"]))


@account_commands.command()
def disable(login: LoginArgument) -> None:
    """停用一个账号：马上退出所有设备，再也登录不了；记录都留着。"""
    from app.cli import accounts

    with plain_errors():
        accounts.disable(login)
    typer.echo(f"✓ {login}停用了。恢复：{COMMAND} account enable {login}")


@account_commands.command()
def enable(login: LoginArgument) -> None:
    """恢复一个停用的账号。"""
    from app.cli import accounts

    with plain_errors():
        accounts.enable(login)
    typer.echo(f"✓ {login}又可以登录了。")


@account_commands.command()
def reset(login: LoginArgument) -> None:
    """给一个账号换个新密码，打印出来；登录着的设备都退出。"""
    from app.cli import accounts

    with plain_errors():
        new_password = accounts.reset_password(login)
    typer.echo(f"✓ {login}的新密码：{new_password}\n登录以后，到“我的”里换成自己的。")


@teacher_commands.command()
def invite() -> None:
    """做一个邀请链接：能让一个人当老师，七天有效。"""
    from app.cli import accounts

    with plain_errors():
        typer.echo("\n".join(accounts.invite_teacher()))


@teacher_commands.command("list")
def list_teachers() -> None:
    """列出所有老师：名字、哪天来的、有几个班。"""
    from app.cli import accounts

    with plain_errors(is_saving=False):
        teacher_lines = accounts.teacher_lines() or [f"还没有老师。邀请一位：{COMMAND} teacher invite"]
        typer.echo("\n".join(teacher_lines))
