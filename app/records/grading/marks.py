"""What work is worth: the mark of a student at an assignment, the points of a pass after a correction.

Pure arithmetic on what was read elsewhere. A `share` is a part of the points, 0..1.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from app.course.assignments.question_sets import QuestionPart, tally, total_of


class HandedIn(NamedTuple):
    """A pass that was handed in: what it earned, what being late costs; when it was, and by whom."""

    number: int
    points: float
    factor: float = 1.0
    at: datetime | None = None
    collected: bool = False

    @property
    def worth(self) -> float:
        return self.points * self.factor


def counting(counts: str, passes: Sequence[HandedIn]) -> HandedIn | None:
    """The pass that counts: the best, the last or the first, as the assignment says. `passes` in their order.

    Of two that are equally good the earlier one is meant; the first one is the first that a student handed
    in, where there is one: a paper that was collected does not bar what more time was given for.
    """
    if len(passes) < 2:
        return passes[0] if passes else None
    first = next((one for one in passes if not one.collected), passes[0])
    ends = {"first": first, "last": passes[-1]}
    return ends.get(counts) or max(passes, key=lambda one: one.worth)


def mark_of(counts: str, passes: Sequence[HandedIn], override: float | None = None) -> float | None:
    """The mark of a student at an assignment; None while there is nothing to mark.

    What the teacher set counts before all; else what the pass that counts is worth.

    >>> late = [HandedIn(1, 6), HandedIn(2, 10, factor=0.5)]
    >>> mark_of("best", late), mark_of("last", late), mark_of("last", late, override=9), mark_of("last", [])
    (6.0, 5.0, 9, None)
    """
    if override is not None:
        return override
    found = counting(counts, passes)
    return found.worth if found else None


def best_shares(scored: Iterable[tuple[str, float]]) -> dict[str, float]:
    """What was earned at each question, from question and score of every try: the best try counts.

    >>> best_shares([("content:a#1", 0.0), ("content:a#1", 1.0), ("content:b#2", 0.5)])
    {'content:a#1': 1.0, 'content:b#2': 0.5}
    """
    found = dict[str, float]()
    for question, score in scored:
        found[question] = max(score, found.get(question, 0.0))
    return found


def again(
    parts: Sequence[QuestionPart],
    kept: Mapping[int, float],
    changed: Iterable[int],
    shares: Mapping[str, float],
    granted: Collection[int] = (),
) -> dict[int, float]:
    """Points by part after a correction: the `changed` parts anew, all others as they were `kept`.

    `granted` parts count in full, whatever was answered.
    """
    fresh = tally(parts, shares, {}).parts
    full = {part.id: total_of([part]) for part in parts}
    anew = {part: full[part] if part in granted else fresh[part] for part in changed}
    return {part.id: anew.get(part.id, kept.get(part.id, 0.0)) for part in parts}


def by_part(kept: str) -> dict[int, float]:
    """Points by part, from how a submission keeps them.

    >>> by_part('{"7": 2.5}')
    {7: 2.5}
    """
    found: dict[str, Any] = json.loads(kept)
    return {int(part): float(points) for part, points in found.items()}


def short(points: float) -> str:
    """Points as they are shown: at most one decimal, rounded half up as people do.

    >>> short(8.0), short(7.25), short(0.05), short(33.333)
    ('8', '7.3', '0.1', '33.3')
    """
    whole, tenths = divmod(int(points * 10 + 0.5 + 1e-9), 10)
    return f"{whole}.{tenths}" if tenths else str(whole)


def percent(share: float | None) -> str:
    """A share as it is shown.

    >>> percent(7 / 8), percent(None)
    ('88%', '')
    """
    return "" if share is None else f"{int(100 * share + 0.5 + 1e-9)}%"
