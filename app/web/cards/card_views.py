"""Cards as a learner sees them: both sides, the numbers of a card that computes, when each comes back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course, Stage, Unreadable
from app.course.cards.decks import Drill, mistake_card_id, seed_of_drill
from app.course.content.model import Card
from app.course.items.kinds import Numeric
from app.course.items.marks import Mark
from app.course.text import card_markdown
from app.engine import MISCONCEPTIONS
from app.records.cards.card_statuses import status_after
from app.records.cards.own_cards import is_own_card
from app.records.cards.scheduling import Memory, Rating, memory_by_rating
from app.records.cards.values import CardPast, CardRow, DeckSettings, OwnCardRow, own_card_ref
from app.records.db.days import day_of
from app.records.db.errors import NotFound
from app.web.items.feedback import worked_line_htmls
from app.web.items.kinds import ItemWithAnswers
from app.web.items.kinds.numeric import NumericKindView, numeric_kind_view
from app.web.learning.stage_views import section_url
from app.web.site.rendering import markup, text_html, text_htmls

OWN_CARD_NAME_PATTERN = re.compile(r"own-([1-9][0-9]{0,14})")
RATING_LABELS_BY_COUNT: Mapping[int, Mapping[Rating, str]] = {
    2: {Rating.AGAIN: "忘了", Rating.GOOD: "记得"},
    4: {Rating.AGAIN: "重来", Rating.HARD: "困难", Rating.GOOD: "良好", Rating.EASY: "简单"},
}
WORDS_BY_LAST_STATUS: Mapping[str, str] = {"leech": "先放一边", "retired": "毕业"}
"""What a review leads to, where the card does not come back."""
NAME_BY_STATE = {
    "out": "没收", "new": "没学过", "learning": "在学", "relearning": "在重学", "review": "记着",
    "suspended": "停着", "leech": "老是忘", "retired": "毕业了",
}  # fmt: skip


class CardFace(NamedTuple):
    """Both sides of a card. `name`: as addresses name it. `lesson_title_and_url`: where it is taught."""

    name: str
    kind: str
    title: str
    front_html: Markup
    back_html: Markup
    lesson_title_and_url: tuple[str, str] | None
    tags: tuple[str, ...] = ()
    practice_path: str = ""

    @property
    def url(self) -> str:
        return f"/cards/{self.name}"


def ref_of(course: Course, card_id: str) -> str:
    """How records name the card of an address; NotFound for a card that does not exist."""
    if not OWN_CARD_NAME_PATTERN.fullmatch(card_id) and course.skill_id_of_card(card_id) is None:
        raise NotFound("没有这张卡片，也许它已经换掉了。")
    return deck_ref_of(course, card_id)


def deck_ref_of(course: Course, card_id: str) -> str:
    """How a deck names the card of an address, also one that the course has no more."""
    if own_name_match := OWN_CARD_NAME_PATTERN.fullmatch(card_id):
        return own_card_ref(int(own_name_match[1]))
    return course.ref(card_id)


def name_of(course: Course, card_ref: str) -> str:
    """How addresses name a card of the records."""
    if is_own_card(card_ref):
        return card_ref.replace(":", "-", 1)
    return course.bare_id(card_ref)


def ref_and_family_of(course: Course, card_id: str) -> tuple[str, str]:
    """A card of the course as records name it, and its family: the skill, for relatives are kept apart.

    NotFound for any other, and for a card that a learner wrote: it is in a deck from the first.
    """
    if OWN_CARD_NAME_PATTERN.fullmatch(card_id):
        raise NotFound("自己写的卡片一写好就在闪卡里了。")
    return ref_of(course, card_id), course.skill_id_of_card(card_id) or card_id


def face_of(
    course: Course, card_ref: str, own_card_row: OwnCardRow | None, review_count: int
) -> CardFace | None:
    """The card with both sides; None for one that the course has no more."""
    if own_card_row:
        return own_face(own_card_row)
    card_id = course.bare_id(card_ref)
    drill = course.drill_by_id.get(card_id)
    if drill:
        return CardExercise(course, drill, review_count).face
    card = course.cards.get(card_id)
    if card is None:
        return None
    return course_face(course, card)


def course_face(course: Course, card: Card) -> CardFace:
    """A card that the course has written."""
    title = skill_name(course, card.skill)
    front_html = text_html(course, card.front)
    back_html = text_html(course, card.back)
    lesson_title_and_url = lesson_title_and_url_of(course, card.skill)
    return CardFace(card.id, "card", title, front_html, back_html, lesson_title_and_url=lesson_title_and_url)


def own_face(own_card_row: OwnCardRow) -> CardFace:
    """A card that the learner wrote; its lesson is the page that it was made from."""
    lesson_title_and_url = None
    if own_card_row.source:
        lesson_title_and_url = ("出处", own_card_row.source)
    dom_id = own_card_row.card_ref.replace(":", "-")
    front_html = markup(card_markdown.html(own_card_row.front))
    back_html = markup(card_markdown.html(own_card_row.back))
    tags = tuple(own_card_row.tags.split())
    return CardFace(dom_id, "own", "我的卡片", front_html, back_html, lesson_title_and_url, tags)


def skill_name(course: Course, skill_id: str) -> str:
    """What a skill is called; empty for one that the course has no more."""
    if skill_id not in course.skills:
        return ""
    return course.skills[skill_id].name


def lesson_title_and_url_of(course: Course, skill_id: str) -> tuple[str, str] | None:
    """The title and the address of the section that teaches a skill."""
    stage_and_section = course.section_by_skill_id.get(skill_id)
    if stage_and_section is None:
        return None
    stage, section = stage_and_section
    return section.title, section_url(stage, section)


def stage_of(course: Course, card_id: str) -> Stage | None:
    """The stage whose set a card belongs to; for a card that computes the stage that teaches its skill."""
    drill = course.drill_by_id.get(card_id)
    if drill and drill.skill in course.section_by_skill_id:
        return course.section_by_skill_id[drill.skill].stage
    for stage in course.stages:
        if card_id in course.card_ids_by_stage_id[stage.id]:
            return stage
    return None


@dataclass(frozen=True)
class CardExercise:
    """A card that computes, after so many reviews; `typed_text` stands in its form."""

    course: Course
    drill: Drill
    review_count: int
    typed_text: str | None = None

    @cached_property
    def seed(self) -> int:
        """Which numbers it shows."""
        card_ref = self.course.ref(self.drill.id)
        return seed_of_drill(
            self.drill, card_ref, self.review_count, lambda seed: self._variant(seed).question.engine_question
        )

    @property
    def draft_url(self) -> str:
        """A card of one's own, begun with these numbers."""
        return f"/cards/new?card={self.drill.id}"

    @cached_property
    def item(self) -> Numeric:
        return self._variant(self.seed)

    def _variant(self, seed: int) -> Numeric:
        item = self.course.variant(self.drill.item_id, seed)
        assert isinstance(item, Numeric)
        return item

    @property
    def dom_id(self) -> str:
        return f"drill-{self.drill.id}"

    @cached_property
    def kind_view(self) -> NumericKindView:
        texts_in_form = None
        if self.typed_text is not None:
            texts_in_form = (self.typed_text,)
        return numeric_kind_view(ItemWithAnswers(self.course, self.item, (), "open", texts_in_form))

    @property
    def stem_html(self) -> Markup:
        return text_html(self.course, self.item.stem)

    @property
    def misconception_name(self) -> str:
        """What was done once, where the card was made of it."""
        if not self.drill.misconception_id:
            return ""
        return MISCONCEPTIONS[self.drill.misconception_id].name

    @property
    def worked_line_htmls(self) -> Sequence[Markup]:
        return worked_line_htmls(self.course, self.item)

    @cached_property
    def _mark_and_refusal(self) -> tuple[Mark | None, str]:
        """The mark of what is typed, or why it cannot be read."""
        if self.typed_text is None:
            return None, ""
        try:
            return self.item.mark((self.typed_text,)), ""
        except Unreadable as error:
            return None, str(error)

    @property
    def mark(self) -> Mark | None:
        """None while nothing is typed, or nothing that can be read."""
        return self._mark_and_refusal[0]

    @property
    def is_right(self) -> bool:
        return self.mark is not None and self.mark.verdict == "right"

    @property
    def error_sentence(self) -> str:
        """Why what is typed cannot be read; empty when it can be."""
        return self._mark_and_refusal[1]

    @property
    def feedback_htmls(self) -> Sequence[Markup]:
        """What the tutor says to the answer."""
        if self.mark is None:
            return []
        return text_htmls(self.course, self.mark.feedback)

    @property
    def diagnosed_card_id(self) -> str | None:
        """The card of the mistake that was diagnosed just now; None where it is this one."""
        if self.mark is None:
            return None
        card_id = mistake_card_id(self.mark.misconception_code)
        if card_id is None or card_id == self.drill.id or card_id not in self.course.drill_by_id:
            return None
        return card_id

    @property
    def face(self) -> CardFace:
        drill = self.drill
        face_kind = "drill"
        title = f"{self.course.exercises[drill.exercise_id].title}·每次换数"
        if self.misconception_name:
            face_kind = "mistake"
            title = f"错题卡：{self.misconception_name}"
        paragraph_htmls = [Markup("<p>{}</p>").format(worked_line) for worked_line in self.worked_line_htmls]
        back_html = Markup().join(paragraph_htmls)
        lesson_title_and_url = lesson_title_and_url_of(self.course, drill.skill)
        card_face = CardFace(drill.id, face_kind, title, self.stem_html, back_html, lesson_title_and_url)
        return card_face._replace(practice_path=f"{drill.exercise_id}?level={drill.level}")


class RatingButton(NamedTuple):
    """A rating, with what it will do."""

    rating: int
    label: str
    due_words: str
    is_likely: bool


def rating_buttons_of(
    card_row: CardRow,
    card_past: CardPast,
    deck_settings: DeckSettings,
    time_zone: str,
    now: datetime,
    is_right: bool,
) -> list[RatingButton]:
    """The ratings, each with the day on which the card would return, if it would; the likely one stands
    out."""
    next_memory_by_rating = memory_by_rating(card_row.memory, card_row.card_ref, now, deck_settings.retention)
    rating_buttons = []
    for rating, rating_label in RATING_LABELS_BY_COUNT[deck_settings.button_count].items():
        card_status = status_after(card_row, card_past, rating, next_memory_by_rating[rating])
        due_words = outcome_words(card_status, next_memory_by_rating[rating], now, time_zone)
        is_likely = is_right and rating is Rating.GOOD
        rating_buttons.append(RatingButton(rating, rating_label, due_words, is_likely))
    return rating_buttons


def outcome_words(card_status: str, memory: Memory, reviewed_at: datetime, time_zone: str) -> str:
    """What a review leads to: when the card returns, or why it does not."""
    return WORDS_BY_LAST_STATUS.get(card_status) or return_time_words(memory, reviewed_at, time_zone)


def return_time_words(memory: Memory, now: datetime, time_zone: str) -> str:
    """When a card returns, as people say it.

    >>> from datetime import UTC, timedelta
    >>> at, zone = datetime(2026, 9, 1, 4, tzinfo=UTC), "Asia/Shanghai"
    >>> [return_time_words(Memory(due_at=at + timedelta(minutes=m)), at, zone) for m in (1, 10, 1440)]
    ['1分钟后', '10分钟后', '明天']
    >>> [return_time_words(Memory(due_at=at + timedelta(days=d)), at, zone) for d in (2, 12, 75, 800)]
    ['后天', '12天后', '约2个月后', '约2年后']
    """
    if memory.due_at is None:
        return "还没排"
    seconds_until_due = (memory.due_at - now).total_seconds()
    if memory.state in ("learning", "relearning") or seconds_until_due < 3600:
        return f"{max(1, round(seconds_until_due / 60))}分钟后"
    days_until_due = (day_of(memory.due_at, time_zone) - day_of(now, time_zone)).days
    if days_until_due < 3:
        return ("今天", "明天", "后天")[max(0, days_until_due)]
    if days_until_due < 30:
        return f"{days_until_due}天后"
    if days_until_due < 600:
        return f"约{round(days_until_due / 30.4)}个月后"
    return f"约{round(days_until_due / 365)}年后"


def review_count_of(card_row: CardRow | None) -> int:
    """How often a card was reviewed."""
    if card_row is None:
        return 0
    return card_row.memory.review_count


def card_state_of(card_row: CardRow | None) -> str:
    """Where a card stands, as a word of the code: its status, or its state while it is active."""
    if card_row is None:
        return "out"
    if card_row.status == "active":
        return card_row.memory.state
    return card_row.status


def due_time_words(card_row: CardRow | None, now: datetime, time_zone: str) -> str:
    """When a card of the deck comes; empty for one that does not come."""
    if card_row is None or card_row.status != "active" or card_row.memory.due_at is None:
        return ""
    if card_row.memory.due_at <= now:
        return "到期了"
    return return_time_words(card_row.memory, now, time_zone)
