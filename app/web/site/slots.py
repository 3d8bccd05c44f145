"""Slots: marks in kept HTML, where what differs from learner to learner goes in after the cache.

A mark is markup; what learners write is escaped, so that no text of theirs can be one.

The texts of pages are kept, so where their slots are is looked for once a text: every look at a lesson went
through its steps some seventy times. CPU of a lesson page that is asked for the first time, of known steps
(µs): 499 → 417.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup, escape

SENDER = Markup("<!--sender-->")
"""The hidden field by which a form says who sends it."""
GUEST_FIELD = Markup('<input type="hidden" name="guest" value="{}">')
"""The form of a newcomer proposes the token of the sign-in that its post makes; a guest's names theirs."""
LEARNER_FIELD = Markup('<input type="hidden" name="learner" value="{}">')
"""The form of an account says whose page it stands on: somebody else may have signed in beside it since."""
BASE = Markup("<!--base-->")
"""Where the answers to an item go: the attempt, or the lesson while there is none."""
NEXT = Markup("<!--next-->")
"""The page on which something is seen."""
SHOWN_AT = Markup("<!--shown-->")
"""When something is shown, by the clock of the server: with the answer it comes back, and tells how long."""
PATH = Markup("<!--path-->")
"""Where one comes back to the page, or to that of the form which it answers: path and query."""
QUOTED_PATH = Markup("<!--quoted-path-->")
"""The same, to stand in the query of another address."""
STEPS = Markup("<!--steps-->")
TURN = Markup("<!--turn-->")
WARM_UP = Markup("<!--warm-up-->")
"""The offer of today's warm-up, above the steps of a section."""
SEED = Markup("<!--seed-->")
"""The number that shuffles the options of a lesson."""
REVIEW_NUMBER = Markup("<!--review-->")
"""Which review of a card it is."""
ALL_SLOTS = (SENDER, BASE, NEXT, SHOWN_AT, PATH, QUOTED_PATH, STEPS, TURN, WARM_UP, SEED, REVIEW_NUMBER)
NOTHING = Markup("")
ANY_SLOT_PATTERN = re.compile(f"({'|'.join(map(re.escape, ALL_SLOTS))})")
CLASS_FORM_PATTERN = re.compile(
    rf'<form(?=[^>]* method="post")(?=[^>]* action="/classrooms/)[^>]*>(?!\s*{SENDER})'
)
"""The begin of a form that is posted below a class, and does not say yet who sends it."""
MOST_TEXTS = 512
"""Of so many texts it is known where their slots are.

They are kept for that, pages of 60 KB among them: 30 MB at most.
"""


def add_senders(html: str) -> str:
    """The HTML of a page about a class: what is posted below it says who sends it, whatever its template has.

    >>> add_senders('<form method="post" action="/classrooms/3/names"><input name="name">')
    '<form method="post" action="/classrooms/3/names"><!--sender--><input name="name">'
    >>> add_senders('<form method="post" action="/sign-outs">')
    '<form method="post" action="/sign-outs">'
    """
    return CLASS_FORM_PATTERN.sub(rf"\g<0>{SENDER}", str(html))  # markup would escape what is put in


def fill(html: str, text_by_slot: Mapping[Markup, str]) -> Markup:
    """The HTML with these slots filled, others left open; what is not markup is escaped.

    >>> fill('<a href="<!--next-->">', {NEXT: "/?a=1&b=2"})
    Markup('<a href="/?a=1&amp;b=2">')
    """
    safe_text_by_slot: dict[str, str] = {slot: escape(slot_text) for slot, slot_text in text_by_slot.items()}

    def text_of_slot(slot_match: re.Match[str]) -> str:
        slot = slot_match[0]
        return safe_text_by_slot.get(slot, slot)

    filled_html = ANY_SLOT_PATTERN.sub(text_of_slot, html)
    return Markup(filled_html)  # noqa: S704  # rendered by an autoescaping template, filled with escaped text


@lru_cache(MOST_TEXTS)
def slots_of_html(html: str) -> frozenset[str]:
    """The slots of a text.

    >>> sorted(slots_of_html("<!--seed--><!--next--><!--seed-->"))
    ['<!--next-->', '<!--seed-->']
    """
    return frozenset(ANY_SLOT_PATTERN.findall(html))


@lru_cache(MOST_TEXTS)
def cut(frame: str, *part_slots: Markup) -> tuple[str, ...]:
    """A text at these slots: HTML and slots take turns.

    >>> cut("<ol><!--steps--></ol>", STEPS)
    ('<ol>', '<!--steps-->', '</ol>')
    >>> cut("<ol></ol>")
    ('<ol></ol>',)
    """
    if not part_slots:
        return (frame,)
    return tuple(re.split(f"({'|'.join(part_slots)})", frame))
