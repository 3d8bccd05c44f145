"""今天的五分钟: due cards, two weak points, a case of the 勘误馆 and one round of a game, on one page."""

from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.responses import Response

from app.course import Course
from app.course.practice.five_minutes import CASE_MINUTES, GAME_MINUTES, MOST_DUE_CARDS, DailyQuestion
from app.records.practice.five_minutes import FiveMinutesData, load_five_minutes
from app.web.cards.card_views import card_minutes
from app.web.items.variants import Variant
from app.web.reference.errata import case_url
from app.web.site.requests import RequestDep
from app.web.site.routing import LateRoute

router = APIRouter(route_class=LateRoute)
FIVE_MINUTES_ADDRESS = "/five-minutes"


@dataclass(frozen=True)
class DailyPart:
    """One thing to do today: what it is, why, where, how long, and whether it is done."""

    tag: str
    text: str
    url: str
    label: str
    minutes: int
    is_done: bool = False


@router.get(FIVE_MINUTES_ADDRESS)
async def show(request: RequestDep) -> Response:
    """What today offers; what is done is ticked, and when all is, it ends."""
    course = request.course
    daily = await request.read(load_five_minutes, course, request.now)
    parts = list(parts_of_day(course, daily))
    waiting_parts = [part for part in parts if not part.is_done]
    next_part = None
    if waiting_parts:
        next_part = waiting_parts[0]
    minutes = sum(part.minutes for part in waiting_parts)
    return request.page(
        "practice/five_minutes",
        is_signed_in=daily.learner_id is not None,
        page="practice",
        title="今天的五分钟",
        parts=parts,
        next_part=next_part,
        minutes=minutes,
        done_count=len(parts) - len(waiting_parts),
    )


def parts_of_day(course: Course, daily: FiveMinutesData) -> Iterator[DailyPart]:
    """The parts of a day, in the order in which they are offered."""
    if daily.due_count:
        due_count = min(daily.due_count, MOST_DUE_CARDS)
        text = f"{daily.due_count}张到期了，先翻{due_count}张。"
        yield DailyPart("闪卡", text, "/cards/review", "翻卡片", card_minutes(due_count))
    for question in daily.plan.questions:
        yield question_part(course, question, daily)
    if daily.plan.case_id is not None:
        case = course.errata[daily.plan.case_id]
        url = case_url(daily.plan.case_id)
        yield DailyPart("勘误馆", case.title, url, "断这一案", CASE_MINUTES, daily.is_case_done)
    if course.games is not None:
        text = "“谁的推荐更懂我”，猜一回合就行，猜上瘾了不怪我。"
        url = f"/games/duel?seed={daily.plan.duel_seed}"
        yield DailyPart("游戏", text, url, "猜一回合", GAME_MINUTES, daily.has_played)


def question_part(course: Course, question: DailyQuestion, daily: FiveMinutesData) -> DailyPart:
    """A question of a weak point."""
    url = f"/items/{question.item_id}?seed={question.seed}"
    minutes = course.items[question.item_id].minutes
    if question.exercise_id:
        url = Variant(question.exercise_id, question.level, question.seed).url
    is_done = course.ref(question.attempt_name) in daily.done_parts
    return DailyPart("练一道", question.reason, url, "做这道", minutes, is_done)
