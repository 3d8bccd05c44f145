"""Slots are filled once, whatever goes into them."""

import pytest
from markupsafe import Markup

from app.web.site.slots import BASE, NEXT, SENDER, TURN, fill


def test_what_is_filled_in_is_not_filled_again() -> None:
    turn_html = Markup("<b><!--base--></b>")
    assert fill("<!--turn--><!--base-->", {TURN: turn_html, BASE: "/a"}) == "<b><!--base--></b>/a"
    assert fill("<!--turn--><!--base-->", {BASE: "/a", TURN: turn_html}) == "<b><!--base--></b>/a"


def test_a_slot_without_a_text_stays_open_and_one_that_is_there_twice_is_filled_twice() -> None:
    assert fill("<!--next--><!--base--><!--next-->", {NEXT: "/a"}) == "/a<!--base-->/a"


@pytest.mark.parametrize("text", [r"\1", r"\g<0>", "a&b"])
def test_a_text_is_taken_as_it_is(text: str) -> None:
    assert fill("<!--sender-->", {SENDER: Markup(text)}) == text
