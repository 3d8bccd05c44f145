"""Many cards at once: the sets of the stages, the list of all, the past of one."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.course import Course, Stage
from app.course.cards.decks import MISTAKE_CARD_PREFIX
from app.records.cards.own_cards import is_own_card
from app.records.cards.scheduling import Rating, unpack_memory_and_status
from app.records.cards.values import CardData, CardRow, DeckData, OwnCardRow
from app.web.cards.card_views import (
    RATING_LABELS_BY_COUNT,
    CardFace,
    card_state_of,
    due_time_words,
    face_of,
    outcome_words,
    review_count_of,
    skill_name,
    stage_of,
)
from app.web.paging import list_page_of
from app.web.site.clock import day_words
from app.web.site.responses import Context

CARDS_ON_PAGE = 40
OWN_STAGE = "own"
OWN_TITLE = "我的卡片"
LABEL_BY_RATING = {**RATING_LABELS_BY_COUNT[4], **RATING_LABELS_BY_COUNT[2]}


class CardSet(NamedTuple):
    """The cards of a stage; `new_card_ids`: not in the deck yet; `computed_card_count` ask for a number."""

    stage: Stage
    card_count: int
    computed_card_count: int
    new_card_ids: Sequence[str]


def card_sets(course: Course, collected_refs: Collection[str]) -> list[CardSet]:
    """Every stage that has cards."""
    card_sets_of_stages = []
    for stage in course.stages:
        card_ids = course.card_ids_by_stage_id[stage.id]
        if card_ids:
            computed_card_count = sum(card_id in course.drill_by_id for card_id in card_ids)
            new_card_ids = [card_id for card_id in card_ids if course.ref(card_id) not in collected_refs]
            card_sets_of_stages.append(CardSet(stage, len(card_ids), computed_card_count, new_card_ids))
    return card_sets_of_stages


class CardFilter(NamedTuple):
    """Which cards to list, as the address says."""

    stage_id: str = ""
    state: str = ""
    search_text: str = ""
    page: int = 1

    def url(self, **changes: Any) -> str:
        """The list with something changed; another choice begins at its first page.

        >>> CardFilter(stage_id="concepts", page=3).url(state="leech")
        '/cards/all?stage=concepts&state=leech'
        """
        changed_filter = self._replace(**{"page": 1} | changes)
        text_by_field: dict[str, object] = {
            "stage": changed_filter.stage_id,
            "state": changed_filter.state,
            "q": changed_filter.search_text,
        }
        if changed_filter.page > 1:
            text_by_field["page"] = changed_filter.page
        filled_fields = {
            field_name: field_text for field_name, field_text in text_by_field.items() if field_text
        }
        return f"/cards/all?{urlencode(filled_fields)}"

    def accepts(
        self, course: Course, card_ref: str, card_row: CardRow | None, own_card_row: OwnCardRow | None
    ) -> bool:
        """Whether a card fits by its state, its stage and its words."""
        if self.state and card_state_of(card_row) != self.state:
            return False
        if self.stage_id and stage_id(course, card_ref) != self.stage_id:
            return False
        return self.search_text.casefold() in searched_text(course, card_ref, own_card_row).casefold()


class ListedCard(NamedTuple):
    """A card in the list."""

    face: CardFace
    state: str
    due_words: str


def card_list_context(course: Course, deck_data: DeckData, card_filter: CardFilter, now: datetime) -> Context:
    """The context of the list: one page of the cards that fit."""
    card_row_by_card_ref = deck_data.card_row_by_card_ref()
    own_card_row_by_card_ref = deck_data.own_card_row_by_card_ref()
    card_refs = []
    for card_ref in all_card_refs(course, deck_data):
        own_card_row = own_card_row_by_card_ref.get(card_ref)
        if card_filter.accepts(course, card_ref, card_row_by_card_ref.get(card_ref), own_card_row):
            card_refs.append(card_ref)
    list_page = list_page_of(len(card_refs), card_filter.page, CARDS_ON_PAGE)
    listed_cards = []
    for card_ref in card_refs[list_page.index_range]:
        card_row = card_row_by_card_ref.get(card_ref)
        card_face = face_of(
            course, card_ref, own_card_row_by_card_ref.get(card_ref), review_count_of(card_row)
        )
        if card_face:
            due_words = due_time_words(card_row, now, deck_data.time_zone)
            listed_cards.append(ListedCard(card_face, card_state_of(card_row), due_words))
    return {
        "cards": listed_cards,
        "card_count": len(card_refs),
        "page_count": list_page.page_count,
        "page_number": list_page.number,
    }


def title_by_stage_id(course: Course) -> dict[str, str]:
    """The titles of what a card can belong to, as the filter offers them."""
    title_by_id = {stage.id: stage.title for stage in course.stages}
    return title_by_id | {OWN_STAGE: OWN_TITLE}


def all_card_refs(course: Course, deck_data: DeckData) -> Iterator[str]:
    """Every card there is: the course's, the mistakes that were collected, the learner's own.

    Not a mistake that the course has no more: where it comes for review it is taken out.
    """
    for stage in course.stages:
        yield from map(course.ref, course.card_ids_by_stage_id[stage.id])
    mistake_card_prefix = course.ref(MISTAKE_CARD_PREFIX)
    for card_row in deck_data.cards:
        is_mistake = card_row.card_ref.startswith(mistake_card_prefix)
        if is_mistake and course.bare_id(card_row.card_ref) in course.drill_by_id:
            yield card_row.card_ref
    for own_card_row in deck_data.own_cards:
        yield own_card_row.card_ref


def stage_id(course: Course, card_ref: str) -> str:
    """The stage that a card belongs to, as addresses name it."""
    if is_own_card(card_ref):
        return OWN_STAGE
    stage = stage_of(course, course.bare_id(card_ref))
    if stage is None:
        return ""
    return stage.id


def stage_title(course: Course, card_ref: str) -> str:
    """The title of the stage that a card belongs to."""
    stage = stage_of(course, course.bare_id(card_ref))
    if stage is None:
        return OWN_TITLE
    return stage.title


def searched_text(course: Course, card_ref: str, own_card_row: OwnCardRow | None) -> str:
    """What is searched: both sides as they are written, and the name of the skill."""
    if own_card_row:
        return f"{own_card_row.front}\n{own_card_row.back}\n{own_card_row.tags}"
    card_id = course.bare_id(card_ref)
    name_of_skill = skill_name(course, course.skill_id_of_card(card_id) or "")
    if drill := course.drill_by_id.get(card_id):
        exercise = course.exercises[drill.exercise_id]
        return f"{exercise.title}\n{name_of_skill}"
    card = course.cards[card_id]
    return f"{card.front}\n{card.back}\n{name_of_skill}"


class PastReviewView(NamedTuple):
    """A review in the history of a card. `return_words`: when the card was to come back, if it was."""

    day_text: str
    rating_label: str
    typed_text: str | None
    return_words: str
    is_undone: bool


def past_review_views_of(card_data: CardData) -> list[PastReviewView]:
    """The reviews of a card, the newest first; those that were taken back are said to be."""
    review_views = []
    for review in reversed(card_data.reviews):
        memory, card_status = unpack_memory_and_status(review.packed_after)
        rating_label = LABEL_BY_RATING[Rating(review.rating)]
        return_words = outcome_words(card_status, memory, review.reviewed_at, card_data.time_zone)
        is_undone = review.undone_at is not None
        review_views.append(
            PastReviewView(day_words(review.day), rating_label, review.raw, return_words, is_undone)
        )
    return review_views
