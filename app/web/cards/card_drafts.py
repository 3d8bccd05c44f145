"""A learner's own card before it is kept: empty, or begun with a paragraph, an example, an item or a card."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from app import engine
from app.course import Course
from app.course.exercises.exercises import LAST_SEED
from app.course.items import solutions
from app.course.items.examples import Document, Ranking
from app.course.items.kinds import Item, Numeric, Order, Spot, Steps
from app.course.items.kinds.options import WithOptions
from app.course.items.marks import answer_state
from app.course.learning import figures_in_text
from app.course.learning.steps import Ask, ExampleStep, Recap, Say, Step
from app.course.text.card_markdown import LONGEST_SIDE, html
from app.course.text.markdown import TERM_PATTERN
from app.records.cards.own_cards import CardText
from app.records.learning.values import ResponseRow
from app.web.items.item_views import seen_answers
from app.web.learning.stage_views import section_url
from app.web.site.responses import markup

MOST_TAGS, LONGEST_TAG = 8, 30


@dataclass(frozen=True)
class CardDraft:
    """What stands in the form. `source`: the page that it was made from.

    `answers`: the item, and its seed, whose answer is on the back.
    """

    front: str = ""
    back: str = ""
    tags: str = ""
    source: str = ""
    answers: tuple[str, int] | None = None

    @property
    def text(self) -> CardText:
        return self.front, self.back, self.tags, self.source


def rendered_sides(draft: CardDraft) -> tuple[Markup, Markup]:
    """Front and back as they will look."""
    return markup(html(draft.front)), markup(html(draft.back))


def tidy_tags(tags: str) -> str:
    """Tags as they are kept: no `#`, no space inside, each once.

    >>> tidy_tags("  #折损，指数增益、 折损 ")
    '折损 指数增益'
    """
    tag_words = filter(None, re.split(r"[\s,，、;；#]+", tags))
    unique_words = list(dict.fromkeys(tag_words))[:MOST_TAGS]
    return " ".join(word[:LONGEST_TAG] for word in unique_words)


def draft_of(course: Course, query: Mapping[str, str]) -> CardDraft:
    """What the address names: `step=<stage>.<section>.<step>`, `item`, `example` or `card`; else nothing.

    `seed`: the numbers and the order in which an item was seen.
    """
    draft = None
    if path := query.get("step"):
        draft = step_draft(course, path, seed_in(query))
    elif item_id := query.get("item"):
        draft = item_draft(course, item_id, seed_in(query))
    elif example_id := query.get("example"):
        draft = example_draft(course, example_id)
    elif card_id := query.get("card"):
        draft = card_draft(course, card_id)
    if draft is None:
        return CardDraft()
    if max(len(draft.front), len(draft.back)) > LONGEST_SIDE:
        return CardDraft()
    return draft


def seed_in(query: Mapping[str, str]) -> int:
    """The seed of an address; 1 where there is none that an item can have."""
    seed = query.get("seed", "")
    if re.fullmatch("[0-9]{1,9}", seed) and int(seed) <= LAST_SEED:
        return int(seed)
    return 1


def step_draft(course: Course, path: str, seed: int) -> CardDraft | None:
    """A paragraph is the back: its reader writes the question; an item or an example brings its own."""
    stage_id, section_id, step_id = [*path.split("."), "", ""][:3]
    stage = course.stage(stage_id)
    if stage is None:
        return None
    section = stage.section(section_id)
    if section is None:
        return None
    step_number = section.step_number_of(step_id)
    if step_number is None:
        return None
    step = section.steps[step_number - 1]
    source = f"{section_url(stage, section)}?step={step_number}#step-{step.id}"
    return draft_of_step(course, step, seed, stage.title, source)


def draft_of_step(course: Course, step: Step, seed: int, tags: str, source: str) -> CardDraft | None:
    """None for a step with nothing to be remembered."""
    match step:
        case Say():
            back = editable_text(course, step.text)
            return CardDraft("", back, tags, source)
        case Ask():
            return item_draft(course, step.item, seed, tags, source)
        case Recap():
            back = plain_list(course, step.points)
            return CardDraft("", back, tags, source)
        case ExampleStep():
            return example_draft(course, step.example, tags, source)
    return None


def item_draft(course: Course, item_id: str, seed: int, tags: str = "", source: str = "") -> CardDraft | None:
    """A question with its answer; None for an item that does not exist."""
    if item_id not in course.items:
        return None
    draft = draft_of_item(course, course.variant(item_id, seed))
    return replace(draft, tags=tags, source=source, answers=(item_id, seed))


def draft_of_item(course: Course, item: Item) -> CardDraft:
    """The question with all that it is about; its solution, or what the course says of it."""
    texts = [editable_text(course, text) for text in (item.stem, *subject_of(item))]
    front = "\n\n".join(filter(None, texts))
    if item.explanation:
        return CardDraft(front, editable_text(course, item.explanation))
    return CardDraft(front, plain_list(course, item.solution()))


def subject_of(item: Item) -> Sequence[str]:
    """What a question is about, as text: its list and convention, options, candies or lines."""
    match item:
        case Numeric() | Steps() if item.ranking:
            return (*document_lists(item.ranking), f"约定：{item.question.convention}")
        case WithOptions():
            return [bullets(option.text for option in item.options)]
        case Order():
            return [bullets(document.text for document in item.documents)]
        case Spot():
            return [
                "\n".join(f"{line_number}. {line.text}" for line_number, line in enumerate(item.lines, 1))
            ]
    return ()


def document_lists(ranking: Ranking) -> tuple[str, str]:
    """The documents with their grades, and those that were judged and not returned."""
    returned_lines = [
        f"{rank}. {document_text(document)}" for rank, document in enumerate(ranking.documents, 1)
    ]
    unseen_lines = [f"没端上来：{document_text(document)}" for document in ranking.unseen]
    return "\n".join(returned_lines), bullets(unseen_lines)


def document_text(document: Document) -> str:
    """
    >>> document_text(Document(title="茶馆", grade=None)), document_text(Document(title="茶馆", grade=3))
    ('茶馆：没标注', '茶馆：甜度3')
    """
    if document.grade is None:
        return f"{document.title}：没标注"
    return f"{document.title}：甜度{document.grade:g}"


def bullets(lines: Iterable[str]) -> str:
    """Lines as a list of Markdown."""
    return "\n".join(f"- {line}" for line in lines)


def example_draft(course: Course, example_id: str, tags: str = "", source: str = "") -> CardDraft | None:
    """How the NDCG of an example is computed."""
    example = course.examples.get(example_id)
    if example is None:
        return None
    documents = "、".join(f"{document.title}（{document.grade}）" for document in example.documents)
    question = engine.Question("ndcg", example.grades, k=example.k, gain=example.gain, pool=example.pool)
    front = f"{example.title}：从上到下是{documents}。NDCG怎么算？"
    back = plain_list(course, solutions.solution_lines(question))
    source = source or f"/examples/{example_id}"
    return CardDraft(front, back, tags, source)


def card_draft(course: Course, card_id: str) -> CardDraft | None:
    """A card of the course, to be put into other words."""
    card = course.cards.get(card_id)
    if card is None:
        return None
    front = editable_text(course, card.front)
    back = editable_text(course, card.back)
    return CardDraft(front, back, source=f"/cards/{card_id}")


def is_answered(
    course: Course, item_id: str, seed: int, responses: Collection[Sequence[ResponseRow]]
) -> bool:
    """Whether a learner solved an item or saw its solution. `responses`: the answers of each attempt."""
    item = course.variant(item_id, seed)
    return any(answer_state(item, seen_answers(rows)) != "open" for rows in responses)


def plain_list(course: Course, texts: Iterable[str]) -> str:
    """Texts of the course as a list of Markdown."""
    return bullets(editable_text(course, line) for line in texts)


def editable_text(course: Course, text: str) -> str:
    """A text of the course as a learner may go on writing it: figures filled in, links as words."""
    filled_text = figures_in_text.fill(text, course.examples, course.value_by_name)
    words = course.term_name_by_id
    return TERM_PATTERN.sub(lambda term: term[2] or words.get(term[1], term[1]), filled_text)
