"""How long a beginner takes from the home page to a whole NDCG of their own."""

from app.course.content.model import Section
from tests.course.content.reading_pace import (
    COURSE,
    MOST_MINUTES,
    READ_A_MINUTE,
    characters_of,
    number_of_whole_ndcg,
    seconds_of,
)
from tests.tables import each

MOST_MINUTES_OVER = 1.1
"""So much longer than it says may a section take a beginner; seven in eight keep within half a minute."""
SECTIONS = [section for stage in COURSE.stages for section in stage.lesson_sections]


def test_a_newcomer_computes_a_whole_ndcg_within_twenty_minutes() -> None:
    """From a list of grades to the ratio, nothing given but the discounts."""
    until_own = COURSE.steps[: number_of_whole_ndcg()]
    characters = sum(map(characters_of, until_own))
    seconds = sum(map(seconds_of, until_own)) + characters / READ_A_MINUTE * 60
    assert len(until_own) <= 30
    assert characters <= 2600, characters
    assert seconds <= MOST_MINUTES * 60, seconds / 60


@each("section", SECTIONS)
def test_a_section_takes_hardly_longer_than_it_says(section: Section) -> None:
    assert minutes_of(section) <= section.minutes + MOST_MINUTES_OVER


def test_most_sections_keep_their_promise() -> None:
    late_section_ids = [section.id for section in SECTIONS if minutes_of(section) > section.minutes + 0.5]
    assert len(late_section_ids) <= len(SECTIONS) / 8, late_section_ids


def minutes_of(section: Section) -> float:
    """How long a beginner takes; labs, games and exercises in Python aside, which nobody has to finish."""
    reading_minutes = sum(map(characters_of, section.steps)) / READ_A_MINUTE
    return reading_minutes + sum(map(seconds_of, section.steps)) / 60
