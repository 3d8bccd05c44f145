"""The memories of all flashcards made again from the log."""

import asyncio

from app.cli.words import PlainError
from app.course import Faults, load
from app.records.cards import rebuilding
from app.records.cards.rebuilding import FamilyOf
from app.records.db.database import open_database
from app.settings import Settings


def rebuild(settings: Settings, lost: bool = False) -> int:
    """How many memories were different; with `lost` also those that only the log has."""
    if not settings.database_path.exists():
        raise PlainError(f"还没有数据库：{settings.database_path} 不存在，第一次 make run 会建好它。")
    return asyncio.run(rebuild_all(settings.database_url, families(settings) if lost else None))


def families(settings: Settings) -> FamilyOf:
    """What the course says of its cards."""
    found = load(settings.content)
    if isinstance(found, Faults):
        raise PlainError(f"内容有错，先用 python -m app check 看看：{settings.content}")
    return lambda card: found.card_skill(found.bare(card))


async def rebuild_all(database_url: str, family_of: FamilyOf | None) -> int:
    """Write them, and leave the database closed."""
    database = open_database(database_url, threads=1)
    try:
        changed = await database.write(rebuilding.rebuild_all)
        return changed + (await database.write(rebuilding.bring_back_all, family_of) if family_of else 0)
    finally:
        await database.close()
