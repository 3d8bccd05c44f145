"""Where items are asked, by the first part of the address that their forms post to."""

from collections.abc import Callable
from typing import NamedTuple

from app.course import Course
from app.records.learning.values import AttemptKey


class AnswerContext(NamedTuple):
    """A place where items are asked.

    `attempt_key_of`: which attempt answers to `/{address_part}/{name}/responses` belong to, with the seed of
    the page; None or NotFound where there is nothing of that name. `url_and_title_of`: address and title of
    the page that an attempt with this bare ref was made on; None where it was made in another context.
    """

    address_part: str
    attempt_key_of: Callable[[Course, str, int], AttemptKey | None]
    url_and_title_of: Callable[[Course, str], tuple[str, str] | None]
