"""At the start the tables are brought up to this version of the program, and it is said what was done."""

from collections.abc import Iterator

from app.records.db import revision
from app.records.db.migrate import migrate
from app.records.db.sqlite.file_revision import file_revision
from app.settings import Settings


def upgraded_lines(settings: Settings) -> Iterator[str]:
    """Upgrade the database while these lines are read: before, after, and the way back. None without need."""
    former_revision = None if settings.is_on_server else file_revision(settings.database_path)
    if former_revision is not None and former_revision < revision.HEAD:
        yield (
            f"正在把数据库从{former_revision}升级到{revision.HEAD}，先做一份备份……"
            "别关它；断了也不要紧，再启动一次。"
        )
    result = migrate(settings.database_url, settings.data)
    if result.former_revision in {None, result.revision}:
        return
    yield f"✓ 数据库升级到{result.revision}了。"
    if result.backup:
        yield f"  升级以前的备份：{result.backup}。要退回旧版本就用它，见docs/operating.md的“退回”。"
