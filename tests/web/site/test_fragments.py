"""A fragment for htmx is a part of the page that the same post leads to without htmx.

The same form is posted twice: first as htmx does it, then as a browser without a script. The second one
changes nothing (a repeated try, position or step is harmless), so both must show the same. What may differ:
the hidden `guest` field (a newcomer is known after the first post), `data-hx-swap-oob` (only in a fragment),
and `fresh`, `data-focus`, `tabindex`: they say where to look and move, not what is there.
"""

from typing import Any

import pytest

from app.course import Course
from app.course.items.kinds import MultipleChoice, Order, TrueFalse
from app.course.learning.steps import ExampleStep
from tests.web.cast import (
    Page,
    Place,
    Reader,
    guessed_by_number,
    has_several_tries,
    is_numeric,
    is_one_shot,
    place_asking,
    place_opening,
    right_answer,
    steps,
    wrong_answer,
)
from tests.web.pages import Element
from tests.web.site.fragments import assert_is_part


def both_ways(reader: Reader, form: Element, label: str = "", **typed: Any) -> Page:
    """Post a form with htmx and without; the page that is seen in the end."""
    fragment = reader.submit(form, label, htmx=True, **typed)
    page = reader.submit(form, label, **typed)
    assert_is_part(fragment, page)
    return page


KINDS = {
    "several tries": has_several_tries,
    "one shot": is_one_shot,
    "number": is_numeric,
    "several options": lambda item: isinstance(item, MultipleChoice),
    "order": lambda item: isinstance(item, Order),
}


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, course: Course) -> Place:
    return place_asking(course, KINDS[request.param])


def test_a_wrong_and_then_a_right_answer(guest: Reader, course: Course, place: Place) -> None:
    item = course.items[place.name]
    guest.open(place.url)
    page = both_ways(guest, guest.page.answering(item.id), answer=list(wrong_answer(item)))
    again = item.twin if item.has_one_try_only and item.twin else item.id
    page = both_ways(guest, page.answering(again), answer=list(right_answer(course.items[again])))
    assert not page.item(item.id).all("form", class_="answer")


def test_hints_and_the_solution(guest: Reader, course: Course, place: Place) -> None:
    item = course.items[place.name]
    guest.open(place.url)
    for number in range(1, len(item.hints) + 1):
        page = both_ways(guest, guest.page.answering(item.id), "提示")
        assert page.has(f"item-{item.id}-hint-{number}")
    form = guest.page.answering(item.id)
    both_ways(guest, form, "算给我看" if is_numeric(item) else "看答案")


def test_a_twin_after_a_wrong_judgement(guest: Reader, course: Course) -> None:
    places = {getattr(step, "item", None): place for place, step in steps(course)}
    judgements = [item for item in course.items.values() if isinstance(item, TrueFalse) and item.twin]
    item = next(item for item in judgements if item.id in places)
    place = places[item.id]
    guest.open(place.url)
    both_ways(guest, guest.page.answering(item.id), answer=list(wrong_answer(item)))


def test_the_next_step_to_the_end_of_a_section(guest: Reader, course: Course) -> None:
    place = place_asking(course, is_numeric)
    guest.open(f"/lessons/{place.stage}/{place.section}")
    for _ in range(place.total):
        page = both_ways(guest, guest.page.root.one("form", class_="next"))
    assert "这一节完了" in page.text


def test_an_example_of_its_own_to_the_end(guest: Reader, course: Course) -> None:
    example = place_opening(course).name
    guest.open(f"/examples/{example}")
    walk_to_the_end(guest, example)


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.long)])
def test_an_example_in_its_lesson_to_the_end(guest: Reader, course: Course, stride: int) -> None:
    places = [place for place, step in steps(course) if isinstance(step, ExampleStep)]
    assert len(places) > 9
    for place in places[::stride]:
        guest.open(place.url)
        walk_to_the_end(guest, place.name)


def walk_to_the_end(guest: Reader, example: str) -> None:
    """Open everything, guess where one may; then answer 换你, and begin again."""
    action = f"/examples/{example}/reveals"
    while guest.page.root.all("div", id=f"example-{example}-opening"):
        form = next(
            form for form in guest.page.by_id(f"example-{example}").all("form") if action in form["action"]
        )
        guesses = form.all("button", name="guess")
        page = (
            both_ways(guest, form, guesses[0].text) if guesses else both_ways(guest, form, **a_number(form))
        )
    turn = f"{example}-example-turn"
    if page.has(f"item-{turn}"):
        both_ways(guest, guest.page.answering(turn), answer="0.5")
        both_ways(guest, guest.page.answering(turn), "提示")
    both_ways(guest, guest.page.form(f"/examples/{example}/rounds"))


def a_number(form: Element) -> dict[str, str]:
    return {"guess": "1.5"} if form.all("input", name="guess") else {}


def test_everything_of_an_example_at_once(guest: Reader, course: Course) -> None:
    for place in (place_opening(course), guessed_by_number(course)):
        opening = guest.open(place.url).by_id(f"example-{place.name}-opening")
        both_ways(guest, opening.all("form")[0], position="all")
