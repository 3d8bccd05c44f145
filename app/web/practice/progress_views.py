"""What stands below a question of practice: what it earned, how far its point has come, and what is next."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course
from app.course.items.kinds import Generated
from app.course.items.state import asks_twin, state
from app.records.practice.values import PracticeData
from app.web.items.item_views import SOLVED, ItemState, another, breakable
from app.web.practice.skill_views import advice_view, view
from app.web.site.responses import markup
from app.web.site.site import Site


@dataclass(frozen=True)
class Pause:
    """After mere guesses: the calculation of the last question, its page, and the way on."""

    url: str
    onward: str
    stem: Markup
    worked: Sequence[Markup]


def shows_ahead(path: str) -> bool:
    """Whether a page shows what is ahead: a variant, or an item with a seed.

    >>> shows_ahead("/practice/dcg?level=1&seed=7#item"), shows_ahead("/items/noodles")
    (True, False)
    """
    return path.startswith("/practice/") or (path.startswith("/items/") and "?seed=" in path)


def ahead(site: Site, look: PracticeData, asked: ItemState, oob: bool = False) -> Markup:
    """The score, the knowledge point of this item, and the recommendation.

    A variant that was answered leads on by itself; before, another one can be had for it.
    """
    course, item, answers = site.course, site.course.items[asked.item], asked.of(asked.item)
    counted, at = course.counted.get(item.id), state(item, answers)
    return site.render(
        "practice/_ahead.html",
        score=look.score,
        point=view(course, look.standings[counted.point]) if counted else None,
        swap=None if answers else another(course, item.id, at),
        leads_on=isinstance(item, Generated),
        solved=at in SOLVED,
        over=is_over(course, asked),
        advice=advice_view(look.advice),
        oob=oob,
    )


def is_over(course: Course, asked: ItemState) -> bool:
    """Whether nothing is left to answer: neither the item nor its twin."""
    item = course.items[asked.item]
    at = state(item, asked.of(item.id))
    if item.twin and asks_twin(item, at):
        return state(course.items[item.twin], asked.of(item.twin)) != "open"
    return at != "open"


def pause(course: Course, look: PracticeData, here: str) -> Pause | None:
    """What is shown instead of the next question, which is asked `here`."""
    if look.guessed is None:
        return None
    name, seed, attempt_id = look.guessed
    item = course.variant(name, seed)
    worked = [breakable(course.line(line)) for line in item.solution()]
    url = f"/attempts/{attempt_id}#item-{course.twin_of.get(name, name)}"
    return Pause(url, after_reading(here), markup(course.html(item.stem)), worked)


def after_reading(url: str) -> str:
    """The address that asks at once: the calculation was read.

    >>> after_reading("/items/noodles"), after_reading("/practice/dcg?level=1&seed=7")
    ('/items/noodles?read=1', '/practice/dcg?level=1&seed=7&read=1')
    """
    return f"{url}{'&' if '?' in url else '?'}read=1"
