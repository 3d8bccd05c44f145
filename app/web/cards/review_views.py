"""What a page of reviewing shows: the card that comes, what is said beside it, how the day stands."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import Literal, NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.cards.decks import Drill
from app.course.practice.five_minutes import CARD_COUNT
from app.records.cards.scheduling import Memory, unpack_memory_and_status
from app.records.cards.values import CardRow, ReviewData, ReviewRow
from app.records.db.days import day_of
from app.web.cards.card_views import (
    CardExercise,
    CardFace,
    RatingButton,
    face_of,
    name_of,
    rating_buttons_of,
    return_time_words,
)
from app.web.site import slots
from app.web.site.rendering import markup
from app.web.site.site import Site

ReviewState = Literal["empty", "done", "front", "asked", "answered", "told", "gone"]
"""What the page shows: no deck yet; nothing left today; a card to turn, or one to compute; the latter with a
right answer that waits for its rating; or with what the tutor says to a wrong one; or that the course has the
card no more."""
Notice = Literal[
    "stale", "undone", "undone-aside", "undone-once", "not-undone", "leech", "retired", "removed"
]
"""What the page says beside the card, as an address names it."""
SENTENCE_BY_NOTICE: Mapping[Notice, str] = {
    "stale": "这张刚才已经复习过了，多点的那一下没有算。",
    "undone": "收回了，这张重新来。",
    "undone-aside": "刚才那一下收回了。那张你让它先停一停，还停着。",
    "undone-once": "只撤了一张，多点的那一下没有算。",
    "not-undone": "这一下没有撤：那张刚才已经撤了，后面又复习了别的，或者那张已经拿走了。",
    "leech": "刚才那张忘了好几次，先放到一边：换个说法，或者回课文看看。",
    "removed": "这张卡片已经不在你的闪卡里了，刚才那一下没有算。",
    "retired": "刚才那个错，你连着三次没再犯，错题卡毕业了。",
}


def notice_named(notice_name: str) -> Notice | None:
    """The notice of that name; None for any other name, of which nothing is said."""
    for notice in SENTENCE_BY_NOTICE:
        if notice == notice_name:
            return notice
    return None


class ReviewView(NamedTuple):
    """The context of `cards/_review.html`.

    `shown_second`: since when the card is looked at, in seconds since 1970. `undoable_review_id`: the
    review that can be taken back. `exercise` is there when the card computes, `return_words` after a slip:
    when the card comes back, if it does. `gone_name`: how addresses name a card that the course has no more.
    `is_undone`: the last press was on 撤销.
    """

    review_data: ReviewData
    message: str
    shown_second: float
    undoable_review_id: int | None
    state: ReviewState = "empty"
    card: CardFace | None = None
    review_number: int = 1
    exercise: CardExercise | None = None
    rating_buttons: Sequence[RatingButton] = ()
    return_words: str = ""
    next_due_words: str = ""
    is_first: bool = False
    gone_name: str = ""
    is_undone: bool = False

    @property
    def shown_text(self) -> str:
        """When the card was shown, as a form carries it."""
        return f"{self.shown_second:.1f}"

    @property
    def is_daily_share_done(self) -> bool:
        """Whether the cards of 今天的五分钟 were just turned, while the day has more."""
        day_counts = self.review_data.counts
        return day_counts.done_today.card_count == CARD_COUNT and day_counts.remaining_count > 0

    @property
    def plan(self) -> Mapping[str, int] | None:
        return backlog_plan(self.review_data)


def review_view_of(
    course: Course,
    review_data: ReviewData,
    now: datetime,
    notice: Notice | None,
    typed_text: str = "",
    first_shown_second: float | None = None,
) -> ReviewView:
    """The card that comes, or how the day went. `typed_text`: into a card that computes."""
    day_view = view_of_day(review_data, now, notice, first_shown_second)
    card_row = review_data.card
    if card_row is None:
        return view_without_card(day_view, now)
    review_count = card_row.memory.review_count
    drill = course.drill_by_id.get(course.bare_id(card_row.card_ref))
    if drill:
        card_exercise = CardExercise(course, drill, review_count, typed_text or None)
        return view_with_exercise(day_view, card_row, card_exercise, now)
    card_face = face_of(course, card_row.card_ref, review_data.own_card, review_count)
    if card_face is None:
        return day_view._replace(state="gone", gone_name=name_of(course, card_row.card_ref))
    return view_with_card(day_view, card_row, card_face, now)


def view_of_day(
    review_data: ReviewData,
    now: datetime,
    notice: Notice | None = None,
    first_shown_second: float | None = None,
) -> ReviewView:
    """What stands around any card. `first_shown_second`: when the card was shown, if not now."""
    notice_sentence = ""
    if notice:
        notice_sentence = SENTENCE_BY_NOTICE[notice]
    if first_shown_second is None:
        first_shown_second = now.timestamp()
    return ReviewView(
        review_data,
        notice_sentence,
        first_shown_second,
        undoable_review_id_of(review_data),
        is_undone=notice in ("undone", "undone-aside", "undone-once"),
    )


def view_without_card(day_view: ReviewView, now: datetime) -> ReviewView:
    """How the day went, or that there is no deck yet."""
    if not day_view.review_data.counts.deck_counts.card_count:
        return day_view
    return day_view._replace(state="done", next_due_words=next_due_words(day_view.review_data, now))


def view_with_card(
    day_view: ReviewView, card_row: CardRow, card_face: CardFace, now: datetime, is_right: bool = False
) -> ReviewView:
    """A card to turn. `is_right`: it was computed rightly, so that one rating is likely."""
    review_data = day_view.review_data
    return day_view._replace(
        state="front",
        card=card_face,
        review_number=review_data.review_number,
        rating_buttons=rating_buttons_of(
            card_row, review_data.card_past, review_data.settings, review_data.time_zone, now, is_right
        ),
        is_first=card_row.memory.state == "new",
    )


def view_with_exercise(
    day_view: ReviewView, card_row: CardRow, card_exercise: CardExercise, now: datetime
) -> ReviewView:
    """A card to compute; a right answer waits for its rating."""
    review_state: ReviewState = "asked"
    if card_exercise.is_right:
        review_state = "answered"
    day_view = view_with_card(day_view, card_row, card_exercise.face, now, card_exercise.is_right)
    return day_view._replace(state=review_state, exercise=card_exercise)


def notice_of_absence(review_data: ReviewData) -> Notice:
    """Why the review that was asked for does not come."""
    if review_data.past_review:
        return "stale"
    return "removed"


def slip_view(
    course: Course, drill: Drill, review_data: ReviewData, review: ReviewRow, now: datetime
) -> ReviewView:
    """A card that was computed wrongly: it has rated itself 忘了."""
    memory_before, _ = unpack_memory_and_status(review.packed_before)
    memory_after, card_status = unpack_memory_and_status(review.packed_after)
    day_view = view_of_day(review_data, now, notice_named(card_status))
    undoable_review_id = day_view.undoable_review_id
    if undoable_review_id != review.id:
        undoable_review_id = None
    card_exercise = CardExercise(course, drill, memory_before.review_count, review.raw or None)
    return_words = ""
    if card_status == "active":
        return_words = return_time_words(memory_after, review.reviewed_at, review_data.time_zone)
    return day_view._replace(
        undoable_review_id=undoable_review_id,
        state="told",
        card=card_exercise.face,
        exercise=card_exercise,
        return_words=return_words,
    )


def undoable_review_id_of(review_data: ReviewData) -> int | None:
    """The review that U takes back: the last one, if it is of today."""
    last_review = review_data.last_review
    if last_review and last_review.day == review_data.day:
        return last_review.id
    return None


def backlog_plan(review_data: ReviewData) -> Mapping[str, int] | None:
    """How a backlog beyond today's limit gets smaller: how many wait, how many a day, in how many days."""
    day_counts = review_data.counts
    if not day_counts.waiting_count:
        return None
    cards_a_day = max(1, review_data.settings.due_cards_a_day)
    day_count = ceil((day_counts.waiting_count + day_counts.due_count) / cards_a_day)
    return {"waiting_count": day_counts.waiting_count, "cards_a_day": cards_a_day, "day_count": day_count}


def next_due_words(review_data: ReviewData, now: datetime) -> str:
    """When there is something again: later today, tomorrow what the limits held back, or when it is due."""
    next_due_at = review_data.next_due_at
    if next_due_at and day_of(next_due_at, review_data.time_zone) <= day_of(now, review_data.time_zone):
        if next_due_at - now >= timedelta(hours=1):
            return "今天晚些时候"
        return return_time_words(Memory(state="learning", due_at=next_due_at), now, review_data.time_zone)
    if review_data.counts.waiting_count or (
        review_data.counts.deck_counts.new_count and review_data.settings.new_cards_a_day
    ):
        return "明天"
    if next_due_at is None:
        return ""
    return return_time_words(Memory(state="review", due_at=next_due_at), now, review_data.time_zone)


class CardFlash(NamedTuple):
    """Everything on which the look of a card to be turned depends: what `cards/_flash.html` has of it."""

    card: CardFace
    rating_buttons: tuple[RatingButton, ...]
    is_first: bool
    state: str = "front"
    exercise: None = None


def flash_html(site: Site, card_flash: CardFlash, review_number: int, shown_second_text: str) -> Markup:
    """A card to be turned, for this review; kept, for it looks the same to whoever has the same ratings below
    it. `shown_second_text`: since when it is looked at, as its form carries it.

    CPU of the card and what is around it, before → after (µs): 201 → 101.
    """

    def make_html() -> Markup:
        return site.render(
            "cards/_flash.html",
            review=card_flash,
            number=slots.REVIEW_NUMBER,
            shown=slots.SHOWN_AT,
            sender_field=slots.SENDER,
        )

    html_of_flash = markup(site.cached_html(card_flash, make_html))
    return slots.fill(
        html_of_flash, {slots.REVIEW_NUMBER: str(review_number), slots.SHOWN_AT: shown_second_text}
    )
