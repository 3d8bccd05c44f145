"""今天的五分钟: cards, two questions, a case of the 勘误馆 and two rounds of a game, on one page.

What does not fit into five minutes stands below them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course
from app.course.practice.five_minutes import (
    CARD_COUNT,
    CARD_MINUTES,
    CASE_MINUTES,
    DAILY_PRACTICE_MINUTES,
    GAME_MINUTES,
    DailyQuestion,
)
from app.records.cards.values import DayCounts
from app.records.practice.five_minutes import FiveMinutesData, load_five_minutes
from app.web.items.variants import Variant
from app.web.reference.errata import case_url
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()
FIVE_MINUTES_ADDRESS = "/five-minutes"
CARDS_TAG, GAME_TAG = "闪卡", "游戏"


class DailyPart(NamedTuple):
    """One thing to do today: what it is, why, where, how long, and whether it is done."""

    tag: str
    text: str
    url: str
    label: str
    minutes: int
    is_done: bool = False


class DailyOffer(NamedTuple):
    """The parts of five minutes, done or not, and those for which no time is left."""

    parts: Sequence[DailyPart]
    extra_parts: Sequence[DailyPart]

    @property
    def waiting_parts(self) -> list[DailyPart]:
        return [daily_part for daily_part in self.parts if not daily_part.is_done]

    @property
    def is_done(self) -> bool:
        """Whether something was offered and all of it is done.

        >>> DailyOffer((), ()).is_done
        False
        """
        return bool(self.parts) and not self.waiting_parts

    @property
    def has_waiting_besides_game(self) -> bool:
        """Whether something to learn is not done."""
        return any(daily_part.tag != GAME_TAG for daily_part in self.waiting_parts)

    @property
    def has_waiting_cards(self) -> bool:
        """Whether the cards of the day are not done."""
        return any(daily_part.tag == CARDS_TAG for daily_part in self.waiting_parts)

    @property
    def done_count(self) -> int:
        return len(self.parts) - len(self.waiting_parts)

    @property
    def remaining_minutes(self) -> int:
        """How long takes what is not done."""
        return sum(daily_part.minutes for daily_part in self.waiting_parts)


@router.get(FIVE_MINUTES_ADDRESS)
async def show(request: RequestDep) -> Response:
    """What today offers; what is done is ticked, and when all is, it ends."""
    five_minutes_data = await request.read(load_five_minutes, request.course, request.now)
    daily_offer = daily_offer_of(request.course, five_minutes_data)
    return request.page(
        "practice/five_minutes",
        is_signed_in=five_minutes_data.learner_id is not None,
        page="practice",
        title="今天的五分钟",
        daily_offer=daily_offer,
        next_part=next(iter(daily_offer.waiting_parts), None),
    )


def daily_offer_of(course: Course, five_minutes_data: FiveMinutesData) -> DailyOffer:
    """What today offers, and how far it is done."""
    return offer_within(
        parts_of_day(course, five_minutes_data), minutes_beside_cards(five_minutes_data.card_counts)
    )


def minutes_beside_cards(day_counts: DayCounts) -> int:
    """How long all but the cards may take. Who has cards needs the time for them on a day without any too, or
    the first one that comes would push out what was planned.
    """
    if day_counts.deck_counts.card_count:
        return DAILY_PRACTICE_MINUTES - CARD_MINUTES
    return DAILY_PRACTICE_MINUTES


def offer_within(daily_parts: Iterable[DailyPart], minutes_beside_cards: int) -> DailyOffer:
    """The parts of five minutes, in their order, and those for which no time is left."""
    remaining_minutes = minutes_beside_cards
    fitting_parts, extra_parts = [], []
    for daily_part in daily_parts:
        if daily_part.tag == CARDS_TAG:
            fitting_parts.append(daily_part)
        elif daily_part.minutes <= remaining_minutes:
            remaining_minutes -= daily_part.minutes
            fitting_parts.append(daily_part)
        else:
            extra_parts.append(daily_part)
    return DailyOffer(fitting_parts, extra_parts)


def parts_of_day(course: Course, five_minutes_data: FiveMinutesData) -> Iterator[DailyPart]:
    """The parts of a day, in the order in which they are offered."""
    yield from cards_part_if_any(five_minutes_data.card_counts)
    for daily_question in five_minutes_data.plan.questions:
        yield question_part(course, daily_question, five_minutes_data)
    if five_minutes_data.plan.case_id is not None:
        errata_case = course.errata[five_minutes_data.plan.case_id]
        errata_case_url = case_url(five_minutes_data.plan.case_id)
        yield DailyPart(
            "勘误馆",
            errata_case.title,
            errata_case_url,
            "断这一案",
            CASE_MINUTES,
            five_minutes_data.is_case_done,
        )
    if course.games is not None:
        duel_sentence = "“谁的推荐更懂我”，猜两回合：头一回合天天一样，热热身；第2回合是今天的糖。"
        duel_url = f"/games/duel?seed={five_minutes_data.plan.duel_seed}"
        yield DailyPart(
            GAME_TAG, duel_sentence, duel_url, "猜两回合", GAME_MINUTES, five_minutes_data.has_played
        )


def cards_part_if_any(day_counts: DayCounts) -> Iterator[DailyPart]:
    """The first cards of the day, where there are any: done once so many were turned, or none is left."""
    turned_card_count = day_counts.done_today.card_count
    waiting_card_count = min(CARD_COUNT - turned_card_count, day_counts.remaining_count)
    if waiting_card_count > 0:
        card_sentence = f"今天有{day_counts.remaining_count}张，先翻{waiting_card_count}张。"
        if turned_card_count:
            card_sentence = f"翻过{turned_card_count}张了，再翻{waiting_card_count}张。"
        yield DailyPart(CARDS_TAG, card_sentence, "/cards/review", "翻卡片", CARD_MINUTES)
    elif turned_card_count:
        yield DailyPart(
            CARDS_TAG, f"翻了{turned_card_count}张。", "/cards/review", "翻卡片", CARD_MINUTES, is_done=True
        )


def question_part(
    course: Course, daily_question: DailyQuestion, five_minutes_data: FiveMinutesData
) -> DailyPart:
    """A question of a skill. A fixed item has the same numbers everywhere: wherever it was answered today, it
    is done."""
    question_url = f"/items/{daily_question.item_id}?seed={daily_question.seed}"
    minutes = course.items[daily_question.item_id].minutes
    is_done = course.ref(daily_question.item_id) in five_minutes_data.item_refs_today
    if daily_question.exercise_id:
        question_url = Variant(daily_question.exercise_id, daily_question.level, daily_question.seed).url
        is_done = course.ref(daily_question.attempt_name) in five_minutes_data.attempt_refs_today
    return DailyPart("练一道", daily_question.reason, question_url, "做这道", minutes, is_done)
