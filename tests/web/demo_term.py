"""The demonstration term, at a moment of it."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from app.course import Course
from app.demo import term
from app.demo.people import STUDENTS
from app.records.authoring.picture_files import picture_folder_in
from app.records.db.database import open_database
from app.settings import Settings
from tests.web.cast import settings_at

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


FEW = [one for one in STUDENTS if one.name in ("周雨桐", "赵梓涵", "罗一鸣", "蒋文博")]


def filled(folder: Path, course: Course) -> Settings:
    """A term of a few pupils."""
    settings = settings_at(folder)
    pictures = picture_folder_in(settings.data)
    database = open_database(settings.database_url, thread_count=1)

    async def written() -> None:
        try:
            await database.write(term.write_term, course, NOW, ZoneInfo("Asia/Shanghai"), pictures, FEW)
        finally:
            await database.close()

    asyncio.run(written())
    return settings
