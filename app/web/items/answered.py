"""What somebody answered, response by response, as they saw it: for teachers, and for nobody to change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from app.course import Course
from app.course.authoring.snapshots import thaw
from app.course.items.kinds import Item, Multiple, Order, Single, Spot, Steps, TrueFalse
from app.course.items.kinds.steps import CARRIED, LEFT, label
from app.course.items.state import state
from app.records.learning.values import AttemptData, ResponseRow
from app.web.items.item_views import feedback
from app.web.items.kinds import ItemMoment, Parts, SeenAnswer, parts_of
from app.web.site.responses import markup

VERDICTS = {"right": "对", "wrong": "不对", "shown": "看了答案"}


@dataclass(frozen=True)
class AnsweredTry:
    """One response: what was answered in words, how it was judged, what the tutor said to it."""

    number: int
    said: Sequence[Markup]
    verdict: str
    word: str
    feedback: Sequence[Markup]
    hints: int
    seconds: int | None
    at: datetime


@dataclass(frozen=True)
class AnsweredItem:
    """An item with all tries at it. Without a stem it can no longer be read."""

    id: str
    stem: Markup
    kind: str
    skill: str
    parts: Parts | None
    tries: Sequence[AnsweredTry]


def answered(course: Course, look: AttemptData) -> list[AnsweredItem]:
    """Every item of an attempt, in the order of the answers."""
    found: dict[str, list[ResponseRow]] = {}
    for row in look.responses:
        found.setdefault(row.item, []).append(row)
    return [one(course, look, rows) for rows in found.values()]


def one(course: Course, look: AttemptData, rows: Sequence[ResponseRow]) -> AnsweredItem:
    """An item and its tries, from the body that was frozen when it was answered last."""
    name = course.bare(rows[0].item)
    then = thaw(course, look.versions.get(rows[-1].item_version, ""), look.attempt.seed)
    if then is None:
        tries = [attempt(None, None, rows, number) for number in range(len(rows))]
        return AnsweredItem(name, Markup(""), "", "", None, tries)
    [item] = then.items.values()
    skill = course.skills[item.skill].name if item.skill in course.skills else ""
    seen = [SeenAnswer(row.verdict, row.raw, row.score) for row in rows]
    parts = parts_of(ItemMoment(then, item, seen, state(item, seen), None))
    tries = [attempt(then, item, rows, number) for number in range(len(rows))]
    return AnsweredItem(name, markup(then.html(item.stem)), item.kind, skill, parts, tries)


def attempt(
    course: Course | None, item: Item | None, rows: Sequence[ResponseRow], number: int
) -> AnsweredTry:
    row = rows[number]
    seen = [SeenAnswer(each.verdict, each.raw, each.score) for each in rows[: number + 1]]
    told = feedback(course, item, seen, probe=False) if course and item else []
    return AnsweredTry(
        number=number + 1,
        said=in_words(course, item, row.raw) if course and item else [Markup.escape("、".join(row.raw))],
        verdict=row.verdict,
        word=VERDICTS.get(row.verdict, row.verdict),
        feedback=[each.html for each in told],
        hints=row.hints,
        seconds=row.seconds,
        at=row.created_at,
    )


def in_words(course: Course, item: Item, raw: Sequence[str]) -> list[Markup]:
    """What was sent, in the words of the item: ids become the texts that were chosen."""
    names = texts(course, item)
    if isinstance(item, Steps):
        return cells(item, raw)
    return [names.get(each, Markup.escape(each)) for each in raw]


def texts(course: Course, item: Item) -> Mapping[str, Markup]:
    match item:
        case Single() | Multiple():
            return {each.id: markup(course.line(each.text)) for each in item.options}
        case Spot():
            return {each.id: markup(course.line(each.text)) for each in item.lines}
        case Order():
            return {each.id: Markup.escape(each.text) for each in item.documents}
        case TrueFalse():
            return {"true": Markup("这句话对"), "false": Markup("这句话不对")}
    return {}


def cells(item: Steps, raw: Sequence[str]) -> list[Markup]:
    """A table as name and number; what was left to the tutor is a dash."""
    pairs = zip(item.blanks, raw, strict=False)
    return [Markup("{}：{}").format(label(cell), text.strip(LEFT + CARRIED) or "—") for cell, text in pairs]
