"""Cards as a learner sees them: both sides, the numbers of a card that computes, when each comes back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from markupsafe import Markup

from app.course import Course, Stage, Unreadable
from app.course.cards.decks import Drill, mistake_card, seed_of
from app.course.items.kinds import Numeric
from app.course.items.marks import Mark
from app.course.text import card_markdown
from app.engine import MISCONCEPTIONS
from app.records.cards.scheduling import Memory, Rating, outcomes
from app.records.cards.values import CardRow, DeckRow, OwnRow
from app.records.db.days import day_of
from app.records.db.errors import NotFound
from app.web.items.item_views import breakable
from app.web.items.kinds import ItemMoment
from app.web.items.kinds.numeric import NumberParts, numeric
from app.web.learning.stage_views import section_url
from app.web.site.responses import markup

SECONDS_A_CARD = 10
OWN = re.compile(r"own-([1-9][0-9]{0,14})")
LABELS: Mapping[int, Mapping[Rating, str]] = {
    2: {Rating.AGAIN: "忘了", Rating.GOOD: "记得"},
    4: {Rating.AGAIN: "重来", Rating.HARD: "困难", Rating.GOOD: "良好", Rating.EASY: "简单"},
}
STATES = {
    "out": "没收", "new": "没学过", "learning": "在学", "relearning": "在重学", "review": "记着",
    "suspended": "停着", "leech": "老是忘", "retired": "毕业了",
}  # fmt: skip


@dataclass(frozen=True)
class Face:
    """A card to look at. `ref`: as records name it; `name`: in addresses."""

    ref: str
    name: str
    kind: str
    skill: str
    title: str
    front: Markup
    back: Markup
    lesson: tuple[str, str] | None = None
    tags: Sequence[str] = ()
    practice: str = ""

    @property
    def url(self) -> str:
        return f"/cards/{self.name}"


def ref_of(course: Course, name: str) -> str:
    """How records name the card of an address; NotFound for none."""
    if own := OWN.fullmatch(name):
        return f"own:{own[1]}"
    if course.card_skill(name) is None:
        raise NotFound("没有这张卡片，也许它已经换掉了。")
    return course.ref(name)


def name_of(course: Course, ref: str) -> str:
    """How addresses name a card of the records."""
    return ref.replace(":", "-", 1) if ref.startswith("own:") else course.bare(ref)


def family_of(course: Course, name: str) -> str:
    """Cards of one knowledge point are kept apart."""
    return course.card_skill(name) or name


def face(course: Course, ref: str, own: OwnRow | None = None, reps: int = 0) -> Face | None:
    """The card with both sides; None for one that the course has no more."""
    if ref.startswith("own:"):
        return own_face(own) if own else None
    name = course.bare(ref)
    if drill := course.drills.get(name):
        return CardExercise(course, drill, reps).face
    card = course.cards.get(name)
    if card is None:
        return None
    title, lesson = about(course, card.skill)
    front, back = markup(course.html(card.front)), markup(course.html(card.back))
    return Face(ref, name, "card", card.skill, title, front, back, lesson)


def own_face(own: OwnRow) -> Face:
    front, back = markup(card_markdown.html(own.front)), markup(card_markdown.html(own.back))
    lesson = ("出处", own.source) if own.source else None
    name = own.card.replace(":", "-")
    return Face(own.card, name, "own", "", "我的卡片", front, back, lesson, own.tags.split())


def about(course: Course, skill: str) -> tuple[str, tuple[str, str] | None]:
    """What a knowledge point is called, and where it is taught."""
    home = course.homes.get(skill)
    name = course.skills[skill].name if skill in course.skills else ""
    return name, (home[1].title, section_url(*home)) if home else None


def stage_of(course: Course, name: str) -> Stage | None:
    """The stage whose set a card belongs to; that of its knowledge point for a card of a mistake."""
    if (drill := course.drills.get(name)) and drill.skill in course.homes:
        return course.homes[drill.skill][0]
    return next((stage for stage in course.stages if name in course.card_sets[stage.id]), None)


@dataclass(frozen=True)
class CardExercise:
    """A card that computes, after so many reviews; `typed` stands in its form."""

    course: Course
    drill: Drill
    reps: int = 0
    typed: str | None = None

    @property
    def seed(self) -> int:
        return seed_of(self.course.ref(self.drill.id), self.reps)

    @property
    def draft_url(self) -> str:
        """A card of one's own, begun with these numbers."""
        return f"/cards/new?card={self.drill.id}"

    @cached_property
    def item(self) -> Numeric:
        found = self.course.variant(self.drill.item, self.seed)
        assert isinstance(found, Numeric)
        return found

    @property
    def dom_id(self) -> str:
        return f"drill-{self.drill.id}"

    @cached_property
    def parts(self) -> NumberParts:
        typed = None if self.typed is None else (self.typed,)
        return numeric(ItemMoment(self.course, self.item, (), "open", typed))

    @property
    def stem(self) -> Markup:
        return markup(self.course.html(self.item.stem))

    @property
    def mistake(self) -> str:
        """What was done once, where the card was made of it."""
        return MISCONCEPTIONS[self.drill.mistake].name if self.drill.mistake else ""

    @property
    def worked(self) -> Sequence[Markup]:
        return [breakable(self.course.line(line)) for line in self.item.solution()]

    @cached_property
    def mark(self) -> Mark | None:
        """None while nothing is typed, or nothing that can be read."""
        try:
            return None if self.typed is None else self.item.mark((self.typed,))
        except Unreadable:
            return None

    @property
    def error(self) -> str:
        try:
            if self.typed is not None:
                self.item.mark((self.typed,))
        except Unreadable as error:
            return str(error)
        return ""

    @property
    def said(self) -> Sequence[Markup]:
        """What the tutor says to the answer."""
        return [markup(self.course.html(text)) for text in self.mark.feedback] if self.mark else []

    @property
    def trap(self) -> str | None:
        """The card of the mistake that was diagnosed just now."""
        found = mistake_card(self.mark.misconception) if self.mark else None
        return found if found in self.course.drills and found != self.drill.id else None

    @property
    def face(self) -> Face:
        exercise = self.course.exercises[self.drill.exercise]
        _, lesson = about(self.course, self.drill.skill)
        title = f"错题卡：{self.mistake}" if self.mistake else f"{exercise.title}·每次换数"
        lines = Markup("<p>{}</p>").format
        return Face(
            ref=self.course.ref(self.drill.id),
            name=self.drill.id,
            kind="mistake" if self.mistake else "drill",
            skill=self.drill.skill,
            title=title,
            front=self.stem,
            back=Markup().join(lines(line) for line in self.worked),
            lesson=lesson,
            practice=f"{self.drill.exercise}?level={self.drill.level}",
        )


@dataclass(frozen=True)
class Button:
    """A rating, with what it will do."""

    rating: int
    label: str
    when: str
    primary: bool


def buttons(row: CardRow, deck: DeckRow, time_zone: str, now: datetime, right: bool = False) -> list[Button]:
    """The ratings, each with the day on which the card would return; the likely one stands out."""
    future = outcomes(row.memory, row.card, now, deck.retention)
    return [
        Button(
            int(rating), label, comes_back(future[rating], now, time_zone), right and rating is Rating.GOOD
        )
        for rating, label in LABELS[deck.buttons].items()
    ]


def comes_back(memory: Memory, now: datetime, time_zone: str) -> str:
    """When a card returns, as people say it.

    >>> from datetime import UTC, timedelta
    >>> at = datetime(2026, 9, 1, 4, tzinfo=UTC)
    >>> [comes_back(Memory(due_at=at + timedelta(minutes=m)), at, "Asia/Shanghai") for m in (1, 10, 1440)]
    ['1分钟后', '10分钟后', '明天']
    >>> [comes_back(Memory(due_at=at + timedelta(days=d)), at, "Asia/Shanghai") for d in (2, 12, 75, 800)]
    ['后天', '12天后', '约2个月后', '约2年后']
    """
    if memory.due_at is None:
        return "还没排"
    if memory.state in ("learning", "relearning") or (memory.due_at - now).total_seconds() < 3600:
        return f"{max(1, round((memory.due_at - now).total_seconds() / 60))}分钟后"
    days = (day_of(memory.due_at, time_zone) - day_of(now, time_zone)).days
    if days < 30:
        return ("今天", "明天", "后天")[max(0, days)] if days < 3 else f"{days}天后"
    return f"约{round(days / 30.4)}个月后" if days < 600 else f"约{round(days / 365)}年后"


def state_of(row: CardRow | None) -> str:
    """Where a card stands, as a word of the code: its status, or its state while it is active."""
    if row is None:
        return "out"
    return row.memory.state if row.status == "active" else row.status


def due_words(row: CardRow, now: datetime, time_zone: str) -> str:
    """When a card in the deck comes."""
    if row.status != "active" or row.memory.due_at is None:
        return ""
    return "到期了" if row.memory.due_at <= now else comes_back(row.memory, now, time_zone)


def card_minutes(cards: int) -> int:
    """How long so many cards take, at least one minute.

    >>> card_minutes(26), card_minutes(1)
    (5, 1)
    """
    return max(1, -(-cards * SECONDS_A_CARD // 60))
