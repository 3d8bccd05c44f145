"""记得怎样: what comes, what was remembered, when, how long it took."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.cards.stats import RETENTION_DAYS, load_stats
from app.web.cards import card_stat_views as views
from app.web.site.dependencies import CallerDep, Now, SiteDep
from app.web.site.responses import page

router = APIRouter()


@router.get("/cards/stats")
async def show(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """Every picture with its table."""
    stats = await site.db.read(load_stats, caller, now)
    last_days = [row for row in stats.days if (stats.today - row.day).days < RETENTION_DAYS]
    spent = sum(row.seconds for row in last_days) / 60
    young = views.retention("刚学不久的", stats.young)
    mature = views.retention("学了三周以上的", stats.mature)
    return page(
        request,
        "cards/stats",
        known=stats.learner_id is not None,
        page="cards",
        title="记得怎样",
        stats=stats,
        forecast=views.forecast(stats),
        minutes=views.minutes(stats),
        spent=views.minute_words(spent),
        practised=len(last_days),
        heat=views.heat(stats),
        months=views.months(stats),
        per_day=views.per_day(stats.days),
        retained=[young, mature],
        aim=f"{stats.retention:.0%}",
        states=views.cards_by_state(stats),
    )
