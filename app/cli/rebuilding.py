"""The memories of all flashcards made again from the log."""

import asyncio

from app.cli.words import PlainError
from app.records import decks
from app.records.database import open_database
from app.settings import Settings


def rebuild(settings: Settings) -> int:
    """How many memories were different."""
    if not settings.database_path.exists():
        raise PlainError(f"还没有数据库：{settings.database_path} 不存在，第一次 make run 会建好它。")
    return asyncio.run(rebuild_all(settings.database_url))


async def rebuild_all(database_url: str) -> int:
    """Write them, and leave the database closed."""
    database = open_database(database_url, threads=1)
    try:
        return await database.write(decks.rebuild_all)
    finally:
        await database.close()
