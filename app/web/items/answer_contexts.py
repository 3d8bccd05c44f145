"""Where items are asked, by the first part of the address that their forms post to, and where answers go."""

from collections.abc import Callable
from typing import NamedTuple

from app.course import Course
from app.records.db.errors import NotFound
from app.records.learning.values import AttemptKey, AttemptRow

NO_SUCH_ATTEMPT_SENTENCE = "没有这道题，或者没有这一次作答。"
NO_SUCH_ITEM_SENTENCE = "没有这道题，也许它已经换掉了。"


class AnswerContext(NamedTuple):
    """A place where items are asked.

    `attempt_key_of`: which attempt answers to `/{address_part}/{name}/responses` belong to, with the seed of
    the page; NotFound where there is nothing of that name. `url_and_title_of`: address and title of
    the page that an attempt with this bare ref was made on; None where it was made in another context.
    """

    address_part: str
    attempt_key_of: Callable[[Course, str, int], AttemptKey]
    url_and_title_of: Callable[[Course, str], tuple[str, str] | None]


def known_item_id(course: Course, item_id: str) -> str:
    """The id of an item that a form or an address names; NotFound where there is none of that id."""
    if item_id not in course.items:
        raise NotFound(NO_SUCH_ITEM_SENTENCE)
    return item_id


def expect_address_of_attempt(_course: Course, _name: str, _seed: int) -> AttemptKey:
    """NotFound: what an assignment asks is answered at its attempt alone, `/attempts/{id}`."""
    raise NotFound(NO_SUCH_ATTEMPT_SENTENCE)


def answers_url_and_seed(attempt: AttemptRow | None, place_url: str, seed: int) -> tuple[str, int]:
    """Where answers to an item go, and its seed: those of the attempt, or while there is none those of the
    place that asks it."""
    if attempt is None:
        return place_url, seed
    return f"/attempts/{attempt.id}", attempt.seed
