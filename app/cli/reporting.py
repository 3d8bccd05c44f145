"""这题有问题: the reports of learners, as lines to read."""

import asyncio
from datetime import tzinfo
from zoneinfo import ZoneInfo

from app.cli.words import PlainError
from app.records.db.database import open_database
from app.records.items import problem_reports
from app.records.items.values import ProblemReportRow
from app.settings import Settings


def lines(settings: Settings) -> list[str]:
    """Every report, oldest first; a look at the records must not create an empty database in passing."""
    if not settings.database_path.exists():
        raise PlainError(f"还没有数据库：{settings.database_path} 不存在，第一次 make run 会建好它。")
    return [
        line(report, ZoneInfo(settings.time_zone)) for report in asyncio.run(index(settings.database_url))
    ]


async def index(database_url: str) -> tuple[ProblemReportRow, ...]:
    """Read them, and leave the database closed."""
    database = open_database(database_url, threads=1)
    try:
        return await database.read(problem_reports.index)
    finally:
        await database.close()


def line(report: ProblemReportRow, zone: tzinfo) -> str:
    """One report: when (in the zone of the settings), about what, the words."""
    when = report.created_at.astimezone(zone).strftime("%Y-%m-%d %H:%M")
    words = " ".join(report.text.split())
    return f"#{report.id} {when} {report.item}（{report.page}）{words}"
