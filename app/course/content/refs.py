"""Names under which the records keep what belongs to a course: `content:dcg-at-3`, `own-42:q1#3`.

Before the colon stands the prefix of a course: `content`, or `own-42` for what a teacher wrote; after `#` the
number of a question of an assignment. An attempt at an assignment belongs to no course: `assignment-7`;
`assignment-7-gone-31` is attempt 31 at one that was deleted, whose number 7 was given again once.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

MAIN_PREFIX = "content"
"""Of the course of the site."""
StepPlace = tuple[str | None, int]
"""A step of a section by its id, where it has one, and by the number that it had when somebody was there."""
_ITEM_NUMBER_PATTERN = re.compile(r"""(?<![\w-])q([0-9]{1,6})["']?\s*:""")


def prefix_of(content_ref: str) -> str:
    """The course that something lives in.

    >>> prefix_of("own-42:q1#4")
    'own-42'
    """
    return content_ref.partition(":")[0]


def item_ref_of(content_ref: str) -> str:
    """The item that an answer was given to, whichever question of an assignment it was.

    >>> item_ref_of("content:dcg-at-3#12"), item_ref_of("content:dcg-at-3")
    ('content:dcg-at-3', 'content:dcg-at-3')
    """
    return content_ref.partition("#")[0]


def highest_item_number(content_text: str) -> int:
    """The highest `n` of the questions `qn` in a text of own content, 0 where there is none; also of a text
    that cannot be read as YAML. What only looks like one makes it greater, which does no harm.

    >>> highest_item_number("items:\\n  q2: {stem: 甲}\\n  'q11':\\n    stem: 乙")
    11
    """
    return max(map(int, _ITEM_NUMBER_PATTERN.findall(content_text)), default=0)


@lru_cache(65_536)
def bare_id(content_ref: str, course_prefix: str) -> str:
    """The id of an item inside its course; an id of another course keeps its prefix.

    A history names the same hundreds of items on every page.

    >>> bare_id("content:dcg-at-3#12", "content"), bare_id("own-42:q1", "content")
    ('dcg-at-3', 'own-42:q1')
    """
    return item_ref_of(content_ref).removeprefix(f"{course_prefix}:")


def question_number_of(content_ref: str) -> int | None:
    """The number of a question, from 1; None for an item by itself.

    >>> question_number_of("content:dcg-at-3#12"), question_number_of("content:dcg-at-3")
    (12, None)
    """
    question_number_text = content_ref.partition("#")[2]
    if re.fullmatch("[0-9]{1,6}", question_number_text):
        return int(question_number_text)
    return None


def assignment_id_of(attempt_ref: str) -> int | None:
    """The assignment that an attempt was made at; None for other attempts, and once the assignment is gone.

    >>> assignment_id_of("assignment-7"), assignment_id_of("assignment-7-gone-31")
    (7, None)
    """
    ref_match = re.fullmatch("assignment-([0-9]{1,15})", attempt_ref)
    if ref_match:
        return int(ref_match[1])
    return None


def is_practice_item_id(item_id: str) -> bool:
    """Whether an item, bare or as the records name it, is one of the practice pages: another one follows.

    >>> is_practice_item_id("content:practice-dcg-2"), is_practice_item_id("content:dcg-guided")
    (True, False)
    """
    return item_id.rpartition(":")[2].startswith("practice-")


def is_practice_attempt(attempt_ref: str) -> bool:
    """Whether an attempt is at a variant of an exercise, or at an item on a page of its own.

    >>> is_practice_attempt("content:practice-dcg-2-4821"), is_practice_attempt("content:placement")
    (True, False)
    """
    return attempt_ref.rpartition(":")[2].startswith(("practice-", "item-"))


def own_prefix(own_content_id: int) -> str:
    """What stands before the ids of own content.

    >>> own_prefix(42)
    'own-42'
    """
    return f"own-{own_content_id}"


def own_content_id_of(content_ref: str) -> int | None:
    """The own content that a ref (or a prefix) belongs to; None for one of the course.

    >>> own_content_id_of("own-42:q1"), own_content_id_of("own-42"), own_content_id_of("content:dcg-at-3")
    (42, 42, None)
    """
    ref_match = re.match(r"own-([0-9]{1,15})(?::|$)", content_ref)
    if ref_match:
        return int(ref_match[1])
    return None


def with_twins(items: Iterable[str], item_by_twin: Mapping[str, str]) -> set[str]:
    """These items, with their twins and with what they are the twin of; all by id, or all by ref. A twin says
    what the other asks in other words, and its solution too: where one is closed, so is the other.

    >>> sorted(with_twins(["b"], {"b": "a", "d": "c"}))
    ['a', 'b']
    """
    items_with_twins = set(items)
    for twin, item in item_by_twin.items():
        if not items_with_twins.isdisjoint((twin, item)):
            items_with_twins.update((twin, item))
    return items_with_twins
