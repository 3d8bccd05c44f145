"""A learner's own card before it is kept: empty, or begun with a paragraph, an example, an item or a card."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app import engine
from app.course import Course
from app.course.exercises.exercises import LAST_SEED
from app.course.items import solutions
from app.course.items.kinds import Item, Numeric, Order, Spot, Steps
from app.course.items.kinds.options import WithOptions
from app.course.learning.steps import Ask, ExampleStep, Recap, Say, Step
from app.course.text.card_markdown import LONGEST_SIDE
from app.records.cards.own_cards import TypedCard
from app.web.cards.editable_texts import (
    bulleted_course_markdown,
    bulleted_markdown,
    editable_text,
    returned_and_unreturned_texts,
)
from app.web.learning.stage_views import find_named_step, section_url

MOST_TAGS, LONGEST_TAG = 8, 30


class CardDraft(NamedTuple):
    """What stands in the form. `source`: the page that it was made from.

    `answered_item_and_seed`: the item, and its seed, whose answer is on the back.
    """

    front: str = ""
    back: str = ""
    tags: str = ""
    source: str = ""
    answered_item_and_seed: tuple[str, int] | None = None

    @property
    def typed_card(self) -> TypedCard:
        return self.front, self.back, self.tags, self.source

    @property
    def front_back_and_tags(self) -> tuple[str, str, str]:
        """What stays one's own to change: front, back, tags."""
        return self.front, self.back, self.tags


def tidy_tags(tags: str) -> str:
    """Tags as they are kept: no `#`, no space inside, each once.

    >>> tidy_tags("  #折损，指数增益、 折损 ")
    '折损 指数增益'
    """
    typed_tags = filter(None, re.split(r"[\s,，、;；#]+", tags))
    unique_tags = list(dict.fromkeys(typed_tags))[:MOST_TAGS]
    return " ".join(unique_tag[:LONGEST_TAG] for unique_tag in unique_tags)


def draft_of(course: Course, query: Mapping[str, str]) -> CardDraft:
    """What the address names: `step=<stage>.<section>.<step>`, `item`, `example` or `card`; else nothing.

    A `seed` says with which numbers and in which order an item was seen.
    """
    draft = None
    if step_name := query.get("step"):
        draft = step_draft(course, step_name, seed_of_address(query))
    elif item_id := query.get("item"):
        draft = item_draft(course, item_id, seed_of_address(query))
    elif example_id := query.get("example"):
        draft = example_draft(course, example_id)
    elif card_id := query.get("card"):
        draft = card_draft(course, card_id)
    if draft is None:
        return CardDraft()
    if max(len(draft.front), len(draft.back)) > LONGEST_SIDE:
        return CardDraft()
    return draft


def seed_of_address(query: Mapping[str, str]) -> int:
    """The seed of an address; 1 where there is none that an item can have."""
    seed_text = query.get("seed", "")
    if re.fullmatch("[0-9]{1,9}", seed_text) and int(seed_text) <= LAST_SEED:
        return int(seed_text)
    return 1


def step_draft(course: Course, step_name: str, seed: int) -> CardDraft | None:
    """A paragraph is the back: its reader writes the question; an item or an example brings its own."""
    named_step = find_named_step(course, step_name)
    if named_step is None:
        return None
    step = named_step.step
    source_url = (
        f"{section_url(named_step.stage, named_step.section)}?step={named_step.number}#step-{step.id}"
    )
    return draft_of_step(course, step, seed, named_step.stage.title, source_url)


def draft_of_step(course: Course, step: Step, seed: int, tags: str, source_url: str) -> CardDraft | None:
    """None for a step with nothing to be remembered."""
    match step:
        case Say():
            back = editable_text(course, step.text)
            return CardDraft("", back, tags, source_url)
        case Ask():
            return item_draft(course, step.item, seed, tags, source_url)
        case Recap():
            back = bulleted_course_markdown(course, step.points)
            return CardDraft("", back, tags, source_url)
        case ExampleStep():
            return example_draft(course, step.example, tags, source_url)
    return None


def item_draft(
    course: Course, item_id: str, seed: int, tags: str = "", source_url: str = ""
) -> CardDraft | None:
    """A question with its answer; None for an item that does not exist."""
    if item_id not in course.items:
        return None
    draft = draft_of_item(course, course.variant(item_id, seed))
    return draft._replace(tags=tags, source=source_url, answered_item_and_seed=(item_id, seed))


def draft_of_item(course: Course, item: Item) -> CardDraft:
    """The question with all that it is about; its solution, or what the course says of it."""
    front_texts = [
        editable_text(course, markdown_text) for markdown_text in (item.stem, *subject_texts(item))
    ]
    front = "\n\n".join(filter(None, front_texts))
    if item.explanation:
        return CardDraft(front, editable_text(course, item.explanation))
    return CardDraft(front, bulleted_course_markdown(course, item.solution()))


def subject_texts(item: Item) -> Sequence[str]:
    """What a question is about, as text: its list and convention, options, candies or lines."""
    match item:
        case Numeric() | Steps() if item.ranking:
            return (
                *returned_and_unreturned_texts(item.ranking),
                f"约定：{item.question.convention_words}",
            )
        case WithOptions():
            return [bulleted_markdown(option.text for option in item.options)]
        case Order():
            return [bulleted_markdown(document.text for document in item.documents)]
        case Spot():
            return [
                "\n".join(
                    f"{line_number}. {spot_line.text}" for line_number, spot_line in enumerate(item.lines, 1)
                )
            ]
    return ()


def example_draft(course: Course, example_id: str, tags: str = "", source_url: str = "") -> CardDraft | None:
    """How the NDCG of an example is computed."""
    example = course.examples.get(example_id)
    if example is None:
        return None
    documents_text = "、".join(f"{document.title}（{document.grade}）" for document in example.documents)
    question = engine.Question("ndcg", example.grades, k=example.k, gain=example.gain, pool=example.pool)
    front = f"{example.title}：从上到下是{documents_text}。NDCG怎么算？"
    back = bulleted_course_markdown(course, solutions.solution_lines(question))
    source_url = source_url or f"/examples/{example_id}"
    return CardDraft(front, back, tags, source_url)


def card_draft(course: Course, card_id: str) -> CardDraft | None:
    """A card of the course, to be put into other words."""
    card = course.cards.get(card_id)
    if card is None:
        return None
    front = editable_text(course, card.front)
    back = editable_text(course, card.back)
    return CardDraft(front, back, source=f"/cards/{card_id}")
