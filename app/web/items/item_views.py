"""An item as a learner sees it: form, hints, feedback, worked solution, twin."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from app.course import Course, Unreadable
from app.course.cards.decks import mistake_card
from app.course.items.kinds import Generated, Item
from app.course.items.marks import Mood
from app.course.items.state import State, asks_twin, state, stopped
from app.records.learning.values import ResponseRow
from app.web.items.kinds import ItemMoment, Parts, SeenAnswer, parts_of
from app.web.items.variants import kind_url, next_url
from app.web.site import slots
from app.web.site.requests import Typed
from app.web.site.responses import markup
from app.web.site.site import Site

SIGN = re.compile(r"<[^>]*>|(?<=[0-9)）])([=≈+÷×])")
"""A tag, or a sign of a calculation after a number."""
SOLVED: Collection[State] = ("right", "corrected")
STOPPED = SeenAnswer("stopped", ())
STOP = "先停一停：这几次答得比读题还快。我把它一行一行算给你看，看完再来一道同类的。"


@dataclass(frozen=True)
class ItemState:
    """Everything that the look of an item depends on; equal askings look the same."""

    item: str
    seed: int
    answers: tuple[tuple[str, tuple[SeenAnswer, ...]], ...] = ()
    hints: tuple[tuple[str, int], ...] = ()
    probe: bool = False
    typed: Typed | None = None

    def of(self, item: str) -> tuple[SeenAnswer, ...]:
        return dict(self.answers).get(item, ())


@dataclass(frozen=True)
class TutorWords:
    """Words of the tutor, with its face."""

    mood: Mood
    html: Markup


@dataclass(frozen=True)
class ItemView:
    """The context of `items/_item.html`. `target` is what htmx replaces: the item, also for its twin.

    `fields` are sent along with an answer, `extra` stands at the end of its form; `may_leave`: empty cells of
    a table may be left to the tutor.
    """

    id: str
    dom_id: str
    target: str
    kind: str
    probe: bool
    minutes: int
    stem: Markup
    state: State
    base: str
    next: str
    try_number: int
    seed: int
    parts: Parts
    error: str
    says: Sequence[TutorWords]
    hints: Sequence[Markup]
    hints_left: int
    worked: Sequence[Markup]
    explanation: Markup | None
    twin: "ItemView | None"
    can_show: bool
    another: str | None
    trap: str | None
    easier: str | None
    guest_field: Markup = slots.GUEST
    shown: Markup = slots.SHOWN
    fields: Mapping[str, str | int] = field(default_factory=dict)
    extra: Markup = slots.NOTHING
    may_leave: bool = True
    about: Mapping[str, object] = field(default_factory=dict)
    closed: bool = False
    """Nothing is taken any more: what was written can be read."""


def family(course: Course, item_id: str) -> tuple[str, ...]:
    """An item and its twin."""
    twin = course.items[item_id].twin
    return (item_id, twin) if twin else (item_id,)


def item_state(
    course: Course,
    item_id: str,
    responses: Sequence[ResponseRow],
    hints: Mapping[str, int],
    attempt: str = "",
    **rest: Any,
) -> ItemState:
    """What is known of an item and its twin, from the log. `attempt`: its ref (in practice, guesses end)."""
    refs = {one: course.ref(one) for one in family(course, item_id)}
    answers = tuple(
        (one, seen([row for row in responses if row.item == ref], attempt)) for one, ref in refs.items()
    )
    opened = tuple((one, hints.get(ref, 0)) for one, ref in refs.items())
    return ItemState(item_id, answers=answers, hints=opened, **rest)


def seen(rows: Sequence[ResponseRow], attempt: str = "") -> tuple[SeenAnswer, ...]:
    """The answers to one item; after mere guesses the tutor stepped in."""
    found = tuple([SeenAnswer(row.verdict, row.raw, row.score) for row in rows])
    return (*found, STOPPED) if stopped(attempt, rows) else found


def render_item(site: Site, asked: ItemState) -> Markup:
    """The fragment of an item, with slots for `BASE` and `NEXT`: it serves everybody who answered alike."""
    course = site.course

    def make() -> str:
        return site.render("items/_item.html", item=view(course, asked))

    return markup(make() if asked.typed else site.cached((course.digest, asked), make))


def view(course: Course, asked: ItemState, target: str = "") -> ItemView:
    """The view of an item with, where one is asked, its twin."""
    item, answers = course.variant(asked.item, asked.seed), asked.of(asked.item)
    at = state(item, answers, asked.probe)
    target = target or f"item-{item.id}"
    twin = replace(asked, item=item.twin or "", probe=False) if asks_twin(item, at, asked.probe) else None
    opened = dict(asked.hints).get(item.id, 0)
    typed = asked.typed if asked.typed and asked.typed.item == item.id else None
    return ItemView(
        id=item.id,
        dom_id=f"item-{item.id}",
        target=target,
        kind=item.kind,
        probe=asked.probe,
        minutes=item.minutes,
        stem=markup(course.html(item.stem)),
        state=at,
        base=slots.BASE,
        next=markup(f"{slots.NEXT}#{target}"),
        try_number=len(answers) + 1,
        seed=asked.seed,
        parts=parts_of(ItemMoment(course, item, answers, at, typed.raw if typed else None)),
        error=unreadable(item, typed.raw, answers) if typed and typed.refused else "",
        says=feedback(course, item, answers, asked.probe),
        hints=[markup(course.html(hint)) for hint in item.hints[:opened]],
        hints_left=len(item.hints) - opened if at == "open" and not asked.probe else 0,
        worked=[breakable(course.line(line)) for line in item.solution()] if at == "shown" else [],
        explanation=markup(course.html(item.explanation)) if item.explanation and at != "open" else None,
        twin=view(course, twin, target) if twin else None,
        can_show=at == "open" and not asked.probe,
        another=another(course, item.id, at) if answers and not asked.probe else None,
        trap=None if asked.probe else trap(course, item, answers),
        easier=f"/items/{item.easier}?for={item.id}" if is_stuck(item, at, answers, opened) else None,
    )


def is_stuck(item: Item, at: State, answers: Sequence[SeenAnswer], opened: int) -> bool:
    """Two wrong tries and all hints used: then a simpler question helps more than a third try."""
    return at == "open" and item.easier is not None and len(answers) >= 2 and opened == len(item.hints)


def another(course: Course, item: str, at: State) -> str | None:
    """The way on from a variant: once it is right, what its point needs next; else the same kind."""
    source = course.items[item]
    if not isinstance(source, Generated):
        return None
    if at in SOLVED:
        return next_url(course.counted[item].point)
    return kind_url(source.exercise, source.level)


def trap(course: Course, item: Item, answers: Sequence[SeenAnswer]) -> str | None:
    """The card of the mistake that the last wrong answer was diagnosed as."""
    wrong = [answer for answer in answers if answer.verdict == "wrong" and answer.raw]
    try:
        found = mistake_card(item.mark(wrong[-1].raw, len(wrong)).misconception) if wrong else None
    except Unreadable:  # the item has changed since it was answered
        return None
    return found if found in course.drills else None


def breakable(html: str) -> Markup:
    """A calculation that may be broken before its signs, so that no phone breaks it within a number.

    >>> breakable("<b>3÷1.585≈1.893</b>")
    Markup('<b>3<wbr>÷1.585<wbr>≈1.893</b>')
    """
    return markup(SIGN.sub(lambda found: f"<wbr>{found[1]}" if found[1] else found[0], html))


def unreadable(item: Item, typed: tuple[str, ...], answers: Sequence[SeenAnswer] = ()) -> str:
    """Why what was typed after these answers cannot be read; nothing when it can."""
    try:
        item.mark(typed, len(answers) + 1, answers[-1].raw if answers else ())
    except Unreadable as error:
        return str(error)
    return ""


def feedback(course: Course, item: Item, answers: Sequence[SeenAnswer], probe: bool) -> list[TutorWords]:
    """What the tutor says to the last answer."""
    if answers and answers[-1] == STOPPED:
        return [TutorWords("thinking", markup(course.html(STOP)))]
    if not answers or not answers[-1].raw:
        return []
    try:
        mark = item.mark(answers[-1].raw, len(answers))
    except Unreadable:  # the item has changed since it was answered
        return []
    mood: Mood = "thinking" if probe else "pleased" if mark.verdict == "right" else "puzzled"
    return [TutorWords(mood, markup(course.html(text))) for text in mark.feedback]
