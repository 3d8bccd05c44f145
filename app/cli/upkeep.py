"""What is kept, for operators: backups, the memories of all flashcards made again, the reports 这题有问题."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from app.cli import records, words
from app.cli.words import PlainError
from app.course import Faults, load_course
from app.records.authoring import picture_files
from app.records.cards import rebuilding
from app.records.db.operator_commands import COMMAND, START_COMMAND
from app.records.db.session import VerbSession
from app.records.db.sqlite import backup, soundness
from app.records.db.sqlite.restore import restore
from app.records.db.sqlite.soundness import DatabaseContents
from app.records.db.stored_times import time_of
from app.records.items import problem_reports
from app.records.items.problem_reports import ProblemReportRow
from app.records.people import sums
from app.settings import Settings


def rebuild_memories(settings: Settings, with_lost_memories: bool) -> int:
    """How many memories were different; with `with_lost_memories` also those that only the log has.

    One learner after the other: nobody waits for all of them.
    """
    records.expect_database(settings)
    learner_ids = records.read(settings, sums.learner_ids_with_sums)
    if not with_lost_memories:
        return sum(records.write_each(settings, rebuilding.rebuild_memories, learner_ids))
    course = load_course(settings.content)
    if isinstance(course, Faults):
        raise PlainError(f"内容有错，先用 {COMMAND} check 看看：{settings.content}")

    def rebuild_and_bring_back(session: VerbSession, learner_id: int) -> int:
        changed_count = rebuilding.rebuild_memories(session, learner_id)
        return changed_count + rebuilding.bring_back_cards(
            session, learner_id, lambda card: course.skill_id_of_card(course.bare_id(card))
        )

    return sum(records.write_each(settings, rebuild_and_bring_back, learner_ids))


def rebuild_sums(settings: Settings) -> int:
    """How many learners had other sums than the log. One after the other: nobody waits for all of them."""
    records.expect_database(settings)
    learner_ids = records.read(settings, sums.learner_ids_with_sums)
    return sum(records.write_each(settings, sums.rebuild_sums, learner_ids))


def report_lines(settings: Settings) -> list[str]:
    """Every report, oldest first."""
    records.expect_database(settings)
    return [
        report_line(report_row, settings)
        for report_row in records.read(settings, problem_reports.all_reports)
    ]


def report_line(report_row: ProblemReportRow, settings: Settings) -> str:
    """One report: when (by the clock of the settings), about what, the words."""
    created_at_text = records.local_time_text(report_row.created_at, settings, "%Y-%m-%d %H:%M")
    return words.printable_line(
        f"#{report_row.id} {created_at_text} {report_row.item_ref}（{report_row.page}）{report_row.text}"
    )


def check_database_at_start(settings: Settings) -> list[str]:
    """Refuse a damaged database before it is served; a line when it was too large to look through."""
    if settings.is_on_server or not settings.check_at_start or not settings.database_path.exists():
        return []
    if soundness.check_at_start(settings.database_path):
        return []
    return [f"  （数据库很大，启动时没有逐页检查；有空时跑 {COMMAND} backup，备份前后都会检查。）"]


def back_up(settings: Settings, backup_file: Path | None) -> list[str]:
    """Make a backup, with the pictures beside it: all backups of a folder share one copy of each. What to say
    of it, in lines."""
    written_backup_file = backup.backup(settings.database_url, backup_file, settings.data)
    picture_folder = picture_files.picture_folder_in(written_backup_file.parent)
    copied_picture_count = picture_files.copy_missing_pictures(
        picture_files.picture_folder_in(settings.data), picture_folder
    )
    backup_lines = [f"✓ 已备份到 {written_backup_file}"]
    if copied_picture_count:
        backup_lines.append(
            f"  新的{copied_picture_count}张图在 {picture_folder}：抄走备份的时候，连它一起抄。"
        )
    return backup_lines


def backup_report(settings: Settings, backup_file: Path) -> list[str]:
    """Look a backup through; what is in it, in lines, where it is sound."""
    database_contents = soundness.inspect_backup(backup_file)
    return [f"✓ {backup_file} 是完好的。", *contents_lines(settings, database_contents)]


def restore_backup(settings: Settings, backup_file: Path) -> Iterator[str]:
    """Put a backup in the place of the database; what is where now, line by line: the records are back, and
    that is said and logged, before a picture can fail to come back."""
    restore_result = restore(settings.database_url, backup_file)
    former_file_name = restore_result.former_file.name if restore_result.former_file else ""
    records.log_event(settings, "restored", backup=backup_file.name, former=former_file_name, by="operator")
    yield f"✓ 已经恢复到 {restore_result.file}。"
    yield from contents_lines(settings, restore_result.backup_contents)
    if restore_result.former_file:
        yield (
            f"原来的数据库没有删，在 {restore_result.former_file}；要反悔，就用它再restore一次，"
            f"只有它用到的图再留{picture_files.KEPT_UNUSED_FOR.days}天。"
        )
    backup_picture_folder = picture_files.picture_folder_in(backup_file.parent)
    picture_folder = picture_files.picture_folder_in(settings.data)
    try:
        picture_files.let_pictures_wait_anew(picture_folder)
        picture_count = picture_files.copy_missing_pictures(backup_picture_folder, picture_folder)
    except OSError as error:
        cause_sentence = words.operator_sentence(error) or f"{error}。"
        raise PlainError(
            f"记录已经恢复好，图没有抄全：{cause_sentence}再把{backup_picture_folder}抄到{picture_folder}，已有的不用覆盖。"
        ) from error
    if picture_count:
        yield f"找回了{picture_count}张图，在 {picture_folder}。"
    yield f"备份 {backup_file} 还在原处。启动网站（{START_COMMAND}），旧版本会自动升级。"


def contents_lines(settings: Settings, database_contents: DatabaseContents) -> Iterator[str]:
    row_count_words = "，".join(
        f"{table_word} {row_count}"
        for table_word, row_count in database_contents.row_count_by_table_word.items()
    )
    yield f"  版本 {database_contents.revision}：{row_count_words}"
    if database_contents.last_response_at:
        last_response_at: datetime = time_of(database_contents.last_response_at)
        yield f"  最后一个回答：{records.local_time_text(last_response_at, settings, '%Y-%m-%d %H:%M')}"
