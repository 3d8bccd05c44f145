"""今天这一局: the play that everybody finds on a day, so that a class can compare. Its seed is the date."""

from datetime import date

DATE_DIGITS = 8
FIRST_YEAR = 2000
FIRST_SEED_BEYOND_DATES: int = 10**DATE_DIGITS
"""From here on no seed is a date."""


def seed_of_day(day: date) -> int:
    """The seed that a day's play has in every game.

    >>> seed_of_day(date(2026, 11, 23))
    20261123
    """
    return int(f"{day:%Y%m%d}")


def day_of_seed(seed: int) -> date | None:
    """The day whose play has this seed; None for a seed that is no date.

    >>> day_of_seed(20261123)
    datetime.date(2026, 11, 23)
    >>> day_of_seed(20261199) is None and day_of_seed(7) is None
    True
    """
    seed_text = str(seed)
    if len(seed_text) != DATE_DIGITS or seed < seed_of_day(date(FIRST_YEAR, 1, 1)):
        return None
    try:
        return date.fromisoformat(seed_text)
    except ValueError:
        return None
