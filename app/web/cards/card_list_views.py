"""Many cards at once: the sets of the stages, the list of all, the past of one."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from app.course import Course, Stage
from app.course.cards.decks import MISTAKE
from app.records.cards.scheduling import Rating, unpacked
from app.records.cards.values import CardData, CardRow, DeckData
from app.web.cards.card_views import LABELS, STATES, Face, comes_back, due_words, face, stage_of, state_of

PER_PAGE = 40
OWN_STAGE = "own"
WORDS = {**LABELS[4], **LABELS[2]}


@dataclass(frozen=True)
class CardSet:
    """The cards of a stage; `fresh` are not in the deck yet."""

    stage: Stage
    total: int
    computing: int
    fresh: tuple[str, ...]


def sets(course: Course, collected: Collection[str]) -> list[CardSet]:
    """Every stage that has cards."""
    return [
        CardSet(
            stage=stage,
            total=len(names),
            computing=sum(name in course.drills for name in names),
            fresh=tuple(name for name in names if course.ref(name) not in collected),
        )
        for stage in course.stages
        if (names := course.card_sets[stage.id])
    ]


@dataclass(frozen=True)
class CardFilter:
    """Which cards to list, as the address says."""

    stage: str = ""
    state: str = ""
    words: str = ""
    page: int = 1

    def url(self, **changes: Any) -> str:
        """The list with something changed; another choice begins at its first page.

        >>> CardFilter(stage="concepts", page=3).url(state="leech")
        '/cards/all?stage=concepts&state=leech'
        """
        other = replace(self, **{"page": 1} | changes)
        fields = {"stage": other.stage, "state": other.state, "q": other.words}
        query = {name: value for name, value in fields.items() if value}
        return f"/cards/all?{urlencode(query | ({'page': other.page} if other.page > 1 else {}))}"


@dataclass(frozen=True)
class ListedCard:
    """A card in the list."""

    face: Face
    stage: str
    state: str
    due: str


def browse(course: Course, look: DeckData, wanted: CardFilter, now: datetime) -> dict[str, Any]:
    """The context of the list: one page of what is wanted."""
    rows = {row.card: row for row in look.rows}
    found = [name for name in names(course, look) if fits(course, look, name, rows, wanted)]
    pages = max(1, -(-len(found) // PER_PAGE))
    here = min(max(1, wanted.page), pages)
    own = {one.card: one for one in look.own}
    listed = []
    for ref in found[(here - 1) * PER_PAGE : here * PER_PAGE]:
        row = rows.get(ref)
        shown = face(course, ref, own.get(ref), row.memory.reps if row else 0)
        if shown:
            due = due_words(row, now, look.time_zone) if row else ""
            listed.append(ListedCard(shown, stage_title(course, ref), state_of(row), due))
    return {
        "cards": listed,
        "total": len(found),
        "pages": pages,
        "here": here,
        "stages": [*[(stage.id, stage.title) for stage in course.stages], (OWN_STAGE, "我的卡片")],
        "states": STATES,
    }


def names(course: Course, look: DeckData) -> Iterator[str]:
    """Every card there is: the course's, the mistakes that were collected, one's own."""
    for stage in course.stages:
        yield from map(course.ref, course.card_sets[stage.id])
    mistake = course.ref(MISTAKE)
    yield from (row.card for row in look.rows if row.card.startswith(mistake))
    yield from (one.card for one in look.own)


def fits(course: Course, look: DeckData, ref: str, rows: Mapping[str, CardRow], wanted: CardFilter) -> bool:
    """Whether a card is wanted, by its stage, its state and its words."""
    if wanted.state and state_of(rows.get(ref)) != wanted.state:
        return False
    if wanted.stage and stage_id(course, ref) != wanted.stage:
        return False
    return wanted.words.casefold() in text_of(course, look, ref).casefold() if wanted.words else True


def stage_id(course: Course, ref: str) -> str:
    if ref.startswith("own:"):
        return OWN_STAGE
    stage = stage_of(course, course.bare(ref))
    return stage.id if stage else ""


def stage_title(course: Course, ref: str) -> str:
    stage = None if ref.startswith("own:") else stage_of(course, course.bare(ref))
    return stage.title if stage else "我的卡片"


def text_of(course: Course, look: DeckData, ref: str) -> str:
    """What is searched: both sides as they are written, and the name of the knowledge point."""
    if ref.startswith("own:"):
        own = next(one for one in look.own if one.card == ref)
        return f"{own.front}\n{own.back}\n{own.tags}"
    name = course.bare(ref)
    skill = course.skills[course.card_skill(name) or ""].name
    if drill := course.drills.get(name):
        return f"{course.exercises[drill.exercise].title}\n{skill}"
    return f"{course.cards[name].front}\n{course.cards[name].back}\n{skill}"


def history(look: CardData) -> list[dict[str, Any]]:
    """The reviews of a card, the newest first; those that were taken back are said to be."""
    return [
        {
            "day": f"{row.day.month}月{row.day.day}日",
            "label": WORDS[Rating(row.rating)],
            "raw": row.raw,
            "then": comes_back(unpacked(row.after)[0], row.reviewed_at, look.time_zone),
            "undone": row.undone_at is not None,
        }
        for row in reversed(look.log)
    ]
