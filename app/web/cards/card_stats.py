"""记得怎样: what comes, what was known, when, how long it took."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.cards import stats as deck_stats
from app.web.cards import card_stat_views as views
from app.web.site.clock import now
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/cards/stats")
async def stats(request: Request) -> Response:
    """Every picture with its table."""
    look = await site_of(request).db.read(deck_stats.load_stats, caller_of(request), now())
    week = [row for row in look.days if (look.today - row.day).days < deck_stats.RETENTION_DAYS]
    return page(
        request,
        "cards/stats",
        known=look.learner_id is not None,
        page="cards",
        title="记得怎样",
        look=look,
        forecast=views.forecast(look),
        minutes=views.minutes(look),
        spent=views.said_minutes(sum(row.seconds for row in week) / 60),
        practised=len(week),
        heat=views.heat(look),
        months=views.months(look),
        per_day=views.per_day(look.days),
        retained=[views.retained("刚学不久的", look.young), views.retained("学了三周以上的", look.mature)],
        aim=f"{look.retention:.0%}",
        standing=views.standing(look),
    )
