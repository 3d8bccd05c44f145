"""What stands below a question of practice: what it earned, how far its point has come, and what is next."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.items.kinds import Generated
from app.course.items.marks import answer_state, asks_twin
from app.records.practice.item_practice import ItemPractice
from app.web.items.feedback import worked_line_htmls
from app.web.items.item_views import SOLVED_STATES, ItemState, next_practice_url
from app.web.site.rendering import text_html
from app.web.site.site import Site


class Pause(NamedTuple):
    """After mere guesses: the calculation of the last question, its page, and the way on."""

    attempt_url: str
    onward_url: str
    stem_html: Markup
    worked_line_htmls: Sequence[Markup]


def progress_html(
    site: Site, item_practice: ItemPractice, item_state: ItemState, is_out_of_band: bool = False
) -> Markup:
    """The score, the skill of this item, and the recommendation.

    A variant that was answered leads on by itself; before, another one can be had for it.
    """
    course = site.course
    item = course.items[item_state.item_id]
    seen_answers = item_state.answers_to(item.id)
    state_of_item = answer_state(item, seen_answers)
    another_url = None
    if not seen_answers:
        another_url = next_practice_url(course, item.id, state_of_item)
    leads_on = isinstance(item, Generated)
    return site.render(
        "practice/_ahead.html",
        score=item_practice.score,
        skill_state=item_practice.skill_state,
        another_url=another_url,
        leads_on=leads_on,
        is_solved=state_of_item in SOLVED_STATES,
        is_over=is_over(course, item_state),
        goes_on=bool(course.practised_skills),
        is_out_of_band=is_out_of_band,
    )


def is_over(course: Course, item_state: ItemState) -> bool:
    """Whether nothing is left to answer: neither the item nor its twin."""
    item = course.items[item_state.item_id]
    state_of_answers = answer_state(item, item_state.answers_to(item.id))
    if item.twin and asks_twin(item, state_of_answers):
        state_of_answers = answer_state(course.items[item.twin], item_state.answers_to(item.twin))
    return state_of_answers != "open"


def pause_after_guesses(course: Course, item_practice: ItemPractice, guess_page_url: str) -> Pause | None:
    """What is shown instead of the question at `guess_page_url`, after mere guesses."""
    guessed_answer = item_practice.guessed_answer
    if guessed_answer is None:
        return None
    item_id = course.bare_id(guessed_answer.item_ref)
    item = course.variant(item_id, guessed_answer.seed)
    item_anchor = f"item-{course.item_id_by_twin_id.get(item_id, item_id)}"
    attempt_url = f"/attempts/{guessed_answer.attempt_id}#{item_anchor}"
    stem_html = text_html(course, item.stem)
    return Pause(attempt_url, url_after_reading(guess_page_url), stem_html, worked_line_htmls(course, item))


def url_after_reading(guess_page_url: str) -> str:
    """The address that asks at once: the calculation was read.

    >>> url_after_reading("/items/noodles"), url_after_reading("/practice/dcg?level=1&seed=7")
    ('/items/noodles?read=1', '/practice/dcg?level=1&seed=7&read=1')
    """
    separator = "?"
    if "?" in guess_page_url:
        separator = "&"
    return f"{guess_page_url}{separator}read=1"
