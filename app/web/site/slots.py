"""Slots: marks in kept HTML, where what differs from learner to learner goes in after the cache.

A mark is markup; what learners write is escaped, so that no text of theirs can be one.
"""

from collections.abc import Mapping

from markupsafe import Markup, escape

GUEST = Markup("<!--guest-->")
"""The hidden field with the token that is proposed to a newcomer."""
BASE = Markup("<!--base-->")
"""Where the answers to an item go: the attempt, or the lesson while there is none."""
NEXT = Markup("<!--next-->")
"""The page on which something is seen."""
SHOWN_AT = Markup("<!--shown-->")
"""When something is shown, by the clock of the server: with the answer it comes back, and tells how long."""
PATH = Markup("<!--path-->")
STEPS = Markup("<!--steps-->")
TURN = Markup("<!--turn-->")
WARM_UP = Markup("<!--warm-up-->")
"""The offer of today's warm-up, above the steps of a section."""
SEED = Markup("<!--seed-->")
"""The number that shuffles the options of a lesson."""
REVIEW_NUMBER = Markup("<!--review-->")
"""Which review of a card it is."""
ALL_SLOTS = (GUEST, BASE, NEXT, SHOWN_AT, PATH, STEPS, TURN, WARM_UP, SEED, REVIEW_NUMBER)
NOTHING = Markup("")


def fill(html: str, slots: Mapping[Markup, str]) -> Markup:
    """The HTML with its slots filled; what is not markup is escaped.

    >>> fill('<a href="<!--next-->">', {NEXT: "/?a=1&b=2"})
    Markup('<a href="/?a=1&amp;b=2">')
    """
    for slot, value in slots.items():
        html = str.replace(html, slot, escape(value))
    return Markup(html)  # noqa: S704  # rendered by an autoescaping template, filled with escaped text
