"""错题本: every wrong answer with what was wrong, and another question of the kind until it sits."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records import mistakes
from app.records.errors import NotFound
from app.web.asking import who
from app.web.pages import page
from app.web.site import now, site_of
from app.web.views.mistakes import entries, habits, steps

router = APIRouter()
MOST_HABITS = 6


@router.get("/mistakes")
async def every(request: Request) -> Response:
    """我常犯的错, what is open, what is cleared; `?kind=` shows all answers of one kind."""
    site, kind = site_of(request), request.query_params.get("kind", "")
    look = await site.db.read(mistakes.look, who(request), site.course, now(), kind)
    found = entries(site, look, kind)
    if kind and not found:
        raise NotFound("错题本里没有这一类题，也许还没错过。")
    return page(
        request,
        "mistakes",
        known=look.learner_id is not None,
        page="practice",
        title=found[0].title if kind else "错题本",
        kind=kind,
        entries=found,
        cleared=[(one.kind.id, one.title) for one in look.notebook.cleared],
        habits=habits(site.course, [one for one in look.notebook.habits if one.times > 1][:MOST_HABITS]),
        steps=steps(look.notebook),
    )
