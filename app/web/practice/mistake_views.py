"""错题本 as a page shows it: what was answered, what was wrong with it, and 我常犯的错 by the step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from app import engine
from app.course import Course, Unreadable
from app.course.items.kinds import Generated, Item, Multiple, Numeric, Single, Spot, TrueFalse
from app.course.practice.notebook import Habit, Notebook, NotebookEntry, WrongResponse
from app.engine.diagnosis import ROUNDING_NAMES
from app.records.practice.values import NotebookData, WrongAnswer
from app.web.items.variants import kind_url, next_url
from app.web.site.responses import markup
from app.web.site.site import Site

PLACES = {"questions": "做题", "cards": "闪卡", "games": "打怪兽"}


@dataclass(frozen=True)
class WrongView:
    """A wrong answer: what was sent, in words, and what the tutor says to it."""

    when: str
    answer: Markup
    diagnosis: str
    feedback: Sequence[Markup]
    url: str


@dataclass(frozen=True)
class EntryView:
    """A kind of question with its mistakes. `more`: how many older ones are not shown here.

    `gone`: how many cannot be shown, because the assignment that asked them is gone.
    """

    id: str
    title: str
    to_go: int
    count: int
    again: str
    wrongs: Sequence[WrongView]
    gone: int
    more: int


@dataclass(frozen=True)
class HabitView:
    name: str
    step: str
    hint: Markup
    times: int
    where: str
    when: str
    clean: int


def entries(site: Site, look: NotebookData, kind: str = "") -> list[EntryView]:
    """The kinds that are not cleared; or the one that is named, cleared or not."""
    found = look.notebook.entries if kind else look.notebook.open
    return [entry_view(site, look, one, bool(kind)) for one in found if kind in ("", one.kind.id)]


def entry_view(site: Site, look: NotebookData, entry: NotebookEntry, everything: bool) -> EntryView:
    """What the tutor said stands under the newest mistake; or under each, where a kind is looked at alone."""
    fetched = [wrong for wrong in entry.wrongs if wrong.number in look.answers]
    shown = [(wrong, answer) for wrong in fetched if (answer := look.answers[wrong.number])]
    return EntryView(
        id=entry.kind.id,
        title=entry.title,
        to_go=entry.to_go,
        count=len(entry.wrongs),
        again=again_url(site.course, entry),
        wrongs=[
            wrong_view(site, wrong, answer, told=everything or wrong is shown[0][0])
            for wrong, answer in shown
        ],
        gone=len(fetched) - len(shown),
        more=len(entry.wrongs) - len(fetched),
    )


def again_url(course: Course, entry: NotebookEntry) -> str:
    """再来一道同类: another variant at the level of the mistake, or another question of the point."""
    source = course.items[entry.wrongs[0].item]
    if entry.kind.exercise and isinstance(source, Generated):
        return kind_url(entry.kind.exercise, source.level)
    return next_url(entry.kind.point)


def wrong_view(site: Site, wrong: WrongResponse, answer: WrongAnswer, told: bool) -> WrongView:
    """One answer; where it is `told`, what the tutor said is made again."""
    course = site.course
    item = course.variant(answer.item, answer.seed)
    return WrongView(
        when=day(wrong.day),
        answer=said(course, item, answer.raw),
        diagnosis=diagnosis(wrong.misconception),
        feedback=feedback(course, item, answer) if told else [],
        url=f"/attempts/{answer.attempt_id}#item-{course.twin_of.get(answer.item, answer.item)}",
    )


def said(course: Course, item: Item, raw: Sequence[str]) -> Markup:
    """What was answered: as it was typed, or the words of what was chosen."""
    if isinstance(item, Numeric):
        return Markup.escape("".join(raw))
    return markup(course.line(words(item, raw)))


def words(item: Item, raw: Sequence[str]) -> str:
    """What was chosen, in Markdown of one line; nothing for a table or an order: their feedback tells it."""
    match item:
        case Single() | Multiple():
            return "、".join(option.text for option in item.options if option.id in raw)
        case TrueFalse():
            return "这句话对" if raw == ("true",) else "这句话不对"
        case Spot():
            return "".join(line.text for line in item.lines if line.id in raw)
    return ""


def feedback(course: Course, item: Item, answer: WrongAnswer) -> list[Markup]:
    """What the tutor said then; nothing where the item has changed since."""
    try:
        mark = item.mark(answer.raw, answer.tries)
    except Unreadable:
        return []
    return [markup(course.html(text)) for text in mark.feedback] if mark.verdict == "wrong" else []


def diagnosis(code: str | None) -> str:
    """The name of a diagnosis: one mistake, two at once, or several that are possible.

    >>> diagnosis("natural_log|log10"), diagnosis("truncated"), diagnosis(None)
    ('用了自然对数，或者用了常用对数', '截断而不是四舍五入', '')
    """
    if not code:
        return ""
    both, either = code.split("+"), code.split("|")
    joined, names = ("，又", both) if len(both) > 1 else ("，或者", either)
    return joined.join(named(name) for name in names)


def named(name: str) -> str:
    model = engine.MISCONCEPTIONS.get(name)
    return model.name if model else ROUNDING_NAMES.get(name, "")


def habits(course: Course, found: Sequence[Habit]) -> list[HabitView]:
    """The mistakes that came back, with what to hold on to."""
    return [
        HabitView(
            name=one.name,
            step=one.step,
            hint=markup(course.line(one.hint)),
            times=one.times,
            where=where(one.places),
            when=day(one.last),
            clean=one.clean,
        )
        for one in found
    ]


def where(places: Mapping[str, int]) -> str:
    """Where a mistake was made; nothing while it was at questions only.

    >>> where({"cards": 2, "questions": 1}), where({"questions": 3})
    ('做题1次、闪卡2次', '')
    """
    if set(places) == {"questions"}:
        return ""
    return "、".join(f"{word}{places[name]}次" for name, word in PLACES.items() if name in places)


def steps(found: Notebook) -> Mapping[str, int]:
    """How many mistakes sit in each step of the formula; nothing while none was diagnosed."""
    return found.steps if any(found.steps.values()) else {}


def day(moment: date) -> str:
    """A day as people say it.

    >>> day(date(2026, 9, 1))
    '9月1日'
    """
    return f"{moment.month}月{moment.day}日"
