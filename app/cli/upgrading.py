"""At the start the tables are brought up to this version of the program, and it is said what was done."""

from app.cli.words import SayLine
from app.records.db import revision
from app.records.db.migrate import migrate
from app.records.db.postgres.address import needing_driver
from app.records.db.sqlite.file_revision import file_revision
from app.settings import Settings


def upgrade_database(settings: Settings, say_line: SayLine) -> None:
    """Bring the tables up to this version; what is said before, after, and of the way back. Nothing without
    need."""
    former_revision = revision_of_database(settings)
    if former_revision is not None and former_revision < revision.HEAD:
        backup_words = "" if settings.is_on_server else "，先做一份备份"
        say_line(
            f"正在把数据库从{former_revision}升级到{revision.HEAD}{backup_words}……"
            "别关它；断了也不要紧，再启动一次。"
        )
    migration_result = migrate(settings.database_url, settings.data)
    if migration_result.former_revision in {None, migration_result.revision}:
        return
    say_line(f"✓ 数据库升级到{migration_result.revision}了。")
    if migration_result.backup:
        say_line(
            f"  升级以前的备份：{migration_result.backup}。要退回旧版本就用它，见docs/operating.md的“退回”。"
        )


def revision_of_database(settings: Settings) -> str | None:
    """The revision of the database, wherever it is; None where there is none yet."""
    if not settings.is_on_server:
        return file_revision(settings.database_path)
    with needing_driver():
        from app.records.db.postgres.server_revision import server_revision
    return server_revision(settings.database_url)
