"""A card of one's own before it is kept: empty, or begun with a paragraph, an example, an item or a card."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from app import engine
from app.course import Course
from app.course.cards.decks import Drill
from app.course.items import solutions
from app.course.items.examples import Document
from app.course.items.kinds import Item, Numeric, Order, Spot, Steps
from app.course.items.kinds.options import WithOptions
from app.course.items.rankings import Ranking
from app.course.items.state import state
from app.course.learning import figures_in_text
from app.course.learning.steps import Ask, ExampleStep, Recap, Say
from app.course.text.card_markdown import LONGEST
from app.course.text.markdown import TERM
from app.records.learning.values import ResponseRow
from app.web.items.item_views import seen as answered
from app.web.items.kinds.numeric import convention
from app.web.items.variants import LAST_SEED
from app.web.learning.stage_views import section_url

MOST_TAGS, LONGEST_TAG = 8, 30


@dataclass(frozen=True)
class Draft:
    """What stands in the form. `source`: the page that it was made from.

    `answers`: the item, and its seed, whose answer is on the back.
    """

    front: str = ""
    back: str = ""
    tags: str = ""
    source: str = ""
    answers: tuple[str, int] | None = None


def tidy(tags: str) -> str:
    """Tags as they are kept: no `#`, no space inside, each once.

    >>> tidy("  #折损，指数增益、 折损 ")
    '折损 指数增益'
    """
    found = dict.fromkeys(filter(None, re.split(r"[\s,，、;；#]+", tags)))
    return " ".join(one[:LONGEST_TAG] for one in list(found)[:MOST_TAGS])


def draft_of(course: Course, query: Mapping[str, str]) -> Draft:
    """What the address names: `step=<stage>.<section>.<step>`, `item`, `example` or `card`; else nothing.

    `seed`: the numbers and the order in which an item was seen.
    """
    seed = query.get("seed", "")
    seen = int(seed) if re.fullmatch("[0-9]{1,9}", seed) and int(seed) <= LAST_SEED else 1
    ways: Mapping[str, Callable[[Course, str], Draft | None]] = {
        "step": partial(_step, seed=seen),
        "item": partial(_item, seed=seen),
        "example": _example,
        "card": _card,
    }
    for name, way in ways.items():
        if query.get(name):
            found = way(course, query[name])
            return found if found and max(len(found.front), len(found.back)) <= LONGEST else Draft()
    return Draft()


def _step(course: Course, path: str, seed: int) -> Draft | None:
    """A paragraph is the back: its reader writes the question; an item or an example brings its own."""
    stage_id, section_id, step_id = [*path.split("."), "", ""][:3]
    stage = course.stage(stage_id)
    section = stage.section(section_id) if stage else None
    step = next((one for one in section.steps if one.id == step_id), None) if section else None
    if stage is None or section is None or step is None:
        return None
    place = section.steps.index(step) + 1
    source, tags = f"{section_url(stage, section)}?step={place}#step-{step.id}", stage.title
    match step:
        case Say():
            return Draft("", plain(course, step.text), tags, source)
        case Ask():
            return _item(course, step.item, seed, tags, source)
        case Recap():
            return Draft("", "\n".join(f"- {plain(course, one)}" for one in step.points), tags, source)
        case ExampleStep():
            return _example(course, step.example, tags, source)
    return None


def _item(course: Course, item_id: str, seed: int, tags: str = "", source: str = "") -> Draft | None:
    """The question with all that it is about; its solution, or what the course says of it."""
    if item_id not in course.items:
        return None
    item = course.variant(item_id, seed)
    lines = "\n".join(f"- {plain(course, line)}" for line in item.solution())
    back = plain(course, item.explanation) if item.explanation else lines
    front = [plain(course, text) for text in (item.stem, *about(item))]
    return Draft("\n\n".join(filter(None, front)), back, tags, source, (item_id, seed))


def about(item: Item) -> Sequence[str]:
    """What is to be seen beside a question, as text: its list and convention, options, candies or lines."""
    match item:
        case Numeric() | Steps():
            return (*listed(item.ranking), f"约定：{convention(item.question)}") if item.ranking else ()
        case WithOptions():
            return ("\n".join(f"- {option.text}" for option in item.options),)
        case Order():
            return ("\n".join(f"- {document.text}" for document in item.documents),)
        case Spot():
            return ("\n".join(f"{number}. {line.text}" for number, line in enumerate(item.lines, 1)),)
    return ()


def listed(ranking: Ranking) -> tuple[str, str]:
    """The documents with their grades, and those that were judged and not returned."""
    shown = [f"{rank}. {sweet(one)}" for rank, one in enumerate(ranking.documents, 1)]
    return "\n".join(shown), "\n".join(f"- 没端上来：{sweet(one)}" for one in ranking.unseen)


def sweet(one: Document) -> str:
    """
    >>> sweet(Document(title="茶馆", grade=None)), sweet(Document(title="茶馆", grade=3))
    ('茶馆：没标注', '茶馆：甜度3')
    """
    return f"{one.title}：没标注" if one.grade is None else f"{one.title}：甜度{one.grade:g}"


def _example(course: Course, example_id: str, tags: str = "", source: str = "") -> Draft | None:
    if example_id not in course.examples:
        return None
    example = course.examples[example_id]
    listed = "、".join(f"{document.title}（{document.grade}）" for document in example.documents)
    asked = engine.Question("ndcg", example.grades, k=example.k, gain=example.gain, pool=example.pool)
    lines = solutions.lines(asked)
    front = f"{example.title}：从上到下是{listed}。NDCG怎么算？"
    back = "\n".join(f"- {plain(course, line)}" for line in lines)
    return Draft(front, back, tags, source or f"/examples/{example_id}")


def is_told(course: Course, item_id: str, seed: int, passes: Mapping[str, Sequence[ResponseRow]]) -> bool:
    """Whether somebody solved an item or saw its solution. `passes`: the answers to it, by attempt."""
    item = course.variant(item_id, seed)
    return any(state(item, answered(rows, ref)) != "open" for ref, rows in passes.items())


def drill_draft(course: Course, drill: Drill, seed: int) -> Draft:
    """A card that computes, with its present numbers: its own page shows both sides."""
    found = _item(course, drill.item, seed)
    return replace(found, answers=None) if found else Draft()


def _card(course: Course, card_id: str) -> Draft | None:
    card = course.cards.get(card_id)
    if card is None:
        return None
    return Draft(plain(course, card.front), plain(course, card.back), "", f"/cards/{card_id}")


def plain(course: Course, text: str) -> str:
    """A text of the course as a learner may go on writing it: figures filled in, links as words."""
    filled = figures_in_text.fill(text, course.examples, course.values)
    return TERM.sub(lambda found: found[2] or course.terms.get(found[1], found[1]), filled)
