"""The deck and its log written to files: for Anki, for spreadsheets, for programs.

Moments stand in the time zone of the learner, by which their days are counted too, with its offset.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from app.course import Course
from app.course.cards.card_files import AnkiNote, anki_package
from app.course.text import markdown
from app.course.text.csv_tables import csv_text
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRow, DeckData, OwnCardRow, ReviewRow
from app.web.cards.card_list_views import LABEL_BY_RATING, all_card_refs, stage_title
from app.web.cards.card_views import (
    NAME_BY_STATE,
    CardExercise,
    card_state_of,
    name_of,
    review_count_of,
    skill_name,
)
from app.web.cards.editable_texts import bulleted_markdown, editable_text, returned_and_unreturned_texts

HEADING_BY_CARD_FIELD = {
    "front": "正面", "back": "背面", "tags": "标签", "card": "卡片", "stage": "阶段", "skill": "知识点",
    "state": "状态", "due_at": "到期", "reviews": "复习次数", "lapses": "忘过次数",
}  # fmt: skip
MEDIA_TYPE_BY_FILE = {
    "deck.apkg": "application/octet-stream",
    "cards.csv": "text/csv; charset=utf-8",
    "reviews.csv": "text/csv; charset=utf-8",
    "deck.json": "application/json",
}
"""The files that a deck can be written to."""
FileRecord = dict[str, Any]
"""A card or a review as files have it."""
LOG_HEADINGS = ("卡片", "第几次", "评分", "时刻", "日子", "秒", "写的数", "误区", "撤了")


def file_content_of(
    format_name: str, course: Course, deck_data: DeckData, past_reviews: Sequence[ReviewRow], now: datetime
) -> str | bytes:
    """The content of one of the files of `MEDIA_TYPE_BY_FILE`."""
    match format_name:
        case "deck.apkg":
            return anki_package(anki_notes(course, deck_data), now.timestamp())
        case "cards.csv":
            return cards_csv(course, deck_data)
        case "reviews.csv":
            return review_log_csv(course, deck_data, past_reviews)
    return deck_json(course, deck_data, past_reviews)


class CardSides(NamedTuple):
    """Front, back and tags of a card in Markdown."""

    front: str
    back: str
    tags: str


def sides_of(
    course: Course, card_ref: str, own_card_row: OwnCardRow | None, review_count: int
) -> CardSides | None:
    """Both sides of a card; None for a card that the course has no more."""
    if own_card_row:
        return CardSides(own_card_row.front, own_card_row.back, own_card_row.tags)
    card_id = course.bare_id(card_ref)
    tags = stage_title(course, card_ref).replace(" ", "_")
    if drill := course.drill_by_id.get(card_id):
        return drill_sides(CardExercise(course, drill, review_count), tags)
    card = course.cards.get(card_id)
    if card is None:
        return None
    front = editable_text(course, card.front)
    back = editable_text(course, card.back)
    return CardSides(front, back, tags)


def drill_sides(card_exercise: CardExercise, tags: str) -> CardSides:
    """A card that computes, with the numbers of now: in a file they stay as they are."""
    variant_item = card_exercise.item
    front_texts = [variant_item.stem]
    if variant_item.ranking:
        front_texts += returned_and_unreturned_texts(variant_item.ranking)
    front_texts.append(card_exercise.kind_view.rounding_sentence)
    front = "\n\n".join(filter(None, front_texts))
    back = bulleted_markdown(variant_item.solution())
    return CardSides(front, back, f"{tags} 换数")


def card_records(course: Course, deck_data: DeckData) -> Iterator[FileRecord]:
    """Every card of the deck that the course still has."""
    own_card_row_by_card_ref = deck_data.own_card_row_by_card_ref()
    for card_row in deck_data.cards:
        own_card_row = own_card_row_by_card_ref.get(card_row.card_ref)
        card_sides = sides_of(course, card_row.card_ref, own_card_row, card_row.memory.review_count)
        if card_sides:
            yield card_record(course, card_row, card_sides, deck_data.time_zone)


def card_record(course: Course, card_row: CardRow, card_sides: CardSides, time_zone: str) -> FileRecord:
    """A card of the deck: both sides, and how well it sits."""
    memory = card_row.memory
    skill_id = course.skill_id_of_card(course.bare_id(card_row.card_ref)) or ""
    due_time_text = None
    if memory.due_at:
        due_time_text = local_time_text(memory.due_at, time_zone)
    return {
        **card_sides._asdict(),
        "card": name_of(course, card_row.card_ref),
        "stage": stage_title(course, card_row.card_ref),
        "skill": skill_name(course, skill_id),
        "state": card_state_of(card_row),
        "due_at": due_time_text,
        "reviews": memory.review_count,
        "lapses": memory.lapse_count,
        "stability": memory.stability,
        "difficulty": memory.difficulty,
    }


def cards_csv(course: Course, deck_data: DeckData) -> str:
    """The cards for a spreadsheet: the columns of `HEADING_BY_CARD_FIELD`."""
    csv_rows = [list(HEADING_BY_CARD_FIELD.values())]
    for file_record in card_records(course, deck_data):
        file_record["state"] = NAME_BY_STATE[file_record["state"]]
        csv_rows.append([file_record[card_field] for card_field in HEADING_BY_CARD_FIELD])
    return csv_text(csv_rows)


def local_time_text(moment: datetime, time_zone: str) -> str:
    """A moment for spreadsheets and programs, by the clock of a time zone.

    >>> local_time_text(datetime.fromisoformat("2026-11-28T07:16:52+00:00"), "Asia/Shanghai")
    '2026-11-28T15:16:52+08:00'
    """
    return moment.astimezone(ZoneInfo(time_zone)).isoformat()


def review_log_csv(course: Course, deck_data: DeckData, past_reviews: Sequence[ReviewRow]) -> str:
    """The reviews for a spreadsheet: the columns of `LOG_HEADINGS`."""
    csv_rows = [tuple(review_record(course, review, deck_data.time_zone).values()) for review in past_reviews]
    return csv_text([LOG_HEADINGS, *csv_rows])


def review_record(course: Course, review: ReviewRow, time_zone: str) -> FileRecord:
    """A review with its rating in words, in the order of `LOG_HEADINGS`."""
    return {
        "card": name_of(course, review.card_ref),
        "number": review.review_number,
        "rating": LABEL_BY_RATING[Rating(review.rating)],
        "reviewed_at": local_time_text(review.reviewed_at, time_zone),
        "day": review.day.isoformat(),
        "seconds": review.seconds,
        "typed": review.raw,
        "misconception": review.misconception_code,
        "undone": review.undone_at is not None,
    }


def deck_json(course: Course, deck_data: DeckData, past_reviews: Sequence[ReviewRow]) -> str:
    """All of it, for programs; `before` and `after` are the memory as it was kept."""
    review_records = []
    for review in past_reviews:
        file_record = review_record(course, review, deck_data.time_zone)
        file_record["rating"] = review.rating
        file_record["before"] = json.loads(review.packed_before)
        file_record["after"] = json.loads(review.packed_after)
        review_records.append(file_record)
    file_body = {
        "format": "tangxu-cards-1",
        "cards": list(card_records(course, deck_data)),
        "reviews": review_records,
    }
    return json.dumps(file_body, ensure_ascii=False, indent=1)


def anki_notes(course: Course, deck_data: DeckData) -> Iterator[AnkiNote]:
    """The cards of a deck for Anki, each known by its name for ever; without a deck, those of the course."""
    own_card_row_by_card_ref = deck_data.own_card_row_by_card_ref()
    card_row_by_card_ref = deck_data.card_row_by_card_ref()
    for card_ref in card_row_by_card_ref or all_card_refs(course, deck_data):
        own_card_row = own_card_row_by_card_ref.get(card_ref)
        review_count = review_count_of(card_row_by_card_ref.get(card_ref))
        card_sides = sides_of(course, card_ref, own_card_row, review_count)
        if card_sides is None:
            continue
        note_key = card_ref
        if own_card_row:
            note_key = note_key_of(own_card_row)
        front = markdown.render_for_anki(card_sides.front)
        back = markdown.render_for_anki(card_sides.back)
        subdeck = f"糖序::{stage_title(course, card_ref)}"
        yield AnkiNote(note_key, front, back, subdeck, card_sides.tags.split())


def note_key_of(own_card_row: OwnCardRow) -> str:
    """By which an own card stays the same note: its number may belong to another card in another database."""
    return f"{own_card_row.card_ref}@{own_card_row.created_at.isoformat()}"
