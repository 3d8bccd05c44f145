"""What a deck looks like in a file."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from app.course import Course
from app.course.cards import card_files
from app.course.cards.card_files import CardFileRow, Note
from app.course.text import markdown
from app.records.cards.values import DeckData, LogRow, OwnRow
from app.web.cards.card_drafts import listed, plain
from app.web.cards.card_list_views import WORDS, names, stage_title
from app.web.cards.card_views import STATES, CardExercise, about, name_of, state_of

CARD_HEAD = ("正面", "背面", "标签", "卡片", "阶段", "知识点", "状态", "到期", "复习次数", "忘过次数")
LOG_HEAD = ("卡片", "第几次", "评分", "时刻", "日子", "秒", "写的数", "误区", "撤了")


def cards(course: Course, look: DeckData) -> list[dict[str, Any]]:
    """Every card of the deck with both sides in Markdown, and where it stands."""
    own = {one.card: one for one in look.own}
    return [
        {
            **sides(course, row.card, own.get(row.card), row.memory.reps),
            "card": name_of(course, row.card),
            "stage": stage_title(course, row.card),
            "skill": about(course, course.card_skill(course.bare(row.card)) or "")[0],
            "state": state_of(row),
            "due_at": row.memory.due_at and row.memory.due_at.isoformat(),
            "reviews": row.memory.reps,
            "lapses": row.memory.lapses,
            "stability": row.memory.stability,
            "difficulty": row.memory.difficulty,
        }
        for row in look.rows
        if sides(course, row.card, own.get(row.card), row.memory.reps)
    ]


def sides(course: Course, ref: str, own: OwnRow | None, reps: int) -> dict[str, str]:
    """Front, back and tags; nothing for a card that the course has no more."""
    name = course.bare(ref)
    if own:
        return {"front": own.front, "back": own.back, "tags": own.tags}
    tags = stage_title(course, ref).replace(" ", "_")
    if drill := course.drills.get(name):
        return {**_drilled(CardExercise(course, drill, reps)), "tags": f"{tags} 换数"}
    card = course.cards.get(name)
    return (
        {"front": plain(course, card.front), "back": plain(course, card.back), "tags": tags} if card else {}
    )


def _drilled(found: CardExercise) -> dict[str, str]:
    """A card that computes, with the numbers of now: in a file they stay as they are."""
    ranking = found.item.ranking
    parts = [found.item.stem, *(listed(ranking) if ranking else ()), found.parts.contract]
    front = "\n\n".join(filter(None, parts))
    return {"front": front, "back": "\n".join(f"- {line}" for line in found.item.solution())}


def card_table(course: Course, look: DeckData) -> str:
    fields = ("front", "back", "tags", "card", "stage", "skill", "state", "due_at", "reviews", "lapses")
    rows = [[one[field] for field in fields] for one in cards(course, look)]
    for row in rows:
        row[6] = STATES[row[6]]
    return card_files.table([CARD_HEAD, *rows])


def log_table(course: Course, log: Sequence[LogRow]) -> str:
    return card_files.table([LOG_HEAD, *([*row.values()] for row in log_rows(course, log))])


def log_rows(course: Course, log: Sequence[LogRow]) -> Iterator[dict[str, Any]]:
    for row in log:
        yield {
            "card": name_of(course, row.card),
            "number": row.number,
            "rating": next(word for rating, word in WORDS.items() if rating == row.rating),
            "reviewed_at": row.reviewed_at.isoformat(),
            "day": row.day.isoformat(),
            "seconds": row.seconds,
            "typed": row.raw,
            "misconception": row.misconception,
            "undone": row.undone_at is not None,
        }


def as_json(course: Course, look: DeckData, log: Sequence[LogRow]) -> str:
    """All of it, for programs; `before` and `after` are the memory as it was kept."""
    reviews = [
        {**told, "rating": row.rating, "before": json.loads(row.before), "after": json.loads(row.after)}
        for told, row in zip(log_rows(course, log), log, strict=True)
    ]
    body = {"format": "tangxu-cards-1", "cards": cards(course, look), "reviews": reviews}
    return json.dumps(body, ensure_ascii=False, indent=1)


def anki(course: Course, look: DeckData, moment: datetime) -> bytes:
    """The deck for Anki; without a deck, all cards of the course."""
    own = {one.card: one for one in look.own}
    refs = [row.card for row in look.rows] or list(names(course, look))
    reps = {row.card: row.memory.reps for row in look.rows}
    return card_files.package(
        [
            note(course, ref, own.get(ref), found)
            for ref in refs
            if (found := sides(course, ref, own.get(ref), reps.get(ref, 0)))
        ],
        moment.timestamp(),
    )


def note(course: Course, ref: str, own: OwnRow | None, found: dict[str, str]) -> Note:
    key = f"{ref}@{own.created_at.isoformat()}" if own else ref
    deck = f"糖序::{stage_title(course, ref)}"
    front, back = (markdown.render_for_anki(found[side]) for side in ("front", "back"))
    return Note(key, front, back, deck, found["tags"].split())


def verdicts(course: Course, rows: Sequence[CardFileRow], look: DeckData) -> list[tuple[CardFileRow, str]]:
    """What will happen with each row: new, a card of the course, there already, twice in the file, faulty.

    An own card is known by its words, or by its number and one of its sides: the other was changed since.
    """
    words = {(one.front, one.back) for one in look.own}
    sides = {(name_of(course, one.card), side) for one in look.own for side in (one.front, one.back)}
    deck = {name_of(course, one.card) for one in look.rows}
    seen: set[tuple[str, str]] = set()
    found = []
    for row in rows:
        ours = course.card_skill(row.card) is not None
        key = (row.card, "") if ours else (row.front, row.back)
        mine = key in words or bool({(row.card, row.front), (row.card, row.back)} & sides)
        fresh = "course" if ours else "fault" if row.fault else "new"
        there = row.card in deck if ours else mine
        found.append((row, "there" if there else "twice" if key in seen and fresh != "fault" else fresh))
        seen.add(key)
    return found
