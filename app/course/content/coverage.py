"""What `check` proves of the whole: what is asked was taught, in the time that it says, often enough."""

from collections import Counter
from collections.abc import Iterable, Iterator

from pydantic import BaseModel

from app.course.content.course import Course
from app.course.content.model import Quiz, Section, Stage
from app.course.content.refs import is_practice_item_id
from app.course.items.kinds import Generated, Item
from app.course.items.your_turn import TURN_SUFFIX, turn_item_id
from app.course.learning.steps import Ask, CardsStep, Recap
from app.course.text.markdown import TERM_PATTERN
from app.course.text.text_fields import texts_with_paths

FEWEST_ITEMS, FEWEST_CARDS = 3, 8
"""The fewest items of a skill without a generator; the fewest cards of a stage."""


def coverage_warnings(course: Course) -> Iterator[str]:
    """A sentence for each promise that the course breaks as a whole."""
    yield from _skill_warnings(course)
    yield from _order_warnings(course)
    for stage in course.stages:
        for section in stage.sections:
            yield from _time_warnings(course, section)
    yield from _term_warnings(course)
    for stage in course.stages:
        if stage.lesson:
            yield from _stage_warnings(course, stage)


def _skill_warnings(course: Course) -> Iterator[str]:
    item_count_by_skill_id = Counter(item.skill for item in _written_items(course))
    drilled_skill_ids = {exercise.skill for exercise in course.exercises.values()}
    card_count_by_skill_id = Counter(card.skill for card in course.cards.values())
    has_announced_stage = any(stage.lesson is None for stage in course.stages)
    for skill_id in course.skills:
        if (
            has_announced_stage
            and not card_count_by_skill_id[skill_id]
            and skill_id not in course.section_by_skill_id
        ):
            continue  # a stage that is only announced will teach it
        item_count = item_count_by_skill_id[skill_id]
        if item_count < FEWEST_ITEMS and skill_id not in drilled_skill_ids:
            yield f"知识点{skill_id}只有{item_count}道题：至少要{FEWEST_ITEMS}道，或者一个出题器"
        if not card_count_by_skill_id[skill_id]:
            yield f"知识点{skill_id}还没有卡片"
        if skill_id not in course.section_by_skill_id:
            yield f"知识点{skill_id}没有哪一节问到"


def _written_items(course: Course) -> Iterator[Item]:
    """The items that an author wrote, and that count: no 换你, nothing that a generator draws."""
    turn_item_ids = set(map(turn_item_id, course.examples))
    for item in course.items.values():
        is_turn_of_item = item.id.endswith(TURN_SUFFIX) and item.id in course.item_id_by_twin_id
        is_turn = is_turn_of_item or item.id in turn_item_ids
        is_practice_item = isinstance(item, Generated) and is_practice_item_id(item.id)
        if not (is_turn or is_practice_item or item.id in course.unscored_item_ids):
            yield item


def _order_warnings(course: Course) -> Iterator[str]:
    """A skill is scored after its section has begun to teach, and after what it needs."""
    sections_in_order: list[Section] = []
    for stage in course.stages:
        sections_in_order += stage.sections
    for skill_id, (_, section) in course.section_by_skill_id.items():
        if not _teaches_before_asking(course, section, skill_id):
            yield f"知识点{skill_id}在“{section.title}”里还没讲就问了"
        for needed_skill_id in course.skills[skill_id].needs:
            stage_section = course.section_by_skill_id.get(needed_skill_id)
            if stage_section is None or sections_in_order.index(
                stage_section.section
            ) > sections_in_order.index(section):
                need_words = f"知识点{skill_id}要先会{needed_skill_id}"
                yield f"{need_words}，可{needed_skill_id}在“{section.title}”之前没有问过"


def _teaches_before_asking(course: Course, section: Section, skill_id: str) -> bool:
    has_taught = False
    for step in section.steps:
        is_probe = isinstance(step, Ask) and step.probe
        asked_item_id = step.asked_item_id
        if asked_item_id and course.items[asked_item_id].skill == skill_id and not is_probe:
            return has_taught
        if not isinstance(step, Ask | CardsStep | Recap):
            has_taught = True
    return True


def _time_warnings(course: Course, section: Section) -> Iterator[str]:
    """The questions of a section take no longer than it says.

    Outside the count: games, 想玩再玩, and code, which says its own minutes and is never scored.
    """
    minutes = sum(course.items[item_id].minutes for item_id in section.item_ids)
    if minutes > section.minutes:
        yield f"“{section.title}”写着{section.minutes}分钟，光是题目就要{minutes}分钟：拆开，或者挪走一道"


def _term_warnings(course: Course) -> Iterator[str]:
    """Each term of the glossary is linked from somewhere outside of it."""
    linked_term_ids: set[str] = set()
    for content_part in _parts_with_links(course):
        for _, markdown_text, _ in texts_with_paths(content_part):
            linked_term_ids.update(link_match[1] for link_match in TERM_PATTERN.finditer(markdown_text))
    for glossary_term in course.glossary:
        if glossary_term.id not in linked_term_ids:
            yield f"术语{glossary_term.id}没有哪一句话链过去：在头一次用到它的地方写[[{glossary_term.id}]]"


def _parts_with_links(course: Course) -> Iterable[BaseModel]:
    for stage in course.stages:
        if stage.lesson:
            yield stage.lesson
    yield from course.items.values()
    yield from course.cards.values()
    yield from course.code_exercises.values()
    yield from course.errata.values()


def _stage_warnings(course: Course, stage: Stage) -> Iterator[str]:
    if stage.quiz is None:
        yield f"《{stage.title}》还没有小测（lesson.yaml里的quiz）"
    if len(stage.card_ids) < FEWEST_CARDS:
        yield f"《{stage.title}》只有{len(stage.card_ids)}张卡片：至少要{FEWEST_CARDS}张"
    thinking_card_count = sum(course.cards[card_id].asks != "fact" for card_id in stage.card_ids)
    if 2 * thinking_card_count < len(stage.card_ids):
        yield f"《{stage.title}》的卡片里，问“错在哪一步”和“换了会怎样”的不到一半"
    if stage.quiz:
        yield from _quiz_warnings(course, stage, stage.quiz)


def _quiz_warnings(course: Course, stage: Stage, quiz: Quiz) -> Iterator[str]:
    for item_id in quiz.item_ids:
        skill_id = course.items[item_id].skill
        stage_section = course.section_by_skill_id.get(skill_id)
        if stage_section is None or stage_section.stage.number > stage.number:
            yield f"《{stage.title}》的小测问了还没讲过的知识点{skill_id}"
