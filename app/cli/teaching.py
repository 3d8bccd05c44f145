"""The commands `python -m app teacher …`. What they do is in `app.cli.teachers`, imported when one runs."""

from typing import Annotated

import typer

from app.cli.words import plain_words

commands = typer.Typer(help="老师：邀请、列出、停用、恢复、重设密码。", no_args_is_help=True)
Login = Annotated[str, typer.Argument(metavar="名字", help="老师登录用的名字")]


@commands.command()
def invite() -> None:
    """做一个邀请链接：能让一个人当老师，七天有效。"""
    from app.cli import teachers

    with plain_words():
        typer.echo("\n".join(teachers.invite()))


@commands.command("list")
def every() -> None:
    """列出所有老师：名字、哪天来的、有几个班。"""
    from app.cli import teachers

    with plain_words():
        typer.echo("\n".join(teachers.every() or ["还没有老师。邀请一位：python -m app teacher invite"]))


@commands.command()
def disable(login: Login) -> None:
    """停用一位老师：马上退出所有设备，再也登录不了；班级和记录都留着。"""
    from app.cli import teachers

    with plain_words():
        teachers.disable(login)
    typer.echo(f"✓ {login}停用了。恢复：python -m app teacher enable {login}")


@commands.command()
def enable(login: Login) -> None:
    """恢复一位停用的老师。"""
    from app.cli import teachers

    with plain_words():
        teachers.enable(login)
    typer.echo(f"✓ {login}又可以登录了。")


@commands.command()
def reset(login: Login) -> None:
    """给一位老师换个新密码，打印出来；登录着的设备都退出。"""
    from app.cli import teachers

    with plain_words():
        password = teachers.reset(login)
    typer.echo(f"✓ {login}的新密码：{password}\n登录以后，到“我的”里换成自己的。")
