"""The commands: `python -m app serve`, `check`, `settings`, `backup`, `reports` and others: see `--help`.

Heavy modules are imported inside the commands, so that `--help` answers at once.
"""

import gc
import json
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

try:
    import typer
except ModuleNotFoundError:  # the system's Python was called, which has none of the packages
    sys.exit(
        "✗ 这个Python里没有糖序要的包。在糖序的文件夹里，把python换成 .venv/bin/python"
        "（Windows：.venv\\Scripts\\python）再来一次；还没有 .venv 的，先 make run 一次。"
    )

from app.cli import account_commands, words
from app.cli.words import plain_errors
from app.records.db.operator_commands import COMMAND

if TYPE_CHECKING:
    from fastapi import FastAPI

    from app.settings import Settings


commands = typer.Typer(
    help="糖序：越甜越靠前。",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
commands.add_typer(account_commands.teacher_commands, name="teacher")
commands.add_typer(account_commands.account_commands, name="account")


def main() -> None:
    """Run one command; a character that the terminal cannot show becomes a question mark, not a crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    commands(prog_name=COMMAND)


@commands.command()
def serve(
    host: Annotated[str, typer.Option(help="监听的地址；0.0.0.0 让同一网络里的设备也能访问")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="监听的端口；0 是随便一个空的", min=0, max=65535)] = 8000,
    *,
    reload: Annotated[bool, typer.Option("--reload", help="开发用：代码和内容改了就更新")] = False,
    workers: Annotated[
        int | None, typer.Option(help="几个进程一起服务；不写就看 TANGXU_WORKERS", min=1, max=64)
    ] = None,
) -> None:
    """打开网站。"""
    gc.disable()  # what is loaded now stays; the site turns it on again when it serves
    from app import settings
    from app.cli import addresses, serving

    with plain_errors(is_saving=False):
        settings_of_site = settings.load()
        if workers:
            settings_of_site = settings_of_site.model_copy(update={"workers": workers})
        with addresses.bound_listener(host, port) as listener:
            web_app = ready_web_app(settings_of_site)
            greeting = serving.greeting_for(
                settings_of_site, listener, serving.first_teacher_lines_for(settings_of_site, listener)
            )
            if reload:
                serving.serve_reloading(listener, greeting)
            elif settings_of_site.workers > 1:
                from app.cli.workers import serve_together

                serve_together(settings_of_site, listener, greeting)
            else:
                serving.serve(web_app, listener, greeting)
    typer.echo("\n糖序打烊了，学习记录都已保存。下次见！")


@commands.command()
def demo(
    host: Annotated[str, typer.Option(help="监听的地址")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="监听的端口；0 是随便一个空的", min=0, max=65535)] = 8000,
) -> None:
    """编一个学期给你看：两位老师、36位同学、六周的记录，放在单独的数据库里，每次重编。"""
    from datetime import UTC, datetime

    from app import settings
    from app.cli import addresses, serving
    from app.demo import opening

    with plain_errors(is_saving=False):
        settings_of_demo = opening.demo_settings(settings.load())
        with (
            opening.sole_demonstration(settings_of_demo),
            addresses.bound_listener(host, port) as listener,
        ):
            typer.echo("正在编一个学期，大约十秒……")
            opening.delete_demonstration(settings_of_demo)
            web_app = ready_web_app(settings_of_demo)
            opening.write_demonstration(settings_of_demo, web_app.state.site.course, datetime.now(UTC))
            serving.serve(
                web_app, listener, serving.greeting_for(settings_of_demo, listener, opening.sign_in_lines())
            )


@commands.command()
def check() -> None:
    """检查课程内容，一次列出所有问题。"""
    from app import course, settings

    with plain_errors(is_saving=False):
        content_folder = settings.load().content
        course_or_faults = course.load_course(content_folder)
        if isinstance(course_or_faults, course.Faults):
            raise course_or_faults
        all_fault_words = [
            *course.proof_fault_words(course_or_faults),
            *course.coverage_warnings(course_or_faults),
        ]
        if all_fault_words:
            raise course.Faults(
                course.Fault(content_folder.name, 0, "", fault_words) for fault_words in all_fault_words
            )
    typer.echo(f"✓ 内容没有问题：{content_folder}")


@commands.command("settings")
def list_settings() -> None:
    """列出所有设置：名字、现在的值、用处。"""
    from app import settings

    with plain_errors(is_saving=False):
        setting_rows = settings.settings_rows(settings.load())
    for setting_name, setting_text, description in setting_rows:
        typer.echo(f"{setting_name}={setting_text}\n    {description}")


@commands.command("backup")
def back_up(
    target: Annotated[
        Path | None, typer.Argument(readable=False, help="备份到哪个文件；不写就放进数据文件夹")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="文件", readable=False, help="不备份，只检查这一个：完好吗，有什么"),
    ] = None,
) -> None:
    """备份学习记录，备份前后都检查；网站开着也可以。"""
    from app import settings
    from app.cli import upkeep

    with plain_errors():
        settings_of_site = settings.load()
        if check:
            typer.echo("\n".join(upkeep.backup_report(settings_of_site, check)))
            return
        typer.echo("\n".join(upkeep.back_up(settings_of_site, target)))


@commands.command()
def restore(
    copy: Annotated[
        Path,
        typer.Argument(metavar="备份", readable=False, help="用哪个备份，例如 data/backups/tangxu-….db"),
    ],
) -> None:
    """用备份恢复学习记录：先停下网站；现在的数据库改名留着。"""
    from app import settings
    from app.cli import upkeep

    with plain_errors():
        for line in upkeep.restore_backup(settings.load(), copy):
            typer.echo(line)


@commands.command()
def move(
    source: Annotated[str, typer.Argument(metavar="从", help="现在的数据库：文件，或 postgresql://… 地址")],
    target: Annotated[str, typer.Argument(metavar="到", help="要搬去的、空的数据库；文件不用先建")],
) -> None:
    """把整个网站的记录搬到另一个数据库（SQLite 文件和 PostgreSQL 之间，来回都行）：先停下网站。"""
    from app import settings
    from app.cli import moving

    with plain_errors():
        typer.echo(moving.move_records(settings.load(), source, target, typer.echo))


@commands.command()
def rebuild(
    lost: Annotated[
        bool, typer.Option("--lost", help="只剩复习记录的卡片也放回去；自己拿掉的、停着的分不出来，也会回来")
    ] = False,
) -> None:
    """按学习记录重算每张闪卡的记忆和每个人的汇总；网站开着也可以。"""
    from app import settings
    from app.cli import upkeep

    with plain_errors():
        changed_count = upkeep.rebuild_memories(settings.load(), lost)
        changed_learner_count = upkeep.rebuild_sums(settings.load())
    typer.echo(f"✓ 重算好了，{changed_count}张和原来不一样。")
    typer.echo(f"✓ 学习记录的汇总也重算好了，{changed_learner_count}个人的和原来不一样。")


@commands.command()
def doctor() -> None:
    """看看一切好不好：数据库、备份、磁盘、设置，每样一句话、该怎么办；有大事退出码是1。"""
    from datetime import UTC, datetime

    from app import settings
    from app.cli import doctor as examination

    with plain_errors(is_saving=False):
        findings = list(examination.findings(settings.load(), datetime.now(UTC)))
    typer.echo("\n".join([finding.printed_line() for finding in findings]))
    typer.echo(examination.first_advice_sentence(findings))
    if any(finding.is_grave for finding in findings):
        raise typer.Exit(1)


@commands.command("reports")
def list_reports() -> None:
    """列出学习者报告的问题，先来的在前。"""
    from app import settings
    from app.cli import upkeep

    with plain_errors(is_saving=False):
        report_lines = upkeep.report_lines(settings.load())
    typer.echo("\n".join(report_lines or ["还没有人报告问题。"]))


@commands.command()
def schema() -> None:
    """打印课程内容的 JSON Schema，给编辑器用。"""
    from app import course

    typer.echo(json.dumps(course.schema_by_file(), ensure_ascii=False, indent=2))


def ready_web_app(settings: "Settings") -> "FastAPI":
    """The site with good content and tables that are up to date; only then can it be served."""
    from app.cli import upgrading, upkeep
    from app.main import create_app
    from app.records.db.sqlite.file_access import expect_accessible_file

    web_app = create_app(settings)
    settings.make_folders()
    words.require_space(settings.data)
    if not settings.is_on_server:
        expect_accessible_file(settings.database_path)
    for line in upkeep.check_database_at_start(settings):
        typer.echo(line)
    upgrading.upgrade_database(settings, typer.echo)
    return web_app


if __name__ == "__main__":
    main()
