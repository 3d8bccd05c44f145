"""这题有问题: the reports of learners, as lines to read."""

from app.cli import records
from app.records.items import problem_reports
from app.records.items.values import ProblemReportRow
from app.settings import Settings


def lines(settings: Settings) -> list[str]:
    """Every report, oldest first."""
    records.expect_database(settings)
    return [line(report, settings) for report in records.run(settings, problem_reports.index)]


def line(report: ProblemReportRow, settings: Settings) -> str:
    """One report: when (by the clock of the settings), about what, the words."""
    created_at = records.local(report.created_at, settings, "%Y-%m-%d %H:%M")
    words = " ".join(report.text.split())
    return f"#{report.id} {created_at} {report.item}（{report.page}）{words}"
