"""The memories of all flashcards made again from the log."""

from app.cli import records
from app.cli.words import PlainError
from app.course import Faults, load
from app.records.cards import rebuilding
from app.settings import Settings


def rebuild(settings: Settings, lost: bool = False) -> int:
    """How many memories were different; with `lost` also those that only the log has."""
    records.expect_database(settings)
    if not lost:
        return records.run(settings, rebuilding.rebuild_all)
    course = load(settings.content)
    if isinstance(course, Faults):
        raise PlainError(f"内容有错，先用 python -m app check 看看：{settings.content}")
    changed = records.run(settings, rebuilding.rebuild_all)
    return changed + records.run(
        settings, rebuilding.bring_back_all, lambda card: course.card_skill(course.bare(card))
    )
