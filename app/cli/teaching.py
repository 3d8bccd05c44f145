"""The commands `python -m app teacher …`. What they do is in `app.cli.teachers`, imported when one runs."""

import typer

from app.cli.words import plain_words

commands = typer.Typer(help="老师：邀请、列出。", no_args_is_help=True)


@commands.command()
def invite() -> None:
    """做一个邀请链接：能让一个人当老师，七天有效。"""
    from app.cli import teachers

    with plain_words():
        typer.echo("\n".join(teachers.invite()))


@commands.command("list")
def index() -> None:
    """列出所有老师：名字、哪天来的、有几个班。"""
    from app.cli import teachers

    with plain_words():
        typer.echo("\n".join(teachers.index() or ["还没有老师。邀请一位：python -m app teacher invite"]))
