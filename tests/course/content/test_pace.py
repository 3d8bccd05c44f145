"""How long a beginner takes from the home page to a whole NDCG of their own."""

from tests.course.content.reading_pace import (
    COURSE,
    MOST_MINUTES,
    READ_A_MINUTE,
    characters_of,
    number_of_whole_ndcg,
    seconds_of,
)


def test_a_newcomer_computes_a_whole_ndcg_within_twenty_minutes() -> None:
    """From a list of grades to the ratio, nothing given but the discounts."""
    until_own = COURSE.steps[: number_of_whole_ndcg()]
    characters = sum(map(characters_of, until_own))
    seconds = sum(map(seconds_of, until_own)) + characters / READ_A_MINUTE * 60
    assert len(until_own) <= 30
    assert characters <= 2600, characters
    assert seconds <= MOST_MINUTES * 60, seconds / 60
